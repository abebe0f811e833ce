"""`cp.async`: groups, stages, and arrivals at mbarriers."""

from __future__ import annotations

import numpy as np

from tests.sim.hazards.case import ASYNC, HANG, MEMORY, Bug, Kernel, ptx, words, zeros

SIMPLE = Kernel(
    "cp.async",
    ptx(
        """
.shared .align 16 .b8 s[2048];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2;
mad.wide.u32 %rd3, %t, 16, %rd1; cp.async.ca.shared.global [%r3], [%rd3], 16;
cp.async.commit_group;
cp.async.wait_group 0;
bar.sync 0;
xor.b32 %r4, %t, 127; mad.lo.u32 %r4, %r4, 16, %r2; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];
mad.wide.u32 %rd4, %t, 16, %rd2; st.global.v4.u32 [%rd4], {%r5, %r6, %r7, %r8}; ret;""",
        "in out",
        "sm_80",
    ),
    lambda: [words(512), zeros(512)],
    lambda a: bool((a[1].reshape(-1, 4) == a[0].reshape(-1, 4)[::-1]).all()),
    bugs=(
        Bug("no wait", "cp.async.wait_group 0;\n", "", "cp.async", ASYNC),
        Bug("no group is closed", "cp.async.commit_group;\n", "", "cp.async", ASYNC),
        Bug("a wait for all but one", "cp.async.wait_group 0;", "cp.async.wait_group 1;", "cp.async", ASYNC),
        Bug("no barrier", "bar.sync 0;", "", "cp.async", ASYNC),
        Bug("the barrier before the wait", "cp.async.wait_group 0;\nbar.sync 0;", "bar.sync 0;\ncp.async.wait_group 0;",
            "cp.async", ASYNC),
        Bug("one warp does not wait", "cp.async.wait_group 0;", "setp.eq.u32 %p1, %w, 1; @%p1 bra past; cp.async.wait_group 0; past:",
            "cp.async", ASYNC),
        Bug("the source is changed under the copy", "cp.async.commit_group;",
            "mov.u32 %r9, 0; st.global.u32 [%rd3+4], %r9; cp.async.commit_group;", "cp.async", ASYNC),
        Bug("the tile is stored to under the copy", "cp.async.commit_group;",
            "st.shared.u32 [%r3+8], %t; cp.async.commit_group;", "cp.async", ASYNC),
        Bug("it copies half", "cp.async.ca.shared.global [%r3], [%rd3], 16;",
            "cp.async.ca.shared.global [%r3], [%rd3], 8;", "unwritten", ASYNC),
        Bug("a misaligned copy", "[%r3], [%rd3], 16;", "[%r3], [%rd3+8], 16;", "bounds"),
    ),
)  # fmt: skip


def _stages(stages: int, bugs: tuple[Bug, ...]) -> Kernel:
    """Sums of neighbouring tiles, `stages` of them in flight."""
    first = "".join(
        f"""
cp.async.cg.shared.global [%r3+{2048 * stage}], [%rd3], 16; cp.async.commit_group; add.u64 %rd3, %rd3, 2048;"""
        for stage in range(stages - 1)
    )
    return Kernel(
        f"cp.async in {stages} stages",
        ptx(
            f"""
.shared .align 16 .b8 s[{2048 * stages}];
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mad.lo.u32 %r3, %t, 16, %r2;
mad.wide.u32 %rd3, %t, 16, %rd1; xor.b32 %r4, %t, 96; mad.lo.u32 %r4, %r4, 16, %r2; mov.u32 %r20, 0;{first}
mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, {stages - 1};
again:
cp.async.wait_group {stages - 2};
bar.sync 0; // full
mad.lo.u32 %r13, %r11, 2048, %r4; ld.shared.u32 %r5, [%r13]; add.u32 %r20, %r20, %r5;
bar.sync 0; // free
add.u32 %r14, %r10, {stages - 1}; setp.ge.u32 %p1, %r14, 9; @%p1 bra next;
mad.lo.u32 %r15, %r12, 2048, %r3; cp.async.cg.shared.global [%r15], [%rd3], 16; add.u64 %rd3, %rd3, 2048;
next: cp.async.commit_group;
add.u32 %r11, %r11, 1; setp.eq.u32 %p2, %r11, {stages}; selp.b32 %r11, 0, %r11, %p2;
add.u32 %r12, %r12, 1; setp.eq.u32 %p2, %r12, {stages}; selp.b32 %r12, 0, %r12, %p2;
add.u32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, 9; @%p3 bra again;
mad.wide.u32 %rd4, %t, 4, %rd2; st.global.u32 [%rd4], %r20; ret;""",
            "in out",
            "sm_80",
        ),
        lambda: [words(9 * 512), zeros(128)],
        lambda a: bool((a[1] == a[0].reshape(9, 128, 4)[:, np.arange(128) ^ 96, 0].sum(axis=0)).all()),
        bugs=bugs,
        harmless={
            "bar.sync 0; // free": "the next copy goes into the stage that was read before the barrier of this round"
        },
    )


THREE = _stages(
    3,
    (
        Bug("a wait for one group less", "cp.async.wait_group 1;", "cp.async.wait_group 2;", "cp.async", ASYNC),
        Bug("no wait", "cp.async.wait_group 1;", "", "cp.async", ASYNC),
        Bug("no barrier after the wait", "bar.sync 0; // full", "", "cp.async", ASYNC),
        Bug("no commit where nothing is copied", "next: cp.async.commit_group;\nadd", "cp.async.commit_group; next:\nadd",
            "cp.async", ASYNC),
        Bug("a stage too early", "mov.u32 %r12, 2;", "mov.u32 %r12, 1;", "cp.async", ASYNC),
        Bug("it reads the stage after", "mov.u32 %r11, 0; mov.u32 %r12", "mov.u32 %r11, 1; mov.u32 %r12", "cp.async", ASYNC),
    ),
)  # fmt: skip
TWO = _stages(
    2,
    (
        Bug("a wait for one group less", "cp.async.wait_group 0;", "cp.async.wait_group 1;", "cp.async", ASYNC),
        Bug("no barrier after the wait", "bar.sync 0; // full", "", "cp.async", ASYNC),
        Bug("a barrier of the warp after the wait", "bar.sync 0; // full", "bar.warp.sync 0xffffffff;", "cp.async", ASYNC),
        Bug("the same stage twice", "mov.u32 %r12, 1;", "mov.u32 %r12, 0;", "cp.async", ASYNC),
    ),
)  # fmt: skip

ARRIVE = Kernel(
    "cp.async at an mbarrier",
    ptx(
        """
.shared .align 16 .b8 s[2048]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r2, s; mov.u32 %r9, bar; mad.lo.u32 %r3, %t, 16, %r2;
setp.ne.u32 %p1, %t, 0; @%p1 bra inited; mbarrier.init.shared.b64 [%r9], 128; inited:
bar.sync 0; // init
mad.wide.u32 %rd3, %t, 16, %rd1; cp.async.ca.shared.global [%r3], [%rd3], 16;
cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];
wait: mbarrier.test_wait.parity.shared.b64 %q, [%r9], 0; @!%q bra wait;
xor.b32 %r4, %t, 127; mad.lo.u32 %r4, %r4, 16, %r2; ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%r4];
mad.wide.u32 %rd4, %t, 16, %rd2; st.global.v4.u32 [%rd4], {%r5, %r6, %r7, %r8}; ret;""",
        "in out",
        "sm_90",
    ),
    lambda: [words(512), zeros(512)],
    lambda a: bool((a[1].reshape(-1, 4) == a[0].reshape(-1, 4)[::-1]).all()),
    bugs=(
        Bug("a plain arrival", "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];", "mbarrier.arrive.shared.b64 %state, [%r9];",
            "cp.async", ASYNC),
        Bug("an arrival that counts itself", "arrive.noinc.shared", "arrive.shared", "count", HANG),
        Bug("it looks once", "@!%q bra wait;", "", "mbarrier wait", ASYNC),
        Bug("the other parity", "[%r9], 0; @!%q", "[%r9], 1; @!%q", "mbarrier wait", ASYNC | HANG),
        Bug("no barrier after the init", "bar.sync 0; // init", "", "mbarrier init", MEMORY | HANG),
        Bug("a count that is too low", "mbarrier.init.shared.b64 [%r9], 128;", "mbarrier.init.shared.b64 [%r9], 64;", "count", ASYNC | HANG),
        Bug("a count that is too high", "mbarrier.init.shared.b64 [%r9], 128;", "mbarrier.init.shared.b64 [%r9], 129;", "count", HANG),
        Bug("the arrival before the copy",
            "cp.async.ca.shared.global [%r3], [%rd3], 16;\ncp.async.mbarrier.arrive.noinc.shared.b64 [%r9];",
            "cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];\ncp.async.ca.shared.global [%r3], [%rd3], 16;",
            "cp.async", ASYNC),
    ),
)  # fmt: skip

KERNELS = (SIMPLE, THREE, TWO, ARRIVE)
