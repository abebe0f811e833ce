"""`mma.block_scale`: products of narrow floating-point matrices whose blocks have scales; sm_120a and its like."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from xdsl.utils.exceptions import VerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

    _Scaled: TypeAlias = nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp

_ALLOWED = {"mxf4": {("x2", "ue8m0")}, "mxf4nvf4": {("x2", "ue8m0"), ("x4", "ue4m3")}}
"""The scales of a block and their format, of the kinds with 4-bit elements."""


def _verify_wide(op: _Scaled, shape: str) -> None:
    """The shape of products of 8, 6 and 4 bits, of one scale for a row."""
    given = (op.kind.data, op.scale_vec_size.data, op.block_scale_format.data)
    if given != ("mxf8f6f4", "x1", "ue8m0"):
        raise VerifyException(f"unsupported Kind, ScaleVecSize and BlockScaleFormat attributes for mma.{shape}")


def _verify_narrow(op: _Scaled, shape: str) -> None:
    """The shape of products of 4 bits only."""
    kind, size, form = op.kind.data, op.scale_vec_size.data, op.block_scale_format.data
    if any(found is None or found.data != "e2m1" for found in (op.multiplicand_a_ptx_type, op.multiplicand_b_ptx_type)):
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


def _verify(op: _Scaled, depth: int, product: str) -> None:
    """Check the kind and its scales for the shape, whose depth is `depth` or, for 4 bits, twice that."""
    m, n, k = op.shape.sizes
    if (m, n) != (16, 8) or k not in (depth, 2 * depth):
        raise VerifyException(f"unsupported Geom for {product} with block scaling")
    check = _verify_wide if k == depth else _verify_narrow
    check(op, f"m{m}n{n}k{k}")


def product(op: nvvm.MmaBlockScaleOp) -> None:
    """The kind, the scales of a block, their format and the shape go together."""
    _verify(op, 32, "mma")


def sparse_product(op: nvvm.MmaSpBlockScaleOp) -> None:
    """The kind, the scales of a block, their format and the shape go together."""
    if op.ordered_metadata is None:
        raise VerifyException("'orderedMetadata' attribute is mandatory")
    _verify(op, 64, "sparse mma")
