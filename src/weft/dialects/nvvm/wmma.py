"""`wmma`: matrices of a warp in fragments whose layout is the hardware's own."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import I32, IntegerAttr, f64, i32
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyOf,
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.nvvm.matrix_attributes import MMAFragAttr, MMALayoutAttr, MMATypeAttr
from weft.dialects.nvvm.pointers import GENERIC, GLOBAL, SHARED
from weft.dialects.nvvm.products import register_type, registers


def _verify_pointer(pointer: SSAValue, subject: str) -> None:
    if pointer.type not in (GENERIC, GLOBAL, SHARED):
        raise VerifyException(f"expected {subject} in memory space 0, 1, 3")


def _registers(stem: str, **slots: str) -> Mapping[str, int]:
    """The registers of an instruction's operands, which must exist."""
    found = registers(stem, **slots)
    if found is None:
        raise VerifyException("invalid attribute combination")
    return found


def _verify_result(result: Attribute, count: int, register: Attribute) -> None:
    if result != LLVMStructType.from_type_list([register] * count):
        raise VerifyException(f"expected destination type is a structure of {count} elements of type '{register}'")


@irdl_op_definition
class WMMALoadOp(IRDLOperation):
    """`nvvm.wmma.load %ptr, %stride {eltype, frag, layout, m, n, k} : (ptr) -> struct`: load fragment a, b or c.

    `stride` is the distance of rows (columns, for `col`) in elements.
    """

    name = "nvvm.wmma.load"

    ptr = operand_def(LLVMPointerType)
    stride = operand_def(i32)
    m = prop_def(IntegerAttr[I32])
    n = prop_def(IntegerAttr[I32])
    k = prop_def(IntegerAttr[I32])
    layout = prop_def(MMALayoutAttr)
    eltype = prop_def(MMATypeAttr)
    frag = prop_def(MMAFragAttr)
    res = result_def(AnyOf((base(LLVMStructType), EqAttrConstraint(f64))))

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$ptr `,` $stride attr-dict `:` functional-type($ptr, $res)"

    def verify_(self) -> None:
        """There is such a load, and its result is the fragment's registers; one f64 stands alone."""
        _verify_pointer(self.ptr, "source pointer")
        shape = f"m{self.m.value.data}n{self.n.value.data}k{self.k.value.data}"
        matrix, element = self.frag.data.value, self.eltype.data.value
        found = _registers("wmma.load", matrix=matrix, layout=self.layout.data.value, shape=shape, type=element)
        count = found["r"]
        if count == 1 and element == "f64":
            if self.res.type != f64:
                raise VerifyException("expected destination type to be f64")
            return
        _verify_result(self.res.type, count, register_type(element))


@irdl_op_definition
class WMMAStoreOp(IRDLOperation):
    """`nvvm.wmma.store %ptr, %stride, %args... {eltype, layout, m, n, k} : ptr, types`: store fragment d."""

    name = "nvvm.wmma.store"

    ptr = operand_def(LLVMPointerType)
    args = var_operand_def(COMPATIBLE)
    stride = operand_def(i32)
    m = prop_def(IntegerAttr[I32])
    n = prop_def(IntegerAttr[I32])
    k = prop_def(IntegerAttr[I32])
    layout = prop_def(MMALayoutAttr)
    eltype = prop_def(MMATypeAttr)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$ptr `,` $stride `,` $args attr-dict `:` type($ptr) `,` type($args)"

    def verify_(self) -> None:
        """There is such a store, and its data are the fragment's registers."""
        _verify_pointer(self.ptr, "operands to be a source pointer")
        shape = f"m{self.m.value.data}n{self.n.value.data}k{self.k.value.data}"
        element = self.eltype.data.value
        found = _registers("wmma.store", matrix="d", layout=self.layout.data.value, shape=shape, type=element)
        if len(self.args) != found["r"]:
            raise VerifyException(f"expected {found['r']} data operands")
        register = register_type(element)
        if any(operand.type != register for operand in self.args):
            raise VerifyException(f"expected data operands of type '{register}'")


@irdl_op_definition
class WMMAMmaOp(IRDLOperation):
    """`nvvm.wmma.mma %args... {eltypeA, eltypeB, layoutA, layoutB, m, n, k} : (types) -> struct`: D = A * B + C.

    The arguments are the registers of A, B and C; `eltypeA` is the element type of A and B, `eltypeB` that of C and D.
    """

    name = "nvvm.wmma.mma"

    args = var_operand_def(COMPATIBLE)
    m = prop_def(IntegerAttr[I32])
    n = prop_def(IntegerAttr[I32])
    k = prop_def(IntegerAttr[I32])
    layout_a = prop_def(MMALayoutAttr, prop_name="layoutA")
    layout_b = prop_def(MMALayoutAttr, prop_name="layoutB")
    eltype_a = prop_def(MMATypeAttr, prop_name="eltypeA")
    eltype_b = prop_def(MMATypeAttr, prop_name="eltypeB")
    res = result_def(base(LLVMStructType))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$args attr-dict `:` functional-type($args, $res)"

    def verify_(self) -> None:
        """There is such a product, and its operands are its registers."""
        element, accumulator = self.eltype_a.data.value, self.eltype_b.data.value
        layouts = {"alayout": self.layout_a.data.value, "blayout": self.layout_b.data.value}
        shape = f"m{self.m.value.data}n{self.n.value.data}k{self.k.value.data}"
        types = {"dtype": accumulator, "ctype": accumulator}
        if element != "f16":  # Which needs no saying.
            types |= {"atype": element, "btype": element}
        found = _registers("wmma.mma", **layouts, shape=shape, **types)
        multiplicands = [register_type(element)] * (found["a"] + found["b"])
        expected = multiplicands + [register_type(accumulator)] * found["c"]
        if len(self.args) != len(expected):
            raise VerifyException(f"expected {len(expected)} arguments")
        for index, (operand, register) in enumerate(zip(self.args, expected, strict=True)):
            if operand.type != register:
                raise VerifyException(f"expected argument {index} to be of type '{register}'")
        _verify_result(self.res.type, found["d"], register_type(accumulator))
