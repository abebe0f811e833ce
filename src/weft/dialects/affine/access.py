"""Memory at indices that an affine map gives: `%m[%i + 1, 7]`, and what operations on it demand."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr
from xdsl.irdl import IRDLOperation
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    ParsingState,
    PrintingState,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.affine.syntax import OperandExpressions, expression

if TYPE_CHECKING:
    from weft.dialects.rows import affine


def parse_indices(parser: Parser) -> tuple[AffineMapAttr, OperandExpressions]:
    """`[%i + 1, 7]`: the map, and its operands.

    Raises:
        ParseError: an expression is not affine.
    """
    found = OperandExpressions(parser)
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, found.expression)
    return AffineMapAttr(found.map(results)), found


def print_expressions(
    printer: Printer, results: Sequence[AffineExpr], map_: AffineMap, operands: Sequence[SSAValue]
) -> None:
    """Print results of a map, its operands in place of dimensions and symbols."""

    def named(expr: AffineDimExpr | AffineSymExpr) -> str:
        if isinstance(expr, AffineDimExpr):
            return _text(printer, operands[expr.position])
        return f"symbol({_text(printer, operands[map_.num_dims + expr.position])})"

    printer.print_list(results, lambda result: printer.print_string(expression(result, named)))


def _text(printer: Printer, value: SSAValue) -> str:
    stream, printer.stream = printer.stream, StringIO()
    printer.print_ssa_value(value)
    text: str = printer.stream.getvalue()
    printer.stream = stream
    return text


def print_access(printer: Printer, memref: SSAValue, map_: AffineMapAttr, indices: Sequence[SSAValue]) -> None:
    """Print a memref and its indices."""
    printer.print_ssa_value(memref)
    with printer.in_square_brackets():
        print_expressions(printer, map_.data.results, map_.data, indices)


@irdl_custom_directive
class Access(CustomDirective):
    """A memref and its indices, with the operands of their map."""

    memref: OperandVariable
    map: AttributeVariable
    indices: VariadicOperandVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        """Parse `%m[%i + 1, 7]`."""
        self.memref.set(state, parser.parse_unresolved_operand())
        map_, found = parse_indices(parser)
        self.map.set(state, map_)
        self.indices.set(state, found.names)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        """Print `%m[%i + 1, 7]`."""
        state.print_whitespace(printer)
        map_ = self.map.get(op)
        assert isinstance(map_, AffineMapAttr)
        print_access(printer, self.memref.get(op), map_, self.indices.get(op))
        state.last_was_punctuation = False


def _memref(value: SSAValue) -> narrow.MemRef:
    kind = narrow.memref(value.type)
    assert kind is not None
    return kind


def subscripts(op: affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp) -> None:
    """An index for each dimension.

    Raises:
        VerifyException: there are others.
    """
    if len(op.map.data.results) != _memref(op.memref).get_num_dims():
        raise VerifyException("affine map num results must equal memref rank")
    if op.map.data.num_dims + op.map.data.num_symbols != len(op.indices):
        raise VerifyException("expects as many subscripts as affine map inputs")


def prefetch(op: affine.PrefetchOp) -> None:
    """An index for each dimension, and a locality of 0 to 3.

    Raises:
        VerifyException: there are others.
    """
    if not 0 <= op.locality_hint.value.data <= 3:
        raise VerifyException(
            "attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose "
            "minimum value is 0 whose maximum value is 3"
        )
    if len(op.map.data.results) != _memref(op.memref).get_num_dims():
        raise VerifyException("affine.prefetch affine map num results must equal memref rank")
    if op.map.data.num_dims + op.map.data.num_symbols != len(op.indices):
        raise VerifyException("too few operands")
