"""Parts of buffers: what `buffer[...]` means, as a region or as the coordinates of one element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from weft.dataclass import dataclass
from weft.dialects.tile.types import LOCAL
from weft.tile.operators import Operators
from weft.tile.scalars import difference, is_number, plain
from weft.tile.trace import error

if TYPE_CHECKING:
    from weft.tile.buffers import Buffer
    from weft.tile.dtypes import DType
    from weft.tile.tensors import Tensor


@dataclass(frozen=True, slots=True)
class Span:
    """`ds(start, size)`: `size` elements from `start` on, where Python's `start:stop` cannot tell the size."""

    start: Any
    size: int


def ds(start: Any, size: int) -> Span:
    """A slice of constant size from a start that may be known only at run time."""
    if not isinstance(size, int) or size < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"invalid region size {size!r}", "use a positive Python integer")
    return Span(start, size)


@dataclass(frozen=True, eq=False)
class Region(Operators):
    """A part of a buffer: where it starts and how large it is in each dimension; `kept` are those not indexed away.

    A region of a tile in registers can be computed with as a tile can.
    """

    buffer: Tensor | Buffer
    starts: tuple[Any, ...]
    sizes: tuple[int, ...]
    kept: tuple[bool, ...]

    def __repr__(self) -> str:
        return f"<{'x'.join(map(str, self.shape))} region of {self.buffer!r}>"

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the dimensions that are left."""
        return tuple(size for size, kept in zip(self.sizes, self.kept, strict=True) if kept)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self.buffer.dtype

    def __getitem__(self, given: object) -> Any:
        found = indexed(self, self.shape, given)
        inner = iter(found.starts if isinstance(found, Region) else found)
        starts = tuple(s + next(inner) if kept else s for s, kept in zip(self.starts, self.kept, strict=True))
        if not isinstance(found, Region):
            return self.buffer[starts]
        left = iter(zip(found.sizes, found.kept, strict=True))
        parts = [next(left) if kept else (1, False) for kept in self.kept]
        return Region(self.buffer, starts, tuple(p[0] for p in parts), tuple(p[1] for p in parts))

    def __setitem__(self, given: object, value: Any) -> None:
        found = indexed(self, self.shape, given)
        if isinstance(found, Region):
            raise error("cannot assign to a region", "use copy(region, tile); only single elements are assigned")
        inner = iter(found)
        starts = (s + next(inner) if kept else s for s, kept in zip(self.starts, self.kept, strict=True))
        self.buffer[tuple(starts)] = value

    def __bool__(self) -> bool:
        raise error("a region has no truth value", "copy it into a tile in registers first")

    def __iter__(self) -> Any:
        raise error("Python cannot iterate over a region", "use `range` over its extents with region[i, j]")

    def tile(self) -> Buffer:
        """The region of a tile in registers as a tile; raises CompileError for regions of memory."""
        if getattr(self.buffer, "space", None) != LOCAL:
            raise error("a region of memory is not in registers", "copy it into a tile in registers first")
        whole = cast("Buffer", self.buffer).part(self.starts, self.sizes)
        return whole if all(self.kept) else whole.reshape(*self.shape)

    def reshape(self, *shape: int) -> Buffer:
        """The region of a tile with other extents: the same storage, the elements in their order."""
        if not hasattr(self.buffer, "part"):
            raise error("a region of a tensor cannot be reshaped", "copy it, and reshape the tile")
        return cast("Buffer", self.buffer).part(self.starts, self.sizes).reshape(*shape)

    def transpose(self, *order: int) -> Region:
        """The region of a tile in shared memory with its dimensions in another order (reversed by default)."""
        if not hasattr(self.buffer, "part"):
            raise error("only a tile in shared memory can be transposed in place")
        free = [at for at, kept in enumerate(self.kept) if kept]
        places = order or tuple(reversed(range(len(free))))
        if sorted(places) != list(range(len(free))):
            raise error(f"{places} is not a permutation of {len(free)} dimensions")
        moved = dict(zip(free, (free[at] for at in places), strict=True))
        whole = [moved.get(at, at) for at in range(len(self.kept))]
        starts, sizes = (tuple(each[at] for at in whole) for each in (self.starts, self.sizes))
        buffer = cast("Buffer", self.buffer).transpose(*whole)
        return Region(buffer, starts, sizes, tuple(self.kept[at] for at in whole))

    def to(self, kind: object) -> Buffer:
        """The region of a tile in registers with its elements converted."""
        return self.tile().to(kind)

    def _operate(self, name: str, *operands: Any) -> Any:
        if not all(is_number(x) or isinstance(x, Operators) for x in operands):
            return NotImplemented
        return self.tile().operate(name, *operands)


def as_items(given: object) -> tuple[Any, ...]:
    """What is between the brackets of `buffer[...]`, as a tuple."""
    return cast("tuple[Any, ...]", given) if isinstance(given, tuple) else (given,)


def indexed(buffer: Any, shape: tuple[Any, ...], given: object) -> Region | tuple[Any, ...]:
    """What `buffer[given]` means: a region, or the coordinates of one element.

    Negative constants count from the end, as in Python.
    """
    items = as_items(given)
    rank = len(shape)
    dots = [at for at, x in enumerate(items) if x is Ellipsis]
    if dots:
        items = (*items[: dots[0]], *[slice(None)] * (rank - len(items) + 1), *items[dots[0] + 1 :])
    if len(items) > rank:
        raise error(f"{len(items)} indices for {rank} dimensions")
    items = (*(plain(x) for x in items), *[slice(None)] * (rank - len(items)))
    if all(is_number(x) for x in items):
        return tuple(_coordinate(x, extent) for x, extent in zip(items, shape, strict=True))
    parts = [_part(item, extent) for item, extent in zip(items, shape, strict=True)]
    return Region(buffer, tuple(p[0] for p in parts), tuple(p[1] for p in parts), tuple(p[2] for p in parts))


def _coordinate(x: Any, extent: Any) -> Any:
    if isinstance(x, float) or getattr(getattr(x, "dtype", None), "is_float", False):
        raise error(f"{x!r} is not an index", "use an integer")
    if isinstance(x, int) and isinstance(extent, int) and not -extent <= x < extent:
        raise error(f"index {x} is out of range for an extent of {extent}")
    return extent + x if isinstance(x, int) and x < 0 else x


def _bound(x: Any, extent: Any) -> Any:
    """A slice's bound: one below zero counts from the end."""
    return extent + x if isinstance(x, int) and x < 0 else x


def _part(item: Any, extent: Any) -> tuple[Any, int, bool]:
    if isinstance(item, Span):
        if isinstance(item.start, int) and item.start < 0:
            raise error(f"a region must start at 0 or later, not at {item.start}")
        return item.start, item.size, True
    if is_number(item):
        return _coordinate(item, extent), 1, False
    if not isinstance(item, slice):
        raise error(f"{item!r} is not an index", "use integers, slices or ds(start, size)")
    part = cast("slice[Any, Any, Any]", item)
    if plain(part.step) not in (None, 1):
        raise error("a slice of a tile cannot have a step")
    start = 0 if part.start is None else _bound(plain(part.start), extent)
    stop = extent if part.stop is None else _bound(plain(part.stop), extent)
    size = difference(stop, start)
    if size is None:
        raise error("the size of this slice must be a constant", "write `start:start + 64`, or ds(start, 64)")
    if size < 1:
        raise error(f"this slice has {size} elements", "a region must have at least one element")
    return start, size, True
