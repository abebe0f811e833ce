"""How xDSL's parser parses an attribute that a format names."""

from __future__ import annotations

from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import Builtin, BytesAttr, DenseArrayBase, IntegerType, SymbolNameConstraint
from xdsl.ir import Attribute, ParametrizedAttribute, TypedAttribute
from xdsl.irdl import OptionalDef, ParamAttrConstraint, VarConstraint, VerificationContext

if TYPE_CHECKING:
    from xdsl.parser import Parser

ATTRIBUTE = methodcaller("parse_attribute")
"""Parses an attribute that may be any."""
_SYMBOL = methodcaller("parse_symbol_name")
_OPTIONAL_SYMBOL = methodcaller("parse_optional_symbol_name")


def _optional_attribute(parser: Any) -> Attribute | None:
    """An attribute, if there is one: not the dictionary that is after all others."""
    if parser._current_token.text == "{":
        return None
    return parser.parse_optional_attribute()


def parsing(name: str, rule: Any, *, is_property: bool, qualified: bool = False) -> tuple[str, Any, bool]:
    """The name of an attribute, how xDSL's parser parses it in a format, and whether it is a property."""
    optional = isinstance(rule, OptionalDef)
    bases = None if qualified else rule.constr.get_bases()
    whole = _optional_attribute if optional else ATTRIBUTE
    if bases is None or len(bases) != 1:
        return name, whole, is_property
    (base,) = bases
    if isinstance(rule.constr, SymbolNameConstraint):
        return name, _OPTIONAL_SYMBOL if optional else _SYMBOL, is_property
    constraint: Any = rule.constr
    if isinstance(constraint, VarConstraint):
        constraint = cast("Any", constraint).constraint
    if isinstance(constraint, ParamAttrConstraint):
        parameters = constraint.param_constrs
        if base is DenseArrayBase and parameters[0].can_infer(set()):
            element = parameters[0].infer(VerificationContext())
            return name, partial(_parse_array, element, optional), is_property
        if issubclass(base, TypedAttribute):
            kind = parameters[base.get_type_index()]
            if kind.can_infer(set()):
                return name, partial(_parse_typed, base, kind.infer(VerificationContext())), is_property
    if base in Builtin.attributes:
        return name, whole, is_property
    return name, partial(_parse_parameters, base), is_property


def _parse_parameters(base: Any, parser: Parser) -> Attribute:
    if issubclass(base, ParametrizedAttribute):
        return base.new(base.parse_parameters(parser))
    return base.new(base.parse_parameter(parser))


def _parse_typed(base: Any, kind: Attribute, parser: Parser) -> Attribute:
    return base.parse_with_type(parser, kind)


def _parse_array(element: Any, optional: bool, parser: Parser) -> Attribute | None:
    number: Any = parser.parse_integer if isinstance(element, IntegerType) else parser.parse_float
    parse = parser.parse_optional_comma_separated_list if optional else parser.parse_comma_separated_list
    found: Any = parse(parser.Delimiter.SQUARE, number)
    return None if found is None else _array(element, found)


def _array(element: Any, found: Any) -> Attribute:
    return DenseArrayBase(element, BytesAttr(element.pack(found)))
