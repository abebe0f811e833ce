"""Which tiles a block does: a raster runs through the tiles of a matrix in an order that the L2 cache likes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from weft.dataclass import dataclass
from weft.tile.ids import block_id, grid_size
from weft.tile.ranges import DeviceRange
from weft.tile.roles import Role, Team
from weft.tile.scalars import Scalar, is_number, plain, where
from weft.tile.takeover import Answers
from weft.tile.trace import Trace, current, error


@dataclass(frozen=True)
class Raster(DeviceRange):
    """The tiles that a block does: `for m, n in raster(...)`."""

    rows: Any
    columns: Any
    group: int | None
    cluster: int
    snake: bool

    def value(self, counted: Scalar) -> Any:
        """The row and the column of a tile."""
        row, column = self._place(counted)
        if self.cluster > 1:
            row = row * self.cluster + block_id(0) % self.cluster
        return row, column

    def _place(self, counted: Scalar) -> tuple[Any, Any]:
        if self.group is None:
            row, column = counted % self.rows, counted // self.rows
            return (self._turned(row, column, self.rows) if self.snake else row), column
        band = self.columns * self.group
        number, inside = counted // band, counted % band
        first = number * self.group
        left = self.rows - first
        if isinstance(self.rows, int) and self.rows % self.group == 0:
            height: Any = self.group
        else:
            from weft.tile.functions import minimum

            height = minimum(left, self.group)
            height.nonnegative = True
        row, column = first + inside % height, inside // height
        return row, self._turned(column, number, self.columns) if self.snake else column

    def _turned(self, at: Any, line: Any, extent: Any) -> Any:
        """A place in a line of tiles; those of odd number are run through backwards."""
        found = where(line % 2 == 1, extent - 1 - at, at)
        found.nonnegative = True
        return found


@dataclass(frozen=True)
class TakenOver(Raster):
    """The same in a kernel whose blocks take over the tiles of blocks that have not started."""

    answers: Answers

    def role(self) -> Role:
        """The role that runs through the tiles here."""
        found = Team.of(current()).role
        if found is None or found in self.answers.readers:
            raise error(
                "the tiles of a dynamic grid must be iterated in roles, once in each",
                "put the loop in `with role(warps=1):`",
            )
        self.answers.readers.add(found)
        return found

    def tile(self, block: Scalar) -> Any:
        """The row and the column of the tile of a block."""
        return self.value(block if self.cluster == 1 else block // self.cluster)


def raster(rows: Any, columns: Any, group: int | None = 16, *, snake: bool = False) -> Raster:
    """Distribute a matrix of `rows` x `columns` tiles over the blocks of the grid (along x).

    Blocks that run at the same time get neighbouring tiles: bands of `group` rows, column by column.  A group of 1
    goes row by row, None column by column.  With `snake`, each band (or column) starts where the previous one ended.
    Blocks of a cluster get neighbouring rows.  On GPUs of 132 or 148 multiprocessors, 16 rows of 128 load least, less
    than a Hilbert curve (`benchmarks/raster_orders.py`).

    Raises:
        CompileError: the extents are not numbers, or the group is not a constant.
    """
    trace = current()
    if not is_number(rows) or not is_number(columns):
        raise error("a raster needs the numbers of rows and columns", "write raster(cdiv(M, 128), cdiv(N, 256))")
    if group is not None and (not isinstance(group, int) or group < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"invalid number of rows {group!r}", "use a positive Python integer, or None for all")
    x, *others = (*trace.extra.get("cluster", ()), 1)
    if any(extent != 1 for extent in others):
        raise error("a raster supports clusters along x only", "cluster=(2, 1)")
    rows, columns, group = plain(rows), plain(columns), group and max(group // x, 1)
    tall = rows if x == 1 else (rows + (x - 1)) // x
    total = tall * columns
    trace.extra["tiles"] = total * x
    if trace.extra["dynamic"]:
        if trace.block is not trace.entry:
            raise error(
                "the raster of a dynamic grid must be created in the kernel body",
                "write work = raster(...) before the roles",
            )
        return TakenOver(0, total, 1, tall, columns, group, x, snake, Answers())
    first, step = block_id(0), grid_size(0)
    if x > 1:
        first, step = first // x, step // x
    return Raster(first, total, step, tall, columns, group, x, snake)


def tiles_of(trace: Trace, names: Mapping[SSAValue, str]) -> Callable[[Mapping[str, int]], int] | None:
    """How many tiles the kernel's raster has, as a function of its sizes; None where that cannot be told."""
    total: Any = trace.extra.get("tiles")
    if total is None or isinstance(total, int):
        return None if total is None else lambda _: int(total)
    return _formula(total.value, names)


_OPERATIONS: dict[type, Callable[[int, int], int]] = {
    arith.AddiOp: int.__add__,
    arith.SubiOp: int.__sub__,
    arith.MuliOp: int.__mul__,
    arith.DivUIOp: int.__floordiv__,
    arith.FloorDivSIOp: int.__floordiv__,
}


def _formula(value: SSAValue, names: Mapping[SSAValue, str]) -> Callable[[Mapping[str, int]], int] | None:
    """A number made of sizes as a function of them; None where it is made of something else."""
    name = names.get(value)
    if name is not None:
        return lambda sizes: sizes[name]
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        known = owner.value.value.data
        return lambda _: known
    operation = _OPERATIONS.get(type(owner))
    if operation is None:
        return None
    parts = [_formula(operand, names) for operand in owner.operands]  # type: ignore[union-attr]
    left, right = parts
    if left is None or right is None:
        return None
    return lambda sizes: operation(left(sizes), right(sizes))
