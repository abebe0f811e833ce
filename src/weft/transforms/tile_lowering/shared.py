"""The shared memory of a function: where its tiles lie in it, and its declaration."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntAttr, IntegerAttr, StringAttr, i8, i32, i64
from xdsl.ir import Operation, Region

from weft.dialects.tile.memory import AllocOp, buffer_type
from weft.dialects.tile.types import SHARED

STATIC_LIMIT = 48 * 1024
"""Bytes of shared memory that a kernel may declare; more is dynamic, and its size given at the launch."""


class SharedMemory(NamedTuple):
    """The tiles of a function in shared memory: the offset of each allocation, bytes in all, and their alignment."""

    offsets: dict[AllocOp, int]
    size: int
    alignment: int

    @property
    def dynamic(self) -> bool:
        """Whether it is more than a kernel may declare."""
        return self.size > STATIC_LIMIT


def shared_memory(function: Operation) -> SharedMemory:
    """Where the tiles of a function lie in shared memory, in order of their allocation."""
    offsets: dict[AllocOp, int] = {}
    size, widest = 0, 1
    for op in function.walk():
        if isinstance(op, AllocOp) and buffer_type(op.buffer).space.data == SHARED:
            alignment = op.byte_alignment
            offsets[op] = -(-size // alignment) * alignment
            size = offsets[op] + buffer_type(op.buffer).storage_bytes
            widest = max(widest, alignment)
    return SharedMemory(offsets, size, widest)


def declare_shared(function: Operation, memory: SharedMemory, name: str) -> str:
    """Declare one variable for all of a function's tiles in shared memory, in front of it: its name, or ''.

    Above `STATIC_LIMIT` bytes it is an external one, whose size the launch gives.
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
