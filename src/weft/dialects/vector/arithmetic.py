"""Products of `vector` whose syntax no format states: contractions and outer products."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, VectorType
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr, attr_class

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Operation
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import vector


def parse_contract(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `vector.contract {maps, iterators, kind} %lhs, %rhs, %acc`."""
    start = parser.pos
    given = parser.parse_optional_attribute()
    attributes = dict(given.data) if isinstance(given, DictionaryAttr) else {}
    properties = {name: attributes.pop(name) for name in ("indexing_maps", "iterator_types") if name in attributes}
    properties["kind"] = attributes.pop("kind", CombiningKindAttr(CombiningKindFlag.ADD))
    if "iterator_types" in properties:
        iterators = cast("ArrayAttr[Attribute]", properties["iterator_types"])
        for entry in iterators:
            if isinstance(entry, StringAttr) and entry.data not in list(_ITERATOR.enum_type):
                parser.raise_error(f"unexpected iterator_type ({entry.data})", start, start)
        properties["iterator_types"] = ArrayAttr([_iterator_type(entry) for entry in iterators])
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    attributes |= parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    parser.parse_keyword("into")
    types.append(parser.parse_type())
    operands = parser.resolve_operands(unresolved, types, position)
    return cls.create(operands=operands, result_types=[types[-1]], properties=properties, attributes=attributes)


def print_contract(op: vector.ContractOp, printer: Printer) -> None:
    """Print what `parse_contract` parses."""
    iterators: list[Attribute] = [StringAttr(entry.data.value) for entry in op.iterator_types]
    shown = {**op.properties, "iterator_types": ArrayAttr(iterators)}
    printer.print_op_attributes(dict(sorted(shown.items())))
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_list((op.lhs.type, op.rhs.type), printer.print_attribute)
    printer.print_string(" into ")
    printer.print_attribute(op.acc.type)


_ITERATOR = attr_class("vector.iterator_type")


def _iterator_type(entry: Attribute) -> Attribute:
    return attr("vector.iterator_type", entry.data) if isinstance(entry, StringAttr) else entry


def parse_outerproduct(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `vector.outerproduct %lhs, %rhs (, %acc)?`."""
    unresolved = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    attributes = parser.parse_optional_attr_dict()
    kind = attributes.pop("kind", CombiningKindAttr(CombiningKindFlag.ADD))
    parser.parse_punctuation(":")
    position = parser.pos
    lhs = narrow.vector(parser.parse_type())
    if lhs is None:
        parser.raise_error("expected a vector type", position, parser.pos)
    parser.parse_punctuation(",")
    rhs = parser.parse_type()
    right = narrow.vector(rhs)
    shape = [*lhs.get_shape(), *(right.get_shape() if right is not None else ())]
    grows = [*lhs.scalable_dims, *(right.scalable_dims if right is not None else ())]
    result = VectorType(lhs.element_type, shape, ArrayAttr(grows))
    operands = parser.resolve_operands(unresolved, (lhs, rhs, result)[: max(2, len(unresolved))], position)
    return cls.create(operands=operands, result_types=[result], properties={"kind": kind}, attributes=attributes)


def print_outerproduct(op: vector.OuterproductOp, printer: Printer) -> None:
    """Print what `parse_outerproduct` parses."""
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    shown = {} if op.acc is None and op.kind.data == CombiningKindFlag.ADD else {"kind": op.kind}
    printer.print_op_attributes({**shown, **op.attributes})
    printer.print_string(" : ")
    printer.print_list((op.lhs.type, op.rhs.type), printer.print_attribute)
