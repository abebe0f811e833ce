"""Where threads meet at barriers that compiled code does not pass itself, strict runs know what is in order behind them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import weft
from tests.effort import draws
from tests.sim.harness import REGISTERS, kernel
from tests.sim.test_native_strict import OWN, TILE, both
from weft.sim import Result, engines

PUT = "st.global.u32 [%rd1], %r6;"
OTHER = "xor.b32 %r5, %r2, 63; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r6, [%r5];"
HEAD = f"{OWN} {TILE} mov.u32 %r10, %ctaid.x; mov.u32 %r11, %laneid; mov.u32 %r6, 0; mov.f64 %fd1, 0d3FF0000000000000;"
BY_WARPS = "setp.lt.u32 %p1, %r2, 32; @%p1 bra A; bar.sync 0; bra B; A: bar.sync 0; B:"
BY_LANES = "setp.lt.u32 %p1, %r11, 16; @%p1 bra A; barrier.sync 0; bra B; A: barrier.sync 0; B:"
AGAIN = "setp.lt.u32 %p1, %r2, 32; @%p1 bra C; bar.sync 0; bra D; C: bar.sync 0; D:"
NUMPY = "fma.rz.f64 %fd1, %fd1, %fd1, %fd1;"
"""What only NumPy has: threads leave code before it, and come back behind it."""
ALONE = f"""setp.eq.u32 %p2, %r2, 0; @%p2 st.shared.u32 [tile], 5; {NUMPY} setp.ge.u32 %p2, %r2, {{first}};
@%p2 ld.shared.u32 %r6, [tile]; st.global.u32 [%rd1+1024], %r6; ret;"""
"""Threads that meet nobody: those from the first on read what thread 0 has stored."""

RIGHT = {
    "warps": f"{HEAD} st.shared.u32 [%r3], %r2; {BY_WARPS} {OTHER} {PUT} ret;",
    "twice": f"{HEAD} st.shared.u32 [%r3], %r2; {BY_WARPS} {OTHER} {AGAIN} st.shared.u32 [%r3], %r6; {PUT} ret;",
    "many times": f"{HEAD} mov.u32 %r12, 0; next: st.shared.u32 [%r3], %r12; {BY_WARPS} {OTHER} {AGAIN} add.u32 %r12, %r12, 1;"
    f"setp.lt.u32 %p3, %r12, 40; @%p3 bra next; {PUT} ret;",
    "global memory": f"{HEAD} st.global.u32 [%rd1], %r2; {BY_WARPS} xor.b32 %r5, %r0, 63; mad.wide.u32 %rd2, %r5, 4, %rd0;"
    "ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd1+1024], %r6; ret;",
    "between code": f"{HEAD} st.shared.u32 [%r3], %r2; {NUMPY} bar.sync 0; {NUMPY} {OTHER} {NUMPY} {PUT} ret;",
}
"""Of three CTAs of 64 threads: both warps meet, each at a place of its own."""
WRONG = {
    "no second barrier": f"{HEAD} st.shared.u32 [%r3], %r2; {BY_WARPS} {OTHER} st.shared.u32 [%r3], %r6; {PUT} ret;",
    "none": f"{HEAD} st.shared.u32 [%r3], %r2; {NUMPY} {OTHER} {PUT} ret;",
    "another CTA": f"{HEAD} st.global.u32 [%rd1], %r2; {BY_WARPS} xor.b32 %r5, %r0, 64; mad.wide.u32 %rd2, %r5, 4, %rd0;"
    "ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd1+1024], %r6; ret;",
    "those who do not meet": f"{HEAD} setp.eq.u32 %p0, %r10, 2; @%p0 bra alone; st.shared.u32 [%r3], %r2; {BY_WARPS} {OTHER} {PUT} ret;"
    f"alone: {ALONE.format(first=32)}",
    "those who do not meet, beside others that end": f"{HEAD} setp.eq.u32 %p0, %r10, 2; @%p0 bra alone; setp.eq.u32 %p0, %r10, 1; "
    f"setp.ge.and.u32 %p0, %r2, 32, %p0; @%p0 exit; st.shared.u32 [%r3], %r2; {BY_LANES} {NUMPY} {PUT} ret;"
    f"alone: {ALONE.format(first=32)}",
    "lanes that do not meet": f"{HEAD} setp.eq.u32 %p0, %r10, 2; @%p0 bra alone; st.shared.u32 [%r3], %r2; {BY_WARPS} {OTHER} {PUT} ret;"
    f"alone: {ALONE.format(first=1)}",
}
EITHER = {
    "what ended threads have stored": f"{HEAD} setp.lt.u32 %p0, %r2, 32; @%p0 bra stay; st.shared.u32 [%r3], %r2; exit;"
    f"stay: st.shared.u32 [%r3], %r2; {BY_LANES} {OTHER} {PUT} ret;",
    "what others have stored": f"{HEAD} setp.lt.u32 %p0, %r2, 32; @%p0 bra stay; exit; stay: st.shared.u32 [%r3], %r2; {BY_LANES} "
    f"xor.b32 %r5, %r2, 31; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r6, [%r5]; {PUT} ret;",
}
"""Where threads have ended before, NumPy decides."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("what", RIGHT)
def test_who_meets_is_in_order(what: str) -> None:
    result, suspected = both(RIGHT[what])
    assert isinstance(result, Result), result
    assert not suspected


@pytest.mark.sample(2)
@pytest.mark.parametrize("what", WRONG)
def test_who_does_not_meet_races(what: str) -> None:
    result, _ = both(WRONG[what])
    assert isinstance(result, tuple)
    assert result[0] == "race"


@pytest.mark.parametrize("what", EITHER)
def test_those_who_have_ended_do_not_meet(what: str) -> None:
    both(EITHER[what])


PICK = """.func (.param .b32 out) pick (.param .b32 in) {{ .reg .b32 %v<4>; .local .align 4 .b8 kept[16]; ld.param.b32 %v0, [in];
st.local.b32 [kept+4], %v0; {more} ld.local.b32 %v1, [kept+{at}]; st.param.b32 [out], %v1; ret; }}"""
CALL = "{{ .param .b32 in; .param .b32 out; st.param.b32 [in], {0}; call (out), pick, (in); ld.param.b32 {0}, [out]; }}"


@pytest.mark.parametrize(("more", "at"), [("", 4), ("", 8), ("st.local.b32 [kept+8], %v0;", 8)])
def test_arrays_of_functions_hold_nothing_at_first(more: str, at: int) -> None:
    """In each call, beside one of the kernel's own that is written before and read behind it."""
    body = f"""{OWN} .local .align 8 .b8 mine[24]; st.local.u32 [mine+20], %r2; {CALL.format("%r2")} {CALL.format("%r2")}
    ld.local.u32 %r6, [mine+20]; add.u32 %r6, %r6, %r2; {PUT} ret;"""
    result, suspected = both(body, extra=PICK.format(more=more, at=at))
    assert isinstance(result, Result) == (at == 4 or bool(more))
    assert suspected == isinstance(result, tuple)


def test_launches_follow_each_other() -> None:
    """What one has stored may be read by any thread of the next: nothing is suspected, however many there are."""
    body = f"""{REGISTERS} {OWN} ld.param.u64 %rd2, [p1]; xor.b32 %r5, %r0, 127; mad.wide.u32 %rd3, %r5, 4, %rd0;
    mad.wide.u32 %rd4, %r0, 4, %rd2; ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; st.global.u32 [%rd4], %r6; ret;"""
    device = weft.Device("sm_90", checks="strict", engine="native")
    loaded = device.load(kernel(body, ["u64", "u64"], "sm_90")).kernel("k")
    turns = draws(3, 140)
    one, other = (device.array(np.arange(128, dtype=np.uint32)) for _ in range(2))
    for _ in range(turns):
        loaded.launch(2, 64, [one, other])
        loaded.launch(2, 64, [other, one])
    assert (one == np.arange(128) + 2 * turns).all()
    assert not engines._SUSPECTED  # pyright: ignore[reportPrivateUsage]


@pytest.fixture(autouse=True)
def _nothing_suspected() -> Any:
    engines._SUSPECTED.clear()  # pyright: ignore[reportPrivateUsage]
