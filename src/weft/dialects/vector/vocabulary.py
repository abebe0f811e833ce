"""What the rows of `vector` say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, Trait, element
from weft.dialects.memref.vocabulary import (
    ALIGNMENT,
    DENSE,
    FLAG,
    MEMREF,
    STATIC,
    array_of,
    integer,
    is_a,
    is_boolean,
    is_long,
)
from weft.dialects.narrow import Vector
from weft.dialects.traits import terminator

_SHAPED = (VectorType, TensorType, UnrankedTensorType, MemRefType, UnrankedMemRefType)


def scalable(kind: Vector) -> tuple[bool, ...]:
    """Which extents are multiplied by what the machine has."""
    return tuple(bool(cast("Any", dim).value.data) for dim in kind.scalable_dims.data)


def _vector(summary: str, holds: Callable[[Vector], bool] = lambda _: True, *, ranked: bool = False) -> Kind:
    def wanted(kind: Attribute) -> bool:
        if not isinstance(kind, VectorType):
            return False
        vector = cast("Vector", kind)
        return holds(vector) and not (ranked and not vector.get_num_dims())

    return Kind(summary, wanted)


def _is_fixed(kind: Vector) -> bool:
    return not any(scalable(kind))


def _is_bits(kind: Vector) -> bool:
    return kind.element_type == i1


def _prints(kind: Attribute) -> bool:
    if isinstance(kind, _SHAPED) and not isinstance(kind, VectorType):
        return False
    return isinstance(element(cast("Attribute", kind)), IntegerType | IndexType | AnyFloat)


def _is_step(kind: Vector) -> bool:
    return kind.element_type == IndexType() and kind.get_num_dims() == 1


_TYPES = {
    "any": ANY,
    "base": Kind(
        "Tensor or MemRef of any type values",
        lambda kind: isinstance(kind, _SHAPED) and not isinstance(kind, VectorType),
    ),
    "bits": _vector("vector of 1-bit signless integer values", _is_bits),
    "fixed": _vector("fixed-length vector of any type values", _is_fixed),
    "fixed_mask": _vector(
        "fixed-length vector of 1-bit signless integer values", lambda k: _is_bits(k) and _is_fixed(k), ranked=True
    ),
    "floats": _vector("vector of floating-point values", lambda kind: isinstance(kind.element_type, AnyFloat)),
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "line": _vector(" of ranks 1", lambda kind: kind.get_num_dims() == 1),
    "mask": _vector("vector of 1-bit signless integer values", _is_bits, ranked=True),
    "memref": MEMREF,
    "places": _vector(
        "vector of integer or index values",
        lambda kind: isinstance(kind.element_type, IntegerType | IndexType),
        ranked=True,
    ),
    "printed": Kind("", _prints),
    "ranked": _vector("vector of any type values", ranked=True),
    "scalable": _vector(" of ranks 1", lambda kind: kind.get_num_dims() == 1 and not _is_fixed(kind)),
    "shaped": Kind("shaped of any type values", lambda kind: isinstance(kind, _SHAPED)),
    "static": STATIC,
    "step": _vector("vector of index values of ranks 1", _is_step),
    "tensor": Kind("ranked tensor of any type values", lambda kind: isinstance(kind, TensorType)),
    "vector": _vector("vector of any type values"),
}
_INTEGERS = array_of("64-bit integer array attribute", is_long)
_KIND = AttributeKind(
    "Kind of combining function for contractions and reductions", lambda value: value.name == "vector.kind"
)
_ATTRIBUTES = {
    **dict.fromkeys(("mask", "mask_dim_sizes", "permutation", "reduction_dims", "static_position"), DENSE),
    **dict.fromkeys(("offsets", "sizes", "strides"), _INTEGERS),
    **dict.fromkeys(("inclusive", "nontemporal"), FLAG),
    "alignment": ALIGNMENT,
    "fastmath": AttributeKind("Floating point fast math flags", lambda value: value.name == "arith.fastmath"),
    "in_bounds": array_of("1-bit boolean array attribute", is_boolean),
    "indexing_maps": is_a("array attribute", ArrayAttr),
    "iterator_types": is_a("Iterator type should be an enum.", ArrayAttr),
    "kind": _KIND,
    "permutation_map": is_a("AffineMap attribute", AffineMapAttr),
    "pos": integer("64-bit signless integer attribute", i64),
    "punctuation": AttributeKind(
        "Punctuation for separating vectors or vector elements", lambda value: value.name == "vector.punctuation"
    ),
    "reduction_dim": integer("64-bit signless integer attribute", i64),
    "stringLiteral": is_a("An Attribute containing a string", StringAttr),
}


def _alike(what: str, one: int, other: int) -> Trait:
    """Two of the operands and results, counted together from either end, have the same elements."""

    def trait(op: Operation) -> None:
        values = (*op.operands, *op.results)
        if element(values[one].type) != element(values[other].type):
            raise VerifyException(f"failed to verify that {what} have same element type")

    return trait


def _same(names: str, one: int, other: int) -> Trait:
    """Two of them, counted so, have the same type."""

    def trait(op: Operation) -> None:
        values = (*op.operands, *op.results)
        if values[one].type != values[other].type:
            raise VerifyException(f"failed to verify that all of {{{names}}} have same type")

    return trait


def _started(op: Operation) -> None:
    if len(op.operands) > 1 and op.operands[1].type != op.results[0].type:
        raise VerifyException("failed to verify that dest and acc have the same type")


_TRAITS: dict[str, Trait] = {
    "acc_alike": _alike("third operand acc and result", 2, -1),
    "both": _same("lhs, rhs", 0, 1),
    "dest": _same("dest, result", 1, -1),
    "dest_acc": _same("dest, acc", 1, -1),
    "extracted": _alike("operand and result", 0, -1),
    "fused": _same("lhs, rhs, acc, result", 0, 1),
    "fused_acc": _same("lhs, rhs, acc, result", 0, 2),
    "fused_result": _same("lhs, rhs, acc, result", 0, 3),
    "halves": _same("res1, res2", -2, -1),
    "inserted": _alike("source operand and result", 0, -1),
    "inserted_slice": _alike("operand #0 and result", 0, -1),
    "left_alike": _alike("lhs operand and result", 0, -1),
    "pair_alike": _alike("lhs and rhs", 0, 1),
    "reduced": _alike("source operand and result", 0, -1),
    "right_alike": _alike("rhs operand and result", 1, -1),
    "started": _started,
    "scalable_in": _alike("all of {valueToStore, dest}", 0, 1),
    "scalable_out": _alike("all of {source, result}", 0, -1),
    "scanned": _same("source, dest", 0, 2),
    "scanned_end": _same("initial_value, accumulated_value", 1, 3),
    "shuffled": _alike("first operand v1 and result", 0, -1),
    "shuffled_too": _alike("second operand v2 and result", 1, -1),
    "terminator": terminator,
}
WORDS = Vocabulary(_TYPES, _ATTRIBUTES, _TRAITS)
