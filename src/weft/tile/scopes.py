"""Who does something together: `warp.copy(...)`, `cta.copy_async(...)`, `cta.sync()`; and where a thread stands."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from weft.dialects.gpu.ids import BlockIdOp, GridDimOp, ThreadIdOp
from weft.dialects.gpu.types import Dimension, DimensionAttr
from weft.dialects.tile.compute import GemmOp
from weft.dialects.tile.copy import AsyncCommitOp, AsyncWaitOp, CopyAsyncOp, CopyOp, SyncOp
from weft.tile.buffers import Buffer
from weft.tile.dtypes import i32
from weft.tile.regions import Region
from weft.tile.scalars import Scalar
from weft.tile.tensors import Tensor
from weft.tile.trace import current, error

Operand = "Buffer | Region | Tensor"


class Scope:
    """A group of threads that act together: ``thread``, ``warp``, ``warpgroup`` (4 warps) or ``cta`` (the block).

    All threads of the group must come to what they do together.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def copy(
        self, dst: Any, src: Any, *, dispatch: str | None = None, cache: str | None = None, inbounds: bool = False
    ) -> None:
        """Copy a region to a region of the same extents; element i goes to element i, whatever the layouts.

        `dispatch` names the only variant to try; `cache="nc"` reads global memory through the read-only path;
        `inbounds=True` promises that regions of tensors lie inside them.

        Raises:
            CompileError: the extents differ, or (when the kernel is compiled) no variant takes the copy, with the
            reasons.
        """
        self._copy(CopyOp, dst, src, dispatch, cache, inbounds)

    def copy_async(self, dst: Any, src: Any, *, dispatch: str | None = None, inbounds: bool = False) -> None:
        """Start to copy from global to shared memory (`cp.async`): done when `wait` has waited for its group."""
        self._copy(CopyAsyncOp, dst, src, dispatch, None, inbounds)

    def _copy(self, made: Any, dst: Any, src: Any, dispatch: str | None, cache: str | None, inbounds: bool) -> None:
        trace = current()
        target, to_bounds, to_shape = _resolve(dst)
        source, from_bounds, from_shape = _resolve(src)
        if [x for x in to_shape if x != 1] != [x for x in from_shape if x != 1]:
            raise error(f"copy operands must cover identical regions, found {to_shape} and {from_shape}")
        bounds = [] if inbounds else (to_bounds or from_bounds)
        op = made.of(
            target,
            source,
            self.name,
            variant=dispatch,
            cache=cache,
            bounds=[x.value for x in bounds],
            bound_divisors=[x.divisor for x in bounds] if bounds else None,
        )
        trace.add(op)

    def gemm(self, d: Buffer, a: Buffer, b: Buffer) -> None:
        """d += a @ b by `mma.sync`: tiles in the registers of a warp, laid out as its fragments.

        Raises:
            CompileError: the extents do not meet; when the kernel is compiled, the layouts are no fragments, or the
                target has no such product.
        """
        if self.name != "warp":
            raise error(f"a matrix product is a warp's: there is none of a {self.name}", "warp.gemm(d, a, b)")
        for tile in (d, a, b):
            if not isinstance(tile, Buffer) or tile.space != "local":  # pyright: ignore[reportUnnecessaryIsInstance]
                raise error(f"{tile!r} is not in registers", "copy it into a tile with a fragment's layout first")
        matrices = all(len(tile.shape) == 2 for tile in (d, a, b))
        if not matrices or (*d.shape, a.shape[1]) != (a.shape[0], b.shape[1], b.shape[0]):
            raise error(f"extents do not meet: {a.shape} times {b.shape} for {d.shape}")
        unsigned_a, unsigned_b = (x.dtype.kind == "uint" for x in (a, b))
        current().add(GemmOp.of(d.value, a.value, b.value, unsigned_a=unsigned_a, unsigned_b=unsigned_b))

    def sync(self) -> None:
        """Wait for each other, and see each other's writes to memory."""
        if self.name == "thread":
            raise error("a thread does not wait for itself")
        current().add(SyncOp.of(self.name))


thread = Scope("thread")
warp = Scope("warp")
warpgroup = Scope("warpgroup")
cta = Scope("cta")


def copy(dst: Any, src: Any, **options: Any) -> None:
    """`thread.copy`: each thread copies on its own."""
    thread.copy(dst, src, **options)


def sync() -> None:
    """`cta.sync`: the block's barrier."""
    cta.sync()


def commit() -> None:
    """Make a group of the asynchronous copies that the thread has started (`cp.async.commit_group`)."""
    current().add(AsyncCommitOp.create())


def wait(groups: int = 0) -> None:
    """Wait until at most `groups` groups of the thread's asynchronous copies are under way (`cp.async.wait_group`)."""
    current().add(AsyncWaitOp.of(groups))


def _resolve(given: Any) -> tuple[SSAValue, list[Scalar], tuple[int, ...]]:
    """The buffer that a copy's operand is, the bounds of its dimensions, and its extents."""
    if isinstance(given, Buffer):
        return given.value, [], given.shape
    if isinstance(given, Tensor):
        if any(isinstance(extent, Scalar) for extent in given.shape):
            raise error(
                "the extents of the whole tensor are not constants", "copy a region of it: A[i:i + 64, k:k + 32]"
            )
        given = given[tuple(slice(None) for _ in given.shape)]
    if not isinstance(given, Region):
        raise error(f"{given!r} cannot be copied", "operands are tiles, and regions of tiles and of tensors")
    buffer = given.buffer
    if isinstance(buffer, Tensor):
        value, bounds = buffer.view(given.starts, given.sizes, given.kept)
        return value, bounds, given.sizes
    return buffer.view(given.starts, given.sizes), [], given.sizes


# -- where a thread stands ----------------------------------------------------------------------------------------


def _index(made: type[Operation], axis: int) -> Scalar:
    if axis not in (0, 1, 2):
        raise error(f"a grid has no axis {axis}", "0, 1 or 2 for x, y or z")
    trace = current()

    def build() -> SSAValue:
        dimension = {"dimension": DimensionAttr(Dimension("xyz"[axis]))}
        wide = trace.value(made.create(properties=dimension, result_types=[IndexType()]))
        return trace.value(IndexCastOp.create(operands=[wide], result_types=[i32.mlir]))

    return Scalar(trace.always((made, axis), build), i32, nonnegative=True)


def thread_id() -> Scalar:
    """The thread's number in its block, from 0."""
    return _index(ThreadIdOp, 0)


def lane_id() -> Scalar:
    """The thread's number in its warp, 0 to 31."""
    return thread_id() % 32


def warp_id() -> Scalar:
    """The warp's number in its block, from 0."""
    return thread_id() // 32


def block_id(axis: int = 0) -> Scalar:
    """The block's number in the grid along x (0), y (1) or z (2)."""
    return _index(BlockIdOp, axis)


def grid_size(axis: int = 0) -> Scalar:
    """The number of blocks of the grid along x (0), y (1) or z (2)."""
    return _index(GridDimOp, axis)
