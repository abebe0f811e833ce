"""PTX types: their widths and kinds, and which register may hold which operand.

Sources: PTX manual, chapter "State Spaces, Types, and Variables" and section "Operand Size Exceeding Instruction-Type
Size"; the compatibility rules are those that ptxas enforces.
"""

from __future__ import annotations

from weft.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A PTX type, `bits` wide.

    `kind` is `p` (predicate), `b` (untyped), `u`, `s`, `f`, `x` (packed) or `o` (opaque).
    """

    name: str
    bits: int
    kind: str

    @property
    def bytes(self) -> int:
        """Size in memory in bytes (sub-byte types count as one)."""
        return max(1, self.bits // 8)


_SPEC = """
pred:1:p
b8:8:b b16:16:b b32:32:b b64:64:b b128:128:b b1:1:b b1024:1024:b
u8:8:u u16:16:u u32:32:u u64:64:u s8:8:s s16:16:s s32:32:s s64:64:s
u4:4:u s4:4:s u2:2:u s2:2:s
f16:16:f f32:32:f f64:64:f bf16:16:x tf32:32:x f128:128:f
f16x2:32:x bf16x2:32:x f32x2:64:x u16x2:32:x s16x2:32:x u8x4:32:x s8x4:32:x
e4m3:8:x e5m2:8:x e3m2:8:x e2m3:8:x e2m1:4:x ue8m0:8:x ue4m3:8:x
e4m3x2:16:x e5m2x2:16:x e3m2x2:16:x e2m3x2:16:x e2m1x2:8:x ue8m0x2:16:x ue5m3x2:16:x s2f6x2:16:b
e4m3x4:32:x e5m2x4:32:x e3m2x4:32:x e2m3x4:32:x e2m1x4:16:x e2m1p4x4:32:x ue8m0x4:32:x
texref:64:o samplerref:64:o surfref:64:o
"""

TYPES: dict[str, Type] = {
    name: Type(name, int(bits), kind) for name, bits, kind in (item.split(":") for item in _SPEC.split())
}
"""Every type that can be in a declaration or as an instruction type, by name."""


def size_of(name: str) -> int:
    """The size in memory in bytes of the type called `name`; 0 when there is no such type."""
    found = TYPES.get(name)
    return found.bytes if found else 0


DECLARABLE = frozenset(
    [
        "pred",
        "b8",
        "b16",
        "b32",
        "b64",
        "b128",
        "u8",
        "u16",
        "u32",
        "u64",
        "s8",
        "s16",
        "s32",
        "s64",
        "f16",
        "f16x2",
        "f32",
        "f64",
    ]
)
"""Types a `.reg` may have."""

_PACKED = """
f32x2 u16x2 s16x2 e4m3 e5m2 e4m3x2 e5m2x2 e3m2x2 e2m3x2 e2m1x2 ue8m0x2 s2f6x2
e4m3x4 e5m2x4 e3m2x4 e2m3x4 e2m1x4 ue8m0x4
"""
PASSED_OVER = frozenset(_PACKED.split())
"""Types of instructions that ptxas lets pass as those of parameters of functions that are not in the module."""


def compatible(register: str, instruction: str, *, wider: bool = False, loose: bool = False) -> bool:
    """Whether a register declared `.register` may be an operand of instruction type `.instruction`.

    Untyped goes with everything of its width; integers of either sign go together; floats only with the same float or
    untyped; packed types need untyped registers (or their own).  With `wider` (conversions) the register may exceed
    the instruction type as the manual's relaxed rules say; with `loose` (loads, stores) a float register may as well.
    """
    have, want = TYPES.get(register), TYPES.get(instruction)
    if have is None or want is None:
        return False
    if have.kind == "p" or want.kind == "p":
        return have.kind == want.kind
    exceeds = have.bits > want.bits and (loose or (wider and have.kind != "f" and _widens(want)))
    if have.bits != want.bits and not exceeds:
        return False
    return _kinds_fit(have, want)


def _widens(want: Type) -> bool:
    """Whether a conversion's operand of this type may lie in a wider register: packed types do not, save f16x2."""
    return want.kind != "x" or want.name == "f16x2"


def _kinds_fit(have: Type, want: Type) -> bool:
    if have.name == want.name or have.kind == "b" or want.kind == "b":
        return True
    if have.kind == "x":  # A .f16x2 register is one of integers or packed integers too, but of no other floats.
        return want.name[0] in "us"
    return have.kind in "us" and want.kind in "us"


def literal_fits(instruction: str, *, floating: bool, text: str) -> bool:
    """Whether a literal may be an operand of instruction type `.instruction`.

    Integers go with integer, untyped and predicate types; float literals with `.f32` and `.f64`, doubles (`0d...`,
    `1.5`) with `.b64` and singles (`0f...`) with `.b32`; half types take no literal.
    """
    want = TYPES.get(instruction)
    if want is None:
        return False
    if not floating:
        return want.kind in "busp"
    if want.kind == "f":
        return want.bits >= 32
    return want.kind == "b" and want.bits == (32 if text[:2].lower() == "0f" else 64)
