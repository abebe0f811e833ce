"""What MLIR's verifiers say of `memref` operations beyond their definitions, where xDSL says less.

Each check looks at one operation that fits its definition and raises for what is wrong with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    AnyFloat,
    MemRefType,
    NoneAttr,
    ShapedType,
    StridedLayoutAttr,
    UnrankedMemRefType,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineDimExpr, AffineExpr, AffineMap
from xdsl.traits import is_side_effect_free
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow, slices
from weft.dialects.affine.algebra import add
from weft.dialects.arith.predicates import ATOMIC_KINDS
from weft.dialects.memref.layouts import strided, unknowns
from weft.dialects.memref.reshaping import verify_collapse, verify_expand
from weft.dialects.narrow import known_memref
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from xdsl.dialects.memref import ExtractStridedMetaDataOp

    from weft.dialects import rows

_INTEGER_KINDS = frozenset({"addi", "maxs", "maxu", "mins", "minu", "muli", "ori", "andi", "xori"})
_FLOAT_KINDS = frozenset({"addf", "maximumf", "minimumf", "mulf", "maxnumf", "minnumf"})


def _same_space(what: str, source: narrow.AnyMemRef, other: str, result: narrow.AnyMemRef) -> None:
    if source.memory_space != result.memory_space:
        raise PlainVerifyException(
            f"different memory spaces specified for {what} type '{source}' and {other} type '{result}'"
        )


def _same_elements(what: str, source: narrow.AnyMemRef, result: narrow.AnyMemRef) -> None:
    if source.element_type != result.element_type:
        raise PlainVerifyException(
            f"different element types specified for {what} type '{source}' and result memref type '{result}'"
        )


def _element(value: Attribute) -> Attribute:
    """The type of the elements of a memref with or without a rank."""
    assert isinstance(value, MemRefType | UnrankedMemRefType)
    return cast("MemRefType[Attribute]", value).element_type


def _dynamic_sizes(kind: MemRefType[Attribute], given: int) -> None:
    expected = kind.get_shape().count(DYNAMIC_INDEX)
    if given != expected:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {expected}")


def allocation(op: memref.AllocOp | memref.AllocaOp) -> None:
    """As many sizes as the shape leaves open, and symbols as the layout has."""
    _dynamic_sizes(known_memref(op.memref.type), len(op.dynamic_sizes))
    unknown = unknowns(known_memref(op.memref.type))
    if unknown != len(op.symbol_operands):
        raise VerifyException(
            "symbol operand count does not equal memref symbol count: "
            f"expected {unknown}, got {len(op.symbol_operands)}"
        )


def assume_alignment(op: memref.AssumeAlignmentOp) -> None:
    """The alignment is a power of two."""
    if op.alignment.value.data.bit_count() != 1:
        raise VerifyException("alignment must be power of 2")


def atomic_rmw(op: rows.memref.AtomicRmwOp) -> None:
    """A subscript for each dimension, and a combination that the elements have."""
    if len(op.indices) != known_memref(op.memref.type).get_num_dims():
        raise VerifyException("expects the number of subscripts to be equal to memref rank")
    floating = isinstance(op.value.type, AnyFloat)
    kind = ATOMIC_KINDS[narrow.number(op.kind)]
    if kind in _INTEGER_KINDS and floating:
        raise VerifyException(f"with kind '{kind}' expects an integer type")
    if kind in _FLOAT_KINDS and not floating:
        raise VerifyException(f"with kind '{kind}' expects a floating-point type")


def known_cast(op: rows.memref.CastOp) -> None:
    """Both are the same buffer, one with more known statically."""
    _refuse_unless(_cast_compatible, op)


def memory_space_cast(op: rows.memref.MemorySpaceCastOp) -> None:
    """Both are the same buffer in two memory spaces."""
    _refuse_unless(lambda source, dest: _without_space(source) == _without_space(dest), op)


def _refuse_unless(
    compatible: Callable[[narrow.AnyMemRef, narrow.AnyMemRef], bool],
    op: rows.memref.CastOp | rows.memref.MemorySpaceCastOp,
) -> None:
    source, dest = narrow.any_memref(op.source.type), narrow.any_memref(op.dest.type)
    if source is None or dest is None or not compatible(source, dest):
        raise VerifyException(f"operand type '{source}' and result type '{dest}' are cast incompatible")


def _cast_compatible(source: narrow.AnyMemRef, dest: narrow.AnyMemRef) -> bool:
    if (source.element_type, source.memory_space) != (dest.element_type, dest.memory_space):
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(dest, UnrankedMemRefType):
        return source != dest
    if not _compatible(source.get_shape(), dest.get_shape()):
        return False
    if source.layout == dest.layout:
        return True
    one, other = strided(source), strided(dest)
    if one is None or other is None:
        return False
    return all(a == b or a is None or b is None for a, b in zip((*one[0], one[1]), (*other[0], other[1]), strict=True))


def _without_space(memref: narrow.AnyMemRef) -> tuple[object, ...]:
    if isinstance(memref, UnrankedMemRefType):
        return (memref.element_type,)
    return memref.element_type, memref.shape, memref.layout


def dma_wait(op: rows.memref.DmaWaitOp) -> None:
    """A subscript of the tag for each of its dimensions."""
    rank = known_memref(op.tag.type).get_num_dims()
    if len(op.tag_indices) != rank:
        raise VerifyException(
            "expected tagIndices to have the same number of elements as the tagMemRef rank, "
            f"expected {rank}, but got {len(op.tag_indices)}"
        )


def reassociation(op: memref.CollapseShapeOp | memref.ExpandShapeOp) -> None:
    """The groups cover all dimensions, and sizes and layouts agree."""
    source, result = known_memref(op.src.type), known_memref(op.result.type)
    collapsed, expanded = (result, source) if isinstance(op, memref.CollapseShapeOp) else (source, result)
    groups: list[list[int]] = [[index.value.data for index in group] for group in op.reassociation]
    if len(groups) != collapsed.get_num_dims():
        raise VerifyException(
            f"invalid number of reassociation groups: found {len(groups)}, expected {collapsed.get_num_dims()}"
        )
    shape, start = expanded.get_shape(), 0
    for dim, (size, group) in enumerate(zip(collapsed.get_shape(), groups, strict=True)):
        for place, inner in enumerate(group, start):
            if inner != place:
                raise VerifyException("reassociation indices must be contiguous")
            if inner >= len(shape):
                raise VerifyException(f"reassociation index {inner} is out of bounds")
        start += len(group)
        extents = [shape[inner] for inner in group]
        if (DYNAMIC_INDEX in extents) != (size == DYNAMIC_INDEX):
            raise VerifyException(
                f"collapsed dim ({dim}) must be dynamic if and only if reassociation group is dynamic"
            )
        if size != DYNAMIC_INDEX and math.prod(extents) != size:
            raise VerifyException(
                f"collapsed dim size ({size}) must equal reassociation group size ({math.prod(extents)})"
            )
    if groups and start != len(shape):
        raise VerifyException(
            f"expanded rank ({len(shape)}) inconsistent with number of reassociation indices ({start})"
        )
    if not groups and any(extent != 1 for extent in shape):
        raise VerifyException("rank 0 memrefs can only be extended/collapsed with/from ones")
    if isinstance(op, memref.CollapseShapeOp):
        verify_collapse(op, groups)
    else:
        verify_expand(op, groups)


def generic_atomic_rmw(op: rows.memref.GenericAtomicRmwOp) -> None:
    """A subscript for each dimension, and a body of one element that only computes."""
    if len(op.atomic_body.blocks) > 1:
        raise VerifyException("expects region #0 to have 0 or 1 blocks")
    body = op.atomic_body.first_block
    if body is None or len(body.args) != 1:
        raise VerifyException("expected single number of entry block arguments")
    if body.args[0].type != op.result.type:
        raise VerifyException("expected block argument of the same type result type")
    for inner in list(body.ops)[:-1]:
        if not is_side_effect_free(inner):
            said = "body of 'memref.generic_atomic_rmw' should contain only operations with no side effects"
            raise PlainVerifyException(said, inner)


def atomic_yield(op: rows.memref.AtomicYieldOp) -> None:
    """It ends a `memref.generic_atomic_rmw`, and has the type of its result."""
    parent = op.parent_op()
    if parent is None or parent.name != "memref.generic_atomic_rmw":
        raise VerifyException("expects parent op 'memref.generic_atomic_rmw'")
    given, wanted = op.result.type, parent.results[0].type
    if given != wanted:
        raise VerifyException(f"types mismatch between yield op: '{given}' and its parent: '{wanted}'")


def metadata(op: ExtractStridedMetaDataOp) -> None:
    """The base has no dimensions; a size and a stride for each of the source."""
    source = known_memref(op.source.type)
    base = MemRefType(source.element_type, [], NoneAttr(), source.memory_space)
    count = 1 + 2 * source.get_num_dims()
    found = [value.type for value in op.results]
    if found[0] != base or len(found) != count + 1:
        inferred = ", ".join([f"'{base}'"] + ["'index'"] * count)
        given = ", ".join(f"'{kind}'" for kind in found)
        raise VerifyException(f"inferred type(s) {inferred} are incompatible with return type(s) of operation {given}")


def realloc(op: rows.memref.ReallocOp) -> None:
    """Both are alike but for their sizes, of which one is given where it is open."""
    for which, value in (("source", op.source), ("result", op.result)):
        kind = known_memref(value.type)
        layout = strided(kind)
        if layout is None or layout[0] != (1,):
            raise PlainVerifyException(f"unsupported layout for {which} memref type '{kind}'")
    source, result = known_memref(op.source.type), known_memref(op.result.type)
    _same_space("source memref", source, "result memref", result)
    _same_elements("source memref", source, result)
    dynamic = not result.has_static_shape()
    if dynamic and op.dynamic_result_size is None:
        raise PlainVerifyException(f"missing dimension operand for result type '{result}'")
    if not dynamic and op.dynamic_result_size is not None:
        raise PlainVerifyException(f"unnecessary dimension operand for result type '{result}'")


def copied(op: rows.memref.CopyOp) -> None:
    """Elements and shapes agree."""
    kinds = op.source.type, op.target.type
    if _element(kinds[0]) != _element(kinds[1]):
        raise VerifyException("requires the same element type for all operands")
    shapes = [kind.get_shape() for kind in kinds if isinstance(kind, ShapedType)]
    if len(shapes) == 2 and not _compatible(*shapes):
        raise VerifyException("requires the same shape for all operands")


def _compatible(one: Sequence[int], other: Sequence[int]) -> bool:
    return len(one) == len(other) and all(a == b or DYNAMIC_INDEX in {a, b} for a, b in zip(one, other, strict=True))


def load(op: memref.LoadOp) -> None:
    """A subscript for each dimension."""
    rank = known_memref(op.memref.type).get_num_dims()
    if len(op.indices) != rank:
        raise VerifyException(f"incorrect number of indices for load, expected {rank} but got {len(op.indices)}")


def store(op: memref.StoreOp) -> None:
    """A subscript for each dimension."""
    if len(op.indices) != known_memref(op.memref.type).get_num_dims():
        raise VerifyException("store index operand count not equal to memref rank")


def prefetch(op: rows.memref.PrefetchOp) -> None:
    """A subscript for each dimension."""
    if len(op.indices) != known_memref(op.memref.type).get_num_dims():
        raise VerifyException("too few indices")


def reshape(op: rows.memref.ReshapeOp) -> None:
    """The elements agree, and the shape has as many extents as the result."""
    result, shape = narrow.memref(op.result.type), known_memref(op.shape.type)
    if _element(op.source.type) != _element(op.result.type):
        raise VerifyException("element types of source and destination memref types should be the same")
    extent = shape.get_shape()[0]
    if result is not None:
        if extent == DYNAMIC_INDEX:
            raise VerifyException(
                "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
            )
        if extent != result.get_num_dims():
            raise VerifyException("length of shape operand differs from the result's memref rank")


def _said(found: int | None) -> str:
    return "dynamic" if found is None or found == DYNAMIC_INDEX else str(found)


def reinterpret_cast(op: rows.memref.ReinterpretCastOp) -> None:
    """The result has the offset, sizes and strides that are given."""
    source, result = narrow.any_memref(op.source.type), known_memref(op.result.type)
    assert source is not None
    rank = result.get_num_dims()
    offsets, sizes, strides = slices.lists(op, (1, rank, rank))
    _same_space("source", source, "result memref", result)
    _same_elements("source", source, result)
    for dim, (extent, size) in enumerate(zip(result.get_shape(), sizes, strict=False)):
        if extent not in {DYNAMIC_INDEX, size}:
            raise PlainVerifyException(
                f"expected result type with size = {_said(size)} instead of {extent} in dim = {dim}"
            )
    found = result.get_strides()
    if found is None:
        return
    offset = result.get_offset()
    if offset is not None and offset != offsets[0]:
        raise PlainVerifyException(f"expected result type with offset = {_said(offsets[0])} instead of {offset}")
    for dim, (has, stride) in enumerate(zip(found, strides, strict=False)):
        if has is not None and has != stride:
            raise PlainVerifyException(
                f"expected result type with stride = {_said(stride)} instead of {has} in dim = {dim}"
            )


def subview(op: memref.SubviewOp) -> None:
    """The result is the box of the source, perhaps without dimensions of one element."""
    source, result = known_memref(op.source.type), known_memref(op.result.type)
    rank = source.get_num_dims()
    parts = slices.lists(op, (rank, rank, rank))
    _same_space("base memref", source, "subview memref", result)
    layout = strided(source)
    if layout is None:
        raise PlainVerifyException(f"base type '{source}' is not strided")
    expected = _subview_type(source, layout, parts)
    problem = _reduction_problem(expected, result)
    if problem == "element type":
        raise PlainVerifyException(f"expected result element type to be '{expected.element_type}', but got '{result}'")
    if problem is not None:
        raise PlainVerifyException(
            f"expected result type to be '{expected}' or a rank-reduced version. (mismatch of result {problem}), "
            f"but got '{result}'"
        )
    slices.within(source.get_shape(), parts)


def distinct_objects(op: rows.memref.DistinctObjectsOp) -> None:
    """Each result has the type of its operand."""
    if not op.operands:
        raise VerifyException("expected at least one operand")
    if tuple(op.operand_types) != tuple(op.result_types):
        raise VerifyException("operand types and result types must match")


def _subview_type(
    source: MemRefType[Attribute], layout: tuple[Sequence[int | None], int | None], parts: slices.Lists
) -> MemRefType[Attribute]:
    """The type that a view has when no dimension is dropped."""
    (has, offset), (offsets, sizes, strides) = layout, parts
    for start, stride in zip(offsets, has, strict=True):
        offset = None if offset is None or DYNAMIC_INDEX == start else _plus(offset, start, stride)
    steps = [
        None if stride is None or step == DYNAMIC_INDEX else stride * step
        for stride, step in zip(has, strides, strict=True)
    ]
    return MemRefType(source.element_type, sizes, StridedLayoutAttr(steps, offset), source.memory_space)


def _plus(offset: int, start: int, stride: int | None) -> int | None:
    if stride is None:
        return offset if start == 0 else None
    return offset + start * stride


def _reduction_problem(expected: MemRefType[Attribute], result: MemRefType[Attribute]) -> str | None:
    """What keeps `result` from being `expected`, or that with some dimensions of one element dropped."""
    if slices.kept(expected.get_shape(), result.get_shape()) is None:
        return "sizes"
    if expected.element_type != result.element_type:
        return "element type"
    found, wanted = strided(result), expected.get_strides()
    assert wanted is not None
    if found is None or expected.get_offset() != found[1]:
        return "layout"
    # Which of several dimensions of one element are dropped is told by the strides alone.
    remaining = list(zip(expected.get_shape(), wanted, strict=True))
    for here in zip(result.get_shape(), found[0], strict=True):
        if here not in remaining or any(size != 1 for size, _ in remaining[: remaining.index(here)]):
            return "layout"
        del remaining[: remaining.index(here) + 1]
    return None


def view(op: memref.ViewOp) -> None:
    """Bytes as elements, with a size for each extent that is open."""
    source, result = known_memref(op.source.type), known_memref(op.result.type)
    for which, kind in (("base", source), ("result", result)):
        if not isinstance(kind.layout, NoneAttr) and not (kind.get_num_dims() == 1 and strided(kind) == ((1,), 0)):
            raise PlainVerifyException(f"unsupported map for {which} memref type '{kind}'")
    _same_space("base memref", source, "view memref", result)
    _dynamic_sizes(result, len(op.sizes))


def _linear(shape: Sequence[int], strides: Sequence[int | None], offset: int | None) -> AffineMapAttr | NoneAttr:
    """A layout as the map that MLIR computes for it: none for elements side by side; what is unknown is a symbol."""
    dense = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if stride != dense or offset != 0:
            break
        dense *= extent
    else:
        return NoneAttr()
    unknown = int(offset is None)
    start = AffineExpr.symbol(0) if offset is None else AffineExpr.constant(offset)
    # MLIR flattens what is affine, which brings symbols to the end; products of dimensions and symbols are not.
    affine = None not in strides
    place: AffineExpr = AffineExpr.constant(0) if affine else start
    for dim, stride in enumerate(strides):
        term = AffineExpr.dimension(dim)
        if stride is None:  # Not by `*`, which takes no products of dimensions and symbols.
            term = AffineBinaryOpExpr(AffineBinaryOpKind.Mul, term, AffineExpr.symbol(unknown))
            unknown += 1
        elif stride != 1:
            term *= stride
        place = add(place, term)
    place = add(place, start) if affine else place
    return AffineMapAttr(AffineMap(len(strides), unknown, (place,)))


def transpose(op: rows.memref.TransposeOp) -> None:
    """The result is the source with dimensions in another order."""
    source, result = known_memref(op.source.type), known_memref(op.result.type)
    whole, found = strided(source), strided(result)
    for which, kind in (("operand", source), ("result", result)):
        if isinstance(kind.layout, AffineMapAttr) and len(kind.layout.data.results) != 1:
            raise VerifyException(f"{which} #0 must be strided memref of any type values, but got '{kind}'")
    if whole is None or found is None:
        return
    strides, offset = whole
    order = [dim.position for dim in op.permutation.data.results if isinstance(dim, AffineDimExpr)]
    if len(order) != len(op.permutation.data.results) or sorted(order) != list(range(source.get_num_dims())):
        raise VerifyException("expected a permutation map")
    shape = [source.get_shape()[dim] for dim in order]
    wanted = [strides[dim] for dim in order]
    if shape != list(result.get_shape()) or (wanted, offset) != (list(found[0]), found[1]):
        expected = MemRefType(source.element_type, shape, _linear(shape, wanted, offset), source.memory_space)
        raise VerifyException(
            f"result type '{result}' is not equivalent to the canonical transposed input type '{expected}'"
        )
