"""Pages of shared memory: what they say of accesses is what a list of all accesses says."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim import stamps as st
from weft.sim.lanes import Array
from weft.sim.pages import Pages

WARPS, SIZE, PAGE = 3, 640, 64
Range = tuple[int, int]


class Clocks:
    """What each warp, or the first lane of it, knows of what each role did, up to which time."""

    def __init__(self, wide: bool) -> None:
        self.warps, self.wide, self.now, self.everyone = WARPS, wide, 1, 0
        self.known = np.zeros((2, WARPS, WARPS + 2), np.int64)

    def knows(self, roles: Range, lane: int, role: int, time: int) -> bool:
        return bool((self.known[int(lane >= 0), roles[0] : roles[1] + 1, role] >= time).all())

    def surely(self, roles: Range, newest: Array, lane: int) -> bool:
        return all(self.knows(roles, lane, role, time) for role, time in enumerate(newest.tolist()))

    def surely_of(self, roles: Range, lane: int, role: int, other: int, time: int) -> bool:
        return (lane == other and roles == (role, role)) or self.knows(roles, lane, role, time)

    def learn(self, rng: random.Random) -> None:
        which = rng.randrange(2), rng.randrange(WARPS), rng.randrange(WARPS + 2)
        self.known[which] = max(self.known[which], rng.randint(0, self.now))
        if rng.random() < 0.2:  # A barrier of all.
            self.everyone = rng.randint(self.everyone >> st.TIME_AT, self.now) << st.TIME_AT


class Model:
    """All accesses, and those whose bytes copies of threads still use."""

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.done: list[tuple[Range, Range, int, int]] = []
        self.flying: list[tuple[Range, int, Any]] = []

    def settled(self, roles: Range, at: Range, lane: int) -> bool:
        clocks = self.clocks
        lane = lane if roles[0] == roles[1] else -1
        if any(low <= at[1] and at[0] <= high for (low, high), *_ in self.flying):
            return False
        for (first, last), (low, high), time, alone in self.done:
            if low // PAGE > at[1] // PAGE or at[0] // PAGE > high // PAGE:
                continue
            for role in range(first, last + 1):
                if clocks.wide:
                    known = role < WARPS and time <= clocks.everyone >> st.TIME_AT
                elif alone >= 0:
                    known = clocks.surely_of(roles, lane, role, alone, time)
                else:
                    known = clocks.knows(roles, lane, role, time)
                if not known:
                    return False
        return True


def some_range(rng: random.Random) -> Range:
    low = rng.randrange(SIZE)
    return low, min(SIZE - 1, low + rng.choice((0, 3, 15, 64, 200)))


@pytest.mark.parametrize("wide", [False, True])
def test_pages_say_of_accesses_what_a_list_of_them_says(wide: bool) -> None:
    """Of reads and writes each, of both together, and for the same access again."""
    rng, said = random.Random(5), set[tuple[bool, bool]]()
    for _ in range(60):
        clocks: Any = Clocks(wide)
        kinds = [(Pages(clocks, SIZE), Model(clocks)) for _ in range(2)]
        asks: list[tuple[Any, Range, Range, int]] = []
        for _ in range(4):
            first = rng.randrange(WARPS)
            roles = first, rng.choice((first, rng.randrange(first, WARPS)))
            asks.append((SimpleNamespace(pages=None, known=0), roles, some_range(rng), rng.choice((-1, 0))))
        for _ in range(20):
            clocks.now += 1
            pages, model = rng.choice(kinds)
            at, way = some_range(rng), rng.random()
            if way < 0.25:
                role = rng.randrange(WARPS + 2)
                access = (role, role), at, clocks.now, rng.choice((-1, 0, 1)) if role < WARPS else -1
                together = rng.random() < 0.3
                if together:
                    pages.hold()
                pages.mark(access[0], at, access[3])
                if together:
                    assert pages.settled((0, 0), at, -1) == model.settled((0, 0), at, -1)
                    pages.release()
                model.done.append(access)
            elif way < 0.35:
                count = rng.randint(1, 3)
                site: Any = object()
                pages.fly(site, at, count)
                model.flying.append((at, count, site))
            elif way < 0.5 and model.flying:
                at, count, site = model.flying.pop()
                landing = rng.randint(1, count)
                pages.land(site, at, landing)
                if landing < count:
                    model.flying.append((at, count - landing, site))
            else:
                for _ in range(6):
                    clocks.learn(rng)
            (reads, of_reads), (writes, of_writes) = kinds
            for spot, roles, at, lane in asks:
                expected = of_reads.settled(roles, at, lane), of_writes.settled(roles, at, lane)
                assert (reads.settled(roles, at, lane), writes.settled(roles, at, lane)) == expected
                assert reads.both_settled(writes, roles, at, lane) == expected
                assert reads.settled_for(spot, roles, at, lane) == expected[0]
                said.add(expected)
    assert len(said) == 4


def test_bytes_of_copies_on_their_way_are_in_flight() -> None:
    """To the byte: an access beside them has nothing to do with them."""
    clocks: Any = Clocks(False)
    pages = Pages(clocks, SIZE)
    pages.fly(object(), (10, 20), 1)  # type: ignore[arg-type]
    for at, free in (
        ((0, 9), True),
        ((0, 10), False),
        ((12, 13), False),
        ((20, 40), False),
        ((21, 40), True),
        ((0, 40), False),
    ):
        assert pages.settled((0, 0), at, -1) == free, at
