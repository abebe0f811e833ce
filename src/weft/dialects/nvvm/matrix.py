"""Warp-level matrix operations: `ldmatrix`, `stmatrix`, `mma.sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import attr_class
from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.nvvm.grouped import ACCUMULATORS, GroupedProduct
from weft.dialects.nvvm.products import verify_integer_options, verify_registers

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


def load(op: nvvm.LdmatrixOp) -> None:
    """Number of tiles, shape, element type and result type must go together."""
    num = op.num.value.data
    shape = (op.shape.m.data, op.shape.n.data)
    element = op.elt_type.data
    _verify_tiles(shape, element, num, transposed=op.layout.data.value == "col")
    registers = num * 2 if shape == (16, 16) else num
    expected = i32 if registers == 1 else LLVMStructType.from_type_list([i32] * registers)
    if op.res.type != expected:
        if registers == 1:
            raise VerifyException("expected destination type is i32")
        raise VerifyException(f"expected destination type is a structure of {registers} elements of type i32")


def _verify_tiles(shape: tuple[int, int], element: str, num: int, *, transposed: bool) -> None:
    if shape == (8, 8):
        if num not in (1, 2, 4):
            raise VerifyException("expected num attribute to be 1, 2 or 4 for 8x8 matrix")
        if element != "b16":
            raise VerifyException("expected element type to be b16 for 8x8 matrix")
    elif shape == (8, 16):
        if num not in (1, 2, 4):
            raise VerifyException("expected num attribute to be 1, 2 or 4 for 8x16 matrix")
        if transposed:
            raise VerifyException("expected layout to be row for 8x16 matrix")
        if element not in ("b8x16.b6x16_p32", "b8x16.b4x16_p64"):
            raise VerifyException("expected element type to be b8x16.b4x16_p64 or b8x16.b6x16_p32 for 8x16 matrix")
    elif shape == (16, 16):
        if num not in (1, 2):
            raise VerifyException("expected num attribute to be 1 or 2 for 16x16 matrix")
        if not transposed:
            raise VerifyException("expected layout to be col for 16x16 matrix")
        if element == "b16":
            raise VerifyException("expected element type to be b8, b8x16.b4x16_p64 or b8x16.b6x16_p32 for 16x16 matrix")
    else:
        raise VerifyException("expected shape to be 8x8, 8x16 or 16x16")


def store(op: nvvm.StmatrixOp) -> None:
    """1, 2 or 4 registers; 8x8 tiles of b16 or transposed 16x8 tiles of b8."""
    if len(op.sources) not in (1, 2, 4):
        raise VerifyException("expected num attribute to be 1, 2 or 4")
    shape = (op.shape.m.data, op.shape.n.data)
    element = op.elt_type.data
    if shape == (8, 8):
        if element != "b16":
            raise VerifyException("expected element type to be B16 for 8x8 matrix")
    elif shape == (16, 8):
        if element != "b8":
            raise VerifyException("expected element type to be B8 for 16x8 matrix")
        if op.layout.data.value != "col":
            raise VerifyException("expected layout to be col for 16x8 matrix")
    else:
        raise VerifyException("expected shape to be 8x8 or 16x8")


@irdl_op_definition
class MmaOp(GroupedProduct):
    """`nvvm.mma.sync A[..] B[..] C[..] {layoutA, layoutB, shape, ...} : (A, B, C) -> struct`: D = A * B + C.

    Operands are the registers of the fragments: `vector<2xf16>`, `f32`, `f64`, `i32` for packed integers, bf16, tf32.
    """

    name = "nvvm.mma.sync"
    GAP: ClassVar = " "
    INFERRED: ClassVar = ACCUMULATORS

    operand_a = var_operand_def(COMPATIBLE)
    operand_b = var_operand_def(COMPATIBLE)
    operand_c = var_operand_def(COMPATIBLE)
    b1_op = opt_prop_def(attr_class("nvvm.mma_b1op"), prop_name="b1Op")
    int_overflow_behavior = opt_prop_def(attr_class("nvvm.mma_int_overflow"), prop_name="intOverflowBehavior")
    layout_a = prop_def(attr_class("nvvm.mma_layout"), prop_name="layoutA")
    layout_b = prop_def(attr_class("nvvm.mma_layout"), prop_name="layoutB")

    def verify_(self) -> None:
        """There is such a product, and its operands are its registers."""
        groups = (self.operand_a, self.operand_b, self.operand_c)
        element = None if self.a_type is None else self.a_type.data.value
        verify_registers("mma", self.shape.sizes, element, groups, self.res.type)
        assert element is not None
        if self.b_type is None:
            raise VerifyException("requires attribute 'multiplicandBPtxType'")
        verify_integer_options(element, self.b1_op, self.int_overflow_behavior)
        layouts = (self.layout_a.data.value, self.layout_b.data.value)
        if layouts != ("row", "col") and not (self.shape.sizes == (8, 8, 4) and element == "f16"):
            m, n, k = self.shape.sizes
            raise VerifyException(
                "requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col> for shape "
                f"<{m}, {n}, {k}> with element types {element} and {self.b_type.data.value}. "
                "Only m8n8k4 with f16 supports other layouts."
            )
