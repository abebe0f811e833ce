"""Global memory as regions with guard bytes between them, and places that instructions come back to."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim.arena import ARENA_BASE, GUARD_BYTES, LINE, WIDEST, Arena
from weft.sim.lanes import WARP, Lanes
from weft.sim.memory import Memory, PerLane, Shared
from weft.sim.spots import Spot, Spots


class Fault(Exception):
    def __init__(self, kind: str, message: str, lane: int, address: int) -> None:
        super().__init__(message)
        self.told = kind, message, lane, address


SITE: Any = SimpleNamespace(fault=Fault)


def arena(rng: random.Random, count: int) -> Arena:
    one = Arena()
    for number in range(count):
        align = rng.choice((16, 64, 256))
        size = rng.choice((1, 4, 64, 100, 1000))
        before = one.end
        start = one.allocate(
            f"{rng.choice(('variable', 'argument'))} r{number}",
            size,
            align,
            rng.random() < 0.7,
            parameter=rng.random() < 0.3,
        )
        assert start % align == 0 and before + GUARD_BYTES <= start < before + GUARD_BYTES + align
        assert one.end == start + size
    one.build()
    return one


def test_regions_lie_apart_in_whole_lines() -> None:
    rng = random.Random(2)
    for _ in range(20):
        one = arena(rng, rng.randint(1, 6))
        assert one.base == ARENA_BASE and not one.bytes.any()
        assert (
            len(one.bytes) % WIDEST == 0
            and len(one.bytes) >= one.end + GUARD_BYTES - one.base > len(one.bytes) - WIDEST
        )
        assert one.bytes.ctypes.data % LINE == 0
        table = one.table()
        assert table.starts.tolist() == [region.start for region in one.regions]
        assert table.ends.tolist() == [region.end for region in one.regions] and table.writable.tolist() == [
            region.writable for region in one.regions
        ]
        named = [
            number
            for number, region in enumerate(one.regions)
            if region.writable and region.name.startswith("variable ")
        ]
        assert list(table.variables) == named
        for number, region in enumerate(one.regions):
            one.contents(region.start, region.end - region.start)[:] = number + 1
            assert one.address_of(region.start - one.base, 0) == region.start
        assert sorted(set(one.bytes.tolist())) == list(range(len(one.regions) + 1))
        for region in one.regions:
            first, size = region.start - one.base, region.end - region.start
            assert one.holds(first, size, 0) and one.holds(first + size - 1, 1, 0) and not one.holds(first, size + 1, 0)
        one.filled = one.regions[-1].start
        one.clear()
        assert all(one.contents(region.start, 1)[0] == number + 1 for number, region in enumerate(one.regions[:-1]))
        assert not one.contents(one.regions[-1].start, 1).any()


def wrong(one: Arena, address: list[int], size: int, *, write: bool) -> tuple[str, int] | None:
    """What is wrong with accesses, and which is the first: outside, then read-only, then misaligned."""
    homes = [next((r for r in one.regions if r.start <= at and at + size <= r.end), None) for at in address]
    for number, home in enumerate(homes):
        if home is None:
            return "out-of-bounds", number
    for number, home in enumerate(homes):
        if write and home is not None and not home.writable:
            return "read-only", number
    for number, at in enumerate(address):
        if at % size:
            return "misaligned", number
    return None


def near(one: Arena, address: int) -> str:
    """The nearest region that is meant: of parameters only where one lies close."""

    def distance(region: Any) -> int:
        return max(region.start - address, address - (region.end - 1), 0)

    meant = [region for region in one.regions if not region.parameter or distance(region) < GUARD_BYTES]
    if not meant or distance(region := min(meant, key=distance)) > 1 << 30:
        return " (address 0 is not a pointer)" if address < 4096 else ""
    if address < region.start:
        return f" ({region.start - address} bytes before {region.name})"
    return f" (offset {address - region.start} of {region.name}, which has {region.end - region.start} bytes)"


def test_accesses_lie_in_one_region_each() -> None:
    rng = random.Random(4)
    kinds: set[str] = set()
    for _ in range(150):
        one = arena(rng, rng.randint(1, 5))
        size, write = rng.choice((1, 2, 4, 8, 16)), rng.random() < 0.4
        home = rng.choice(one.regions)
        address: list[int] = []
        for _ in range(rng.randint(1, 6)):
            region = home if rng.random() < 0.8 else rng.choice(one.regions)
            span = region.end - region.start
            inside = region.start + size * rng.randrange(max(1, span // size))
            odd = rng.choice(
                (
                    region.start - 1,
                    region.end - size + 1,
                    region.end,
                    region.end + 300,
                    region.start - 3000,
                    region.start - 255,
                    region.start - 256,
                    region.end + 254,
                    region.end + 255,
                    one.end - 1 + (1 << 30),
                    one.end + (1 << 30),
                    0,
                    4095,
                    4096,
                    one.end + (1 << 31),
                    inside + 1,
                    inside + 1,
                    inside + 1,
                    inside + 1,
                    inside + 1,
                    inside + 1,
                )
            )
            address.append(inside if rng.random() < 0.92 else odd)
        lanes: Any = (
            np.array(sorted(rng.sample(range(32), len(address)))) if rng.random() < 0.5 else slice(3, 3 + len(address))
        )
        bad = wrong(one, address, size, write=write)
        try:
            found = one.locate(SITE, np.array(address, np.int64), lanes, size, write)
        except Fault as fault:
            assert bad is not None, fault
            kind, number = bad
            kinds.add(kind)
            at, lane = address[number], 3 + number if isinstance(lanes, slice) else int(lanes[number])
            name = next((r.name for r in one.regions if r.start <= at < r.end), "")
            message = {
                "out-of-bounds": f"{size} bytes at global address {at:#x} lie outside every buffer{near(one, at)}",
                "read-only": f"stores to {name}, which is read-only",
                "misaligned": f"global address {at:#x} is not a multiple of the access size of {size} bytes",
            }[kind]
            assert fault.told == (kind, message, lane, at)
            continue
        assert bad is None and found.tolist() == [at - one.base for at in address]
        if one.located is not None:
            region = one.regions[one.within]
            assert one.located is found and all(region.start <= at and at + size <= region.end for at in address)
    assert kinds == {"out-of-bounds", "read-only", "misaligned"}
    none = Arena()
    none.build()
    with pytest.raises(Fault) as caught:
        none.locate(SITE, np.array([64]), slice(5, 6), 4, False)
    assert caught.value.told == ("out-of-bounds", "4 bytes at global address 0x40: the kernel has no buffers", 5, 64)


def test_places_that_come_back_are_known_again() -> None:
    """The same addresses, lanes and size in memory of the same shape, and nothing else."""
    rng = random.Random(6)
    for lanes_at_once in (4, 300):
        spots, kept = Spots(), dict[tuple[Any, ...], Spot]()
        base = np.arange(lanes_at_once) * 8
        for _ in range(120):
            address = base + 8 * rng.randrange(3)
            if rng.random() < 0.5:
                address[lanes_at_once // 2] += 8 * rng.randrange(2)
            lanes: Any = rng.choice(
                (
                    slice(0, lanes_at_once),
                    slice(32, 32 + lanes_at_once),
                    np.arange(lanes_at_once),
                    np.arange(lanes_at_once) + rng.randrange(2),
                )
            )
            size, stride = rng.choice((4, 8)), rng.choice((64, 64, 128))
            who = (lanes.start,) if isinstance(lanes, slice) else ("of", *lanes.tolist())
            key = (*address.tolist(), size, *who)
            found = spots.recall(address, lanes, size, stride)
            if found is None:
                found = Spot(address.copy(), lanes, address.copy(), address.copy(), stride)
                spots.keep(found, size)
                assert found.kept and spots.recall(address.copy(), lanes, size, stride) is found
            else:
                assert kept[key] is found and found.stride == stride
            kept[key] = found
            low, high = found.at(size)
            assert (low, high) == (int(address.min()), int(address.max()) + size - 1)
            assert found.blocks().tolist() == sorted({at // 256 for at in address.tolist()})


def test_the_lanes_of_places() -> None:
    """Roles of warps, and the one lane of its warp that each is; -1 where they are not alike."""
    for lanes, role, roles, lane in (
        (slice(0, 64), 64, (0, 0), -1), (slice(64, 192), 64, (1, 2), -1), (np.array([5, 37, 69]), 32, (0, 2), 5),
        (np.array([5, 38]), 32, (0, 1), -1), (np.array([31]), 32, (0, 0), 31), (np.array([130, 190]), 64, (2, 2), -1),
    ):  # fmt: skip
        index = np.zeros(lanes.stop - lanes.start if isinstance(lanes, slice) else len(lanes), np.int64)
        spot = Spot(index, lanes, index, index, 64)
        assert (spot.roles(role), spot.lane()) == (roles, lane)


def test_whole_warps_at_one_place() -> None:
    """Their first lanes stand for them, where all lanes of each warp name the same place."""
    place = np.repeat([8, 16, 8], WARP)
    same = Spot(place, slice(32, 128), place, place, 64)
    firsts = same.firsts()
    assert firsts.whole and not isinstance(firsts.lanes, slice)
    assert (firsts.lanes.tolist(), firsts.index.tolist()) == ([32, 64, 96], [8, 16, 8])
    apart = place.copy()
    apart[40] += 8
    other = Spot(apart, slice(32, 128), apart, apart, 64)
    assert other.firsts() is other and not other.whole
    some = Spot(place[:3], np.array([32, 64, 96]), place[:3], place[:3], 64)
    assert some.firsts() is some


def test_generic_addresses_are_split_by_windows() -> None:
    """Each lane's own space, whatever the others'; windows begin and end at multiples of 4 GiB."""
    rng = random.Random(7)
    home = Arena()
    start = home.allocate("a", 4096)
    home.build()
    shared, local = (
        Shared(np.zeros(32, np.int64), 1, False),
        PerLane("local", 0x1000_0000_0000, 256, np.arange(32), False),
    )
    shared.grow(256)
    memory = Memory(home, shared, local)
    site: Any = SimpleNamespace(fault=Fault, spots=None)
    for _ in range(60):
        some = rng.choice(("gsl", "gs", "gl", "sl", *"gsl"))
        spaces = [rng.choice(some) for _ in range(32)]
        offsets = [4 * rng.randrange(64) for _ in range(32)]
        bases = {"g": start, "s": 0x2000_0000_0000, "l": 0x1000_0000_0000}
        mask = np.array([rng.random() < 0.8 for _ in range(32)])
        mask[0] = True
        lanes = Lanes(0, 32, None if mask.all() else mask)
        who = lanes.index.tolist()
        address = np.array([bases[spaces[n]] + offsets[n] for n in who], np.int64)
        got: dict[int, tuple[str, int]] = {}
        for space, index, where in memory.generic(site, address, lanes, 4, False):
            letter = {"global": "g", "shared": "s", "local": "l"}[space.name]
            chosen = range(len(who)) if where is None else where.tolist()
            got |= {who[n]: (letter, at) for n, at in zip(chosen, index.tolist(), strict=True)}
        wanted = {n: (spaces[n], offsets[n] + {"g": start - home.base, "s": 0, "l": 256 * n}[spaces[n]]) for n in who}
        assert got == wanted
    assert list(memory.generic(site, np.zeros(0, np.int64), Lanes(0, 32), 4, False)) == []
    assert [
        memory.space(name) for name in ("shared", "shared::cta", "shared::cluster", "local", "global", "const", "")
    ] == [shared, shared, shared, local, home, home, home]
    for space in (home, shared, local):
        space.loaded = space.stored = 5
    memory.restart()
    assert all((space.loaded, space.stored) == (0, 0) for space in (home, shared, local))
