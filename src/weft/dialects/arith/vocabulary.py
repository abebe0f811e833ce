"""What the rows of `arith` say in words: kinds of types, and traits between types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    NoneType,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    VectorType,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, TypedAttribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects.arith.predicates import FLOAT_PREDICATES, INTEGER_PREDICATES, ROUNDING_MODES
from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import (
    ANY,
    BOOL_LIKE,
    FIXED_INTEGER_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    Trait,
    bit_of_each,
    castable,
    element,
    elementwise,
    is_shaped,
    is_signless,
    like_or_memref,
    same_operand_types,
    same_shape,
    same_type,
    same_types,
    shape,
)
from weft.dialects.verification import element_bits

_INDEX_CAST = like_or_memref(
    "signless-integer-like or memref of signless-integer", lambda kind: isinstance(kind, IndexType) or is_signless(kind)
)
_BITCAST = like_or_memref(
    "signless-integer-or-float-like or memref of signless-integer or float",
    lambda kind: is_signless(kind) or isinstance(kind, AnyFloat),
)


def _bits(kind: Attribute) -> int:
    return element_bits(kind) or 0


def _wider(source: Attribute, target: Attribute) -> bool:
    return _bits(source) < _bits(target)


def _narrower(source: Attribute, target: Attribute) -> bool:
    return _bits(source) > _bits(target)


def _one_is_index(source: Attribute, target: Attribute) -> bool:
    return isinstance(source, IndexType) != isinstance(target, IndexType)


def _as_wide(source: Attribute, target: Attribute) -> bool:
    return _bits(source) == _bits(target)


def _condition(op: Operation) -> None:
    """The condition of `select` is a bit, or a bit for each element."""
    condition, result = op.operands[0].type, op.results[0].type
    if condition != i1 and shape(condition) != shape(result):
        raise VerifyException("failed to verify that condition is signless i1 or has matching shape")


def _overflow(op: Operation) -> None:
    """The overflow of `addui_extended` is a bit for each element."""
    total, overflow = op.results[0].type, op.results[1].type
    if shape(total) != shape(overflow):
        raise VerifyException("failed to verify that overflow type has i1 element type and same shape as sum")


def _constant(op: Operation) -> None:
    """The result of a constant is signless and has the type of the value."""
    kind, value = op.results[0].type, op.properties.get("value")
    stated = value.get_type() if isinstance(value, TypedAttribute) else kind
    if isinstance(value, StringAttr):
        stated = NoneType()
    if stated != kind:
        raise VerifyException("failed to verify that all of {value, result} have same type")
    if isinstance(value, StringAttr):
        raise VerifyException("value must be an integer, float, or elements attribute")
    if isinstance(kind, IntegerType) and not is_signless(cast("Attribute", kind)):
        raise VerifyException("integer return type must be signless")
    scalable = isinstance(kind, VectorType) and any(dim.value.data for dim in cast("Any", kind).scalable_dims)
    if scalable and isinstance(value, DenseIntOrFPElementsAttr) and not cast("Any", value).is_splat():
        raise VerifyException(
            "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
        )


def _dims(op: Operation) -> None:
    """What is converted and what comes of it have the same shape; of tensors, all dimensions are given."""
    kinds: list[Any] = [*op.operand_types, *op.result_types]
    tensors = any(isinstance(kind, TensorType | UnrankedTensorType) for kind in kinds)
    if tensors and (not all(isinstance(kind, TensorType) for kind in kinds) or shape(kinds[0]) != shape(kinds[1])):
        raise VerifyException("failed to verify that input and output have the same tensor dimensions")
    same_shape(op)


def _scaled(compatible: Callable[[Attribute, Attribute], bool]) -> Trait:
    """A conversion of floats by scales."""

    def trait(op: Operation) -> None:
        (source, scale), (target,) = op.operand_types, op.result_types
        if not compatible(element(source), element(target)):
            raise VerifyException(
                f"operand types '{source}', '{scale}' and result type '{target}' are cast incompatible"
            )
        if is_shaped(source) != is_shaped(target) or shape(source) != shape(target):
            raise VerifyException("failed to verify that input and output have the same tensor dimensions")

    return trait


def _one_of(words: Sequence[str], kind: Attribute, summary: str) -> AttributeKind:
    """A word of several, which is stored as its number."""

    def stored(value: Attribute) -> bool:
        number: Any = value
        return isinstance(value, IntegerAttr) and number.type == kind and 0 <= number.value.data < len(words)

    return AttributeKind(summary, stored)


WORDS = Vocabulary(
    {
        "any": ANY,
        "bool": BOOL_LIKE,
        "cast": _INDEX_CAST,
        "fixed": FIXED_INTEGER_LIKE,
        "float": FLOAT_LIKE,
        "integer": INTEGER_LIKE,
        "plain": _BITCAST,
    },
    {
        "float_predicate": _one_of(FLOAT_PREDICATES, i64, "comparison predicate of floats"),
        "integer_predicate": _one_of(INTEGER_PREDICATES, i64, "comparison predicate of integers"),
        "rounding": _one_of(ROUNDING_MODES, i32, "floating-point rounding mode"),
        "typed": AttributeKind(
            "TypedAttrInterface instance", lambda value: isinstance(value, TypedAttribute | StringAttr)
        ),
    },
    {
        "as_wide": castable(_as_wide),
        "bits": bit_of_each,
        "condition": _condition,
        "constant": _constant,
        "elementwise": elementwise,
        "index": castable(_one_is_index),
        "narrower": castable(_narrower),
        "overflow": _overflow,
        "products": same_types("lhs, rhs, low, high", 0, 1, 2, 3),
        "same": same_type,
        "same_operands": same_operand_types,
        "scaled_down": _scaled(_narrower),
        "scaled_up": _scaled(_wider),
        "selected": same_types("true_value, false_value, result", 1, 2, 3),
        "dims": _dims,
        "shape": same_shape,
        "sum": same_types("lhs, rhs, sum", 0, 1, 2),
        "wider": castable(_wider),
    },
    of_types=True,
)
