"""All that a run finds: kept, left out, suppressed; and what other schedules find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.errors import Severity
from weft.sim import KernelFault, SimulationError

TWO = (
    ".shared .align 4 .b8 s[256];"
    + INDEX
    + """ld.param.u64 %rd1, [p0]; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; xor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1;
st.shared.u32 [%r2], %r0;
ld.shared.u32 %r4, [%r3];
add.u32 %r4, %r4, %r9;
st.shared.u32 [%r2], %r4;
mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r4; ret;"""
)
"""A register that nothing has written, and races: a read of what the other warp writes, and a write of what it reads."""


def findings(**more: Any) -> list[str]:
    result = launch(TWO, [np.zeros(64, np.uint32)], block=64, report="all", **more)
    return [fault.kind for fault in result.findings]


def test_all_findings() -> None:
    kinds = findings()
    assert kinds.count("race") >= 2
    assert "uninitialised-register" in kinds
    assert set(findings(checks={"races"})) == {"race"}
    assert set(findings(checks="uninitialised")) == {"uninitialised-register"}  # At both of its uses.
    assert findings(checks=[]) == []
    assert findings(suppress=["k"]) == []
    assert "race" not in findings(suppress=["s"])
    with pytest.raises(KernelFault):
        launch(TWO, [np.zeros(64, np.uint32)], block=64)


@pytest.mark.parametrize("option", [{"checks": ["race"]}, {"report": "al"}])
def test_misspelt_options(option: dict[str, Any]) -> None:
    with pytest.raises(SimulationError, match="unknown") as caught:
        findings(**option) if "checks" in option else launch(TWO, [np.zeros(64, np.uint32)], block=64, **option)
    assert "did you mean" in caught.value.hint


def test_suppressed_names_exist() -> None:
    with pytest.raises(SimulationError, match="no function or variable 'kk'"):
        findings(suppress=["kk"])


def test_the_copy_that_is_not_awaited_is_named() -> None:
    text = """.shared .align 4 .b8 s[128];
ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 4, %rd1; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2;
cp.async.ca.shared.global [%r2], [%rd1], 4;
ld.shared.u32 %r3, [%r2];
st.global.u32 [%rd1], %r3; ret;"""
    result = launch(text, [np.zeros(32, np.uint32)], block=32, report="all")
    fault = result.findings[0]
    assert "race" not in {each.kind for each in result.findings}  # The same two are named once.
    assert fault.kind == "asynchronous-read"
    assert fault.other is not None
    assert fault.other.line == fault.position.line - 1
    assert f"cp.async at line {fault.other.line}: cp.async.wait_group" in fault.hint
    assert fault.hint.endswith("the address is s")
    assert dict(fault.facts) == {"cta": [0, 0, 0], "thread": [0, 0, 0], "address": "0x0"}


def test_both_threads_of_a_race_are_named() -> None:
    text = """.shared .align 4 .b8 s[4];
mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 5; @!%p1 st.shared.u32 [s], 7;
setp.ne.u32 %p2, %r1, 37; @!%p2 ld.shared.u32 %r3, [s]; ret;"""
    fault = launch(text, [np.zeros(1, np.uint32)], block=64, report="all").findings[-1]
    facts = {"cta": [0, 0, 0], "thread": [37, 0, 0], "other_cta": [0, 0, 0], "other_thread": [5, 0, 0]}
    assert dict(fault.facts).items() >= facts.items()
    assert "the other access is by CTA (0, 0, 0), thread (5, 0, 0) (warp 0, lane 5)" in fault.hint


WARP = """.shared .align 4 .b8 s[256]; mov.u32 %r0, %tid.x; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 4, %r1;
st.volatile.shared.u32 [%r1], %r0; st.volatile.shared.u32 [%r1+128], %r0; bar.warp.sync -1; // stored
ld.volatile.shared.u32 %r2, [%r1+64]; bar.warp.sync -1; // loaded
st.volatile.shared.u32 [%r1], %r2; ret;"""


@pytest.mark.parametrize("place", ["stored", "loaded"])
def test_volatile_accesses_of_lanes_that_nothing_orders_are_noted(place: str) -> None:
    assert not launch(WARP, [np.zeros(1, np.uint32)]).findings
    (note,) = launch(WARP.replace(f"bar.warp.sync -1; // {place}", ""), [np.zeros(1, np.uint32)]).findings
    assert note.severity is Severity.NOTE
    assert "bar.warp.sync between" in note.hint


@pytest.mark.sample(1)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("membar.gl;", ""), ("", "membar.gl;")])
def test_volatile_loads_that_may_find_what_was_there_before_are_noted(before: str, after: str) -> None:
    text = f"""ld.param.u64 %rd1, [p0]; mov.u32 %r0, %ctaid.x; setp.ne.u32 %p1, %r0, 0; @%p1 bra reader;
st.volatile.global.u32 [%rd1], 7; {before} st.volatile.global.u32 [%rd1+4], 1; ret;
reader: ld.volatile.global.u32 %r1, [%rd1+4]; setp.eq.u32 %p2, %r1, 0; @%p2 bra reader;
{after} ld.volatile.global.u32 %r2, [%rd1]; st.global.u32 [%rd1+8], %r2; ret;"""
    data = np.zeros(3, np.uint32)
    (note,) = launch(text, [data], grid=2, block=1).findings
    assert (note.severity, note.position.line > 0, data[2]) == (Severity.NOTE, True, 0)
    assert "fence between" in note.hint
    data = np.zeros(3, np.uint32)
    right = text.replace("7; ", "7; membar.gl; ").replace("reader;\n", "reader; membar.gl;\n")
    right = right.replace("bra reader; membar.gl;\nst", "bra reader;\nst")
    assert not launch(right, [data], grid=2, block=1).findings
    assert data[2] == 7


def test_schedules() -> None:
    out = np.zeros(64, np.uint32)
    launch(
        TWO.replace("add.u32 %r4, %r4, %r9;", "").replace(" st.shared.u32 [%r2], %r0;", ""),
        [out],
        block=64,
        check="fast",
        schedules=3,
    )
    with pytest.raises(KernelFault) as caught:
        launch(TWO, [out], block=64, schedules=3, seed=5)
    assert caught.value.seed == 5


FIRST = """.shared .align 4 .b8 s[512];
ld.param.u64 %rd1, [p0]; mov.u32 %r0, %tid.x; mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; mad.wide.u32 %rd1, %r0, 4, %rd1;
mov.u32 %r5, 0; setp.ge.u32 %p1, %r0, {readers}; @%p1 bra store;
{barrier}
ld.shared.u32 %r4, [%r2+{shift}]; {use}
st.global.u32 [%rd1], %r4; ret;
store: add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 9; @%p2 bra store;
st.shared.u32 [%r2], %r5; {barrier} ret;"""
"""Warp 0 reads what warp 1 stores later."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("readers", [32, 20])
@pytest.mark.parametrize(
    "use",
    [
        "",
        "setp.gt.u32 %p3, %r4, 100; @%p3 bra end; end:",
        "shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1; ld.shared.u32 %r4, [%r4];",
        "activemask.b32 %r6; shfl.sync.bfly.b32 %r4, %r4, 1, 31, %r6;",
        "again: setp.eq.u32 %p3, %r4, 0xffffffff; @%p3 bra again;",
        "setp.eq.u32 %p3, %r4, 0xffffffff; @%p3 trap;",
    ],
)
def test_reads_before_the_store_are_races(use: str, readers: int) -> None:
    """That nothing has written the bytes yet is what one schedule shows: the missing order is named, with both sides."""
    block = 64 if readers == 32 else 52

    def fault(barrier: str) -> KernelFault | None:
        text = FIRST.format(readers=readers, barrier=barrier, use=use, shift=4 * readers)
        try:
            launch(text, [np.zeros(64, np.uint32)], block=block, max_steps=20_000)
        except KernelFault as found:
            return found
        return None

    found = fault("")
    assert found is not None
    assert found.kind == "race"
    assert found.other is not None
    assert abs(found.position.line - found.other.line) == 3
    if readers == 32 and "[%r4]" not in use:
        assert fault("bar.sync 0;") is None


def test_unwritten_bytes_without_a_store_are_what_they_are() -> None:
    text = FIRST.format(readers=32, barrier="", use="", shift=128).replace("st.shared.u32 [%r2], %r5;", "")
    with pytest.raises(KernelFault) as caught:
        launch(text, [np.zeros(64, np.uint32)], block=64)
    assert caught.value.kind == "uninitialised-memory"
