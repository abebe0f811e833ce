"""Selection of the matrix copies `ldmatrix`, `stmatrix` and `movmatrix` from the properties of an NVVM operation.

A record of properties is checked and becomes an `Opcode` of the ISA table.  The numbers of the LLVM intrinsics are kept
as data, with the formulas that give them: they number the intrinsics' names in alphabetical order.  `seed_table` holds
the rows as the selector's description prints them, next to what their numbers stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import cache
from itertools import product

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.isa.opcode import Opcode, opcode


class Shape(IntEnum):
    """The shape of one matrix; `M16N8` is for stores only, `M8N16` and `M16N16` are for loads only."""

    M8N8 = 0
    M8N16 = 1
    M16N8 = 2
    M16N16 = 3

    def __str__(self) -> str:
        return self.name.lower()


class Layout(IntEnum):
    """The layout of the matrix in memory."""

    ROW = 0
    COL = 1


FORMATS = ("b8x16.b6x16_p32", "b8x16.b4x16_p64", "b8")
"""Element formats of the 8-bit shapes by size code: 6-bit and 4-bit elements that widen to bytes, and bytes."""

SPACES = ("", "shared", "shared::cta")
"""How the address's state space may be spelled; an empty string is a generic address."""


@dataclass(frozen=True, slots=True)
class LdMatrix:
    """Properties of an `ldmatrix`.

    `num` is the number of 32-bit registers that each thread gets (1, 2 or 4), which is the number of matrices but for
    16x16 matrices, which take two registers each; `sz` indexes `FORMATS` (0 also for the 16-bit elements of 8x8);
    a load transposes when `trans` is set or `layout` is `COL`.
    """

    num: int
    shape: int
    sz: int = 0
    trans: int = 0
    layout: int = Layout.ROW

    @property
    def transposed(self) -> bool:
        """Whether the load transposes."""
        return bool(self.trans) or self.layout == Layout.COL


@dataclass(frozen=True, slots=True)
class StMatrix:
    """Properties of an `stmatrix`: 32-bit registers per thread (1, 2 or 4), shape, and whether it transposes."""

    num: int
    shape: int
    trans: int = 0


@dataclass(frozen=True, slots=True)
class MovMatrix:
    """A `movmatrix`: the transpose of one 8x8 matrix of 16-bit elements in registers; it has no properties."""


MatrixCopy = LdMatrix | StMatrix | MovMatrix


def decode_properties(family: str, values: Sequence[int]) -> MatrixCopy:
    """The record of a property blob.

    `values` are `(num, shape, sz, trans, layout)` for ldmatrix, `(num, shape, trans)` for stmatrix and none for
    movmatrix.  Raises IsaError for another family or number of values.
    """
    lengths = {"ldmatrix": 5, "stmatrix": 3, "movmatrix": 0}
    if family not in lengths:
        raise IsaError("unknown matrix-copy family", hint=f"'{family}' is not one of {', '.join(lengths)}")
    if len(values) != lengths[family]:
        raise IsaError(f"{family} has {lengths[family]} properties, found {len(values)}")
    return {"ldmatrix": LdMatrix, "stmatrix": StMatrix, "movmatrix": MovMatrix}[family](*values)


# -- selection --------------------------------------------------------------------------------------------------------


def select(copy: MatrixCopy, ss: str = "") -> Opcode:
    """The opcode of a matrix copy whose address is in state space `ss` (see `SPACES`).

    Raises IsaError for properties that no instruction has.
    """
    if isinstance(copy, LdMatrix):
        return _ldmatrix(copy, ss)
    if isinstance(copy, StMatrix):
        return _stmatrix(copy, ss)
    return opcode("movmatrix", shape="m8n8", type="b16")


def _ldmatrix(copy: LdMatrix, ss: str) -> Opcode:
    _check_num("ldmatrix", copy.num)
    if copy.shape == Shape.M8N16 and copy.transposed:
        raise IsaError("Transposed layout is not supported for m8n16 shape for nvvm.ldmatrix")
    if copy.shape == Shape.M16N16 and copy.num == 1:
        raise IsaError("m16n16 ldmatrix requires num=2 or num=4", hint="num counts registers, two per matrix")
    if copy.shape == Shape.M16N16 and not copy.transposed:
        raise IsaError("m16n16 ldmatrix requires the col layout")
    if copy.shape not in (Shape.M8N8, Shape.M8N16, Shape.M16N16):
        raise IsaError(f"ldmatrix does not support shape {copy.shape}", hint="m8n8 is 0, m8n16 is 1, m16n16 is 3")
    formats = {Shape.M8N8: 1, Shape.M8N16: 2, Shape.M16N16: 3}[Shape(copy.shape)]
    if not 0 <= copy.sz < formats:
        raise IsaError(f"size code {copy.sz} is not one of {Shape(copy.shape)} ldmatrix", hint=f"0 to {formats - 1}")
    matrices = copy.num // 2 if copy.shape == Shape.M16N16 else copy.num
    common = {"shape": str(Shape(copy.shape)), "num": f"x{matrices}", "trans": copy.transposed, "ss": ss}
    dst_fmt, _, src_fmt = ("b16" if copy.shape == Shape.M8N8 else FORMATS[copy.sz]).partition(".")
    if src_fmt:
        return opcode("ldmatrix", dst_fmt=dst_fmt, src_fmt=src_fmt, **common)
    return opcode("ldmatrix", type=dst_fmt, **common)


def _stmatrix(copy: StMatrix, ss: str) -> Opcode:
    _check_num("stmatrix", copy.num)
    if copy.shape not in (Shape.M8N8, Shape.M16N8):
        raise IsaError(f"stmatrix does not support shape {copy.shape}", hint="m8n8 is 0, m16n8 is 2")
    if copy.shape == Shape.M16N8 and not copy.trans:
        raise IsaError("m16n8 stmatrix requires trans")
    element = "b16" if copy.shape == Shape.M8N8 else "b8"
    shape = str(Shape(copy.shape))
    return opcode("stmatrix", shape=shape, num=f"x{copy.num}", trans=bool(copy.trans), ss=ss, type=element)


def _check_num(family: str, num: int) -> None:
    if num not in (1, 2, 4):
        raise IsaError(f"{family} requires num=1, num=2 or num=4, found {num}")


def properties(code: Opcode) -> MatrixCopy:
    """The record that selects an opcode; the inverse of `select`.  Raises IsaError for opcodes of other families."""
    if code.stem not in ("ldmatrix", "stmatrix", "movmatrix") or not code.valid:
        raise IsaError("unknown matrix-copy family", hint=f"'{code}' is not a matrix copy")
    if code.stem == "movmatrix":
        return MovMatrix()
    shape, matrices, trans = Shape[code["shape"].upper()], int(code["num"][1:]), int(bool(code["trans"]))
    if code.stem == "stmatrix":
        return StMatrix(matrices, shape, trans)
    if shape == Shape.M8N8:
        return LdMatrix(matrices, shape, 0, trans)
    element = code["type"] or f"{code['dst_fmt']}.{code['src_fmt']}"
    if shape == Shape.M8N16:
        return LdMatrix(matrices, shape, FORMATS.index(element))
    return LdMatrix(matrices * 2, shape, FORMATS.index(element), 0, Layout.COL)


# -- intrinsics -------------------------------------------------------------------------------------------------------


def intrinsic_id(copy: MatrixCopy) -> int | None:
    """The number of the LLVM intrinsic that the copy selects; None for movmatrix, which has no intrinsic.

    Raises IsaError for properties that no instruction has.
    """
    select(copy)
    if isinstance(copy, MovMatrix):
        return None
    index = copy.num // 2  # 1, 2, 4 registers: 0, 1, 2.
    if isinstance(copy, StMatrix):
        return 9858 + index if copy.shape == Shape.M16N8 else 9861 + 2 * index + bool(copy.trans)
    if copy.shape == Shape.M16N16:
        return 9153 + 3 * (index - 1) + 2 - copy.sz
    if copy.shape == Shape.M8N16:
        return 9159 + 2 * index + 1 - copy.sz
    return 9165 + 2 * index + copy.transposed


def intrinsic_name(copy: MatrixCopy) -> str | None:
    """The name of the LLVM intrinsic for an address in shared memory; None for movmatrix."""
    return None if isinstance(copy, MovMatrix) else f"llvm.nvvm.{select(copy)}.p3"


def copies() -> Iterator[MatrixCopy]:
    """A record of every matrix copy, one for each spelling without its state space."""
    nums = (1, 2, 4)
    yield from (LdMatrix(num, Shape.M8N8, 0, trans) for num, trans in product(nums, (0, 1)))
    yield from (LdMatrix(num, Shape.M8N16, sz) for num, sz in product(nums, (0, 1)))
    yield from (LdMatrix(num, Shape.M16N16, sz, 0, Layout.COL) for num, sz in product((2, 4), (0, 1, 2)))
    yield from (StMatrix(num, Shape.M8N8, trans) for num, trans in product(nums, (0, 1)))
    yield from (StMatrix(num, Shape.M16N8, 1) for num in nums)
    yield MovMatrix()


@cache
def intrinsic_table() -> dict[int, MatrixCopy]:
    """Every intrinsic's number with the copy that it stands for, in the order of the numbers."""
    numbered = ((intrinsic_id(copy), copy) for copy in copies())
    return dict(sorted(((number, copy) for number, copy in numbered if number is not None), key=lambda item: item[0]))


def copy_of_intrinsic(number: int) -> MatrixCopy:
    """The copy that an intrinsic's number stands for; raises IsaError for a number that is none."""
    found = intrinsic_table().get(number)
    if found is None:
        raise IsaError(f"{number} is not the number of a matrix-copy intrinsic")
    return found


# -- the printed table ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One printed row of the description: family, shape, property values, intrinsic number and mnemonic."""

    family: str
    shape: Shape
    values: tuple[int, ...]
    number: int | None
    printed: str

    @property
    def opcode(self) -> Opcode:
        """The instruction that the row's number really stands for."""
        return select(MovMatrix() if self.number is None else copy_of_intrinsic(self.number))

    @property
    def agrees(self) -> bool:
        """Whether the printed mnemonic is that instruction."""
        return self.printed == self.opcode.text


def seed_table() -> tuple[SeedRow, ...]:
    """The rows of the description's table as printed, for documentation only: many mnemonics are not instructions.

    Left out are its rows without a definite instruction (the second import path of stmatrix and number 8366).
    """
    nums = (1, 2, 4)
    rows: list[SeedRow] = []

    def add(family: str, shape: Shape, values: tuple[int, ...], number: int | None, rest: str) -> None:
        rows.append(SeedRow(family, shape, values, number, f"{family}.sync.aligned.{rest}"))

    for (index, num), trans in product(enumerate(nums), (0, 1)):
        suffix = ".trans.b16" if trans else ".b16"
        add("ldmatrix", Shape.M8N8, (num, 0, 0, trans, 0), 9165 + 2 * index + trans, f"m8n8.x{num}{suffix}")
    for (index, num), (sz, element) in product(enumerate(nums), enumerate(("b8", "b8x16.b6x16_p32"))):
        add("ldmatrix", Shape.M8N16, (num, 1, sz, 0, 0), 9160 + 2 * index - sz, f"m8n16.x{num}.{element}")
    wide = ("b8", "b8x16.b6x16_p32", "b8x16.b6x16_p64")
    for (index, num), (sz, element) in product(enumerate((2, 4)), enumerate(wide)):
        add("ldmatrix", Shape.M16N16, (num, 3, sz, 0, 1), 9155 + 3 * index - sz, f"m16n16.x{num}.{element}")
    for (index, num), trans in product(enumerate(nums), (0, 1)):
        suffix = ".trans.b16" if trans else ".b16"
        add("stmatrix", Shape.M8N8, (num, 0, trans), 9862 + 2 * index - trans, f"m8n8.x{num}{suffix}")
    for index, num in enumerate(nums):
        add("stmatrix", Shape.M16N8, (num, 2, 1), 9858 + index, f"m8n16.x{num}.trans.b8")
    add("movmatrix", Shape.M8N8, (), None, "m8n8.trans.b16")
    return tuple(rows)
