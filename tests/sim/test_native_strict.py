"""Strict runs of compiled code: right kernels stay in it, and what may be wrong is told by the NumPy tier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, Array, launch
from tests.sim.hazards.case import Kernel
from tests.sim.hazards.corpus import KERNELS
from weft.sim import KernelFault, Result, engines

pytest.importorskip("llvmlite")

OWN = INDEX + "ld.param.u64 %rd0, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd0; mov.u32 %r2, %tid.x;\n"
TILE = ".shared .align 16 .b32 tile[128]; mov.u32 %r1, tile; mad.lo.u32 %r3, %r2, 4, %r1;\n"
TO_TILE = OWN + TILE + "ld.global.u32 %r4, [%rd1]; st.shared.u32 [%r3], %r4;"
PUT = "st.global.u32 [%rd1], %r6; ret;"
NEXT = "add.u32 %r5, %r2, 1; and.b32 %r5, %r5, 63; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r6, [%r5];"
LANE = "xor.b32 %r5, %r2, 3; mad.lo.u32 %r5, %r5, 4, %r1; ld.shared.u32 %r6, [%r5];"
FIRST = "ld.shared.u32 %r6, [tile+20];"
ROWS = OWN + TILE + "mov.u32 %r9, %laneid; shl.b32 %r9, %r9, 4; and.b32 %r9, %r9, 127; add.u32 %r9, %r9, %r1;"
MATRIX = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r9];"

START = OWN + TILE + "cp.async.ca.shared.global [%r3], [%rd1], 4; cp.async.commit_group;"
OTHERS = "cp.async.ca.shared.global [%r3+256], [%rd1+256], 4; cp.async.commit_group;"
OUT = "ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r6; ret;"

OWN_ARRAY = ".local .align 8 .b8 mine[16]; mov.u32 %r8, mine; mov.u64 %rd3, mine; cvta.local.u64 %rd3, %rd3;"

RIGHT = {
    "own": OWN + "ld.global.u32 %r6, [%rd1]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1], %r6; ld.global.u32 %r6, [%rd1];"
    + PUT,
    "barrier": f"{TO_TILE} bar.sync 0; {NEXT} bar.sync 0; st.shared.u32 [%r3], %r6; bar.sync 0; {NEXT} {PUT}",
    "counted barrier": f"{TO_TILE} bar.sync 1, 64; {NEXT} {PUT}",
    "warp": f"{TO_TILE} bar.warp.sync -1; {LANE} bar.warp.sync -1; st.shared.u32 [%r3], %r6; bar.warp.sync -1; {LANE} {PUT}",
    "volatile": f"{TO_TILE} bar.warp.sync -1; {LANE} bar.warp.sync -1; st.shared.u32 [%r3], %r6; bar.warp.sync -1; {LANE} {PUT}"
    .replace("ld.shared", "ld.volatile.shared").replace("st.shared", "st.volatile.shared"),
    "one for all": f"{TO_TILE} bar.sync 0; {FIRST} bar.sync 0; setp.eq.u32 %p0, %r2, 9; @%p0 st.shared.u32 [tile+20], 3; {PUT}",
    "generic": f"{TO_TILE} bar.sync 0; cvt.u64.u32 %rd3, %r3; cvta.shared.u64 %rd3, %rd3; ld.u32 %r6, [%rd3]; {PUT}",
    "vectors": OWN + "mad.wide.u32 %rd2, %r0, 16, %rd0; ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd2];"
    "st.global.v4.u32 [%rd2], {%r6, %r5, %r4, %r3}; ld.global.u32 %r7, [%rd2+4]; st.global.u32 [%rd2+8], %r7; ret;",
    "matrix": f"{ROWS} setp.lt.u32 %p0, %r2, 32; @%p0 st.shared.u32 [%r3], %r2; bar.sync 0; {MATRIX} {PUT}",
    "barriers around CTAs": OWN + "ld.global.u32 %r6, [%rd1]; bar.sync 0; xor.b32 %r5, %r0, 63; mad.wide.u32 %rd2, %r5, 4, %rd0;"
    "st.global.u32 [%rd2], %r6; bar.sync 0; ld.global.u32 %r6, [%rd1]; ret;",
    "early exit": OWN + "setp.ge.u32 %p0, %r0, 128; @%p0 exit; " + TILE + f"st.shared.u32 [%r3], %r2; bar.sync 0; {NEXT} {PUT}",
    "copy": f"{START} cp.async.wait_group 0; ld.shared.u32 %r6, [%r3]; bar.sync 0; {NEXT} {OUT}",
    "two copies": f"{START} {OTHERS} cp.async.wait_group 1; bar.sync 0; {NEXT} bar.sync 0; st.shared.u32 [%r3], %r6; {OUT}",
    "updates": OWN + TILE + "st.shared.u32 [%r3], 0; bar.sync 0; and.b32 %r5, %r2, 7; mad.lo.u32 %r5, %r5, 4, %r1; "
    "red.shared.add.u32 [%r5], %r2; bar.sync 0; ld.shared.u32 %r6, [%r3]; atom.global.add.u32 %r7, [%rd0], %r6; "
    "red.global.max.u32 [%rd0+4], %r0; ret;",
    "sums of floats": OWN + TILE + "st.shared.u32 [%r3], 0; bar.sync 0; and.b32 %r5, %r2, 7; mad.lo.u32 %r5, %r5, 4, %r1; "
    "cvt.rn.f32.u32 %r6, %r2; red.shared.add.f32 [%r5], %r6; atom.global.add.f32 _, [%rd0], %r6; ret;",
    "updates in a loop": OWN + TILE + "st.shared.u32 [%r3], 0; bar.sync 0; mov.u32 %r5, 0; more: "
    "atom.shared.add.u32 %r7, [%r3], 2; add.u32 %r5, %r5, 1; setp.lt.u32 %p0, %r5, %r2; @%p0 bra more; ret;",
    "hints": OWN + "prefetch.global.L2 [%rd1]; griddepcontrol.wait; nanosleep.u32 20; ld.global.u32 %r6, [%rd1]; "
    f"griddepcontrol.launch_dependents; {OUT}",
    "updates of halves": OWN + "mov.u32 %r6, 0x3c003c00; red.global.add.noftz.f16x2 [%rd0], %r6; mov.u32 %r6, 0x3f803f80; "
    "atom.global.add.noftz.bf16x2 %r7, [%rd0+4], %r6; ret;",
    "ordered updates": OWN + "membar.gl; atom.add.acq_rel.gpu.global.u32 %r7, [%rd0], 1; red.release.gpu.global.add.u32 [%rd0+4], %r2; "
    "fence.acq_rel.gpu; fence.proxy.async; ret;",
    "local": OWN + OWN_ARRAY + "st.local.u32 [%r8+8], %r2; setp.lt.u32 %p0, %r2, 9; @%p0 st.local.v2.u32 [%r8], {%r2, %r2};"
    f"ld.local.u32 %r6, [%r8+8]; @%p0 ld.u32 %r6, [%rd3+4]; {OUT}",
    "all store the same": OWN + TILE + "st.global.u32 [%rd0], 7; mov.u32 %r5, 3; st.shared.u32 [tile+4], %r5; st.global.u32 [%rd0], 7; ret;",
    "groups store the same": OWN + TILE + "shr.u32 %r5, %r2, 3; mad.lo.u32 %r6, %r5, 8, %r1; st.shared.v2.u32 [%r6], {%r5, %r2}; ret;".replace("{%r5, %r2}", "{%r5, %r5}"),
    "no copies": OWN + "cp.async.commit_group; cp.async.wait_group 0; cp.async.wait_all; st.global.u32 [%rd1], 9; ret;",
    "part of a copy": OWN + TILE + "setp.lt.u32 %p2, %r2, 32; and.b32 %r8, %r2, 3; mad.wide.u32 %rd3, %r2, 16, %rd0; mad.lo.u32 %r9, "
    f"%r2, 16, %r1; @%p2 cp.async.cg.shared.global [%r9], [%rd3], 16, %r8; cp.async.wait_all; bar.sync 0; {NEXT} {OUT}",
    "copy of nothing": OWN + TILE + "setp.lt.u32 %p2, %r2, 32; setp.lt.u32 %p3, %r2, 9; mad.wide.u32 %rd3, %r2, 16, %rd0; mad.lo.u32 "
    f"%r9, %r2, 16, %r1; @%p2 cp.async.cg.shared.global [%r9], [%rd3], 16, %p3; cp.async.wait_all; bar.sync 0; {NEXT} {OUT}",
}  # fmt: skip
"""Kernels of three CTAs of 64 threads that do nothing wrong."""
WRONG = {
    "no barrier": f"{TO_TILE} {NEXT} {PUT}",
    "volatile, no barrier": f"{TO_TILE} {NEXT} {PUT}".replace("ld.shared", "ld.volatile.shared"),
    "no barrier before the store": f"{TO_TILE} bar.sync 0; {NEXT} st.shared.u32 [%r3], %r6; {PUT}",
    "no meeting": f"{TO_TILE} {LANE} {PUT}",
    "lanes meet, warps do not": f"{TO_TILE} bar.warp.sync -1; {NEXT} {PUT}",
    "groups meet, others do not": f"{TO_TILE} mov.u32 %r7, %laneid; and.b32 %r7, %r7, 24; mov.u32 %r8, 255; shl.b32 %r7, %r8, %r7;"
    f"bar.warp.sync %r7; {LANE.replace('3;', '9;', 1)} {PUT}",
    "an mbarrier made anew": OWN + ".shared .align 8 .b64 bar; setp.eq.u32 %p0, %r2, 0; @%p0 mbarrier.init.shared.b64 [bar], 64;"
    "bar.sync 0; mbarrier.arrive.shared.b64 %rd2, [bar]; w: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra w;"
    "bar.sync 0; @%p0 mbarrier.init.shared.b64 [bar], 64; bar.sync 0; ret;",
    "no meeting after the load": f"{TO_TILE} bar.warp.sync -1; {LANE} st.shared.u32 [%r3], %r6; {PUT}",
    "half a barrier": f"{TO_TILE} shr.u32 %r7, %r2, 5; bar.sync %r7, 32; {NEXT} {PUT}",
    "one for all": f"{TO_TILE} bar.sync 0; {FIRST} setp.eq.u32 %p0, %r2, 9; @%p0 st.shared.u32 [tile+20], 3; {PUT}",
    "unwritten": OWN + TILE + f"ld.shared.u32 %r6, [tile+256]; {PUT}",
    "unwritten beside pairs": OWN + TILE + "setp.eq.u32 %p0, %r2, 3; lop3.and.b32 %r7|%p3, %r2, %r1, %r0, 1, %p0; "
    f"ld.shared.u32 %r6, [tile+256]; {PUT}",
    "unwritten in local memory": OWN + OWN_ARRAY + "setp.lt.u32 %p0, %r2, 63; st.local.u32 [%r8+8], %r2; @%p0 st.local.u32 [%r8], %r2;"
    f"ld.u32 %r6, [%rd3]; {PUT}",
    "past a local variable": OWN + OWN_ARRAY + "setp.eq.u32 %p0, %r2, 63; @%p0 st.local.u32 [%r8+16], %r2; ret;",
    "between": OWN + TILE + ".shared .align 16 .b32 more[4]; st.shared.u32 [%r3+512], %r2; mov.u32 %r6, more; " + PUT,
    "neighbour": OWN + f"ld.global.u32 %r6, [%rd1+4]; {PUT}",
    "neighbour in the CTA": OWN + f"setp.eq.u32 %p0, %r2, 63; @!%p0 ld.global.u32 %r6, [%rd1+4]; @%p0 mov.u32 %r6, 0; {PUT}",
    "other CTA after a barrier": OWN + "st.global.u32 [%rd1], %r2; bar.sync 0; ld.global.u32 %r6, [%rd1+256]; "
    "st.global.u32 [%rd1+1024], %r6; ret;",
    "two warps that store": OWN + TILE + "shr.u32 %r5, %r2, 5; st.shared.u32 [tile+4], %r5; ret;",
    "the same between others": OWN + TILE + "st.shared.u32 [tile+4], 1; shr.u32 %r5, %r2, 5; st.shared.u32 [tile+4], %r5; ret;",
    "the same, then read": OWN + TILE + f"st.shared.u32 [tile+4], 1; ld.shared.u32 %r6, [tile+4]; {PUT}",
    "two lanes": OWN + "shr.u32 %r5, %r0, 1; mad.wide.u32 %rd2, %r5, 4, %rd0; shl.b32 %r6, %r0, 24; or.b32 %r6, %r6, 0x40000000; "
    "st.global.u32 [%rd2], %r6; ret;",
    "halves": OWN + "mad.wide.u32 %rd2, %r0, 4, %rd0; st.global.u16 [%rd2+2], %r2; ld.global.u32 %r6, [%rd2+4]; ret;",
    "vectors": OWN + "mad.wide.u32 %rd2, %r0, 16, %rd0; st.global.v4.u32 [%rd2], {%r2, %r2, %r2, %r2}; "
    "ld.global.u32 %r7, [%rd2+24]; ret;",
    "matrix": f"{ROWS} setp.lt.u32 %p0, %r2, 32; @%p0 st.shared.u32 [%r3], %r2; bar.warp.sync -1; {MATRIX} {PUT}",
    "matrix overwritten": f"{ROWS} st.shared.u32 [%r3], %r2; bar.sync 0; {MATRIX} add.u32 %r6, %r6, 1; st.shared.u32 [%r3], %r6; {PUT}",
    "update read": OWN + TILE + "st.shared.u32 [%r3], 0; bar.sync 0; red.shared.add.u32 [tile], 1; ld.shared.u32 %r6, [%r3];" + PUT,
    "update of what was stored": OWN + TILE + "st.shared.u32 [%r3], %r2; red.shared.add.u32 [tile+40], 1; ret;",
    "update of what is stored": OWN + TILE + "st.shared.u32 [%r3], 0; bar.sync 0; red.shared.add.u32 [tile+40], 1; "
    "st.shared.u32 [%r3], %r2; ret;",
    "update read by another CTA": OWN + f"red.global.add.u32 [%rd1], 1; bar.sync 0; ld.global.u32 %r6, [%rd1+256]; {OUT}",
    "update of what is read": OWN + f"ld.global.u32 %r6, [%rd1]; red.global.add.u32 [%rd0+20], 1; {OUT}",
    "update for the CTA": OWN + "red.global.cta.add.u32 [%rd0], 1; ret;",
    "updates of two widths": OWN + "red.global.add.u32 [%rd0], 1; red.global.add.u64 [%rd0], %rd0; ret;",
    "update of nothing": OWN + TILE + "red.shared.add.u32 [tile], 1; ret;",
    "copy not waited for": f"{START} bar.sync 0; {NEXT} {OUT}",
    "copy not waited for by its own thread": f"{START} ld.shared.u32 %r6, [%r3]; {OUT}",
    "copy waited for by its own thread": f"{START} cp.async.wait_all; {NEXT} {OUT}",
    "copy of the newest group": f"{START} {OTHERS} cp.async.wait_group 1; bar.sync 0; ld.shared.u32 %r6, [%r3+256]; {OUT}",
    "copy overwritten": f"{START} st.shared.u32 [%r3], %r2; cp.async.wait_all; mov.u32 %r6, 0; {OUT}",
    "copy over what is read": f"{TO_TILE} bar.sync 0; {NEXT} cp.async.ca.shared.global [%r3], [%rd1], 4; cp.async.wait_all; {OUT}",
    "copy of what is overwritten": f"{START} st.global.u32 [%rd1], %r2; cp.async.wait_all; ret;",
    "copy from nowhere": OWN + TILE + f"cp.async.ca.shared.global [%r3], [%rd1+65536], 4; mov.u32 %r6, 0; {OUT}",
    "copy of too much": OWN + TILE + f"cp.async.ca.shared.global [%r3], [%rd1], 4, %r2; mov.u32 %r6, 0; {OUT}",
    "register": OWN + f"setp.lt.u32 %p0, %r2, 3; @%p0 mov.u32 %r6, 1; {PUT}",
    "barrier gone around": OWN + "setp.lt.u32 %p0, %r2, 32; @%p0 bra one; bar.sync 0; mov.u32 %r6, 1; one: mov.u32 %r6, 2; "
    f"st.global.u32 [%rd1], %r2; {PUT}",
}  # fmt: skip


def ran(body: str, arrays: list[Array], engine: str, **more: Any) -> Result | tuple[str, str]:
    try:
        return launch(body, arrays, 64, 3, target="sm_90", engine=engine, **more)
    except KernelFault as fault:
        return fault.kind, str(fault)


def both(body: str, **more: Any) -> tuple[Result | tuple[str, str], bool]:
    """What a kernel does on both engines, and whether compiled code has suspected it."""
    arrays = [[np.arange(2048, dtype=np.uint32), np.zeros(192, np.uint32)] for _ in range(2)]
    numpy = ran(body, arrays[0], "numpy", **more)
    before = len(engines._SUSPECTED)  # pyright: ignore[reportPrivateUsage]
    native = ran(body, arrays[1], "native", **more)
    assert numpy == native
    assert all((one == other).all() for one, other in zip(*arrays, strict=True))
    return numpy, len(engines._SUSPECTED) != before  # pyright: ignore[reportPrivateUsage]


@pytest.fixture(autouse=True)
def _nothing_suspected() -> None:
    engines._SUSPECTED.clear()  # pyright: ignore[reportPrivateUsage]


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_stay_compiled(name: str) -> None:
    result, suspected = both(RIGHT[name])
    assert not isinstance(result, tuple), result
    assert not suspected


@pytest.mark.sample(9)
@pytest.mark.parametrize(
    ("name", "async_"), [(name, "lazy") for name in WRONG] + [(name, "eager") for name in WRONG if "cop" in name]
)
def test_wrong_kernels_are_found(name: str, async_: str) -> None:
    assert isinstance(both(WRONG[name], async_=async_)[0], tuple)


@pytest.mark.sample(3)
@pytest.mark.parametrize("async_", ["lazy", "eager"])
@pytest.mark.parametrize("name", [name for name in (*RIGHT, *WRONG) if "cop" in name and "waited for by" not in name])
def test_fast_runs_copy_the_same(name: str, async_: str) -> None:
    """Right or wrong, where warps do not race: until a copy is waited for, its destination holds the same."""
    both((RIGHT | WRONG)[name], check="fast", async_=async_)


def test_what_does_no_harm_is_right() -> None:
    """A barrier of one warp orders more than compiled code knows: the NumPy tier has the next run at once."""
    result, suspected = both(
        OWN + "setp.ge.u32 %p0, %r2, 32; @%p0 bra end; bar.sync 1, 32; end: st.global.u32 [%rd1], 7; ret;"
    )
    assert not isinstance(result, tuple)
    assert suspected


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_planted_bugs_are_found(kernel: Kernel) -> None:
    """Where the NumPy tier finds something, compiled code has suspected it."""
    for bug in kernel.bugs:
        text = bug.applied(kernel.text)
        numpy, native = (
            kernel.fault(text, engine="numpy", timeout=300),
            kernel.fault(text, engine="native", timeout=300),
        )
        assert (numpy and numpy.kind) == (native and native.kind), bug.name


@pytest.mark.slow
def test_launches_that_follow_each_other() -> None:
    """What an earlier launch did to memory has nothing to do with a later one, of which there may be hundreds."""
    array = np.zeros(192, np.uint32)
    for _ in range(150):
        launch(RIGHT["own"], [array], 64, 3, target="sm_90", engine="native")
    assert (array == 150).all()
    assert not engines._SUSPECTED  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("alone", [True, False])
def test_calls_are_run_strictly(alone: bool) -> None:
    """Functions of a module may access memory; what they do wrong is found."""
    text = f""".version 8.0
.target sm_90
.address_size 64
.func (.param .b32 out) twice (.param .b32 in) {{
.reg .b32 %v; ld.param.b32 %v, [in]; add.u32 %v, %v, %v; st.param.b32 [out], %v; ret; }}
.func put (.param .b64 p, .param .b32 in) {{
.reg .b32 %v<2>; .reg .b64 %a; ld.param.b64 %a, [p]; ld.param.b32 %v0, [in];
ld.global.u32 %v1, [%a]; add.u32 %v0, %v0, %v1; st.global.u32 [%a], %v0; ret; }}
.visible .entry k(.param .u64 p) {{
.reg .b64 %rd<2>; .reg .b32 %r<9>; .shared .b32 room[64];
ld.param.u64 %rd0, [p]; mov.u32 %r8, %tid.x; mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r7, 64, %r8;
mad.wide.u32 %rd1, {"%r7" if alone else "%r8"}, 4, %rd0; mov.u32 %r6, room; mad.lo.u32 %r5, %r8, 4, %r6;
{{ .param .b32 in; .param .b32 out;
st.param.b32 [in], %r7; call (out), twice, (in); ld.param.b32 %r1, [out]; }}
st.shared.u32 [%r5], %r1; bar.sync 0; xor.b32 %r2, %r8, 1; mad.lo.u32 %r6, %r2, 4, %r6; ld.shared.u32 %r3, [%r6];
{{ .param .b64 p0; .param .b32 in; st.param.b64 [p0], %rd1; st.param.b32 [in], %r3; call put, (p0, in); }}
ret; }}"""
    faults: list[str] = []
    for engine in ("numpy", "native"):
        found = np.zeros(256, np.uint32)
        try:
            weft.run(weft.parse(text), "k", 4, 64, [found], engine=engine)
            assert (found == 2 * (np.arange(256) ^ 1)).all()
        except KernelFault as fault:
            faults.append(str(fault))
    assert faults == ([] if alone else [faults[0]] * 2)
    assert bool(engines._SUSPECTED) != alone  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("limit", [64, 40])
def test_assertions_that_hold_leave_a_kernel_compiled(limit: int) -> None:
    names = "abcde"
    passed = " ".join(
        f".param .b{32 if name == 'c' else 64} {name}; st.param.b{32 if name == 'c' else 64} [{name}], "
        f"{'%r1' if name == 'c' else '%rd3'};"
        for name in names
    )
    text = f""".version 8.0
.target sm_80
.address_size 64
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.global .align 1 .b8 words[2] = {{65, 0}};
.visible .entry k(.param .u64 p, .param .u32 n) {{
.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p;
ld.param.u64 %rd0, [p]; ld.param.u32 %r7, [n]; mov.u32 %r8, %tid.x; mad.wide.u32 %rd1, %r8, 4, %rd0;
setp.lt.u32 %p, %r8, %r7; @%p bra good;
mov.u64 %rd2, words; cvta.global.u64 %rd3, %rd2; mov.b32 %r1, 3;
{{ {passed} call.uni __assertfail, ({", ".join(names)}); }}
good: st.global.u32 [%rd1], %r8; ret; }}"""
    faults: list[str] = []
    for engine in ("numpy", "native"):
        found = np.zeros(64, np.uint32)
        try:
            weft.run(weft.parse(text), "k", 1, 64, [found, limit], engine=engine)
            assert (found == np.arange(64)).all()
        except KernelFault as fault:
            faults.append(str(fault))
    assert faults == ([] if limit == 64 else [faults[0]] * 2)
    assert bool(engines._SUSPECTED) == (limit < 64)  # pyright: ignore[reportPrivateUsage]
