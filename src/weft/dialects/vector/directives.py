"""Directives of `vector`'s formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    ParsingState,
    PrintingState,
    ResultVariable,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.formats import print_spaced

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer


_MOST = 1 << 20
"""How many elements of a vector can be values each: what follows from a type that input decides is bounded."""


@irdl_custom_directive
class Elements(CustomDirective):
    """The type of a vector, of which the types of all of its elements follow."""

    elements: TypeDirective
    vector: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse the type."""
        start = parser.pos
        self.vector.parse(parser, state)
        found, inner = self.vector.inner, self.elements.inner
        assert isinstance(found, OperandVariable | ResultVariable)
        types = state.operand_types if isinstance(found, OperandVariable) else state.result_types
        written = types[found.index]
        assert written is not None
        vector = narrow.vector(written[0])
        if vector is None:  # The text is read again, and the type refused, in upstream's words.
            raise VerifyException("expected a vector type")
        count = vector.element_count()
        if count > _MOST:
            parser.raise_error(f"a vector of {count} elements, of which at most {_MOST} can be values", start, start)
        if isinstance(inner, VariadicOperandVariable):
            given = state.operands[inner.index] or ()
            if len(given) != count:
                message = f"number of operands and types do not match: got {len(given)} operands and {count} types"
                place = given[0].span.start if given else parser.pos
                parser.raise_error(f"custom op '{state.op_type.name}' {message}", place, place)
        self.elements.set(state, [vector.element_type] * count)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print the type."""
        self.vector.print(printer, state, op)


@irdl_custom_directive
class Combining(CustomDirective):
    """How elements are combined."""

    kind: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `<add>`."""
        with parser.in_angle_brackets():
            self.kind.set(state, CombiningKindAttr(parser.parse_str_enum(CombiningKindFlag)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `<add>`."""
        kind = self.kind.get(op)
        assert isinstance(kind, CombiningKindAttr)
        print_spaced(f"<{kind.data}>", printer, state)
