"""`mma.sp.sync`: products of a 2:4 sparse matrix A, whose metadata say where its elements are."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition, opt_prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import attr_class
from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.nvvm.grouped import SparseProduct
from weft.dialects.nvvm.products import verify_integer_options, verify_registers


@irdl_op_definition
class MmaSpOp(SparseProduct):
    """`nvvm.mma.sp.sync A[..] B[..] C[..] sparseMetadata[%e] selector[%f] {shape, ...} : (A, B, C) -> struct`.

    D = A * B + C, where A holds two of each four elements.
    """

    name = "nvvm.mma.sp.sync"
    WRITTEN: ClassVar = True

    operand_a = var_operand_def(COMPATIBLE)
    operand_b = var_operand_def(COMPATIBLE)
    operand_c = var_operand_def(COMPATIBLE)
    int_overflow_behavior = opt_prop_def(attr_class("nvvm.mma_int_overflow"), prop_name="intOverflowBehavior")
    kind = opt_prop_def(attr_class("nvvm.mma_kind"))

    def verify_(self) -> None:
        """There is such a product, and its operands are its registers."""
        groups = (self.operand_a, self.operand_b, self.operand_c)
        element = None if self.a_type is None else self.a_type.data.value
        verify_registers("mma.sp", self.shape.sizes, element, groups, self.res.type)
        assert element is not None
        if self.b_type is None:
            raise VerifyException("requires attribute 'multiplicandBPtxType'")
        verify_integer_options(element, None, self.int_overflow_behavior)
