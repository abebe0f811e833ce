"""Swizzles: permutations of memory by exclusive or, and tiles placed through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.layout import iters
from weft.layout.axis import Axis, Term, m
from weft.layout.iters import Iter, Seps
from weft.layout.notebook import layout_html
from weft.layout.tile import Region, Replica, TileLayout, row_major

if TYPE_CHECKING:
    from weft.layout.iters import Integers, Number


_MOST_BITS = 60


@dataclass(frozen=True, slots=True, repr=False)
class SwizzleLayout:
    """Chunks of `2^per_element` elements, changed places by exclusive or with bits of their own number.

    With q the number of a chunk, the inner form (that of TMA and of shared-memory descriptors) is
    `q ^ (q >> atom_len) % 2^swizzle_len`, the outer form `q ^ (q % 2^swizzle_len) << atom_len`.  Either permutes every
    aligned block of `2^(per_element + swizzle_len + atom_len)` elements.

    As a layout a bare swizzle is over row-major memory of any shape.  Raises LayoutError unless per_element and
    swizzle_len are at least 0 and atom_len at least swizzle_len.
    """

    form: ClassVar[Literal["swizzle"]] = "swizzle"
    per_element: int
    swizzle_len: int
    atom_len: int
    inner: bool = True

    def __post_init__(self) -> None:
        bits = self.per_element + self.swizzle_len + self.atom_len
        if self.per_element < 0 or self.swizzle_len < 0 or self.atom_len < self.swizzle_len or bits > _MOST_BITS:
            raise LayoutError(
                f"invalid swizzle of {self.swizzle_len} bits, {self.atom_len} apart, on chunks of 2^{self.per_element}",
                hint="use per_element and swizzle_len of at least 0, and atom_len of at least swizzle_len",
            )

    def __str__(self) -> str:
        form = "" if self.inner else ",False"
        return f"swz({self.per_element},{self.swizzle_len},{self.atom_len}{form})"

    __repr__ = __str__
    _repr_html_ = layout_html

    def __matmul__(self, tile: TileLayout) -> ComposeLayout:
        return ComposeLayout(self, tile)

    @property
    def block(self) -> int:
        """The number of elements of an aligned block, which the swizzle permutes."""
        return 1 << (self.per_element + self.swizzle_len + self.atom_len)

    def place(self, position: Number) -> Number:
        """Where an element goes that would lie at `position`; arrays element by element."""
        chunk = position >> self.per_element
        mask = (1 << self.swizzle_len) - 1
        moved = chunk ^ ((chunk >> self.atom_len) & mask) if self.inner else chunk ^ ((chunk & mask) << self.atom_len)
        return (moved << self.per_element) | (position & ((1 << self.per_element) - 1))

    def over(self, shape: Sequence[int]) -> ComposeLayout:
        """The swizzle of a row-major tile."""
        return ComposeLayout(self, row_major(shape))

    def size(self) -> int:
        """The number of elements of a block."""
        return self.block

    def span(self) -> int:
        """The number of elements of a block."""
        return self.block

    def apply(self, *coordinates: Number, shape: Sequence[int] | None = None) -> dict[Axis, Number]:
        """The place of an element of row-major memory: of a position, or of coordinates in a shape."""
        if shape is None:
            shape = (self.block,)
        if len(coordinates) != len(shape):
            raise LayoutError(f"{len(coordinates)} coordinates for shape {tuple(shape)}")
        return {m: self.place(iters.flatten(coordinates, shape))}

    def apply_all(self, shape: Sequence[int] | None = None) -> dict[Axis, Integers]:
        """The places of all elements of a shape (by default, of a block)."""
        return self.over((self.block,) if shape is None else shape).apply_all(shape)

    def canonicalize(self, *, fuse_scopes: bool = False) -> SwizzleLayout:
        """The swizzle itself."""
        return self

    def slice(self, shape: Sequence[int], region: Region) -> ComposeLayout | None:
        """As `ComposeLayout.slice`, over row-major memory of `shape`."""
        return self.over(shape).slice(shape, region)

    def tile(self, outer: TileLayout, outer_shape: Sequence[int], inner_shape: Sequence[int]) -> ComposeLayout:
        """As `ComposeLayout.tile`, over row-major memory of `inner_shape`."""
        return self.over(inner_shape).tile(outer, outer_shape, inner_shape)

    def tile_to(self, to_shape: Sequence[int], shape: Sequence[int]) -> ComposeLayout:
        """As `ComposeLayout.tile_to`, over row-major memory of `shape`."""
        return self.over(shape).tile_to(to_shape, shape)

    def unpack(self, count: int) -> SwizzleLayout:
        """The swizzle in parts of elements, each element `count` of them; raises LayoutError unless a power of two."""
        return SwizzleLayout(self.per_element + _log2(count), self.swizzle_len, self.atom_len, self.inner)

    def pack(self, count: int) -> SwizzleLayout:
        """The swizzle in groups of `count` elements; raises LayoutError where it would break them apart."""
        bits = _log2(count)
        if bits > self.per_element:
            raise LayoutError(f"{self} permutes chunks smaller than {count} elements")
        return SwizzleLayout(self.per_element - bits, self.swizzle_len, self.atom_len, self.inner)


@dataclass(frozen=True, slots=True, repr=False)
class ComposeLayout:
    """A tile in memory whose places go through a swizzle.

    Raises LayoutError unless the tile maps to axis `m` alone.
    """

    form: ClassVar[Literal["composed"]] = "composed"
    swizzle: SwizzleLayout
    tile_layout: TileLayout

    def __post_init__(self) -> None:
        if self.tile_layout.axes != (m,):
            found = ", ".join(axis.name for axis in self.tile_layout.axes)
            raise LayoutError(f"a swizzled tile must be on axis m alone, not on ({found})")

    def __str__(self) -> str:
        return f"{self.swizzle} @ {self.tile_layout}"

    __repr__ = __str__
    _repr_html_ = layout_html

    def __add__(self, other: Replica | Term | int) -> ComposeLayout:
        return ComposeLayout(self.swizzle, self.tile_layout + other)

    def size(self) -> int:
        """The number of logical elements."""
        return self.tile_layout.size()

    def span(self) -> int:
        """The span of the tile, rounded up to whole blocks of the swizzle: the storage that it needs."""
        block = self.swizzle.block
        return -(-self.tile_layout.span() // block) * block

    def apply(self, *coordinates: Number, shape: Sequence[int] | None = None) -> dict[Axis, Number]:
        """As `TileLayout.apply`, through the swizzle."""
        return {m: self.swizzle.place(self.tile_layout.apply(*coordinates, shape=shape)[m])}

    def apply_all(self, shape: Sequence[int] | None = None) -> dict[Axis, Integers]:
        """As `TileLayout.apply_all`, through the swizzle."""
        return {m: self.swizzle.place(self.tile_layout.apply_all(shape)[m])}

    def group(self, shape: Sequence[int]) -> tuple[ComposeLayout, Seps]:
        """As `TileLayout.group`, the swizzle kept."""
        layout, seps = self.tile_layout.group(shape)
        return ComposeLayout(self.swizzle, layout), seps

    def canonicalize(self, *, fuse_scopes: bool = False) -> ComposeLayout:
        """As `TileLayout.canonicalize`, the swizzle kept."""
        return ComposeLayout(self.swizzle, self.tile_layout.canonicalize(fuse_scopes=fuse_scopes))

    def slice(self, shape: Sequence[int], region: Region) -> ComposeLayout | None:
        """As `TileLayout.slice`; the offset stays inside the swizzle."""
        sliced = self.tile_layout.slice(shape, region)
        return None if sliced is None else ComposeLayout(self.swizzle, sliced)

    def tile(self, outer: TileLayout, outer_shape: Sequence[int], inner_shape: Sequence[int]) -> ComposeLayout:
        """As `TileLayout.tile`, the swizzle kept."""
        return ComposeLayout(self.swizzle, self.tile_layout.tile(outer, outer_shape, inner_shape))

    def tile_to(self, to_shape: Sequence[int], shape: Sequence[int]) -> ComposeLayout:
        """As `TileLayout.tile_to`, the swizzle kept."""
        return ComposeLayout(self.swizzle, self.tile_layout.tile_to(to_shape, shape))

    def storage(self) -> ComposeLayout:
        """The layout itself: it has no thread axes."""
        return self

    def unpack(self, count: int) -> ComposeLayout:
        """The layout in parts of elements, each element `count` of them, a power of two."""
        return ComposeLayout(self.swizzle.unpack(count), self.tile_layout.unpack(count))

    def pack(self, count: int) -> ComposeLayout:
        """The layout in groups of `count` elements; raises LayoutError where the swizzle would break them apart."""
        return ComposeLayout(self.swizzle.pack(count), self.tile_layout.pack(count))


Layout = TileLayout | SwizzleLayout | ComposeLayout


def shared_layout(bits: int, swizzle_bytes: int, shape: Sequence[int], piece: int = 16) -> Layout:
    """The layout that TMA writes and `wgmma` and `tcgen05` read: atoms of 8 rows, down the rows first, then across.

    `bits` is the size of an element, `swizzle_bytes` 32, 64 or 128 (the bytes of an atom's row), or 0 for core matrices
    of 8 rows of 16 bytes without a swizzle.  Leading dimensions of `shape` are whole tiles one after another.  A
    swizzle moves pieces of 16 bytes, or of 32 (of TMA's modes 128 bytes have that one too: `128B_ATOM_32B`).  Raises
    LayoutError for other modes and shapes that atoms do not cover.
    """
    if piece not in (16, 32):
        raise LayoutError(f"no swizzle exists for pieces of {piece} bytes")
    if len(shape) < 2 or swizzle_bytes not in (0, 32, 64, 128) or 128 % bits:
        raise LayoutError(
            f"no shared layout exists for {bits}-bit elements, swizzle {swizzle_bytes}, shape {tuple(shape)}"
        )
    *leading, rows, columns = shape
    across = (swizzle_bytes or 16) * 8 // bits
    if columns % across or rows % 8:
        raise LayoutError(f"shape {tuple(shape)} is not a multiple of the atom of 8 rows of {across} elements")
    run = [*row_major(leading).unpack(rows * columns).shard[:-1]]
    run += [Iter(rows, across), Iter(columns // across, rows * across), Iter(across, 1)]
    tile = TileLayout(run).canonicalize()
    if not swizzle_bytes:
        return tile
    # The unit of the exclusive or is a line of 128 bytes in every mode: bits of its number are mixed into the chunk's.
    return SwizzleLayout(_log2(8 * piece // bits), _log2(swizzle_bytes // piece), _log2(128 // piece)) @ tile


def _log2(number: int) -> int:
    if number < 1 or number & (number - 1):
        raise LayoutError(f"{number} is not a power of two")
    return number.bit_length() - 1
