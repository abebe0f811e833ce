"""The words of mbarriers, and how arrivals and bytes of asynchronous copies are counted at them.

An mbarrier is one 64-bit word: pending arrivals in bits 0-19, arrivals expected in a phase in bits 20-39, the pending
transaction count (two's complement) in bits 40-62, the parity of the phase in bit 63.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import WARP, Array, all_of, any_of, changes
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.types import WORDS

WORD = WORDS[64]
COUNT_BITS = 20
COUNT = (1 << COUNT_BITS) - 1
TX_AT, TX_BITS = 40, 23
_TX = (1 << TX_BITS) - 1
_TX_SIGN = 1 << (TX_BITS - 1)
PHASE_AT = 63


def _fields(word: int) -> tuple[int, int, int, int]:
    """Pending arrivals, expected arrivals, pending bytes and phase parity of a word."""
    bytes_ = word >> TX_AT & _TX
    signed = bytes_ - (1 << TX_BITS) if bytes_ >> (TX_BITS - 1) else bytes_
    return word & COUNT, word >> COUNT_BITS & COUNT, signed, word >> PHASE_AT


def _word(pending: int, expected: int, bytes_: int, phase: int) -> int:
    return pending | expected << COUNT_BITS | (bytes_ & _TX) << TX_AT | phase << PHASE_AT


def describe(word: int) -> str:
    """What the current phase of an mbarrier waits for."""
    pending, expected, bytes_, phase = _fields(word)
    missing = f"{pending} of {expected} arrivals" + (f" and {bytes_} bytes" if bytes_ else "")
    return f"phase {phase} lacks {missing}"


def parity(words: Array) -> Array:
    """The phase parity of words."""
    return (words >> np.uint64(PHASE_AT)).astype(np.uint32)


def pending(space: Space, place: int) -> int:
    """The arrivals that the phase of the mbarrier at a byte index still waits for."""
    return int(space.view(WORD)[place >> 3]) & COUNT


def imminent(space: Space, place: int, arrivals: int, bytes_: int) -> bool:
    """Whether the phase of an mbarrier waits for nothing but so many arrivals and bytes, which are in flight."""
    pending, _, missing, _ = _fields(int(space.view(WORD)[place >> 3]))
    return pending == arrivals and missing == bytes_ and bool(arrivals or bytes_)


def _complete(site: Site, places: Array) -> None:
    """Phases of the mbarriers at byte indices have completed."""
    machine = site.machine
    machine.phases += len(places)
    if machine.clocks is not None:
        machine.clocks.complete(places)


def _packed(pending: Array, expected: Array, bytes_: Array, phase: Any) -> Array:
    return (pending | expected << COUNT_BITS | (bytes_ & _TX) << TX_AT).astype(WORD) | phase << np.uint64(PHASE_AT)


Tell = Callable[[Array, int], None]
"""Tells those who wait of the arrivals of some turns; the warp, or -1, has other turns in the next phase."""


def update(
    site: Site,
    space: Space,
    index: Array,
    lane: int,
    arrivals: Array,
    bytes_: Array,
    drop: bool = False,
    tell: Tell | None = None,
) -> Array:
    """Count arrivals and bytes at mbarriers, one element a lane; the words before each lane's turn.

    Barriers at which no phase ends before the last turn are counted all at once, the others turn by turn.
    """
    machine = site.machine
    machine.change()
    view = space.view(WORD)
    if len(index) == 1 and tell is None and not drop:
        return _single(site, view, int(index[0]) >> 3, lane, int(arrivals[0]), int(bytes_[0]))
    # Most arrivals are of all lanes at one mbarrier: running sums then replace sorting by mbarriers.
    if all_of(index == index[0]):
        return _one(site, view, int(index[0]) >> 3, lane, arrivals, bytes_, drop, tell)
    if not drop and _alike(index, arrivals, bytes_):
        few = _count(view, index[::WARP], arrivals[::WARP] * WARP, bytes_[::WARP], drop)
        if not any_of(few.slow):
            if tell is not None:
                tell(np.arange(len(index)), -1)
            _commit(site, view, few)
            earlier = (np.arange(len(index)) % WARP * arrivals).astype(WORD)
            return np.repeat(few.before, WARP) - earlier
    turns = _count(view, index, arrivals, bytes_, drop)
    slow, order = turns.slow, turns.order
    if tell is not None and not all_of(slow):
        lasts = np.diff(turns.first, append=len(order))
        tell(np.sort(order[np.repeat(~slow, lasts)]) if any_of(slow) else np.arange(len(order)), -1)
    _commit(site, view, turns)
    ends = np.append(turns.first[1:], len(order))
    for barrier in np.flatnonzero(slow).tolist():
        mine = order[turns.first[barrier] : ends[barrier]]
        _turns(site, view, int(turns.place[barrier]), lane, mine, arrivals, bytes_, turns.before, drop, tell)
    return turns.before


def _alike(index: Array, arrivals: Array, bytes_: Array) -> bool:
    """Whether whole warps count the same, each at one mbarrier, and no bytes."""
    if len(index) % WARP or bytes_.any() or any_of(arrivals != arrivals[0]):
        return False
    warps = index.reshape(-1, WARP)
    return all_of(warps == warps[:, :1])


@dataclass(frozen=True, slots=True)
class _Count:
    """Turns at several mbarriers, in their order, and where those of each mbarrier begin; then by turn and by mbarrier.

    `before` are the words before each turn, `after` those that an mbarrier has at last, if its turns are not `slow`: a
    phase ends between them, or they are too many.
    """

    order: Array
    first: Array
    before: Array
    place: Array
    after: Array
    ended: Array
    slow: Array


def _count(view: Array, index: Array, arrivals: Array, bytes_: Array, drop: bool) -> _Count:
    # Stable: the turns at an mbarrier are in the order of lanes, which decides what state each arrival returns.
    order = np.argsort(index, kind="stable")
    place = index[order] >> 3
    first = changes(place)
    last = np.append(first[1:], len(place)) - 1
    which = np.repeat(np.arange(len(first)), last - first + 1)
    words = view[place[first]]
    low = words.astype(np.int64)
    expected, phase = low >> COUNT_BITS & COUNT, words >> np.uint64(PHASE_AT)
    started = ((low >> TX_AT & _TX) ^ _TX_SIGN) - _TX_SIGN
    count, more = arrivals[order], bytes_[order]
    arrived, moved = _running(count, first, which), _running(more, first, which)
    pending, left = (low & COUNT)[which] - arrived, started[which] + moved
    expects = expected[which] - (arrived if drop else 0)
    before = np.empty(len(place), WORD)
    before[order] = _packed(pending + count, expects + (count if drop else 0), left - more, phase[which])
    done = (pending == 0) & (left == 0)
    odd = done | (pending < 0)
    # A phase may end with the last turn: the count is then right all the same, since nothing is counted after it.
    odd[last] = pending[last] < 0
    ended = done[last]
    after = _packed(
        np.where(ended, expects[last], pending[last]), expects[last], left[last], phase ^ ended.astype(np.uint64)
    )
    return _Count(order, first, before, place[first], after, ended, np.logical_or.reduceat(odd, first))


def _commit(site: Site, view: Array, turns: _Count) -> None:
    """Give the mbarriers whose turns are not slow their words."""
    quick = ~turns.slow
    view[turns.place[quick]] = turns.after[quick]
    if any_of(turns.ended & quick):
        _complete(site, turns.place[turns.ended & quick] << 3)


def _single(site: Site, view: Array, barrier: int, lane: int, arrivals: int, bytes_: int) -> Array:
    """One turn at an mbarrier, as of a copy that completes; the word before."""
    before = view[barrier : barrier + 1].copy()
    pending, expected, left, phase = _fields(int(before[0]))
    pending, left = pending - arrivals, left + bytes_
    if pending < 0:
        raise site.fault("barrier", f"{arrivals} arrivals exceed the mbarrier's pending count", lane)
    ended = pending == 0 and left == 0
    view[barrier] = _word(expected if ended else pending, expected, left, phase ^ ended)
    if ended:
        _complete(site, np.array([barrier << 3]))
    return before


def _one(
    site: Site, view: Array, barrier: int, lane: int, arrivals: Array, bytes_: Array, drop: bool, tell: Tell | None
) -> Array:
    """All lanes count at one mbarrier; the words before."""
    had, expected, left, phase = _fields(int(view[barrier]))
    arrived = np.cumsum(arrivals)
    pending, moved = had - arrived, left + np.cumsum(bytes_)
    # A phase that ends between two turns gives the later ones other counts: these are counted turn by turn.
    odd = ((pending == 0) & (moved == 0)) | (pending < 0)
    ended = bool(odd[-1])
    if any_of(odd[:-1]) or pending[-1] < 0:
        before = np.empty(len(arrivals), WORD)
        _turns(site, view, barrier, lane, np.arange(len(arrivals)), arrivals, bytes_, before, drop, tell)
        return before
    if tell is not None:
        tell(np.arange(len(arrivals)), -1)
    expects = expected - (arrived if drop else 0 * arrived)
    least = int(expects[-1])
    view[barrier] = _word(least if ended else int(pending[-1]), least, int(moved[-1]), phase ^ ended)
    if ended:
        _complete(site, np.array([barrier << 3]))
    return _packed(pending + arrivals, expects + (arrivals if drop else 0), moved - bytes_, WORD.type(phase))


def _running(values: Array, first: Array, which: Array) -> Array:
    """Running sums within groups that start at `first`."""
    total = np.cumsum(values)
    return total - (total[first] - values[first])[which]


def _turns(
    site: Site,
    view: Array,
    barrier: int,
    lane: int,
    turns: Array,
    arrivals: Array,
    bytes_: Array,
    before: Array,
    drop: bool,
    tell: Tell | None,
) -> None:
    """Count at one mbarrier, turn by turn."""
    pending, expected, left, phase = _fields(int(view[barrier]))
    told = 0
    each = zip(turns.tolist(), arrivals[turns].tolist(), bytes_[turns].tolist(), strict=True)
    for number, (turn, count, more) in enumerate(each):
        before[turn] = _word(pending, expected, left, phase)
        left += more
        if drop:
            expected -= count
        pending -= count
        if pending < 0:
            raise site.fault("barrier", f"{count} arrivals exceed the mbarrier's pending count", lane)
        if pending == 0 and left == 0:
            phase ^= 1
            pending = expected
            if tell is not None:
                # Those who wait for this phase learn of its turns only: what comes after it is told in the next.
                tell(turns[told : number + 1], int(turns[number + 1]) if number + 1 < len(turns) else -1)
                told = number + 1
            _complete(site, np.array([barrier << 3]))
    if tell is not None and told < len(turns):
        tell(turns[told:], -1)
    view[barrier] = _word(pending, expected, left, phase)
