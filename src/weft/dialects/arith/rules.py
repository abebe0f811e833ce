"""The signatures of `arith`: what upstream's verifier accepts, and what it says of the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, TypedAttribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects.arith.predicates import FLOAT_PREDICATES, INTEGER_PREDICATES
from weft.dialects.signature import (
    ANY,
    BOOL_LIKE,
    FIXED_INTEGER_LIKE,
    FLOAT_LIKE,
    INTEGER_LIKE,
    Kind,
    Signature,
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

_INTEGER_BINARY = (
    "addi subi muli divsi divui ceildivsi ceildivui floordivsi remsi remui andi ori xori shli shrsi shrui maxsi maxui "
    "minsi minui"
)
_FLOAT_BINARY = "addf subf mulf divf remf maximumf minimumf maxnumf minnumf"

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


def _cast(source: Kind, target: Kind, compatible: Callable[[Attribute, Attribute], bool] | None = None) -> Signature:
    casts = () if compatible is None else (castable(compatible),)
    return Signature((source,), (target,), (same_shape, *casts))


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
    if isinstance(value, StringAttr):
        raise VerifyException("value must be an integer, float, or elements attribute")
    if isinstance(value, TypedAttribute) and value.get_type() != kind:
        raise VerifyException("failed to verify that all of {value, result} have same type")
    if isinstance(kind, IntegerType) and not is_signless(cast("Attribute", kind)):
        raise VerifyException("integer return type must be signless")
    scalable = isinstance(kind, VectorType) and any(dim.value.data for dim in cast("Any", kind).scalable_dims)
    if scalable and isinstance(value, DenseIntOrFPElementsAttr) and not cast("Any", value).is_splat():
        raise VerifyException(
            "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
        )


def _scaled(compatible: Callable[[Attribute, Attribute], bool]) -> Signature:
    """A conversion of floats by scales."""

    def trait(op: Operation) -> None:
        (source, scale), (target,) = op.operand_types, op.result_types
        if not compatible(element(source), element(target)):
            raise VerifyException(
                f"operand types '{source}', '{scale}' and result type '{target}' are cast incompatible"
            )
        if is_shaped(source) != is_shaped(target) or shape(source) != shape(target):
            raise VerifyException("failed to verify that input and output have the same tensor dimensions")

    return Signature((FLOAT_LIKE, FLOAT_LIKE), (FLOAT_LIKE,), (elementwise, trait))


def _comparison(kind: Kind, predicates: Sequence[str]) -> Signature:
    def known(op: Operation) -> None:
        predicate = op.properties.get("predicate")
        if isinstance(predicate, IntegerAttr) and not 0 <= predicate.value.data < len(predicates):
            cases = ", ".join(map(str, range(len(predicates))))
            allowed = f"allowed 64-bit signless integer cases: {cases}"
            raise VerifyException(f"attribute 'predicate' failed to satisfy constraint: {allowed}")

    return Signature((kind, kind), (BOOL_LIKE,), (same_operand_types, bit_of_each, known))


SIGNATURES: dict[str, Signature] = {
    **{
        f"arith.{name}": Signature((INTEGER_LIKE, INTEGER_LIKE), (INTEGER_LIKE,), (same_type,))
        for name in _INTEGER_BINARY.split()
    },
    **{
        f"arith.{name}": Signature((FLOAT_LIKE, FLOAT_LIKE), (FLOAT_LIKE,), (same_type,))
        for name in _FLOAT_BINARY.split()
    },
    "arith.negf": Signature((FLOAT_LIKE,), (FLOAT_LIKE,), (same_type,)),
    "arith.addui_extended": Signature(
        (INTEGER_LIKE, INTEGER_LIKE),
        (INTEGER_LIKE, BOOL_LIKE),
        (same_types("lhs, rhs, sum", 0, 1, 2), elementwise, _overflow),
    ),
    "arith.mulsi_extended": Signature(
        (INTEGER_LIKE,) * 2, (INTEGER_LIKE,) * 2, (same_types("lhs, rhs, low, high", 0, 1, 2, 3),)
    ),
    "arith.mului_extended": Signature(
        (INTEGER_LIKE,) * 2, (INTEGER_LIKE,) * 2, (same_types("lhs, rhs, low, high", 0, 1, 2, 3),)
    ),
    "arith.extsi": _cast(FIXED_INTEGER_LIKE, FIXED_INTEGER_LIKE, _wider),
    "arith.extui": _cast(FIXED_INTEGER_LIKE, FIXED_INTEGER_LIKE, _wider),
    "arith.trunci": _cast(FIXED_INTEGER_LIKE, FIXED_INTEGER_LIKE, _narrower),
    "arith.extf": _cast(FLOAT_LIKE, FLOAT_LIKE, _wider),
    "arith.truncf": _cast(FLOAT_LIKE, FLOAT_LIKE, _narrower),
    "arith.scaling_extf": _scaled(_wider),
    "arith.scaling_truncf": _scaled(_narrower),
    "arith.sitofp": _cast(FIXED_INTEGER_LIKE, FLOAT_LIKE),
    "arith.uitofp": _cast(FIXED_INTEGER_LIKE, FLOAT_LIKE),
    "arith.fptosi": _cast(FLOAT_LIKE, FIXED_INTEGER_LIKE),
    "arith.fptoui": _cast(FLOAT_LIKE, FIXED_INTEGER_LIKE),
    "arith.index_cast": _cast(_INDEX_CAST, _INDEX_CAST, _one_is_index),
    "arith.index_castui": _cast(_INDEX_CAST, _INDEX_CAST, _one_is_index),
    "arith.bitcast": _cast(_BITCAST, _BITCAST, _as_wide),
    "arith.cmpi": _comparison(INTEGER_LIKE, INTEGER_PREDICATES),
    "arith.cmpf": _comparison(FLOAT_LIKE, FLOAT_PREDICATES),
    "arith.select": Signature(
        (BOOL_LIKE, ANY, ANY), (ANY,), (same_types("true_value, false_value, result", 1, 2, 3), _condition)
    ),
    "arith.constant": Signature((), (ANY,), (_constant,)),
}
