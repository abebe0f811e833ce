"""Who has a turn: lanes that schedules hold back, how often they change, and in which order CTAs and warps come."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim.lanes import WARP, Lanes
from weft.sim.schedules import PATIENCE, PAUSES, Schedule, Turns

BLOCK: Any = "a block"
SHARES = (0, 1 / 4, 1 / 2, 3 / 4, 9 / 10)
"""Of the warps, or CTAs, that a change holds back."""


@dataclass
class Machine:
    """What schedules look at: a batch of so many warps by CTAs, and who was let go."""

    warps: int
    ctas: int
    seed: int = 0
    steps: int = 0
    changes: int = 0
    went: list[int] = field(default_factory=list[int])

    def __post_init__(self) -> None:
        self.batch = SimpleNamespace(lanes=self.warps * self.ctas * WARP, ctas=self.ctas, role=self.ctas * WARP)
        self.random = np.random.default_rng(self.seed)

    def enqueue(self, block: Any, lanes: Lanes) -> None:
        assert block == BLOCK
        self.went += lanes.index.tolist()

    @property
    def all(self) -> Lanes:
        return Lanes(0, self.batch.lanes)


def schedule(machine: Machine, changes: int | None = None) -> Schedule:
    made = Schedule(machine, changes)  # type: ignore[arg-type]
    made.reset()
    return made


def rows_of(lanes: Lanes | None) -> list[int]:
    """The warps of lanes, by their numbers: those of CTA 0, 1, ... of the first warp, then those of the second."""
    return [] if lanes is None else sorted({lane // WARP for lane in lanes.index.tolist()})


def kept(one: Schedule) -> list[int]:
    return sorted(lane for lanes in one.held.values() for lane in lanes.index.tolist())


def turns(machine: Machine, one: Schedule) -> list[int]:
    """Warps that have their turn when all lanes come together; no lane is lost."""
    one.held.clear()
    going = one.turn(BLOCK, machine.all)
    assert sorted([*([] if going is None else going.index.tolist()), *kept(one)]) == machine.all.index.tolist()
    return rows_of(going)


def of(machine: Machine, lanes: list[int]) -> Lanes | None:
    mask = np.zeros(machine.batch.lanes, np.bool_)
    mask[lanes] = True
    return Lanes.where(mask, 0, machine.batch.role)


def test_the_same_seed_gives_the_same_schedule() -> None:
    def told(seed: int, changes: int | None = None) -> list[list[int]]:
        machine = Machine(5, 2, seed)
        one = schedule(machine, changes)
        found: list[list[int]] = []
        for machine.steps in range(100):
            found.append(turns(machine, one))
        return found

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_fewer_changes_are_the_first_ones() -> None:
    """Of a schedule with at most so many changes: behind them nobody is held back."""

    def told(changes: int | None) -> list[tuple[int, list[int]]]:
        machine = Machine(5, 2, 3)
        one = schedule(machine, changes)
        found: list[tuple[int, list[int]]] = []
        for _ in range(12):
            going = rows_of(one.turn(BLOCK, machine.all))
            one.held.clear()
            found.append((machine.steps, going))
            machine.steps = one.following
        return found

    free = told(None)
    for changes in (0, 1, 4):
        some = told(changes)
        assert some[:changes] == free[:changes]
        assert [step for step, _ in some] == [step for step, _ in free]
        assert all(going == list(range(10)) for _, going in some[changes:])


def test_those_who_are_held_back_go_on_together() -> None:
    machine = Machine(4, 2, 5)
    one = schedule(machine)
    assert not one.release()
    going: list[int] = list(range(8))
    while len(going) in (0, 8):
        machine.steps = one.following
        going = turns(machine, one)
        machine.went.clear()
    held = [lane for lane in range(256) if lane // WARP not in going]
    assert kept(one) == held
    assert one.release()
    assert sorted(machine.went) == held and not one.held
    assert turns(machine, one) == list(range(8))
    assert not one.release()


def test_lanes_with_masks_are_split_by_warps() -> None:
    machine = Machine(4, 2)
    one = schedule(machine)
    one.following = 100
    one._low = np.repeat(np.array([0, 1, 0, 0, 1, 0, 1, 1], np.bool_), WARP)
    mask = np.arange(128) % 5 < 2
    going = one.turn(BLOCK, Lanes(128, 256, mask))
    assert going is not None
    there = [lane for lane in range(128, 256) if (lane - 128) % 5 < 2]
    assert going.index.tolist() == [lane for lane in there if lane // WARP == 5]
    assert kept(one) == [lane for lane in there if lane // WARP != 5]
    assert one.turn(BLOCK, Lanes(192, 256)) is None
    assert kept(one) == sorted({*(lane for lane in there if lane // WARP == 4), *range(192, 256)})
    free = Lanes(64, 128)
    assert one.turn(BLOCK, free) is free


def test_a_run_that_may_hang_goes_on_without_a_schedule() -> None:
    """Until something changes memory; after too many such times only those go on who are held back."""
    machine = Machine(6, 1, 2)
    one = schedule(machine)
    for number in range(PAUSES):
        machine.steps = one.following
        turns(machine, one)
        held = kept(one)
        machine.went.clear()
        assert one.suspend()
        assert sorted(machine.went) == held
        machine.went.clear()
        machine.steps += 1000
        assert turns(machine, one) == list(range(6))
        assert not one.suspend()
        machine.changes = number + 1
        turns(machine, one)
        assert one.following > machine.steps
    going = list(range(6))
    while len(going) == 6:
        machine.steps = one.following
        going = turns(machine, one)
    machine.went.clear()
    assert one.suspend() and machine.went
    assert not one.suspend()
    machine.steps = one.following
    going = list(range(6))
    while len(going) == 6:
        going = turns(machine, one)
        machine.steps = one.following
    one.reset()
    assert not one.held and one.following == machine.steps
    assert one.suspend(), "a batch may be suspended as often as the one before"


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("warps", [False, True])
def test_turns_come_in_order(backwards: bool, warps: bool) -> None:
    machine = Machine(4, 3)
    one = Turns(machine, backwards=backwards, warps=warps)  # type: ignore[arg-type]
    one.reset()
    lanes: Lanes | None = machine.all
    found: list[list[int]] = []
    while lanes is not None:
        machine.steps += 7
        found.append(rows_of(one.turn(BLOCK, lanes)))
        machine.went.clear()
        machine.changes += 1
        one.release()
        lanes = of(machine, machine.went)
    units = [[3 * n, 3 * n + 1, 3 * n + 2] for n in range(4)] if warps else [[n, n + 3, n + 6, n + 9] for n in range(3)]
    assert found == (units[::-1] if backwards else units)


def test_turns_that_change_nothing_end() -> None:
    """All have had two in vain: then all go on together, and nobody is held back any more."""
    machine = Machine(1, 3)
    one = Turns(machine, backwards=False)  # type: ignore[arg-type]
    one.reset()
    came: list[list[int]] = []
    for _ in range(12):
        going = rows_of(one.turn(BLOCK, machine.all))
        one.held[BLOCK] = one.held.get(BLOCK, machine.all)
        came.append(going)
        machine.went.clear()
        if not one.release():
            break
        one.held.clear()
    alone = [going for going in came if len(going) == 1]
    assert alone == [[n % 3] for n in range(len(alone))]
    assert len(alone) == 7
    assert came[len(alone) :] and all(going == [0, 1, 2] for going in came[len(alone) :])


def test_turns_end_at_strong_writes_or_in_time() -> None:
    machine = Machine(1, 4)
    plain, one = (Turns(machine, backwards=True, yields=yields) for yields in (False, True))  # type: ignore[arg-type]
    for each in (plain, one):
        each.reset()
        assert rows_of(each.turn(BLOCK, machine.all)) == [3]
        each.wrote()
    machine.went.clear()
    assert rows_of(plain.turn(BLOCK, of(machine, [96]) or machine.all)) == [3]
    assert rows_of(one.turn(BLOCK, of(machine, [96]) or machine.all)) == []
    assert rows_of(of(machine, machine.went)) == [0, 1, 2]
    assert rows_of(one.turn(BLOCK, machine.all)) == [2]
    machine.steps += PATIENCE - 1
    assert rows_of(one.turn(BLOCK, machine.all)) == [2]
    machine.steps += 1
    assert rows_of(one.turn(BLOCK, machine.all)) == [1]
    machine.steps += 10_000
    assert rows_of(plain.turn(BLOCK, machine.all)) == [3]


def test_turns_that_are_suspended_go_on_where_they_were() -> None:
    machine = Machine(1, 4)
    one = Turns(machine, backwards=False)  # type: ignore[arg-type]
    one.reset()
    one.turn(BLOCK, machine.all)
    one.release()
    assert rows_of(one.turn(BLOCK, machine.all)) == [1]
    assert one.suspend()
    assert rows_of(one.turn(BLOCK, machine.all)) == [0, 1, 2, 3]
    machine.changes += 1
    assert rows_of(one.turn(BLOCK, machine.all)) == [1]
    one.reset()
    assert not one.held
    assert rows_of(one.turn(BLOCK, machine.all)) == [0]


@pytest.mark.parametrize(("warps", "ctas"), [(4, 3), (1, 6)])
def test_changes_are_random_as_they_say(warps: int, ctas: int) -> None:
    """Each share as often, half of them of whole CTAs, and from one to 256 steps apart, of each power of two as many."""
    machine = Machine(warps, ctas)
    one, distances, whole, shares = schedule(machine), list[int](), 0, Counter[int]()
    count = 1500
    for _ in range(count):
        before = machine.steps
        going = rows_of(one.turn(BLOCK, machine.all))
        one.held.clear()
        distances.append(one.following - before)
        low = [row not in going for row in range(warps * ctas)]
        shares[sum(low)] += 1
        whole += (
            warps > 1 and 0 < sum(low) < warps * ctas and all(low[row] == low[row % ctas] for row in range(len(low)))
        )
        machine.steps = one.following
    rows = warps * ctas
    assert (min(distances), max(distances)) == (1, 256)
    assert np.mean(distances) == pytest.approx(np.mean([((1 << n) + 1) / 2 for n in range(1, 9)]), rel=0.1)
    held = sum(number * times for number, times in shares.items()) / count / rows
    assert held == pytest.approx(np.mean(SHARES), abs=0.03)
    for number in range(rows + 1) if warps == 1 else ():
        ways = math.comb(rows, number)
        wanted = np.mean([ways * share**number * (1 - share) ** (rows - number) for share in SHARES])
        assert shares[number] / count == pytest.approx(wanted, abs=0.03), number
    if warps > 1 and ctas > 1:
        # Of changes of whole CTAs those that hold back some, but not all of them.
        some = np.mean([1 - (1 - share) ** ctas - share**ctas for share in SHARES]) / 2
        assert whole / count == pytest.approx(some, abs=0.03)
