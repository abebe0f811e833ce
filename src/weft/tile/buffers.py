"""Tiles of a traced kernel, in shared memory and in registers."""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects import rows
from weft.dialects.engine.making import new
from weft.dialects.tile.arithmetic import COMPARISONS
from weft.dialects.tile.memory import address, byte_alignment, subview, view
from weft.dialects.tile.types import LOCAL, SHARED, BufferType
from weft.errors import LayoutError
from weft.layout import ComposeLayout, Grouped, Layout, SwizzleLayout, TileLayout, m, row_major
from weft.tile.dtypes import DType, boolean, dtype, f32, i32, mask, u8
from weft.tile.operators import Operators
from weft.tile.regions import Region, as_items, indexed
from weft.tile.scalars import Scalar, common, is_number, plain, power, refuse_opaque, scalar
from weft.tile.six import SIX, narrowed, widened
from weft.tile.tensors import POINTER_ALIGNMENT, advanced
from weft.tile.trace import current, error, shape_of

if TYPE_CHECKING:
    from collections.abc import Sequence


class Buffer(Operators):
    """A tile in shared memory or in registers, or in global memory if a pointer was cast.

    Attributes are `shape`, `dtype` and `layout`.  Indexing a tile in memory by numbers gives an element; slices give a
    region for `copy`.  Arithmetic on tiles in registers gives tiles in registers.
    """

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

    def __bool__(self) -> bool:
        raise error(
            "a tile has no truth value",
            "use where(...) to select per element, or max(...) to test whether any holds",
        )

    def __iter__(self) -> Any:
        raise error(
            "Python cannot iterate over a tile",
            "use `range` over its extents with tile[i, j], or tile.storage; weft.tile has max, min and sum",
        )

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, given: object) -> Any:
        items = as_items(given)
        if any(x is None for x in items):
            return self._widened(items)
        found = indexed(self, self.shape, given)
        if isinstance(found, Region):
            return found
        if self.space == LOCAL:
            raise error(
                "an element of a register tile is held by one thread only",
                "use `tile.storage[i]` for what this thread holds, or copy the tile to memory",
            )
        indices = [scalar(x, i32).value for x in found]
        return Scalar(current().value(new("tile.load", self.value, indices, results=[self.type.element])), self.dtype)

    def __setitem__(self, given: object, value: Any) -> None:
        found = indexed(self, self.shape, given)
        if isinstance(found, Region):
            raise error("cannot assign to a region", "use copy(region, tile); only single elements are assigned")
        if self.space == LOCAL:
            raise error("an element of a register tile is held by one thread only", "assign to `tile.storage[i]`")
        indices = [scalar(x, i32).value for x in found]
        current().add(new("tile.store", scalar(value, self.dtype).value, self.value, indices))

    def _widened(self, items: tuple[Any, ...]) -> Buffer:
        """The tile in registers with dimensions of extent 1 where the indices have None."""
        if self.space != LOCAL:
            raise error("None adds dimensions to tiles in registers only")
        part = self[tuple(x for x in items if x is not None)]
        if Ellipsis in [x for x in items if not isinstance(x, Scalar)] or not isinstance(part, Region):
            raise error("None must be combined with slices, as in tile[:, None]")
        tile = part.tile()
        left, shape = iter(tile.shape), list[int]()
        for x in (*items, *[slice(None)] * (len(self.shape) + items.count(None) - len(items))):
            if x is None:
                shape.append(1)
            elif isinstance(x, slice) or not is_number(x):
                shape.append(next(left))
        return tile.reshape(*shape)

    def reshape(self, *shape: int) -> Buffer:
        """The tile, in registers or shared memory, with other extents: the same storage, elements in their order."""
        if prod(shape) != prod(self.shape):
            raise error(f"shape {list(shape)} does not have as many elements as {self!r}")
        try:
            type = BufferType.of(shape, self.type.element, self.type.space.data, self.type.layout)
            return Buffer(current().value(new("tile.reshape", self.value, results=[type])), self.dtype)
        except (VerifyException, LayoutError) as failure:
            raise error(str(failure)) from None

    def element_pointer(self, coordinates: Sequence[Any]) -> SSAValue:
        """The pointer to one element of a tile in shared memory."""
        if self.space == LOCAL:
            raise error("registers have no addresses", "use an element in memory")
        return current().value(address(self.value, [scalar(x, i32).value for x in coordinates]))

    @property
    def storage(self) -> Storage:
        """The registers of the thread itself, as a sequence of elements."""
        if self.space != LOCAL:
            raise error("only a tile in registers has per-thread storage")
        return Storage(self)

    def view(self, starts: Sequence[Any], sizes: Sequence[int]) -> SSAValue:
        """The buffer that a region is."""
        if all(isinstance(x, int) and x == 0 for x in starts) and tuple(sizes) == self.shape:
            return self.value
        for start, size, extent in zip(starts, sizes, self.shape, strict=True):
            if isinstance(start, int) and not 0 <= start <= extent - size:
                raise error(f"{start}:{start + size} exceeds the extent {extent}")
        offsets = [x if isinstance(x, int) else scalar(x, i32).value for x in starts]
        divisors = [max(1, x.divisor) for x in starts if isinstance(x, Scalar)]
        try:
            return current().value(subview(self.value, offsets, sizes, divisors))
        except (VerifyException, LayoutError) as failure:
            raise error(f"this region of {self!r} has no layout: {failure}") from None

    def transpose(self, *order: int) -> Buffer:
        """The tile in shared memory with its dimensions in another order (reversed by default): the same storage."""
        if self.space != SHARED:
            raise error("only a tile in shared memory can be transposed in place")
        rank = len(self.shape)
        places = order or tuple(reversed(range(rank)))
        if sorted(places) != list(range(rank)):
            raise error(f"{places} is not a permutation of {rank} dimensions")
        layout = self.type.placed
        grouped = layout.group(self.shape)
        tile, seps = (grouped.layout, grouped.seps) if isinstance(grouped, Grouped) else grouped
        plain = tile.tile_layout if isinstance(tile, ComposeLayout) else tile
        permuted: Layout = plain.permute_groups(seps, places)
        if isinstance(tile, ComposeLayout):
            permuted = ComposeLayout(tile.swizzle, permuted)
        return recast(self, [self.shape[at] for at in places], self.dtype, permuted)

    def part(self, starts: tuple[Any, ...], sizes: tuple[int, ...]) -> Buffer:
        """A part of the tile, of as many dimensions."""
        return Buffer(self.view(starts, sizes), self.dtype)

    def operate(self, name: str, *operands: Any) -> Any:
        """A function of the elements of operands, one of which is a tile (`elementwise`)."""
        return elementwise(name, *operands)

    def _operate(self, name: str, *operands: Any) -> Any:
        return _apply(name, *operands)

    def to(self, kind: object) -> Buffer:
        """The tile with its elements converted."""
        return cast(self, dtype(kind))


def _apply(name: str, *operands: Any) -> Any:
    if not all(isinstance(x, Buffer | Region) or is_number(x) for x in operands):
        return NotImplemented
    return elementwise(name, *operands)


_LOGIC = ("and", "or", "xor")


def elementwise(name: str, *operands: Any) -> Buffer:
    """A function of the elements at the same coordinates: tiles of equal extents (or 1, which repeat) and numbers.

    Raises:
        CompileError: tiles of unlike types or extents, tiles in memory, a function that the type does not have.
    """
    given = [plain(tile_of(x)) for x in operands]
    if name == "pow":
        base, exponent = given
        return power(base, exponent, lambda x: elementwise("sqrt", x))
    if name == "truediv":
        given, name = [_divisible(x) for x in given], "div"
    elif name in ("div", "rem") and any(
        isinstance(x, float) or (isinstance(x, Buffer) and x.dtype.is_float) for x in given
    ):
        raise error(
            "// and % do not apply to tiles of floating-point numbers", "divide and round instead: floor(a / b)"
        )
    kind = _common(given[1:] if name == "where" else given)
    if kind is mask and name not in ("where", "invert", *_LOGIC, *COMPARISONS):
        kind = i32
    if name == "invert":
        name, given = "xor", [*given, 1 if kind is mask else -1]
    result = mask if name in COMPARISONS else kind
    return _made(name, given, kind, result, first=name == "where")


def _divisible(x: Any) -> Any:
    """An operand of `/`, which is of floating-point numbers."""
    return cast(x, f32) if isinstance(x, Buffer) and not x.dtype.is_float else x


def _made(name: str, given: list[Any], kind: DType, result_kind: DType, *, first: bool = False) -> Buffer:
    """The tile that a function makes of operands, all of them brought to one type but for a `first` condition."""
    shaped = _largest([x for x in given if isinstance(x, Buffer)])
    kept = [name == "cast" or (first and at == 0) for at in range(len(given))]
    values = [_operand(x, mask if keep else kind) for x, keep in zip(given, kept, strict=True)]
    result = register(shaped.shape, result_kind, _from_the_first(shaped.layout))
    read = given[0].dtype if name == "cast" and not given[0].dtype.is_float else kind
    unsigned = UnitAttr() if read.kind in ("uint", "bool") else None
    current().add(new("tile.elementwise", result.value, values, function=name, unsigned=unsigned))
    return result


def _from_the_first(layout: Layout) -> Layout:
    """The layout of a part of a tile in registers as that of a tile of its own: it begins in the first place."""
    if not isinstance(layout, TileLayout) or not layout.offset_on(m):
        return layout
    return TileLayout(layout.shard, layout.replica, tuple(x for x in layout.offset if x[0] is not m))


def tile_of(x: Any) -> Any:
    """A tile in registers, a region of one as a tile; anything else as it is.

    Raises:
        CompileError: a tile in memory.
    """
    if isinstance(x, Region):
        x = x.tile()
    if isinstance(x, Buffer) and x.space != LOCAL:
        raise error(f"{x!r} is not in registers", "copy it into a tile in registers first")
    return x


def _largest(tiles: list[Buffer]) -> Buffer:
    """The tile whose extents the result has."""
    shape = tuple(max(extents) for extents in zip(*(tile.shape for tile in tiles), strict=False))
    for tile in tiles:
        if len(tile.shape) != len(shape) or any(a not in (1, b) for a, b in zip(tile.shape, shape, strict=True)):
            shapes = " and ".join(str(list(t.shape)) for t in tiles)
            raise error(f"tiles of shapes {shapes} do not broadcast together", "use keepdims=True, or tile[:, None]")
    whole = [tile for tile in tiles if tile.shape == shape]
    if not whole:
        raise error("no operand has the shape of the result", "combine one with a tile of that shape first")
    return whole[0]


def _common(operands: list[Any]) -> DType:
    """The type in which operands meet: that of the tiles, else of the numbers."""
    kinds = {x.dtype for x in operands if isinstance(x, Buffer)}
    if len(kinds) > 1:
        kinds.discard(mask)
    if len(kinds) > 1:
        names = " and ".join(sorted(k.name for k in kinds))
        raise error(f"tiles of {names} do not convert implicitly", "convert one with .to(...)")
    refuse_opaque(*kinds)
    if kinds:
        return kinds.pop()
    found = common(operands[0], operands[-1])
    return mask if found is boolean else found


def _operand(x: Any, kind: DType) -> SSAValue:
    """An operand in the type that the function is of."""
    if not isinstance(x, Buffer):
        return scalar(x, kind).value
    return x.value if x.dtype is kind or kind is mask else cast(x, kind).value


def cast(tile: Buffer, kind: DType) -> Buffer:
    """The tile with its elements converted: floats rounded to nearest even, floats to integers towards zero."""
    if tile.dtype is kind:
        return tile
    if kind is boolean:
        return elementwise("ne", tile, 0)
    if tile.dtype in SIX:
        return cast(widened(cast(Buffer(tile.value, u8), i32), tile.dtype, elementwise), kind)
    if kind in SIX:
        return Buffer(cast(narrowed(cast(tile, f32), kind, elementwise), u8).value, kind)
    refuse_opaque(tile.dtype, kind)
    return _made("cast", [tile], kind, kind)


class Storage:
    """What each thread holds of a tile in registers: `storage[i]` is a scalar that differs between threads."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer = buffer

    def __len__(self) -> int:
        return self._buffer.type.span

    def _check(self, index: object) -> int:
        if not isinstance(index, int):
            raise error("registers have no addresses: the index must be a Python integer")
        if not -len(self) <= index < len(self):
            raise error(f"index {index} is out of range: a thread holds {len(self)} elements")
        return index % len(self)

    def __getitem__(self, index: object) -> Scalar:
        type, place = self._buffer.type, self._check(index)
        op = new("tile.extract", self._buffer.value, results=[type.element], index=place)
        return Scalar(current().value(op), self._buffer.dtype)

    def __setitem__(self, index: object, value: Any) -> None:
        place = self._check(index)
        current().add(new("tile.insert", self._buffer.value, scalar(value, self._buffer.dtype).value, index=place))


def allocate(
    shape: int | Sequence[int], kind: object, space: str, layout: Layout | None, alignment: int | None = None
) -> Buffer:
    """A new buffer; a layout of None is row-major."""
    extents, element = shape_of(shape), dtype(kind)
    if element is boolean:
        raise error("tiles cannot have boolean elements", "use a comparison as a mask, or u8 or i32 for 0 and 1")
    found: Layout = row_major(extents) if layout is None else layout
    if isinstance(found, SwizzleLayout):
        found = found.over(extents)
    if not isinstance(found, Layout):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"{found!r} is not a layout")
    if found.size() != prod(extents):
        raise error(f"the layout {found} has {found.size()} elements, but the shape {extents} has {prod(extents)}")
    if space == LOCAL and isinstance(found, ComposeLayout):
        raise error("the layout of a tile in registers must be a TileLayout: registers are not swizzled")
    try:
        type = BufferType.of(extents, element.mlir, space, found)
        return Buffer(current().value(new("tile.alloc", results=[type], alignment=alignment)), element)
    except (VerifyException, LayoutError) as failure:
        raise error(str(failure)) from None


def shared(
    shape: int | Sequence[int], kind: object, layout: Layout | None = None, *, alignment: int | None = None
) -> Buffer:
    """A tile in the block's shared memory, row-major by default.

    `alignment` is that of its storage, in bytes (by default 128, or 1024 for swizzled layouts).
    """
    return allocate(shape, kind, SHARED, layout, alignment)


def register(shape: int | Sequence[int], kind: object, layout: Layout | None = None) -> Buffer:
    """A tile in registers: thread axes of the layout say which thread holds an element, `m` says in which place.

    Without a layout, or without thread axes, every thread has a tile of its own.
    """
    return allocate(shape, kind, LOCAL, layout)


def alloc_buffer(shape: int | Sequence[int], kind: object, scope: str = SHARED, layout: Layout | None = None) -> Buffer:
    """A buffer in `shared` memory or in registers (`local`), with elements of type `kind`."""
    if scope not in (SHARED, LOCAL):
        raise error(f"a buffer must be in shared memory or registers, not '{scope}'")
    return allocate(shape, kind, scope, layout)


def recast(
    buffer: Buffer, shape: int | Sequence[int], kind: object, layout: Layout | None = None, *, offset: int = 0
) -> Buffer:
    """Reuse the storage of a tile in shared memory, from byte `offset` on, as another tile.

    The new tile must fit in the storage.  It contains what was there.
    """
    if buffer.space != SHARED:
        raise error("only the storage of a tile in shared memory can be recast")
    extents, element = shape_of(shape), dtype(kind)
    found: Layout = row_major(extents) if layout is None else layout
    if isinstance(found, SwizzleLayout):
        found = found.over(extents)
    type = BufferType.of(extents, element.mlir, SHARED, found)
    held = buffer.type.storage_bytes
    if offset % (element.bits // 8):
        raise error(f"offset {offset} is not a multiple of the {element.bits // 8} bytes of an element")
    if not 0 <= offset <= held - type.storage_bytes:
        raise error(f"{type.storage_bytes} bytes at offset {offset} exceed the {held} bytes of {buffer!r}")
    trace = current()
    pointer = trace.value(address(buffer.value))
    if offset:
        pointer = trace.value(advanced(pointer, offset, dtype("i8")))
    owner = buffer.value.owner
    alignment = byte_alignment(owner) if isinstance(owner, rows.tile.AllocOp) else POINTER_ALIGNMENT
    return Buffer(trace.value(view(pointer, type, alignment=gcd(alignment, offset))), element)
