"""How a tile comes into a pipeline's slot, and leaves it: by tensor copies (TMA), or by the role's own threads.

TMA is taken where it can be: the tensor is a kernel's argument whose strides are known to be multiples of 16 bytes, and
the tile is made of boxes.  Its tensor map is another parameter of the kernel, which the host makes from the array.
"""

from __future__ import annotations

import enum
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir import Region as IrRegion

from weft.dataclass import dataclass
from weft.dialects.engine.making import new
from weft.dialects.tile.memory import buffer_type
from weft.errors import LayoutError
from weft.layout import Iter, TileLayout, laneid, m
from weft.layout.boxes import boxes
from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import i16 as int16
from weft.tile.dtypes import i32 as int32
from weft.tile.pixels import Column, Window
from weft.tile.regions import Region
from weft.tile.scalars import Scalar, known, scalar
from weft.tile.tensors import Tensor
from weft.tile.trace import Trace, current, error

if TYPE_CHECKING:
    from weft.isa.tensor_map import TensorMap
    from weft.isa.tensor_map_words import Swizzle
    from weft.tile.roles import Role

STRIDE = 16
"""Bytes that a tensor's strides are multiples of for TMA."""
MOST_DIMENSIONS = 5
ROWS = 8
"""Rows that a warp copies at once where TMA cannot."""
WARP = 32


class Route(enum.Enum):
    """How a tile comes or goes."""

    TENSOR = "tma"
    ELEMENTS = "threads"
    PRODUCTS = "products"


@dataclass(frozen=True)
class Map:
    """A tensor map that a kernel gets: of which parameter, and the box of it that a copy moves; with a `window`, the
    box is of pixels and channels.
    """

    parameter: str
    box: tuple[int, ...]
    swizzle: int
    window: Window | None = None

    @property
    def mode(self) -> Swizzle:
        """The swizzle as the driver calls it."""
        return cast("Swizzle", f"{self.swizzle}B" if self.swizzle else "NONE")

    def of(self, array: Any) -> TensorMap:
        """The map of an array, for the simulator."""
        from weft.isa.tensor_map import TensorMap

        if self.window is None:
            return TensorMap(array, self.box, swizzle=self.mode)
        count, channels = self.box
        corners = self.window.lower[::-1], self.window.upper[::-1]
        steps = (1, *self.window.steps[::-1], 1)
        return TensorMap.encode_im2col(array, *corners, channels, count, element_strides=steps, swizzle=self.mode)


@dataclass
class Maps:
    """The tensor maps of a kernel, in the order of its parameters, and the pointers to them."""

    block: Block
    found: dict[Map, SSAValue] = field(default_factory=dict[Map, SSAValue])

    @staticmethod
    def of(trace: Trace) -> Maps:
        """The tensor maps of the kernel that is traced."""
        found = trace.extra.get(Maps)
        if found is None:
            found = trace.extra[Maps] = Maps(trace.entry)
        return found

    @property
    def pointers(self) -> list[SSAValue]:
        """Where the maps are."""
        return list(self.found.values())

    def pointer(self, wanted: Map) -> SSAValue:
        """The pointer to a map, one more parameter the first time that it is asked for."""
        from weft.dialects.nvvm.pointers import GENERIC

        found = self.found.get(wanted)
        if found is None:
            found = self.found[wanted] = self.block.insert_arg(GENERIC, len(self.block.args))
            found.name_hint = f"{wanted.parameter}_map"
        return found


class Found(NamedTuple):
    """How a copy goes, and why it does not go by TMA; for TMA the map and the tensor's dimension of each of the
    tile's (-1 for those of extent 1).
    """

    route: Route
    reason: str = ""
    map: Map | None = None
    dimensions: tuple[int, ...] = ()
    tile: SSAValue | None = None


class Sharing(NamedTuple):
    """A tile that the blocks of a cluster along an axis share: each loads a part, for all of them."""

    mask: SSAValue
    part: Any
    parts: int


def route(tile: Region, tensor: Any, *, store: bool = False) -> Found:
    """How a tile of a slot and a region of a tensor are copied; raises CompileError where their extents differ."""
    if isinstance(tensor, Column) and not store:
        return _route_column(tile, tensor)
    if isinstance(tensor, Tensor):
        tensor = tensor[tuple(slice(None) for _ in tensor.shape)]
    if not isinstance(tensor, Region) or not isinstance(tensor.buffer, Tensor):
        to, of = ("stored to", "slot.c") if store else ("filled from", "slot.a")
        raise error(
            f"a slot must be {to} a region of a tensor, not {tensor!r}", f"copy {of} and A[ds(m, 128), ds(k, 64)]"
        )
    if _wide(tile.sizes) != _wide(tensor.sizes):
        raise error(f"copy operands must cover identical regions, found {tile.shape} and {tensor.shape}")
    if tile.dtype is not tensor.buffer.dtype:
        raise error(
            f"the tile has elements of {tile.dtype}, but the tensor of {tensor.buffer.dtype}", "tile(...) of it"
        )
    assert isinstance(tile.buffer, Buffer)
    value = tile.buffer.view(tile.starts, tile.sizes)
    reason = _declined(tensor.buffer)
    if reason:
        return Found(Route.ELEMENTS, reason, tile=value)
    type = buffer_type(value)
    try:
        made = boxes(type.layout, type.shape, type.element_bits)
    except LayoutError as failure:
        return Found(Route.ELEMENTS, failure.message, tile=value)
    free = iter(at for at, size in enumerate(tensor.sizes) if size != 1)
    dimensions = tuple(next(free) if size != 1 else -1 for size in type.shape)
    rank, prefix = len(tensor.sizes), len(tensor.buffer.prefix)
    extents = [1] * (prefix + rank)
    for at, extent in zip(dimensions, made.extents, strict=True):
        if at >= 0:
            extents[prefix + at] = extent
    if extents[-1] == 1:
        return Found(Route.ELEMENTS, "the tile does not run along the tensor's last dimension", tile=value)
    name = tensor.buffer.parameter
    assert name is not None
    shifted = tuple(at + prefix if at >= 0 else -1 for at in dimensions)
    return Found(Route.TENSOR, "", Map(name, tuple(extents), made.swizzle), shifted, value)


def _route_column(tile: Region, column: Column) -> Found:
    """How a column of pixels is copied: by TMA, or not at all."""
    tensor, (count, channels) = column.image.tensor, column.sizes
    if tile.shape != column.sizes:
        raise error(f"copy operands must cover identical regions, found {tile.shape} and {column.sizes}")
    if tile.dtype is not tensor.dtype:
        raise error(f"the tile has elements of {tile.dtype}, but the tensor of {tensor.dtype}", "tile(...) of it")
    assert isinstance(tile.buffer, Buffer) and tensor.parameter is not None
    value = tile.buffer.view(tile.starts, tile.sizes)
    type, reason = buffer_type(value), _declined(tensor)
    try:
        made = boxes(type.layout, type.shape, type.element_bits)
    except LayoutError as failure:
        reason = reason or failure.message
    else:
        box = (made.extents[-2], made.extents[-1])
        if not reason and (box[0] != count or channels % box[1]):
            reason = f"a column of {count} pixels is not contiguous"
        if not reason:
            dimensions = (*[-1] * (len(type.shape) - 1), len(tensor.shape) - 1)
            wanted = Map(tensor.parameter, box, made.swizzle, column.image.window)
            return Found(Route.TENSOR, "", wanted, dimensions, value)
    raise error(f"only TMA can copy columns of pixels: {reason}", "copy regions of the image by taps")


def _wide(sizes: Sequence[int]) -> list[int]:
    return [x for x in sizes if x != 1]


def _declined(tensor: Tensor) -> str:
    """Why TMA cannot reach a tensor; '' where it can."""
    size = tensor.dtype.bits // 8
    if tensor.parameter is None:
        return "the tensor is not an argument of the kernel"
    *outer, last = tensor.all_strides
    if not (isinstance(last, int) and last == 1):
        return "the rows of the tensor are not contiguous"
    if len(outer) + 1 > MOST_DIMENSIONS:
        return f"the tensor has more than {MOST_DIMENSIONS} dimensions"
    for at, stride in enumerate(outer):
        divisor = known(stride)[0] * size
        if divisor % STRIDE:
            return f"the stride of dimension {at} is a known multiple of only {divisor} bytes; TMA needs {STRIDE}"
    return ""


def _coordinates(tensor: Region | Column, moved: dict[int, Any] | None = None) -> list[SSAValue]:
    if isinstance(tensor, Column):
        return [scalar(x, int32).value for x in tensor.coordinates]
    buffer = tensor.buffer
    assert isinstance(buffer, Tensor)
    starts = [*buffer.prefix, *tensor.starts]
    for at, by in (moved or {}).items():
        starts[at] = starts[at] + by
    return [scalar(x, int32).value for x in starts]


def _region(tensor: Any) -> Region:
    return tensor[tuple(slice(None) for _ in tensor.shape)] if isinstance(tensor, Tensor) else tensor


def load(
    tile: Region, tensor: Any, found: Found, barrier: SSAValue, leader: Scalar, sharing: Sharing | None
) -> tuple[Operation, int]:
    """Start a load by TMA, in one thread: the operation, and the bytes that the barrier will count."""
    trace = current()
    tensor = _region(tensor)
    assert found.map is not None and found.tile is not None
    size = prod(tile.sizes) * tile.dtype.bits // 8
    wanted, value, dimensions, moved = found.map, found.tile, found.dimensions, None
    mask = None
    offsets: list[SSAValue] = []
    if isinstance(tensor, Column):
        if sharing is not None:
            raise error("columns of pixels cannot be shared by the blocks of a cluster", "cta.copy_async")
        offsets = [scalar(x, int32).to(int16).value for x in tensor.offsets]
    if sharing is not None:
        value, wanted, moved = _part(tile, found, sharing)
        mask = sharing.mask
    pointer = Maps.of(trace).pointer(wanted)
    values = (_coordinates(tensor, moved), offsets, mask, leader.value)
    op = new("tile.tensor_load", value, pointer, barrier, *values, dimensions=dimensions)
    return trace.add(op), size


def _part(tile: Region, found: Found, sharing: Sharing) -> tuple[SSAValue, Map, dict[int, Any]]:
    """The part of a shared tile that this block loads: some of its rows."""
    assert found.map is not None
    at = next(number for number, size in enumerate(tile.sizes) if size != 1)
    rows = tile.sizes[at]
    if rows % sharing.parts:
        raise error(f"{rows} rows do not divide evenly among {sharing.parts} blocks")
    count = rows // sharing.parts
    first = sharing.part * count
    starts = tuple(s + first if number == at else s for number, s in enumerate(tile.starts))
    sizes = tuple(count if number == at else s for number, s in enumerate(tile.sizes))
    assert isinstance(tile.buffer, Buffer)
    value = tile.buffer.view(starts, sizes)
    type = buffer_type(value)
    try:
        made = boxes(type.layout, type.shape, type.element_bits)
    except LayoutError as failure:
        raise error(f"the tile cannot be split by rows: {failure.message}", failure.hint) from None
    box = list(found.map.box)
    for dimension, extent in zip(found.dimensions, made.extents, strict=True):
        if dimension >= 0:
            box[dimension] = extent
    return value, Map(found.map.parameter, tuple(box), made.swizzle), {found.dimensions[at]: first}


def store(tensor: Any, tile: Region, found: Found, reduce: str | None) -> None:
    """Start a store by TMA; one thread comes."""
    trace = current()
    assert found.map is not None and found.tile is not None
    pointer, coordinates = Maps.of(trace).pointer(found.map), _coordinates(_region(tensor))
    trace.add(new("tile.tensor_store", pointer, found.tile, coordinates, dimensions=found.dimensions, reduction=reduce))


# -- by threads ---------------------------------------------------------------------------------------------------


def fill_elements(tile: Region, tensor: Any, role: Role, found: Found) -> None:
    """Copy a tile by the threads of a role, some rows a warp."""
    from weft.tile.scopes import warp

    for inner, outer in _by_rows(tile, _region(tensor), role):
        warp.copy(inner, outer, note=found.reason)


def store_elements(tensor: Any, tile: Region, role: Role, found: Found) -> None:
    """Copy a slot's tile to a tensor by the threads of a role, some rows a warp."""
    from weft.tile.scopes import warp

    for inner, outer in _by_rows(tile, _region(tensor), role):
        warp.copy(outer, inner, note=found.reason)


def add_elements(tensor: Any, tile: Region, role: Role) -> None:
    """Add a slot's tile to a tensor by the threads of a role, element by element."""
    from weft.tile.functions import coordinates
    from weft.tile.gathering import accumulate
    from weft.tile.scopes import warp

    for inner, outer in _by_rows(tile, _region(tensor), role):
        count = prod(inner.shape)
        if count % WARP:
            raise error(f"{count} elements do not divide evenly among the lanes of a warp", "wider tiles")
        lanes = TileLayout((Iter(count // WARP, 1, m), Iter(WARP, 1, laneid)))
        part = register(outer.sizes, tile.dtype, lanes)
        warp.copy(part, inner)
        accumulate(outer.buffer, part, *(coordinates(part, at) + start for at, start in enumerate(outer.starts)))


def _by_rows(tile: Region, tensor: Region, role: Role) -> Generator[tuple[Region, Region]]:
    """In a loop over a tile that the role's warps share: some rows of the tile, and of the tensor."""
    from weft.tile.ids import warp_id

    at = next((number for number, size in enumerate(tile.sizes) if size != 1), len(tile.sizes) - 1)
    to = next((number for number, size in enumerate(tensor.sizes) if size != 1), len(tensor.sizes) - 1)
    rows = tile.sizes[at]
    count = next(c for c in (ROWS, 4, 2, 1) if rows % c == 0)
    first = (warp_id() - role.first) * count if role.warps > 1 else 0
    with _counting(first, rows, count * role.warps, count) as row:
        yield _rows(tile, at, row, count), _rows(tensor, to, row, count)


def _rows(region: Region, at: int, row: Any, count: int) -> Region:
    starts = tuple(s + row if number == at else s for number, s in enumerate(region.starts))
    sizes = tuple(count if number == at else s for number, s in enumerate(region.sizes))
    return Region(region.buffer, starts, sizes, region.kept)


@contextmanager
def _counting(start: Any, stop: int, step: int, divisor: int) -> Generator[Scalar]:
    """A loop that the GPU runs and that carries nothing."""
    trace = current()
    bounds = [scalar(x, int32).value for x in (start, stop, step)]
    block = Block(arg_types=[i32])
    with trace.inside(block):
        yield Scalar(block.args[0], int32, divisor=divisor, nonnegative=True)
        trace.add(scf.YieldOp.create())
    trace.add(scf.ForOp.create(operands=bounds, regions=[IrRegion([block])]))
