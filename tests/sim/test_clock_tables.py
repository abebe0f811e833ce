"""The tables of clocks by themselves: their columns, engines, what is kept when they grow, and what lanes have met."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim import stamps as st
from weft.sim.clock_rows import KNOWN
from weft.sim.clocks import Clocks

WARPS, CTAS = 3, 2
LANES = 32 * WARPS * CTAS


def clocks_of(warps: int = WARPS, ctas: int = CTAS, *, cluster: int = 1, planes: int = 1, **more: Any) -> Clocks:
    """The clocks of CTAs all of whose lanes are there."""
    lanes = 32 * warps * ctas
    machine: Any = SimpleNamespace(
        launch=SimpleNamespace(warps=warps, cluster_ctas=cluster), proxies=None, flags=None, races=[],
        batch=SimpleNamespace(ctas=ctas, lanes=lanes, running=ctas, exists=np.ones(lanes, bool), cta=np.arange(lanes) // 32 % ctas),
        memory=SimpleNamespace(shared=SimpleNamespace(bytes=np.zeros(64 * ctas, np.uint8), stride=64, last=None)),
        alive=np.ones(lanes, bool),
    )  # fmt: skip
    return Clocks(machine, planes, **more)


def filled(clocks: Clocks) -> Any:
    """What rows know, at random."""
    clocks.known[:] = np.random.default_rng(3).integers(2, 1000, clocks.known.shape)
    return clocks.known.copy()


# -- columns --------------------------------------------------------------------------------------------------


def test_planes_that_are_asked_for() -> None:
    for tensor, restricted, relays, planes, far, relayed in (
        (0, False, False, 3, KNOWN, 0), (2, True, False, 4, 3, 0), (2, False, True, 4, KNOWN, 3), (2, True, True, 5, 3, 4),
    ):  # fmt: skip
        clocks = clocks_of(planes=3, tensor=tensor, restricted=restricted, relays=relays)
        assert (clocks.planes, clocks.tensor, clocks.far, clocks.relayed) == (planes, tensor, far, relayed)
        clocks.publish(np.array([2, 5]), np.arange(64, 96))
        told = clocks.known[:, [2, 5], [1, 2]]
        assert (told == np.where(np.isin(np.arange(planes), [KNOWN, far]), clocks.now, 0)[:, None]).all()
        assert np.count_nonzero(clocks.known) == 2 * len({KNOWN, far})


def test_a_column_for_every_warp_of_every_cta_once_something_orders_these() -> None:
    clocks = clocks_of()
    known = filled(clocks)
    rows = np.arange(WARPS * CTAS)
    assert (clocks.columns, clocks.column(rows).tolist()) == (WARPS, [0, 0, 1, 1, 2, 2])
    clocks.widen()
    assert (clocks.columns, clocks.column(rows).tolist()) == (WARPS * CTAS, rows.tolist())
    for row in rows:
        for role in range(WARPS):
            for cta in range(CTAS):
                assert clocks.known[KNOWN, row, role * CTAS + cta] == (
                    known[KNOWN, row, role] if cta == row % CTAS else 0
                )
    wide = clocks.known.copy()
    clocks.widen()
    assert (clocks.known == wide).all()
    assert clocks_of(cluster=2).wide and not clocks_of(cluster=1).wide


@pytest.mark.parametrize("wide", [False, True])
def test_engines_have_numbers_behind_those_of_warps(wide: bool) -> None:
    clocks = clocks_of()
    if wide:
        clocks.widen()
    known, columns = filled(clocks), clocks.columns
    names = ["a", 8, ("wgmma", 0), ("wgmma", 1), "b"]
    for number, name in enumerate(names):
        role = WARPS + number
        assert clocks.role_of(name) is None
        assert [clocks.engine(name, cta) for cta in range(CTAS)] == [32 * (role * CTAS + cta) for cta in range(CTAS)]
        assert clocks.role_of(name) == role
        assert clocks.column(np.array([role * CTAS + 1]))[0] == (role * CTAS + 1 if wide else role)
        assert clocks.columns >= (role + 1) * (CTAS if wide else 1)
    engines = clocks.engines("a", np.array([0, 1, 1]))
    assert engines is not None and engines.tolist() == [32 * WARPS * CTAS + 32 * cta for cta in (0, 1, 1)]
    assert (clocks.known[:, :, :columns] == known).all() and not clocks.known[:, :, columns:].any()
    clocks.now = 50
    clocks.reach(engines, np.array([0, 1, 3]), 33)
    column = [clocks.column(np.array([WARPS * CTAS + cta]))[0] for cta in (0, 1, 1)]
    assert clocks.known[KNOWN, [0, 1, 3], column].tolist() == [33] * 3
    clocks.reach(engines, np.array([0, 1, 3]), 20)
    assert clocks.known[KNOWN, [0, 1, 3], column].tolist() == [33] * 3  # Nothing is forgotten.


def test_there_are_no_more_engines_than_stamps_can_name() -> None:
    """As lanes: the first number behind the last engine's fits the bits of a stamp."""
    ctas = (1 << st.LANE_BITS) // 32 // 4
    clocks = clocks_of(1, ctas)
    assert [clocks.engine(name, 0) for name in ("a", "b", "c")] == [32 * ctas, 64 * ctas, -1]
    assert clocks.engines("c", np.array([0])) is None and clocks.engine("a", 1) == 32 * ctas + 32


@pytest.mark.parametrize("wide", [False, True])
def test_tables_of_arrivals_that_were_made_before_there_were_more_columns(wide: bool) -> None:
    clocks = clocks_of()
    told = np.random.default_rng(1).integers(1, 99, (1, CTAS, clocks.columns)).astype(np.uint32)
    clocks.engine("a", 0)
    if wide:
        clocks.widen()
    more = clocks._like(told)  # pyright: ignore[reportPrivateUsage]
    assert more.shape == (1, CTAS, clocks.columns)
    want = np.zeros_like(more)
    for cta in range(CTAS):
        for role in range(WARPS):
            want[0, cta, role * CTAS + cta if wide else role] = told[0, cta, role]
    assert (more == want).all()


def test_after_very_many_steps_everything_is_forgotten() -> None:
    clocks = clocks_of()
    forgotten: list[str] = []
    clocks.machine.races.append(SimpleNamespace(forget=lambda: forgotten.append("races")))  # type: ignore[arg-type]
    clocks.arrive(slice(0, 32), np.full(32, 8))
    clocks.complete(np.array([8]))
    assert clocks.unaware(slice(64, 96), np.full(32, 8)) == 64  # It need not know that the phase has ended.
    clocks.machine.proxies = SimpleNamespace(forget=lambda: forgotten.append("proxies"))  # type: ignore[assignment]
    filled(clocks)
    clocks.now = st.LAST_TIME - 2
    clocks.tick()
    assert clocks.now == st.LAST_TIME - 1 and clocks.known.any() and forgotten == []
    clocks.tick()
    assert (clocks.now, clocks.first) == (2, 2) and not clocks.known.any() and forgotten == ["proxies", "races"]
    assert clocks.unaware(slice(64, 96), np.full(32, 8)) == -1  # No phase has ended, as far as one knows.


# -- what lanes know ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wide", [False, True])
def test_what_the_warp_of_a_lane_knows(wide: bool) -> None:
    clocks = clocks_of()
    if wide:
        clocks.widen()
    known = filled(clocks)
    for lane in range(0, LANES, 17):
        mine = lane // 32
        for row in range(WARPS * CTAS):
            near = row % CTAS == mine % CTAS
            until = known[KNOWN, mine, row if wide else row // CTAS] if wide or near else 0
            for time in (until - 1, until, until + 1) if until else (1,):
                assert clocks.aware(lane, row, int(time)) == (row == mine or time <= until)


def test_lanes_that_have_met() -> None:
    """All of their warp at a time, or single lanes at others; a meeting at a time is one after all that was done by then."""
    clocks = clocks_of()
    clocks.warp_floor[:] = st.floor_word(9)
    lanes = np.array([35, 40])
    mask = np.arange(32) == 5

    def stamp(lane: int, time: int) -> Any:
        return np.array([time << st.TIME_AT | lane << st.LANE_AT] * 2, np.uint64)

    for table in (False, True):
        if table:
            clocks.partial = np.zeros((LANES, 32), np.uint32)
            clocks.partial[40, 5] = 12
        assert clocks.together(lanes, np.arange(32) == 8, 99)  # Lane 40 is marked itself.
        assert clocks.together(lanes, mask, 9)
        assert clocks.together(lanes, mask, 10) == clocks.together(lanes, mask, 12) == table
        assert not clocks.together(lanes, mask, 13) and not clocks.together(lanes, np.arange(32) == 4, 10)
        assert clocks.met(stamp(37, 9), lanes).tolist() == [True, True]
        assert clocks.met(stamp(37, 12), lanes).tolist() == [False, table]
        assert clocks.met(stamp(37, 13), lanes).tolist() == clocks.met(stamp(36, 12), lanes).tolist() == [False, False]


def test_when_lanes_have_met_the_others_of_their_warps() -> None:
    clocks = clocks_of()
    clocks.warp_floor[:] = st.floor_word(9)
    assert (clocks.met_by(np.array([3, 70])) == 9).all()
    told = np.arange(64).reshape(2, 32)
    clocks.meet_in_turn(np.array([3, 70]), told, at_once=False)
    assert (clocks.met_by(np.array([3, 70])) == 9).all()
    clocks.fence(np.array([70]))
    assert (clocks.met_by(np.array([3])) == 9).all() and (clocks.met_by(np.array([70])) == told[1]).all()
    clocks.meet_in_turn(np.array([3]), told[:1], at_once=True)
    assert (clocks.met_by(np.array([3])) == np.maximum(told[0], 9)).all()
    assert clocks.released(np.array([3, 70])).tolist() == [0, clocks.now]


def test_what_lanes_have_learned_and_told_nobody() -> None:
    clocks = clocks_of()
    lanes = np.array([3, 40])
    assert clocks.untold(lanes).tolist() == [False, False]
    clocks.hear(np.array([40]))
    assert clocks.untold(lanes).tolist() == [False, True]
    clocks.speak(np.array([3, 40]))
    assert clocks.untold(lanes).tolist() == [False, False]


@pytest.mark.parametrize("torn", [-1, 0, 2])
def test_a_warp_whose_lanes_arrive_in_two_phases_does_not_tell_what_it_has_just_done(torn: int) -> None:
    clocks = clocks_of()
    clocks.arrive(np.concatenate([np.arange(32), np.arange(64, 96)]), np.full(64, 8), torn=torn)
    told = [0 if row == torn else clocks.now - 1 for row in (0, 2)]
    assert clocks.known[KNOWN, [0, 2], [0, 1]].tolist() == told
    clocks.complete(np.array([8]))
    clocks.wait(slice(128, 160), np.full(32, 8))
    assert clocks.known[KNOWN, 4].tolist() == [*told, 0]


# -- mbarriers ------------------------------------------------------------------------------------------------


ENGINE = 100
"""The key of the engine of the first CTA, behind those of warps."""


class Model:
    """What warps know of warps, and what is told at mbarriers, in dictionaries; the CTAs of a cluster if there is one."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.clustered = bool(self.rng.random() < 0.5)
        self.clocks = clocks_of(cluster=2 if self.clustered else 1)
        rows = range(WARPS * CTAS)
        every = [*rows, *(ENGINE + cta for cta in range(CTAS))]
        self.known = {row: dict.fromkeys(every, 0) for row in rows}
        self.places = [8, 24, 72, 120]
        self.current = {place: dict.fromkeys(every, 0) for place in self.places}
        self.done = {place: dict.fromkeys(every, 0) for place in self.places}
        self.ended = set[int]()
        # Copies that signal the mbarrier at 8 of each CTA; the oldest of those in flight has been started then.
        assert self.clocks.engine(8, 0) == 32 * WARPS * CTAS
        self.flying = {place: int(self.rng.choice([0, 0, 3, 6])) for place in self.places}
        self.clocks.machine.bulk = SimpleNamespace(unfinished=self.flying.__getitem__)  # type: ignore[assignment]

    def draw(self) -> tuple[list[int], list[int], object, object]:
        """Warps, and the mbarrier of each: without clusters those of their CTAs; their lanes, as a slice if that can be."""
        rng = self.rng
        rows = sorted(rng.permutation(WARPS * CTAS)[: rng.integers(1, 4)].tolist())
        at = [int(rng.choice([p for p in self.places if self.clustered or p // 64 == row % CTAS])) for row in rows]
        lanes = np.concatenate([32 * row + np.arange(32) for row in rows])
        together = len(rows) == rows[-1] - rows[0] + 1 and rng.random() < 0.5
        return rows, at, slice(32 * rows[0], 32 * rows[-1] + 32) if together else lanes, np.repeat(at, 32)

    def learn(self, mine: dict[int, int], told: dict[int, int], near: int | None) -> None:
        for row, time in told.items():
            if near is None or row % CTAS == near:
                mine[row] = max(mine[row], time)

    def arrive(self) -> None:
        rows, at, lanes, places = self.draw()
        remote = bool(self.rng.random() < 0.6)
        for row, place in zip(rows, at, strict=True):
            if remote or place // 64 == row % CTAS:
                self.known[row][row] = self.clocks.now
                self.learn(self.current[place], self.known[row], None)
        self.clocks.arrive(lanes, places, remote)  # type: ignore[arg-type]

    def complete(self) -> None:
        places = self.rng.choice(self.places, self.rng.integers(1, 4))
        for place in set(places.tolist()):
            self.learn(self.done[place], self.current[place], None)
            self.current[place] = dict.fromkeys(self.current[place], 0)
            self.ended.add(place)
            if place % 64 == 8:
                flying = self.flying[place]
                self.learn(self.done[place], {ENGINE + place // 64: flying - 1 if flying else self.clocks.now}, None)
        self.clocks.complete(places)

    def wait(self) -> None:
        rows, at, lanes, places = self.draw()
        remote = bool(self.rng.random() < 0.6)
        new = {
            row: any(self.done[place][one] > self.known[row][one] for one in self.done[place])
            for row, place in zip(rows, at, strict=True)
        }
        assert self.clocks.news(lanes, places).tolist() == [new[row] for row in rows for _ in range(32)]  # type: ignore[arg-type]
        late = [row for row, place in zip(rows, at, strict=True) if place in self.ended and new[row]]
        assert self.clocks.unaware(lanes, places) == (32 * late[0] if late else -1)  # type: ignore[arg-type]
        for row, place in zip(rows, at, strict=True):
            self.learn(self.known[row], self.done[place], None if remote or not self.clustered else row % CTAS)
        self.clocks.wait(lanes, places, remote)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(3))
def test_who_waits_at_an_mbarrier_knows_what_those_did_who_arrived(seed: int) -> None:
    for number in range(8 * seed, 8 * seed + 8):
        model = Model(number)
        for _ in range(30):
            model.rng.choice([model.arrive, model.arrive, model.complete, model.wait])()  # type: ignore[arg-type]
            for row, known in model.known.items():
                seen = model.clocks.known[KNOWN, row]
                wanted = [time for one, time in known.items() if model.clustered or one % CTAS == row % CTAS]
                assert seen[: len(wanted)].tolist() == wanted and not seen[len(wanted) :].any()
