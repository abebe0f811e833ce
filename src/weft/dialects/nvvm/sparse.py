"""`mma.sp.sync`: products of a 2:4 sparse matrix A, whose metadata say where its elements are."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import attr_class
from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.nvvm.grouped import SPARSITY, GroupedProduct
from weft.dialects.nvvm.matrix_attributes import ShapeAttr
from weft.dialects.nvvm.products import verify_integer_options, verify_registers


@irdl_op_definition
class MmaSpOp(GroupedProduct):
    """`nvvm.mma.sp.sync A[..] B[..] C[..] sparseMetadata[%e] selector[%f] {shape, ...} : (A, B, C) -> struct`.

    D = A * B + C, where A holds two of each four elements.
    """

    name = "nvvm.mma.sp.sync"
    FURTHER: ClassVar = SPARSITY
    WRITTEN: ClassVar = True

    operand_a = var_operand_def(COMPATIBLE)
    operand_b = var_operand_def(COMPATIBLE)
    operand_c = var_operand_def(COMPATIBLE)
    sparse_metadata = operand_def(i32)
    sparsity_selector = operand_def(i32)
    shape = prop_def(ShapeAttr)
    int_overflow_behavior = opt_prop_def(attr_class("nvvm.mma_int_overflow"), prop_name="intOverflowBehavior")
    a_type = opt_prop_def(attr_class("nvvm.mma_type"), prop_name="multiplicandAPtxType")
    b_type = opt_prop_def(attr_class("nvvm.mma_type"), prop_name="multiplicandBPtxType")
    ordered_metadata = opt_prop_def(UnitAttr, prop_name="orderedMetadata")
    kind = opt_prop_def(attr_class("nvvm.mma_kind"))
    res = result_def(LLVMStructType)

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        """There is such a product, and its operands are its registers."""
        groups = (self.operand_a, self.operand_b, self.operand_c)
        element = None if self.a_type is None else self.a_type.data.value
        verify_registers("mma.sp", self.shape.sizes, element, groups, self.res.type)
        assert element is not None
        if self.b_type is None:
            raise VerifyException("requires attribute 'multiplicandBPtxType'")
        verify_integer_options(element, None, self.int_overflow_behavior)
