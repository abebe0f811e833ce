"""`nvgpu.rcp` to one `rcp.approx.ftz.f32` for each element."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import f32
from xdsl.ir import Operation

from weft.dialects import narrow
from weft.dialects.llvm.extra import ExtractElementOp
from weft.dialects.nvgpu.matrix import RcpOp
from weft.dialects.nvgpu.types import RcpRoundingMode
from weft.dialects.nvvm.arith import RcpApproxFtzF32Op
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering


def lower_rcp(lowering: Lowering, op: Operation) -> None:
    """Element by element; only `approx, ftz` on one-dimensional vectors, the one form that has an instruction."""
    assert isinstance(op, RcpOp)
    vector = narrow.vector(op.in_.type)
    if op.rounding.data != RcpRoundingMode.APPROX or op.ftz is None:
        raise compile_error(op, "has a limitation. only supports approx and ftz")
    if vector is None or vector.get_num_dims() != 1:
        raise compile_error(op, f"expected a vector of one dimension, got {op.in_.type}")
    result = lowering.poison(vector)
    for index in range(vector.get_shape()[0]):
        place = lowering.constant(index)
        element = lowering.value(ExtractElementOp, [op.in_, place], f32)
        reciprocal = lowering.value(RcpApproxFtzF32Op, [element], f32)
        result = lowering.value(llvm.InsertElementOp, [result, reciprocal, place], vector)
    op.out.replace_all_uses_with(result)


LOWERINGS: dict[str, Lower] = {"nvgpu.rcp": lower_rcp}
