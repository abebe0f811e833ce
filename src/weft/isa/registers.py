"""Register classes, their printed names, the inline-assembly constraint letters, and the special registers.

The seven classes are those of LLVM's NVPTX back end: five that own storage (`%p %rs %r %rd %rq`), the special
registers, and `%f`, a 32-bit float view of `%r`'s storage.  `%fd` is the 64-bit float view of `%rd`'s storage: a
spelling, not a class.  A name is only ever printed if some `.reg` line declares it (ptxas refuses it otherwise), so a
view is spelled with the prefix of the class that owns its storage unless views are declared as registers of their own
(`Naming.CLASSIC`).

Sources: PTX manual, chapter "Special Registers"; the intrinsic names and letters are CUDA's inline PTX constraints.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.isa.target import Window, window


@dataclass(frozen=True, slots=True)
class RegisterClass:
    """A class of registers.

    `id` is the class number, `bits` the width, `declaration` the type of its `.reg` line (empty: never declared),
    `prefix` what its names start with (empty: its registers have names of their own), `view_of` the class whose
    storage it is a view of, `letter` the inline-assembly constraint.
    """

    name: str
    id: int
    bits: int
    declaration: str
    prefix: str
    letter: str = ""
    view_of: str = ""


PRED = RegisterClass("pred", 0, 1, "pred", "%p", "b")
B16 = RegisterClass("b16", 1, 16, "b16", "%rs", "h")
SPECIAL = RegisterClass("special", 2, 32, "", "")
B32 = RegisterClass("b32", 3, 32, "b32", "%r", "r")
F32 = RegisterClass("f32", 4, 32, "", "%f", "f", view_of="b32")
B64 = RegisterClass("b64", 5, 64, "b64", "%rd", "l")
B128 = RegisterClass("b128", 6, 128, "b128", "%rq", "q")

CLASSES: tuple[RegisterClass, ...] = (PRED, B16, SPECIAL, B32, F32, B64, B128)
"""The classes, indexed by their ids."""

F64 = RegisterClass("f64", 5, 64, "", "%fd", "d", view_of="b64")
"""The 64-bit float view of `B64`: it shares that class's id, because it is a spelling and not a class."""

_BY_LETTER: Mapping[str, RegisterClass] = {c.letter: c for c in (*CLASSES, F64) if c.letter}
_BY_PREFIX: Mapping[str, RegisterClass] = {c.prefix: c for c in (*CLASSES, F64) if c.prefix}

_SUPERCLASSES: Mapping[str, tuple[RegisterClass, ...]] = {"f32": (B32, SPECIAL), "f64": (B64,)}


def superclasses(register_class: RegisterClass) -> tuple[RegisterClass, ...]:
    """The classes that contain this one: `%f` lies in `%r` and in the special registers, `%fd` in `%rd`."""
    return _SUPERCLASSES.get(register_class.name, ())


def subclasses(register_class: RegisterClass) -> tuple[RegisterClass, ...]:
    """The classes that this one contains."""
    return tuple(c for c in (F32, F64) if register_class in superclasses(c))


def class_for_letter(letter: str) -> RegisterClass:
    """The class of a constraint letter (`b h r l f d q`); raises IsaError for any other."""
    found = _BY_LETTER.get(letter)
    if found is None:
        raise IsaError(f"unknown register constraint '{letter}'", hint=f"use one of {' '.join(_BY_LETTER)}")
    return found


def class_for_prefix(prefix: str) -> RegisterClass:
    """The class whose names start with `prefix` (`%r`); raises IsaError when there is none."""
    found = _BY_PREFIX.get(prefix)
    if found is None:
        raise IsaError(f"unknown register prefix '{prefix}'", hint=f"use one of {' '.join(_BY_PREFIX)}")
    return found


class Naming(enum.Enum):
    """How float registers are spelled and declared.

    `BITS` (LLVM 21 and later): f32 lives and prints in `%r`, f64 in `%rd`.  `CLASSIC` (nvcc, older LLVM): `%f` and
    `%fd` are declared as `.f32` and `.f64` registers of their own.
    """

    BITS = "bits"
    CLASSIC = "classic"


def storage(register_class: RegisterClass, naming: Naming = Naming.BITS) -> RegisterClass:
    """The class whose prefix and declaration a register of this class uses under a naming."""
    if naming is Naming.BITS and register_class.view_of:
        return next(c for c in CLASSES if c.name == register_class.view_of)
    return register_class


def declaration_type(register_class: RegisterClass) -> str:
    """The type of the class's `.reg` line, without the dot; the special registers have none (IsaError)."""
    if register_class.view_of:
        return register_class.name
    if not register_class.declaration:
        raise IsaError("special registers are not declared")
    return register_class.declaration


def register_name(register_class: RegisterClass, number: int, naming: Naming = Naming.BITS) -> str:
    """The printed name of a register: `%r3`; special registers print by their own names (see `SPECIAL_REGISTERS`)."""
    prefix = storage(register_class, naming).prefix
    if not prefix:
        raise IsaError("special registers cannot be numbered", hint="use the PTX name, such as %tid.x")
    return f"{prefix}{number}"


def register_declarations(
    counts: Mapping[RegisterClass, int], naming: Naming = Naming.BITS
) -> list[tuple[str, str, int]]:
    """`(type, prefix, count)` for one `.reg` line per non-empty class, in the order of the class ids.

    `counts` gives the number of registers per class, numbered from 0; views are merged into their storage's line
    (they share its numbers) unless the naming declares them.
    """
    merged: dict[RegisterClass, int] = {}
    for register_class, count in counts.items():
        owner = storage(register_class, naming)
        merged[owner] = max(merged.get(owner, 0), count)
    order = sorted((c for c, n in merged.items() if n), key=lambda c: (c.id, c.view_of != ""))
    return [(declaration_type(c), c.prefix, merged[c]) for c in order]


ELEMENTS = "xyzw"
"""The elements of a vector register: `%v.x`, ..."""

_COLOURS = dict(zip("rgba", ELEMENTS, strict=True))
ELEMENT_NAMES = ELEMENTS + "".join(_COLOURS)
"""The names of elements: ptxas takes those of colours for all vectors, special registers too."""


def plain_element(name: str) -> str:
    """The name of a register with its element as a coordinate: `%v.x` for `%v.r`; other names as they are."""
    base, _, member = name.partition(".")
    return f"{base}.{_COLOURS[member]}" if member in _COLOURS else name


@dataclass(frozen=True, slots=True)
class SpecialRegister:
    """A predefined read-only register: its name as printed, its type, its components, and where it exists.

    `narrow` are further widths in bits at which `mov` may read it, as the first PTX versions did.
    """

    name: str
    type: str
    window: Window
    components: str = ""
    summary: str = ""
    narrow: tuple[int, ...] = ()


_SPECIAL = """
%tid u32 vector 1.0 - | thread index in the CTA
%ntid u32 vector 1.0 - | threads per CTA
%laneid u32 - 1.3 - | lane in the warp
%warpid u32 - 1.3 - | warp in the CTA
%nwarpid u32 - 2.0 20+ | largest number of warps
%ctaid u32 vector 1.0 - | CTA index in the grid
%nctaid u32 vector 1.0 - | CTAs in the grid
%smid u32 - 1.3 - | multiprocessor
%nsmid u32 - 2.0 20+ | largest multiprocessor number
%gridid u64 - 1.0 - | grid launch
%is_explicit_cluster pred - 7.8 90+ | whether the launch names a cluster size
%clusterid u32 vector 7.8 90+ | cluster index in the grid
%nclusterid u32 vector 7.8 90+ | clusters in the grid
%cluster_ctaid u32 vector 7.8 90+ | CTA index in the cluster
%cluster_nctaid u32 vector 7.8 90+ | CTAs in the cluster
%cluster_ctarank u32 - 7.8 90+ | CTA rank in the cluster
%cluster_nctarank u32 - 7.8 90+ | CTAs in the cluster
%lanemask_eq u32 - 2.0 20+ | bit of this lane
%lanemask_le u32 - 2.0 20+ | bits up to this lane
%lanemask_lt u32 - 2.0 20+ | bits below this lane
%lanemask_ge u32 - 2.0 20+ | bits from this lane
%lanemask_gt u32 - 2.0 20+ | bits above this lane
%clock u32 - 1.0 - | cycle counter, low half
%clock_hi u32 - 5.0 20+ | cycle counter, high half
%clock64 u64 - 2.0 20+ | cycle counter
%globaltimer u64 - 3.1 30+ | nanosecond timer
%globaltimer_lo u32 - 3.1 30+ | nanosecond timer, low half
%globaltimer_hi u32 - 3.1 30+ | nanosecond timer, high half
%total_smem_size u32 - 4.1 20+ | shared memory of the CTA in bytes
%aggr_smem_size u32 - 8.1 90+ | shared memory of the CTA with what the system reserves
%dynamic_smem_size u32 - 4.1 20+ | dynamic shared memory in bytes
%current_graph_exec u64 - 8.0 50+ | running graph
%reserved_smem_offset_begin b32 - 7.6 80+ | reserved shared memory: begin
%reserved_smem_offset_end b32 - 7.6 80+ | reserved shared memory: end
%reserved_smem_offset_cap b32 - 7.6 80+ | reserved shared memory: capacity
"""


_NARROW = {"%tid": (16,), "%ntid": (16,), "%ctaid": (16,), "%nctaid": (16,), "%gridid": (32, 16)}


def _special_registers() -> dict[str, SpecialRegister]:
    table: dict[str, SpecialRegister] = {}
    for line in _SPECIAL.strip().splitlines():
        facts, _, summary = line.partition(" | ")
        name, type_, parts, ptx, sm = facts.split()
        components = ELEMENTS if parts == "vector" else ""
        where = window(ptx, "" if sm == "-" else sm)
        narrow = _NARROW.get(name, ())
        table[name] = SpecialRegister(name, type_, where, components, summary, narrow)
        for part in ELEMENT_NAMES if components else "":
            element = plain_element(f"{name}.{part}")
            table[f"{name}.{part}"] = SpecialRegister(element, type_, where, "", summary, narrow)
    for n in range(32):
        table[f"%envreg{n}"] = SpecialRegister(f"%envreg{n}", "b32", window("1.0"), "", "driver-defined")
    for n in range(8):
        table[f"%pm{n}"] = SpecialRegister(
            f"%pm{n}", "u32", window("1.3") if n < 4 else window("3.0", "20+"), "", "performance counter"
        )
        table[f"%pm{n}_64"] = SpecialRegister(f"%pm{n}_64", "u64", window("4.0", "50+"), "", "performance counter")
    for n in range(2):
        table[f"%reserved_smem_offset_{n}"] = SpecialRegister(
            f"%reserved_smem_offset_{n}", "b32", window("7.6", "80+"), "", "reserved shared memory"
        )
    return table


SPECIAL_REGISTERS: Mapping[str, SpecialRegister] = _special_registers()
"""Every special register by printed name; vectors such as `%tid` also by component (`%tid.x`, and `%tid.r`, which is
`%tid.x` by another name)."""
