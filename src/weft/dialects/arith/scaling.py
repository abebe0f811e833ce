"""`arith.scaling_extf` and `arith.scaling_truncf`: conversions of the numbers of microscaling formats."""

from __future__ import annotations

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import I32, IntegerAttr, i32
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from weft.dialects.arith.extra import ROUNDING_MODES


class ScalingOperation(IRDLOperation):
    """`arith.X %in, %scale rounding? fastmath? : T, S to U`."""

    input = operand_def()
    scale = operand_def()
    fastmath = opt_prop_def(FastMathFlagsAttr)
    out = result_def()

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ScalingOperation:
        """Parse everything after the operation's name."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        scale = parser.parse_unresolved_operand()
        properties = cls._parse_rounding(parser)
        if parser.parse_optional_keyword("fastmath"):
            properties["fastmath"] = FastMathFlagsAttr(FastMathFlagsAttr.parse_parameter(parser))
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        operands = [parser.resolve_operand(value, parser.parse_type())]
        parser.parse_punctuation(",")
        operands.append(parser.resolve_operand(scale, parser.parse_type()))
        parser.parse_keyword("to")
        results = [parser.parse_type()]
        return cls.create(operands=operands, result_types=results, properties=properties, attributes=attributes)

    @classmethod
    def _parse_rounding(cls, parser: Parser) -> dict[str, Attribute]:
        """The properties in front of the flags."""
        return {}

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        mode = self.properties.get("roundingmode")
        if isinstance(mode, IntegerAttr):
            printer.print_string(f" {ROUNDING_MODES[mode.value.data]}")
        if self.fastmath is not None:
            printer.print_string(" fastmath")
            self.fastmath.print_parameter(printer)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" to ")
        printer.print_attribute(self.out.type)


@irdl_op_definition
class ScalingExtFOp(ScalingOperation):
    """`arith.scaling_extf`: numbers widened and multiplied by their scale."""

    name = "arith.scaling_extf"


@irdl_op_definition
class ScalingTruncFOp(ScalingOperation):
    """`arith.scaling_truncf`: numbers divided by their scale and narrowed."""

    name = "arith.scaling_truncf"

    roundingmode = opt_prop_def(IntegerAttr[I32])

    @classmethod
    def _parse_rounding(cls, parser: Parser) -> dict[str, Attribute]:
        mode = next((mode for mode in ROUNDING_MODES if parser.parse_optional_keyword(mode)), None)
        return {} if mode is None else {"roundingmode": IntegerAttr(ROUNDING_MODES.index(mode), i32)}
