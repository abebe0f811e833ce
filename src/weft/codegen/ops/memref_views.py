"""`memref` views: the same buffer with other offsets, sizes and strides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import load
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, byte_offset, element_address, from_scalars, of_static_type
from weft.codegen.ops.llvm_data import converted
from weft.codegen.ops.memref_unranked import first_pointer, ranked, without_rank
from weft.codegen.selector import Selector, handles
from weft.codegen.types import DYNAMIC, align_of, is_unranked, memory_space, padded_size
from weft.dialects import narrow
from weft.dialects.narrow import known_memref
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects.memref import CollapseShapeOp, ExpandShapeOp, ViewOp

    from weft.dialects.rows import memref


def refined(memref: MemRef, type_: Any) -> MemRef:
    """The memref with what its type knows statically."""
    return from_scalars(type_, memref.scalars())


def _mixed(s: Selector, static: Any, dynamic: Any) -> tuple[Lin, ...]:
    """Values that are partly static, partly operands."""
    operands = iter(dynamic)
    return tuple(s.int(next(operands)) if value == DYNAMIC else linear.const(value) for value in static.get_values())


def _triples(s: Selector, op: Operation) -> tuple[tuple[Lin, ...], tuple[Lin, ...], tuple[Lin, ...]]:
    segments = narrow.segments(op)
    first, second, third = segments[1:4]
    operands = op.operands[1:]
    return (
        _mixed(s, op.properties["static_offsets"], operands[:first]),
        _mixed(s, op.properties["static_sizes"], operands[first : first + second]),
        _mixed(s, op.properties["static_strides"], operands[first + second : first + second + third]),
    )


@handles("memref.subview")
def select_subview(s: Selector, op: Operation) -> None:
    """A part of the buffer; dimensions of size 1 may be dropped."""
    source = s.memref(op.operands[0])
    offsets, sizes, steps = _triples(s, op)
    start = source.offset
    for offset, stride in zip(offsets, source.strides, strict=True):
        start = s.add(start, s.mul(offset, stride))
    strides = tuple(s.mul(step, stride) for step, stride in zip(steps, source.strides, strict=True))
    kept = _kept_dimensions(op, sizes)
    memref = MemRef(source.base, start, tuple(sizes[i] for i in kept), tuple(strides[i] for i in kept), source.space)
    s.values[op.results[0]] = refined(memref, op.results[0].type)


def _kept_dimensions(op: Operation, sizes: tuple[Lin, ...]) -> list[int]:
    """The dimensions that the result keeps: rank reduction drops dimensions of static size 1."""
    shape = known_memref(op.results[0].type).get_shape()
    kept: list[int] = []
    position = 0
    for index, size in enumerate(sizes):
        static = size.const if size.is_const else DYNAMIC
        left = len(sizes) - index
        if position < len(shape) and (static == shape[position] or shape[position] == DYNAMIC):
            if static == 1 and left > len(shape) - position and shape[position] != 1:
                continue
            kept.append(index)
            position += 1
        elif static != 1:
            raise compile_error(op, "cannot tell which dimensions the result drops")
    if position < len(shape):
        raise compile_error(op, "cannot tell which dimensions the result drops")
    return kept


@handles("memref.reinterpret_cast")
def select_reinterpret(s: Selector, op: Operation) -> None:
    """The buffer with new offset, sizes and strides."""
    source = first_pointer(s, op.operands[0])
    offsets, sizes, strides = _triples(s, op)
    s.values[op.results[0]] = refined(MemRef(source.base, offsets[0], sizes, strides, source.space), op.results[0].type)


@handles("vector.type_cast")
def select_vector_view(s: Selector, op: Operation) -> None:
    """The whole buffer as one vector."""
    source = s.memref(op.operands[0])
    s.values[op.results[0]] = MemRef(source.base, source.offset, (), (), source.space)


@handles("memref.reshape")
def select_reshape(s: Selector, op: memref.ReshapeOp) -> None:
    """A dense buffer with sizes that a one-dimensional buffer holds."""
    source, shape = first_pointer(s, op.operands[0]), s.memref(op.operands[1])
    type_ = op.result.type
    if not isinstance(type_, MemRefType):
        raise compile_error(op, "weft cannot lower a reshape to an unranked memref")
    element = op.shape.type.element_type
    extents: list[Lin] = []
    for axis, extent in enumerate(type_.get_shape()):
        if extent == DYNAMIC:
            place = element_address(s, shape, (linear.const(axis),), element)
            loaded: Lin = load(s, place, element, shape.space, align_of(element))
            extents.append(s.extended(loaded, signed=True))
        else:
            extents.append(linear.const(extent))
    base = byte_offset(s, source.base, source.offset, padded_size(type_.element_type))
    s.values[op.results[0]] = dense(s, base, tuple(extents), type_)


@handles("memref.cast")
def select_cast(s: Selector, op: Operation) -> None:
    """The buffer with more or less known statically."""
    source, result = op.operands[0], op.results[0]
    if is_unranked(result.type):
        s.values[result] = s.get(source) if is_unranked(source.type) else without_rank(s.memref(source))
    else:
        found = ranked(s, s.get(source), result.type) if is_unranked(source.type) else s.memref(source)
        s.values[result] = refined(found, result.type)


@handles("memref.memory_space_cast")
def select_space_cast(s: Selector, op: Operation) -> None:
    """A buffer seen through another state space."""
    if is_unranked(op.operands[0].type):
        raise compile_error(op, "cannot change the memory space of an unranked memref", "cast to a ranked memref first")
    source = s.memref(op.operands[0])
    target = memory_space(op.results[0].type)
    base = converted(s, source.base, source.space, target)
    s.values[op.results[0]] = replace(source, base=base, space=target)


@handles("memref.view")
def select_view(s: Selector, op: ViewOp) -> None:
    """A typed buffer in a byte buffer, from a byte offset on."""
    source = s.memref(op.operands[0])
    shift = s.add(source.offset, s.int(op.operands[1]))
    base = s.add(source.base, s.truncated(shift) if source.base.bits == 32 else shift)
    type_ = known_memref(op.results[0].type)
    sizes = iter(op.operands[2:])
    extents = tuple(s.int(next(sizes)) if e == DYNAMIC else linear.const(e) for e in type_.get_shape())
    s.values[op.results[0]] = dense(s, base, extents, type_)


def dense(s: Selector, base: Lin, extents: tuple[Lin, ...], type_: Any) -> MemRef:
    """A buffer whose rows follow each other without gaps."""
    strides: list[Lin] = []
    step = linear.const(1)
    for extent in reversed(extents):
        strides.append(step)
        step = s.mul(step, extent)
    return MemRef(base, linear.const(0), extents, tuple(reversed(strides)), memory_space(type_))


@handles("memref.transpose")
def select_transpose(s: Selector, op: memref.TransposeOp) -> None:
    """Dimensions permuted."""
    source = s.memref(op.operands[0])
    order = narrow.positions(op.permutation.data)
    s.values[op.results[0]] = replace(
        source, sizes=tuple(source.sizes[i] for i in order), strides=tuple(source.strides[i] for i in order)
    )


@handles("memref.collapse_shape")
def select_collapse(s: Selector, op: CollapseShapeOp) -> None:
    """Neighbouring dimensions joined."""
    source = s.memref(op.operands[0])
    sizes: list[Lin] = []
    strides: list[Lin] = []
    for group in _groups(op):
        size = linear.const(1)
        for index in group:
            size = s.mul(size, source.sizes[index])
        sizes.append(size)
        strides.append(_innermost_stride(source, group))
    memref = MemRef(source.base, source.offset, tuple(sizes), tuple(strides), source.space)
    s.values[op.results[0]] = refined(memref, op.results[0].type)


def _innermost_stride(source: MemRef, group: list[int]) -> Lin:
    """The stride of a joined dimension: that of its last part which is not of size 1."""
    for index in reversed(group):
        size = source.sizes[index]
        if not (size.is_const and size.const == 1):
            return source.strides[index]
    return source.strides[group[-1]] if group else linear.const(1)


@handles("memref.expand_shape")
def select_expand(s: Selector, op: ExpandShapeOp) -> None:
    """Dimensions split."""
    source = s.memref(op.operands[0])
    extents = _mixed(s, op.properties["static_output_shape"], op.operands[1:])
    strides: list[Lin] = []
    for position, group in enumerate(_groups(op)):
        step = source.strides[position]
        inner: list[Lin] = []
        for index in reversed(group):
            inner.append(step)
            step = s.mul(step, extents[index])
        strides += reversed(inner)
    memref = MemRef(source.base, source.offset, extents, tuple(strides), source.space)
    s.values[op.results[0]] = refined(memref, op.results[0].type)


def _groups(op: ExpandShapeOp | CollapseShapeOp) -> list[list[int]]:
    return [[entry.value.data for entry in group.data] for group in op.reassociation.data]


@handles("memref.extract_aligned_pointer_as_index")
def select_pointer(s: Selector, op: Operation) -> None:
    """The address of the buffer as an integer."""
    from weft.codegen.access import generic

    s.values[op.results[0]] = s.extended(generic(s, first_pointer(s, op.operands[0]).base), signed=False)


@handles("memref.extract_strided_metadata")
def select_metadata(s: Selector, op: Operation) -> None:
    """Base buffer, offset, sizes and strides."""
    source = s.memref(op.operands[0])
    base_type = op.results[0].type
    results = [of_static_type(base_type, source.base), source.offset, *source.sizes, *source.strides]
    for result, value in zip(op.results, results, strict=True):
        s.values[result] = value
