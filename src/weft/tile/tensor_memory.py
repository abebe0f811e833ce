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
from typing import Any

from xdsl.dialects import llvm

from weft.dialects.nvvm.pointers import TENSOR as TENSOR_POINTER
from weft.dialects.nvvm.tcgen05 import (
    Tcgen05AllocOp,
    Tcgen05CommitOp,
    Tcgen05DeallocOp,
    Tcgen05FenceOp,
    Tcgen05RelinquishAllocPermitOp,
)
from weft.dialects.nvvm.tcgen05_attributes import (
    CTAGroupKind,
    CTAGroupKindAttr,
    Tcgen05FenceKind,
    Tcgen05FenceKindAttr,
)
from weft.dialects.tile.memory import ViewOp
from weft.dialects.tile.types import TENSOR, BufferType
from weft.errors import LayoutError
from weft.layout.tensor_memory import COLUMNS, LEAST_COLUMNS, tensor_fragment, tensor_memory_layout
from weft.layout.tile import TileLayout
from weft.tile.buffers import Buffer, shared
from weft.tile.dtypes import dtype, i32
from weft.tile.ids import warp_id
from weft.tile.machine import constant, only_if
from weft.tile.scopes import cta
from weft.tile.trace import current, error, shape_of

_ONE_BLOCK = {"group": CTAGroupKindAttr(CTAGroupKind.CTA_1)}


def tensor_layout(shape: tuple[int, int]) -> TileLayout:
    """How a warpgroup reads a matrix of tensor memory: 128 rows, one to each thread.

    Raises:
        LayoutError: it does not have 128 rows.
    """
    return tensor_fragment(shape)


def tensor_memory(shape: int | Sequence[int], kind: object) -> Buffer:
    """Matrices of 128 rows in tensor memory, of elements of 32 bits; leading dimensions are stages.

    All warps of the block come to it.  Columns are taken in powers of two from 32 on; a block has 512.

    Raises:
        CompileError: it stands in a role or a loop; other rows or elements, more columns than there are.
    """
    trace = current()
    extents, element = shape_of(shape), dtype(kind)
    if trace.block is not trace.entry:
        raise error("tensor memory is allocated in the kernel itself, before its roles")
    if element.bits != 32:
        raise error(f"tensor memory has elements of 32 bits: not {element}", "f32 or i32")
    try:
        layout = tensor_memory_layout(extents)
    except LayoutError as failure:
        raise error(failure.message) from None
    size = 1
    for extent in (*extents[:-2], extents[-1]):
        size *= extent
    taken = max(LEAST_COLUMNS, 1 << (size - 1).bit_length())
    before = trace.extra["tensor columns"] = trace.extra.get("tensor columns", 0) + taken
    if before > COLUMNS:
        raise error(f"{before} columns of tensor memory: a block has {COLUMNS}")
    pointer = _allocated(taken)
    type = BufferType.of(extents, element.mlir, TENSOR, layout)
    return Buffer(trace.value(ViewOp.of(pointer, type)), element)


def _allocated(columns: int) -> Any:
    """Columns for the block, from here to the end of the kernel."""
    trace = current()
    place = shared(1, i32)
    with only_if(warp_id() == 0):
        pointer = place.element_pointer((0,))
        trace.add(Tcgen05AllocOp.create(operands=[pointer, constant(columns)], properties=_ONE_BLOCK))
    fence(after=False)
    cta.sync()
    fence(after=True)
    base = trace.value(llvm.IntToPtrOp.create(operands=[place[0].value], result_types=[TENSOR_POINTER]))

    def release() -> None:
        fence(after=False)
        cta.sync()
        fence(after=True)
        with only_if(warp_id() == 0):
            trace.add(Tcgen05RelinquishAllocPermitOp.create(properties=_ONE_BLOCK))
            trace.add(Tcgen05DeallocOp.create(operands=[base, constant(columns)], properties=_ONE_BLOCK))

    trace.ending.append(release)
    return base


def fence(*, after: bool) -> None:
    """Order tensor memory with a synchronisation of threads that follows, or (`after`) that came before."""
    kind = Tcgen05FenceKindAttr(Tcgen05FenceKind.AFTER if after else Tcgen05FenceKind.BEFORE)
    current().add(Tcgen05FenceOp.create(properties={"kind": kind}))


def commit(barrier: Any, mask: Any = None) -> None:
    """Let a barrier be told when the thread's products so far are done; in all blocks of a mask, where there is one."""
    operands = [barrier] if mask is None else [barrier, mask]
    current().add(Tcgen05CommitOp.create(operands=operands, properties=_ONE_BLOCK))
