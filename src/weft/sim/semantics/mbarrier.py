"""`mbarrier.*`: barriers that count arrivals and bytes of asynchronous copies, as `weft.sim.arrivals` does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.isa.form import Slots
from weft.ptx.operands import Operand
from weft.sim.arrivals import COUNT, COUNT_BITS, WORD, Tell, imminent, parity, update
from weft.sim.flags import SPARED
from weft.sim.lanes import Array, Lanes, all_of, any_of, changes
from weft.sim.semantics import Compute, End, alu, end, step
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import ALL_WRITTEN, UNWRITTEN, Space

if TYPE_CHECKING:
    from weft.sim.block import Block


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


def use(site: Site, index: Array, lanes: Array) -> None:
    """Lanes use mbarriers at byte indices, those of other CTAs mostly: initialised ones, as they must know."""
    shared = site.machine.memory.shared
    if shared.shadow is None:
        return
    shared.last = None
    shared.check_written(site, index, lanes, 8)
    if shared.lifetimes is not None:
        shared.lifetimes.use(site, index, lanes)
    if shared.races is not None:
        shared.reach(site, index, lanes)
        shared.races.use(site, shared.spot(index, lanes))


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
        space.store(index, counts | (counts << np.uint64(COUNT_BITS)), WORD)
        site.machine.change()

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
        space.store(index, np.full(lanes.count, 0xFFFF_FFFF_FFFF_FFFF, WORD), WORD)
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


def too_soon(site: Site, lane: int, place: int) -> None:
    """Report that a lane arrives at an mbarrier and need not know that the phase before has ended."""
    message = "the arrival may be counted for the previous phase: the thread has not observed its completion"
    fault = site.fault("race", message, lane, place % site.machine.memory.shared.stride)
    fault.hint = "wait for the phase before arriving again, or synchronize with a thread that has waited"
    site.report(fault)


def telling(
    site: Site, lanes: Lanes, index: Array, remote: bool = True, *, relaxed: bool = False, later: bool = False
) -> Tell | None:
    """What tells those who wait of the arrivals of lanes, in the phase that they belong to.

    Of arrivals that come `later` than their threads promised them it only checks that they belong to one phase.
    """
    clocks = site.machine.clocks
    if clocks is None or (relaxed and site.machine.flags is None and not clocks.tensor):
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
        if later:
            return
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
    return lambda state: (state & np.uint64(COUNT)).astype(np.uint32)


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
    if clocks is None or (relaxed and site.machine.flags is None and not clocks.tensor):
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


def _check_late(site: Site, lanes: Lanes, index: Array, done: Array) -> None:
    """Report waits for a phase that has ended, where the next one may end before: they would miss it."""
    machine = site.machine
    if machine.clocks is None or not (machine.tensor.queue or machine.bulk.pending) or not any_of(done):
        return
    shared, due = machine.memory.shared, machine.tensor.due
    places = index[done]
    for place in set(places[changes(places)].tolist()):
        if imminent(shared, place, due[place], machine.bulk.under_way(place)):
            which = int((done & (index == place)).argmax())
            message = (
                "waits for a phase that has ended, while all that ends the next one is in flight: "
                "if that comes first, the wait lasts until the phase after it"
            )
            fault = site.fault("race", message, int(lanes.index[which]), place % shared.stride)
            fault.hint = "check the parity; let every thread wait for a phase before what ends the next one is started"
            site.report(fault)


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
        done = parity(space.load(index, WORD)) != wanted(lanes)
        done &= ~_too_early(site, lanes, index, done)
        _check_late(site, lanes, index, done)
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
        done = parity(space.load(index, WORD)) != wanted(lanes)
        early = _too_early(site, lanes, index, done)
        done &= ~early
        _check_late(site, lanes, index, done)
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
        wide: Any = lanes.spread(done)
        ready = Lanes.where(wide if lanes.mask is None else wide & lanes.mask, lanes.lo, machine.batch.role)
        asleep = Lanes.where(~wide if lanes.mask is None else ~wide & lanes.mask, lanes.lo, machine.batch.role)
        assert asleep is not None
        machine.sleep(site.here, asleep, limited=True)
        return None if ready is None else (site.after, ready)

    return run
