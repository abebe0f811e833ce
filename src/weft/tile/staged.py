"""Loops whose copies run ahead: while a turn computes, `cp.async` brings the tiles of the turns that follow.

    ring = staged(3, a=tile(f16, 128, 32), b=tile(f16, 32, 128))

    def bring(slot, k):
        cta.copy_async(slot.a, A[ds(row, 128), ds(k * 32, 32)])
        cta.copy_async(slot.b, B[ds(k * 32, 32), ds(column, 128)])

    for k, slot in ring.loop(cdiv(K, 32), bring):
        warp.copy(left, slot.a[...])

All threads of the block come to the loop: a turn begins with a barrier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from weft.dataclass import dataclass
from weft.dialects.tile.types import SHARED
from weft.tile.buffers import Buffer, register, shared
from weft.tile.dtypes import i32
from weft.tile.pipelines import TileSpec
from weft.tile.ranges import DeviceRange, loop
from weft.tile.regions import Region
from weft.tile.scalars import Scalar, where
from weft.tile.scopes import commit, cta, wait
from weft.tile.trace import error

Bring = Callable[["StagedSlot", Any], None]
T = TypeVar("T")
U = TypeVar("U")


class StagedSlot:
    """The tiles of a turn, by name.  Where there is one tile, the slot stands for it."""

    def __init__(self, tiles: dict[str, Buffer], index: Any) -> None:
        self._tiles = tiles
        self._index = index

    def __getattr__(self, name: str) -> Region:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._tiles:
            raise error(f"the slot has no tile '{name}'", f"its tiles: {', '.join(self._tiles)}")
        return self._tiles[name][self._index]

    def as_region(self) -> Region:
        """The slot's only tile."""
        if len(self._tiles) != 1:
            raise error(
                f"the slot has {len(self._tiles)} tiles", f"name the tile, as in slot.{next(iter(self._tiles))}"
            )
        return self._tiles[next(iter(self._tiles))][self._index]

    def transpose(self, *order: int) -> Region:
        """The slot's only tile with its dimensions in another order."""
        return self.as_region().transpose(*order)

    def __getitem__(self, given: object) -> Any:
        return self.as_region()[given]


class Staged:
    """Slots of tiles in shared memory for loops whose copies run ahead: see `staged`."""

    def __init__(self, stages: int, tiles: dict[str, Buffer]) -> None:
        self.stages = stages
        self._tiles = tiles

    def loop(self, count: Any, bring: Bring) -> Turns:
        """Turns 0 to `count` - 1: `for k, slot in ring.loop(count, bring)`.

        `bring(slot, k)` starts the copies of turn k; it is called for turns beyond the last one too, so what it copies
        must be regions of tensors, which read nothing there.  Behind the loop, `wait(0)` and a barrier come before the
        slots' memory is used for something else.
        """
        ahead = self.stages - 1
        for stage in range(ahead):
            bring(StagedSlot(self._tiles, stage), stage)
            commit()
        bounds = loop(count)
        places = register(2, i32)
        places.storage[0], places.storage[1] = 0, ahead
        return Turns(bounds.start, bounds.stop, bounds.step, self, places, bring)

    def turn(self, places: Buffer, counted: Scalar, bring: Bring) -> tuple[Scalar, StagedSlot]:
        """The beginning of a turn: its slot is full, and that of the turn before is filled for a later one."""
        wait(self.stages - 2)
        cta.sync()
        full, empty = places.storage[0], places.storage[1]
        full.nonnegative = empty.nonnegative = True
        bring(StagedSlot(self._tiles, empty), counted + (self.stages - 1))
        commit()
        for place, value in enumerate((full, empty)):
            following = value + 1
            places.storage[place] = where(following == self.stages, 0, following)
        return counted, StagedSlot(self._tiles, full)


@dataclass(frozen=True)
class Turns(DeviceRange):
    """The turns of a staged loop."""

    ring: Staged
    places: Buffer
    bring: Bring

    def value(self, counted: Scalar) -> Any:
        """The number of a turn, and its slot."""
        return self.ring.turn(self.places, counted, self.bring)


def staged(stages: int, /, **tiles: TileSpec | Buffer) -> Staged:
    """Slots for a loop whose copies run `stages` - 1 iterations ahead, each with the named tiles.

    A tile is `tile(f16, 128, 32)`, or a tile in shared memory that has the stages as its first dimension.

    Raises:
        CompileError: there are fewer than two stages, no tiles, or tiles with another number of stages.
    """
    if not isinstance(stages, int) or stages < 2:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise error(f"invalid number of stages {stages!r}", "use 2 or more: one is used while others are filled")
    if not tiles:
        raise error("slots need tiles", "staged(3, a=tile(f16, 128, 32))")
    found: dict[str, Buffer] = {}
    for name, each in tiles.items():
        if isinstance(each, TileSpec):
            found[name] = shared((stages, *each.shape), each.dtype, each.staged(stages), alignment=1024)
        elif isinstance(each, Buffer) and each.space == SHARED and each.shape[0] == stages:  # pyright: ignore[reportUnnecessaryIsInstance]
            found[name] = each
        else:
            raise error(f"'{name}' is not a tile of {stages} stages", f"{name}=tile(f16, 128, 32)")
    return Staged(stages, found)


def ahead(steps: Iterable[T], load: Callable[[T], U], by: int = 1) -> Iterator[tuple[T, U]]:
    """The steps of an unrolled loop, each with what was loaded for it `by` steps earlier, such as register fragments.

    for k, (left, right) in ahead(range(0, 64, 16), fragments): warp.gemm(total, left, right)
    """
    todo = list(steps)
    loaded = [load(step) for step in todo[:by]]
    for at, step in enumerate(todo):
        if at + by < len(todo):
            loaded.append(load(todo[at + by]))
        yield step, loaded[at]
