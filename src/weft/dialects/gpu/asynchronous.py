"""`async [%dependencies]`: operations of the host that a token orders, and the memory operations among them."""

from __future__ import annotations

from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from weft.dialects.engine.attributes import plain

TOKEN = plain("gpu.async.token")


@irdl_custom_directive
class AsyncDependencies(CustomDirective):
    """`async` where the operation gives a token, and the tokens that it waits for in brackets."""

    token: TypeDirective
    dependencies: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `async? [%a, %b]?`."""
        given = parser.parse_optional_keyword("async") is not None
        self.token.set(state, (TOKEN,) if given else ())
        square = parser.Delimiter.SQUARE
        listed = parser.parse_optional_comma_separated_list(square, parser.parse_unresolved_operand)
        self.dependencies.set(state, listed or ())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `async? [%a, %b]?`."""
        given = bool(self.token.get(op))
        printer.print_string(" async" if given else " ")
        dependencies = self.dependencies.get(op)
        if dependencies:
            printer.print_string(" [" if given else "[")
            printer.print_list(dependencies, printer.print_ssa_value)
            printer.print_string("]")
        state.last_was_punctuation = False
        state.should_emit_space = True


ASYNC = "custom<AsyncDependencies>(type($async_token), $async_dependencies)"
"""How the formats of these operations begin."""
