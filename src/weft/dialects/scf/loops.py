"""`scf.for`, `scf.if` and `scf.while` in MLIR's syntax, checked as MLIR checks them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType, UnitAttr, i1
from xdsl.dialects.utils import parse_assignment, print_assignment
from xdsl.ir import Attribute, Operation, Region
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import operation_place
from weft.dialects.redefinition import redefinition
from weft.dialects.scf.edges import check_edge, terminate

if TYPE_CHECKING:
    from xdsl.parser import Parser, UnresolvedOperand
    from xdsl.printer import Printer

    from weft.dialects.rows import scf as rows


@redefinition(unsignedCmp=UnitAttr)
class ForOp(scf.ForOp):
    """`scf.for unsigned? %i = %a to %b step %s iter_args(%x = %y) -> (T) : U { ... }`."""

    name = "scf.for"

    def verify_(self) -> None:
        """The body takes an index and what is carried; it yields what is carried."""
        arguments = self.body.block.args
        if len(arguments) != len(self.iter_args) + 1:
            carried = (len(arguments) - 1) % 2**64
            raise VerifyException(f"different number of inits and region iter_args: {len(self.iter_args)} != {carried}")
        if arguments[0].type != self.lb.type:
            raise VerifyException("expected induction variable to be same type as bounds and step")
        if len(self.iter_args) != len(self.results):
            raise VerifyException("mismatch in number of loop-carried values and defined values")
        end = self.body.block.last_op
        if not isinstance(end, scf.YieldOp):
            return
        kinds = [value.type for value in self.iter_args]
        for place, (kind, argument, result) in enumerate(zip(kinds, arguments[1:], self.results, strict=True)):
            if kind != argument.type:
                raise VerifyException(
                    f"{place}-th init and {place}-th region iter_arg have different type: '{kind}' != '{argument.type}'"
                )
            if kind != result.type:
                raise VerifyException(
                    f"{place}-th region iter_arg and {place}-th loop result have different type: '{kind}' != "
                    f"'{result.type}'"
                )
        if len(end.operands) != len(kinds):
            if not end.operands:
                check_edge(end, end.operands, "Region #0", kinds)
            raise VerifyException(
                f"different number of region iter_args and yielded values: {len(kinds)} != {len(end.operands)}"
            )
        for place, (kind, value) in enumerate(zip(kinds, end.operands, strict=True)):
            if kind != value.type:
                raise VerifyException(
                    f"{place}-th region iter_arg and {place}-th yielded value have different type: '{kind}' != "
                    f"'{value.type}'"
                )

    @classmethod
    def parse(cls, parser: Parser) -> ForOp:
        """Parse everything after the operation's name."""
        start = operation_place(parser)
        properties: dict[str, Attribute] = {}
        if parser.parse_optional_keyword("unsigned"):
            properties["unsignedCmp"] = UnitAttr()
        index = parser.parse_argument(expect_type=False)
        parser.parse_punctuation("=")
        low = parser.parse_unresolved_operand()
        parser.parse_keyword("to")
        high = parser.parse_unresolved_operand()
        parser.parse_keyword("step")
        step = parser.parse_unresolved_operand()
        paren = parser.Delimiter.PAREN
        pairs: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
        types: list[Attribute] = []
        if parser.parse_optional_keyword("iter_args"):
            pairs = parser.parse_comma_separated_list(paren, lambda: parse_assignment(parser))
            parser.parse_punctuation("->")
            types = parser.parse_comma_separated_list(paren, parser.parse_type)
        if len(pairs) != len(types):
            message = "mismatch in number of loop-carried values and defined values"
            parser.raise_error(f"custom op 'scf.for' {message}", start, start)
        kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
        operands = [parser.resolve_operand(value, kind) for value in (low, high, step)]
        operands += [parser.resolve_operand(value, type_) for (_, value), type_ in zip(pairs, types, strict=True)]
        arguments = [argument.resolve(type_) for (argument, _), type_ in zip(pairs, types, strict=True)]
        body = parser.parse_region((index.resolve(kind), *arguments))
        terminate(body, scf.YieldOp)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(
            operands=operands, result_types=types, properties=properties, attributes=attributes, regions=[body]
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        index, *carried = self.body.block.args
        printer.print_string(" unsigned " if "unsignedCmp" in self.properties else " ")
        for value, word in ((index, " = "), (self.lb, " to "), (self.ub, " step "), (self.step, "")):
            printer.print_ssa_value(value)
            printer.print_string(word)
        if carried:
            printer.print_string(" iter_args(")
            pairs = zip(carried, self.iter_args, strict=True)
            printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
            printer.print_string(") -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        if not isinstance(index.type, IndexType):
            printer.print_string("  : ")
            printer.print_attribute(index.type)
        printer.print_string(" ")
        printer.print_region(
            self.body, print_entry_block_args=False, print_empty_block=False, print_block_terminators=bool(carried)
        )
        printer.print_op_attributes(self.attributes)


@redefinition()
class IfOp(scf.IfOp):
    """`scf.if %c -> (T) { ... } else { ... }`."""

    name = "scf.if"

    def verify_(self) -> None:
        """Both branches yield the results, and there are both where there are results."""
        if self.results and not self.false_region.blocks:
            raise VerifyException("must have an else block if defining values")
        for place, region in enumerate((self.true_region, self.false_region)):
            if not region.blocks:
                continue
            if region.block.args:
                raise VerifyException(f"region #{place} should have no arguments")
            end = region.block.last_op
            if isinstance(end, scf.YieldOp):
                check_edge(end, end.operands, "parent", self.result_types)

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        """Parse everything after the operation's name."""
        condition = parser.parse_operand(i1)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        then = parser.parse_region()
        terminate(then, scf.YieldOp)
        otherwise = Region()
        if parser.parse_optional_keyword("else"):
            otherwise = parser.parse_region()
            terminate(otherwise, scf.YieldOp)
        attributes = parser.parse_optional_attr_dict()
        return cls.create(operands=[condition], result_types=types, attributes=attributes, regions=[then, otherwise])

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.cond)
        if self.results:
            printer.print_string(" -> (")
            printer.print_list(self.result_types, printer.print_attribute)
            printer.print_string(")")
        shown = bool(self.results)
        printer.print_string(" ")
        printer.print_region(self.true_region, print_entry_block_args=False, print_block_terminators=shown)
        if self.false_region.blocks:
            printer.print_string(" else ")
            printer.print_region(self.false_region, print_entry_block_args=False, print_block_terminators=shown)
        printer.print_op_attributes(self.attributes)


def verify_while(op: rows.WhileOp) -> None:
    """The first region ends with `scf.condition`, the second with `scf.yield`, and the values fit."""
    before, after = op.before_region.block, op.after_region.block
    condition, end = before.last_op, after.last_op
    if not isinstance(condition, scf.ConditionOp):
        raise VerifyException("expects the 'before' region to terminate with 'scf.condition'")
    if not isinstance(end, scf.YieldOp):
        raise VerifyException("expects the 'after' region to terminate with 'scf.yield'")
    kinds = [argument.type for argument in before.args]
    check_edge(None, op.arguments, "Region #0", kinds)
    check_edge(condition, condition.args, "parent", op.result_types)
    check_edge(condition, condition.args, "Region #1", [argument.type for argument in after.args])
    check_edge(end, end.operands, "Region #0", kinds)


def parse_while(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.while (%x = %y) : (T) -> U { ... } do { ... }`."""
    paren = parser.Delimiter.PAREN
    pairs = parser.parse_optional_comma_separated_list(paren, lambda: parse_assignment(parser)) or []
    place = parser.pos
    parser.parse_punctuation(":")
    kind = parser.parse_function_type()
    inputs: Sequence[Attribute] = kind.inputs.data
    if len(pairs) != len(inputs):
        message = f"expected as many input types as operands (expected {len(pairs)} got {len(inputs)})"
        parser.raise_error(f"custom op 'scf.while' {message}", place, place)
    operands = [parser.resolve_operand(value, type_) for (_, value), type_ in zip(pairs, inputs, strict=True)]
    before = parser.parse_region([argument.resolve(type_) for (argument, _), type_ in zip(pairs, inputs, strict=True)])
    parser.parse_keyword("do")
    after = parser.parse_region()
    extra = parser.parse_optional_attr_dict_with_keyword()
    return cls.create(
        operands=operands,
        result_types=kind.outputs.data,
        attributes=extra.data if extra else {},
        regions=[before, after],
    )


def print_while(op: rows.WhileOp, printer: Printer) -> None:
    """Print what `parse_while` parses."""
    if op.arguments:
        printer.print_string(" (")
        pairs = zip(op.before_region.block.args, op.arguments, strict=True)
        printer.print_list(pairs, lambda pair: print_assignment(printer, *pair))
        printer.print_string(")")
    printer.print_string(" : ")
    printer.print_operation_type(op)
    printer.print_string(" ")
    printer.print_region(op.before_region, print_entry_block_args=False)
    printer.print_string(" do ")
    printer.print_region(op.after_region)
    printer.print_op_attributes(op.attributes, print_keyword=True)
