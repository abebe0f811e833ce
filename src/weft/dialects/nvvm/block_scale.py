"""`mma.block_scale`: products of narrow floating-point matrices whose blocks have scales; sm_120a and its like."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i16, i32
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.attributes import attr_class
from weft.dialects.llvm.compatible import COMPATIBLE
from weft.dialects.nvvm.grouped import SCALES, SPARSITY, GroupedProduct, SparseProduct

_ALLOWED = {"mxf4": {("x2", "ue8m0")}, "mxf4nvf4": {("x2", "ue8m0"), ("x4", "ue4m3")}}
"""The scales of a block and their format, of the kinds with 4-bit elements."""


class _Scaled(GroupedProduct):
    FURTHER: ClassVar = SCALES

    scale_a_data = operand_def(i32)
    byte_id_a = operand_def(i16)
    thread_id_a = operand_def(i16)
    scale_b_data = operand_def(i32)
    byte_id_b = operand_def(i16)
    thread_id_b = operand_def(i16)
    scale_vec_size = prop_def(attr_class("nvvm.scale_vec_size"), prop_name="scaleVecSize")
    block_scale_format = prop_def(attr_class("nvvm.block_scale_format"), prop_name="blockScaleFormat")
    kind = prop_def(attr_class("nvvm.block_scale_kind"))


def _verify_wide(operation: _Scaled, shape: str) -> None:
    """The shape of products of 8, 6 and 4 bits, of one scale for a row."""
    given = (operation.kind.data, operation.scale_vec_size.data, operation.block_scale_format.data)
    if given != ("mxf8f6f4", "x1", "ue8m0"):
        raise VerifyException(f"unsupported Kind, ScaleVecSize and BlockScaleFormat attributes for mma.{shape}")


def _verify_narrow(operation: _Scaled, shape: str) -> None:
    """The shape of products of 4 bits only."""
    kind, size, form = operation.kind.data, operation.scale_vec_size.data, operation.block_scale_format.data
    if any(found is None or found.data != "e2m1" for found in (operation.a_type, operation.b_type)):
        raise VerifyException(f"unsupported MMATypes attribute for mma.{shape}.(mxf4nvf4|mxf4)")
    allowed = _ALLOWED.get(kind)
    if allowed is None:
        raise VerifyException(f"unsupported Kind attribute for mma.{shape}")
    if kind == "mxf4":
        if size != "x2":
            raise VerifyException(f"unsupported ScaleVecSize attribute for mma.{shape}.mxf4")
        if form != "ue8m0":
            raise VerifyException(f"unsupported BlockScaleFormat attribute for mma.{shape}.mxf4")
    elif (size, form) not in allowed:
        raise VerifyException(f"unsupported ScaleVecSize and BlockScaleFormat attributes for mma.{shape}.mxf4nvf4")


def _verify(operation: _Scaled, depth: int, product: str) -> None:
    """Check the kind and its scales for the shape, whose depth is `depth` or, for 4 bits, twice that."""
    m, n, k = operation.shape.sizes
    if (m, n) != (16, 8) or k not in (depth, 2 * depth):
        raise VerifyException(f"unsupported Geom for {product} with block scaling")
    check = _verify_wide if k == depth else _verify_narrow
    check(operation, f"m{m}n{n}k{k}")


@irdl_op_definition
class MmaBlockScaleOp(_Scaled):
    """`nvvm.mma.block_scale A[..] B[..] C[..] scaleA[%data, %byte, %thread] scaleB[..] {...} : types -> struct`."""

    name = "nvvm.mma.block_scale"

    operand_a = var_operand_def(COMPATIBLE)
    operand_b = var_operand_def(COMPATIBLE)
    operand_c = var_operand_def(COMPATIBLE)

    def verify_(self) -> None:
        """The kind, the scales of a block, their format and the shape go together."""
        _verify(self, 32, "mma")


@irdl_op_definition
class MmaSpBlockScaleOp(SparseProduct, _Scaled):
    """`nvvm.mma.sp.block_scale A[..] B[..] C[..] sparseMetadata[%e] selector[%f] scaleA[..] scaleB[..] {...} : ...`."""

    name = "nvvm.mma.sp.block_scale"
    FURTHER: ClassVar = (*SPARSITY, *SCALES)
    ALWAYS_ORDERED: ClassVar = True

    operand_a = var_operand_def(COMPATIBLE)
    operand_b = var_operand_def(COMPATIBLE)
    operand_c = var_operand_def(COMPATIBLE)

    def verify_(self) -> None:
        """The kind, the scales of a block, their format and the shape go together."""
        if self.ordered_metadata is None:
            raise VerifyException("'orderedMetadata' attribute is mandatory")
        _verify(self, 64, "sparse mma")
