"""Which accesses of shared memory conflict where threads and asynchronous copies do them in any order.

One kernel reads a script: what which threads do, one step after the other.  Random scripts are held to a model, which
says in a few lines who knows of what: of whom threads have heard by barriers, arrivals and waits, and what of that a
proxy fence has let through.
"""

from __future__ import annotations

import random
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

import numpy as np
import pytest

import weft
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

BLOCK, BYTES, MOST = 64, 64, 16
LANES = (0, 1, 32, 33)
_TURN = "setp.ne.u32 %q, %arg, %id; @%q bra next; again{0}: mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0; @!%q bra again{0};"
STEPS = {
    **{f"st{bits}": f"@%me st.shared.u{bits} [%at], %v{bits};" for bits in (8, 16, 32, 64)},
    **{f"ld{bits}": f"@%me ld.shared.u{bits} %v{bits}, [%at];" for bits in (8, 16, 32, 64)},
    "st128": "@%me st.shared.v4.u32 [%at], {%v32, %v32, %v32, %v32};",
    "ld128": "@%me ld.shared.v4.u32 {%v32, %v32, %v32, %v32}, [%at];",
    "zero": "@%me st.shared.u32 [%at], 0;",
    "red": "@%me red.shared.add.u32 [%at], %k;",
    "bar": "bar.sync 0;",
    "tell": "setp.lt.u32 %q, %id, 32; @!%q bra told; barrier.arrive %k, 64; bra next; told: barrier.sync %k, 64;",
    "warp": "bar.warp.sync -1;",
    "some": "and.b32 %t, %id, 31; setp.gt.u32 %q, %t, 0; @%q bra next; bar.warp.sync 1;",
    "shfl": "shfl.sync.bfly.b32 %t, %id, 1, 31, -1;",
    "hand": "@%me mbarrier.arrive.shared.b64 _, [%bar]; " + _TURN.format(0),
    "async": "@%me cp.async.ca.shared.global [%at], [%from], 4;",
    "commit": "@%me cp.async.commit_group;",
    "wait0": "@%me cp.async.wait_group 0;",
    "wait1": "@%me cp.async.wait_group 1;",
    "all": "@%me cp.async.wait_all;",
    "noinc": "@%me cp.async.mbarrier.arrive.noinc.shared.b64 [%bar]; " + _TURN.format(1),
    "load": "@%me mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 16; "
    "@%me cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at], [%from], 16, [%bar]; " + _TURN.format(2),
    "store": "@%me cp.async.bulk.global.shared::cta.bulk_group [%from], [%at], 16;",
    "close": "@%me cp.async.bulk.commit_group;",
    "bulk0": "@%me cp.async.bulk.wait_group 0;",
    "read0": "@%me cp.async.bulk.wait_group.read 0;",
    "read1": "@%me cp.async.bulk.wait_group.read 1;",
    "proxy": "@%me fence.proxy.async.shared::cta;",
    "wide": "@%me fence.proxy.async;",
    "far": "@%me fence.proxy.async.global;",
}  # fmt: skip
"""What the steps of a script do: `%me` is the thread that is named, `%at` the place, `%from` one in global memory."""
SIZES = {
    **{f"{way}{bits}": bits // 8 for way in ("st", "ld") for bits in (8, 16, 32, 64, 128)},
    "zero": 4,
    "red": 4,
    "async": 4,
    "load": 16,
    "store": 16,
}


class Step(NamedTuple):
    """What a thread does at a byte; `arg` is another thread."""

    op: str
    who: int = 0
    at: int = 0
    arg: int = 0


@cache
def kernel() -> Module:
    names = list(STEPS)
    jobs = "\n".join(f"L{n}: {STEPS[name]}\nbra next;" for n, name in enumerate(names))
    return weft.parse(f""".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 script) {{
.reg .pred %p, %q, %me; .reg .b16 %v8, %v16; .reg .b32 %v32, %id, %t, %op, %who, %at, %arg, %k, %bar;
.reg .b64 %v64, %data, %script, %from;
.shared .align 16 .b8 s[{BYTES}]; .shared .align 8 .b64 bars[{MOST}];
ld.param.u64 %data, [data]; ld.param.u64 %script, [script]; mov.u32 %id, %tid.x;
mov.u32 %k, 0; mov.u32 %t, s; mov.u32 %bar, bars; mad.lo.u32 %at, %id, 8, %bar;
setp.ge.u32 %q, %id, {MOST}; @!%q mbarrier.init.shared.b64 [%at], 1;
setp.ge.u32 %q, %id, 16; mad.lo.u32 %t, %id, 4, %t; @!%q st.shared.u32 [%t], 0; fence.proxy.async; bar.sync 0;
loop: ld.global.v4.u32 {{%op, %who, %at, %arg}}, [%script]; add.u64 %script, %script, 16; setp.eq.u32 %me, %who, %id;
mov.u32 %t, s; add.u32 %at, %at, %t; mad.wide.u32 %from, %k, 32, %data; add.u32 %k, %k, 1; add.u32 %bar, %bar, 8;
mul.lo.u32 %v32, %k, 0x01010101; cvt.u16.u32 %v8, %v32; cvt.u16.u32 %v16, %v32; mov.b64 %v64, {{%v32, %v32}};
setp.ge.u32 %q, %op, {len(names)}; @%q bra end;
T: .branchtargets {", ".join(f"L{n}" for n in range(len(names)))}; brx.idx %op, T;
{jobs}
next: bra loop;
end: cp.async.wait_all; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;
}}""")


class Event(NamedTuple):
    """Bytes that a thread, or a copy that it has started, accesses in a step."""

    step: Step
    stores: bool
    copy: bool
    bytes: range

    def meets(self, other: Event) -> bool:
        return (self.stores or other.stores) and max(self.bytes.start, other.bytes.start) < min(
            self.bytes.stop, other.bytes.stop
        )


class Model:
    """Who knows of which events, and which of these have passed a proxy fence, as bits; what groups of copies are under way.

    What a thread has told anybody, others of its warp tell as well, to other warps even before.  A proxy fence lets through what it knows of a warp
    for all lanes of that warp: `rough` is known in this way.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.memory = [False] * BYTES
        self.known, self.through, self.rough, self.spoken = [0] * BLOCK, [0] * BLOCK, [0] * BLOCK, 0
        self.open = {kind: [0] * BLOCK for kind in ("async", "store")}
        self.groups: dict[str, list[list[int]]] = {kind: [[] for _ in range(BLOCK)] for kind in self.open}
        self.faults: list[tuple[str, Event, Event]] = []

    def access(self, step: Step, *, stores: bool) -> int:
        """A bit for what a thread does now; what conflicts with it is noted."""
        copy = step.op in ("async", "load", "store")
        event = Event(step, stores, copy, range(step.at, step.at + SIZES[step.op]))
        for number, other in enumerate(self.events):
            same = step.op == "zero" and not any(self.memory[event.bytes.start : event.bytes.stop])
            same &= not other.copy or bool(self.known[other.step.who] >> number & 1)  # That is there already.
            if not event.meets(other) or (step.op == other.step.op == "red") or same:
                continue
            far = self.rough[step.who] & self.spoken if other.step.who // 32 != step.who // 32 else 0
            if not (self.known[step.who] | far) >> number & 1:
                self.faults.append(("race", other, event))
            elif (
                step.op in ("load", "store")
                and other.stores
                and other.step.op != "load"
                and not self.through[step.who] >> number & 1
            ):
                self.faults.append(("proxy-fence", other, event))
        if stores:
            self.memory[event.bytes.start : event.bytes.stop] = [step.op != "zero"] * len(event.bytes)
        self.events.append(event)
        bit = 1 << len(self.events) - 1
        if not copy:
            self.known[step.who] |= bit
        return bit

    def meet(self, giving: list[int], taking: list[int]) -> None:
        """Some threads tell others all that they know."""
        for lane in giving:
            self.spoken |= self.known[lane]
        near = {lane // 32: self.by(lane // 32) for lane in giving}
        mine = [self.spoken & events for events in near.values()]
        for table, more in ((self.known, mine), (self.through, []), (self.rough, [*near.values()])):
            told = reduce(or_, [*(table[lane] for lane in giving), *more])
            for lane in taking:
                table[lane] |= told

    def by(self, warp: int) -> int:
        """What threads of a warp have done themselves."""
        return sum(1 << n for n, event in enumerate(self.events) if event.step.who // 32 == warp and not event.copy)

    def run(self, step: Step) -> None:
        op, who, warp = step.op, step.who, [[*range(32)], [*range(32, 64)]]
        match op:
            case "bar":
                self.meet([*range(64)], [*range(64)])
            case "tell":
                self.meet([*range(64)], warp[1])
            case "warp":
                for lanes in warp:
                    self.meet(lanes, lanes)
            case "hand":
                self.meet([who], [step.arg])
            case "async":
                self.open["async"][who] |= self.access(step, stores=True)
            case "store":
                self.open["store"][who] |= self.access(step, stores=False)
            case "commit" | "close":
                kind = "async" if op == "commit" else "store"
                self.groups[kind][who].append(self.open[kind][who])
                self.open[kind][who] = 0
            case "wait0" | "wait1" | "bulk0" | "read0" | "read1":
                groups = self.groups["async" if op.startswith("wait") else "store"][who]
                for done in groups[: len(groups) - int(op[-1])]:
                    self.known[who] |= done
            case "all" | "noinc":
                copies = self.open["async"][who]
                for done in self.groups["async"][who]:
                    copies |= done
                if op == "all":
                    self.known[who] |= copies
                else:
                    self.meet([who], [step.arg])
                    self.known[step.arg] |= copies
            case "load":
                copy = self.access(step, stores=True)
                self.meet([who], [step.arg])
                self.known[step.arg] |= copy
                self.through[step.arg] |= copy
            case "proxy" | "wide":
                self.through[who] |= self.known[who] | self.rough[who]
            case _ if op in SIZES:
                self.access(step, stores=not op.startswith("ld"))


def script(seed: str, size: int) -> list[Step]:
    """Steps by some threads at a few places."""
    rng = random.Random(seed)
    ops = list(STEPS)
    steps: list[Step] = []
    for _ in range(size):
        op = rng.choice(ops)
        grain = SIZES.get(op, 1)
        at = rng.choice([0, 16]) // grain * grain + (rng.randrange(0, 16 // grain) * grain)
        who = rng.choice(LANES)
        steps.append(Step(op, who, at, rng.choice(LANES)))
    return steps


def found(steps: list[Step], ctas: int = 1, policy: str = "lazy") -> KernelFault | None:
    words = [[list(STEPS).index(step.op), *step[1:]] for step in steps]
    data = np.repeat(np.arange(100, 100 + len(steps) + 1, dtype=np.uint8), 32)
    try:
        run(kernel(), "k", ctas, BLOCK, [data, np.array([*words, [99, 0, 0, 0]], np.uint32)], async_=policy)  # type: ignore[arg-type]
    except KernelFault as fault:
        return fault
    return None


def line_of(step: Step, part: int = 0) -> int:
    """The line of the instruction of a step that accesses memory."""
    source = kernel().source
    assert source is not None
    return 1 + source.splitlines().index(f"L{list(STEPS).index(step.op)}: {STEPS[step.op].splitlines()[0]}") + part


def whom(second: Event, first: Event, *, flying: bool = False) -> str:
    """How a report on an access calls who has made another one."""
    if first.step.op == "load" or flying:
        return f"an asynchronous {'cp.async.bulk' if first.step.op == 'load' else 'cp.async'}"
    near = first.step.who // 32 == second.step.who // 32
    return f"lane {first.step.who % 32} of the same warp" if near else f"warp {first.step.who // 32}"


def told(kind: str, first: Event, second: Event, *, flying: bool = False) -> tuple[str, str]:
    """What is said of two events that conflict, and how to mend it; `second` came later."""
    line, again = line_of(first.step), line_of(second.step)
    where, size = second.bytes.start, SIZES[second.step.op]
    verb, did = "overwrites" if second.stores else "reads", "wrote" if first.stores else "read"
    if kind == "race":
        between = (
            f"between line {line} and line {again}"
            if line < again
            else f"after line {line}, before line {again} comes again"
        )
        mend = f"put a barrier of the CTA, or an arrival and a wait at an mbarrier, {between}; or use atomics"
        if first.step.who // 32 == second.step.who // 32:
            mend = f"insert bar.warp.sync {between}: nothing else orders the lanes of a warp"
        if first.step.op == "load":
            did, mend = "writes", "wait for the operation first, at its mbarrier or for its group"
        text = f"{verb} what {whom(second, first)} {did} (line {line}) at shared address {where:#x}, without synchronization between them"
        return text, mend
    if kind == "proxy-fence":
        verb = "writes" if second.stores else "reads"
        text = f"{verb} shared memory at {max(first.bytes.start // 16 * 16, where):#x} through the async proxy, where {whom(second, first, flying=flying)} stored (line {line}) without a fence.proxy.async in between"
        return (
            text,
            f"insert fence.proxy.async after line {line}, before synchronizing with the thread that starts this",
        )
    waits = {
        "async": "cp.async.wait_group in the thread that issued it, then a barrier for the others",
        "store": "cp.async.bulk.commit_group and wait_group in the thread that issued it, then a barrier for the others",
        "load": "loop on mbarrier.try_wait at the mbarrier at ",
    }[first.step.op]
    stem = "cp.async" if first.step.op == "async" else "cp.async.bulk"
    what = f"an asynchronous operation that {'writes' if first.stores else 'reads'} them"
    if first.stores and second.step.op == "red":  # It reads first.
        verb = "reads"
    if verb == "reads":
        what = "an asynchronous copy to them"
    return (
        f"{verb} {size} bytes of shared memory at {where:#x} while {what} is still in flight",
        f"wait for the {stem} at line {line}: {waits}",
    )


def blames(fault: KernelFault, kind: str, first: Event, second: Event) -> bool:
    """Whether a fault tells of the conflict of two events; of one that several threads have caused it may name all."""
    if fault.thread is None or fault.thread.tid[0] != second.step.who:
        return False
    for one in (kind, "proxy-fence", "asynchronous-read", "asynchronous-write"):
        copies = one.startswith("async") and not first.copy
        if one != fault.kind or copies or (one == "proxy-fence" and not (second.copy and first.stores)):
            continue
        text, mend = told(
            one, first, second, flying=first.step.op == "async" and "asynchronous cp.async stored" in fault.message
        )
        several = text.replace(f"what lane {first.step.who % 32} of", "what other lanes of")
        said = any(f": {each}, in CTA (0, 0, 0), thread" in fault.message for each in (text, several))
        if said and fault.hint.startswith(mend):
            return True
    return False


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(16))
def test_scripts_are_faults_where_the_model_says_so(seed: int) -> None:
    """Each script runs up to the first step that conflicts with earlier ones; what is said names both of them."""
    for number in range(12):
        model, steps = Model(), list[Step]()
        for step in script(f"{seed} {number}", 14):
            model.run(step)
            steps.append(step)
            if model.faults:
                break
        fault = found(steps, 1 + number % 2)
        assert (fault is not None) == bool(model.faults), (steps, fault)
        if number % 4 == 0:  # That copies are done at once hides nothing.
            assert (found(steps, 1, "eager") is None) == (fault is None), steps
        if fault is not None:
            pairs = [(kind, *pair) for kind, *both in model.faults for pair in (both, both[::-1])]
            assert any(blames(fault, *pair) for pair in pairs), (steps, fault, fault.hint)
