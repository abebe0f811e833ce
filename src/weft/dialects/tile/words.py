"""Words of tiles in registers: what packs and unpacks several elements at once."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, f32, i32
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def

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
