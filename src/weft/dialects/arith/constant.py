"""`arith.constant`: xDSL's operation, which takes only what has a type as its value."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from xdsl.dialects import arith
from xdsl.dialects.builtin import NoneType, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, TypedAttribute
from xdsl.irdl import OpDef, PropertyDef, base
from xdsl.parser import Parser

from weft.dialects.sparse_elements import SparseElementsAttr


@cache
def _definition() -> OpDef:
    known = arith.ConstantOp.get_irdl_definition()
    value = PropertyDef(known.properties["value"].constr | base(SparseElementsAttr))
    # The format cannot infer the result's type from such a value; `parse` and `print` below do without it.
    return replace(known, assembly_format=None, properties={**known.properties, "value": value})


# Written out: xDSL's class with one more kind of value, so that the most frequent operation is read as fast as before.
class ConstantOp(arith.ConstantOp):
    """`arith.constant attr-dict value`."""

    name = "arith.constant"

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        """xDSL's definition, with sparse elements among the values."""
        return _definition()

    def verify_(self) -> None:
        """Check it by that definition."""
        _definition().verify(self)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        """Parse everything after the operation's name.

        Raises:
            ParseError: the value has no type.
        """
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        value = parser.parse_attribute()
        kind = _type_of(value)
        if kind is None:
            parser.raise_error(f"custom op '{cls.name}' invalid kind of attribute specified", start, start)
        return cls.create(result_types=[kind], properties={"value": value}, attributes=attributes)


def _type_of(value: Attribute) -> Attribute | None:
    if isinstance(value, StringAttr):
        return NoneType()
    if not isinstance(value, TypedAttribute) or isinstance(value, SymbolRefAttr):
        return None
    return value.get_type()
