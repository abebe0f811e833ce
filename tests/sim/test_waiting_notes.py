"""Accesses that wait to be noted, what fences do not cover, and what lanes heard: by lists of all that was done."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from weft.sim import race_log
from weft.sim import stamps as st
from weft.sim.behind import Behind
from weft.sim.lanes import WARP
from weft.sim.race_log import Log, Note
from weft.sim.skips import Skips
from weft.sim.spots import Spot
from weft.sim.updates import in_turn

LANES = (slice(0, 8), np.arange(8), np.arange(8) + 32)


def note(site: int, time: int, start: int, lanes: Any, engine: bool = False, at: tuple[int, int] | None = None) -> Note:
    index = start + 4 * np.arange(8)
    word = time << st.TIME_AT | site << st.SITE_AT | (st.ENGINE if engine else 0)
    return Note(word, index, lanes.copy() if engine else lanes, 4, at=at or (start, start + 31))


@pytest.mark.parametrize("seed", range(4))
def test_the_same_access_once_more_takes_the_place_of_the_one_before(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the same instruction, lanes and bytes; they wait in the order of time, and come out where their bytes are asked for."""
    monkeypatch.setattr(race_log, "_MOST_NOTES", 6 if seed % 2 else 1000)
    monkeypatch.setattr(race_log, "_MOST_LANES", 1000 if seed % 2 else 48)
    rng, log, model = random.Random(seed), Log(), list[tuple[Any, Note]]()
    for time in range(1, 200):
        what = rng.random()
        if what < 0.75:
            site, start, who = rng.randrange(3), 32 * rng.randrange(4), rng.randrange(3)
            engine = who > 0 and rng.random() < 0.3
            made = note(site, time, start, LANES[who], engine)
            key = site, start, who, engine
            known = [other for other, _ in model].index(key) if key in [other for other, _ in model] else -1
            kept = log.keep(made)
            assert kept == (known >= 0 or (len(model) < 6))
            if kept:
                del model[known : known + 1 if known >= 0 else 0]
                model.append((key, made))
        elif what < 0.9:
            low = rng.randrange(140)
            at = (low, low + rng.randrange(40)) if rng.random() < 0.9 else None
            found = log.taken(at)
            wanted = [one for _, one in model if at is None or (one.at and one.at[0] <= at[1] and at[0] <= one.at[1])]
            assert [id(one) for one in found] == [id(one) for one in wanted]
            model = [each for each in model if id(each[1]) not in set(map(id, wanted))]
        elif model:
            last = model[-1][1]
            index, lanes = last.index.copy(), last.lanes if isinstance(last.lanes, slice) else last.lanes.copy()
            last.alone = rng.random() < 0.7
            fits = last.alone and not last.word & st.ENGINE
            assert not log.dropped(index, lanes, 8)
            assert not log.dropped(index + 4, lanes, 4)
            other = slice(1, 9) if isinstance(lanes, slice) else lanes + 1
            assert not log.dropped(index, other, 4)
            assert log.dropped(index, lanes, 4) == fits
            if fits:
                model.pop()
    assert [id(one) for one in log.taken()] == [id(one) for _, one in model]
    assert log.taken() == []


def test_accesses_of_one_key_need_the_same_bytes_and_engines() -> None:
    """The first byte and the sum of all are not enough."""
    log, index = Log(), np.array([0, 8, 16, 24])
    first = Note(st.ENGINE, index, np.array([5, 6, 7, 8]), 4)
    assert log.keep(first)
    assert not log.keep(Note(st.ENGINE, np.array([0, 4, 20, 24]), np.array([5, 6, 7, 8]), 4))
    assert not log.keep(Note(st.ENGINE, index.copy(), np.array([5, 7, 6, 8]), 4))
    same = Note(st.ENGINE, index.copy(), np.array([5, 6, 7, 8]), 4)
    assert log.keep(same) and log.taken() == [same]
    folded = Note.later(0, 4, lambda: (index, np.arange(4)), 3)
    assert log.keep(folded) and log.keep(Note.later(0, 4, lambda: (index, np.arange(4)), 3))
    assert len(log.taken()) == 2
    folded.unfold()
    assert folded.index is index and folded.lanes.tolist() == [0, 1, 2, 3]  # type: ignore[union-attr]


def test_accesses_that_are_folded_take_as_much_room_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are; and give it back."""
    monkeypatch.setattr(race_log, "_MOST_NOTES", 2)
    monkeypatch.setattr(race_log, "_MOST_LANES", 20)
    log, index = Log(), np.arange(0, 32, 4)

    def folded(kept: int) -> Note:
        made = Note.later(3 << st.SITE_AT, 4, lambda: (index, index), kept)
        made.at = 0, 31
        return made

    for _ in range(3):
        notes = [folded(kept) for kept in (5, 5, 5, 4, 1)]
        assert all(map(log.keep, notes)) and not log.keep(folded(1)) and not log.keep(note(0, 1, 0, LANES[0]))
        assert log.taken((32, 40)) == [] and log.taken((31, 31)) == notes
        assert log.keep(note(0, 1, 0, LANES[0])) and log.keep(folded(11)) and log.keep(folded(1))
        assert not log.keep(folded(1)) and len(log.taken()) == 3


def test_places_that_are_kept_are_accessed_again() -> None:
    """By the same instruction, as long as the log holds them; they come last then."""
    log, index = Log(), 4 * np.arange(8)
    spot, other = (Spot(index, slice(0, 8), index, index, 64) for _ in range(2))
    spot.kept = other.kept = True
    one, two = (Note(5 << st.TIME_AT | 3 << st.SITE_AT, index, slice(0, 8), 4, spot=each) for each in (spot, other))
    assert not log.repeat(spot, one.word)
    assert log.keep(one) and log.keep(two)
    assert not log.repeat(spot, 4 << st.SITE_AT)
    one.mine = index
    assert log.repeat(spot, 9 << st.TIME_AT | 3 << st.SITE_AT)
    assert (one.word >> st.TIME_AT & 15, one.mine) == (9, None)
    assert log.taken() == [two, one]
    assert not log.repeat(spot, one.word)


@pytest.mark.parametrize("seed", range(3))
def test_what_no_fence_covers(seed: int) -> None:
    """A lane that goes past a fence leaves open what it has done since it last told others, until a fence covers that."""
    warps, ctas = 2, 2
    rng, skips = np.random.default_rng(seed), Skips(warps, ctas)
    low, high = np.zeros((2, warps * ctas * WARP), np.int64)
    assert not skips.some
    for now in range(10, 60):
        what = rng.random()
        if what < 0.5:
            rows = rng.permutation(warps * ctas)[: rng.integers(1, 4)]
            absent, since = rng.random((len(rows), WARP)) < 0.5, rng.integers(0, now, (len(rows), WARP))
            skips.skip(rows, absent, since, now)
            assert skips.some
            for row, gone, when in zip(rows.tolist(), absent, since, strict=True):
                for lane in np.flatnonzero(gone).tolist():
                    at = row * WARP + lane
                    low[at] = low[at] if low[at] < high[at] else max(low[at], when[lane])
                    high[at] = now
        elif what < 0.8:
            lanes = slice(32, 64) if rng.random() < 0.3 else rng.permutation(len(low))[:20]
            skips.fence(lanes, now)
            low[lanes] = high[lanes] = now
        else:
            rows = np.unique(rng.integers(0, warps * ctas, 2))
            known, met = rng.integers(0, now, (len(rows), warps)), rng.integers(0, now, (len(rows), WARP))
            spoken = rng.integers(0, now, warps * ctas * WARP)
            skips.cover(rows, known.astype(np.uint32), met.astype(np.uint32), spoken.astype(np.uint32))
            for row, knows, meets in zip(rows.tolist(), known.tolist(), met.tolist(), strict=True):
                role, cta = divmod(row, ctas)
                for other in range(warps):
                    for lane in range(WARP):
                        at = (other * ctas + cta) * WARP + lane
                        told = meets[lane] if other == role else min(knows[other], int(spoken[at]))
                        low[at] = max(low[at], told)
            assert skips.some == bool((low < high).any())
        lanes, times = rng.integers(0, len(low) + 64, 80), rng.integers(0, now + 1, 80)
        times[:20] = low[np.minimum(lanes[:20], len(low) - 1)]
        times[20:40] = high[np.minimum(lanes[20:40], len(low) - 1)]
        inside = np.minimum(lanes, len(low) - 1)
        wanted = (low[inside] < times) & (times <= high[inside])
        assert skips.uncovered(lanes, times).tolist() == wanted.tolist()
    skips.fence(slice(0, len(low)), 60)
    nothing = np.zeros((1, WARP), np.uint32)
    skips.cover(np.array([0]), nothing[:, :warps], nothing, np.zeros(len(low), np.uint32))
    assert not skips.some


@pytest.mark.parametrize("seed", range(3))
def test_lanes_know_what_their_warps_knew_before_others_heard_more(seed: int) -> None:
    """As long as they have heard nothing since, and as long as one of them has not that is still alive."""
    warps, ctas, columns = 2, 3, 4
    rng, behind = np.random.default_rng(seed), Behind(warps, ctas, columns)
    since, kept = np.zeros(warps * ctas, np.int64), np.zeros((warps * ctas, columns), np.int64)
    assert not behind.some
    for now in range(10, 50):
        rows = rng.permutation(warps * ctas)[: rng.integers(1, 5)]
        known, heard = rng.integers(0, now, (len(rows), columns)), rng.integers(0, now + 2, (len(rows), WARP))
        alive = rng.random((len(rows), WARP)) < 0.9
        if rng.random() < 0.5:
            heard[:, 0] = since[rows]
        behind.note(rows, known.astype(np.uint32), heard.astype(np.uint32), alive, now)
        for row, knows, hears, lives in zip(rows.tolist(), known, heard, alive, strict=True):
            if min([*hears[lives].tolist(), now]) >= since[row]:
                since[row], kept[row] = now, knows
        assert behind.some
        asked, which = rng.integers(0, warps * ctas, 30), rng.integers(0, columns, 30)
        times, knows = since[asked] + rng.integers(-1, 2, 30), rng.integers(0, now, 30)
        found = behind.limit(knows, asked, which, times)
        late: Any = times < since[asked]
        assert found.tolist() == np.where(late, np.minimum(knows, kept[asked, which]), knows).tolist()
        running = int(rng.integers(1, ctas + 1))
        roles = slice(0, 1) if rng.random() < 0.5 else slice(0, 2)
        count = roles.stop
        table = since.reshape(warps, ctas)[:count, :running, None] + rng.integers(-1, 2, (count, running, WARP)) * (
            rng.random((count, running, 1)) < 0.5
        )
        knows = rng.integers(0, now, (count, running, columns))
        limited = behind.limit_roles(knows, roles, table)
        behind_them: Any = (table < since.reshape(warps, ctas)[:count, :running, None]).any(axis=2)
        before = kept.reshape(warps, ctas, columns)[:count, :running]
        assert limited.tolist() == np.where(behind_them[:, :, None], np.minimum(knows, before), knows).tolist()


@pytest.mark.parametrize("release", [True, False])
def test_lanes_that_update_one_place_come_one_after_the_other(release: bool) -> None:
    """Each knows of those of its warp before it what they have released, and, where they release now, what these had met."""
    rng = np.random.default_rng(release)

    class Clocks:
        def __init__(self, lanes: int) -> None:
            self.row_of_lane, self.now = np.arange(lanes) // WARP, 50
            self.told = rng.integers(0, 3, lanes) * rng.integers(0, 50, lanes)
            self.met = rng.integers(0, 50, (lanes, WARP)).astype(np.uint32)
            self.got: dict[int, tuple[list[int], bool]] = {}

        def released(self, who: Any) -> Any:
            return self.told[who]

        def met_by(self, lanes: Any) -> Any:
            return self.met[lanes]

        def meet_in_turn(self, lanes: Any, before: Any, *, at_once: bool) -> None:
            for lane, row in zip(lanes.tolist(), before.tolist(), strict=True):
                assert lane not in self.got
                self.got[lane] = row, at_once

    for acquire in (True, False):
        for count in (1, 2, 9, 64):
            for places in (1, 2, 40):
                clocks: Any = Clocks(64)
                lanes: Any = slice(0, 64) if count == 64 else np.sort(rng.permutation(64)[:count])
                who: Any = np.arange(64) if count == 64 else lanes
                place: Any = rng.integers(0, places, count)
                in_turn(clocks, place, lanes, acquire=acquire, release=release)
                wanted: dict[int, tuple[list[int], bool]] = {}
                told = np.full(64, clocks.now) if release else clocks.told
                pairs = {(int(p), int(lane) // WARP) for p, lane in zip(place, who, strict=True)}
                groups = [
                    [int(x) for p, x in zip(place, who, strict=True) if (int(p), int(x) // WARP) == pair]
                    for pair in pairs
                ]
                for group in groups:
                    known = np.zeros(WARP, np.uint32)
                    for lane, following in pairwise(group):
                        known = np.maximum(known, clocks.met[lane] if release else 0)
                        known[lane % WARP] = max(int(known[lane % WARP]), int(told[lane]))
                        if release:  # What a lane itself knows of its own is no more than what it tells now.
                            assert told[lane] >= clocks.met[lane].max()
                        wanted[following] = known.tolist(), acquire
                heard = any(told[lane] for lane in who) and any(len(group) > 1 for group in groups)
                assert clocks.got == (wanted if heard else {})
