"""Which uses of tensor memory conflict where warps load, store, copy, wait, fence and meet in any order.

One kernel reads a script: what which warps do, one step after the other.  Random scripts are held to a model of the
rules of the manual ("tcgen05 Memory Consistency Model Properties"): who knows of what, and what of that fences let use.
"""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

import numpy as np
import pytest

import weft
from tests.sim.hazards.products import DESC5
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

WARPS, QUARTERS, COLUMNS, MOST = 8, 4, 32, 16
_FOUR = "{%k, %k, %k, %k}"
_TURN = "setp.ne.u32 %q, %arg, %warp; @%q bra next; again{0}: mbarrier.try_wait.parity.shared.b64 %q, [%bar{0}], 0; @!%q bra again{0};"
_SKIP = "@!%me bra next; "
STEPS = {
    "st": _SKIP + f"tcgen05.st.sync.aligned.32x32b.x4.b32 [%cell], {_FOUR};",
    "ld": _SKIP + "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r0, %r1, %r2, %r3}, [%cell];",
    "st16": _SKIP + "tcgen05.st.sync.aligned.16x64b.x1.b32 [%cell], {%k};",
    "ld16": _SKIP + "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r0}, [%cell];",
    "stored": _SKIP + "tcgen05.wait::st.sync.aligned;",
    "loaded": _SKIP + "tcgen05.wait::ld.sync.aligned;",
    "before": _SKIP + "tcgen05.fence::before_thread_sync;",
    "after": _SKIP + "tcgen05.fence::after_thread_sync;",
    "bar": "bar.sync 0;",
    "hand": "@%me mbarrier.arrive.shared.b64 _, [%bar0]; " + _TURN.format(0),
    "cp": "@%leads tcgen05.cp.cta_group::1.128x256b [%column], %desc;",
    "commit": "@%leads tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar1]; " + _TURN.format(1),
}  # fmt: skip
"""What the steps of a script do: `%me` is the warp that is named, `%leads` its first lane."""


class Step(NamedTuple):
    """What a warp does, at a column and a lane of its quarter; `arg` is the warp that it hands on to."""

    op: str
    who: int = 0
    column: int = 0
    lane: int = 0
    arg: int = 0


@cache
def kernel() -> Module:
    jobs = "\n".join(f"L{n}: {text}\nbra next;" for n, text in enumerate(STEPS.values()))
    fill = ", ".join(["%k"] * COLUMNS)
    return weft.parse(f""".version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 script) {{
.reg .pred %q, %me, %leads, %first; .reg .b32 %id, %t, %op, %who, %where, %arg, %k, %warp, %lane, %column, %cell, %base, %quarter, %bar0, %bar1;
.reg .b32 %r<4>; .reg .b64 %script, %desc; .shared .align 128 .b8 s[4096]; .shared .align 8 .b64 bars[{2 * MOST + 1}]; .shared .align 4 .b32 at;
ld.param.u64 %script, [script]; mov.u32 %k, 0; mov.u32 %id, %tid.x; shr.u32 %warp, %id, 5; and.b32 %lane, %id, 31; setp.eq.u32 %first, %lane, 0;
mov.u32 %t, s; shr.u32 %op, %t, 4; cvt.u64.u32 %desc, %op; or.b64 %desc, %desc, {DESC5};
mad.lo.u32 %t, %id, 16, %t; st.shared.v4.b32 [%t], {_FOUR}; mov.u32 %bar0, bars; mad.lo.u32 %t, %id, 8, %bar0;
setp.gt.u32 %q, %id, {2 * MOST}; @%q bra made; setp.ge.u32 %q, %id, {MOST}; selp.u32 %op, 1, 32, %q;
setp.eq.u32 %q, %id, {2 * MOST}; selp.u32 %op, {WARPS}, %op, %q; mbarrier.init.shared.b64 [%t], %op;
made: setp.ne.u32 %q, %warp, 0; @%q bra allocated; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], {COLUMNS};
allocated: fence.proxy.async; bar.sync 0; ld.shared.u32 %base, [at]; and.b32 %quarter, %warp, 3; shl.b32 %quarter, %quarter, 21; add.u32 %quarter, %quarter, %base;
setp.ge.u32 %q, %warp, {QUARTERS}; @%q bra filled;
tcgen05.st.sync.aligned.32x32b.x{COLUMNS}.b32 [%quarter], {{{fill}}}; tcgen05.wait::st.sync.aligned;
filled: tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; add.u32 %bar1, %bar0, {8 * MOST};
loop: ld.global.v4.u32 {{%op, %who, %where, %arg}}, [%script]; add.u64 %script, %script, 16; setp.eq.u32 %me, %who, %warp;
and.pred %leads, %me, %first; add.u32 %k, %k, 1; add.u32 %cell, %quarter, %where; and.b32 %column, %where, 65535; add.u32 %column, %column, %base;
setp.ge.u32 %q, %op, {len(STEPS)}; @%q bra end;
T: .branchtargets {", ".join(f"L{n}" for n in range(len(STEPS)))}; brx.idx %op, T;
{jobs}
next: add.u32 %bar0, %bar0, 8; add.u32 %bar1, %bar1, 8; bra loop;
end: tcgen05.wait::st.sync.aligned; tcgen05.wait::ld.sync.aligned; mov.u32 %bar0, bars; add.u32 %bar0, %bar0, {16 * MOST};
@%first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar0];
last: mbarrier.try_wait.parity.shared.b64 %q, [%bar0], 0; @!%q bra last;
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; setp.ne.u32 %q, %warp, 0; @%q bra done;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, {COLUMNS};
done: ret;
}}""")


class Event(NamedTuple):
    """Cells that a step reads or writes: lanes and columns; of a copy, another event says that it is done."""

    step: Step
    lanes: range
    columns: range
    done: bool = False

    @property
    def stores(self) -> bool:
        return self.step.op in ("st", "st16", "cp")

    def meets(self, other: Event) -> bool:
        def both(a: range, b: range) -> bool:
            return max(a.start, b.start) < min(a.stop, b.stop)

        return (self.stores or other.stores) and both(self.lanes, other.lanes) and both(self.columns, other.columns)


class Model:
    """By warps, as bits: the events that they know of, what may be told of these for use by others, what they may use.

    Of loads and stores others know once their warp has waited: `open` has those that it has not.  `seen` are copies that
    are done and known to be behind a fence.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.known, self.told, self.usable, self.seen = ([0] * WARPS for _ in range(4))
        self.open = {"st": [0] * WARPS, "ld": [0] * WARPS}
        self.started = [0] * WARPS
        self.faults: list[tuple[str, Event, Event]] = []

    def note(self, event: Event) -> int:
        self.events.append(event)
        return 1 << len(self.events) - 1

    def check(self, event: Event) -> None:
        who = event.step.who
        for number, other in enumerate(self.events):
            mine, waits = other.step.who == who, self.open[other.step.op[:2]][who] if other.step.op != "cp" else 0
            # A warp waits for its own store before it uses the cells, and for a load before it loads into the registers.
            if waits >> number & 1 and (other.meets(event) if other.stores else event.step.op in ("ld", "ld16")):
                self.faults.append(("asynchronous", other, event))
            if (
                not event.meets(other)
                or (mine and other.step.op != "cp")
                or (other.step.op == event.step.op == "cp" and mine)
            ):
                continue
            known, usable = self.known[who] >> number & 1, self.usable[who] >> number & 1
            if other.step.op != "cp":
                if not known or not usable:
                    self.faults.append(("tensor-fence" if known else "race", other, event))
            elif other.done and event.step.op != "cp":  # Copies follow each other.
                fenced = mine or event.stores or self.seen[who] >> number & 1
                if not known or not fenced:
                    self.faults.append(("tensor-fence" if known else "asynchronous", other, event))
            elif not other.done and not mine and not known:
                self.faults.append(("race", other, event))

    def run(self, step: Step) -> None:
        op, who = step.op, step.who
        quarter = who % QUARTERS * 32
        if op in ("st", "ld", "st16", "ld16"):
            half = op.endswith("16")
            lanes = range(quarter + step.lane, quarter + step.lane + (16 if half else 32))
            event = Event(step, lanes, range(step.column, step.column + (2 if half else 4)))
            self.check(event)
            bit = self.note(event)
            self.open[op[:2]][who] |= bit
        elif op == "cp":
            event = Event(step, range(128), range(step.column, step.column + 8))
            self.check(event)
            bit = self.note(event)
            self.known[who] |= bit
            self.started[who] |= self.note(event._replace(done=True))
        elif op in ("stored", "loaded"):
            kind = "st" if op == "stored" else "ld"
            self.known[who] |= self.open[kind][who]
            self.open[kind][who] = 0
        elif op == "before":
            self.told[who] |= self.known[who] & self.by(who) | self.usable[who]
        elif op == "after":
            self.usable[who] |= self.told[who]
            self.seen[who] |= self.known[who]
        elif op == "bar":
            self.meet([*range(WARPS)], [*range(WARPS)])
        elif op == "hand":
            self.meet([who], [step.arg])
        else:
            self.meet([who], [step.arg])
            self.known[step.arg] |= self.started[who]
            self.told[step.arg] |= self.known[who] & self.by(who)

    def by(self, warp: int) -> int:
        """What a warp has loaded and stored."""
        return sum(1 << n for n, event in enumerate(self.events) if event.step.who == warp and event.step.op != "cp")

    def meet(self, giving: list[int], taking: list[int]) -> None:
        for table in (self.known, self.told, self.seen):
            told = reduce(or_, (table[warp] for warp in giving))
            for warp in taking:
                table[warp] |= told


def protocol(rng: random.Random) -> list[Step]:
    """A warp uses cells, and another one after it, as is right; or something of it is left out."""
    one, two = rng.sample([0, 4, 5], 2)
    first, last = (rng.choice(["st", "ld", "st16", "cp"]) for _ in range(2))
    meet = Step("commit" if first == "cp" else rng.choice(["bar", "hand"]), one, arg=two)
    wait = [] if first == "cp" else [Step("loaded" if first == "ld" else "stored", one), Step("before", one)]
    steps = [Step(first, one), *wait, meet, Step("after", two), Step(last, two)]
    if rng.random() < 0.6:
        del steps[rng.randrange(1, len(steps) - 1)]
    return steps


def script(seed: str, size: int) -> tuple[list[Step], Model]:
    """Steps by some warps, up to the first that conflicts, and the model; most of those that would are left out."""
    rng = random.Random(seed)
    steps, model = list[Step](), Model()
    while len(steps) < size and not model.faults:
        op = rng.choice(list(STEPS))
        lane = 16 * rng.randrange(2) if op.endswith("16") else 0
        column = rng.choice([0, 4]) if op != "cp" else 0
        some = [
            Step(
                op,
                rng.choice([0, 4, 5]),
                column + (2 * rng.randrange(2) if op.endswith("16") else 0),
                lane,
                rng.choice([0, 4, 5]),
            )
        ]
        if rng.random() < 0.2 and len(steps) < size - 6:
            some = protocol(rng)
        before = deepcopy(model)
        for number, step in enumerate(some):
            others = reduce(or_, (model.started[warp] for warp in (0, 4, 5) if warp != step.who))
            if step.op == "commit" and others & ~model.known[step.who]:  # Of what may be left to run, all runs.
                some = []
                break
            model.run(step)
            if model.faults:
                some = some[: number + 1]
                break
        common = any(kind == "asynchronous" for kind, *_ in model.faults)
        if not some or (model.faults and rng.random() < (0.95 if common else 0.3)):
            model = before
        else:
            steps += some
    return steps, model


def found(steps: list[Step], policy: str = "lazy") -> KernelFault | None:
    words = [[list(STEPS).index(step.op), step.who, step.lane << 16 | step.column, step.arg] for step in steps]
    try:
        run(kernel(), "k", 1, 32 * WARPS, [np.array([*words, [99, 0, 0, 0]], np.uint32)], async_=policy)  # type: ignore[arg-type]
    except KernelFault as fault:
        return fault
    return None


_FENCES = "tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"


def told(kind: str, first: Event, second: Event) -> list[str]:
    """What may be said of two events that conflict; `second` came later."""
    verb, warp, did = (
        "overwrites" if second.stores else "reads",
        f"warp {first.step.who}",
        "stored" if first.stores else "loaded",
    )
    if first.step.op == "cp":
        if kind == "tensor-fence":
            return [f"reads the result of a product, without {_FENCES[1]} since, at lane "]
        return [
            f"{verb} tensor memory that an operation of {warp} writes, without synchronization between them, at lane "
        ]
    if second.step.op == "cp":
        end = (
            f"without {_FENCES[0]} and {_FENCES[1]} around the synchronization"
            if kind == "tensor-fence"
            else "without synchronization between them"
        )
        return [f"overwrites tensor memory that {warp} used, {end}, at lane "]
    if kind == "tensor-fence":
        return [
            f"uses tensor memory that {warp} {did}, without {_FENCES[0]} before and {_FENCES[1]} after the synchronization, at lane "
        ]
    used = "written" if first.stores else "read"
    return [
        f"{verb} tensor memory that {warp} has {used}, unordered, at lane ",
        f"{verb} tensor memory that {warp} has written, unordered: it need not have executed its tcgen05.wait::st yet, at lane ",
    ]


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(24))
def test_scripts_are_faults_where_the_model_says_so(seed: int) -> None:
    """What is said names two warps, of which the second does not know of what the first has done, or may not use it."""
    for number in range(8):
        steps, model = script(f"{seed} {number}", 14)
        fault = found(steps)
        assert (fault is not None) == bool(model.faults), (steps, fault)
        if fault is None or fault.kind == "asynchronous-read":
            continue
        pairs = [(kind, *pair) for kind, *both in model.faults for pair in (both, both[::-1])]
        texts = [(text, pair[-1]) for pair in pairs for text in told(*pair)]
        said = [event for text, event in texts if f": {text}" in fault.message]
        assert fault.thread is not None, (steps, fault)
        assert fault.address is not None, (steps, fault)
        lane, column = divmod(fault.address, 1 << 16)
        assert f", at lane {lane}, column {column}, in CTA" in fault.message
        assert any(fault.thread.warp == one.step.who and lane in one.lanes and column in one.columns for one in said), (
            fault,
            texts,
        )
