"""What a kernel may store through, and how narrow its accesses are, found once over its instructions.

Every register has the set of parameters that its value may come from: within a straight piece of code, where it has got
one, those; elsewhere those of all pieces that leave something in it, whatever their order.  What is loaded from memory,
returned by functions, or stored by bulk copies may point anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.ptx.ast import Block, Instruction, Statement
from weft.ptx.operands import Address, Arguments, Element, Integer, Negated, Operand, Pair, Register, Symbol, Vector

if TYPE_CHECKING:
    from weft.sim.arena import Region
    from weft.sim.program import Program
    from weft.sim.registers import Place

_ANYTHING = "*"
_PRIVATE = ("param", "param::entry", "param::func", "local", "const")
_ANYWHERE = ("cp.async.bulk", "cp.reduce.async.bulk", "multimem", "sust", "sured", "call", "tensormap", "wmma.store")

_STORES = ("st", "red", "atom", "stmatrix", "discard")

_WITHOUT_RESULT = ("st", "red", "cp.async", "bra", "bar", "barrier", "ret", "exit")
_BRANCHES = ("bra", "brx.idx")

_SHARING = (
    "mbarrier",
    "cp.async.mbarrier",
    "cp.async.bulk",
    "cp.reduce",
    "wgmma",
    "tcgen05",
    "st.",
    "red.",
    "multimem",
    "wmma",
    "tensormap",
    "call",
    "cluster",
)
"""Stems of instructions that use shared memory in other ways."""


def stored_parameters(program: Program) -> frozenset[str] | None:
    """The parameters of the kernel through which it may store to global memory; None when that is not known."""
    kernel = program.kernel
    if len(program.functions) > 1 or any(map(stores_anywhere, kernel.instructions())):
        return None
    parameters = {parameter.name for parameter in kernel.parameters}
    pieces = list(_pieces(kernel.body or ()))
    comes: dict[str, frozenset[str]] = {}
    stored: set[str] = set()
    changed = True
    while changed:
        changed = False
        for piece in pieces:
            left = _follow(piece, parameters, comes, stored)
            for register, origin in left.items():
                known = comes.get(register, frozenset())
                if not origin <= known:
                    comes[register] = known | origin
                    changed = True
    return None if _ANYTHING in stored else frozenset(stored)


def _pieces(body: Iterable[Statement]) -> Iterator[list[Instruction]]:
    """Instructions that are executed one after the other, between labels, branches and the braces of scopes."""
    piece: list[Instruction] = []
    scopes = [iter(body)]  # A stack of its own: programs may nest scopes deeper than Python calls.
    while scopes:
        inner = None
        for statement in scopes[-1]:
            if isinstance(statement, Instruction):
                piece.append(statement)
            if not isinstance(statement, Instruction) or statement.opcode.stem in _BRANCHES:
                yield piece
                piece = []
            if isinstance(statement, Block):
                inner = iter(statement.body)
                break
        if inner is not None:
            scopes.append(inner)
        else:
            scopes.pop()
            yield piece
            piece = []


def _follow(
    piece: list[Instruction], parameters: set[str], comes: dict[str, frozenset[str]], stored: set[str]
) -> dict[str, frozenset[str]]:
    """Where what registers hold after a piece of code may come from; `stored` gets what it stores through."""
    known = _Known(comes)
    for instruction in piece:
        opcode = instruction.opcode
        if opcode.stem in _STORES and not opcode.get("ss").startswith(("shared", "local")):
            address = next(operand for operand in instruction.operands if isinstance(operand, Address))
            stored |= _of((address.base,), parameters, known)
        origin = _origin(instruction, parameters, known)
        if opcode.stem not in _WITHOUT_RESULT:
            for register in registers(instruction.operands[:1]):
                whole = instruction.guard is None
                known.here[register] = origin if whole else origin | known.of(register)
    return known.here


@dataclass(slots=True)
class _Known:
    """Where what registers hold may come from: `here`, in this piece of code, or else before it."""

    before: Mapping[str, frozenset[str]]
    here: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def of(self, register: str) -> frozenset[str]:
        """Of one register."""
        found = self.here.get(register)
        return self.before.get(register, frozenset()) if found is None else found


def stored_regions(program: Program, parameters: Mapping[str, Place]) -> list[Region]:
    """The regions of global memory that a launch may store to: module variables, and what its parameters point to."""
    return [program.arena.regions[number] for number in stored_numbers(program, parameters)]


def stored_numbers(program: Program, parameters: Mapping[str, Place]) -> list[int]:
    """The same as numbers of regions.  A device may have very many, of which a launch needs a few."""
    arena, names = program.arena, program.stored_parameters
    table = arena.table()
    if names is None:
        return np.flatnonzero(table.writable).tolist()
    chosen = set(table.variables)
    for name in names:
        place = parameters[name]
        pointers = arena.contents(place.address, place.size // 8 * 8).view(np.int64)
        for number, pointer in zip(np.searchsorted(table.starts, pointers, "right").tolist(), pointers, strict=True):
            if number and table.writable[number - 1] and pointer < table.ends[number - 1]:
                chosen.add(number - 1)
    return sorted(chosen)


def stores_anywhere(instruction: Instruction) -> bool:
    """Whether an instruction may store through pointers that are not its operands'."""
    opcode = instruction.opcode
    if not opcode.stem.startswith(_ANYWHERE):
        return False
    loads = opcode.get("dst").startswith("shared") or "_group" in opcode.stem or "prefetch" in opcode.stem
    return not (opcode.stem.startswith("cp.async.bulk") and loads)


def narrowest(program: Program, *, shared: bool = False) -> int:
    """The bytes of the narrowest access of the kernel that threads may share: a power of two.

    It is 4 at most, unless it is of `shared` memory that the kernel uses by plain instructions only: then up to 16.
    """
    instructions = program.instructions()
    least = 16 if shared and all(map(_is_plain, instructions)) else 4
    if any("tensor" in instruction.opcode.stem for instruction in instructions):  # The edge of a box may be narrow.
        least = min(least, 2)
    return min(least, apparent(program, shared=shared))


def apparent(program: Program, *, shared: bool = False) -> int:
    """The same as far as loads, stores and atomics say: other instructions may turn out to use less at once."""
    least = 16
    for instruction in program.instructions():
        opcode, stem, space = instruction.opcode, instruction.opcode.stem, instruction.opcode.get("ss")
        if stem in ("ldmatrix", "stmatrix"):
            least = min(least, 4 if opcode.get("src_fmt") else 16)
        elif stem == "cp.async":
            size = instruction.operands[2]
            least = min(least, size.value if isinstance(size, Integer) else 4)
        elif stem.startswith(("ld", "st", "wmma", "multimem", "atom", "red")) and space not in _PRIVATE:
            type_ = TYPES.get(opcode.get("type"))
            if type_ is not None and not (shared and space.startswith("global")):
                # Fragments of types below a byte are loaded by whole words; a byte is a bound that is always right.
                bytes_ = max(1, type_.bits // 8 * int((opcode.get("vec") or "v1")[1:]))
                least = min(least, 1 << bytes_.bit_length() - 1)
        elif shared and stem.startswith("mbarrier"):
            least = min(least, 8)
    return least


def _is_plain(instruction: Instruction) -> bool:
    """Whether an instruction uses shared memory, if it does, by whole aligned words as wide as it says."""
    opcode = instruction.opcode
    if opcode.stem in ("ld", "st", "atom", "red", "ldmatrix", "stmatrix", "cp.async"):
        return True
    return not opcode.stem.startswith(_SHARING)


def _origin(instruction: Instruction, parameters: set[str], comes: _Known) -> frozenset[str]:
    stem, operands = instruction.opcode.stem, instruction.operands
    if stem in _WITHOUT_RESULT:
        return frozenset()
    if stem == "ld" and isinstance(operands[1], Address):
        base = operands[1].base
        if isinstance(base, Symbol) and base.name in parameters:
            return frozenset((base.name,))
        wide = instruction.opcode.get("type").endswith("64") or instruction.opcode.get("type").endswith("128")
        return frozenset((_ANYTHING,)) if wide else frozenset()
    if stem == "atom":
        return frozenset((_ANYTHING,)) if instruction.opcode.get("type").endswith("64") else frozenset()
    return frozenset(_of(operands[1:], parameters, comes))


def _of(operands: tuple[Operand, ...], parameters: set[str], comes: _Known) -> set[str]:
    found: set[str] = set()
    for operand in operands:
        if isinstance(operand, Symbol) and operand.name in parameters:
            found.add(_ANYTHING)  # The address of a parameter: what is loaded through it may be any of its bytes.
    for register in registers(operands):
        found |= comes.of(register)
    return found


def registers(operands: tuple[Operand, ...]) -> Iterator[str]:
    """The names of the registers in operands."""
    for operand in operands:
        if isinstance(operand, Register):
            yield operand.name
        elif isinstance(operand, Address):
            yield from registers((operand.base, *operand.rest))
        elif isinstance(operand, Element):
            yield from registers((operand.index,))
        elif isinstance(operand, Negated):
            yield from registers((operand.operand,))
        elif isinstance(operand, Pair):
            yield from registers((operand.first, operand.second))
        elif isinstance(operand, (Vector, Arguments)):
            yield from registers(operand.elements)
