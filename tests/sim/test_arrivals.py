"""Turns at mbarriers, counted all at once or one by one, against one that counts each turn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim import KernelFault, arrivals

COUNT = (1 << 20) - 1


class Mbarrier:
    """Its four numbers, and what is told of its turns: who has arrived before a phase ends, and who comes next."""

    def __init__(self, pending: int, expected: int, bytes_: int, phase: int) -> None:
        self.pending, self.expected, self.bytes, self.phase = pending, expected, bytes_, phase
        self.ended = 0
        self.told: list[tuple[list[int], int]] = []
        self.waiting: list[int] = []

    @property
    def word(self) -> int:
        return self.pending | self.expected << 20 | (self.bytes & (1 << 23) - 1) << 40 | self.phase << 63

    def turn(self, number: int, count: int, bytes_: int, drop: bool) -> int:
        """The word before."""
        if self.told and self.told[-1][1] == -2:
            self.told[-1] = self.told[-1][0], number
        before = self.word
        self.bytes += bytes_
        self.expected -= count if drop else 0
        self.pending -= count
        if self.pending < 0:
            raise ValueError(count)
        self.waiting.append(number)
        if not self.pending and not self.bytes:
            self.phase, self.pending, self.ended = self.phase ^ 1, self.expected, self.ended + 1
            self.told.append((self.waiting, -2))
            self.waiting = []
        return before


def machine() -> Any:
    """What counts the phases that end, and the places of their mbarriers."""
    made = SimpleNamespace(changed=[], phases=0, completed=[])
    made.change = lambda: made.changed.append(made.phases)
    made.clocks = SimpleNamespace(complete=lambda places: made.completed.extend(places.tolist()))
    return made


def site(of: Any) -> Any:
    return SimpleNamespace(machine=of, fault=lambda kind, message, lane: KernelFault(kind, f"{message} ({lane})"))


class Case:
    """Some mbarriers, and turns at them."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        bars = int(rng.integers(1, 5))
        self.made = [self._mbarrier(rng) for _ in range(bars)]
        turns = int(rng.choice([1, 1, 2, 5, 32, 64, 96]))
        self.index = 8 * rng.integers(0, bars, turns)
        warps = turns >= 32 and rng.random() < 0.6  # Each warp at one.
        if warps:
            self.index = np.repeat(self.index[::32], 32)
        kind = rng.integers(0, 3)
        self.arrivals = [np.ones(turns, np.int64), rng.integers(0, 3, turns), np.zeros(turns, np.int64)][kind]
        self.bytes = np.zeros(turns, np.int64) if rng.random() < 0.7 else rng.integers(-9, 10, turns)
        self.drop = bool(rng.random() < 0.3)
        self.tells = bool(rng.random() < 0.7)
        if warps and rng.random() < 0.6:  # All count the same.
            self.arrivals, self.bytes, self.drop = np.full(turns, rng.integers(0, 3)), 0 * self.bytes, False
        elif rng.random() < 0.4:
            self._end_phases(rng)
            return
        for number, bar in enumerate(self.made):  # Most phases end at the last turn, or have just one too many.
            mine = self.index == 8 * number
            total = int(self.arrivals[mine].sum())
            if rng.random() < 0.8 and total and not self.drop:
                bar.pending = max(1, total + int(rng.integers(-2, 3)))
                bar.expected = max(bar.pending, total)
                bar.bytes = -int(self.bytes[mine].sum()) + int(rng.choice([0, 0, 1, -3]))

    def _end_phases(self, rng: np.random.Generator) -> None:
        """Turns between which phases end, by their arrivals or by their bytes."""
        for number, bar in enumerate(self.made):
            bar.expected = int(rng.choice([1, 2, 3, 9, 33]))
            bar.pending, expected = int(rng.integers(1, bar.expected + 1)), bar.expected
            left, bytes_ = bar.pending, bar.bytes
            for turn in np.flatnonzero(self.index == 8 * number).tolist():
                count = min(left, int(rng.integers(0, 3)))
                left -= count
                more = -bytes_ if not left and rng.random() < 0.7 else int(rng.choice([0, 0, 5, -3]))
                bytes_ += more
                expected -= count * self.drop
                if not left and not bytes_:
                    left = expected
                self.arrivals[turn], self.bytes[turn] = count, more

    @staticmethod
    def _mbarrier(rng: np.random.Generator) -> Mbarrier:
        expected = int(rng.choice([1, 2, 32, 40, 64, 100, COUNT]))
        return Mbarrier(
            int(rng.integers(1, expected + 1)), expected, int(rng.integers(-20, 20)), int(rng.integers(0, 2))
        )


@pytest.mark.parametrize("seed", range(0, 240, 20))
def test_turns_are_counted_as_if_one_by_one(seed: int) -> None:
    """Words before each turn and at last, phases that end, who is told of in which phase; and turns too many."""
    for number in range(seed, seed + 20):
        check(number)


def check(seed: int) -> None:
    case, of, told = Case(seed), machine(), list[tuple[list[int], int]]()
    words = np.array([bar.word for bar in case.made], np.uint64)
    space: Any = SimpleNamespace(view=lambda dtype: words)

    def tell(turns: np.ndarray[Any, Any], following: int) -> None:
        told.append((turns.tolist(), following))

    wanted: list[int] | None = []
    try:
        for number, (place, count, more) in enumerate(
            zip(case.index.tolist(), case.arrivals.tolist(), case.bytes.tolist(), strict=True)
        ):
            wanted.append(case.made[place >> 3].turn(number, count, more, case.drop))
    except ValueError:
        wanted = None
    more = {"drop": case.drop, "tell": tell if case.tells else None}
    if wanted is None:
        with pytest.raises(
            KernelFault, match=r"^error: \d+ arrivals exceed the mbarrier's pending count \(7\)"
        ) as caught:
            arrivals.update(site(of), space, case.index, 7, case.arrivals, case.bytes, **more)
        assert caught.value.kind == "barrier"
        return
    before = arrivals.update(site(of), space, case.index, 7, case.arrivals, case.bytes, **more)
    assert before.tolist() == wanted
    assert words.tolist() == [bar.word for bar in case.made]
    ended = [8 * number for number, bar in enumerate(case.made) for _ in range(bar.ended)]
    assert (sorted(of.completed), of.phases, of.changed) == (ended, len(ended), [0])
    if case.tells:
        each = [(turns, -1 if following == -2 else following) for bar in case.made for turns, following in bar.told]
        each += [(bar.waiting, -1) for bar in case.made if bar.waiting]
        # What ends no phase, or ends it with the last turn, may be told together.
        assert [one for one in sorted(told) if one[1] >= 0] == [one for one in sorted(each) if one[1] >= 0]
        assert sorted(turn for turns, _ in told for turn in turns) == list(range(len(case.index)))
        assert min(following for _, following in told) >= -1


def test_what_a_phase_lacks() -> None:
    """Said in words, and asked by those who know what is under way."""
    words = np.array([0, Mbarrier(3, 7, -5, 1).word, Mbarrier(2, 2, 0, 0).word], np.uint64)
    space: Any = SimpleNamespace(view=lambda dtype: words)
    said = [arrivals.describe(int(word)) for word in words[1:]]
    assert said == ["phase 1 lacks 3 of 7 arrivals and -5 bytes", "phase 0 lacks 2 of 2 arrivals"]
    assert [arrivals.pending(space, place) for place in (8, 16, 19)] == [3, 2, 2]
    assert arrivals.parity(words).tolist() == [0, 1, 0]
    near = [(8, 3, -5), (8, 3, 0), (8, 2, -5), (16, 2, 0), (16, 0, 0), (0, 0, 0)]
    assert [arrivals.imminent(space, *one) for one in near] == [True, False, False, True, False, False]
