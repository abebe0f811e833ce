"""What threads of two CTAs know of each other by flags, fences and barriers, done in any order.

One kernel reads a script: what which threads do, one step after the other.  Random scripts are held to a model of
release and acquire patterns with their scopes, and of chains of updates.
"""

from __future__ import annotations

import random
import re
from copy import deepcopy
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

import numpy as np
import pytest

import weft
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

THREADS = (0, 32, 64, 96)
"""A thread of each warp; two warps are a CTA."""
LEVELS = {"cta": 0, "cluster": 1, "gpu": 2, "sys": 2}
WRITES = {
    **{f"st.release.{scope}": f"st.release.{scope}.global.u32 [%flag], %value;" for scope in LEVELS},
    **{f"st.relaxed.{scope}": f"st.relaxed.{scope}.global.u32 [%flag], %value;" for scope in LEVELS},
    "st.volatile.sys": "st.volatile.global.u32 [%flag], %value;",
    "red.release.gpu": "red.release.gpu.global.add.u32 [%flag], 1;",
    "red.relaxed.gpu": "red.relaxed.gpu.global.add.u32 [%flag], 1;",
    "atom.acq_rel.sys": "atom.acq_rel.sys.global.exch.b32 %t, [%flag], %value;",
}
READS = {
    **{f"ld.acquire.{scope}": f"ld.acquire.{scope}.global.u32 %t, [%flag];" for scope in LEVELS},
    **{f"ld.relaxed.{scope}": f"ld.relaxed.{scope}.global.u32 %t, [%flag];" for scope in LEVELS},
    "ld.volatile.sys": "ld.volatile.global.u32 %t, [%flag];",
    "atom.acquire.gpu": "atom.acquire.gpu.global.add.u32 %t, [%flag], 0;",
}
FENCES = {
    **{f"acq_rel.{scope}": f"fence.acq_rel.{scope};" for scope in LEVELS},
    "sc.gpu": "fence.sc.gpu;",
    "membar.gpu": "membar.gl;",
    "membar.cta": "membar.cta;",
    "release.gpu": "fence.release.gpu;",
    "acquire.gpu": "fence.acquire.gpu;",
}
STEPS = {
    "st": "@%me st.global.u32 [%at], %k;",
    "ld": "@%me ld.global.u32 %t, [%at];",
    "bar": "bar.sync 0;",
    **{f"fence {name}": f"@%me {text}" for name, text in FENCES.items()},
    **{f"write {name}": f"@%me {text}" for name, text in WRITES.items()},
    **{
        f"read {name}": f"@!%me bra next; again{n}: {text} setp.ne.u32 %q, %t, %value; @%q bra again{n};"
        for n, (name, text) in enumerate(READS.items())
    },
}


class Step(NamedTuple):
    """What a thread does, at a word or a flag, with a value of the flag."""

    op: str
    who: int
    at: int = 0
    value: int = 0


@cache
def kernel() -> Module:
    jobs = "\n".join(f"L{n}: {text}\nbra next;" for n, text in enumerate(STEPS.values()))
    return weft.parse(f""".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flags, .param .u64 script) {{
.reg .pred %q, %me; .reg .b32 %id, %t, %op, %who, %where, %value, %k; .reg .b64 %data, %flags, %flag, %at, %script;
ld.param.u64 %data, [data]; ld.param.u64 %flags, [flags]; ld.param.u64 %script, [script];
mov.u32 %k, 0; mov.u32 %t, %ctaid.x; mov.u32 %id, %tid.x; mad.lo.u32 %id, %t, 64, %id;
loop: ld.global.v4.u32 {{%op, %who, %where, %value}}, [%script]; add.u64 %script, %script, 16; setp.eq.u32 %me, %who, %id;
add.u32 %k, %k, 1; mad.wide.u32 %at, %where, 4, %data; mad.wide.u32 %flag, %where, 4, %flags;
setp.ge.u32 %q, %op, {len(STEPS)}; @%q bra end;
T: .branchtargets {", ".join(f"L{n}" for n in range(len(STEPS)))}; brx.idx %op, T;
{jobs}
next: bra loop;
end: ret;
}}""")


Levels = dict[int, int]
"""By level, what is told to those whom the level includes."""


def include(one: Step, other: Step) -> bool:
    """Whether the scopes of two accesses to a flag include both threads."""
    near = one.who // 64 == other.who // 64
    return near or all(LEVELS[step.op.rpartition(".")[2]] == 2 for step in (one, other))


class Model:
    """Who knows of which accesses, as bits, by threads.

    `fenced` is what they knew at their last fence of a level, `seen` what relaxed reads have met since.  A flag has the
    last value's levels of what is told, by the threads that may hear it.
    """

    def __init__(self) -> None:
        self.events: list[Step] = []
        self.known = dict.fromkeys(THREADS, 0)
        self.fenced = {who: dict.fromkeys(range(3), 0) for who in THREADS}
        self.seen = {who: dict.fromkeys(range(3), 0) for who in THREADS}
        self.told: dict[int, dict[int, Levels]] = {}
        self.owners: dict[int, int] = {}
        self.faults: list[tuple[Step, Step]] = []

    def run(self, step: Step) -> None:
        kind, _, name = step.op.partition(" ")
        how, _, scope = name.rpartition(".")
        who, level = step.who, LEVELS.get(scope, 2)
        if kind not in ("bar", "fence"):
            self.access(step)
        if kind in ("st", "ld"):
            return
        if kind == "bar":
            self.barrier()
        elif kind == "fence":
            for each in range(level + 1):
                if how != "release":
                    self.known[who] |= self.seen[who][each]
            for each in range(level + 1):
                if how != "acquire":
                    self.fenced[who][each] = self.known[who]
        elif kind == "write":
            self.write(
                step,
                level,
                release="rel" in how and "relaxed" not in how,
                update=how.startswith(("red", "atom")),
            )
        else:
            told = self.told[step.at]
            for each in range(level + 1):
                heard = reduce(or_, (levels[each] for one, levels in told.items() if each == 2 or one == who // 64), 0)
                if how.endswith("acquire"):
                    self.known[who] |= heard
                else:
                    self.seen[who][each] |= heard

    def access(self, step: Step) -> None:
        """Note an access, and the earlier ones that it conflicts with."""
        plain = step.op in ("st", "ld")
        for number, other in enumerate(self.events):
            same = other.at == step.at and (other.op in ("st", "ld")) == plain
            reads = all(re.match("ld|read ld", one.op) for one in (step, other))
            if same and not reads and not self.known[step.who] >> number & 1 and (plain or not include(step, other)):
                self.faults.append((other, step))
        self.events.append(step)
        self.known[step.who] |= 1 << len(self.events) - 1

    def barrier(self) -> None:
        for cta in (THREADS[:2], THREADS[2:]):
            known = reduce(or_, (self.known[who] for who in cta))
            for table in (self.fenced, self.seen):
                joined = {each: reduce(or_, (table[who][each] for who in cta)) for each in range(3)}
                for who in cta:
                    table[who] = dict(joined)
            self.known.update(dict.fromkeys(cta, known))

    def write(self, step: Step, level: int, *, release: bool, update: bool) -> None:
        """A write tells of what its thread knows, or knew at its fence; an update, of what the value before has told too."""
        before = self.told.get(step.at, {})
        owner = self.owners.get(step.at, step.who)
        kept = before if update or owner == step.who else {}
        told = {cta: dict(levels) for cta, levels in kept.items()}
        mine = told.setdefault(step.who // 64, dict.fromkeys(range(3), 0))
        for each in range(level + 1):
            mine[each] |= self.known[step.who] if release else self.fenced[step.who][each]
        self.told[step.at] = told
        if not update or step.at not in self.owners:
            self.owners[step.at] = step.who


def flag(rng: random.Random, number: int) -> list[Step]:
    """A flag is written, perhaps once more by one who has read it, and then read."""
    one, two, three = (rng.choice(THREADS) for _ in range(3))
    steps = [Step(f"write {rng.choice(list(WRITES))}", one, number, 1)]
    if rng.random() < 0.3 and two != one:
        steps.append(Step(f"read {rng.choice(list(READS))}", two, number, 1))
        steps.append(Step(f"write {rng.choice(list(WRITES))}", two, number, 2))
    if three != steps[-1].who:
        steps.append(Step(f"read {rng.choice(list(READS))}", three, number, steps[-1].value))
    return steps


def script(seed: str, size: int) -> tuple[list[Step], Model]:
    """Steps by some threads, up to the first that conflicts, and the model; most of those that would are left out."""
    rng = random.Random(seed)
    steps, model, flags = list[Step](), Model(), 0
    while len(steps) < size and not model.faults:
        kind = rng.choice(["st", "ld", "fence", "fence", "bar", "flag", "flag"])
        some = [Step(kind, rng.choice(THREADS), rng.randrange(4))]
        if kind == "fence":
            some = [Step(f"fence {rng.choice(list(FENCES))}", rng.choice(THREADS))]
        elif kind == "flag":
            some, flags = flag(rng, flags), flags + 1
        before = deepcopy(model)
        for number, step in enumerate(some):
            model.run(step)
            if model.faults:
                del some[number + 1 :]
                break
        if model.faults and rng.random() < 0.8:
            model = before
        else:
            steps += some
    return steps, model


def found(steps: list[Step]) -> KernelFault | None:
    words = [[list(STEPS).index(step.op), *step[1:]] for step in steps]
    arguments = [np.zeros(4, np.uint32), np.zeros(32, np.uint32), np.array([*words, [99, 0, 0, 0]], np.uint32)]
    try:
        run(kernel(), "k", 2, 64, arguments)
    except KernelFault as fault:
        return fault
    return None


def line_of(step: Step) -> int:
    """The line of a step's instruction."""
    source = kernel().source
    assert source is not None
    return 1 + source.splitlines().index(f"L{list(STEPS).index(step.op)}: {STEPS[step.op]}")


def told(first: Step, second: Step) -> tuple[str, str]:
    """What is said of two steps that conflict, and how to mend it."""
    cta, warp = divmod(first.who // 32, 2)
    stores = not re.match("ld|read ld", second.op), not re.match("ld|read ld", first.op)
    verb, did = "overwrites" if stores[0] else "reads", "wrote" if stores[1] else "read"
    line, again, near = line_of(first), line_of(second), first.who // 64 == second.who // 64
    between = (
        f"between line {line} and line {again}"
        if line < again
        else f"after line {line}, before line {again} comes again"
    )
    mend = f"order the CTAs by a release and an acquire at a flag, with a scope that includes both, {between}; or use atomics"
    if near:
        mend = f"put a barrier of the CTA, or an arrival and a wait at an mbarrier, {between}; or use atomics"
    elif "." in second.op:
        mend = "give both accesses a scope that includes both threads (.gpu, or .cluster within one cluster)"
    whose = "" if near else f" of CTA ({cta}, 0, 0)"
    return f"{verb} what warp {warp}{whose} {did} (line {line}) at global address", mend


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(24))
def test_scripts_are_faults_where_the_model_says_so(seed: int) -> None:
    """What is said names two threads that nothing orders, where the model says that there are such."""
    for number in range(8):
        steps, model = script(f"{seed} {number}", 14)
        fault = found(steps)
        assert (fault is not None) == bool(model.faults), (steps, fault)
        if fault is None:
            continue
        pairs = [pair for one, two in model.faults for pair in ((one, two), (two, one))]
        texts = [(*told(*pair), pair[1].who) for pair in pairs]
        assert fault.thread is not None
        who = fault.thread.cta[0] * 64 + fault.thread.tid[0]
        assert any(text in fault.message and fault.hint.startswith(mend) and who == by for text, mend, by in texts), (
            fault,
            texts,
        )
