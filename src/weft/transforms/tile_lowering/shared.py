"""The shared memory of a function: where its tiles lie in it, and its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntAttr, IntegerAttr, StringAttr, SymbolRefAttr, i8, i32, i64
from xdsl.ir import Operation, Region, SSAValue

from weft.dialects.nvvm.pointers import SHARED as SHARED_POINTER
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type, byte_alignment
from weft.dialects.tile.types import SHARED
from weft.errors import LayoutError
from weft.isa.limits import STATIC_SHARED, limits_of
from weft.mlir import compile_error
from weft.mlir.walking import operations_in
from weft.transforms.tile_lowering.places import exchanges

if TYPE_CHECKING:
    from weft.isa.target import Target
    from weft.transforms.tile_lowering.lowering import Lowering

SCRATCH_LIMIT = 8 * 1024
"""Bytes of shared memory that a reduction across warps makes do with, if it can."""
SCRATCH_ALIGNMENT = 16


class SharedMemory(NamedTuple):
    """The tiles of a function in shared memory: the offset of each, and of each reduction's scratch; bytes in all, and
    their alignment.
    """

    offsets: dict[Operation, int]
    size: int
    alignment: int

    @property
    def dynamic(self) -> bool:
        """Whether it is more than a kernel may declare."""
        return self.size > STATIC_SHARED


def shared_memory(function: Operation) -> SharedMemory:
    """Where the tiles of a function lie in shared memory, those of the strictest alignment first, so that little is
    lost between them, others in order of their allocation; then the scratch that its reductions across warps use one
    after the other.
    """
    offsets: dict[Operation, int] = {}
    size, scratch = 0, 0
    tiles: list[tile.AllocOp] = []
    reductions: list[tile.ReduceOp] = []
    for op in operations_in(function.regions):
        if isinstance(op, tile.AllocOp) and buffer_type(op.buffer).space.data == SHARED:
            tiles.append(op)
        elif isinstance(op, tile.ReduceOp) and _leaves_warps(op):
            reductions.append(op)
            scratch = max(scratch, _scratch_bytes(op, block_size(function)))
    widest = max((byte_alignment(op) for op in tiles), default=1)
    for op in sorted(tiles, key=lambda op: -byte_alignment(op)):
        offsets[op] = -(-size // byte_alignment(op)) * byte_alignment(op)
        size = offsets[op] + buffer_type(op.buffer).storage_bytes
    if reductions:
        start = -(-size // SCRATCH_ALIGNMENT) * SCRATCH_ALIGNMENT
        offsets.update(dict.fromkeys(reductions, start))
        size, widest = start + scratch, max(widest, SCRATCH_ALIGNMENT)
    return SharedMemory(offsets, size, widest)


def check_size(memory: SharedMemory, target: Target) -> None:
    """Refuse more shared memory than a block can have.

    Raises:
        CompileError: at the allocation that reaches beyond it.
    """
    limit = limits_of(target, target.least).shared
    for op, offset in memory.offsets.items():
        held = memory.size - offset if isinstance(op, tile.ReduceOp) else buffer_type(op.results[0]).storage_bytes
        if offset + held > limit:
            raise compile_error(
                op,
                f"a block has {limit // 1024} KB of shared memory on {target}: "
                f"this tile would end at byte {offset + held}",
                "use smaller tiles or fewer stages, or reuse storage with `recast`",
            )


def block_size(function: Operation) -> int:
    """Threads of a block of a function."""
    return function.properties["known_block_size"].get_values()[0]  # type: ignore[attr-defined]


def _leaves_warps(op: tile.ReduceOp) -> bool:
    type = buffer_type(op.src)
    try:
        return bool(exchanges(type.layout, type.shape, op.dimension.value.data).warps)  # type: ignore[arg-type]
    except LayoutError:
        return False  # which lowering the operation reports


def places_at_once(op: tile.ReduceOp, threads: int) -> int:
    """How many places of its result a reduction across warps brings to shared memory at once."""
    type = buffer_type(op.dst)
    return max(1, min(type.span, SCRATCH_LIMIT * 8 // (threads * type.element_bits)))


def _scratch_bytes(op: tile.ReduceOp, threads: int) -> int:
    return places_at_once(op, threads) * threads * buffer_type(op.dst).element_bits // 8


def shared_pointer(env: Lowering, offset: int) -> SSAValue:
    """The pointer to a byte of the function's shared memory."""
    address = llvm.AddressOfOp.create(
        properties={"global_name": SymbolRefAttr(env.shared_symbol)}, result_types=[SHARED_POINTER]
    )
    base = env.once("shared", lambda: env.emit(address))
    return env.byte_advanced(base, offset) if offset else base


def declare_shared(function: Operation, memory: SharedMemory, name: str) -> str:
    """Declare one variable for all of a function's tiles in shared memory, before it: its name, or ''.

    Above `STATIC_SHARED` bytes it is an external one, whose size the launch gives.
    """
    if not memory.size:
        return ""
    symbol = f"{name}_shared"
    variable = llvm.GlobalOp.create(
        properties={
            "global_type": llvm.LLVMArrayType(IntAttr(0 if memory.dynamic else memory.size), i8),
            "sym_name": StringAttr(symbol),
            "linkage": llvm.LinkageAttr("external" if memory.dynamic else "internal"),
            "addr_space": IntegerAttr(3, i32),
            "alignment": IntegerAttr(memory.alignment, i64),
        },
        regions=[Region()],
    )
    variable.location = function.location
    block = function.parent
    assert block is not None
    block.insert_ops_before([variable], function)
    return symbol
