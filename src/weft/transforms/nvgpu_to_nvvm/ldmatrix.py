"""`nvgpu.ldmatrix` to `nvvm.ldmatrix`, `nvgpu.stmatrix` to `nvvm.stmatrix`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.narrow import Vector
from weft.dialects.nvvm.matrix_attributes import LdStMatrixShapeAttr
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.fragments import Fragment
from weft.transforms.nvgpu_to_nvvm.layout import array_type
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_SHAPE = LdStMatrixShapeAttr.of(8, 8)
_B16 = attr("nvvm.ld_st_matrix_elt_type", "b16")
_ROW = attr("nvvm.mma_layout", "row")
_COL = attr("nvvm.mma_layout", "col")


@cache
def _result_type(tiles: int) -> Attribute:
    return i32 if tiles == 1 else LLVMStructType.from_type_list([i32] * tiles)


def lower_ldmatrix(lowering: Lowering, op: nvgpu.LdmatrixOp) -> None:
    """The address of the lane's row, and a load of 8x8 tiles of 16-bit units whatever the element type is."""
    vector = narrow.vector(op.res.type)
    if vector is None or vector.get_num_dims() != 2:
        raise compile_error(op, f"expected a result of two dimensions, got {op.res.type}")
    tiles = op.num_tiles.value.data
    address = lowering.element_pointer(op.src_memref, op.indices)
    result = _result_type(tiles)
    properties = {
        "num": op.num_tiles,
        "layout": _COL if op.transpose.value.data else _ROW,
        "shape": _SHAPE,
        "eltType": _B16,
    }
    load = lowering.emit(op_class("nvvm.ldmatrix"), [address], [result], properties)
    loaded = load.results[0]
    if not lowering.shared:
        _define_array(lowering, op.res, vector, loaded)
        return
    words = [loaded] if tiles == 1 else [lowering.extract_value(loaded, i32, tile) for tile in range(tiles)]
    last = words[-1].owner
    assert isinstance(last, Operation)
    lowering.define(op.res, Fragment(lowering, vector, last, words=words))


def _define_array(lowering: Lowering, result: SSAValue, vector: Vector, loaded: SSAValue) -> None:
    """Put the words into the array of rows that the result becomes."""
    tiles, width = vector.get_shape()
    row_type = VectorType(vector.element_type, [width])
    array = lowering.poison(array_type(vector))
    for tile in range(tiles):
        word = loaded if tiles == 1 else lowering.extract_value(loaded, i32, tile)
        array = lowering.insert_value(array, lowering.bitcast(word, row_type), tile)
    owner = array.owner
    assert isinstance(owner, Operation)
    lowering.define(result, Fragment(lowering, vector, owner, array=array))


def lower_stmatrix(lowering: Lowering, op: nvgpu.StmatrixOp) -> None:
    """The address of the lane's row, and a store of 8x8 tiles of 16-bit units whatever the element type is."""
    address = lowering.element_pointer(op.dst_memref, op.indices)
    words = lowering.fragment(op.src).words()
    properties = {"layout": _COL if op.transpose is not None else _ROW, "shape": _SHAPE, "eltType": _B16}
    lowering.emit(op_class("nvvm.stmatrix"), [address, *words], (), properties)


LOWERINGS: dict[str, Lower] = {"nvgpu.ldmatrix": lower_ldmatrix, "nvgpu.stmatrix": lower_stmatrix}
