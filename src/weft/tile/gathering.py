"""Elements of tensors and shared tiles at places that tiles say: gather and scatter."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from weft.tile.atomics import atomic_add
from weft.tile.buffers import Buffer, cast, elementwise, register, tile_of
from weft.tile.choices import choose
from weft.tile.dtypes import i32
from weft.tile.machine import only_if
from weft.tile.scalars import Scalar, is_number, plain
from weft.tile.tensors import Tensor
from weft.tile.trace import error


def gather(source: Any, *places: Any, other: float = 0) -> Buffer:
    """Load elements of a tensor, or of a tile in shared memory, at places given by tiles of integers.

    Pass a place for each dimension: a tile in registers, or a number for all.  The result has the layout of the
    largest tile; extents of 1 broadcast.  Elements that are out of bounds are `other`, and are not read.

    Raises:
        CompileError: the number of places is not that of dimensions, or the tiles differ in shape or layout other than
            by extents of 1.
    """
    like, at = _resolved(source, places)
    result = register(like.shape, source.dtype, like.layout)
    for place in range(len(like.storage)):
        index, inside = at(place)
        result.storage[place] = choose(inside, lambda index=index: source[index], lambda: other)
    return result


def scatter(target: Any, value: Any, *places: Any) -> None:
    """Store a tile in registers to elements of a tensor or of a shared tile, at places given by tiles of integers.

    Places are given as for `gather`; out-of-bounds elements are not written.  If several values have the same place,
    any of them is stored.
    """
    like, at = _resolved(target, places)
    number = is_number(value)
    value = value if number else tile_of(value)
    if not number and (not isinstance(value, Buffer) or (value.shape, value.layout) != (like.shape, like.layout)):
        raise error(
            "a scattered value must have the layout of its indices",
            "use value.to(...), and indices with the same layout",
        )
    for place in range(len(like.storage)):
        index, inside = at(place)
        element = value if number else value.storage[place]
        with only_if(inside):
            target[index] = element


def _resolved(memory: Any, places: tuple[Any, ...]) -> tuple[Buffer, Callable[[int], tuple[tuple[Any, ...], Any]]]:
    """The first tile, and for each place of its registers the indices and whether they are inside."""
    if not isinstance(memory, Tensor | Buffer):
        raise error(f"{memory!r} is not a tensor, nor a tile in shared memory")
    rank = len(memory.shape)
    if len(places) != rank:
        raise error(f"{len(places)} indices for {rank} dimensions", "give a tile or a number for each")
    resolved = [plain(x) if is_number(x) else tile_of(x) for x in places]
    tiles = [x for x in resolved if isinstance(x, Buffer)]
    if not tiles or any(x.space != "local" or x.dtype.is_float for x in tiles):
        raise error("indices must be register tiles of integers", "use coordinates(tile, 0), for example")
    whole = [x for x in tiles if prod(x.shape) == max(prod(each.shape) for each in tiles)]
    like = whole[0]
    resolved = [_spread(x, like) if isinstance(x, Buffer) else x for x in resolved]

    def at(place: int) -> tuple[tuple[Any, ...], Any]:
        index = tuple(x.storage[place].to(i32) if isinstance(x, Buffer) else x for x in resolved)
        inside: Any = True
        for x, extent in zip(index, memory.shape, strict=True):
            if isinstance(x, Scalar):
                here = (x >= 0) & (x < extent)
                inside = here if inside is True else inside & here
        return index, inside

    return like, at


def _spread(tile: Buffer, like: Buffer) -> Buffer:
    """A tile of places with the extents and in the layout of another one; extents of 1 repeat."""
    if (tile.shape, tile.layout) == (like.shape, like.layout):
        return tile
    found = elementwise("add", cast(tile, i32), cast(like, i32) * 0)
    if (found.shape, found.layout) != (like.shape, like.layout):
        raise error("index tiles must have the same shape and layout, except for extents of 1, which broadcast")
    return found


def accumulate(target: Any, value: Any, *places: Any) -> None:
    """Atomically add a tile in registers to elements of a tensor, or of a tile in shared memory.

    Places are given as for `scatter`; out-of-bounds elements are not written.  If several values have the same place,
    all are added.
    """
    like, at = _resolved(target, places)
    value = tile_of(value)
    if not isinstance(value, Buffer) or (value.shape, value.layout) != (like.shape, like.layout):
        raise error(
            "an accumulated value must have the layout of its indices",
            "use value.to(...), and indices with the same layout",
        )
    for place in range(len(like.storage)):
        index, inside = at(place)
        element = value.storage[place]
        with only_if(inside):
            atomic_add(target, index, element)
