"""Who has read, or updated, a place in global memory: each of four warps is remembered, wherever they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.sim import KernelFault

BODY = (
    INDEX
    + """ld.param.u64 %rd1, [p0]; and.b32 %r1, %r0, 31; setp.ne.u32 %p1, %r1, 0; @%p1 ret; shr.u32 %r2, %r0, 5;
setp.eq.u32 %p1, %r2, {writer}; @%p1 bra writes; mov.u32 %r3, 0; {chosen} setp.eq.u32 %p1, %r3, 0; @%p1 ret;
{access} setp.eq.u32 %p1, %r2, {lone}; @%p1 ret; red.release.gpu.global.add.u32 [%rd1+64], 1; ret;
writes: again: ld.acquire.gpu.global.u32 %r3, [%rd1+64]; setp.ne.u32 %p2, %r3, {ordered}; @%p2 bra again;
{last} ret;"""
)
SHAPES = {
    "warps of a CTA": (4, (0, 1, 2, 3)),
    "CTAs of a warp": (1, (0, 1, 2, 3)),
    "first warps of CTAs": (4, (0, 4, 8, 12)),
    "third warps of CTAs of five": (5, (2, 7, 12, 17)),
    "first warps of CTAs of two": (2, (0, 2, 4, 6)),
    "neighbours": (4, (3, 4)),
    "neighbours in CTAs of two": (2, (1, 2)),
}
"""Warps of a CTA, and the numbers of those that access the place, of those of the grid."""
KINDS = {
    "loads": ("ld.global.u32 %r4, [%rd1];", "st.global.u32 [%rd1], 5;", "overwrites what {} read"),
    "updates": ("red.relaxed.gpu.global.add.u32 [%rd1], 1;", "ld.global.u32 %r4, [%rd1];", "reads what {} wrote"),
    "narrow loads": ("ld.global.u8 %rs1, [%rd1+3];", "st.global.u32 [%rd1], 5;", "overwrites what {} read"),
}


def run(shape: str, kind: str, lone: int) -> None:
    warps, chosen = SHAPES[shape]
    access, last, _ = KINDS[kind]
    writer = (chosen[-1] // warps + 1) * warps
    body = BODY.format(
        writer=writer, lone=lone, access=access, last=last, ordered=len(chosen) - (lone in chosen),
        chosen=" ".join(f"setp.eq.u32 %p2, %r2, {warp}; @%p2 mov.u32 %r3, 1;" for warp in chosen),
    )  # fmt: skip
    launch(body, [np.zeros(64, np.uint32)], 32 * warps, writer // warps + 1, target="sm_90")


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_of_some_warps_is_remembered(shape: str, kind: str) -> None:
    """All but one tell the thread that comes last of their access by a counter: it conflicts with that one."""
    warps, chosen = SHAPES[shape]
    for lone in chosen:
        with pytest.raises(KernelFault) as caught:
            run(shape, kind, lone)
        fault: Any = caught.value
        who = f"warp {lone % warps} of CTA ({lone // warps}, 0, 0)"
        assert fault.kind == "race" and KINDS[kind][2].format(who) in fault.message
        assert fault.other_thread is not None and fault.other_thread.cta == (lone // warps, 0, 0)
    run(shape, kind, -1)
