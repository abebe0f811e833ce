"""`vector` in memory: loads, stores and transfers."""

from __future__ import annotations

from itertools import product
from math import gcd
from typing import Any

from xdsl.dialects.builtin import VectorType

from weft.codegen import linear
from weft.codegen.access import load, store
from weft.codegen.graph import If
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, element_address
from weft.codegen.ops.scf import merge_scalars
from weft.codegen.selector import Selector, handles
from weft.codegen.types import align_of, layout
from weft.codegen.vectors import elements, pack
from weft.mlir import compile_error


def _alignment(op: Any, type_: Any) -> int:
    """What upstream assumes: the alignment that the operation states, else that of one element."""
    given = op.properties.get("alignment")
    return given.value.data if given is not None else align_of(type_.element_type)


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


def _rows(s: Selector, op: Any, memref: MemRef, indices: tuple[Lin, ...], type_: Any) -> list[Lin]:
    """The address of each innermost row."""
    if not _stride_is_one(memref):
        raise compile_error(op, "the buffer's last dimension must be contiguous")
    positions = _row_positions(type_)
    return [element_address(s, memref, _row_indices(indices, p), type_.element_type) for p in positions]


def _row_alignment(alignment: int, type_: Any, index: int) -> int:
    """The alignment of row `index` when the first has the stated one."""
    return alignment if index == 0 else gcd(alignment, align_of(type_.element_type))


@handles("vector.load")
def select_load(s: Selector, op: Any) -> None:
    """Contiguous elements."""
    type_ = op.results[0].type
    memref = s.memref(op.operands[0])
    addresses = _rows(s, op, memref, tuple(s.int(v) for v in op.operands[1:]), type_)
    alignment = _alignment(op, type_)
    parts: list[Any] = []
    for index, address in enumerate(addresses):
        parts += load(s, address, _row(type_), memref.space, _row_alignment(alignment, type_, index))
    s.values[op.results[0]] = tuple(parts)


@handles("vector.store")
def select_store(s: Selector, op: Any) -> None:
    """Contiguous elements, written."""
    value = op.operands[0]
    type_ = value.type
    memref = s.memref(op.operands[1])
    addresses = _rows(s, op, memref, tuple(s.int(v) for v in op.operands[2:]), type_)
    alignment = _alignment(op, type_)
    scalars = s.get(value)
    count = len(scalars) // len(addresses)
    for index, address in enumerate(addresses):
        part = scalars[index * count : (index + 1) * count]
        store(s, address, part, _row(type_), memref.space, _row_alignment(alignment, type_, index))


def _identity(op: Any, rank: int, width: int) -> bool:
    """Whether the permutation map takes the innermost dimensions in order."""
    map_ = op.properties["permutation_map"].data
    wanted = list(range(rank - width, rank))
    return [getattr(result, "position", None) for result in map_.results] == wanted


def _bounds(op: Any, width: int) -> list[bool]:
    found = op.properties.get("in_bounds")
    return [bool(entry.value.data) for entry in found.data] if found is not None else [False] * width


def _guards(s: Selector, memref: MemRef, indices: tuple[Lin, ...], inside: list[bool]) -> Test | None:
    """Whether an element lies in the buffer, for the dimensions that are not known to; None if it must."""
    test: Test | None = None
    first = len(indices) - len(inside)
    for axis, known in enumerate(inside):
        if not known:
            one = s.compare("lt", indices[first + axis], memref.sizes[first + axis], signed=False)
            test = one if test is None else s.logic("and", test, one)
    return test


def _element_positions(indices: tuple[Lin, ...], type_: Any) -> list[tuple[Lin, ...]]:
    shape = type_.get_shape()
    first = len(indices) - len(shape)
    out: list[tuple[Lin, ...]] = []
    for position in product(*(range(n) for n in shape)):
        moved = [linear.offset(indices[first + axis], p) for axis, p in enumerate(position)]
        out.append((*indices[:first], *moved))
    return out


def _masks(s: Selector, op: Any, segment: int, count: int) -> list[Test | None]:
    sizes = op.properties["operandSegmentSizes"].get_values()
    if not sizes[segment]:
        return [None] * count
    mask = op.operands[sum(sizes[:segment])]
    return list(s.get(mask))


def _both(s: Selector, a: Test | None, b: Test | None) -> Test | None:
    if a is None or b is None:
        return a if b is None else b
    return s.logic("and", a, b)


@handles("vector.transfer_read")
def select_read(s: Selector, op: Any) -> None:
    """A part of a buffer; what lies outside reads as the padding."""
    type_ = op.results[0].type
    sizes = op.properties["operandSegmentSizes"].get_values()
    memref = s.memref(op.operands[0])
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + sizes[1]])
    padding = s.get(op.operands[1 + sizes[1]])
    width = len(type_.get_shape())
    if not _identity(op, len(indices), width):
        raise compile_error(op, "only transfers of the innermost dimensions in order have a lowering")
    inside = _bounds(op, width)
    if all(inside) and not sizes[3] and _stride_is_one(memref):
        parts: list[Any] = []
        for address in _rows(s, op, memref, indices, type_):
            parts += load(s, address, _row(type_), memref.space, align_of(type_.element_type))
        s.values[op.results[0]] = tuple(parts)
        return
    element = type_.element_type
    positions = _element_positions(indices, type_)
    out: list[Any] = []
    for where, mask in zip(positions, _masks(s, op, 3, len(positions)), strict=True):
        test = _both(s, _guards(s, memref, where, inside), mask)
        address = element_address(s, memref, where, element)
        out.append(guarded_load(s, test, address, element, memref.space, padding))
    s.values[op.results[0]] = pack(s, out, type_)


def guarded_load(s: Selector, test: Test | None, address: Lin, type_: Any, space: str, otherwise: Any) -> Any:
    """An element if the test holds, else another value."""
    if test is None:
        return load(s, address, type_, space, align_of(type_))
    branch = If(test, s.child(), s.child())
    with s.at(branch.then):
        found = load(s, address, type_, space, align_of(type_))
    return merge_scalars(s, branch, found, otherwise, layout(type_).scalars[0])


@handles("vector.transfer_write")
def select_write(s: Selector, op: Any) -> None:
    """A part of a buffer, written; what lies outside is left out."""
    value = op.operands[0]
    type_ = value.type
    sizes = op.properties["operandSegmentSizes"].get_values()
    memref = s.memref(op.operands[1])
    indices = tuple(s.int(v) for v in op.operands[2 : 2 + sizes[2]])
    width = len(type_.get_shape())
    if not _identity(op, len(indices), width):
        raise compile_error(op, "only transfers of the innermost dimensions in order have a lowering")
    inside = _bounds(op, width)
    if all(inside) and not sizes[3] and _stride_is_one(memref):
        addresses = _rows(s, op, memref, indices, type_)
        scalars = s.get(value)
        count = len(scalars) // len(addresses)
        for index, address in enumerate(addresses):
            part = scalars[index * count : (index + 1) * count]
            store(s, address, part, _row(type_), memref.space, align_of(type_.element_type))
        return
    element = type_.element_type
    positions = _element_positions(indices, type_)
    masks = _masks(s, op, 3, len(positions))
    for where, mask, part in zip(positions, masks, elements(s, s.get(value), type_), strict=True):
        test = _both(s, _guards(s, memref, where, inside), mask)
        address = element_address(s, memref, where, element)
        guarded_store(s, test, address, part, element, memref.space)


def guarded_store(s: Selector, test: Test | None, address: Lin, value: Any, type_: Any, space: str) -> None:
    """An element written if the test holds."""
    if test is None:
        store(s, address, value, type_, space, align_of(type_))
        return
    branch = If(test, s.child(), s.child())
    with s.at(branch.then):
        store(s, address, value, type_, space, align_of(type_))
    s.block.items.append(branch)


@handles("vector.maskedload")
def select_masked_load(s: Selector, op: Any) -> None:
    """Contiguous elements where the mask is true, the others from a vector."""
    type_ = op.results[0].type
    memref = s.memref(op.operands[0])
    rank = len(memref.sizes)
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + rank])
    mask, passthru = op.operands[1 + rank :]
    others = elements(s, s.get(passthru), type_)
    out: list[Any] = []
    for where, test, other in zip(_element_positions(indices, type_), s.get(mask), others, strict=True):
        address = element_address(s, memref, where, type_.element_type)
        out.append(guarded_load(s, test, address, type_.element_type, memref.space, other))
    s.values[op.results[0]] = pack(s, out, type_)


@handles("vector.maskedstore")
def select_masked_store(s: Selector, op: Any) -> None:
    """Contiguous elements written where the mask is true."""
    memref = s.memref(op.operands[0])
    rank = len(memref.sizes)
    indices = tuple(s.int(v) for v in op.operands[1 : 1 + rank])
    mask, value = op.operands[1 + rank :]
    type_ = value.type
    parts = elements(s, s.get(value), type_)
    for where, test, part in zip(_element_positions(indices, type_), s.get(mask), parts, strict=True):
        address = element_address(s, memref, where, type_.element_type)
        guarded_store(s, test, address, part, type_.element_type, memref.space)
