"""Tensor maps: encoded by the host, through MLIR's runtime wrapper, or edited on the device, by `tensormap.replace`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr_class
from weft.dialects.engine.operations import op_class
from weft.dialects.nvgpu.types import TensorMapDescriptorType
from weft.dialects.nvvm.pointers import GENERIC, GLOBAL
from weft.isa import opcode
from weft.mlir.positions import compile_error
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

ENCODE = "mgpuTensorMapEncodeTiledMemref"
"""The wrapper: (rank, unranked descriptor, type, interleave, swizzle, L2 promotion, fill, box) -> tensor map."""

_RANKS = 5
_FLOATS: dict[type[Attribute], int] = {
    Float16Type: 6,
    Float32Type: 7,
    Float64Type: 8,
    BFloat16Type: 9,
    FloatTF32Type: 11,
}
_INTEGERS = {8: (0, 0), 16: (1, 1), 32: (3, 2), 64: (5, 4)}
"""By width: `CUtensorMapDataType` of signed or signless integers, and of unsigned ones; bytes and halves have one."""


def data_type(element: Attribute) -> int | None:
    """CUDA's number of an element type (`CUtensorMapDataType`); floats of a byte are bytes to it; None for others."""
    if isinstance(element, IntegerType):
        numbers = _INTEGERS.get(element.bitwidth)
        if numbers is None:
            return None
        return numbers[element == IntegerType(element.bitwidth, Signedness.UNSIGNED)]
    if element.name.startswith("f8"):
        return 0
    return _FLOATS.get(type(element))


def _number(lowering: Lowering, value: int) -> SSAValue:
    return lowering.constant(value, i64, i32)


def lower_create(lowering: Lowering, op: nvgpu.TmaCreateDescriptorOp) -> None:
    """The box goes to an array on the stack; the wrapper takes it with the tensor's own descriptor."""
    tensor, descriptor = narrow.any_memref(op.tensor.type), op.tensor_map.type
    assert tensor is not None
    assert isinstance(descriptor, TensorMapDescriptorType)
    number = data_type(tensor.element_type)
    if number is None:
        raise compile_error(op, f"a tensor map cannot have elements of type {tensor.element_type}")
    kind = _number(lowering, number)
    struct = lowering.cast(op.tensor)
    operands = [lowering.extract_value(struct, i64, 0), lowering.extract_value(struct, GENERIC, 1), kind]
    box = lowering.value(llvm.AllocaOp, [_number(lowering, _RANKS)], GENERIC, {"elem_type": i64})
    for index, extent in enumerate(op.box_dimensions):
        place = lowering.gep(box, _number(lowering, index), GENERIC)
        lowering.new("llvm.store", lowering.cast(extent), place)
    for key in ("interleave", "swizzle", "l2promo", "oob"):
        words = [str(word.value) for word in attr_class(f"nvgpu.{key}").enum_type]
        operands.append(_number(lowering, words.index(descriptor.word(key))))
    operands.append(box)
    _declare(lowering, [operand.type for operand in operands])
    properties = {
        "callee": SymbolRefAttr(ENCODE),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(operands), 0]),
    }
    lowering.substitute(op.tensor_map, lowering.value(op_class("llvm.call"), operands, GENERIC, properties))


def _declare(lowering: Lowering, inputs: list[Attribute]) -> None:
    """Declare the wrapper at the end of the module, once."""
    body = lowering.module.body.block
    if any(isinstance(op, llvm.FuncOp) and op.sym_name.data == ENCODE for op in body.ops):
        return
    kind = llvm.LLVMFunctionType(inputs, GENERIC)
    properties = {"sym_name": StringAttr(ENCODE), "function_type": kind}
    body.add_op(op_class("llvm.func").create(properties=properties, regions=[Region()]))


_PUBLISH = opcode("tensormap.cp_fenceproxy", dst="global", src="shared::cta", scope="gpu")


def lower_publish(lowering: Lowering, op: nvgpu.TensormapCreateDescriptorOp) -> None:
    """`tensormap.cp_fenceproxy`: the tensor map goes to global memory, for those who acquire it there."""
    target = lowering.new("llvm.addrspacecast", lowering.cast(op.dst), results=[GLOBAL]).results[0]
    lowering.inline_ptx(f"{_PUBLISH} [$0], [$1], 128;", [target, lowering.base_pointer(op.src)])


def lower_update(lowering: Lowering, op: Operation) -> None:
    """`tensormap.replace` of one field."""
    field = op.name.rpartition(".")[2]
    buffer, value = op.operands
    width = "b64" if value.type == i64 else "b32"
    code = opcode("tensormap.replace", mode="tile", field=field, ss="shared::cta", type=width)
    order = op.properties.get("ord")
    place = f"{order.value.data}, " if isinstance(order, IntegerAttr) else ""
    lowering.inline_ptx(f"{code} [$0], {place}$1;", [lowering.base_pointer(buffer), value])


LOWERINGS: dict[str, Lower] = {
    "nvgpu.tma.create.descriptor": lower_create,
    "nvgpu.tensormap.create.descriptor": lower_publish,
    "nvgpu.tensormap.update.global_address": lower_update,
    "nvgpu.tensormap.update.box_dim": lower_update,
    "nvgpu.tensormap.update.element_stride": lower_update,
}
