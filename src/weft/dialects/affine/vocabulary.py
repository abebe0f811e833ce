"""What the rows of `affine` say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import AffineMapAttr, AffineSetAttr, IndexType, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.affine.identifiers import check_identifiers
from weft.dialects.definitions import AttributeKind, Vocabulary, segments
from weft.dialects.kinds import ANY, Kind
from weft.dialects.traits import inherent


def _is_index(value: Attribute) -> bool:
    return isinstance(cast("Any", value).type, IndexType)


_MAP = AttributeKind("AffineMap attribute", lambda value: isinstance(value, AffineMapAttr))


def _element(op: Operation, memref: int) -> Attribute:
    return cast("MemRefType[Attribute]", op.operands[memref].type).element_type


def _accessed(op: Operation, indices: int) -> None:
    found = cast("AffineMapAttr", inherent(op, "map")).data
    check_identifiers(op.operands[indices:], found.num_dims)


def _loaded(op: Operation) -> None:
    if op.results[0].type != _element(op, 0):
        raise VerifyException("result type must match element type of memref")
    _accessed(op, 1)


def _stored(op: Operation) -> None:
    if op.operands[0].type != _element(op, 1):
        raise VerifyException("value to store must have the same type as memref element type")
    _accessed(op, 2)


def _vector(op: Operation) -> None:
    loads = len(op.results) == 1
    kind = cast("VectorType[Attribute]", op.results[0].type if loads else op.operands[0].type)
    if kind.element_type != _element(op, 0 if loads else 1):
        raise VerifyException("requires memref and vector types of the same elemental type")
    _accessed(op, 1 if loads else 2)


def _bounds(op: Operation) -> None:
    """The bounds of a loop, checked behind its body."""
    lower, upper, _ = segments(op)
    for name, given in (("lowerBoundMap", op.operands[:lower]), ("upperBoundMap", op.operands[lower : lower + upper])):
        check_identifiers(given, cast("AffineMapAttr", inherent(op, name)).data.num_dims)


def _condition(op: Operation) -> None:
    found = cast("AffineSetAttr", inherent(op, "condition")).data
    if len(op.operands) != found.num_dims + found.num_symbols:
        raise VerifyException("operand count and condition integer set dimension and symbol count must match")
    check_identifiers(op.operands, found.num_dims)


def _counts(op: Operation) -> None:
    found = cast("AffineMapAttr", inherent(op, "map")).data
    if len(op.operands) != found.num_dims + found.num_symbols:
        raise VerifyException("operand count and affine map dimension and symbol count must match")


WORDS = Vocabulary(
    {
        "any": ANY,
        "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
        "memref": Kind("memref of any type values", lambda kind: isinstance(kind, MemRefType)),
        "vector": Kind("vector of any type values", lambda kind: isinstance(kind, VectorType)),
    },
    {
        "condition": AttributeKind("IntegerSet attribute", lambda value: isinstance(value, AffineSetAttr)),
        "lowerBoundMap": _MAP,
        "map": _MAP,
        "step": AttributeKind("index attribute", lambda value: isinstance(value, IntegerAttr), _is_index),
        "upperBoundMap": _MAP,
    },
    {"bounds": _bounds, "counts": _counts, "if": _condition, "loaded": _loaded, "stored": _stored, "vector": _vector},
)
