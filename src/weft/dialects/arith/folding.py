"""Folding of `arith.cmpi`, for scalars and vectors; xDSL's makes one bit of whatever is compared."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, IntegerType, TensorType, VectorType, i1
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from weft.dialects.arith.predicates import INTEGER_PREDICATES

_REFLEXIVE = {"eq", "sle", "sge", "ule", "uge"}


class ComparedWithItself(RewritePattern):
    """`cmpi p, %a, %a` is what `p` says of equals."""

    def match_and_rewrite(self, op: object, rewriter: PatternRewriter, /) -> None:
        """Replace a comparison of a value with itself."""
        if not isinstance(op, arith.CmpiOp) or op.lhs != op.rhs:
            return
        truth = INTEGER_PREDICATES[op.predicate.value.data] in _REFLEXIVE
        kind = op.result.type
        if kind == i1:
            rewriter.replace(op, arith.ConstantOp(IntegerAttr.from_bool(truth)))
        elif isinstance(kind, VectorType | TensorType) and kind.has_static_shape():
            bits = cast("VectorType[IntegerType] | TensorType[IntegerType]", kind)
            rewriter.replace(op, arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(bits, [truth])))
