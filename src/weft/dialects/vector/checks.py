"""What MLIR's verifiers say of products, reductions and memory accesses of `vector`, in their order and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.attributes import word_of
from weft.dialects.memref.layouts import strided
from weft.dialects.narrow import known_vector
from weft.dialects.vector.masks import extents, iteration_space, spelled

if TYPE_CHECKING:
    from xdsl.dialects.vector import MaskedLoadOp, MaskedStoreOp

    from weft.dialects.rows import vector

_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})
_ARITHMETIC = frozenset({"add", "mul"})


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise VerifyException(message)


def _element(kind: Attribute) -> Attribute:
    return cast("Attribute", getattr(kind, "element_type", kind))


def supports(kind: str, element: Attribute) -> bool:
    """Whether elements can be combined in a way."""
    if kind in _ARITHMETIC:
        return isinstance(element, IntegerType | IndexType | AnyFloat)
    if kind in _FLOAT_KINDS:
        return isinstance(element, AnyFloat)
    return isinstance(element, IntegerType | IndexType)


def _kind(op: vector.OuterproductOp | vector.ContractOp | vector.MultiReductionOp | vector.ScanOp) -> str:
    return op.kind.data.value


def outerproduct(op: vector.OuterproductOp) -> None:
    """Two lines, or a line and a scalar; the result has their extents."""
    result, left, right = known_vector(op.result.type), known_vector(op.lhs.type), narrow.vector(op.rhs.type)
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


def contract(op: vector.ContractOp) -> None:
    """A map for each operand, and shapes that agree with the iteration space."""
    maps = [index.data for index in op.indexing_maps.data]
    iterators = [entry.data.value for entry in op.iterator_types.data]
    _refuse(len(maps) != 3, "expected an indexing map for each vector operand")
    for place, (index, operand) in enumerate(zip(maps, (op.lhs, op.rhs, op.acc), strict=True)):
        shape = narrow.vector(operand.type)
        rank = 0 if shape is None else shape.get_num_dims()
        said = f"expected indexing map {place} to "
        _refuse(index.num_symbols != 0, f"{said}have no symbols")
        _refuse(index.num_dims != len(iterators), f"{said}have {len(iterators)} number of inputs")
        _refuse(len(index.results) != rank, f"{said}have {rank} number of outputs")
        _refuse(not index.is_projected_permutation(), f"{said}be a projected permutation of its inputs")
    left, right = (
        dict(zip(narrow.positions(index), known_vector(value.type).get_shape(), strict=True))
        for index, value in zip(maps, (op.lhs, op.rhs), strict=False)
    )
    for kind, what in (("reduction", "contracting"), ("parallel", "batch")):
        pairs = [dim for dim, found in enumerate(iterators) if found == kind and dim in left and dim in right]
        _refuse(kind == "reduction" and not pairs, "expected at least one contracting dimension pair")
        _refuse(any(left[dim] != right[dim] for dim in pairs), f"invalid {what} dimension map")
    unused = set(range(len(iterators))) - {*left, *right}
    _refuse(bool(unused), "expected all dimensions to be either a LHS or a RHS dimension")
    _accumulated(op, maps[2])
    _refuse(not supports(_kind(op), _element(op.result.type)), "unsupported contraction type")


def _accumulated(op: vector.ContractOp, index: AffineMap) -> None:
    """The accumulator of a product, and its result, have the shape that the map gives."""
    space = iteration_space(op)
    wanted = [space[cast("AffineDimExpr", expr).position] for expr in index.results]
    for kind in (op.result.type, op.acc.type):
        shaped = narrow.vector(kind)
        if not wanted:
            _refuse(shaped is not None and shaped.get_num_dims() > 0, "invalid accumulator/result vector shape")
        elif shaped is None or extents(shaped) != wanted:
            expected = spelled(wanted, _element(kind))
            _refuse(True, f"invalid accumulator/result vector shape, expected: '{expected}'")


def print_(op: Operation) -> None:
    """A text is printed alone, and the line ends behind it."""
    punctuation = op.properties.get("punctuation")
    alone = not op.operands and (punctuation is None or word_of(punctuation, "vector.punctuation") == "newline")
    if "stringLiteral" in op.properties and not alone:
        raise VerifyException("failed to verify that `source` or `punctuation` are not set when printing strings")


def multi_reduction(op: vector.MultiReductionOp) -> None:
    """The result has the dimensions that are not reduced."""
    source = known_vector(op.source.type)
    result = op.dest.type
    reduced = set(op.reduction_dims.get_values())
    kept = [dim for place, dim in enumerate(extents(source)) if place not in reduced]
    shape = narrow.vector(result)
    found: Sequence[tuple[int, bool]] = () if shape is None else extents(shape)
    _refuse(
        kept != list(found) or (shape is not None and not kept),
        f"destination type '{result}' is incompatible with source type '{source}'",
    )


def scan(op: vector.ScanOp) -> None:
    """Extents agree, and the combination is one that the elements have."""
    source, initial = known_vector(op.source.type), known_vector(op.initial_value.type)
    rank, dim = source.get_num_dims(), op.reduction_dim.value.data
    _refuse(dim >= rank or dim < 0, f"reduction dimension {dim} has to be less than {rank}")
    _refuse(
        initial.get_num_dims() != rank - 1, f"initial value rank {initial.get_num_dims()} has to be equal to {rank - 1}"
    )
    kept = [extent for place, extent in enumerate(source.get_shape()) if place != dim]
    _refuse(kept != list(initial.get_shape()), "incompatible input/initial value shapes")
    _refuse(
        not supports(_kind(op), source.element_type),
        f"unsupported reduction type '{source.element_type}' for kind '{_kind(op)}'",
    )


def _rank(kind: Attribute) -> int:
    return len(cast("Any", kind).get_shape())


def _gathered(op: vector.GatherOp | vector.ScatterOp, moved: Any, name: str) -> None:
    kind = op.base_.type
    indices, mask, value = known_vector(op.indices.type), known_vector(op.mask.type), known_vector(moved.type)
    _refuse(value.element_type != _element(kind), f"base and {name} element type should match")
    _refuse(len(op.offsets) != _rank(kind), f"requires {_rank(kind)} indices")
    _refuse(value.get_shape() != indices.get_shape(), f"expected {name} dim to match indices dim")
    _refuse(value.get_shape() != mask.get_shape(), f"expected {name} dim to match mask dim")


def gather(op: vector.GatherOp) -> None:
    """Shapes of indices, mask and result agree."""
    _gathered(op, op.result, "result")
    _refuse(op.pass_thru.type != op.result.type, "expected pass_thru of same type as result type")


def scatter(op: vector.ScatterOp) -> None:
    """Shapes of indices, mask and value agree."""
    _gathered(op, op.value_to_store, "valueToStore")


def _packed(op: vector.ExpandloadOp | vector.CompressstoreOp, moved: Any, name: str) -> None:
    kind, mask, value = op.base_.type, known_vector(op.mask.type), known_vector(moved.type)
    _refuse(value.element_type != _element(kind), f"base and {name} element type should match")
    _refuse(len(op.indices) != _rank(kind), f"requires {_rank(kind)} indices")
    _refuse(value.get_shape() != mask.get_shape(), f"expected {name} dim to match mask dim")


def expandload(op: vector.ExpandloadOp) -> None:
    """Elements of memory and vector agree, as do mask and result."""
    _packed(op, op.result, "result")
    _refuse(op.pass_thru.type != op.result.type, "expected pass_thru of same type as result type")


def compressstore(op: vector.CompressstoreOp) -> None:
    """Elements of memory and vector agree, as do mask and value."""
    _packed(op, op.value_to_store, "valueToStore")


def scalable_insert(op: vector.ScalableInsertOp) -> None:
    """The place is a multiple of the part's length."""
    _refuse(
        op.pos.value.data % known_vector(op.value_to_store.type).get_shape()[0] != 0,
        "failed to verify that position is a multiple of the source length.",
    )


def scalable_extract(op: vector.ScalableExtractOp) -> None:
    """The place is a multiple of the part's length."""
    _refuse(
        op.pos.value.data % known_vector(op.results[0].type).get_shape()[0] != 0,
        "failed to verify that position is a multiple of the result length.",
    )


def _flat(kind: Any) -> tuple[list[int], Attribute]:
    """The extents of a memref and of the vectors in it, and what those are made of."""
    shape, element = list(kind.get_shape()), kind.element_type
    inner = narrow.vector(element)
    return (shape, element) if inner is None else (shape + list(inner.get_shape()), inner.element_type)


def _is_identity(kind: MemRefType[Attribute]) -> bool:
    """Whether elements lie side by side."""
    return kind.layout == NoneAttr() or strided(kind) == strided(MemRefType(kind.element_type, kind.shape))


def type_cast(op: Operation) -> None:
    """The buffer is contiguous, and the vector has its shape."""
    source, result = op.operands[0].type, op.results[0].type
    for which, kind in (("operand", source), ("result", result)):
        _refuse(not _is_identity(cast("Any", kind)), f"expects {which} to be a memref with identity layout")
    _refuse(cast("Any", source).memory_space != cast("Any", result).memory_space, "expects result in same memory space")
    (extents_before, element_before), (extents_behind, element_behind) = _flat(source), _flat(result)
    _refuse(
        element_before != element_behind, f"expects result and operand with same underlying scalar type: '{result}'"
    )
    _refuse(extents_before != extents_behind, f"expects concatenated result and operand shapes to be equal: '{result}'")


def _masked_memory(op: MaskedLoadOp | MaskedStoreOp, moved: Any, name: str) -> None:
    kind, value = op.operand_types[0], known_vector(moved.type)
    _refuse(value.element_type != _element(kind), f"base and {name} element type should match")
    _refuse(len(op.indices) != _rank(kind), f"requires {_rank(kind)} indices")
    _refuse(value.get_shape() != known_vector(op.mask.type).get_shape(), f"expected {name} shape to match mask shape")


def maskedload(op: MaskedLoadOp) -> None:
    """Elements of memory and vector agree, as do mask and result."""
    _masked_memory(op, op.results[0], "result")
    _refuse(op.pass_thru.type != op.result_types[0], "expected pass_thru of same type as result type")


def maskedstore(op: MaskedStoreOp) -> None:
    """Elements of memory and vector agree, as do mask and value."""
    _masked_memory(op, op.value_to_store, "valueToStore")
