"""Tensor memory (sm_100a): products into it, and copies from it to registers.

A buffer in space `tensor` lies in 128 lanes of columns of 32 bits: axes `TLane` and `TCol` of its layout.
"""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.asynchronous import AsyncProduct, matrix_shape
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import LOCAL, SHARED, TENSOR, BufferType


def _in(value: SSAValue, name: str, space: str) -> None:
    if buffer_type(value).space.data != space:
        raise VerifyException(f"expected '{name}' in space {space}")


@irdl_op_definition
class GemmTensorOp(AsyncProduct):
    """`tile.gemm_tensor %d, %a, %b (add %condition)?`: start d += a * b by `tcgen05.mma`.

    One thread comes.  `d` (M x N) is in tensor memory, `a` (M x K) and `b` (K x N) in shared memory; d = a * b where
    `add` does not hold, or with `fresh`.
    """

    name = "tile.gemm_tensor"

    def verify_(self) -> None:
        """Matrices whose extents meet, in the memories that they must be in."""
        _in(self.d, "d", TENSOR)
        _in(self.a, "a", SHARED)
        _in(self.b, "b", SHARED)
        self.verify_extents()


@irdl_op_definition
class TensorReadOp(IRDLOperation):
    """`tile.tensor_read %dst, %src`: tensor memory to the registers of a warpgroup (`tcgen05.ld`), and wait for it."""

    name = "tile.tensor_read"

    dst = operand_def(BufferType)
    src = operand_def(BufferType)

    assembly_format = "$dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    def verify_(self) -> None:
        """From tensor memory to registers, of one shape."""
        _in(self.dst, "dst", LOCAL)
        _in(self.src, "src", TENSOR)
        if matrix_shape(buffer_type(self.dst)) != matrix_shape(buffer_type(self.src)):
            raise VerifyException("expected tiles of one shape")
