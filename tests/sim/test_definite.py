"""Which registers may be read before anything has written them: those are watched while a kernel runs, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from tests.sim.harness import kernel
from weft.sim.prepare import Options, Prepared

REGISTERS = ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .v4 .b32 %v; .reg .b128 %q<2>; .shared .align 16 .b8 s[64];"
START = "mov.u32 %r0, %tid.x; setp.gt.u32 %p0, %r0, 3; ld.param.u64 %d0, [p0];"
STORE = "st.global.u32 [%d0], {};"


def watched(body: str) -> set[str]:
    """The registers of a kernel that are watched."""
    made = Prepared(
        kernel(REGISTERS + START + body, ["u64"], "sm_90"),
        Options("k", 1, 32, engine="numpy"),
        [np.zeros(64, np.uint32)],
    )
    return {row.name for row in made.machine.kernel.watched}


R1, R2 = STORE.format("%r1"), STORE.format("%r2")
CASES = {
    "mov.u32 %r1, 1;" + R1 + "ret;": "",
    R1 + "ret;": "%r1",
    "@%p0 mov.u32 %r1, 1;" + R1 + "ret;": "%r1",
    "@%p0 mov.u32 %r1, 1; @!%p0 mov.u32 %r1, 2;" + R1 + "ret;": "%r1",
    "@%p0 bra L; mov.u32 %r1, 1; bra M; L: mov.u32 %r1, 2; M:" + R1 + "ret;": "",
    "@%p0 bra L; mov.u32 %r1, 1; L:" + R1 + "ret;": "%r1",
    "mov.u32 %r1, 5; @%p0 bra L; mov.u32 %r1, 1; L:" + R1 + "ret;": "",
    **{f"@%p0 bra L; {end}; L: mov.u32 %r1, 1; M:" + R1 + "ret;": "" for end in ("ret", "exit", "trap")},
    **{f"@!%p0 bra L; mov.u32 %r1, 1; bra M; L: {end}; M:" + R1 + "ret;": "" for end in ("ret", "exit", "trap")},
    **{
        f"@!%p0 bra L; mov.u32 %r1, 1; bra M; L: @%p0 {end}; M:" + R1 + "ret;": "%r1" for end in ("ret", "exit", "trap")
    },
    "mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra L;" + R1 + "ret;": "",
    "L: @%p0 add.u32 %r2, %r1, 1; mov.u32 %r1, 1; @%p0 bra L; ret;": "%r1",
    "bra M; L: " + R1 + "ret; M: mov.u32 %r1, 1; bra L;": "",
    "T: .branchtargets A, B; brx.idx %r0, T; A: mov.u32 %r1, 1; bra M; B: mov.u32 %r1, 2; M:" + R1 + "ret;": "",
    "T: .branchtargets A, B, M; brx.idx %r0, T; A: mov.u32 %r1, 1; bra M; B: mov.u32 %r1, 2; M:" + R1 + "ret;": "%r1",
    "T: .branchtargets A, B; @%p0 brx.idx %r0, T; bra M; A: mov.u32 %r1, 1; bra M; B: mov.u32 %r1, 2; M:"
    + R1
    + "ret;": "%r1",
    "add.u32 %r2, %r1, 1; mov.u32 %r3, %r2; ret;": "%r1 %r2",
    "add.u32 %r2, %r1, 1; mov.u32 %r2, 1;" + R2 + "ret;": "%r1",
    "@%p1 mov.u32 %r1, 1; ret;": "%p1",
    "ld.global.u32 %r1, [%d1]; ret;": "%d1",
    "ld.global.v2.u32 {%r1, %r2}, [%d0];" + R1 + R2 + "ret;": "",
    "mov.b64 {%r1, %r2}, %d0;" + R1 + R2 + "ret;": "",
    "mov.b64 {%r1, %r2}, %d1; ret;": "%d1",
    "mov.b128 %q0, {%d0, %d0}; mov.b128 {%d1, %d2}, %q0; ld.global.u32 %r1, [%d1]; ret;": "",
    "mov.b128 {%d1, %d2}, %q0; ret;": "%q0",
    "ld.global.v4.u32 %v, [%d0];" + STORE.format("%v.z") + "ret;": "",
    STORE.format("%v.z") + "mov.u32 %v.x, 1;" + STORE.format("%v.x") + "ret;": "%v.z",
    "st.global.v2.u32 [%d0], {%r0, %r1}; ret;": "%r1",
    "setp.gt.and.u32 %p1|%p2, %r0, 3, %p0; @%p1 ret; @%p2 ret; @!%p3 ret; ret;": "%p3",
    "shfl.sync.idx.b32 %r1|%p1, %r0, 1, 31, -1; @%p1 st.global.u32 [%d0], %r1; ret;": "",
    "{ .reg .b32 %r1; mov.u32 %r1, 3;" + R1 + "}" + R1 + "ret;": "%r1",
    "atom.global.add.u32 %r1, [%d0], %r2;" + R1 + "ret;": "%r2",
}
"""Bodies of kernels, and the registers that may be read unwritten."""


@pytest.mark.sample(16)
@pytest.mark.parametrize("body", CASES)
def test_registers_that_may_be_read_unwritten(body: str) -> None:
    assert watched(body) == set(CASES[body].split())
