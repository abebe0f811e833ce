"""`nvgpu.rcp` to one `rcp.approx.ftz.f32` for each element."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType, f32
from xdsl.ir import Operation, SSAValue

from weft.dialects import narrow
from weft.dialects.narrow import Vector
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.fragments import Fragment
from weft.transforms.nvgpu_to_nvvm.layout import array_type
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu


def lower_rcp(lowering: Lowering, op: nvgpu.RcpOp) -> None:
    """Element by element; only `approx, ftz`, the one form that has an instruction."""
    vector = narrow.vector(op.in_.type)
    if op.rounding.data.value != "approx" or op.ftz is None:
        raise compile_error(op, "has a limitation. only supports approx and ftz")
    assert vector is not None
    *outer, length = vector.get_shape()
    if not outer:
        op.out.replace_all_uses_with(_row(lowering, op.in_, vector))
        return
    row_type = VectorType(f32, [length])
    array = lowering.fragment(op.in_).array() if len(outer) == 1 else lowering.cast(op.in_)
    result = lowering.poison(array_type(vector))
    for place in product(*map(range, outer)):
        row = _row(lowering, lowering.extract_value(array, row_type, *place), row_type)
        result = lowering.insert_value(result, row, *place)
    if len(outer) > 1:
        op.out.replace_all_uses_with(lowering.cast(result, vector))
        return
    last = result.owner
    assert isinstance(last, Operation)
    lowering.define(op.out, Fragment(lowering, vector, last, array=result))


def _row(lowering: Lowering, source: SSAValue, vector: Vector) -> SSAValue:
    """The reciprocals of a vector of one dimension."""
    result = lowering.poison(vector)
    for index in range(vector.get_shape()[0]):
        place = lowering.constant(index)
        element = lowering.new("llvm.extractelement", source, place, results=[f32]).results[0]
        reciprocal = lowering.new("nvvm.rcp.approx.ftz.f", element, results=[f32]).results[0]
        result = lowering.value(llvm.InsertElementOp, [result, reciprocal, place], vector)
    return result


LOWERINGS: dict[str, Lower] = {"nvgpu.rcp": lower_rcp}
