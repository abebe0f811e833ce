"""`mbarrier.*`: barriers in shared memory that count arrivals and bytes of asynchronous copies.

An mbarrier is one 64-bit word: pending arrivals in bits 0-19, arrivals expected in a phase in bits 20-39, the pending
transaction count (two's complement) in bits 40-62, the parity of the phase in bit 63.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.isa.form import Slots
from weft.ptx.operands import Operand
from weft.sim.flags import SPARED
from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, changes
from weft.sim.semantics import Compute, End, alu, end, step
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import ALL_WRITTEN, UNWRITTEN, Space
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.block import Block

_WORD = WORDS[64]
COUNT_BITS = 20
_COUNT = (1 << COUNT_BITS) - 1
TX_AT, TX_BITS = 40, 23
_TX = (1 << TX_BITS) - 1
_TX_SIGN = 1 << (TX_BITS - 1)
PHASE_AT = 63


def _fields(word: int) -> tuple[int, int, int, int]:
    """Pending arrivals, expected arrivals, pending bytes and phase parity of a word."""
    bytes_ = word >> TX_AT & _TX
    signed = bytes_ - (1 << TX_BITS) if bytes_ >> (TX_BITS - 1) else bytes_
    return word & _COUNT, word >> COUNT_BITS & _COUNT, signed, word >> PHASE_AT


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


def locate(site: Site, pointer: Pointer, lanes: Lanes, write: bool, initialised: bool = True) -> tuple[Space, Array]:
    """The space and byte indices of the mbarriers that lanes point to."""
    parts = list(pointer(lanes, 8, write))
    if len(parts) != 1 or parts[0][2] is not None or parts[0][0] is not site.machine.memory.shared:
        raise site.fault("out-of-bounds", "the mbarrier does not lie in shared memory", int(lanes.index[0]))
    space, index, _ = parts[0]
    if initialised and space.shadow is not None:
        spot = site.machine.memory.shared.spot(index, lanes.select).firsts()
        few, by = spot.index, spot.lanes
        if site.machine.witness is not None and not all_of(space.shadow_view(8)[few >> 3] == ALL_WRITTEN[8]):
            raise site.fault("barrier", "no mbarrier has been initialised there", int(lanes.index[0]))
        if spot.settled != space.changes:
            space.check_written(site, few, by, 8)
            if space.lifetimes is not None:
                space.lifetimes.use(site, few, by)
            spot.settled = space.changes
        if space.races is not None and site.opcode.stem != "mbarrier.inval":
            space.reach(site, few, by)
            space.races.use(site, spot)
    return space, index


def _complete(site: Site, places: Array) -> None:
    """Phases of the mbarriers at byte indices have completed."""
    machine = site.machine
    machine.phases += len(places)
    if machine.clocks is not None:
        machine.clocks.complete(places)


def _packed(pending: Array, expected: Array, bytes_: Array, phase: Any) -> Array:
    return (pending | expected << COUNT_BITS | (bytes_ & _TX) << TX_AT).astype(_WORD) | phase << np.uint64(PHASE_AT)


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
    machine.changes += 1
    view = space.view(_WORD)
    if len(index) == 1 and tell is None and not drop:
        return _single(site, view, int(index[0]) >> 3, lane, int(arrivals[0]), int(bytes_[0]))
    if all_of(index == index[0]):
        return _one(site, view, int(index[0]) >> 3, lane, arrivals, bytes_, drop, tell)
    if not drop and _alike(index, arrivals, bytes_):
        few = _count(view, index[::WARP], arrivals[::WARP] * WARP, bytes_[::WARP], drop)
        if not any_of(few.slow):
            if tell is not None:
                tell(np.arange(len(index)), -1)
            _commit(site, view, few)
            earlier = (np.arange(len(index)) % WARP * arrivals).astype(_WORD)
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
    order = np.argsort(index, kind="stable")
    place = index[order] >> 3
    first = changes(place)
    last = np.append(first[1:], len(place)) - 1
    which = np.repeat(np.arange(len(first)), last - first + 1)
    words = view[place[first]]
    low = words.astype(np.int64)
    expected, phase = low >> COUNT_BITS & _COUNT, words >> np.uint64(PHASE_AT)
    started = ((low >> TX_AT & _TX) ^ _TX_SIGN) - _TX_SIGN
    count, more = arrivals[order], bytes_[order]
    arrived, moved = _running(count, first, which), _running(more, first, which)
    pending, left = (low & _COUNT)[which] - arrived, started[which] + moved
    expects = expected[which] - (arrived if drop else 0)
    before = np.empty(len(place), _WORD)
    before[order] = _packed(pending + count, expects + (count if drop else 0), left - more, phase[which])
    done = (pending == 0) & (left == 0)
    odd = done | (pending < 0)
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
    odd = ((pending == 0) & (moved == 0)) | (pending < 0)
    ended = bool(odd[-1])
    if any_of(odd[:-1]) or pending[-1] < 0:
        before = np.empty(len(arrivals), _WORD)
        _turns(site, view, barrier, lane, np.arange(len(arrivals)), arrivals, bytes_, before, drop, tell)
        return before
    if tell is not None:
        tell(np.arange(len(arrivals)), -1)
    expects = expected - (arrived if drop else 0 * arrived)
    least = int(expects[-1])
    view[barrier] = _word(least if ended else int(pending[-1]), least, int(moved[-1]), phase ^ ended)
    if ended:
        _complete(site, np.array([barrier << 3]))
    return _packed(pending + arrivals, expects + (arrivals if drop else 0), moved - bytes_, _WORD.type(phase))


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
                tell(turns[told : number + 1], int(turns[number + 1]) if number + 1 < len(turns) else -1)
                told = number + 1
            _complete(site, np.array([barrier << 3]))
    if tell is not None and told < len(turns):
        tell(turns[told:], -1)
    view[barrier] = _word(pending, expected, left, phase)


@step("mbarrier.init")
def init(site: Site) -> Step:
    """A barrier in phase 0 that completes a phase after `count` arrivals."""
    pointer = site.pointer(site.operands[0], site.slots()["ss"])
    count = site.read(site.operands[1], "u32")

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, True, initialised=False)
        counts = count(lanes).astype(np.uint64)
        if space.lifetimes is not None:
            space.lifetimes.begin(site, index, lanes.select)
            space.lifetimes.end(index)
        if space.guarded:
            space.before_store(site, index, lanes.select, 8)
        if space.lifetimes is not None:
            space.lifetimes.begin(site, index, lanes.select)
        space.store(index, counts | (counts << np.uint64(COUNT_BITS)), _WORD)
        site.machine.changes += 1

    return run


@step("mbarrier.inval")
def inval(site: Site) -> Step:
    """The word is plain memory again, of no known contents."""
    pointer = site.pointer(site.operands[0], site.slots()["ss"])

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, True)
        if space.lifetimes is not None:
            space.lifetimes.end(index)
        if space.guarded:
            space.before_store(site, index, lanes.select, 8)
        space.store(index, np.full(lanes.count, 0xFFFF_FFFF_FFFF_FFFF, _WORD), _WORD)
        space.mark(index, 8, UNWRITTEN)

    return run


def _transactions(site: Site, sign: int) -> Step:
    slots = site.slots()
    pointer = site.pointer(site.operands[0], slots["ss"])
    count = site.read(site.operands[1], "u32")

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, True)
        bytes_ = sign * count(lanes).astype(np.int64)
        update(site, space, index, int(lanes.index[0]), np.zeros_like(bytes_), bytes_)

    return run


@step("mbarrier.expect_tx")
def expect_tx(site: Site) -> Step:
    """Expect more bytes in this phase."""
    return _transactions(site, 1)


@step("mbarrier.complete_tx")
def complete_tx(site: Site) -> Step:
    """Count bytes as copied."""
    return _transactions(site, -1)


def pending(space: Space, place: int) -> int:
    """The arrivals that the phase of the mbarrier at a byte index still waits for."""
    return int(space.view(_WORD)[place >> 3]) & _COUNT


def too_soon(site: Site, lane: int, place: int) -> None:
    """Report that a lane arrives at an mbarrier and need not know that the phase before has ended."""
    message = "the arrival may be counted for the previous phase: the thread has not observed its completion"
    fault = site.fault("race", message, lane, place % site.machine.memory.shared.stride)
    fault.hint = "wait for the phase before arriving again, or synchronize with a thread that has waited"
    site.report(fault)


def telling(site: Site, lanes: Lanes, index: Array, remote: bool = True, *, relaxed: bool = False) -> Tell | None:
    """What tells those who wait of the arrivals of lanes, in the phase that they belong to."""
    clocks = site.machine.clocks
    if clocks is None or (relaxed and site.machine.flags is None):
        return None
    stride = site.machine.memory.shared.stride
    late = clocks.unaware(lanes.select, index)
    if late >= 0:
        which = int((lanes.index >= late).argmax())
        too_soon(site, int(lanes.index[which]), int(index[which]))

    def tell(turns: Array, following: int) -> None:
        whole = len(turns) == lanes.count
        torn = -1
        if following >= 0:
            late = site.fault(
                "race",
                "more threads arrive than the phase expects, without synchronization between them",
                int(lanes.index[following]),
                int(index[following]) % stride,
            )
            late.hint = "initialise the mbarrier with the number of all threads that arrive in a phase"
            site.report(late)
            rows = clocks.row_of_lane[lanes.index]
            torn = int(rows[following]) if rows[following] == rows[turns[-1]] else -1
        who, where = (lanes.select, index) if whole else (lanes.index[turns], index[turns])
        clocks.arrive(who, where, remote, torn, relaxed=relaxed)

    return tell


@step("mbarrier.arrive", "mbarrier.arrive_drop")
def arrive(site: Site) -> Step:
    """Count an arrival, and bytes to expect before it; the state before."""
    slots = site.slots()
    operands = list(site.operands)
    state = site.write(operands[0], "b64")
    pointer = site.pointer(operands[1], slots["ss"])
    extra = site.read(operands[2], "u32") if len(operands) > 2 else None
    expects = bool(slots["expect_tx"])
    drop = site.opcode.stem == "mbarrier.arrive_drop"
    may_complete, relaxed = not slots["noComplete"], slots["sem"] == "relaxed"
    remote = slots["scope"] != "cta"

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, True)
        ones = np.ones(lanes.count, np.int64)
        number = ones if extra is None else extra(lanes).astype(np.int64)
        arrivals, bytes_ = (ones, number) if expects else (number, 0 * ones)
        phases, tell = site.machine.phases, telling(site, lanes, index, remote, relaxed=relaxed)
        state(lanes, update(site, space, index, int(lanes.index[0]), arrivals, bytes_, drop, tell))
        if not may_complete and site.machine.phases != phases:
            raise site.fault("barrier", "an arrival with .noComplete completes the phase", int(lanes.index[0]))

    return run


@alu("mbarrier.pending_count")
def pending_count(slots: Slots) -> Compute:
    """The arrivals pending in a state."""
    return lambda state: (state & np.uint64(_COUNT)).astype(np.uint32)


def _test(site: Site, state: Operand, parity_of_phase: bool) -> Callable[[Lanes], Array]:
    """Reads the parity of the phase that is waited for."""
    if parity_of_phase:
        read = site.read(state, "u32")
        return lambda lanes: read(lanes) & np.uint32(1)
    read = site.read(state, "b64")
    return lambda lanes: parity(read(lanes))


def _learner(site: Site) -> Callable[[Lanes, Array, Array], None]:
    """What tells lanes whose phase has completed what those knew who arrived: at once, or at their next fence."""
    slots, clocks = site.slots(), site.machine.clocks
    relaxed, remote = slots["sem"] == "relaxed", slots["scope"] != "cta"
    if clocks is None or (relaxed and site.machine.flags is None):
        return lambda lanes, index, done: None
    learn = clocks.glimpse if relaxed else clocks.wait

    def run(lanes: Lanes, index: Array, done: Array) -> None:
        if all_of(done):
            learn(lanes.select, index, remote)
        elif any_of(done):
            learn(lanes.index[done], index[done], remote)

    return run


def _too_early(site: Site, lanes: Lanes, index: Array, done: Array) -> Array:
    """Which of the completed phases might as well not have completed yet: nothing the lanes know says so.

    Lazily, the first few times; it is how a wait that is not repeated shows.
    """
    machine = site.machine
    if (
        machine.clocks is None
        or machine.async_ != "lazy"
        or machine.prompt
        or site.spared >= SPARED
        or not any_of(done)
    ):
        return np.zeros(len(done), np.bool_)
    early = done & machine.clocks.news(lanes.select, index)
    site.spared += any_of(early)
    return early


@step("mbarrier.test_wait")
def test_wait(site: Site) -> Step:
    """Whether the phase has completed."""
    slots = site.slots()
    write = site.write(site.operands[0], "pred")
    pointer = site.pointer(site.operands[1], slots["ss"])
    wanted = _test(site, site.operands[2], bool(slots["parity"]))
    learn = _learner(site)

    def run(lanes: Lanes) -> None:
        space, index = locate(site, pointer, lanes, False)
        done = parity(space.load(index, _WORD)) != wanted(lanes)
        done &= ~_too_early(site, lanes, index, done)
        write(lanes, done)
        if not all_of(done):
            site.machine.bulk.want(index[~done])
        learn(lanes, index, done)

    return run


@end("mbarrier.try_wait")
def try_wait(site: Site) -> End:
    """Wait for the phase: lanes whose phase has not completed sleep until an mbarrier changes its phase.

    The ISA lets the wait end before that; unless copies are eager, every other one does, and any where nothing else can
    go on.
    """
    slots = site.slots()
    row = site.destination(site.operands[0], "pred")
    pointer = site.pointer(site.operands[1], slots["ss"])
    wanted = _test(site, site.operands[2], bool(slots["parity"]))
    machine, learn = site.machine, _learner(site)
    hurried = [False]

    def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
        space, index = locate(site, pointer, lanes, False)
        done = parity(space.load(index, _WORD)) != wanted(lanes)
        early = _too_early(site, lanes, index, done)
        done &= ~early
        if row is not None:
            row[lanes.select] = done
        learn(lanes, index, done)
        if any_of(early):
            return site.after, lanes
        if all_of(done):
            return site.after, lanes
        if site.here in machine.expired:
            machine.expired.remove(site.here)
            return site.after, lanes
        machine.bulk.want(index[~done])
        if machine.async_ != "eager":
            hurried[0] = not hurried[0]
            if hurried[0]:
                return site.after, lanes
        wide: Any = lanes.spread(done, False)
        ready = Lanes.where(wide if lanes.mask is None else wide & lanes.mask, lanes.lo, machine.batch.role)
        asleep = Lanes.where(~wide if lanes.mask is None else ~wide & lanes.mask, lanes.lo, machine.batch.role)
        assert asleep is not None
        machine.sleep(site.here, asleep, limited=True)
        return None if ready is None else (site.after, ready)

    return run
