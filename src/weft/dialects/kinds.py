"""What definitions of operations have for words: kinds of types, and traits between the types of an operation.

xDSL constrains less than upstream and has no summaries; these word what they refuse as upstream does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    IndexType,
    IntegerType,
    MemRefType,
    Signedness,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dataclass import dataclass

Trait = Callable[[Operation], None]
"""Raises VerifyException when an operation lacks it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The types that an operand or a result can have, and what upstream calls them."""

    summary: str
    holds: Callable[[Attribute], bool]


_SHAPED = (VectorType, TensorType, UnrankedTensorType)
_IN_MEMORY = (MemRefType, UnrankedMemRefType)


def is_shaped(kind: Attribute) -> bool:
    """Whether a type is a vector or a tensor."""
    return isinstance(kind, _SHAPED)


def element(kind: Attribute) -> Attribute:
    """The type of the elements of a vector or tensor; another type itself."""
    return cast("Attribute", cast("Any", kind).element_type) if is_shaped(kind) else kind


def _stored(kind: Attribute) -> Attribute:
    """The type of the elements of a vector, tensor or memref; another type itself."""
    return cast("Attribute", cast("Any", kind).element_type) if isinstance(kind, _IN_MEMORY) else element(kind)


def shape(kind: Attribute) -> tuple[int, ...] | None:
    """The shape of a vector, ranked tensor or memref; () of a scalar, None where the rank is not known.

    A scalable extent n is -1 - n, so that it agrees with no other.
    """
    if isinstance(kind, VectorType):
        vector = cast("VectorType[Attribute]", kind)
        scalable = [bool(cast("Any", dim).value.data) for dim in vector.scalable_dims.data]
        extents = vector.get_shape()
        if any(scalable):
            return tuple(-1 - n if grows else n for n, grows in zip(extents, scalable, strict=True))
        return tuple(extents)
    if isinstance(kind, TensorType | MemRefType):
        return tuple(cast("TensorType[Attribute] | MemRefType[Attribute]", kind).get_shape())
    return None if isinstance(kind, UnrankedTensorType | UnrankedMemRefType) else ()


def is_signless(kind: Attribute) -> bool:
    """Whether a type is a signless integer."""
    return isinstance(kind, IntegerType) and cast("Any", kind).signedness.data is Signedness.SIGNLESS


def like(summary: str, scalar: Callable[[Attribute], bool]) -> Kind:
    """A scalar, or a vector or tensor of such."""
    return Kind(summary, lambda kind: scalar(element(kind)))


def like_or_memref(summary: str, scalar: Callable[[Attribute], bool]) -> Kind:
    """A scalar, or a vector, tensor or ranked memref of such."""
    return Kind(summary, lambda kind: not isinstance(kind, UnrankedMemRefType) and scalar(_stored(kind)))


INTEGER_LIKE = like("signless-integer-like", lambda kind: isinstance(kind, IndexType) or is_signless(kind))
FIXED_INTEGER_LIKE = like("signless-fixed-width-integer-like", is_signless)
FLOAT_LIKE = like("floating-point-like", lambda kind: isinstance(kind, AnyFloat))
BOOL_LIKE = like("bool-like", lambda kind: kind == i1)
ANY = Kind("any type", lambda _: True)


def same_type(op: Operation) -> None:
    """`SameOperandsAndResultType`: shapes and elements agree, dynamic sizes with any."""
    types = [value.type for value in (*op.operands, *op.results)]
    if any(kind is not types[0] and kind != types[0] for kind in types):
        raise VerifyException("requires the same type for all operands and results")


def same_operand_types(op: Operation) -> None:
    """`SameTypeOperands`."""
    types = op.operand_types
    if any(kind != types[0] for kind in types):
        raise VerifyException("requires all operands to have the same type")


def same_shape(op: Operation) -> None:
    """`SameOperandsAndResultShape`: a scalar has no shape."""
    shapes = [shape(value.type) for value in (*op.operands, *op.results)]
    scalar = [not isinstance(value.type, _SHAPED + _IN_MEMORY) for value in (*op.operands, *op.results)]
    if any(scalar) != all(scalar) or any(not _agree(found, shapes[0]) for found in shapes):
        raise VerifyException("requires the same shape for all operands and results")


def bits(kind: Attribute) -> Attribute:
    """A bit for each element of a type."""
    if isinstance(kind, VectorType):
        vector = cast("VectorType[Attribute]", kind)
        return VectorType(i1, vector.get_shape(), vector.scalable_dims)
    if isinstance(kind, TensorType):
        tensor = cast("TensorType[Attribute]", kind)
        return TensorType(i1, tensor.get_shape(), tensor.encoding)
    return UnrankedTensorType(i1) if isinstance(kind, UnrankedTensorType) else i1


def bit_of_each(op: Operation) -> None:
    """The result of a comparison or test: a bit, or a bit for each element.

    Raises:
        VerifyException: it is another.
    """
    compared, result = op.operands[0].type, op.results[0].type
    if shape(compared) != shape(result) or is_shaped(compared) != is_shaped(result):
        raise VerifyException("failed to verify that result type has i1 element type and same shape as operands")


def _agree(left: tuple[int, ...] | None, right: tuple[int, ...] | None) -> bool:
    if left is None or right is None:
        # A scalable extent agrees with no dynamic one: it must be scalable, too.
        return not any(DYNAMIC_INDEX < extent < 0 for extent in (*(left or ()), *(right or ())))
    return len(left) == len(right) and all(
        a == b or (DYNAMIC_INDEX in (a, b) and max(a, b) >= 0) for a, b in zip(left, right, strict=True)
    )


def same_types(names: str, *indices: int) -> Trait:
    """`AllTypesMatch` of some of the operands and results, counted together; `names` are upstream's."""

    def trait(op: Operation) -> None:
        values = (*op.operands, *op.results)
        if any(values[index].type != values[indices[0]].type for index in indices):
            raise VerifyException(f"failed to verify that all of {{{names}}} have same type")

    return trait


def elementwise(op: Operation) -> None:
    """`Elementwise`: where a value is no scalar, all are of its shape."""
    operands = [is_shaped(kind) for kind in op.operand_types]
    results = [is_shaped(kind) for kind in op.result_types]
    if any(results) and not any(operands):
        raise VerifyException("if a result is non-scalar, then at least one operand must be non-scalar")
    if any(operands) and not any(results):
        raise VerifyException("if an operand is non-scalar, then there must be at least one non-scalar result")
    if any(operands) and not all(results):
        raise VerifyException("if an operand is non-scalar, then all results must be non-scalar")
    shaped = [kind for kind in (*op.operand_types, *op.result_types) if is_shaped(kind)]
    if any(type(kind) is not type(shaped[0]) or not _agree(shape(kind), shape(shaped[0])) for kind in shaped):
        raise VerifyException("all non-scalar operands/results must have the same shape and base type")


def castable(compatible: Callable[[Attribute, Attribute], bool]) -> Trait:
    """`CastOpInterface`: whether the elements of the operand and of the result go together."""

    def trait(op: Operation) -> None:
        (source,), (target,) = op.operand_types, op.result_types
        if not compatible(_stored(source), _stored(target)):
            raise VerifyException(f"operand type '{source}' and result type '{target}' are cast incompatible")

    return trait
