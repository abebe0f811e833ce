"""Tensor memory (sm_100a): where `tcgen05` products leave their sums.

sums = tensor_memory((2, 128, 256), f32)      # two stages of 128 x 256 sums
done = pipeline(2, d=sums)
with role(warps=1):                           # the role that multiplies
    with done.fill() as t:
        cta.gemm_async(t.d, s.a, s.b.transpose(), add=k > 0)
with role(warpgroups=1):                      # the role that reads the sums
    with done.take() as t:
        part = register((128, 32), f32, tensor_layout((128, 32)))
        warpgroup.copy(part, t.d[:, ds(j, 32)])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from xdsl.dialects import llvm
from xdsl.ir import SSAValue

from weft.dialects.engine.making import new
from weft.dialects.nvvm.pointers import TENSOR as TENSOR_POINTER
from weft.dialects.tile.memory import view
from weft.dialects.tile.types import TENSOR, BufferType
from weft.errors import LayoutError
from weft.layout.tensor_memory import COLUMNS, LEAST_COLUMNS, tensor_fragment, tensor_memory_layout
from weft.layout.tile import TileLayout
from weft.tile.buffers import Buffer, shared
from weft.tile.dtypes import dtype, i32
from weft.tile.ids import warp_id
from weft.tile.machine import constant, only_if
from weft.tile.roles import check_pairs
from weft.tile.scopes import cluster, cta
from weft.tile.trace import Trace, current, error, shape_of

_BLOCKS = ("cta_1", "cta_2")


def tensor_layout(shape: tuple[int, int]) -> TileLayout:
    """The layout in which a warpgroup reads a matrix of tensor memory: 128 rows, one per thread.

    Raises:
        LayoutError: the matrix does not have 128 rows.
    """
    return tensor_fragment(shape)


def tensor_memory(shape: int | Sequence[int], kind: object, *, pair: bool = False) -> Buffer:
    """Matrices of 128 rows in tensor memory, with elements of 32 or 16 bits; leading dimensions are stages.

    All warps of the block must reach it.  Columns are allocated in powers of two from 32 on; a block has 512.  With
    `pair`, `pair.gemm_async` multiplies into it: both blocks of the pair must reach it, and each has 128 rows of its
    own.

    Raises:
        CompileError: it is in a role or a loop, has other rows or elements, or needs more columns than there are; or
            it is of a pair in a kernel without pairs, or together with tensor memory of single blocks.
    """
    trace = current()
    extents, element = shape_of(shape), dtype(kind)
    if trace.block is not trace.entry:
        raise error("tensor memory must be allocated in the kernel body, before the roles")
    if element.bits not in (16, 32) or extents[-1] * element.bits % 32:
        raise error(
            f"{extents[-1]} elements of {element} do not fill whole 32-bit columns of tensor memory",
            "f32, i32, f16 or bf16",
        )
    try:
        layout = tensor_memory_layout(extents, element.bits)
    except LayoutError as failure:
        raise error(failure.message) from None
    if pair:
        check_pairs()
    columns = Columns.of(trace, pair=pair)
    if columns.pair != pair:
        raise error(
            "all tensor memory of a kernel must belong either to pairs or to single blocks",
            "use pair=True for all of it",
        )
    pointer = columns.take(prod((*extents[:-2], extents[-1])) * element.bits // 32)
    type = BufferType.of(extents, element.mlir, TENSOR, layout)
    return Buffer(trace.value(view(pointer, type)), element)


class Columns:
    """The columns of tensor memory that a block has, from here to the end of the kernel."""

    def __init__(self, trace: Trace, *, pair: bool) -> None:
        self.pair = trace.extra["tensor memory of pairs"] = pair
        place = shared(1, i32)
        with only_if(warp_id() == 0):
            pointer = place.element_pointer((0,))
            made = new("nvvm.tcgen05.alloc", pointer, constant(0), group=_BLOCKS[pair])
            self._allocation = trace.add(made)
        fence(after=False)
        cta.sync()
        fence(after=True)
        self._base = place[0]
        self._taken = 0
        trace.ending.append(self._release)

    @staticmethod
    def of(trace: Trace, *, pair: bool = False) -> Columns:
        """Those of the kernel that is traced, which begin where they are asked for first."""
        found = trace.extra.get(Columns)
        if found is None:
            found = trace.extra[Columns] = Columns(trace, pair=pair)
        return found

    def take(self, count: int, turn: Any = None, turns: int = 1) -> SSAValue:
        """The place of further columns; of those of one of several `turns`, where there are such.

        Raises:
            CompileError: there are not so many.
        """
        first = self._taken
        self._taken += count * turns
        if self._taken > COLUMNS:
            raise error(f"{self._taken} columns of tensor memory exceed the {COLUMNS} of a block")
        place = self._base + first if turn is None else self._base + (turn * count + first)
        return current().value(llvm.IntToPtrOp.create(operands=[place.value], result_types=[TENSOR_POINTER]))

    @property
    def allocated(self) -> int:
        """Columns, which are allocated in powers of two."""
        return max(LEAST_COLUMNS, 1 << (self._taken - 1).bit_length())

    def _release(self) -> None:
        trace, count = current(), constant(self.allocated)
        self._allocation.operands[1] = count
        fence(after=False)
        (cluster if trace.extra.get("cluster") else cta).sync()
        fence(after=True)
        with only_if(warp_id() == 0):
            base = trace.value(llvm.IntToPtrOp.create(operands=[self._base.value], result_types=[TENSOR_POINTER]))
            trace.add(new("nvvm.tcgen05.relinquish_alloc_permit", group=_BLOCKS[self.pair]))
            trace.add(new("nvvm.tcgen05.dealloc", base, count, group=_BLOCKS[self.pair]))


def fence(*, after: bool) -> None:
    """Order tensor memory with a synchronisation of threads that follows, or (`after`) that came before."""
    current().add(new("nvvm.tcgen05.fence", kind="after" if after else "before"))


def commit(barrier: Any, mask: Any = None) -> None:
    """Let a barrier be told when the thread's products so far are done; in all blocks of a mask, where there is one."""
    pair = Columns.of(current()).pair
    current().add(new("nvvm.tcgen05.commit", barrier, mask, group=_BLOCKS[pair]))
