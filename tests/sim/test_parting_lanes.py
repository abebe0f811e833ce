"""Lanes that go different ways from one instruction, by the value that each has: all at once, or some of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import INDEX, REGISTERS, Array, module
from weft.sim import run

OWN = f"{INDEX} mov.u32 %r2, %tid.x; ld.param.u64 %rd0, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd0; and.b32 %r3, %r2, 3;"
FUNCTIONS = """.func (.param .b32 d) twice(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, %x; st.param.b32 [d], %x; ret; }
.func (.param .b32 d) square(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; mul.lo.u32 %x, %x, %x; st.param.b32 [d], %x; ret; }"""
CALLED = "{ .param .b32 a, d; st.param.b32 [a], %r2; call (d), FUNCTION, (a); ld.param.b32 %r4, [d]; }"
TABLE = """targets: .branchtargets far, one, two, far; brx.idx %r3, targets; one: mov.u32 %r4, 1; bra put; two: mov.u32 %r4, 2; bra put;
far: mov.u32 %r4, 9; put:"""
ADDRESSES = f"""mov.u64 %rd2, twice; mov.u64 %rd3, square; setp.eq.u32 %p2, %r3, 1; selp.b64 %rd2, %rd3, %rd2, %p2; to: .callprototype (.param .b32 _) _ (.param .b32 _);
{CALLED.replace("FUNCTION", "%rd2").replace("(a);", "(a), to;", 1)}"""
CALLS = f"""setp.eq.u32 %p2, %r3, 1; @%p2 bra other; {CALLED.replace("FUNCTION", "square")} add.u32 %r4, %r4, 1000; bra put;
other: {CALLED.replace("FUNCTION", "square")} add.u32 %r4, %r4, 2000; put:"""
BARRIERS = """shr.u32 %r6, %r2, 5; and.b32 %r6, %r6, 1; add.u32 %r6, %r6, 4; mov.u32 %r5, tile; mad.lo.u32 %r5, %r2, 4, %r5; st.shared.u32 [%r5], %r2;
barrier.sync %r6, 64; mov.u32 %r7, tile; xor.b32 %r6, %r2, 64; mad.lo.u32 %r7, %r6, 4, %r7; ld.shared.u32 %r4, [%r7];"""
THREADS = np.arange(128)
WAYS: dict[str, tuple[str, Array]] = {
    "a table of branches": (TABLE, np.array([9, 1, 2, 9])[THREADS % 4]),
    "addresses of functions": (ADDRESSES, np.where(THREADS % 4 == 1, THREADS**2, 2 * THREADS)),
    "places of calls": (CALLS, THREADS**2 + np.where(THREADS % 4 == 1, 2000, 1000)),
    "numbers of barriers": (BARRIERS, THREADS ^ 64),
}


# All threads that a barrier counts must come.
@pytest.mark.parametrize(("way", "some"), [(way, some) for way in WAYS for some in (False, True)][:-1])
def test_each_lane_goes_its_way(way: str, some: bool) -> None:
    body, wanted = WAYS[way]
    only = "setp.ge.u32 %p1, %r2, 90; @%p1 exit; setp.eq.u32 %p1, %r3, 3; @%p1 bra END;" if some else ""
    text = f"{FUNCTIONS} .visible .entry k(.param .u64 p0) {{ {REGISTERS} .shared .b32 tile[128]; {OWN} {only} {body} st.global.u32 [%rd1], %r4; END: ret; }}"
    out = np.full(256, 7, np.uint32)
    run(module(text, "sm_90"), "k", 2, 128, [out], engine="numpy", check="fast")
    here = (THREADS < 90) & (THREADS % 4 != 3) if some else THREADS >= 0
    assert (out.reshape(2, 128) == np.where(here, wanted, 7)).all()
