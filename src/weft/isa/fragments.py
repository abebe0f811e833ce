"""Which thread of a warp holds which matrix element: the one layout fact of `ldmatrix`, `stmatrix`, `movmatrix`, `mma`.

`element` maps a lane, a register of an operand and a position in that register to a place in a matrix; `Fragment` adds
the extents and the way back.  Everything that shows, simulates or checks fragments reads them here.

Sources: PTX manual, sections "Matrix Fragments for mma" (one for each shape), "ldmatrix", "stmatrix" and "movmatrix".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from functools import cache
from typing import NamedTuple

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.isa.opcode import Opcode
from weft.isa.table._matrix import WARP, element_bits, tile

REGISTER = 32
"""Bits of a register; 64-bit elements take registers of their own width."""


class Place(NamedTuple):
    """An element: the number of the matrix among those of the instruction, and row and column in it, all from 0."""

    matrix: int
    row: int
    column: int


Rule = Callable[[int, int, int], Place]
"""Lane, register and position in the register to the element's place."""


@dataclass(frozen=True, eq=False)
class Fragment:
    """How a warp holds the matrices of one operand.

    `registers` per thread, each with `packed` elements of `bits` bits, the first in the lowest bits; `matrices` of
    `rows` x `columns` elements.  For matrices in memory a row is what one row address points to.
    """

    matrices: int
    rows: int
    columns: int
    bits: int
    registers: int
    packed: int
    rule: Rule = field(repr=False)

    def element(self, lane: int, register: int, position: int = 0) -> Place:
        """The place of an element; raises IsaError when lane, register or position is out of range."""
        if not (0 <= lane < WARP and 0 <= register < self.registers and 0 <= position < self.packed):
            raise IsaError(
                f"no element at lane {lane}, register {register}, position {position}",
                hint=f"a fragment has {WARP} lanes, here {self.registers} registers with {self.packed} elements each",
            )
        return self.rule(lane, register, position)

    def elements(self) -> Iterator[tuple[int, int, int, Place]]:
        """Lane, register, position and place of every element, lane by lane."""
        for lane in range(WARP):
            for register in range(self.registers):
                for position in range(self.packed):
                    yield lane, register, position, self.rule(lane, register, position)

    def holders(self) -> dict[Place, tuple[int, int, int]]:
        """The lane, register and position that hold each place."""
        return {place: (lane, register, position) for lane, register, position, place in self.elements()}


def element(opcode: Opcode, operand: str, lane: int, register: int, position: int = 0) -> Place:
    """The place of the element at `position` of a lane's `register` of operand `operand` (as `fragment` names them).

    Raises IsaError for an opcode or operand without a known layout, and for numbers out of range.
    """
    return fragment(opcode, operand).element(lane, register, position)


@cache
def fragment(opcode: Opcode, operand: str) -> Fragment:
    """The fragment that an operand of an opcode is: `a`, `b`, `c`, `d` of mma, `r` of loads and stores, `a` and `d` of
    movmatrix.

    Places of `r` are in memory: matrix, row address within it, and element of the row.  Those of movmatrix are in its
    source matrix.  Raises IsaError when the opcode or the operand has no fragment.
    """
    makers: dict[str, tuple[str, Callable[[Opcode, str], Fragment]]] = {
        "mma": ("abcd", _mma),
        "mma.sp": ("abcd", _mma),
        "mma.sp::ordered_metadata": ("abcd", _mma),
        "ldmatrix": ("r", _copy),
        "stmatrix": ("r", _copy),
        "movmatrix": ("ad", _movmatrix),
    }
    if opcode.stem not in makers or not opcode.valid:
        raise IsaError(f"'{opcode}' has no fragments with a known layout", hint=f"known: {', '.join(makers)}")
    operands, make = makers[opcode.stem]
    if operand not in tuple(operands):
        raise IsaError(f"'{opcode}' has no fragment '{operand}'", hint=f"fragments: {', '.join(operands)}")
    return make(opcode, operand)


# -- copies -----------------------------------------------------------------------------------------------------------


def _copy(opcode: Opcode, _: str) -> Fragment:
    """`ldmatrix` and `stmatrix`: a lane takes 32 bits of a row, or, transposed, of the matrix's transpose."""
    shape, count, trans = opcode.get("shape"), int(opcode.get("num")[1:]), bool(opcode.get("trans"))
    if shape == "m8n8":
        return Fragment(count, 8, 8, 16, count, 2, _transposed(_pairs) if trans else _pairs)
    if shape == "m8n16":
        return Fragment(count, 8, 16, 8, count, 4, _quads)
    if shape == "m16n8":
        return Fragment(count, 8, 16, 8, count, 4, _stored_columns)
    return Fragment(count, 16, 16, 8, 2 * count, 4, _loaded_columns)


def _pairs(lane: int, register: int, position: int) -> Place:
    """8 rows of 8: four lanes a row, two elements each; every register is a matrix."""
    return Place(register, lane // 4, 2 * (lane % 4) + position)


def _quads(lane: int, register: int, position: int) -> Place:
    """8 rows of 16: four lanes a row, four elements each; every register is a matrix."""
    return Place(register, lane // 4, 4 * (lane % 4) + position)


def _loaded_columns(lane: int, register: int, position: int) -> Place:
    """16 rows of 16, transposed: four lanes a column, four rows each; two registers are the halves of a matrix."""
    half = register % 2
    return Place(register // 2, 4 * (lane % 4) + position, lane // 4 + 8 * half)


def _stored_columns(lane: int, register: int, position: int) -> Place:
    """8 rows of 16 in memory from a 16x8 matrix: the lane holds two columns of it in two rows eight apart."""
    return Place(register, 2 * (lane % 4) + position % 2, lane // 4 + 8 * (position // 2))


def _transposed(rule: Rule) -> Rule:
    def swapped(lane: int, register: int, position: int) -> Place:
        place = rule(lane, register, position)
        return Place(place.matrix, place.column, place.row)

    return swapped


def _movmatrix(_: Opcode, operand: str) -> Fragment:
    return Fragment(1, 8, 8, 16, 1, 2, _transposed(_pairs) if operand == "d" else _pairs)


# -- products ---------------------------------------------------------------------------------------------------------


def _mma(opcode: Opcode, operand: str) -> Fragment:
    """A fragment of `mma`: eight rows a register file row, four lanes a row; B as the transpose of A.

    Columns of a sparse A are those that are stored, half of them.
    """
    shape, type_ = opcode.get("shape"), opcode.get(f"{operand}type")
    rows, columns = tile(operand, shape)
    if operand == "a" and opcode.stem != "mma":
        columns //= 2
    bits = element_bits(type_, opcode.get("kind"))
    packed = max(1, REGISTER // bits)
    if shape == "m8n8k4" and opcode.get("atype") == "f16":
        return _quarter_products(opcode, operand, rows, columns, bits, packed)
    registers = rows * columns // (WARP * packed)
    if operand in "cd":
        rule = _sums(packed)
    elif operand == "a":
        rule = _multiplicand(packed, 2 if rows == 16 else 1)
    else:
        rule = _transposed(_multiplicand(packed, 1))
    return Fragment(1, rows, columns, bits, registers, packed, rule)


def _multiplicand(packed: int, halves: int) -> Rule:
    """Four lanes a row with `packed` elements each; registers go through the `halves` of eight rows, then along K."""

    def rule(lane: int, register: int, position: int) -> Place:
        row = lane // 4 + 8 * (register % halves)
        return Place(0, row, packed * (lane % 4) + position + 4 * packed * (register // halves))

    return rule


def _sums(packed: int) -> Rule:
    """Accumulators: four lanes a row with two elements each, then the row eight below."""

    def rule(lane: int, register: int, position: int) -> Place:
        index = register * packed + position
        return Place(0, lane // 4 + 8 * (index // 2), 2 * (lane % 4) + index % 2)

    return rule


def _quarter_products(opcode: Opcode, operand: str, rows: int, columns: int, bits: int, packed: int) -> Fragment:
    """`.m8n8k4` of halves: four products; lanes 4i to 4i+3 and the ones 16 further on hold product i."""
    vector = {"a": opcode.get("alayout") == "row", "b": opcode.get("blayout") == "col"}
    single = bits == REGISTER

    def rule(lane: int, register: int, position: int) -> Place:
        matrix, upper, index = lane % 16 // 4, 4 * (lane // 16), register * packed + position
        if operand in "cd" and single:
            row = lane % 2 + (index & 2) + upper
            return Place(matrix, row, (index & 4) + (lane & 2) + (index & 1))
        own, other = lane % 4 + upper, index
        if operand in "ab" and not vector[operand]:
            own, other = index + upper, lane % 4
        return Place(matrix, other, own) if operand == "b" else Place(matrix, own, other)

    return Fragment(4, rows, columns, bits, rows * columns // (8 * packed), packed, rule)
