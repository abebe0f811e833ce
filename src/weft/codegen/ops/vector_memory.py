"""`vector` in memory: loads, stores and transfers."""

from __future__ import annotations

from itertools import product
from math import gcd, prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import AffineMapAttr, VectorType
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr

from weft.codegen import linear
from weft.codegen.access import load, load_places, store, store_places
from weft.codegen.graph import If
from weft.codegen.integers import FALSE, TRUE, Test
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, element_address
from weft.codegen.ops.merging import guard_store, merge_all
from weft.codegen.records import Place, places
from weft.codegen.selector import Selector, handles
from weft.codegen.types import align_of, layout
from weft.codegen.vectors import elements, pack
from weft.dialects import narrow
from weft.dialects.narrow import known_vector
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects.vector import MaskedLoadOp, MaskedStoreOp, TransferReadOp, TransferWriteOp

_ONES = (1 << 32) - 1
_MANY = 3
"""Indices that have to be compared with an extent for a shorter one to pay."""


def _alignment(op: Operation, type_: Any) -> int:
    """What upstream assumes: the alignment that the operation states, else that of one element."""
    given = op.properties.get("alignment")
    return narrow.number(given) if given is not None else align_of(type_.element_type)


def _row(type_: Any) -> Any:
    """The type of the vector's innermost rows."""
    return VectorType(type_.element_type, type_.get_shape()[-1:])


def _row_positions(type_: Any) -> list[tuple[int, ...]]:
    return list(product(*(range(n) for n in type_.get_shape()[:-1])))


def _row_indices(indices: tuple[Lin, ...], position: tuple[int, ...]) -> tuple[Lin, ...]:
    """The indices of a row: its position is added to the dimensions before the last."""
    out = list(indices)
    first = len(indices) - 1 - len(position)
    for axis, p in enumerate(position):
        out[first + axis] = linear.offset(out[first + axis], p)
    return tuple(out)


def _stride_is_one(memref: MemRef) -> bool:
    return not memref.strides or (memref.strides[-1].is_const and memref.strides[-1].const == 1)


def _row_places(type_: Any) -> tuple[Place, ...]:
    """The places of a row's scalars in a buffer, where an i1 is a byte."""
    row = _row(type_)
    kinds = layout(row).scalars
    return tuple(enumerate(kinds)) if kinds and kinds[0].kind == "test" else places(row)


def _rows(s: Selector, op: Operation, memref: MemRef, indices: tuple[Lin, ...], type_: Any) -> list[tuple[Lin, int]]:
    """The address of each innermost row, and its alignment: the first has the stated one."""
    if not _stride_is_one(memref):
        raise compile_error(op, "the buffer's last dimension must be contiguous")
    alignment = _alignment(op, type_)
    others = gcd(alignment, align_of(type_.element_type))
    return [
        (element_address(s, memref, _row_indices(indices, p), type_.element_type), others if any(p) else alignment)
        for p in _row_positions(type_)
    ]


def load_rows(s: Selector, op: Operation, memref: MemRef, indices: tuple[Lin, ...]) -> None:
    """Bind the result to contiguous rows of the buffer."""
    type_ = known_vector(op.results[0].type)
    where = _row_places(type_)
    parts: list[Any] = []
    for address, alignment in _rows(s, op, memref, indices, type_):
        parts += load_places(s, address, where, memref.space, alignment)
    s.values[op.results[0]] = tuple(parts)


def store_rows(s: Selector, op: Operation, memref: MemRef, indices: tuple[Lin, ...]) -> None:
    """Write the first operand as contiguous rows of the buffer."""
    type_ = known_vector(op.operands[0].type)
    where = _row_places(type_)
    scalars = s.get(op.operands[0])
    for index, (address, alignment) in enumerate(_rows(s, op, memref, indices, type_)):
        part = scalars[index * len(where) : (index + 1) * len(where)]
        store_places(s, address, part, where, memref.space, alignment)


@handles("vector.load")
def select_load(s: Selector, op: Operation) -> None:
    """Contiguous elements."""
    load_rows(s, op, s.memref(op.operands[0]), tuple(s.int(v) for v in op.operands[1:]))


@handles("vector.store")
def select_store(s: Selector, op: Operation) -> None:
    """Contiguous elements, written."""
    store_rows(s, op, s.memref(op.operands[1]), tuple(s.int(v) for v in op.operands[2:]))


def _axes(op: Operation) -> list[int | None]:
    """The dimension of the buffer that each dimension of the vector runs along; None where it repeats one element."""
    found: list[int | None] = []
    order = op.properties["permutation_map"]
    assert isinstance(order, AffineMapAttr)
    for result in order.data.results:
        if isinstance(result, AffineDimExpr):
            found.append(result.position)
        elif isinstance(result, AffineConstantExpr) and result.value == 0:
            found.append(None)
        else:
            raise compile_error(op, "the permutation map must name dimensions")
    return found


def _bounds(op: Operation, axes: list[int | None]) -> list[bool]:
    """Whether each dimension is known to stay inside the buffer."""
    given = op.properties.get("in_bounds")
    if given is None:
        return [axis is None for axis in axes]
    return [axis is None or inside for axis, inside in zip(axes, narrow.flags(given), strict=True)]


def _checked(op: Operation) -> list[int]:
    """The dimensions of the buffer along which an element may lie outside."""
    axes = _axes(op)
    inside = _bounds(op, axes)
    return [axis for axis, known in zip(axes, inside, strict=True) if axis is not None and not known]


def _in_rows(s: Selector, op: Operation, memref: MemRef, indices: tuple[Lin, ...], type_: Any) -> bool:
    """Whether a transfer of every element moves whole rows of the buffer."""
    axes = _axes(op)
    masked = narrow.segments(op)[3] or s.mask is not None
    return bool(axes) and not masked and _stride_is_one(memref) and axes == _innermost(indices, type_)


def _limits(s: Selector, memref: MemRef, positions: list[tuple[Lin, ...]], checked: list[int]) -> dict[int, Lin]:
    """What the indices of all elements are compared with, along the dimensions to check.

    An extent of 64 bits that many indices of 32 bits are compared with is 32 bits of ones where it has more than 32:
    that costs two instructions, and each comparison is one less.
    """
    limits = {axis: memref.sizes[axis] for axis in checked}
    for axis, size in limits.items():
        indices = {position[axis] for position in positions}
        small = all(one.exact and one.lo >= 0 and one.hi < _ONES for one in indices)
        if small and len(indices) >= _MANY and size.exact and size.lo >= 0 and size.hi > _ONES:
            upper = s.truncated(s.shift_right(size, 32, signed=False))
            fits = s.compare("eq", upper, linear.const32(0))
            most = s.choose(fits, s.truncated(size), linear.const32(-1))
            limits[axis] = s.extended(most, signed=False)
    return limits


def _guards(s: Selector, limits: dict[int, Lin], indices: tuple[Lin, ...]) -> Test | None:
    """Whether an element lies in the buffer, along the dimensions to check; None if it must."""
    test: Test | None = None
    for axis, limit in limits.items():
        one = s.compare("lt", indices[axis], limit, signed=False)
        test = one if test is None else s.logic("and", test, one)
    return test


def _element_positions(indices: tuple[Lin, ...], type_: Any, axes: list[int | None]) -> list[tuple[Lin, ...]]:
    """The indices in the buffer of each element of the vector."""
    out: list[tuple[Lin, ...]] = []
    for position in product(*(range(n) for n in type_.get_shape())):
        moved = list(indices)
        for axis, p in zip(axes, position, strict=True):
            if axis is not None:
                moved[axis] = linear.offset(moved[axis], p)
        out.append(tuple(moved))
    return out


def _innermost(indices: tuple[Lin, ...], type_: Any) -> list[int | None]:
    """The axes of an access to the innermost dimensions in order."""
    width = len(type_.get_shape())
    return [*range(len(indices) - width, len(indices))]


def _masks(s: Selector, op: Operation, type_: Any, axes: list[int | None]) -> list[Test | None]:
    """The test of each element of a transferred vector: a mask's dimensions are the buffer's, in their order."""
    sizes, shape = narrow.segments(op), type_.get_shape()
    around, s.mask = s.mask, None
    if around is None and not sizes[3]:
        return [None] * prod(shape)
    mask = s.get(op.operands[-1]) if around is None else around
    extents = {axis: extent for axis, extent in zip(axes, shape, strict=True) if axis is not None}
    found: list[Test | None] = []
    for position in product(*(range(n) for n in shape)):
        places, index = dict(zip(axes, position, strict=True)), 0
        for axis in sorted(extents):
            index = index * extents[axis] + places[axis]
        found.append(mask[index])
    return found


def _both(s: Selector, a: Test | None, b: Test | None) -> Test | None:
    if a is None or b is None:
        return a if b is None else b
    return s.logic("and", a, b)


@handles("vector.transfer_read")
def select_read(s: Selector, op: TransferReadOp) -> None:
    """A part of a buffer; what lies outside reads as the padding."""
    type_ = known_vector(op.results[0].type)
    sizes = narrow.segments(op)
    memref = s.memref(op.operands[0])
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + sizes[1]])
    padding = s.get(op.operands[1 + sizes[1]])
    axes, checked = _axes(op), _checked(op)
    if not checked and _in_rows(s, op, memref, indices, type_):
        load_rows(s, op, memref, indices)
        return
    element = type_.element_type
    positions = _element_positions(indices, type_, axes)
    limits = _limits(s, memref, positions, checked)
    out: list[Any] = []
    for where, mask in zip(positions, _masks(s, op, type_, axes), strict=True):
        test = _both(s, _guards(s, limits, where), mask)
        address = element_address(s, memref, where, element)
        out.append(guarded_load(s, test, address, element, memref.space, padding))
    s.values[op.results[0]] = pack(s, out, type_)


def guarded_load(s: Selector, test: Test | None, address: Lin, type_: Any, space: str, otherwise: Any) -> Any:
    """An element if the test holds, else another value."""
    if test == FALSE:
        return otherwise
    if test is None or test == TRUE:
        return load(s, address, type_, space, align_of(type_))
    branch = If(test, s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        found = load(s, address, type_, space, align_of(type_))
    merged = merge_all(s, branch, s.flatten(found), s.flatten(otherwise), layout(type_).scalars)
    return tuple(merged) if len(merged) > 1 else merged[0]


@handles("vector.transfer_write")
def select_write(s: Selector, op: TransferWriteOp) -> None:
    """A part of a buffer, written; what lies outside is left out."""
    value = op.operands[0]
    type_ = known_vector(value.type)
    sizes = narrow.segments(op)
    memref = s.memref(op.operands[1])
    indices = tuple(s.int(v) for v in op.operands[2 : 2 + sizes[2]])
    axes, checked = _axes(op), _checked(op)
    if not checked and _in_rows(s, op, memref, indices, type_):
        store_rows(s, op, memref, indices)
        return
    element = type_.element_type
    positions = _element_positions(indices, type_, axes)
    limits = _limits(s, memref, positions, checked)
    masks = _masks(s, op, type_, axes)
    for where, mask, part in zip(positions, masks, elements(s, s.get(value), type_), strict=True):
        test = _both(s, _guards(s, limits, where), mask)
        address = element_address(s, memref, where, element)
        guarded_store(s, test, address, part, element, memref.space)


def guarded_store(s: Selector, test: Test | None, address: Lin, value: Any, type_: Any, space: str) -> None:
    """An element written if the test holds."""
    if test == FALSE:
        return
    if test is None or test == TRUE:
        store(s, address, value, type_, space, align_of(type_))
        return
    branch = If(test, s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        store(s, address, value, type_, space, align_of(type_))
    guard_store(s, branch)


@handles("vector.maskedload")
def select_masked_load(s: Selector, op: MaskedLoadOp) -> None:
    """Contiguous elements where the mask is true, the others from a vector."""
    type_ = known_vector(op.results[0].type)
    memref = s.memref(op.operands[0])
    rank = len(memref.sizes)
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + rank])
    mask, passthru = op.operands[1 + rank :]
    others = elements(s, s.get(passthru), type_)
    out: list[Any] = []
    for where, test, other in zip(
        _element_positions(indices, type_, _innermost(indices, type_)), s.get(mask), others, strict=True
    ):
        address = element_address(s, memref, where, type_.element_type)
        out.append(guarded_load(s, test, address, type_.element_type, memref.space, other))
    s.values[op.results[0]] = pack(s, out, type_)


@handles("vector.maskedstore")
def select_masked_store(s: Selector, op: MaskedStoreOp) -> None:
    """Contiguous elements written where the mask is true."""
    memref = s.memref(op.operands[0])
    rank = len(memref.sizes)
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + rank])
    mask, value = op.operands[1 + rank :]
    type_ = known_vector(value.type)
    parts = elements(s, s.get(value), type_)
    for where, test, part in zip(
        _element_positions(indices, type_, _innermost(indices, type_)), s.get(mask), parts, strict=True
    ):
        address = element_address(s, memref, where, type_.element_type)
        guarded_store(s, test, address, part, type_.element_type, memref.space)
