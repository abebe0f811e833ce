"""Threads that store to one place by one instruction: which of them race, and what is said of it."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import weft
from weft.errors import Severity
from weft.ptx.ast import Module
from weft.sim import KernelFault, run

BLOCK = 64
KINDS = {
    "st.SPACE.u8": 8,
    "st.SPACE.u16": 16,
    "st.SPACE.u32": 32,
    "st.SPACE.u64": 64,
    "st.relaxed.cta.SPACE.u32": 32,
    "st.relaxed.gpu.SPACE.u16": 16,
    "st.volatile.SPACE.u32": 32,
}


class Report(NamedTuple):
    """Who is named, and whether as an error; the place and the values of both."""

    lane: int
    other: int
    error: bool
    address: int
    values: tuple[int, int]


@cache
def kernel(space: str) -> Module:
    texts = [
        f"L{n}: {opcode.replace('SPACE', space)} [%at], {'%v' if bits == 32 else '%l' if bits == 64 else '%h'};\nbra end;"
        for n, (opcode, bits) in enumerate(KINDS.items())
    ]
    lines = "\n".join(texts)
    base = "mov.u64 %base, s;" if space == "shared" else "ld.param.u64 %base, [data];"
    return weft.parse(f""".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 jobs, .param .u32 kind) {{
.reg .b16 %h; .reg .b32 %v, %kind, %id, %t; .reg .b64 %base, %jobs, %at, %l; .shared .align 16 .b8 s[512];
{base} ld.param.u64 %jobs, [jobs]; ld.param.u32 %kind, [kind]; mov.u32 %id, %ctaid.x; mov.u32 %t, %tid.x; mad.lo.u32 %id, %id, {BLOCK}, %t;
mad.wide.u32 %jobs, %id, 8, %jobs; ld.global.v2.u32 {{%t, %v}}, [%jobs]; cvt.u64.u32 %at, %t; add.u64 %at, %at, %base;
cvt.u16.u32 %h, %v; cvt.u64.u32 %l, %v;
T: .branchtargets {", ".join(f"L{n}" for n in range(len(KINDS)))}; brx.idx %kind, T;
{lines}
end: ret;
}}""")


def wanted(kind: str, jobs: list[tuple[int, int]], grid: int) -> Report | None:
    """The first thread that stores something else than the last one at its place, best of another warp."""
    bits = KINDS[kind]
    values = [value & (1 << bits) - 1 for _, value in jobs]
    last = {place: lane for lane, (place, _) in enumerate(jobs)}
    bad: list[int] = []
    for lane, (place, _) in enumerate(jobs):
        near = lane // BLOCK == last[place] // BLOCK
        strong = ".relaxed." in kind or ".volatile." in kind
        alike = len({values[other] for other, (there, _) in enumerate(jobs) if there == place}) == 1
        if lane != last[place] and not alike and not (strong and (near or ".cta." not in kind)):
            bad.append(lane)

    def rounded(lane: int) -> bool:
        """Whether words are floats that agree in most of their digits with the first one that is stored there."""
        if bits < 32:
            return False
        there = [value for value, (place, _) in zip(values, jobs, strict=True) if place == jobs[lane][0]]
        return all(
            (abs(value - there[0]) <= 1 << 12 and 64 <= value >> 23 & 255 < 192) or value == there[0] for value in there
        )

    bad.sort(key=lambda lane: rounded(lane))
    errors = [lane for lane in bad if not rounded(lane)] or bad
    if not errors:
        return None
    far = [lane for lane in errors if lane // 32 != last[jobs[lane][0]] // 32]
    lane = min(far or errors)
    other = last[jobs[lane][0]]
    return Report(lane, other, not rounded(lane), jobs[lane][0], (values[lane], values[other]))


def who(lane: int, other: int) -> str:
    """How a thread calls another one."""
    if lane // 32 == other // 32:
        return f"lane {other % 32} of the same warp"
    cta = f" of CTA ({other // BLOCK}, 0, 0)" if lane // BLOCK != other // BLOCK else ""
    return f"warp {other // 32 % 2}{cta}"


def mend(kind: str, lane: int, other: int) -> str:
    if lane // 32 == other // 32:
        return "let only one lane store, or use an atomic: which value remains is undefined"
    if lane // BLOCK == other // BLOCK:
        return "let one thread store, or use an atomic: which value remains is undefined"
    if ".cta." in kind:
        return "give both accesses a scope that includes both threads (.gpu, or .cluster within one cluster)"
    return "order the CTAs by a release and an acquire at a flag, with a scope that includes both, "


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("kind", KINDS)
def test_who_is_named(kind: str, space: str) -> None:
    rng = random.Random(f"{kind} {space}")
    size = KINDS[kind] // 8
    for grid in (1, 1, 1, 2, 2) if space == "global" else (1, 1, 1, 1):
        places = rng.choice([40, 60, 64])
        pool = rng.choice([[5], [5, 6], [0x42019825, 0x42019826], [0x42019825, 0x42119825]])
        jobs = [(size * (lane % places), rng.choice(pool)) for lane in range(BLOCK * grid)]
        for _ in range(rng.choice([0, 1, 3])):
            jobs[rng.randrange(len(jobs))] = size * rng.randrange(64), rng.choice(pool)
        report = wanted(kind, jobs, grid)
        arguments = [np.full(512, 1, np.uint8), np.array(jobs, np.uint32), np.uint32(list(KINDS).index(kind))]
        try:
            found = [*run(kernel(space), "k", grid, BLOCK, arguments).findings]
        except KernelFault as fault:
            found = [fault]
        assert len(found) == (report is not None), (jobs, report, found)
        if report is None:
            continue
        fault, (lane, other, error, place, values) = found[0], report
        assert fault.severity is (Severity.ERROR if error else Severity.NOTE)
        assert fault.thread is not None
        assert fault.address is not None
        assert (fault.thread.cta[0] * BLOCK + fault.thread.tid[0], fault.address % 256) == (lane, place % 256)
        assert (fault.value, fault.other_value) == values
        assert (
            f": writes at the same time as {who(lane, other)} (line {fault.position.line}) at {space} address"
            in fault.message
        )
        if error:
            said = f"this access stores {values[0]:#x}, the other {values[1]:#x}"
            assert fault.hint.startswith(mend(kind, lane, other))
            assert f"; {said}" in fault.hint
            named = None if lane // 32 == other // 32 else (other // BLOCK, other % BLOCK)
            thread = fault.other_thread
            assert (None if thread is None else (thread.cta[0], thread.tid[0])) == named
        else:
            assert fault.hint.startswith(
                f"this access stores {values[0]:#x}, the other {values[1]:#x}: copies of one value, rounded differently"
            )
