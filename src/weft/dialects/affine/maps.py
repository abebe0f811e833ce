"""`affine.apply`, `min` and `max`: an affine map of values; `delinearize_index` and `linearize_index`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AffineSetAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import parse_dynamic_index_list_without_types, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import operation_place

if TYPE_CHECKING:
    from weft.dialects.rows import affine as rows

_Op = TypeVar("_Op", bound=Operation)


def parse_operands(parser: Parser) -> tuple[list[SSAValue], list[SSAValue]]:
    """`(dims)[symbols]`, the symbols only where there are any."""

    def operand() -> SSAValue:
        return parser.parse_operand(IndexType())

    dims = parser.parse_comma_separated_list(parser.Delimiter.PAREN, operand)
    return dims, parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, operand) or []


def print_operands(printer: Printer, dims: int, operands: Sequence[SSAValue]) -> None:
    """Print `(dims)[symbols]`."""
    with printer.in_parens():
        printer.print_list(operands[:dims], printer.print_ssa_value)
    if operands[dims:]:
        with printer.in_square_brackets():
            printer.print_list(operands[dims:], printer.print_ssa_value)


def parse_map(parser: Parser, name: str) -> AffineMapAttr:
    """An affine map.

    Raises:
        ParseError: another attribute.
    """
    place = parser.pos
    found = parser.parse_attribute()
    if not isinstance(found, AffineMapAttr):
        parser.raise_error(f"custom op '{name}' invalid kind of attribute specified", place, place)
    return found


def print_map(printer: Printer, map_: AffineMapAttr | AffineSetAttr, operands: Sequence[SSAValue]) -> None:
    """Print `map(dims)[symbols]`."""
    printer.print_attribute(map_)
    print_operands(printer, map_.data.num_dims, operands)


def _parse_mapped(parser: Parser, name: str) -> tuple[AffineMapAttr, list[SSAValue], dict[str, Attribute]]:
    """`map(dims)[symbols] {attributes}`."""
    start = operation_place(parser)
    map_ = parse_map(parser, name)
    dims, symbols = parse_operands(parser)
    attributes = parser.parse_optional_attr_dict()
    if (len(dims), len(symbols)) != (map_.data.num_dims, map_.data.num_symbols):
        parser.raise_error(f"custom op '{name}' dimension or symbol index mismatch", start, start)
    return map_, [*dims, *symbols], attributes


def _verify_operands(map_: AffineMapAttr, operands: Sequence[SSAValue], message: str) -> None:
    if len(operands) != map_.data.num_dims + map_.data.num_symbols:
        raise VerifyException(message)


def verify_apply(op: rows.ApplyOp) -> None:
    """One result, an operand for each input."""
    message = "operand count and affine map dimension and symbol count must match"
    _verify_operands(op.map, op.mapOperands, message)
    if len(op.map.data.results) != 1:
        raise VerifyException("mapping must produce one value")


def parse_apply(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.apply map(dims)[symbols]`."""
    map_, operands, attributes = _parse_mapped(parser, cls.name)
    results = [IndexType()] * len(map_.data.results)
    return cls.create(operands=operands, result_types=results, properties={"map": map_}, attributes=attributes)


def print_apply(op: rows.ApplyOp, printer: Printer) -> None:
    """Print what `parse_apply` parses."""
    printer.print_string(" ")
    print_map(printer, op.map, op.mapOperands)
    printer.print_op_attributes(op.attributes)


def _verify_extreme(map_: AffineMapAttr, operands: Sequence[SSAValue]) -> None:
    _verify_operands(map_, operands, "operand count and affine map dimension and symbol count must match")
    if not map_.data.results:
        raise VerifyException("affine map expect at least one result")


def _parse_extreme(cls: type[_Op], parser: Parser) -> _Op:
    map_, operands, attributes = _parse_mapped(parser, cls.name)
    results = [IndexType()]
    return cls.create(operands=operands, result_types=results, properties={"map": map_}, attributes=attributes)


def _print_extreme(op: rows.MinOp | rows.MaxOp, printer: Printer) -> None:
    printer.print_string(" ")
    print_map(printer, op.map, op.arguments)
    printer.print_op_attributes(op.attributes)


def verify_min(op: rows.MinOp) -> None:
    """A result, an operand for each input."""
    _verify_extreme(op.map, op.arguments)


def parse_min(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.min map(dims)[symbols]`."""
    return _parse_extreme(cls, parser)


def print_min(op: rows.MinOp, printer: Printer) -> None:
    """Print what `parse_min` parses."""
    _print_extreme(op, printer)


def verify_max(op: rows.MaxOp) -> None:
    """A result, an operand for each input."""
    _verify_extreme(op.map, op.arguments)


def parse_max(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.max map(dims)[symbols]`."""
    return _parse_extreme(cls, parser)


def print_max(op: rows.MaxOp, printer: Printer) -> None:
    """Print what `parse_max` parses."""
    _print_extreme(op, printer)


def _parse_basis(parser: Parser) -> tuple[list[SSAValue], DenseArrayBase[IntegerType]]:
    """`(4, %n, 8)`."""
    dynamic, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX, delimiter=parser.Delimiter.PAREN)
    return [parser.resolve_operand(value, IndexType()) for value in dynamic], DenseArrayBase.from_list(i64, static)


def _print_basis(printer: Printer, dynamic: Sequence[SSAValue], static: Sequence[int]) -> None:
    print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, static, delimiter=Parser.Delimiter.PAREN)


def _verify_basis(dynamic: Sequence[SSAValue], static: Sequence[int]) -> None:
    marked = sum(value == DYNAMIC_INDEX for value in static)
    if marked != len(dynamic):
        raise VerifyException(
            "mismatch between dynamic and static basis (kDynamic marker but no corresponding dynamic basis entry) -- "
            "this can only happen due to an incorrect fold/rewrite"
        )


def verify_delinearize(op: rows.DelinearizeIndexOp) -> None:
    """A digit for each element of the basis, or one more in front."""
    static = op.static_basis.get_values()
    if len(op.multi_index) not in (len(static), len(static) + 1):
        raise VerifyException("should return an index for each basis element and up to one extra index")
    _verify_basis(op.dynamic_basis, static)
    if any(value != DYNAMIC_INDEX and value <= 0 for value in static):
        raise VerifyException("no basis element may be statically non-positive")


def parse_delinearize(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.delinearize_index %i into (4, %n) : index, ...`."""
    index = parser.parse_operand(IndexType())
    parser.parse_keyword("into")
    dynamic, static = _parse_basis(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    results = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return cls.create(
        operands=[index, *dynamic], result_types=results, properties={"static_basis": static}, attributes=attributes
    )


def print_delinearize(op: rows.DelinearizeIndexOp, printer: Printer) -> None:
    """Print what `parse_delinearize` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.linear_index)
    printer.print_string(" into ")
    _print_basis(printer, op.dynamic_basis, op.static_basis.get_values())
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list(op.result_types, printer.print_attribute)


def verify_linearize(op: rows.LinearizeIndexOp) -> None:
    """An element of the basis for each digit, or for each but the first."""
    static = op.static_basis.get_values()
    if len(static) not in (len(op.multi_index), len(op.multi_index) - 1):
        raise VerifyException("should be passed a basis element for each index except possibly the first")
    _verify_basis(op.dynamic_basis, static)


def parse_linearize(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `affine.linearize_index disjoint? [%i, %j] by (4, %n) : index`."""
    disjoint = parser.parse_optional_keyword("disjoint") is not None
    square = parser.Delimiter.SQUARE
    digits = parser.parse_comma_separated_list(square, lambda: parser.parse_operand(IndexType()))
    parser.parse_keyword("by")
    dynamic, static = _parse_basis(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    sizes = DenseArrayBase.from_list(i32, [len(digits), len(dynamic)])
    properties: dict[str, Attribute] = {
        "disjoint": UnitAttr() if disjoint else IntegerAttr(0, i1),
        "static_basis": static,
        "operandSegmentSizes": sizes,
    }
    return cls.create(
        operands=[*digits, *dynamic],
        result_types=[parser.parse_type()],
        properties=properties,
        attributes=attributes,
    )


def print_linearize(op: rows.LinearizeIndexOp, printer: Printer) -> None:
    """Print what `parse_linearize` parses."""
    printer.print_string(" disjoint [" if isinstance(op.disjoint, UnitAttr) else " [")
    printer.print_list(op.multi_index, printer.print_ssa_value)
    printer.print_string("] by ")
    _print_basis(printer, op.dynamic_basis, op.static_basis.get_values())
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.linear_index.type)
