"""What buffers are: the types of values, regions of them, what is known of where they begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntAttr, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.making import new
from weft.dialects.tile.regions import DynamicTerm, region_layout, runtime_axes
from weft.dialects.tile.types import GLOBAL, LOCAL, SHARED, TENSOR, BufferType

if TYPE_CHECKING:
    from weft.dialects.rows import tile

DYNAMIC = -(2**63)
"""Stands in `static_offsets` of a `tile.subview` for an operand, as in MLIR."""

_SHARED_POINTER = LLVMPointerType(IntAttr(3))

Region = Sequence[tuple[int, int]]
"""Begin and end in each dimension."""


def buffer_type(value: SSAValue) -> BufferType:
    """The type of a value that is a buffer; raises VerifyException for another."""
    if not isinstance(value.type, BufferType):
        raise VerifyException(f"expected a !tile.buffer, found {value.type}")
    return value.type


def matrix_shape(type: BufferType) -> tuple[int, int]:
    """The extents of a matrix, dimensions of extent 1 before them left out; raises VerifyException for others."""
    *front, rows, columns = (1, 1, *type.shape)
    if len(type.shape) < 2 or any(extent != 1 for extent in front):
        raise VerifyException(f"expected a matrix, found a buffer of shape {list(type.shape)}")
    return rows, columns


def verify_alignment(alignment: int) -> None:
    """Raise VerifyException unless an alignment is a power of two."""
    if alignment < 1 or alignment & (alignment - 1):
        raise VerifyException(f"expected an alignment that is a power of two, found {alignment}")


def byte_alignment(op: tile.AllocOp | tile.ViewOp) -> int:
    """Alignment of the storage of an allocation, or of the pointer of a view, in bytes."""
    if op.alignment is not None:
        return op.alignment.value.data
    type = buffer_type(op.buffer)
    if op.name == "tile.view":
        return max(1, type.element_bits // 8)
    return 1024 if type.swizzled else 128


def address(buffer: SSAValue, indices: Sequence[SSAValue] = ()) -> Operation:
    """A `tile.address`: where a buffer in shared memory, or an element of it, is."""
    return new("tile.address", buffer, indices, results=[_SHARED_POINTER])


# Views


def view(
    pointer: SSAValue,
    type: BufferType,
    strides: Sequence[tuple[str, SSAValue, int]] = (),
    alignment: int | None = None,
) -> Operation:
    """A `tile.view`; `strides` are the name of an axis, its value and what divides the value."""
    axes, divisors = [name for name, _, _ in strides], [divisor for _, _, divisor in strides]
    values = [value for _, value, _ in strides]
    return new("tile.view", pointer, values, results=[type], axes=axes, divisors=divisors, alignment=alignment)


def runtime_strides(op: tile.ViewOp) -> dict[str, tuple[SSAValue, int]]:
    """The value of each axis that a view binds, with what divides it."""
    names = [name.data for name in op.axes]
    values = zip(op.strides, _known(op.divisors, len(names)), strict=True)
    return dict(zip(names, values, strict=True))


def _known(divisors: DenseArrayBase[IntegerType] | None, count: int) -> Sequence[int]:
    return divisors.get_values() if divisors is not None and len(divisors) else [1] * count


def check_view(op: tile.ViewOp) -> None:
    """The pointer is of the buffer's space; every axis of the layout that is not memory or threads is bound.

    Raises:
        VerifyException: they are not.
    """
    type = buffer_type(op.buffer)
    spaces = {GLOBAL: (0, 1), SHARED: (3,), TENSOR: (6,)}.get(type.space.data)
    if spaces is None:
        raise VerifyException("expected a global or a shared buffer: registers have no address")
    assert isinstance(op.pointer.type, LLVMPointerType)
    number = op.pointer.type.addr_space
    if (number.data if isinstance(number, IntAttr) else 0) not in spaces:
        raise VerifyException(f"expected a pointer to {type.space.data} memory")
    if op.alignment is not None:
        verify_alignment(op.alignment.value.data)
    if len(op.axes) != len(op.strides):
        raise VerifyException(f"expected one axis for each of the {len(op.strides)} strides")
    if op.divisors is not None and len(op.divisors) not in (0, len(op.axes)):
        raise VerifyException(f"expected one divisor for each of the {len(op.axes)} strides")
    bound, used = set(runtime_strides(op)), runtime_axes(type.layout)
    if bound != used:
        raise VerifyException(
            f"expected the strides to bind the axes {sorted(used)} of the layout, found {sorted(bound)}"
        )


# Regions


def subview(
    source: SSAValue, offsets: Sequence[int | SSAValue], sizes: Sequence[int], divisors: Sequence[int] | None = None
) -> tile.SubviewOp:
    """A `tile.subview`; `divisors` has an entry for each offset that is a value.  Raises VerifyException."""
    values = [offset for offset in offsets if isinstance(offset, SSAValue)]
    static = [DYNAMIC if isinstance(offset, SSAValue) else offset for offset in offsets]
    known = list(divisors) if divisors is not None else [1] * len(values)
    type = buffer_type(source)
    layout, _ = region_layout(type.layout, type.shape, _regions(static, sizes, known))
    result = BufferType.of(sizes, type.element, type.space.data, layout)
    made = new("tile.subview", source, values, results=[result], static_offsets=static, sizes=sizes, divisors=known)
    return cast("tile.SubviewOp", made)


def _regions(static: Sequence[int], sizes: Sequence[int], divisors: Sequence[int]) -> list[tuple[int | None, int, int]]:
    """Offset (None for a value), size and divisor of the offset for each dimension."""
    known = iter(divisors)
    return [
        (None, size, next(known)) if offset == DYNAMIC else (offset, size, 1)
        for offset, size in zip(static, sizes, strict=True)
    ]


def _regions_of(op: tile.SubviewOp) -> list[tuple[int | None, int, int]]:
    static, sizes = op.static_offsets.get_values(), op.sizes.get_values()
    dynamic = static.count(DYNAMIC)
    known = _known(op.divisors, dynamic)
    if len(static) != len(sizes) or len(known) != dynamic or len(op.offsets) != dynamic:
        raise VerifyException(
            f"expected as many offsets as sizes and a divisor for each value, found {len(static)} offsets, "
            f"{len(sizes)} sizes, {len(op.offsets)} values and {len(known)} divisors"
        )
    return _regions(static, sizes, known)


def dynamic_terms(op: tile.SubviewOp) -> list[tuple[SSAValue, DynamicTerm]]:
    """Each offset of a subview that is a value, with what a step of it is worth."""
    type = buffer_type(op.source)
    _, terms = region_layout(type.layout, type.shape, _regions_of(op))
    return list(zip(op.offsets, terms, strict=True))


def check_subview(op: tile.SubviewOp) -> None:
    """The region lies within the buffer and has the type that `subview` gives it.

    Raises:
        VerifyException: it does not.
    """
    type, result = buffer_type(op.source), buffer_type(op.buffer)
    layout, terms = region_layout(type.layout, type.shape, _regions_of(op))
    if type.space.data == LOCAL and terms:
        raise VerifyException("registers have no address: expected constant offsets")
    expected = BufferType.of(op.sizes.get_values(), type.element, type.space.data, layout)
    if result != expected:
        raise VerifyException(f"expected a result of type {expected}")


# Copies


def copy(
    name: str,
    dst: SSAValue,
    src: SSAValue,
    scope: str,
    *,
    bounds: Sequence[SSAValue] = (),
    dst_region: Region | None = None,
    src_region: Region | None = None,
    **options: Any,
) -> Operation:
    """A `tile.copy` or `tile.copy_async`, with its other properties as they are in its row."""
    regions: Mapping[str, Region | None] = {"dst_region": dst_region, "src_region": src_region}
    edges = {name: [edge for pair in region for edge in pair] for name, region in regions.items() if region is not None}
    return new(f"tile.{name}", dst, src, bounds, scope=scope, **edges, **options)


def known_divisors(op: tile.CopyOp | tile.CopyAsyncOp) -> tuple[int, ...]:
    """What divides each bound of a copy."""
    return tuple(op.bound_divisors.get_values()) if op.bound_divisors is not None else (1,) * len(op.bounds)


def boxes_of(op: tile.CopyOp | tile.CopyAsyncOp) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """The regions of destination and source of a copy."""
    return _region(op.dst_region, op.dst), _region(op.src_region, op.src)


def _region(region: DenseArrayBase[IntegerType] | None, buffer: SSAValue) -> tuple[tuple[int, int], ...]:
    if region is None:
        return tuple((0, extent) for extent in buffer_type(buffer).shape)
    edges = region.get_values()
    return tuple(zip(edges[::2], edges[1::2], strict=False))
