"""`llvm.switch` and `llvm.cond_br`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntElementsAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    successor_def,
    traits_def,
    var_operand_def,
    var_successor_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from weft.dialects.destinations import parse_conditional, parse_destination, print_conditional, print_destination
from weft.dialects.llvm.words import subject


@irdl_op_definition
class SwitchOp(IRDLOperation):
    """`llvm.switch %value : i32, ^default(%x : i32) [ 1: ^bb1(%y : i32), ... ]`."""

    name = "llvm.switch"

    value = operand_def(base(IntegerType))
    default_operands = var_operand_def()
    case_operands = var_operand_def()
    case_values = opt_prop_def(DenseIntElementsAttr)
    case_operand_segments = prop_def(DenseArrayBase.constr(i32))
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    default_destination = successor_def()
    case_destinations = var_successor_def()

    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> SwitchOp:
        """Parse everything after the operation's name."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        position = parser.pos
        type_: Any = parser.parse_type()
        if type_.name != IntegerType.name:
            message = f"invalid kind of type specified: expected builtin.integer, but found '{type_}'"
            parser.raise_error(f"{subject(parser)}{message}", position, position)
        parser.parse_punctuation(",")
        default, first = parse_destination(parser)
        numbers: list[int] = []
        targets: list[Block] = []
        groups: list[Sequence[SSAValue]] = []
        parser.parse_punctuation("[")
        while parser.parse_optional_punctuation("]") is None:
            if numbers:
                parser.parse_punctuation(",")
            numbers.append(parser.parse_integer(allow_boolean=False))
            parser.parse_punctuation(":")
            target, operands = parse_destination(parser)
            targets.append(target)
            groups.append(operands)
        attributes = parser.parse_optional_attr_dict()
        cases = [operand for group in groups for operand in group]
        properties: dict[str, Attribute] = {
            "case_operand_segments": DenseArrayBase.from_list(i32, [len(group) for group in groups]),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, len(first), len(cases)]),
        }
        if "branch_weights" in attributes:
            properties["branch_weights"] = attributes.pop("branch_weights")
        if numbers:
            vector: VectorType[IntegerType] = VectorType(type_, [len(numbers)])
            properties["case_values"] = DenseIntOrFPElementsAttr.from_list(vector, numbers)
        return cls.create(
            operands=[parser.resolve_operand(value, type_), *first, *cases],
            properties=properties,
            attributes=attributes,
            successors=[default, *targets],
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.value.type)
        printer.print_string(", ")
        print_destination(printer, self.default_destination, self.default_operands)
        printer.print_string(" [")
        values = self.case_values.get_values() if self.case_values is not None else ()
        at = 0
        with printer.indented():
            for index, (number, target, count) in enumerate(
                zip(values, self.case_destinations, self.case_operand_segments.get_values(), strict=True)
            ):
                printer.print_string("," if index else "")
                printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]
                printer.print_string(f"{number}: ")
                print_destination(printer, target, self.case_operands[at : at + count])
                at += count
        printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]
        printer.print_string("]")
        shown = {} if self.branch_weights is None else {"branch_weights": self.branch_weights}
        printer.print_op_attributes({**shown, **self.attributes})


@irdl_op_definition
class CondBrOp(IRDLOperation):
    """`llvm.cond_br %test weights([1, 2])?, ^then(%x : i32), ^else`."""

    name = "llvm.cond_br"

    cond = operand_def(i1)
    then_arguments = var_operand_def()
    else_arguments = var_operand_def()
    branch_weights = opt_prop_def(DenseArrayBase.constr(i32))
    loop_annotation = opt_prop_def(Attribute)
    then_block = successor_def()
    else_block = successor_def()

    traits = traits_def(IsTerminator())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> CondBrOp:
        """Parse everything after the operation's name."""
        return parse_conditional(cls, parser)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        print_conditional(self, printer)
        noted = {"loop_annotation": self.loop_annotation} if self.loop_annotation is not None else {}
        printer.print_op_attributes({**noted, **self.attributes})
