"""What the rows of `complex` say in words: kinds of types and attributes, and traits."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, ArrayAttr, ComplexType, FloatAttr, IntegerType, i1
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, is_signless, same_type, same_types


def _element(kind: Any) -> Attribute:
    return cast("Attribute", kind.element_type)


def _part(op: Operation) -> None:
    if _element(op.operand_types[0]) != op.result_types[0]:
        raise VerifyException("failed to verify that complex element type matches result type")


_same_parts = same_types("real, imaginary", 0, 1)


def _created(op: Operation) -> None:
    _same_parts(op)
    if op.operand_types[0] != _element(op.result_types[0]):
        raise VerifyException("failed to verify that complex element type matches real operand type")


def _parts(op: Operation) -> None:
    """A constant has a real and an imaginary part of its type."""
    parts = cast("ArrayAttr[Attribute]", op.properties["value"]).data
    if len(parts) != 2:
        raise VerifyException("requires 'value' to be a complex constant, represented as array of two values")
    element = _element(op.result_types[0])
    types = [cast("Any", part).type if isinstance(part, FloatAttr) else None for part in parts]
    if any(kind != element for kind in types):
        found = ", ".join(f"'{kind}'" for kind in types)
        raise VerifyException(
            f"requires attribute's element types ({found}) to match the element type of the op's return type "
            f"('{element}')"
        )


def _bitcast(op: Operation) -> None:
    """Between a complex number and a scalar of as many bits; or from a type to itself."""
    source, target = op.operand_types[0], op.result_types[0]
    if source == target:
        return
    for kind, which in ((source, "operand"), (target, "result")):
        if not isinstance(kind, ComplexType | IntegerType | AnyFloat):
            raise VerifyException(f"{which} must be int/float/complex")
    if isinstance(source, ComplexType) == isinstance(target, ComplexType):
        raise VerifyException("requires that either input or output has a complex type")
    if _bits(source) != _bits(target):
        raise VerifyException("casting bitwidths do not match")


def _bits(kind: Attribute) -> int:
    return 2 * _bits(_element(kind)) if isinstance(kind, ComplexType) else cast("int", cast("Any", kind).bitwidth)


WORDS = Vocabulary(
    {
        "any": ANY,
        "complex": Kind(
            "complex type with floating-point elements",
            lambda kind: isinstance(kind, ComplexType) and isinstance(_element(kind), AnyFloat),
        ),
        "float": Kind("floating-point", lambda kind: isinstance(kind, AnyFloat)),
        "i1": Kind("1-bit signless integer", lambda kind: kind == i1),
        "integer": Kind("signless integer", is_signless),
    },
    {
        "fastmath": AttributeKind("Floating point fast math flags", lambda value: isinstance(value, FastMathFlagsAttr)),
        "list": AttributeKind("array attribute", lambda value: isinstance(value, ArrayAttr)),
    },
    {
        "bitcast": _bitcast,
        "created": _created,
        "part": _part,
        "parts": _parts,
        "raised": same_types("lhs, result", 0, 2),
        "same": same_type,
        "same_operands": same_types("lhs, rhs", 0, 1),
    },
    of_types=True,
)
