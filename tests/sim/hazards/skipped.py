"""Protocols in which every lane synchronises for itself, and twins in which one lane goes past its instruction.

In a text `{sync}` is what the lane skips, `{part}` guards what it does before and after: nothing, where it has something
to tell or to learn and a skipped instruction is a bug; itself left out, where there is nothing to order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.sim.hazards.case import ptx

_FAR = """ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %t, 4, %rd1; setp.ne.u32 %p1, %b, 0; setp.ne.u32 %p2, %t, 0;"""
_POLL = "look: ld.relaxed.gpu.global.u32 %r1, [%rd1]; setp.eq.u32 %p3, %r1, 0; @%p3 bra look;"
_NEAR = """ld.param.u64 %rd1, [out]; mad.wide.u32 %rd2, %t, 4, %rd1; mov.u32 %r20, s; mad.lo.u32 %r21, %t, 4, %r20; mov.u32 %r22, bar;
setp.ge.u32 %p1, %t, 32; setp.ne.u32 %p2, %t, 0;"""
_SHARED = ".shared .align 128 .b8 s[4096]; .shared .align 8 .b64 bar;"
_OTHER = "xor.b32 %r5, %t, 32; mad.lo.u32 %r5, %r5, 4, %r20;"


@dataclass(frozen=True, slots=True)
class Protocol:
    """A kernel `k` with `out`; `syncs` may each stand for `{sync}`; lanes of `lanes` may skip it.

    `meeting` says that a `bar.warp.sync` before it lets those who execute it act for the lane as well.
    """

    name: str
    body: str
    syncs: tuple[str, ...]
    lanes: tuple[int, ...] = (5, 31)
    grid: int = 1
    block: int = 64
    cluster: int | None = None
    target: str = "sm_90a"
    meeting: bool = False

    def text(self, sync: str, lane: int, way: str) -> str:
        """The kernel, with a lane that skips an instruction in a way."""
        least = f"setp.ne.u32 %p14, %t, {lane};"
        part, before, after = "", "", ""
        if way == "guard":
            before = f"{least} @%p14"
        elif way == "branch":
            before, after = f"{least} @!%p14 bra skip;", "skip:"
        elif way == "late branch":
            before, after = f"{least} @%p14 bra take; bra skip; take:", "bra skip; skip:"
        elif way == "both sides":
            other = sync.replace("w:", "v:").replace("bra w", "bra v")
            before, after = f"{least} @%p14 bra take; {other} bra skip; take:", "skip:"
        elif way == "met":
            before = f"bar.warp.sync -1; {least} @%p14"
        elif way == "left out":
            before, part, after = "@!%p14 bra skip;", "@%p14", "skip:"
        body = self.body.replace("{sync}", f"{before} {sync} {after}").replace("{part}", part)
        absent = lane if part else 9999
        body = body.replace("LANE", f"setp.ne.u32 %p15, %r5, {absent};")
        body = body.replace("COUNT", "63" if part else "64").replace("BYTES", "16" if part else "256")
        return ptx(f"{least} {body}", target=self.target)

    def wrong(self) -> Iterator[tuple[str, str]]:
        """Names and texts of kernels in which a lane must not skip it."""
        for sync in self.syncs:
            for lane in self.lanes:
                ways = ("branch", "late branch") if sync.startswith("w:") else ("guard", "branch", "late branch")
                for way in ways:
                    yield f"{self.name}: {sync} skipped by {lane}, {way}", self.text(sync, lane, way)

    def right(self) -> Iterator[tuple[str, str]]:
        """Those in which nothing is missing."""
        ways = ["", "both sides"] + ["left out"] * ("{part}" in self.body) + ["met"] * self.meeting
        for sync in self.syncs:
            for way in ways:
                yield f"{self.name}: {sync}, {way or 'all'}", self.text(sync, self.lanes[0], way)


_FENCES = ("fence.acq_rel.gpu;", "fence.sc.gpu;", "membar.gl;", "fence.acq_rel.sys;")
_TENSOR = f"""{_SHARED} .shared .b32 at; {_NEAR} setp.ge.u32 %p1, %t, 32; @%p2 bra in; mbarrier.init.shared.b64 [bar], 128;
in: @%p1 bra al; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
al: bar.sync 0; ld.shared.u32 %r1, [at]; and.b32 %r2, %w, 3; shl.b32 %r2, %r2, 21; add.u32 %r2, %r2, %r1; setp.ge.u32 %p5, %t, 128; @%p5 bra rd;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {{%t}}; tcgen05.wait::st.sync.aligned; BEFORE mbarrier.arrive.shared.b64 %state, [bar]; bra done;
rd: mbarrier.try_wait.parity.shared.b64 %q, [bar], 0; @!%q bra rd; AFTER
tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r4}}, [%r2]; tcgen05.wait::ld.sync.aligned; st.global.u32 [%rd2+-512], %r4;
done: bar.sync 0; @%p1 bra e; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32; tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; e: ret;"""
_RELAXED = _TENSOR.replace("mbarrier.arrive.shared", "mbarrier.arrive.relaxed.cta.shared").replace(
    "try_wait.parity.shared", "try_wait.parity.relaxed.cta.shared"
)
_BEFORE, _AFTER = "tcgen05.fence::before_thread_sync;", "tcgen05.fence::after_thread_sync;"

PROTOCOLS = (
    Protocol(
        "told behind a barrier of the CTA",
        f"""{_FAR} @%p1 bra user; {{part}} st.global.u32 [%rd2+1024], %t; {{sync}} bar.sync 0;
@%p2 bra e; st.relaxed.gpu.global.u32 [%rd1], 1; bra e;
user: @%p2 bra j; {_POLL} fence.acq_rel.gpu; j: bar.sync 0; {{part}} ld.global.u32 %r2, [%rd2+1024]; {{part}} st.global.u32 [%rd2+2048], %r2; e: ret;""",
        (*_FENCES, "fence.release.gpu;"),
        lanes=(5, 0, 37),
        grid=2,
        meeting=True,
    ),
    Protocol(
        "told behind a barrier of the warp",
        f"""{_FAR} @%p1 bra user; {{part}} st.global.u32 [%rd2+1024], %t; {{sync}} bar.warp.sync -1;
@%p2 bra e; st.relaxed.gpu.global.u32 [%rd1], 1; bra e;
user: @%p2 bra j; {_POLL} fence.acq_rel.gpu; j: bar.warp.sync -1; {{part}} ld.global.u32 %r2, [%rd2+1024]; {{part}} st.global.u32 [%rd2+2048], %r2; e: ret;""",
        (*_FENCES, "fence.release.gpu;"),
        lanes=(5, 0, 31),
        grid=2,
        block=32,
        meeting=True,
    ),
    Protocol(
        "each lane counts for itself",
        f"""{_FAR} @%p1 bra user; {{part}} st.global.u32 [%rd2+1024], %t; {{sync}} red.relaxed.gpu.global.add.u32 [%rd1], 1; bra e;
user: @%p2 bra j; look: ld.relaxed.gpu.global.u32 %r1, [%rd1]; setp.ne.u32 %p3, %r1, 64; @%p3 bra look; fence.acq_rel.gpu; j: bar.sync 0;
{{part}} ld.global.u32 %r2, [%rd2+1024]; {{part}} st.global.u32 [%rd2+2048], %r2; e: ret;""",
        (*_FENCES, "fence.release.gpu;"),
        lanes=(0, 5, 63),
        grid=2,
    ),
    Protocol(
        "each lane polls for itself",
        f"""{_FAR} @%p1 bra user; st.global.u32 [%rd2+1024], %t; bar.sync 0; @%p2 bra e; st.release.gpu.global.u32 [%rd1], 1; bra e;
user: {_POLL} {{sync}} {{part}} ld.global.u32 %r2, [%rd2+1024]; {{part}} st.global.u32 [%rd2+2048], %r2; e: ret;""",
        (*_FENCES, "fence.acquire.gpu;"),
        lanes=(0, 5, 37),
        grid=2,
    ),
    Protocol(
        "one lane polls for all",
        f"""{_FAR} @%p1 bra user; st.global.u32 [%rd2+1024], %t; bar.sync 0; @%p2 bra e; st.release.gpu.global.u32 [%rd1], 1; bra e;
user: @%p2 bra j; {_POLL} j: bar.sync 0; {{sync}} {{part}} ld.global.u32 %r2, [%rd2+1024]; {{part}} st.global.u32 [%rd2+2048], %r2; e: ret;""",
        (*_FENCES, "fence.acquire.gpu;"),
        lanes=(5, 0, 37),
        grid=2,
    ),
    Protocol(
        "a relaxed barrier of the cluster",
        f"""{_SHARED} {_NEAR} mov.u32 %r6, %cluster_ctarank; xor.b32 %r6, %r6, 1; mapa.shared::cluster.u32 %r7, %r21, %r6;
barrier.cluster.arrive; barrier.cluster.wait; {{part}} st.shared::cluster.u32 [%r7], %t; {{sync}}
barrier.cluster.arrive.relaxed; barrier.cluster.wait; fence.acq_rel.cluster;
{{part}} ld.shared.u32 %r8, [%r21]; mad.lo.u32 %r9, %b, 64, %t; mad.wide.u32 %rd3, %r9, 4, %rd1; {{part}} st.global.u32 [%rd3], %r8;
barrier.cluster.arrive; barrier.cluster.wait; ret;""",
        ("fence.acq_rel.cluster;", "fence.acq_rel.gpu;", "fence.sc.cluster;"),
        lanes=(0, 5, 37),
        grid=2,
        cluster=2,
    ),
    Protocol(
        "relaxed arrivals of every lane",
        f"""{_SHARED} {_NEAR} @%p2 bra m; mbarrier.init.shared.b64 [bar], 64; m: bar.sync 0;
{{part}} st.shared.u32 [%r21], %t; {{sync}} mbarrier.arrive.relaxed.cta.shared::cta.b64 %rd9, [bar];
w: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 %p4, [bar], 0; @!%p4 bra w; fence.acq_rel.cta;
xor.b32 %r5, %t, 32; LANE mad.lo.u32 %r5, %r5, 4, %r20; @%p15 ld.shared.u32 %r8, [%r5]; @%p15 st.global.u32 [%rd2], %r8; ret;""",
        ("fence.acq_rel.cta;", "fence.acq_rel.gpu;", "fence.sc.cta;"),
        lanes=(0, 5, 37),
    ),
    Protocol(
        "stores that the async proxy reads",
        f"""{_SHARED} {_NEAR} {{part}} st.shared.u32 [%r21], %t; {{sync}} bar.sync 0; @%p2 bra e;
cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r20], BYTES; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; e: ret;""",
        ("fence.proxy.async;", "fence.proxy.async.shared::cta;"),
        lanes=(5, 37),
        meeting=True,
    ),
    Protocol(
        "copies of every lane",
        f"""{_SHARED} {_NEAR} {{part}} cp.async.ca.shared.global [%r21], [%rd2+1024], 4; cp.async.commit_group; {{sync}} bar.sync 0;
xor.b32 %r5, %t, 32; LANE mad.lo.u32 %r5, %r5, 4, %r20; @%p15 ld.shared.u32 %r8, [%r5]; @%p15 st.global.u32 [%rd2], %r8; ret;""",
        ("cp.async.wait_group 0;", "cp.async.wait_all;"),
        lanes=(0, 5, 37),
        target="sm_80",
    ),
    Protocol(
        "groups of every lane",
        f"""{_SHARED} {_NEAR} {{part}} cp.async.ca.shared.global [%r21], [%rd2+1024], 4; {{sync}} cp.async.wait_group 0; bar.sync 0;
xor.b32 %r5, %t, 32; LANE mad.lo.u32 %r5, %r5, 4, %r20; @%p15 ld.shared.u32 %r8, [%r5]; @%p15 st.global.u32 [%rd2], %r8; ret;""",
        ("cp.async.commit_group;",),
        lanes=(0, 5, 37),
        target="sm_80",
    ),
    Protocol(
        "bulk stores of every lane",
        f"""{_SHARED} {_NEAR} mad.lo.u32 %r21, %t, 16, %r20; mad.wide.u32 %rd2, %t, 16, %rd1; st.shared.v4.u32 [%r21], {{%t, %t, %t, %t}}; fence.proxy.async;
{{part}} cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r21], 16; cp.async.bulk.commit_group; {{sync}} bar.sync 0;
xor.b32 %r5, %t, 32; LANE mad.lo.u32 %r5, %r5, 16, %r20; @%p15 st.shared.v4.u32 [%r5], {{%b, %b, %b, %b}}; bar.sync 0; ret;""",
        ("cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;"),
        lanes=(0, 5, 37),
    ),
    Protocol(
        "bulk groups of every lane",
        f"""{_SHARED} {_NEAR} mad.lo.u32 %r21, %t, 16, %r20; mad.wide.u32 %rd2, %t, 16, %rd1; st.shared.v4.u32 [%r21], {{%t, %t, %t, %t}}; fence.proxy.async;
{{part}} cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r21], 16; {{sync}} cp.async.bulk.wait_group 0; ret;""",
        ("cp.async.bulk.commit_group;",),
        lanes=(0, 5, 37),
    ),
    Protocol(
        "arrivals of every lane",
        f"""{_SHARED} {_NEAR} @%p2 bra m; mbarrier.init.shared.b64 [bar], COUNT; m: bar.sync 0;
{{part}} st.shared.u32 [%r21], %t; {{sync}}
w: mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra w;
xor.b32 %r5, %t, 32; LANE mad.lo.u32 %r5, %r5, 4, %r20; @%p15 ld.shared.u32 %r8, [%r5]; @%p15 st.global.u32 [%rd2], %r8; ret;""",
        ("mbarrier.arrive.shared::cta.b64 %rd9, [bar];",),
        lanes=(0, 5, 37),
    ),
    Protocol(
        "waits of every lane",
        f"""{_SHARED} {_NEAR} @%p2 bra m; mbarrier.init.shared.b64 [bar], 64; m: bar.sync 0;
st.shared.u32 [%r21], %t; mbarrier.arrive.shared::cta.b64 %rd9, [bar]; {{sync}}
{_OTHER} {{part}} ld.shared.u32 %r8, [%r5]; {{part}} st.global.u32 [%rd2], %r8; ret;""",
        ("w: mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra w;",),
        lanes=(0, 5, 37),
    ),
    Protocol(
        "fences of tensor memory before arrivals",
        _TENSOR.replace("BEFORE", "{sync}").replace("AFTER", _AFTER),
        (_BEFORE,),
        lanes=(5, 0, 63),
        block=256,
        target="sm_100a",
    ),
    Protocol(
        "fences of tensor memory after waits",
        _TENSOR.replace("BEFORE", _BEFORE).replace("AFTER", "{sync}"),
        (_AFTER,),
        lanes=(133, 128, 191),
        block=256,
        target="sm_100a",
    ),
    Protocol(
        "fences of tensor memory before relaxed arrivals",
        _RELAXED.replace("BEFORE", "{sync}").replace("AFTER", _AFTER),
        (_BEFORE,),
        lanes=(5, 0, 63),
        block=256,
        target="sm_100a",
    ),
    Protocol(
        "fences of tensor memory after relaxed waits",
        _RELAXED.replace("BEFORE", _BEFORE).replace("AFTER", "{sync}"),
        (_AFTER,),
        lanes=(133, 128, 191),
        block=256,
        target="sm_100a",
    ),
)
"""`LANE` and `BYTES` leave out the word of a lane that does not take part; `COUNT` is how many arrive."""
