"""Which instructions are code in compiled runs, fast and strict: what is left to NumPy costs a hundred times as much."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.sim import run

pytest.importorskip("llvmlite")

from tests.sim.test_machine import machine
from weft.sim.native import engine, guard

ALWAYS = """
mov.u32 %r1, %tid.x | mov.u32 %r1, %laneid | mov.u32 %r1, %nctaid.y | mov.u64 %d1, tile | mov.u64 %d1, mine | mov.u64 %d1, p0
mov.b64 {%r1, %r2}, %d1 | mov.b64 %d1, {%r1, %r2} | mov.b32 %r1, {%h1, %h2} | mov.b32 {%h1, %h2}, %r1 | mov.pred %p1, %p2 | mov.b64 %d1, {%h1, %h2, %h3, %h1}
mov.f32 %f1, 0f3F800000 | mov.b16 %h1, %h2 | mov.b32 {%r1, _}, %d1
cvta.to.global.u64 %d1, %d2 | cvta.shared.u64 %d1, %d2 | isspacep.shared %p1, %d2 | cvta.local.u64 %d1, %d2
setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3 | selp.b32 %r1, %r2, %r3, %p1 | lop3.b32 %r1, %r2, %r3, %r1, 0xE8 | prmt.b32 %r1, %r2, %r3, 0x3715
add.cc.u32 %r1, %r2, %r3 | addc.u32 %r1, %r2, %r3 | mad.wide.u32 %d1, %r1, %r2, %d2 | fma.rn.f32 %f1, %f2, %f3, %f1 | div.rn.f32 %f1, %f2, %f3
@%p1 add.u32 %r1, %r2, 5 | @!%p1 mov.u32 %r1, %r2 | ex2.approx.f32 %f1, %f2 | cvt.rn.bf16x2.f32 %r1, %f2, %f3 | cvt.u16.u32 %h1, %r2
ld.param.u64 %d1, [p0] | ld.global.u32 %r1, [%a] | ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%a] | ld.global.v2.u64 {%d1, %d2}, [%a] | ld.u8 %r1, [%a+3]
ld.shared.b16 %h1, [%s+2] | ld.shared.v2.f32 {%f1, %f2}, [%s] | ld.local.u32 %r1, [mine+4] | ld.const.u32 %r1, [fixed] | @%p1 ld.global.s8 %r1, [%a]
st.global.v4.u32 [%a], {%r1, %r2, %r3, 7} | st.shared.u64 [%s], %d1 | st.local.v2.u32 [mine+8], {%r1, %r2} | st.u16 [%a], %h1 | @!%p1 st.shared.u8 [%s], %r1
ld.volatile.shared.u32 %r1, [%s] | st.volatile.shared.u32 [%s], %r1 | ld.global.L1::no_allocate.u32 %r1, [%a] | ld.global.cg.u32 %r1, [%a] | st.global.cs.u32 [%a], %r1
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%s] | ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1, %r2}, [%s]
red.global.add.u32 [%a], %r1 | red.shared.max.s32 [%s], %r2 | atom.global.and.b32 _, [%a], %r1 | red.global.add.f32 [%a], %f1
red.global.add.noftz.f16x2 [%a], %r1 | red.global.min.u32 [%a], %r1 | red.relaxed.cta.shared::cta.add.u32 [%s], %r1 | red.relaxed.cta.shared.or.b32 [%s], %r1
shfl.sync.bfly.b32 %r1|%p1, %r2, 3, 31, -1 | shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1 | vote.sync.ballot.b32 %r1, %p1, -1 | vote.sync.any.pred %p1, %p2, -1
match.any.sync.b32 %r1, %r2, -1 | redux.sync.add.s32 %r1, %r2, -1 | elect.sync _|%p1, -1 | bar.warp.sync -1 | activemask.b32 %r1
bar.sync 0 | barrier.sync 2, 64 | bar.red.popc.u32 %r1, 0, %p1 | membar.gl | fence.acq_rel.gpu | nanosleep.u32 20 | prefetch.global.L2 [%a]
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%f1, %f2, %f3, %f4}
cp.async.ca.shared.global [%s], [%a], 4 | cp.async.cg.shared.global [%s], [%a], 16 | cp.async.commit_group | cp.async.wait_group 1 | cp.async.wait_all
"""
"""Instructions that are code in all runs, where the kernel has nothing that strict runs leave to NumPy."""
FAST = """
red.relaxed.cta.global.add.u32 [%a], %r1 | atom.shared.inc.u32 _, [%s], %r1 | atom.global.add.u32 %r1, [%a], %r2 | atom.shared.exch.b32 %r1, [%s], %r2 | atom.global.cas.b32 %r1, [%a], %r2, %r3 | red.global.add.u64 [%a], %d1
ld.relaxed.gpu.global.u32 %r1, [%a] | ld.volatile.global.u32 %r1, [%a] | st.volatile.global.u32 [%a], %r1 | ld.acquire.gpu.global.u32 %r1, [%a] | st.release.gpu.global.u32 [%a], %r1
"""
"""Those that are code in fast runs only."""
PHASES = """
mbarrier.init.shared.b64 [%s], 3 | mbarrier.arrive.shared.b64 %d1, [%s] | mbarrier.arrive.shared.b64 _, [%s], %r1 | @%p1 mbarrier.arrive.shared::cta.b64 _, [%s]
mbarrier.arrive.release.cta.shared::cta.b64 _, [%s] | bar.sync 0 | ld.shared.u32 %r1, [%s]
"""
"""Those on mbarriers that are code in all runs."""
BYTES = """
mbarrier.arrive.expect_tx.shared.b64 _, [%s], 16 | mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%s], 16 | mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%s], 16
mbarrier.inval.shared.b64 [%s]
"""
"""And those that are in fast runs only: where bytes count, or memory is given back."""
ELSEWHERE = """
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%s] | mbarrier.arrive.noComplete.shared.b64 %d1, [%s], 2 | mbarrier.test_wait.shared.b64 %p1, [%s], %d1
mbarrier.pending_count.b64 %r1, %d1
"""
"""And those that strict runs leave to NumPy, with all of the kernel."""
NEVER = """
mov.u32 %r1, %clock | mov.u64 %d1, %clock64 | mov.b128 %q1, {%d1, %d2} | ld.global.b128 %q1, [%a] | fma.rz.f64 %e1, %e2, %e3, %e1
prmt.b32.rc16 %r1, %r2, %r3, %r4 | atom.global.add.v2.f32 {%f1, %f2}, [%a], {%f3, %f4} | stmatrix.sync.aligned.m8n8.x1.shared.b16 [%s], {%r1}
"""
"""Those that only NumPy has."""


def texts(table: str) -> list[str]:
    """The instructions of a table; a `|` without blanks around it is part of one."""
    return [one.strip() for line in table.strip().splitlines() for one in line.split(" | ")]


def left(monkeypatch: pytest.MonkeyPatch, some: list[str], check: Any) -> list[str] | None:
    """Which instructions of a kernel that has these are not code; None where nothing of it is.  It runs none of them."""
    body = "\n".join(f"{one};" for one in some)
    module = weft.parse(f""".version 8.8
.target sm_90a
.address_size 64
.const .align 16 .b32 fixed[4] = {{1, 2, 3, 4}};
.visible .entry k(.param .u64 p0) {{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<8>; .reg .f64 %e<8>; .reg .b64 %a;
.reg .b32 %s; .reg .b128 %q<3>; .shared .align 128 .b8 tile[1024]; .local .align 16 .b8 mine[64];
ld.param.u64 %a, [p0]; mov.u32 %s, tile; bra end;
{body}
end: ret;
}}""")
    found: list[list[str]] = []
    shut = engine.shut

    def look(blocks: Any, stems: Any) -> bool:
        found.append([str(site.instruction) for block in blocks if block.code is None for site in block.sites])
        return shut(blocks, stems)

    with monkeypatch.context() as patched:
        patched.setattr(engine, "shut", look)
        run(module, "k", 1, 64, [np.zeros(64, np.uint32)], engine="native", check=check)
    return [one.removesuffix(";") for one in found[0] if one != "ret;"] if found else None


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("table", "check"), [(ALWAYS, "fast"), (ALWAYS, "strict"), (FAST, "fast")], ids=["fast", "strict", "only fast"]
)
def test_instructions_that_are_code(table: str, check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert left(monkeypatch, texts(table), check) == []


@pytest.mark.parametrize("check", ["fast", "strict"])
def test_instructions_on_mbarriers_that_are_code(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but waits, which begin in NumPy, since lanes may have to sleep."""
    waits = [
        f"mbarrier.try_wait{more}"
        for more in (".parity.shared.b64 %p1, [%s], %r1", ".acquire.cta.shared.b64 %p1, [%s], %d1")
    ]
    assert left(monkeypatch, texts(PHASES) + waits + (texts(BYTES) if check == "fast" else []), check) == waits


def fits(*some: str, options: Any = None) -> bool:
    """Whether strict runs of a kernel with these instructions may be compiled."""
    functions = """.const .align 16 .b32 fixed[4]; .func here() { ret; } .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
    .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);"""
    registers = """.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .f32 %f<8>; .reg .f64 %e<8>; .reg .b64 %d<8>; .reg .b64 %a; .reg .b32 %s;
    .shared .align 16 .b8 tile[64]; .local .align 16 .b8 mine[16]; .param .b64 v; .param .b32 w;"""
    body = "\n".join(f"{one};" for one in some)
    found = machine(f"{functions} .visible .entry k() {{ {registers} {body}\nEND: ret; }}", **(options or {}))
    return guard.fits(found.program, found.launch)


CALLS = """
call here, () | bra END | @%p1 ret | exit | trap | bar.sync 1 | bar.sync 1, 64 | barrier.sync 2 | bar.red.popc.u32 %r1, 3, %p1 | barrier.red.and.pred %p1, 3, 64, %p2
targets: .branchtargets END, END; brx.idx %r1, targets | call __assertfail, (v, v, w, v, v)
st.weak.shared.u32 [%s], %r1 | ld.volatile.shared.u32 %r1, [%s] | ldu.global.u32 %r1, [%a] | pmevent 1 | griddepcontrol.wait | nanosleep.u32 5 | membar.gl | fence.acq_rel.gpu
createpolicy.fractional.L2::evict_first.b64 %d1, 1.0 | prefetch.global.L2 [%a] | activemask.b32 %r1 | match.any.sync.b32 %r1, %r2, -1 | redux.sync.add.u32 %r1, %r2, -1
elect.sync %r1|%p1, -1 | vote.sync.any.pred %p1, %p2, -1 | bar.warp.sync -1 | atom.cta.shared::cta.add.u32 %r1, [%s], 1 | red.gpu.global.add.u32 [%a], 1
atom.cta.shared.add.u32 %r1, [%s], 1
"""
"""More that strict runs may compile: how a program goes on, and what is said of caches, time and events."""
ORDERED = """
bar.arrive 1, 64 | barrier.arrive 1, 64 | bar.sync %r1 | barrier.red.popc.u32 %r1, %r2, %p1 | ld.shared::cluster.u32 %r1, [%s] | st.shared::cluster.u32 [%s], %r1
ld.relaxed.cta.shared.u32 %r1, [%s] | ld.acquire.gpu.global.u32 %r1, [%a] | st.release.gpu.global.u32 [%a], %r1 | red.relaxed.cta.global.add.u32 [%a], %r1 | atom.cta.add.u32 %r1, [%a], 1
call (w), vprintf, (v, v) | isspacep.shared %p1, %d1; discard.global.L2 [%a], 128 | red.global.add.u32 [%a], 1; red.global.add.u64 [%a], %d1
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%s], {%r1} | setmaxnreg.inc.sync.aligned.u32 232 | wgmma.fence.sync.aligned
mbarrier.init.shared.b64 [%s], 1; red.shared.add.u32 [%s], 1 | mbarrier.init.shared.b64 [%s], 1; cp.async.wait_all
again: mbarrier.init.shared.b64 [%s], 1; bra again | mbarrier.init.shared.b64 [%s], 1; mbarrier.init.shared.b64 [%s], 1
mbarrier.expect_tx.shared.b64 [%s], 16 | mbarrier.complete_tx.shared::cta.b64 [%s], 16 | mbarrier.arrive.expect_tx.shared.b64 _, [%s], 16 | mbarrier.arrive.relaxed.cta.shared.b64 _, [%s]
mbarrier.try_wait.acquire.cluster.shared.b64 %p1, [%s], %d1 | mbarrier.init.b64 [%a], 1 | mbarrier.arrive.release.cluster.shared.b64 _, [%s]
"""
"""Those that order what other threads do by more than barriers, or that cells know nothing of."""


def test_which_kernels_strict_runs_may_compile() -> None:
    compiled = texts(PHASES) + texts(CALLS) + [one for one in texts(ALWAYS) if "p0" not in one]
    assert [one for one in compiled if not fits(one)] == []
    left = texts(BYTES)[:-1] + texts(ELSEWHERE) + texts(ORDERED)
    assert [one for one in left if fits(one, "ld.shared.u32 %r1, [%s]")] == []
    assert not fits("ret", options={"grid": 2, "cluster": 2}) and fits("ret", options={"grid": 2, "cluster": 1})


def test_updates_that_strict_runs_leave_to_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose order shows: sums only where what was there before is used."""
    some = sorted((one for one in texts(FAST) if one.startswith("atom.")), key=lambda one: ".add." in one)
    assert left(monkeypatch, [*some, "red.global.add.u32 [%a], %r1"], "strict") == some
    assert left(monkeypatch, [*some, "red.global.add.u32 [%a], %r2"], "strict") == some[:-1]


def test_what_only_numpy_has(monkeypatch: pytest.MonkeyPatch) -> None:
    assert left(monkeypatch, texts(NEVER), "fast") == texts(NEVER)
