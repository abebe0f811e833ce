"""What `gpu.func` and `gpu.launch` say of the arguments of their bodies.

Those of a function are its own arguments, then the workgroup attributions, buffers in shared memory, then the private
ones, buffers of one thread. Those of a launch are the block's and the thread's position, the sizes of the grid and of a
block, with clusters also the cluster's position and its size, then such buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.attributes import word_of

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

WORKGROUP = "workgroup_attributions"
"""The attribute that counts the buffers in shared memory; upstream has it in the dictionary."""


def is_kernel(op: gpu.FuncOp) -> bool:
    """Whether a function is an entry point."""
    return "gpu.kernel" in op.attributes


def workgroup_count(op: gpu.FuncOp | gpu.LaunchOp) -> int:
    """How many of the body's arguments are buffers in shared memory."""
    found = op.attributes.get(WORKGROUP)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def arguments(op: gpu.FuncOp) -> Sequence[BlockArgument]:
    """The arguments of the body that are the function's own."""
    return op.body.blocks[0].args[: len(op.function_type.inputs.data)]


def check_attributions(where: str, buffers: Sequence[BlockArgument]) -> None:
    """Buffers of a body are memrefs, in the memory space that they stand for if they say one.

    Raises:
        VerifyException: one is not.
    """
    for buffer in buffers:
        kind = narrow.memref(buffer.type)
        if kind is None:
            raise VerifyException("expected memref type in attribution")
        if word_of(kind.memory_space, "gpu.address_space") not in (None, where):
            raise VerifyException(f"expected memory space {where} in attribution")


def workgroup_buffers(op: gpu.FuncOp) -> Sequence[BlockArgument]:
    """The arguments of a function's body that are buffers in shared memory."""
    first = len(op.function_type.inputs.data)
    return op.body.blocks[0].args[first : first + workgroup_count(op)]


def private_buffers(op: gpu.FuncOp) -> Sequence[BlockArgument]:
    """The arguments of a function's body that are buffers of one thread."""
    return op.body.blocks[0].args[len(op.function_type.inputs.data) + workgroup_count(op) :]


def positions(op: gpu.LaunchOp) -> int:
    """How many of the body's arguments are positions and sizes."""
    return 12 if op.cluster_size_x is None else 18
