"""Runs one batch of CTAs: gangs of lanes that share a block, the order in which they run, and what they wait for.

A gang is a set of lanes that are at the start of the same block.  Of several gangs the one with the least penalty
runs first, then the one in the deepest call, then the one earliest in the text, so that lanes that took different ways
meet again.  A gang that keeps looping while others wait is penalised: a thread that spins never starves the one it
waits for.  Collectives and barriers hold lanes back until those they need have come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from weft.ptx.ast import Function, Module
from weft.sim.barriers import Barriers
from weft.sim.batch import Batch, Launch
from weft.sim.block import Block
from weft.sim.budget import Budget
from weft.sim.bulk import Bulk
from weft.sim.clocks import Clocks
from weft.sim.clusters import Clusters
from weft.sim.collectives import enter
from weft.sim.copies import Copies
from weft.sim.deadlock import report
from weft.sim.doubts import Doubts
from weft.sim.earlier import Earlier, Touched
from weft.sim.endless import Endless
from weft.sim.exits import Exits
from weft.sim.faults import KernelFault
from weft.sim.findings import Findings
from weft.sim.flags import Flags, levels, releases_to_async, restricts
from weft.sim.lanes import WARP, Array, Lanes, union
from weft.sim.lifetimes import Lifetimes
from weft.sim.memory import LOCAL_WINDOW, Memory, PerLane, Shared
from weft.sim.products import Products
from weft.sim.program import MAX_DEPTH, Activation, Program
from weft.sim.proxies import Proxies
from weft.sim.proxies import wanted as wants_proxies
from weft.sim.races import Races
from weft.sim.register_pool import RegisterPool
from weft.sim.registers import Place
from weft.sim.schedules import Schedule
from weft.sim.space import Space
from weft.sim.surfaces import Surfaces
from weft.sim.tensor_memory import TensorMemory
from weft.sim.tensor_order import TensorOrder
from weft.sim.tensor_order import fenced as has_tensor_fences
from weft.sim.tensor_order import wanted as wants_tensor_order
from weft.sim.watch import Watcher
from weft.sim.witness import Witness

if TYPE_CHECKING:
    from weft.sim.native.engine import Native
    from weft.sim.native.guard import Guard
    from weft.sim.semantics.control import Call

LOCAL_GAP = 128
"""Bytes behind each variable in local memory, which nothing may access."""
POLLING_LOOPS = 8
"""Rounds of a loop that looks at shared memory before other gangs get their turn."""
PLAIN_LOOPS = 4096
"""Rounds of any other loop before other gangs get their turn."""
PATIENCE = 64
"""Such turns after which copies complete that a thread may be polling for."""
IDLE_ROUNDS = 500
"""Turns in a row in which gangs poll and nothing changes memory, after which the kernel counts as hung."""
IMPATIENCE = 8
"""Such turns after which warps that a random schedule holds back go on."""
AGE = 256
"""Turns after which a gang that waits for its turn gets it, whatever its place: no loop starves another gang."""
PENALTY = 1 << 56
ORDER_CHECKS = frozenset({"races", "proxy"})
"""Checks that need to know what orders the accesses of threads."""
EXPIRIES = 16
"""Times that an `mbarrier.try_wait` gives up where nothing else can go on, while no phase completes."""


class Gang:
    """Lanes that are at the start of a block."""

    __slots__ = ("lanes", "penalty", "since")

    def __init__(self, lanes: Lanes, penalty: int, since: int) -> None:
        self.lanes = lanes
        self.penalty = penalty
        self.since = since


class Machine:
    """A program bound to the registers of one batch of CTAs, and the state of its lanes.

    `changes` counts what may let a waiting lane go on: stores, atomics, arrivals at mbarriers, exits; not barriers,
    which complete in loops that only wait too.  `steps` counts the blocks that gangs have executed, `turn` their turns.
    Local memory has `local_size` bytes in use, of which `variables` are starts and ends.
    `may_compile`: products of matrices may be compiled code, whatever runs the instructions.
    `behind`: grids before the launch may still run, so that one thread may conflict with them, too.
    `prompt`: copies complete on mbarriers at once, and completed phases are seen, whatever `async_` says.
    """

    def __init__(
        self,
        program: Program,
        launch: Launch,
        ctas: int,
        parameters: dict[str, Place],
        *,
        strict: bool,
        async_: str = "eager",
        seed: int | Sequence[int] = 0,
        watchers: Sequence[Watcher] = (),
        mma: str = "exact",
        checks: frozenset[str] = ORDER_CHECKS | {"registers", "copies"},
        deferred: bool = False,
        witness: Witness | None = None,
        doubts: Doubts | None = None,
        behind: bool = False,
        native: bool = False,
        may_compile: bool = False,
    ) -> None:
        self.may_compile = may_compile
        self.deferred = deferred and strict
        self.witness = witness
        self.doubts = doubts
        self.interlocked = "registers" not in checks
        self.counts_copies = "copies" in checks
        self.mma = mma
        self.program = program
        self.budget = Budget()
        self.findings = Findings()
        self.module: Module = program.module
        self.launch = launch
        self.strict = strict
        watching = strict and not native  # Compiled code has cells of its own.
        self.async_ = async_
        self.prompt = False
        self.watchers = watchers
        self.random = np.random.default_rng(seed)
        self.schedule = Schedule(self) if async_ == "random" else None
        self.parameters = parameters
        self.calls: list[Call] = []
        self.max_depth = MAX_DEPTH
        self.batch = Batch(launch, ctas, program.shared_size + launch.dynamic_shared)
        lanes = self.batch.lanes
        self.memory = Memory(
            program.arena,
            Shared(self.batch.cta, launch.cluster_ctas, watching),
            PerLane("local", LOCAL_WINDOW, 16, np.arange(lanes), watching),
        )
        proxied, ordered = wants_proxies(program), wants_tensor_order(program)
        fences = 1 + 2 * proxied if ordered and has_tensor_fences(program) else 0
        planes, scopes = 1 + 2 * proxied + (fences > 0), levels(program)
        several = launch.threads * launch.ctas > 1 or program.depends or behind
        watched = watching and bool(checks & ORDER_CHECKS) and several
        self.flags = Flags(self, scopes) if watched and scopes else None
        self.proxies = Proxies(self) if watching and proxied else None
        self.clocks = None
        more = {"restricted": restricts(program), "relays": proxied and releases_to_async(program)}
        self.clocks = Clocks(self, planes, tensor=fences, **more) if watched else None
        self.earlier: Earlier | None = None
        self.followed = False
        self.clusters = Clusters(self)
        self.bulk = Bulk(self)
        order = TensorOrder(self, self.clocks, fences) if ordered and self.clocks is not None else None
        self.tensor = TensorMemory(self, order)
        shared = self.memory.shared
        self.memory.arena.proxies = self.proxies
        shared.proxies, shared.late = self.proxies, watching and async_ != "eager"
        self.races = self._watch_races()
        shared.lifetimes = self.lifetimes = None if self.clocks is None else Lifetimes(self, self.clocks)
        self.surfaces = None if self.clocks is None else Surfaces(self, self.clocks)
        self.products = Products(self)
        self.registers = RegisterPool(self)
        self.local_size = 0
        self.variables: list[tuple[int, int]] = []
        self.alive: Array = np.zeros(lanes, np.bool_)
        self.live = 0
        self.barriers = Barriers(self)
        self.exits = Exits(self)
        self.copies = Copies(self)
        self.ready: dict[Block, Gang] = {}
        self._least = 1 << 62
        self.parked: dict[Block, Lanes] = {}
        self.asleep: dict[Block, Lanes] = {}
        self.expired: set[Block] = set()
        self._expiries: dict[Block, int] = {}
        self.changes = 0
        self.phases = 0
        self._penalty = 0
        self._polled = False
        self.steps = 0
        self.turn = self._old = 0
        self._order: Array | None = None
        self._queued = self._next = 0
        self.refused: dict[int, int] = {}
        self._activations: dict[tuple[str, int], Activation] = {}
        self.native: Native | None = None
        self.guard: Guard | None = None
        if native:
            from weft.sim.native.engine import Native

            self.native = Native(self)
            self.guard = self.native.guard
        self.kernel = self.activation(program.kernel, 0)
        for function in program.functions.values():
            if not function.kernel:
                self.activation(function, 1)
        self.memory.shared.grow(program.shared_size + launch.dynamic_shared)
        self.memory.shared.gaps = program.shared_ends if strict else []

    def _watch_races(self) -> list[Races]:
        """Look for races in global and in shared memory."""
        if self.clocks is None:
            return []
        spaces: list[Space] = [self.memory.arena, self.memory.shared]
        for space in spaces:
            space.races, space.guarded = Races(self, space, self.clocks), True
        return [space.races for space in spaces if space.races is not None]

    def restart(self, seed: int | Sequence[int]) -> None:
        """Forget the launch that has run: what is kept over the batches of one launch, and what it has counted."""
        self.random = np.random.default_rng(seed)
        self.schedule = Schedule(self) if self.async_ == "random" else None
        self._order = None
        self.steps = self.changes = self.phases = 0
        self.program.runtime.restart()
        self.batch.restart()
        self.memory.restart()
        if self.clocks is not None:
            self.clocks.restart()
        if self.native is not None:
            self.native.restart()
        for races in self.races:
            races.restart()
        if self.surfaces is not None:
            self.surfaces.restart()
        for activation in self.activations:
            activation.restart()

    @property
    def held(self) -> int:
        """The bytes of its registers."""
        return sum(row.array.nbytes for activation in self.activations for row in activation.rows())

    def follow(self, grids: Sequence[Touched], *, watched: bool = False) -> None:
        """The next run may start before earlier grids have ended, which have done so much to global memory.

        What it does itself to buffers that it only reads is kept, too, where it is `watched`.
        """
        self.followed = watched
        self.earlier = Earlier(self, self.clocks, grids) if grids and self.clocks is not None else None

    def activation(self, function: Function, depth: int) -> Activation:
        """The function bound at a depth of calls."""
        key = function.name, depth
        found = self._activations.get(key)
        if found is None:
            found = self._activations[key] = Activation(self, function, depth)
            if self.native is not None:
                self.native.attach(found)
        return found

    @property
    def activations(self) -> Iterable[Activation]:
        """Every function that was bound, at every depth."""
        return self._activations.values()

    def reserve_local(self, size: int, align: int, *, variable: str = "") -> int:
        """Bytes of every lane's local memory; their offset.

        Of a `variable` it is watched what has been written, and that nothing is accessed past its end.
        """
        local = self.memory.local
        start = -(-self.local_size // align) * align
        end = start + size
        self.local_size = end + (LOCAL_GAP if variable else 0)
        local.grow(-(-self.local_size // 256) * 256)
        if variable:
            self.variables.append((start, end))
            local.gaps = [*local.gaps, (end, self.local_size, variable)]
            local.unwritten(start, end)
        return start

    # -- running ----------------------------------------------------------------------------------------------

    @property
    def unstarted(self) -> int:
        """CTAs of the grid that wait for those that run now to end."""
        return max(0, self._queued - self._next)

    def run(self, first: int, order: Array) -> None:
        """Run the CTAs from number `first` of `order` on, as many as the batch holds."""
        if self._order is not order:
            self._order, self._queued = order, len(order)
        self._next = first + self.batch.ctas
        if first >= self._queued:
            return
        lanes = self.batch.start(first, order[: self._queued])
        if lanes is None:
            return
        self.memory.shared.forget()
        if self.local_size:
            self.memory.local.holds_nothing(self.variables)
        if self.witness is not None:
            self.witness.fill(self.memory.shared.bytes)
            self.witness.fill(self.memory.local.bytes)
        if self.batch.reserves:  # What the system has set up for libraries.
            self.memory.shared.zero(self.batch.reserved)
        self.alive[:] = lanes.among(self.batch.lanes)
        self.live = lanes.count
        for part in (
            self.barriers, self.exits, self.copies, self.clusters, self.bulk, self.flags, self.clocks, *self.races,
            self.lifetimes, self.products, self.registers, self.tensor, self.proxies, self.schedule,
        ):  # fmt: skip
            if part is not None:
                part.reset()
        for waiting in (self.ready, self.parked, self.asleep, self.expired, self._expiries):
            waiting.clear()
        self._penalty = 0
        self.refused.clear()
        if self.native is not None:
            self.native.begin()
        self.kernel.begin(lanes.select)
        self.enqueue(self.kernel.entry, lanes)
        fault: KernelFault | None = None
        try:
            self._run_to_end()
        except KernelFault as found:
            fault = found
        fault = self.findings.blamed(fault)
        if fault is not None:
            self.program.name_source(fault)
            raise fault

    def _run_to_end(self) -> None:
        with np.errstate(all="ignore"):
            self._run()
        if self.native is not None:
            self.native.settle()
        self.bulk.drain()
        if self.lifetimes is not None:
            self.lifetimes.close()
        self.registers.close()
        self._end_tensors()

    def _end_tensors(self) -> None:
        """The batch has ended: all tensor memory must have been given back."""
        cta = self.tensor.leaks()
        if cta >= 0:
            thread = self.batch.thread(cta * WARP)
            message = "the CTA exits without deallocating all of its tensor memory"
            raise KernelFault("tensor-memory", message, thread=thread)

    def take_cluster(self) -> tuple[int, int, int] | None:
        """Take the last cluster that has not started off the grid: the index of its first CTA, None without one."""
        size = self.launch.cluster_ctas
        if self._order is None or self._queued - size < self._next:
            return None
        self._queued -= size
        number, (nx, ny, _) = int(self._order[self._queued]), self.launch.grid
        return number % nx, number // nx % ny, number // (nx * ny)

    def _run(self) -> None:
        idle, changes, phases, endless, budget = 0, self.changes, self.phases, Endless(self), self.budget
        schedule = self.schedule
        while self.live:
            if phases != self.phases:
                phases = self.phases
                self._expiries.clear()
                self.wake()
            if not self.ready:
                if (schedule is not None and schedule.release()) or self._force() or self._expire():
                    continue
                raise report(self)
            block = self._choose()
            gang = self.ready.pop(block)
            self._update_least()
            self._polled = False
            if schedule is not None:
                going = schedule.turn(block, gang.lanes)
                if going is None:
                    continue
                gang.lanes = going
            self._run_gang(block, gang)
            if budget.spent(self.steps):
                raise report(self, budget.excess())
            idle = idle + 1 if changes == self.changes and self._polled else 0
            if idle and idle % PATIENCE == 0 and self._force():
                idle = 0
            changes = self.changes
            if schedule is not None and idle >= IMPATIENCE and schedule.release():
                idle = 0
            if idle > IDLE_ROUNDS or endless.again(self._polled):
                if not self._more():
                    raise report(self)
                idle, endless = 0, Endless(self)

    def _force(self) -> bool:
        """Complete what threads may wait for, when nothing else can go on; whether there was any."""
        return self.copies.force() or self.bulk.force() or self.tensor.force()

    def _more(self) -> bool:
        """Whether there is something that may let threads go on that seem to hang."""
        return (self.schedule is not None and self.schedule.suspend()) or self._force()

    def _expire(self) -> bool:
        """Let each `mbarrier.try_wait` give up, as its time limit would: a kernel may only have wanted to look."""
        for block in [b for b in self.asleep if self._expiries.get(b, EXPIRIES) < EXPIRIES]:
            self._expiries[block] += 1
            self.expired.add(block)
            self.enqueue(block, self.asleep.pop(block))
        return bool(self.ready)

    def _choose(self) -> Block:
        """The block whose gang has its turn: the first in order, unless another has waited for too long."""
        self.turn += 1
        if len(self.ready) > 1 and self.turn >= self._old:
            oldest = min(self.ready, key=lambda block: self.ready[block].since)
            since = self.ready[oldest].since
            if self.turn - since >= AGE:  # It keeps its place until it waits or loops itself.
                self.ready[oldest].penalty = min(gang.penalty for gang in self.ready.values()) - 1
                return oldest
            self._old = since + AGE
        return min(self.ready, key=self._key)

    def waiting_since(self) -> int:
        """The turn since which the gang waits for its own that has waited the longest."""
        return min((gang.since for gang in self.ready.values()), default=self.turn)

    def _key(self, block: Block) -> int:
        return self.ready[block].penalty * PENALTY + block.order

    def _update_least(self) -> None:
        self._least = min(map(self._key, self.ready), default=1 << 62)

    def _run_gang(self, block: Block, gang: Gang) -> None:
        lanes, schedule = gang.lanes, self.schedule
        self._penalty = gang.penalty
        loops = 0
        while True:
            if block.gate is not None:
                entered = enter(self, block, block.gate, lanes)
                if entered is None:
                    return
                lanes = entered
            self.steps += 1
            coded = block.code is not None and (block.gate is None or lanes.are_whole)
            if coded and block.code is not None:
                following = block.code(lanes)
            else:
                for step in block.steps:
                    step(lanes)
                block.lanes_run += lanes.count
                following = block.end(lanes)
            if following is None:
                return
            self._polled = polls = self._polled or (block.polls and not coded)
            after, lanes = following
            if (
                schedule is not None and self.steps >= schedule.following
            ):  # The schedule changes, and others may come first.
                self._penalty += loops > 0 or after.order <= block.order
                self._polled = False
                self.enqueue(after, lanes)
                return
            if self.ready:
                if after.order <= block.order:
                    loops += 1
                    if loops >= (POLLING_LOOPS if polls else PLAIN_LOOPS):
                        self._penalty += 1
                        self.enqueue(after, lanes)
                        return
                if self._penalty * PENALTY + after.order >= self._least:
                    self.enqueue(after, lanes)
                    return
            elif after.order <= block.order:
                loops += 1
                if loops >= (POLLING_LOOPS if polls else PLAIN_LOOPS):
                    self.enqueue(after, lanes)
                    return
            block = after

    def look(self) -> None:
        """Threads have looked at what others change, and done nothing else, in compiled code."""
        self._polled = True

    def enqueue(self, block: Block, lanes: Lanes) -> None:
        """Let lanes go on at a block, together with those that already wait for their turn there."""
        waiting = self.ready.get(block)
        if waiting is None:
            self.ready[block] = Gang(lanes, self._penalty, self.turn)
        else:
            waiting.lanes = union(waiting.lanes, lanes)
            waiting.penalty = max(waiting.penalty, self._penalty)
        self._update_least()

    def tire(self, block: Block, lanes: Lanes) -> None:
        """Lanes have looped for as long as they may before others get their turn."""
        self._penalty += 1
        self.enqueue(block, lanes)

    def diverge(self, ways: Iterable[tuple[Block, Lanes]]) -> None:
        """Let the lanes of a gang go different ways."""
        for block, lanes in ways:
            self.enqueue(block, lanes)

    def change(self) -> None:
        """Something has happened that may let a waiting lane go on."""
        self.changes += 1

    def exit(self, lanes: Lanes) -> None:
        """End threads; barriers and collectives no longer wait for them."""
        self.alive[lanes.select] = False
        self.live -= lanes.count
        self.change()
        self.unpark()
        if self.live:
            self.barriers.after_exit()
            self.phases += 1

    def unpark(self) -> None:
        """Let lanes that wait before a collective look again."""
        parked, self.parked = self.parked, {}
        for block, lanes in parked.items():
            self.enqueue(block, lanes)

    def sleep(self, block: Block, lanes: Lanes, limited: bool = False) -> None:
        """Let lanes wait at the start of a block until an mbarrier completes a phase; `limited`: they may give up."""
        if limited:
            self._expiries.setdefault(block, 0)
        before = self.asleep.get(block)
        self.asleep[block] = lanes if before is None else union(before, lanes)

    def wake(self) -> None:
        """Let the lanes that wait for an mbarrier look again."""
        asleep, self.asleep = self.asleep, {}
        for block, lanes in asleep.items():
            self.enqueue(block, lanes)
