"""Buffers of a traced kernel: tensors in global memory, tiles in shared memory and in registers, and regions of
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd, prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i8, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.compute import AddressOp, ExtractOp, InsertOp, LoadOp, StoreOp
from weft.dialects.tile.memory import AllocOp, SubviewOp, ViewOp
from weft.dialects.tile.types import GLOBAL, LOCAL, SHARED, BufferType
from weft.errors import LayoutError
from weft.layout import Axis, ComposeLayout, Grouped, Iter, Layout, SwizzleLayout, TileLayout, row_major
from weft.tile.dtypes import DType, dtype
from weft.tile.dtypes import i32 as int32
from weft.tile.scalars import Scalar, difference, is_number, scalar
from weft.tile.trace import current, error, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_DYNAMIC = -(1 << 31)
_LIMIT = 1 << 31
_PLAIN = IntegerAttr(0, i64)
"""The ordering of an access that is not atomic."""
_POINTER_ALIGNMENT = 16
"""Bytes to which the pointers that kernels get are aligned."""


@dataclass(frozen=True, slots=True)
class Span:
    """`ds(start, size)`: `size` elements from `start` on, where Python's `start:stop` cannot tell the size."""

    start: Any
    size: int


def ds(start: Any, size: int) -> Span:
    """A slice of a constant size from a start that is known when the kernel runs."""
    return Span(start, size)


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a buffer: where it starts and how large it is in each dimension; `kept` are those not indexed away."""

    buffer: Tensor | Buffer
    starts: tuple[Any, ...]
    sizes: tuple[int, ...]
    kept: tuple[bool, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions that are left."""
        return tuple(size for size, kept in zip(self.sizes, self.kept, strict=True) if kept)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.buffer.dtype


def _region(buffer: Tensor | Buffer, given: object) -> Region | tuple[Any, ...]:
    """What `buffer[given]` means: a region, or the coordinates of one element."""
    items: tuple[Any, ...] = cast("tuple[Any, ...]", given) if isinstance(given, tuple) else (given,)
    rank = len(buffer.shape)
    dots = [at for at, x in enumerate(items) if x is Ellipsis]
    if dots:
        items = (*items[: dots[0]], *[slice(None)] * (rank - len(items) + 1), *items[dots[0] + 1 :])
    if len(items) > rank:
        raise error(f"{len(items)} indices into a buffer of {rank} dimensions")
    items = (*items, *[slice(None)] * (rank - len(items)))
    if all(is_number(x) for x in items):
        return items
    parts = [_part(item, extent) for item, extent in zip(items, buffer.shape, strict=True)]
    return Region(buffer, tuple(p[0] for p in parts), tuple(p[1] for p in parts), tuple(p[2] for p in parts))


def _part(item: Any, extent: Any) -> tuple[Any, int, bool]:
    if isinstance(item, Span):
        return item.start, item.size, True
    if not isinstance(item, slice):
        return item, 1, False
    part = cast("slice[Any, Any, Any]", item)
    if part.step not in (None, 1):
        raise error("a slice of a tile has no step")
    start = 0 if part.start is None else part.start
    stop = extent if part.stop is None else part.stop
    size = difference(stop, start)
    if size is None or size < 1:
        raise error(
            "the size of this slice is not a constant",
            "write `start:start + 64`, or ds(start, 64)",
        )
    return start, size, True


class Tensor:
    """A kernel argument: a tensor in global memory, whose extents and strides may be known only when the kernel runs.

    `shape` and `strides` (in elements) are integers or scalars.  A region `A[i:i + 64, k:k + 32]` may reach beyond the
    extents: what does not exist is read as zero and not written.
    """

    space = GLOBAL

    def __init__(self, pointer: SSAValue, kind: DType, shape: Sequence[Any], strides: Sequence[Any]) -> None:
        self.pointer = pointer
        self.dtype = kind
        self.shape = tuple(shape)
        self.strides = tuple(strides)

    def __repr__(self) -> str:
        return f"<tensor of {self.dtype} in {self.space} memory>"

    def __getitem__(self, given: object) -> Any:
        found = _region(self, given)
        if isinstance(found, Region):
            return found
        pointer, _ = self._start(found)
        op = llvm.LoadOp.create(operands=[pointer], properties={"ordering": _PLAIN}, result_types=[self.dtype.mlir])
        return Scalar(current().value(op), self.dtype)

    def __setitem__(self, given: object, value: Any) -> None:
        found = _region(self, given)
        if isinstance(found, Region):
            raise error("a region is written with copy(region, tile)", "single elements are assigned")
        pointer, _ = self._start(found)
        element = scalar(value, self.dtype).value
        current().add(llvm.StoreOp.create(operands=[element, pointer], properties={"ordering": _PLAIN}))

    def view(
        self, starts: Sequence[Any], sizes: Sequence[int], kept: Sequence[bool] | None = None
    ) -> tuple[SSAValue, list[Scalar]]:
        """The buffer that a region is, and for each dimension how many of its elements exist (none if all do).

        Dimensions that are not `kept` were indexed by one coordinate, which is taken to exist.
        """
        pointer, divisor = self._start(starts)
        runtime: list[tuple[str, SSAValue, int]] = []
        shard: list[Iter] = []
        for dimension, (size, stride) in enumerate(zip(sizes, self.strides, strict=True)):
            if isinstance(stride, Scalar):
                name = f"ld{dimension}"
                if size > 1:
                    runtime.append((name, stride.value, max(1, stride.divisor)))
                    shard.append(Iter(size, 1, Axis(name)))
                    continue
                stride = 1
            shard.append(Iter(size, stride, Axis("m")))
        type = BufferType.of(sizes, self.dtype.mlir, GLOBAL, TileLayout(shard))
        size_bytes = self.dtype.bits // 8
        alignment = gcd(_POINTER_ALIGNMENT, divisor * size_bytes) if divisor else _POINTER_ALIGNMENT
        buffer = current().value(ViewOp.of(pointer, type, runtime, alignment))
        return buffer, self._bounds(starts, sizes, kept or [False] * len(sizes))

    def _start(self, starts: Sequence[Any]) -> tuple[SSAValue, int]:
        """The pointer to an element, and what divides its distance from the tensor's start (0 at the start)."""
        divisor = 0
        for start, stride in zip(starts, self.strides, strict=True):
            divisor = gcd(divisor, _divisor(start) * _divisor(stride))
        if self._small:
            return self._near(starts), divisor
        pointer = self.pointer
        for start, stride in zip(starts, self.strides, strict=True):
            if not (isinstance(start, int) and start == 0):
                pointer = _advanced(pointer, start, stride, self.dtype)
        return pointer, divisor

    @cached_property
    def _small(self) -> bool:
        """Whether distances are known to fit 32 bits."""
        sizes = (*self.shape, *self.strides)
        return all(isinstance(x, int) for x in sizes) and prod(self.shape) < _LIMIT and max(self.strides) < _LIMIT

    def _near(self, starts: Sequence[Any]) -> SSAValue:
        """The pointer to an element, its distance computed in 32 bits."""
        distance: Any = 0
        for start, stride in zip(starts, self.strides, strict=True):
            distance = start * stride + distance
        if isinstance(distance, int):
            return current().value(_gep(self.pointer, [], distance, self.dtype)) if distance else self.pointer
        return current().value(_gep(self.pointer, [distance.value], _DYNAMIC, self.dtype))

    def _bounds(self, starts: Sequence[Any], sizes: Sequence[int], kept: Sequence[bool]) -> list[Scalar]:
        left: list[Any] = []
        for start, size, extent, checked in zip(starts, sizes, self.shape, kept, strict=True):
            known = isinstance(start, int) and isinstance(extent, int) and start + size <= extent
            left.append(extent - start if checked and not known else size)
        if all(isinstance(x, int) and x >= size for x, size in zip(left, sizes, strict=True)):
            return []
        return [scalar(x, int32) for x in left]


def _divisor(x: Any) -> int:
    return abs(x) if isinstance(x, int) else x.divisor


def _advanced(pointer: SSAValue, start: Any, stride: Any, kind: DType) -> SSAValue:
    """The pointer `start * stride` elements on, computed in 64 bits."""
    trace = current()
    if isinstance(start, int) and isinstance(stride, int):
        return trace.value(_gep(pointer, [], start * stride, kind))
    value = _wide(start)
    if not (isinstance(stride, int) and stride == 1):
        op = arith.MuliOp.create(operands=[value, _wide(stride)], result_types=[i64], properties=_no_flags())
        value = trace.value(op)
    return trace.value(_gep(pointer, [value], _DYNAMIC, kind))


def _no_flags() -> dict[str, Any]:
    return {"overflowFlags": arith.IntegerOverflowAttr("none")}


def _wide(x: Any) -> SSAValue:
    trace = current()
    if isinstance(x, int):
        return trace.constant64(x)
    if x.value.type == i64:
        return x.value
    made = arith.ExtUIOp if x.nonnegative else arith.ExtSIOp
    return trace.value(made.create(operands=[x.value], result_types=[i64]))


def _gep(pointer: SSAValue, indices: list[SSAValue], constant: int, kind: DType) -> llvm.GEPOp:
    element: Attribute = kind.mlir if kind.bits > 8 else i8
    return llvm.GEPOp.create(
        operands=[pointer, *indices],
        result_types=[pointer.type],
        properties={"rawConstantIndices": DenseArrayBase.from_list(i32, [constant]), "elem_type": element},
    )


class Buffer:
    """A tile in shared memory or in registers; in global memory where a pointer was cast.

    `shape`, `dtype`, `layout`.  Indexing gives a region for `copy`; one element, with all indices numbers, for tiles in
    memory.  Arithmetic on tiles in registers makes tiles in registers.
    """

    __array_priority__ = 100

    def __init__(self, value: SSAValue, kind: DType) -> None:
        assert isinstance(value.type, BufferType)
        self.value = value
        self.dtype = kind
        self.type = value.type

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self.type.shape

    @property
    def layout(self) -> Layout:
        """Where each element is."""
        return self.type.layout

    @property
    def space(self) -> str:
        """``shared`` or ``local``."""
        return self.type.space.data

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"<{shape} tile of {self.dtype} in {'registers' if self.space == LOCAL else self.space + ' memory'}>"

    __hash__ = object.__hash__

    def __getitem__(self, given: object) -> Any:
        found = _region(self, given)
        if isinstance(found, Region):
            return found
        if self.space == LOCAL:
            raise error(
                "an element of a tile in registers is in one thread only",
                "`tile.storage[i]` is what this thread holds in place i; or copy the tile to memory",
            )
        indices = [scalar(x, int32).value for x in found]
        return Scalar(current().value(LoadOp.of(self.value, indices)), self.dtype)

    def __setitem__(self, given: object, value: Any) -> None:
        found = _region(self, given)
        if isinstance(found, Region):
            raise error("a region is written with copy(region, tile)", "single elements are assigned")
        if self.space == LOCAL:
            raise error("an element of a tile in registers is in one thread only", "assign to `tile.storage[i]`")
        indices = [scalar(x, int32).value for x in found]
        current().add(StoreOp.of(scalar(value, self.dtype).value, self.value, indices))

    @property
    def storage(self) -> Storage:
        """The registers of the thread itself, as a sequence of elements."""
        if self.space != LOCAL:
            raise error("only a tile in registers has a storage of each thread's own")
        return Storage(self)

    def view(self, starts: Sequence[Any], sizes: Sequence[int]) -> SSAValue:
        """The buffer that a region is."""
        if all(isinstance(x, int) and x == 0 for x in starts) and tuple(sizes) == self.shape:
            return self.value
        for start, size, extent in zip(starts, sizes, self.shape, strict=True):
            if isinstance(start, int) and not 0 <= start <= extent - size:
                raise error(f"{start}:{start + size} reaches beyond the extent {extent}")
        offsets = [x if isinstance(x, int) else scalar(x, int32).value for x in starts]
        divisors = [max(1, x.divisor) for x in starts if isinstance(x, Scalar)]
        try:
            return current().value(SubviewOp.of(self.value, offsets, sizes, divisors))
        except (VerifyException, LayoutError) as failure:
            raise error(f"this region of {self!r} has no layout of its own: {failure}") from None

    def transpose(self, *order: int) -> Buffer:
        """The tile in shared memory with its dimensions in another order (reversed by default): the same storage."""
        if self.space != SHARED:
            raise error("only a tile in shared memory can be seen with its dimensions in another order")
        rank = len(self.shape)
        places = order or tuple(reversed(range(rank)))
        if sorted(places) != list(range(rank)):
            raise error(f"{places} is no order of {rank} dimensions")
        layout = self.type.placed
        grouped = layout.group(self.shape)
        tile, seps = (grouped.layout, grouped.seps) if isinstance(grouped, Grouped) else grouped
        plain = tile.tile_layout if isinstance(tile, ComposeLayout) else tile
        permuted: Layout = plain.permute_groups(seps, places)
        if isinstance(tile, ComposeLayout):
            permuted = ComposeLayout(tile.swizzle, permuted)
        return recast(self, [self.shape[at] for at in places], self.dtype, permuted)

    # -- arithmetic ---------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return _apply("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _apply("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _apply("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _apply("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return _apply("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _apply("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _apply("div", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _apply("div", other, self)

    def __neg__(self) -> Any:
        return _apply("neg", self)

    def __abs__(self) -> Any:
        return _apply("abs", self)

    def __lt__(self, other: Any) -> Any:
        return _apply("lt", self, other)

    def __le__(self, other: Any) -> Any:
        return _apply("le", self, other)

    def __gt__(self, other: Any) -> Any:
        return _apply("gt", self, other)

    def __ge__(self, other: Any) -> Any:
        return _apply("ge", self, other)

    def __and__(self, other: Any) -> Any:
        return _apply("and", self, other)

    def __or__(self, other: Any) -> Any:
        return _apply("or", self, other)

    def to(self, kind: object) -> Buffer:
        """The tile with its elements converted."""
        from weft.tile.functions import cast

        return cast(self, dtype(kind))


def _apply(name: str, *operands: Any) -> Any:
    from weft.tile.functions import elementwise

    if not all(isinstance(x, Buffer) or is_number(x) for x in operands):
        return NotImplemented
    return elementwise(name, *operands)


class Storage:
    """What each thread holds of a tile in registers: `storage[i]` is a scalar that differs between threads."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer

    def __len__(self) -> int:
        return self._buffer.type.span

    def _check(self, index: object) -> int:
        if not isinstance(index, int):
            raise error("registers have no addresses: the place must be a Python integer")
        if not -len(self) <= index < len(self):
            raise error(f"there is no place {index}: a thread holds {len(self)} elements")
        return index % len(self)

    def __getitem__(self, index: object) -> Scalar:
        op = ExtractOp.of(self._buffer.value, self._check(index))
        return Scalar(current().value(op), self._buffer.dtype)

    def __setitem__(self, index: object, value: Any) -> None:
        place = self._check(index)
        current().add(InsertOp.of(self._buffer.value, scalar(value, self._buffer.dtype).value, place))


def allocate(
    shape: int | Sequence[int], kind: object, space: str, layout: Layout | None, alignment: int | None = None
) -> Buffer:
    """A new buffer; a layout of None is row-major."""
    extents, element = shape_of(shape), dtype(kind)
    found: Layout = row_major(extents) if layout is None else layout
    if isinstance(found, SwizzleLayout):
        found = found.over(extents)
    if found.size() != prod(extents):
        raise error(f"the layout {found} has {found.size()} elements, the shape {extents} {prod(extents)}")
    if space == LOCAL and isinstance(found, ComposeLayout):
        raise error("registers are not swizzled: the layout of a tile in registers is a TileLayout")
    try:
        type = BufferType.of(extents, element.mlir, space, found)
        return Buffer(current().value(AllocOp.of(type, alignment)), element)
    except (VerifyException, LayoutError) as failure:
        raise error(str(failure)) from None


def shared(
    shape: int | Sequence[int], kind: object, layout: Layout | None = None, *, alignment: int | None = None
) -> Buffer:
    """A tile in the block's shared memory, row-major unless a layout says otherwise.

    `alignment` is of its storage, in bytes (128 by default, 1024 for swizzled layouts).
    """
    return allocate(shape, kind, SHARED, layout, alignment)


def register(shape: int | Sequence[int], kind: object, layout: Layout | None = None) -> Buffer:
    """A tile in registers: the layout's thread axes say which thread holds an element, `m` in which place.

    Without a layout, or without thread axes, every thread has a tile of its own.
    """
    return allocate(shape, kind, LOCAL, layout)


def alloc_buffer(shape: int | Sequence[int], kind: object, scope: str = SHARED, layout: Layout | None = None) -> Buffer:
    """A buffer in `shared` memory or in registers (`local`)."""
    if scope not in (SHARED, LOCAL):
        raise error(f"a buffer is allocated in shared memory or in registers, not in '{scope}'")
    return allocate(shape, kind, scope, layout)


def recast(
    buffer: Buffer, shape: int | Sequence[int], kind: object, layout: Layout | None = None, *, offset: int = 0
) -> Buffer:
    """The storage of a tile in shared memory, from byte `offset` on, seen as another tile: to use it again.

    The new tile must fit into the old one's storage; what was there is what is read there.
    """
    if buffer.space != SHARED:
        raise error("only the storage of a tile in shared memory can be seen as another tile")
    extents, element = shape_of(shape), dtype(kind)
    found: Layout = row_major(extents) if layout is None else layout
    if isinstance(found, SwizzleLayout):
        found = found.over(extents)
    type = BufferType.of(extents, element.mlir, SHARED, found)
    held = buffer.type.storage_bytes
    if offset % (element.bits // 8) or offset + type.storage_bytes > held:
        raise error(f"{type.storage_bytes} bytes from {offset} on do not fit the {held} bytes of {buffer!r}")
    trace = current()
    pointer = trace.value(AddressOp.of(buffer.value))
    if offset:
        pointer = trace.value(_gep(pointer, [], offset, dtype("i8")))
    owner = buffer.value.owner
    alignment = owner.byte_alignment if isinstance(owner, AllocOp) else _POINTER_ALIGNMENT
    return Buffer(trace.value(ViewOp.of(pointer, type, alignment=gcd(alignment, offset))), element)
