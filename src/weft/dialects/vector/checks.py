"""What MLIR's verifiers say of products, reductions and memory accesses of `vector`, in their order and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType, IntegerAttr, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow

_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})
_ARITHMETIC = frozenset({"add", "mul"})


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise VerifyException(message)


def _vector(kind: Attribute) -> VectorType[Attribute]:
    found = narrow.vector(kind)
    assert found is not None
    return found


def _element(kind: Attribute) -> Attribute:
    return cast("Attribute", getattr(kind, "element_type", kind))


def _scalable(kind: VectorType[Attribute]) -> tuple[bool, ...]:
    return tuple(bool(cast("Any", dim).value.data) for dim in kind.scalable_dims.data)


def extents(kind: VectorType[Attribute]) -> Sequence[tuple[int, bool]]:
    """The extent of each dimension, and whether it is scalable."""
    return list(zip(kind.get_shape(), _scalable(kind), strict=True))


def supports(kind: str, element: Attribute) -> bool:
    """Whether elements can be combined in a way."""
    if kind in _ARITHMETIC:
        return isinstance(element, IntegerType | IndexType | AnyFloat)
    if kind in _FLOAT_KINDS:
        return isinstance(element, AnyFloat)
    return isinstance(element, IntegerType | IndexType)


def _kind(op: Any) -> str:
    return cast("str", op.kind.data.value)


def _outerproduct(op: Any) -> None:
    result, left, right = _vector(op.result.type), _vector(op.lhs.type), narrow.vector(op.rhs.type)
    for name, kind in (("lhs", op.lhs.type), ("rhs", op.rhs.type)):
        _refuse(
            _element(kind) != result.element_type,
            f"failed to verify that {name} operand and result have same element type",
        )
    _refuse(left.get_num_dims() != 1, "expected 1-d vector for operand #1")
    dims = extents(result)
    if right is not None:
        _refuse(right.get_num_dims() != 1, "expected 1-d vector for operand #2")
        _refuse(result.get_num_dims() != 2, "expected 2-d vector result")
        _refuse(left.get_shape()[0] != dims[0][0], "expected #1 operand dim to match result dim #1")
        _refuse(right.get_shape()[0] != dims[1][0], "expected #2 operand dim to match result dim #2")
    else:
        _refuse(result.get_num_dims() != 1, "expected 1-d vector result")
        _refuse(left.get_shape()[0] != dims[0][0], "expected #1 operand dim to match result dim #1")
    _refuse(op.acc is not None and op.acc.type != result, "expected operand #3 of same type as result type")
    _refuse(not supports(_kind(op), result.element_type), "unsupported outerproduct type")


def _contract(op: Any) -> None:
    maps = op.indexing_maps.data
    iterators = len(op.iterator_types.data)
    _refuse(len(maps) != 3, "expected an indexing map for each vector operand")
    for place, (found, operand) in enumerate(zip(maps, (op.lhs, op.rhs, op.acc), strict=True)):
        index = found.data
        shape = narrow.vector(operand.type)
        rank = 0 if shape is None else shape.get_num_dims()
        said = f"expected indexing map {place} to "
        _refuse(index.num_symbols != 0, f"{said}have no symbols")
        _refuse(index.num_dims != iterators, f"{said}have {iterators} number of inputs")
        _refuse(len(index.results) != rank, f"{said}have {rank} number of outputs")
        _refuse(not index.is_projected_permutation(), f"{said}be a projected permutation of its inputs")
    _refuse(not supports(_kind(op), _element(op.result.type)), "unsupported contraction type")


def _multi_reduction(op: Any) -> None:
    source = _vector(op.source.type)
    result = op.dest.type
    _refuse(not source.get_shape(), f"operand #0 must be vector of any type values, but got '{source}'")
    _refuse(op.acc.type != result, "failed to verify that all of {dest, acc} have same type")
    _refuse(
        _element(source) != _element(result), "failed to verify that source operand and result have same element type"
    )
    reduced = set(op.reduction_dims.get_values())
    kept = [dim for place, dim in enumerate(extents(source)) if place not in reduced]
    shape = narrow.vector(result)
    found: Sequence[tuple[int, bool]] = () if shape is None else extents(shape)
    _refuse(
        kept != list(found) or (shape is not None and not kept),
        f"destination type '{result}' is incompatible with source type '{source}'",
    )


def _scan(op: Any) -> None:
    source, initial = _vector(op.source.type), _vector(op.initial_value.type)
    rank, dim = source.get_num_dims(), op.reduction_dim.value.data
    _refuse(dim >= rank or dim < 0, f"reduction dimension {dim} has to be less than {rank}")
    _refuse(
        initial.get_num_dims() != rank - 1,
        f"initial value rank {initial.get_num_dims()} has to be equal to {rank - 1}",
    )
    kept = [extent for place, extent in enumerate(source.get_shape()) if place != dim]
    _refuse(kept != list(initial.get_shape()), "incompatible input/initial value shapes")
    _refuse(
        not supports(_kind(op), source.element_type),
        f"unsupported reduction type {source.element_type} for kind '{_kind(op)}'",
    )


def _is_index(kind: Attribute) -> bool:
    element = _element(kind)
    signless = isinstance(element, IntegerType) and cast("Any", element).signedness.data is Signedness.SIGNLESS
    return signless or isinstance(element, IndexType)


def _rank(kind: Attribute) -> int:
    return len(cast("Any", kind).get_shape())


def _gathered(op: Any, moved: Any, name: str, place: int) -> None:
    kind = op.base_.type
    indices, mask, value = _vector(op.indices.type), _vector(op.mask.type), _vector(moved.type)
    _refuse(
        not _is_index(indices) or not indices.get_shape(),
        f"operand #{place} must be vector of integer or index values, but got '{indices}'",
    )
    _refuse(value.element_type != _element(kind), f"base and {name} element type should match")
    _refuse(len(op.offsets) != _rank(kind), f"requires {_rank(kind)} indices")
    _refuse(value.get_shape() != indices.get_shape(), f"expected {name} dim to match indices dim")
    _refuse(value.get_shape() != mask.get_shape(), f"expected {name} dim to match mask dim")


def _gather(op: Any) -> None:
    _gathered(op, op.result, "result", 1 + len(op.offsets))
    _refuse(op.pass_thru.type != op.result.type, "expected pass_thru of same type as result type")


def _scatter(op: Any) -> None:
    _gathered(op, op.value_to_store, "valueToStore", 1 + len(op.offsets))


def _packed(op: Any, moved: Any, name: str) -> None:
    kind, mask, value = op.base_.type, _vector(op.mask.type), _vector(moved.type)
    _refuse(value.element_type != _element(kind), f"base and {name} element type should match")
    _refuse(len(op.indices) != _rank(kind), f"requires {_rank(kind)} indices")
    _refuse(value.get_shape() != mask.get_shape(), f"expected {name} dim to match mask dim")


def _expandload(op: Any) -> None:
    _packed(op, op.result, "result")
    _refuse(op.pass_thru.type != op.result.type, "expected pass_thru of same type as result type")


def _compressstore(op: Any) -> None:
    _packed(op, op.value_to_store, "valueToStore")


def _of_one_rank(op: Operation) -> None:
    for place, value in enumerate(op.operands):
        kind = _vector(value.type)
        whole = (place == 0) == (op.name == "vector.scalable.insert")
        scalable = _scalable(kind)
        wrong = kind.get_num_dims() != 1 or (not whole and not any(scalable))
        _refuse(wrong, f"operand #{place} must be  of ranks 1, but got '{kind}'")


def _scalable_insert(op: Any) -> None:
    _of_one_rank(op)
    value, dest = _vector(op.value_to_store.type), _vector(op.dest.type)
    _refuse(
        value.element_type != dest.element_type,
        "failed to verify that all of {valueToStore, dest} have same element type",
    )
    _refuse(
        op.pos.value.data % value.get_shape()[0] != 0,
        "failed to verify that position is a multiple of the source length.",
    )


def _scalable_extract(op: Any) -> None:
    _of_one_rank(op)
    source, result = _vector(op.operands[0].type), _vector(op.results[0].type)
    _refuse(
        source.element_type != result.element_type,
        "failed to verify that all of {source, res} have same element type",
    )
    _refuse(
        op.pos.value.data % result.get_shape()[0] != 0,
        "failed to verify that position is a multiple of the result length.",
    )


def _flat(kind: Any) -> tuple[list[int], Attribute]:
    """The extents of a memref and of the vectors in it, and what those are made of."""
    shape, element = list(kind.get_shape()), kind.element_type
    inner = narrow.vector(element)
    return (shape, element) if inner is None else (shape + list(inner.get_shape()), inner.element_type)


def _type_cast(op: Operation) -> None:
    source, result = op.operands[0].type, op.results[0].type
    if DYNAMIC_INDEX in cast("Any", source).get_shape():
        raise VerifyException(f"operand #0 must be statically shaped memref of any type values, but got '{source}'")
    _refuse(cast("Any", source).memory_space != cast("Any", result).memory_space, "expects result in same memory space")
    (extents_before, element_before), (extents_behind, element_behind) = _flat(source), _flat(result)
    _refuse(
        element_before != element_behind,
        f"expects result and operand with same underlying scalar type: '{result}'",
    )
    _refuse(
        extents_before != extents_behind,
        f"expects concatenated result and operand shapes to be equal: '{result}'",
    )


def alignment(op: Operation) -> None:
    """Refuse an alignment that is no power of two.

    Raises:
        VerifyException: it is none.
    """
    given = op.properties.get("alignment", op.attributes.get("alignment"))
    if not isinstance(given, IntegerAttr):
        return
    value: int = cast("Any", given).value.data
    if value <= 0 or value & (value - 1):
        raise VerifyException(
            "attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose value is "
            "positive and whose value is a power of two > 0"
        )


def _aligned(rule: Callable[[Any], None]) -> Callable[[Any], None]:
    def verify(op: Any) -> None:
        alignment(op)
        rule(op)

    return verify


CHECKS: dict[str, Callable[[Any], None]] = {
    "vector.compressstore": _aligned(_compressstore),
    "vector.contract": _contract,
    "vector.expandload": _aligned(_expandload),
    "vector.gather": _aligned(_gather),
    "vector.multi_reduction": _multi_reduction,
    "vector.outerproduct": _outerproduct,
    "vector.scalable.extract": _scalable_extract,
    "vector.scalable.insert": _scalable_insert,
    "vector.scan": _scan,
    "vector.scatter": _aligned(_scatter),
    "vector.store": alignment,
    "vector.type_cast": _type_cast,
}
"""The rule of each operation."""
