"""Tensor maps that a kernel changes, by themselves: which fences a copy needs between a change and itself, and what is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim import KernelFault, maps
from weft.sim.lanes import Lanes
from weft.sim.maps import TensorMaps
from weft.sim.stamps import ENGINE, LANE_AT, SITE_AT, TIME_AT

PLACE, OTHER, BASE = 256, 512, 0x1000
CTAS, WARPS = 2, 2
"""Rows are warps by CTAs: rows 0 and 2 are warps of the first CTA, 1 and 3 of the second one."""
RELEASE, ACQUIRE = (
    f"the kernel has stored to the tensor map (line 7) without a fence.proxy.tensormap::generic.{what}"
    for what in ("release", "acquire")
)
CHANGED = "the kernel has changed the tensor map without a fence.proxy.tensormap::generic.acquire after it"


class Clocks:
    """Time, and which rows know of which others up to when: all of everything, unless told otherwise."""

    def __init__(self) -> None:
        self.now, self.first, self.ctas = 10, 5, CTAS
        self.unaware: set[tuple[int, int]] = set()
        self.by: Any = STORE

    def tick(self) -> None:
        self.now += 1

    def rows_of(self, lanes: Any) -> Any:
        return np.unique(np.arange(32 * CTAS * WARPS)[lanes] // 32)

    def aware(self, lane: int, row: int, _: int) -> bool:
        return (lane // 32, row) not in self.unaware

    def site(self, _: int) -> Any:
        return self.by


STORE: Any = SimpleNamespace(position=SimpleNamespace(line=7))


class Scene:
    """Two CTAs of two warps, and a map in global memory; what is done takes time."""

    def __init__(self, *, clocks: bool = True) -> None:
        self.clocks = Clocks()
        self.stamps = np.zeros(64, np.uint64)
        self.reads: list[tuple[list[int], list[int], int]] = []
        races = SimpleNamespace(watches=lambda places: True, written=self.stamps, shift=4)
        arena = SimpleNamespace(
            base=BASE, races=races if clocks else None,
            before_load=lambda _, index, lanes, size: self.reads.append((index.tolist(), lanes.tolist(), size)),
        )  # fmt: skip
        machine: Any = SimpleNamespace(
            clocks=self.clocks if clocks else None, memory=SimpleNamespace(arena=arena),
            batch=SimpleNamespace(cta=np.arange(32 * CTAS * WARPS) // 32 % CTAS),
        )  # fmt: skip
        self.maps = TensorMaps(machine)
        self.told: list[KernelFault] = []
        self.by: list[Any] = []
        self.site: Any = SimpleNamespace(
            fault=lambda kind, message, lane, address: KernelFault(f"{kind} {lane} {address}", message),
            report=self.told.append, against=lambda _, by: self.by.append(by),
        )  # fmt: skip

    def store(self, row: int, part: int = 0) -> None:
        """Lane 0 of a row stores to a part of the map, as an instruction and in a way that do not matter."""
        how = ENGINE | 5 << SITE_AT if part else 0
        self.stamps[(PLACE >> 4) + part] = how | self.clocks.now << TIME_AT | 32 * row << LANE_AT
        self.clocks.tick()

    def release(self, row: int, level: int = 2) -> None:
        self.maps.release(Lanes.one(32 * row), level)

    def acquire(self, row: int, level: int = 2, place: int = PLACE) -> None:
        self.maps.acquire(self.site, np.array([32 * row + 5]), np.array([place]), level)

    def copy(self, row: int) -> tuple[str, str | None] | None:
        """What is told of a copy by lane 1 of a row, and what is to be done."""
        self.maps.check(self.site, 32 * row + 1, PLACE)
        if not self.told:
            return None
        fault = self.told.pop()
        assert fault.kind == f"proxy-fence {32 * row + 1} {PLACE + BASE}"
        return fault.message, fault.hint


def test_maps_that_nothing_changes_need_no_fence() -> None:
    scene = Scene()
    assert scene.copy(0) is None
    scene.stamps[PLACE >> 4] = np.uint64(4 << TIME_AT)  # By an earlier batch.
    assert scene.copy(1) is None


@pytest.mark.parametrize(("writer", "part"), [(0, 0), (2, 7), (3, 1)])
@pytest.mark.parametrize("row", [0, 1, 2, 3])
def test_a_store_needs_a_release_and_an_acquire(row: int, writer: int, part: int) -> None:
    """The release by the CTA that has stored, the acquire by the one that copies; other CTAs need scopes that include both."""
    far = row % 2 != writer % 2
    scene = Scene()
    scene.clocks.now = scene.clocks.first
    scene.store(writer, part)
    message, hint = scene.copy(row) or ("", "")
    assert message == f"{RELEASE} after it"
    assert hint == "execute fence.proxy.tensormap::generic.release in the threads that store, before they signal others"
    assert scene.by == [STORE]
    scene.clocks.now -= 1
    scene.release(writer, 1)  # As soon as it could be.
    scene.acquire(row, 2)
    assert scene.copy(row) == ((f"{RELEASE} with a scope that includes this CTA", hint) if far else None)
    scene.release(writer, 2)
    assert scene.copy(row) is None
    scene.acquire(row, 0 if writer else 1)
    message, hint = scene.copy(row) or ("", "")
    assert message == (f"{ACQUIRE} with a scope that includes this CTA" if far else "")
    if far:
        assert (
            hint == "execute fence.proxy.tensormap::generic.acquire on the map in a thread of this CTA, before the copy"
        )
    scene.acquire(row, 3)
    assert scene.copy(row) is None


@pytest.mark.parametrize("row", [0, 1])
def test_a_store_without_an_acquire(row: int) -> None:
    scene = Scene()
    scene.acquire(row, place=OTHER)
    scene.store(0)
    scene.release(0)
    assert (scene.copy(row) or ("",))[0] == f"{ACQUIRE} after it"
    scene.acquire(1 - row)
    assert (scene.copy(row) or ("",))[0] == f"{ACQUIRE} after it"


def test_fences_that_come_too_early_or_that_nobody_knows_of() -> None:
    scene = Scene()
    scene.release(0)
    scene.store(0)
    scene.acquire(1)
    assert (scene.copy(1) or ("",))[0] == f"{RELEASE} after it"
    scene.release(0)
    assert scene.copy(1) is None
    scene.clocks.unaware = {(3, 0)}  # The release has not reached the warp that copies.
    assert (scene.copy(3) or ("",))[0] == f"{RELEASE} after it"
    assert scene.copy(1) is None
    scene.clocks.unaware = {(3, 1)}  # Nor has the acquire.
    assert (scene.copy(3) or ("",))[0] == f"{ACQUIRE} after it"


def test_a_store_with_its_release() -> None:
    """`tensormap.cp_fenceproxy`: all lanes of its warp have done it, which need not wait to read it."""
    scene = Scene()
    scene.maps.change(PLACE, 3, 2)
    scene.clocks.tick()
    scene.store(0)
    scene.acquire(1, 2)
    assert (scene.copy(1) or ("",))[0] == f"{RELEASE} after it"  # It was before the store.
    scene.clocks.now -= 1  # Both at once.
    scene.maps.change(PLACE, 3, 1)
    scene.acquire(0, 2)
    scene.acquire(1, 2)
    assert scene.copy(0) is None
    assert (scene.copy(1) or ("",))[0] == f"{RELEASE} with a scope that includes this CTA"
    scene.maps.change(PLACE, 3, 2)
    scene.acquire(1, 2)
    assert scene.copy(1) is None
    scene.reads.clear()
    scene.acquire(0)
    assert scene.reads == []
    scene.acquire(2)
    assert scene.reads == [(list(range(PLACE, PLACE + 128, 16)), [69] * 8, 16)]


@pytest.mark.parametrize("by", [None, SimpleNamespace(position=SimpleNamespace(line=0))])
def test_a_store_of_no_known_line(by: Any) -> None:
    scene = Scene()
    scene.clocks.by = by
    scene.store(0)
    assert (scene.copy(0) or ("",))[0] == f"{RELEASE.replace(' (line 7)', '')} after it"


@pytest.mark.parametrize("clocks", [False, True])
def test_changes_need_an_acquire_after_them(clocks: bool) -> None:
    scene = Scene(clocks=clocks)
    scene.maps.check_all(scene.site, np.array([0, 33]), PLACE)
    scene.maps.change(PLACE, 0, None)
    assert (scene.copy(0) or ("",))[0] == CHANGED
    scene.maps.check_all(scene.site, np.array([0, 33]), OTHER)
    assert scene.told == []
    scene.maps.check_all(scene.site, np.array([0, 33]), PLACE)
    assert [(fault.kind, fault.message) for fault in scene.told] == [
        (f"proxy-fence {lane} {PLACE + BASE}", CHANGED) for lane in (0, 33)
    ]
    scene.told.clear()
    scene.acquire(0)
    assert scene.copy(0) is None and scene.copy(2) is None
    assert (scene.copy(1) or ("",))[0] == CHANGED
    scene.maps.reset()
    assert (scene.copy(0) or ("",))[0] == CHANGED
    scene.acquire(0)
    scene.maps.change(PLACE, 0, None)
    assert (scene.copy(0) or ("",))[0] == CHANGED


@pytest.mark.parametrize("write", [False, True])
def test_a_map_is_accessed_in_whole(write: bool) -> None:
    told: list[tuple[str, list[int], list[int], int]] = []
    space: Any = SimpleNamespace(guarded=False)
    for name in ("store", "load"):
        setattr(
            space, f"before_{name}", lambda _, at, by, size, n=name: told.append((n, at.tolist(), by.tolist(), size))
        )
    lanes = Lanes(0, 32, np.arange(32) % 20 == 4, 2)
    site: Any = None
    maps.touch(site, space, 128, lanes, write=write)
    assert told == []
    space.guarded = True
    maps.touch(site, space, 128, lanes, write=write)
    parts = list(range(128, 256, 16))
    assert told == [("store" if write else "load", parts * 2, [4] * 8 + [24] * 8, 16)]
