"""Warp-level matrix operations: `ldmatrix`, `stmatrix`, `mma.sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

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


def product(op: nvvm.MmaSyncOp) -> None:
    """There is such a product, and its operands are its registers."""
    element = _verify_registers(op, "mma", op.b1_op)
    layouts = (op.layout_a.data.value, op.layout_b.data.value)
    if layouts != ("row", "col") and not (op.shape.sizes == (8, 8, 4) and element == "f16"):
        m, n, k = op.shape.sizes
        assert op.multiplicand_b_ptx_type is not None
        raise VerifyException(
            "requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col> for shape "
            f"<{m}, {n}, {k}> with element types {element} and {op.multiplicand_b_ptx_type.data.value}. "
            "Only m8n8k4 with f16 supports other layouts."
        )


def sparse_product(op: nvvm.MmaSpSyncOp) -> None:
    """There is such a product, and its operands are its registers."""
    _verify_registers(op, "mma.sp", None)


def _verify_registers(op: nvvm.MmaSyncOp | nvvm.MmaSpSyncOp, stem: str, bit_operation: Attribute | None) -> str:
    """Check the registers and what integers are combined by; the type of A's elements."""
    groups = (op.operand_a, op.operand_b, op.operand_c)
    element = None if op.multiplicand_a_ptx_type is None else op.multiplicand_a_ptx_type.data.value
    verify_registers(stem, op.shape.sizes, element, groups, op.res.type)
    assert element is not None
    if op.multiplicand_b_ptx_type is None:
        raise VerifyException("requires attribute 'multiplicandBPtxType'")
    verify_integer_options(element, bit_operation, op.int_overflow_behavior)
    return element
