"""What the lowering of tiles writes for codegen, as operations that no text has: words of elements, `wgmma`."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, UnitAttr, f32, i1, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)

_TO = {name: StringAttr(name) for name in ("f16", "bf16")}


@irdl_op_definition
class NarrowOp(IRDLOperation):
    """`words.narrow %low, %high {to = "f16"}`: two f32, rounded to nearest even, as a word of two f16 or bf16."""

    name = "words.narrow"

    low = operand_def(f32)
    high = operand_def(f32)
    to = prop_def(StringAttr)
    word = result_def(i32)

    @staticmethod
    def of(low: SSAValue, high: SSAValue, to: str) -> NarrowOp:
        """The word of two numbers."""
        return NarrowOp.create(operands=[low, high], properties={"to": _TO[to]}, result_types=[i32])


@irdl_op_definition
class WgmmaOp(IRDLOperation):
    """`wgmma.product`: one `wgmma.mma_async`: sums in registers, A by a descriptor (i64) or in registers (i32), B by a
    descriptor; `add` says whether the sums are added (always where it is left out and `fresh` is not given).  With
    `metadata` (i32), A is sparse, and the words are those of the lanes that `selector` names.
    """

    name = "wgmma.product"

    accumulators = var_operand_def()
    a = var_operand_def()
    b = operand_def(i64)
    add = opt_operand_def(i1)
    metadata = opt_operand_def(i32)
    selector = opt_prop_def(IntegerAttr[I64])
    n = prop_def(IntegerAttr[I64])
    k = prop_def(IntegerAttr[I64])
    dtype = prop_def(StringAttr)
    atype = prop_def(StringAttr)
    btype = prop_def(StringAttr)
    fresh = opt_prop_def(UnitAttr)
    transpose_a = opt_prop_def(UnitAttr)
    transpose_b = opt_prop_def(UnitAttr)
    sums = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$accumulators `,` $a `,` $b (`add` $add^)? (`metadata` $metadata^)? attr-dict `:` type($accumulators) `,` "
        "type($a) `->` type($sums)"
    )
