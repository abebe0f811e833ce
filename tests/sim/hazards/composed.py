"""Right kernels composed at random: each idiom passes every thread's value to another thread, or adds values up.

Idioms have buffers, barriers and flags of their own; a round of one is parted from the next by what it names in `again`.
`$` in their texts is the number of the idiom in the kernel.  What a kernel gives is what it gives eagerly, unchecked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np

import weft
from tests.sim.hazards.case import Array, Kernel
from weft.dataclass import dataclass


@dataclass(frozen=True)
class Shape:
    """Warps of a CTA, CTAs of a cluster, clusters of the grid."""

    warps: int
    cluster: int
    clusters: int

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return 32 * self.warps

    @property
    def ctas(self) -> int:
        """CTAs of the grid."""
        return self.cluster * self.clusters


@dataclass(frozen=True)
class Piece:
    """An idiom's text; `v` is a thread's value, `t` the thread, `w` its warp, `l` its lane, `b` its CTA, `i$` the round.

    `init` is for thread 0, `early` and `finish` for warp 0, at the ends of the kernel.  `scratch` are bytes of global
    memory for each CTA, at `g$`, `flags` words of zeros for the grid, at `f$`.
    """

    body: str
    declarations: str = ""
    init: str = ""
    scratch: int = 0
    flags: int = 0
    target: str = "sm_90a"
    early: str = ""
    finish: str = ""
    again: str = "cta"
    rounds: bool = True


@dataclass(frozen=True)
class Idiom:
    """A way to pass values on, among the threads of a CTA, a cluster or the grid; `warps` are how many it needs."""

    make: Callable[[Shape, Random], Piece]
    among: str
    warps: int


IDIOMS: dict[str, Idiom] = {}
Maker = Callable[[Shape, Random], Piece]


def idiom(among: str = "cta", warps: int = 0) -> Callable[[Maker], Maker]:
    """Register an idiom by the name of its function."""

    def register(make: Maker) -> Maker:
        IDIOMS[make.__name__] = Idiom(make, among, warps)
        return make

    return register


MINE = "mov.u32 %a$0, s$; mad.lo.u32 %a$1, %t, 4, %a$0;"


def tile(shape: Shape) -> str:
    """Two words a thread."""
    return f".shared .align 128 .b8 s$[{8 * shape.threads}];"


def theirs(shape: Shape, draw: Random) -> str:
    """The address of a word of another warp."""
    m = draw.choice([x for x in (32, 33, shape.threads - 1) if x < shape.threads])
    return f"xor.b32 %a$2, %t, {m}; mad.lo.u32 %a$2, %a$2, 4, %a$0;"


def wait(bar: str, par: str, sem: str = "") -> str:
    """Poll an mbarrier for a phase."""
    return f"W$: mbarrier.try_wait.parity{sem}.shared::cta.b64 %c$0, [{bar}], {par}; @!%c$0 bra W$;"


@idiom()
def meet(shape: Shape, draw: Random) -> Piece:
    kind = draw.choice(
        [
            "bar.sync 0;",
            "barrier.sync 0;",
            f"bar.sync 0, {shape.threads};",
            f"barrier.sync.aligned 3, {shape.threads};",
            "barrier.cta.sync 2;",
            "bar.red.popc.u32 %a$5, 1, %all;",
        ]
    )
    return Piece(
        f"{MINE}{theirs(shape, draw)} st.shared.u32 [%a$1], %v;\n{kind}\nld.shared.u32 %v, [%a$2];", tile(shape)
    )


@idiom()
def by_bytes(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"{MINE} st.shared.u8 [%a$1], %v; shr.u32 %a$3, %v, 8; st.shared.u8 [%a$1+1], %a$3; shr.u32 %a$3, %v, 16; st.shared.u16 [%a$1+2], %a$3;\nbar.sync 0;\n{theirs(shape, draw)} ld.shared.u32 %v, [%a$2];",
        tile(shape),
    )


@idiom()
def vectors(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"{MINE}{theirs(shape, draw)} st.shared.u32 [%a$1], %v;\nbar.sync 0;\nand.b32 %a$3, %a$2, 0xfffffff0; ld.shared.v4.u32 {{%a$4,%a$5,%a$6,%a$7}}, [%a$3]; xor.b32 %v, %a$4, %a$7; add.u32 %v, %v, %a$5;",
        tile(shape),
    )


@idiom()
def split(shape: Shape, draw: Random) -> Piece:
    """The lower half of the warps gives, the upper half takes; then the other way round."""
    h = shape.threads // 2
    return Piece(
        f"""{MINE} xor.b32 %a$2, %t, {h}; mad.lo.u32 %a$2, %a$2, 4, %a$0; setp.lt.u32 %c$1, %t, {h}; @%c$1 bra G$;
bar.sync 4, {shape.threads}; ld.shared.u32 %a$3, [%a$2]; st.shared.u32 [%a$1], %v; bar.arrive 5, {shape.threads}; mov.u32 %v, %a$3; bra D$;
G$: st.shared.u32 [%a$1], %v; bar.arrive 4, {shape.threads}; bar.sync 5, {shape.threads}; ld.shared.u32 %v, [%a$2];
D$: mov.u32 %a$4, 0;""",
        tile(shape),
    )


@idiom()
def pairs_of_warps(shape: Shape, draw: Random) -> Piece:
    """Each pair of warps has a barrier of its own."""
    return Piece(
        f"""{MINE} xor.b32 %a$2, %t, 32; mad.lo.u32 %a$2, %a$2, 4, %a$0; shr.u32 %a$3, %w, 1; add.u32 %a$3, %a$3, 6;
st.shared.u32 [%a$1], %v; barrier.sync %a$3, 64; ld.shared.u32 %v, [%a$2]; barrier.sync %a$3, 64;""",
        tile(shape),
        again="",
    )


@idiom()
def tokens(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mov.u32 %a$8, bar$; st.shared.u32 [%a$1], %v;
mbarrier.arrive.shared::cta.b64 %d$0, [%a$8];
W$: mbarrier.{draw.choice(["test", "try"])}_wait.shared::cta.b64 %c$0, [%a$8], %d$0; @!%c$0 bra W$;
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
    )


@idiom()
def phases(shape: Shape, draw: Random) -> Piece:
    """Two tiles in turn and one mbarrier: who waits for a phase knows that the tile before is read."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mov.u32 %a$8, bar$; and.b32 %a$9, %i$, 1; mad.lo.u32 %a$1, %a$9, {4 * shape.threads}, %a$1; mad.lo.u32 %a$2, %a$9, {4 * shape.threads}, %a$2;
st.shared.u32 [%a$1], %v;
mbarrier.arrive.shared::cta.b64 _, [%a$8];
{wait("%a$8", "%a$9")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
        again="",
    )


@idiom()
def fenced_phases(shape: Shape, draw: Random) -> Piece:
    """Relaxed arrivals and waits between fences."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mov.u32 %a$8, bar$; and.b32 %a$9, %i$, 1;
st.shared.u32 [%a$1], %v; fence.acq_rel.cta;
mbarrier.arrive.relaxed.cta.shared::cta.b64 %d$0, [%a$8];
{wait("%a$8", "%a$9", ".relaxed.cta")} fence.acq_rel.cta;
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
    )


@idiom()
def speakers(shape: Shape, draw: Random) -> Piece:
    """A lane arrives for its warp."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mov.u32 %a$8, bar$; and.b32 %a$9, %i$, 1;
st.shared.u32 [%a$1], %v; bar.warp.sync 0xffffffff;
elect.sync _|%c$2, 0xffffffff; @%c$2 mbarrier.arrive.shared::cta.b64 _, [%a$8];
{wait("%a$8", "%a$9")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.warps};",
    )


@idiom()
def listeners(shape: Shape, draw: Random) -> Piece:
    """A lane waits for its warp."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mov.u32 %a$8, bar$; and.b32 %a$9, %i$, 1; setp.ne.u32 %c$3, %l, 0;
st.shared.u32 [%a$1], %v; mbarrier.arrive.shared::cta.b64 _, [%a$8];
@%c$3 bra J$; {wait("%a$8", "%a$9")}
J$: bar.warp.sync 0xffffffff;
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
    )


@idiom()
def in_the_warp(shape: Shape, draw: Random) -> Piece:
    m = draw.choice([1, 2, 7, 16, 31])
    return Piece(
        f"{MINE} xor.b32 %a$2, %t, {m}; mad.lo.u32 %a$2, %a$2, 4, %a$0; st.shared.u32 [%a$1], %v;\nbar.warp.sync 0xffffffff;\nld.shared.u32 %v, [%a$2];\n",
        tile(shape),
        again="warp",
    )


@idiom()
def half_warps(shape: Shape, draw: Random) -> Piece:
    m = draw.choice([1, 2, 7])
    return Piece(
        f"""{MINE} xor.b32 %a$2, %t, {m}; mad.lo.u32 %a$2, %a$2, 4, %a$0; and.b32 %a$3, %l, 16; setp.ne.u32 %c$1, %a$3, 0; @%c$1 bra H$;
st.shared.u32 [%a$1], %v; bar.warp.sync 0x0000ffff; ld.shared.u32 %v, [%a$2]; add.u32 %v, %v, 3; bra D$;
H$: st.shared.u32 [%a$1], %v; bar.warp.sync 0xffff0000; ld.shared.u32 %v, [%a$2];
D$: mov.u32 %a$4, 0;""",
        tile(shape),
        again="warp",
    )


@idiom()
def matrices(shape: Shape, draw: Random) -> Piece:
    """stmatrix and ldmatrix with a barrier of the warp."""
    return Piece(
        f"""{MINE} mad.lo.u32 %a$3, %w, 128, %a$0; and.b32 %a$4, %l, 7; mad.lo.u32 %a$4, %a$4, 16, %a$3;
stmatrix.sync.aligned.m8n8.x1.shared.b16 [%a$4], {{%v}};
bar.warp.sync 0xffffffff;
ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {{%v}}, [%a$4];""",
        tile(shape),
        again="warp",
    )


@idiom()
def atomics(shape: Shape, draw: Random) -> Piece:
    """Sums of groups by atomics on shared words, that are zeroed first."""
    return Piece(
        f"""{MINE} and.b32 %a$3, %t, 7; mad.lo.u32 %a$3, %a$3, 4, %a$0; st.shared.u32 [%a$1], 0;
bar.sync 0;
{draw.choice(["red.shared.add.u32 [%a$3], %v;", "atom.shared.add.u32 %a$5, [%a$3], %v;", "red.relaxed.cta.shared.add.u32 [%a$3], %v;"])}
bar.sync 0;
ld.shared.u32 %a$6, [%a$3]; xor.b32 %v, %v, %a$6;""",
        tile(shape),
    )


@idiom()
def votes(shape: Shape, draw: Random) -> Piece:
    return Piece(
        """shfl.sync.bfly.b32 %a$0, %v, 3, 31, -1; add.u32 %v, %v, %a$0; setp.lt.u32 %c$1, %v, 0x80000000; vote.sync.ballot.b32 %a$1, %c$1, -1; xor.b32 %v, %v, %a$1;
redux.sync.add.u32 %a$2, %l, -1; add.u32 %v, %v, %a$2;""",
        "",
        again="",
    )


@idiom()
def own_copies(shape: Shape, draw: Random) -> Piece:
    """Each thread copies its word of global memory."""
    tail = draw.choice(["commit", "noinc", "inc"])
    fin = {
        "commit": "cp.async.commit_group; cp.async.wait_group 0;\nbar.sync 0;",
        "all": "cp.async.wait_all;\nbar.sync 0;",
        "noinc": f"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar$];\n{wait('bar$', '%a$9')}",
        "inc": f"cp.async.mbarrier.arrive.shared::cta.b64 [bar$]; mbarrier.arrive.shared::cta.b64 _, [bar$];\n{wait('bar$', '%a$9')}",
    }[tail]
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], %v;
cp.async.ca.shared.global [%a$1], [%d$1], 4;
{fin}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
        scratch=4 * shape.threads,
    )


@idiom()
def others_copies(shape: Shape, draw: Random) -> Piece:
    """Each thread copies what another one has stored: a barrier before it."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], %v; xor.b32 %a$4, %t, 33; mad.wide.u32 %d$2, %a$4, 4, %g$;
bar.sync 0;
cp.async.ca.shared.global [%a$1], [%d$2], 4; cp.async.commit_group; cp.async.wait_all;
ld.shared.u32 %v, [%a$1];""",
        tile(shape),
        scratch=4 * shape.threads,
    )


@idiom()
def two_groups(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], %v; add.u32 %a$4, %v, 77; st.global.u32 [%d$1+{4 * shape.threads}], %a$4;
cp.async.ca.shared.global [%a$1], [%d$1], 4; cp.async.commit_group;
cp.async.ca.shared.global [%a$1+{4 * shape.threads}], [%d$1+{4 * shape.threads}], 4; cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
ld.shared.u32 %v, [%a$2];
cp.async.wait_group 0;
bar.sync 0;
ld.shared.u32 %a$5, [%a$2+{4 * shape.threads}]; mad.lo.u32 %v, %v, 3, %a$5;""",
        tile(shape),
        scratch=8 * shape.threads,
    )


def fence(draw: Random) -> str:
    """A proxy fence for shared memory."""
    return draw.choice(["fence.proxy.async;", "fence.proxy.async.shared::cta;"])


@idiom()
def bulk_out(shape: Shape, draw: Random) -> Piece:
    """A tile goes to global memory by a bulk copy."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} st.shared.u32 [%a$1], %v; {fence(draw)}
bar.sync 0;
setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
cp.async.bulk.global.shared::cta.bulk_group [%g$], [%a$0], {4 * shape.threads}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
J$: bar.sync 0;
xor.b32 %a$4, %t, 37; mad.wide.u32 %d$2, %a$4, 4, %g$; ld.global.u32 %v, [%d$2];""",
        tile(shape),
        scratch=4 * shape.threads,
        again="cta",
    )


@idiom()
def bulk_out_read(shape: Shape, draw: Random) -> Piece:
    """A source is reused once it has been read; what has arrived is read after a full wait."""
    return Piece(
        f"""{MINE} st.shared.u32 [%a$1], %v; {fence(draw)}
bar.sync 0;
setp.ne.u32 %c$1, %t, 32; @%c$1 bra J$;
cp.async.bulk.global.shared::cta.bulk_group [%g$], [%a$0], {4 * shape.threads}; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;
J$: bar.sync 0;
add.u32 %a$5, %v, 9; st.shared.u32 [%a$1], %a$5; xor.b32 %a$6, %t, 37; mad.lo.u32 %a$6, %a$6, 4, %a$0;
bar.sync 0; ld.shared.u32 %a$5, [%a$6]; @%c$1 bra K$; cp.async.bulk.wait_group 0; K$: bar.sync 0;
xor.b32 %a$4, %t, 37; mad.wide.u32 %d$2, %a$4, 4, %g$; ld.global.u32 %v, [%d$2]; add.u32 %v, %v, %a$5;""",
        tile(shape),
        scratch=4 * shape.threads,
    )


@idiom()
def bulk_sum(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], 5; fence.proxy.async; st.shared.u32 [%a$1], %v; {fence(draw)}
bar.sync 0;
setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g$], [%a$0], {4 * shape.threads}; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g$], [%a$0], {4 * shape.threads}; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
J$: bar.sync 0;
xor.b32 %a$4, %t, 37; mad.wide.u32 %d$2, %a$4, 4, %g$; ld.global.u32 %v, [%d$2];""",
        tile(shape),
        scratch=4 * shape.threads,
    )


@idiom()
def bulk_in(shape: Shape, draw: Random) -> Piece:
    expect = draw.choice(
        [
            f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar$], {4 * shape.threads};",
            f"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar$], {4 * shape.threads}; mbarrier.arrive.shared::cta.b64 _, [bar$];",
        ]
    )
    copy = (
        f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a$0], [%g$], {4 * shape.threads}, [bar$];"
    )
    if draw.random() < 0.4:
        h = 2 * shape.threads
        copy = f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a$0], [%g$], {h}, [bar$]; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%a$0+{h}], [%g$+{h}], {h}, [bar$];"
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], %v; fence.proxy.async{draw.choice(["", ".global"])};
bar.sync 0;
setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
{expect} {copy}
J$: mov.u32 %a$7, 0;
{wait("bar$", "%a$9")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        scratch=4 * shape.threads,
    )


@idiom("cluster")
def peer_store(shape: Shape, draw: Random) -> Piece:
    rel = draw.choice(
        [
            "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
            "barrier.cluster.arrive; barrier.cluster.wait;",
            "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed; barrier.cluster.wait; ",
        ]
    )
    return Piece(
        f"""{MINE}{theirs(shape, draw)} xor.b32 %a$3, %rank, 1; mapa.shared::cluster.u32 %a$4, %a$1, %a$3;
st.shared::cluster.u32 [%a$4], %v;
{rel}
ld.shared.u32 %v, [%a$2];""",
        tile(shape),
        again="cluster",
    )


@idiom("cluster")
def peer_load(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} xor.b32 %a$3, %rank, 1; mapa.shared::cluster.u32 %a$4, %a$2, %a$3;
st.shared.u32 [%a$1], %v;
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
ld.shared::cluster.u32 %v, [%a$4];""",
        tile(shape),
        again="cluster",
    )


@idiom("cluster")
def peer_atomics(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE} xor.b32 %a$3, %rank, 1; mapa.shared::cluster.u32 %a$4, %a$0, %a$3; and.b32 %a$5, %t, 15; mad.lo.u32 %a$4, %a$5, 4, %a$4; mad.lo.u32 %a$6, %a$5, 4, %a$0;
st.shared.u32 [%a$1], %l;
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
{draw.choice(["red", "atom"])}.relaxed.cluster.shared::cluster.add.u32 {"ATOM"}[%a$4], %v;
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
ld.shared.u32 %a$7, [%a$6]; xor.b32 %v, %v, %a$7;""".replace(
            "red.relaxed.cluster.shared::cluster.add.u32 ATOM", "red.relaxed.cluster.shared::cluster.add.u32 "
        ).replace(
            "atom.relaxed.cluster.shared::cluster.add.u32 ATOM", "atom.relaxed.cluster.shared::cluster.add.u32 %a$8, "
        ),
        tile(shape),
        again="cluster",
    )


@idiom("cluster")
def remote_arrivals(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mov.u32 %a$8, bar$; xor.b32 %a$3, %rank, 1; mapa.shared::cluster.u32 %a$4, %a$1, %a$3; mapa.shared::cluster.u32 %a$5, %a$8, %a$3;
st.shared::cluster.u32 [%a$4], %v;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%a$5];
{wait("%a$8", "%a$9", ".acquire.cluster")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        f"mbarrier.init.shared::cta.b64 [bar$], {shape.threads};",
        again="cluster",
    )


@idiom("cluster")
def async_stores(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mov.u32 %a$8, bar$; xor.b32 %a$3, %rank, 1; mapa.shared::cluster.u32 %a$4, %a$1, %a$3; mapa.shared::cluster.u32 %a$5, %a$8, %a$3;
setp.eq.u32 %c$1, %t, 0; @%c$1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a$8], {4 * shape.threads};
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%a$4], %v, [%a$5];
{wait("%a$8", "%a$9", ".acquire.cluster")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        again="cluster",
    )


@idiom("cluster")
def async_sums(shape: Shape, draw: Random) -> Piece:
    return Piece(
        f"""{MINE} and.b32 %a$9, %i$, 1; mov.u32 %a$8, bar$; xor.b32 %a$3, %rank, 1; and.b32 %a$6, %t, 15; mad.lo.u32 %a$6, %a$6, 4, %a$0; mapa.shared::cluster.u32 %a$4, %a$6, %a$3; mapa.shared::cluster.u32 %a$5, %a$8, %a$3;
setp.lt.u32 %c$2, %t, 16; @%c$2 st.shared.u32 [%a$1], 3;
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
setp.eq.u32 %c$1, %t, 0; @%c$1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a$8], {4 * shape.threads};
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%a$4], %v, [%a$5];
{wait("%a$8", "%a$9", ".acquire.cluster")}
ld.shared.u32 %a$7, [%a$6]; xor.b32 %v, %v, %a$7;""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        again="cluster",
    )


@idiom("cluster")
def peer_bulk(shape: Shape, draw: Random) -> Piece:
    """A bulk copy from shared memory into the peer's."""
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mov.u32 %a$8, bar$; xor.b32 %a$3, %rank, 1; add.u32 %a$6, %a$0, {4 * shape.threads}; mapa.shared::cluster.u32 %a$4, %a$6, %a$3; mapa.shared::cluster.u32 %a$5, %a$8, %a$3;
st.shared.u32 [%a$1], %v; {fence(draw)}
bar.sync 0;
setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a$8], {4 * shape.threads};
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%a$4], [%a$0], {4 * shape.threads}, [%a$5];
J$: mov.u32 %a$7, 0;
{wait("%a$8", "%a$9", ".acquire.cluster")}
ld.shared.u32 %v, [%a$2+{4 * shape.threads}];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        again="cluster",
    )


@idiom("cluster")
def multicast(shape: Shape, draw: Random) -> Piece:
    """The first CTA loads what all CTAs of the cluster have stored, for all."""
    n = 4 * shape.threads
    return Piece(
        f"""{MINE}{theirs(shape, draw)} and.b32 %a$9, %i$, 1; mov.u32 %a$8, bar$; mad.wide.u32 %d$1, %t, 4, %g$; st.global.u32 [%d$1], %v; fence.proxy.async;
setp.eq.u32 %c$1, %t, 0; @%c$1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a$8], {n};
barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
setp.ne.u32 %c$2, %rank, 0; setp.ne.or.u32 %c$2, %t, 0, %c$2; @%c$2 bra J$; mov.b16 %h$0, {(1 << shape.cluster) - 1};
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%a$0], [%g$], {n}, [%a$8], %h$0;
J$: mov.u32 %a$7, 0;
{wait("%a$8", "%a$9", ".acquire.cluster")}
ld.shared.u32 %v, [%a$2];""",
        tile(shape) + ".shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        scratch=n,
        again="cluster",
    )


RELEASES = {
    "store": "st.release.gpu.global.u32 [%d$4], %a$10;",
    "fence": "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%d$4], %a$10;",
    "membar": "membar.gl; st.volatile.global.u32 [%d$4], %a$10;",
    "red": "red.release.gpu.global.add.u32 [%d$4], 1;",
    "exch": "atom.release.gpu.global.exch.b32 %a$11, [%d$4], %a$10;",
    "sys": "st.release.sys.global.u32 [%d$4], %a$10;",
}
ACQUIRES = {
    "load": "S$: ld.acquire.gpu.global.u32 %a$12, [%d$5]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$;",
    "fence": "S$: ld.relaxed.gpu.global.u32 %a$12, [%d$5]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$; fence.acq_rel.gpu;",
    "membar": "S$: ld.volatile.global.u32 %a$12, [%d$5]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$; membar.gl;",
    "atom": "S$: atom.acquire.gpu.global.or.b32 %a$12, [%d$5], 0; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$;",
    "sys": "S$: ld.acquire.sys.global.u32 %a$12, [%d$5]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$;",
}


@idiom("grid")
def cta_flags(shape: Shape, draw: Random) -> Piece:
    """CTAs in pairs: data, barrier, flag of one thread; flag, barrier, data.  Tiles of global memory in turn."""
    r = RELEASES[draw.choice(list(RELEASES))]
    a = ACQUIRES[draw.choice(list(ACQUIRES))]
    n = 4 * shape.threads
    return Piece(
        f"""xor.b32 %a$3, %b, 1; and.b32 %a$9, %i$, 1; add.u32 %a$10, %i$, 1; mad.wide.u32 %d$1, %t, 4, %g$; mul.wide.u32 %d$6, %a$9, {n}; add.s64 %d$1, %d$1, %d$6;
mad.wide.u32 %d$4, %b, 4, %f$; mad.wide.u32 %d$5, %a$3, 4, %f$; mul.wide.u32 %d$2, %a$3, {2 * n}; add.s64 %d$2, %d$2, %g0$; xor.b32 %a$4, %t, 3; mad.wide.u32 %d$2, %a$4, 4, %d$2; add.s64 %d$2, %d$2, %d$6; setp.ne.u32 %c$1, %t, 0;
st.global.u32 [%d$1], %v;
bar.sync 0;
@%c$1 bra J$; {r}
{a}
J$: bar.sync 0;
ld.global.u32 %v, [%d$2];""",
        "",
        scratch=2 * n,
        flags=shape.ctas,
        again="",
    )


@idiom("grid")
def warp_flags(shape: Shape, draw: Random) -> Piece:
    """Warps of CTAs in pairs; one lane speaks and listens."""
    r = RELEASES[draw.choice(list(RELEASES))]
    a = ACQUIRES[draw.choice(list(ACQUIRES))]
    n = 4 * shape.threads
    return Piece(
        f"""xor.b32 %a$3, %b, 1; and.b32 %a$9, %i$, 1; add.u32 %a$10, %i$, 1; mad.wide.u32 %d$1, %t, 4, %g$; mul.wide.u32 %d$6, %a$9, {n}; add.s64 %d$1, %d$1, %d$6;
mad.lo.u32 %a$5, %b, {shape.warps}, %w; mad.wide.u32 %d$4, %a$5, 4, %f$; mad.lo.u32 %a$5, %a$3, {shape.warps}, %w; mad.wide.u32 %d$5, %a$5, 4, %f$; mul.wide.u32 %d$2, %a$3, {2 * n}; add.s64 %d$2, %d$2, %g0$; xor.b32 %a$4, %t, 3; mad.wide.u32 %d$2, %a$4, 4, %d$2; add.s64 %d$2, %d$2, %d$6; setp.ne.u32 %c$1, %l, 0;
st.global.u32 [%d$1], %v;
bar.warp.sync 0xffffffff;
@%c$1 bra J$; {r}
{a}
J$: bar.warp.sync 0xffffffff;
ld.global.u32 %v, [%d$2];""",
        "",
        scratch=2 * n,
        flags=shape.ctas * shape.warps,
        again="",
    )


@idiom("grid")
def thread_flags(shape: Shape, draw: Random) -> Piece:
    """A flag for each thread."""
    r = RELEASES[draw.choice(["store", "fence", "membar", "exch", "red", "sys"])]
    a = ACQUIRES[draw.choice(["load", "fence", "membar", "atom", "sys"])]
    n = 4 * shape.threads
    return Piece(
        f"""xor.b32 %a$3, %b, 1; and.b32 %a$9, %i$, 1; add.u32 %a$10, %i$, 1; mad.wide.u32 %d$1, %t, 4, %g$; mul.wide.u32 %d$6, %a$9, {n}; add.s64 %d$1, %d$1, %d$6;
mad.lo.u32 %a$5, %b, {shape.threads}, %t; mad.wide.u32 %d$4, %a$5, 4, %f$; mad.lo.u32 %a$5, %a$3, {shape.threads}, %t; mad.wide.u32 %d$5, %a$5, 4, %f$; mul.wide.u32 %d$2, %a$3, {2 * n}; add.s64 %d$2, %d$2, %g0$; mad.wide.u32 %d$2, %t, 4, %d$2; add.s64 %d$2, %d$2, %d$6;
st.global.u32 [%d$1], %v;
{r}
{a}
ld.global.u32 %v, [%d$2];""",
        "",
        scratch=2 * n,
        flags=shape.ctas * shape.threads,
        again="",
    )


@idiom("grid")
def grid_barrier(shape: Shape, draw: Random) -> Piece:
    n = 4 * shape.threads
    arrive = draw.choice(
        [
            "atom.acq_rel.gpu.global.add.u32 %a$11, [%f$], 1;",
            "red.release.gpu.global.add.u32 [%f$], 1;",
            "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 [%f$], 1;",
            "membar.gl; atom.global.add.u32 %a$11, [%f$], 1;",
        ]
    )
    poll = draw.choice(
        [
            "S$: ld.acquire.gpu.global.u32 %a$12, [%f$]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$;",
            "S$: ld.relaxed.gpu.global.u32 %a$12, [%f$]; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$; fence.acq_rel.gpu;",
            "S$: atom.acquire.gpu.global.add.u32 %a$12, [%f$], 0; setp.lt.u32 %c$3, %a$12, %a$10; @%c$3 bra S$;",
        ]
    )
    return Piece(
        f"""add.u32 %a$3, %b, 1; setp.eq.u32 %c$1, %a$3, {shape.ctas}; selp.u32 %a$3, 0, %a$3, %c$1; and.b32 %a$9, %i$, 1; add.u32 %a$10, %i$, 1; mul.lo.u32 %a$10, %a$10, {shape.ctas}; mad.wide.u32 %d$1, %t, 4, %g$; mul.wide.u32 %d$6, %a$9, {n}; add.s64 %d$1, %d$1, %d$6;
mul.wide.u32 %d$2, %a$3, {2 * n}; add.s64 %d$2, %d$2, %g0$; xor.b32 %a$4, %t, 35; mad.wide.u32 %d$2, %a$4, 4, %d$2; add.s64 %d$2, %d$2, %d$6; setp.ne.u32 %c$1, %t, 0;
st.global.u32 [%d$1], %v;
bar.sync 0;
@%c$1 bra J$; {arrive}
{poll}
J$: bar.sync 0;
ld.global.u32 %v, [%d$2];""",
        "",
        scratch=2 * n,
        flags=1,
        again="",
    )


@idiom("grid")
def lock(shape: Shape, draw: Random) -> Piece:
    """Sums under a lock; no value comes of it but the sum at the end."""
    take = draw.choice(
        [
            "S$: atom.acquire.gpu.global.cas.b32 %a$12, [%f$], 0, 1; setp.ne.u32 %c$3, %a$12, 0; @%c$3 bra S$;",
            "S$: atom.relaxed.gpu.global.exch.b32 %a$12, [%f$], 1; setp.ne.u32 %c$3, %a$12, 0; @%c$3 bra S$; fence.acq_rel.gpu;",
            "S$: atom.global.cas.b32 %a$12, [%f$], 0, 1; setp.ne.u32 %c$3, %a$12, 0; @%c$3 bra S$; membar.gl;",
        ]
    )
    give = draw.choice(
        [
            "st.release.gpu.global.u32 [%f$], 0;",
            "atom.release.gpu.global.exch.b32 %a$12, [%f$], 0;",
            "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%f$], 0;",
            "membar.gl; atom.global.exch.b32 %a$12, [%f$], 0;",
        ]
    )
    return Piece(
        f"""setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
{take}
ld.global.u32 %a$4, [%g0$]; add.u32 %a$4, %a$4, %b; st.global.u32 [%g0$], %a$4;
{give}
J$: add.u32 %v, %v, 1;""",
        "",
        scratch=4,
        flags=1,
        again="",
    )


@idiom("grid")
def ticket(shape: Shape, draw: Random) -> Piece:
    return Piece(
        """setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$; atom.relaxed.gpu.global.add.u32 %a$5, [%f$], 1;
S$: ld.acquire.gpu.global.u32 %a$12, [%f$+4]; setp.ne.u32 %c$3, %a$12, %a$5; @%c$3 bra S$;
ld.global.u32 %a$4, [%g0$]; add.u32 %a$4, %a$4, %b; st.global.u32 [%g0$], %a$4; add.u32 %a$5, %a$5, 1;
st.release.gpu.global.u32 [%f$+4], %a$5;
J$: add.u32 %v, %v, 1;""",
        "",
        scratch=4,
        flags=2,
        again="",
    )


@idiom("grid")
def last_block(shape: Shape, draw: Random) -> Piece:
    """The last CTA adds up what all have stored."""
    count = draw.choice(
        [
            "membar.gl; atom.global.inc.u32 %a$11, [%f$], M; membar.gl;",
            "atom.acq_rel.gpu.global.inc.u32 %a$11, [%f$], M;",
            "fence.acq_rel.gpu; atom.relaxed.gpu.global.inc.u32 %a$11, [%f$], M; fence.acq_rel.gpu;",
        ]
    ).replace("M", str(shape.ctas - 1))
    return Piece(
        f""".shared .align 4 .b32 last$;
setp.ne.u32 %c$1, %t, 0; redux.sync.xor.b32 %a$4, %v, -1; @%c$1 bra J$; st.global.u32 [%g$], %a$4; {count} st.shared.u32 [last$], %a$11;
J$: bar.sync 0;
ld.shared.u32 %a$11, [last$]; setp.ne.u32 %c$2, %a$11, {shape.ctas - 1}; @%c$2 bra K$; setp.ge.u32 %c$2, %t, {shape.ctas}; @%c$2 bra K$;
mad.wide.u32 %d$2, %t, 4, %g0$; ld.global.u32 %a$6, [%d$2]; st.global.u32 [%d$2+{4 * shape.ctas}], %a$6;
K$: add.u32 %v, %v, 1;""",
        "",
        scratch=4,
        flags=1,
        again="",
        rounds=False,
    )


@idiom("grid")
def chain(shape: Shape, draw: Random) -> Piece:
    """CTA after CTA."""
    r = RELEASES[draw.choice(list(RELEASES))]
    a = ACQUIRES[draw.choice(list(ACQUIRES))]
    return Piece(
        f"""add.u32 %a$10, %i$, 1; mad.wide.u32 %d$4, %b, 4, %f$; add.s64 %d$5, %d$4, -4; setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$; mov.u32 %a$4, 1; setp.eq.u32 %c$2, %b, 0; @%c$2 bra K$;
{a}
ld.global.u32 %a$4, [%g$+-4]; add.u32 %a$4, %a$4, %b;
K$: st.global.u32 [%g$], %a$4;
{r}
J$: add.u32 %v, %v, 1;""",
        "",
        scratch=4,
        flags=shape.ctas,
        again="",
        rounds=False,
    )


@idiom(warps=8)
def tensor_memory(shape: Shape, draw: Random) -> Piece:
    """Warps 0-3 store to tensor memory, warps 4-7 load."""
    return Piece(
        """ld.shared.u32 %a$0, [at$]; and.b32 %a$1, %w, 3; shl.b32 %a$1, %a$1, 21; add.u32 %a$1, %a$1, %a$0; setp.ge.u32 %c$1, %t, 128; @%c$1 bra J$;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%a$1], {%v};
tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync;
J$: bar.sync 0;
@!%c$1 bra K$;
tcgen05.fence::after_thread_sync;
tcgen05.ld.sync.aligned.32x32b.x1.b32 {%a$3}, [%a$1];
tcgen05.wait::ld.sync.aligned;
add.u32 %v, %v, %a$3;
tcgen05.fence::before_thread_sync;
K$: mov.u32 %a$5, 0;""",
        ".shared .align 4 .b32 at$;",
        target="sm_100a",
        early="tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at$], 32;",
        finish="tcgen05.fence::after_thread_sync; ld.shared.u32 %a$0, [at$]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a$0, 32;",
        again="tensor",
    )


@idiom(warps=4)
def tensor_copy(shape: Shape, draw: Random) -> Piece:
    """Shared memory to tensor memory by tcgen05.cp."""
    return Piece(
        f"""ld.shared.u32 %a$0, [at$]; mov.u32 %a$2, u$; mad.lo.u32 %a$3, %t, 16, %a$2; shl.b32 %a$1, %w, 21; add.u32 %a$1, %a$1, %a$0; and.b32 %a$9, %i$, 1;
st.shared.v4.u32 [%a$3], {{%v, %t, %v, %t}}; fence.proxy.async.shared::cta;
bar.sync 0;
setp.ne.u32 %c$1, %t, 0; @%c$1 bra J$;
shr.u32 %a$4, %a$2, 4; cvt.u64.u32 %d$0, %a$4; and.b64 %d$0, %d$0, 16383; or.b64 %d$0, %d$0, 0x0000400800080000;
tcgen05.cp.cta_group::1.128x128b [%a$0], %d$0;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar$];
J$: mov.u32 %a$6, 0;
{wait("bar$", "%a$9")}
tcgen05.fence::after_thread_sync;
tcgen05.ld.sync.aligned.32x32b.x4.b32 {{%a$3,%a$4,%a$5,%a$6}}, [%a$1];
tcgen05.wait::ld.sync.aligned;
xor.b32 %v, %a$3, %a$6;
tcgen05.fence::before_thread_sync;""",
        ".shared .align 128 .b8 u$[2048]; .shared .align 4 .b32 at$; .shared .align 8 .b64 bar$;",
        "mbarrier.init.shared::cta.b64 [bar$], 1;",
        target="sm_100a",
        early="tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at$], 32;",
        finish="tcgen05.fence::after_thread_sync; ld.shared.u32 %a$0, [at$]; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a$0, 32;",
        again="tensor",
    )


@idiom(warps=4)
def product(shape: Shape, draw: Random) -> Piece:
    """wgmma: A and B of the values' low bits as halves, by no swizzle."""
    inreg = draw.random() < 0.5
    D = ", ".join(f"%e$f{i}" for i in range(4))
    zero = "".join(f"mov.f32 %e$f{i}, 0f00000000;" for i in range(4))
    desc = "shr.u32 %a$4, {0}, 4; cvt.u64.u32 {1}, %a$4; and.b64 {1}, {1}, 16383; or.b64 {1}, {1}, 0x0000001000080000;"
    if inreg:
        regs = "{%a$10,%a$11,%a$12,%a$13}"
        mma = f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{D}}}, {regs}, %d$1, 1, 1, 1, 0;"
        pre = "and.b32 %a$10, %v, 0x00070007; or.b32 %a$10, %a$10, 0x3c003c00; mov.u32 %a$11, %a$10; add.u32 %a$12, %a$10, 1; mov.u32 %a$13, %a$12;"
    else:
        mma = f"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{{D}}}, %d$0, %d$1, 1, 1, 1, 0, 0;"
        pre = ""
    return Piece(
        f"""mov.u32 %a$2, u$; mad.lo.u32 %a$3, %t, 16, %a$2; and.b32 %a$5, %v, 0x00070007; or.b32 %a$5, %a$5, 0x3c003c00; {pre} {zero}
st.shared.v4.u32 [%a$3], {{%a$5, %a$5, %a$5, %a$5}}; setp.ge.u32 %c$1, %t, 16; @%c$1 bra J$; st.shared.v4.u32 [%a$3+2048], {{%a$5, %a$5, %a$5, %a$5}};
J$: fence.proxy.async.shared::cta;
bar.sync 0;
{desc.format("%a$2", "%d$0")} add.u32 %a$6, %a$2, 2048; {desc.format("%a$6", "%d$1")}
wgmma.fence.sync.aligned;
{mma}
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
add.f32 %e$f0, %e$f0, %e$f3; add.f32 %e$f1, %e$f1, %e$f2; mov.b32 %a$7, %e$f0; mov.b32 %a$8, %e$f1; xor.b32 %v, %a$7, %a$8; add.u32 %v, %v, %t;""",
        ".shared .align 128 .b8 u$[2304]; .reg .f32 %e$f<4>;",
    )


SEPARATE = {
    "": [""],
    "cta": ["bar.sync 0;", "barrier.sync 0;"],
    "warp": ["bar.warp.sync 0xffffffff;", "bar.sync 0;"],
    "cluster": ["barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"],
    "tensor": ["bar.sync 0; tcgen05.fence::after_thread_sync;"],
}


def _numbered(text: str, number: int) -> str:
    text = re.sub(r"%([acdh])\$(?=[\d<])", rf"%\g<1>_{number}_", text)
    return text.replace("$", f"_{number}")


def _fits(name: str, shape: Shape) -> bool:
    one = IDIOMS[name]
    if one.warps and one.warps != shape.warps:
        return False
    return {"cta": 1, "cluster": shape.cluster, "grid": shape.ctas}[one.among] > 1 or one.among == "cta"


def _drawn(draw: Random, names: list[str]) -> tuple[Shape, list[str]]:
    """A shape and idioms that fit it, and each other: one that needs Blackwell at most, and no `wgmma` beside it."""
    while True:
        warps = next((IDIOMS[name].warps for name in names if IDIOMS[name].warps), draw.choice([2, 2, 4, 4]))
        shape = Shape(warps, draw.choice([1, 1, 2, 2, 2]), draw.choice([1, 1, 2]))
        pool = [name for name in IDIOMS if _fits(name, shape)]
        chosen = names or draw.choices(pool, k=draw.choice([1, 2, 2, 3]))
        tensor = sum(name.startswith("tensor") for name in chosen)
        if all(name in pool for name in chosen) and tensor < 2 and not (tensor and "product" in chosen):
            return shape, chosen


class _Writer:
    """Puts the texts of pieces together."""

    def __init__(self, shape: Shape, draw: Random, most: int) -> None:
        self.shape, self.draw, self.most = shape, draw, most
        self.declarations = self.init = self.early = self.body = self.finish = ""
        self.scratch = self.flags = 0

    def add(self, number: int, name: str, piece: Piece) -> None:
        """One idiom more, once or for some rounds."""
        registers = ".reg .b32 %a$<20>, %i$; .reg .b64 %d$<10>, %g$, %g0$, %f$; .reg .pred %c$<6>; .reg .b16 %h$<2>;\n"
        self.declarations += _numbered(piece.declarations + registers, number)
        self.init += _numbered(piece.init, number)
        self.early += _numbered(piece.early, number)
        text = f"// {name}\nmov.u32 %i$, 0;"
        if piece.scratch:
            text += f" add.s64 %g0$, %scratch, {self.scratch}; mad.wide.u32 %g$, %b, {piece.scratch}, %g0$;"
            self.scratch += -(-2 * piece.scratch * self.shape.ctas // 128) * 128
        if piece.flags:
            text += f" add.s64 %f$, %flags, {self.flags};"
            self.flags += 4 * piece.flags
        rounds = min(self.most, self.draw.choice([1, 1, 2, 3])) if piece.rounds else 1
        if rounds > 1:
            apart = self.draw.choice(SEPARATE[piece.again])
            text += f"\nR$: mov.u32 %x, 0;\n{piece.body}\n{apart}\n"
            text += f"add.u32 %i$, %i$, 1; setp.lt.u32 %c$5, %i$, {rounds}; @%c$5 bra R$;\n"
        else:
            text += f"\n{piece.body}\n"
        self.body += _numbered(text, number)
        if piece.finish:
            self.finish += _numbered(f"bar.sync 0; @%other bra X$; {piece.finish} X$: mov.u32 %x, 0;\n", number)

    def text(self, target: str, cluster: bool) -> str:
        """The whole kernel; `cluster`: the CTAs of a cluster have to do with each other."""
        several = self.shape.cluster > 1
        meet = "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;\n"
        start = ""
        if self.early:
            start = f"@%other bra E; {self.early} tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nE: mov.u32 %x, 0;\n"
        if self.init:
            start += f"@%rest bra I; {self.init}{'fence.mbarrier_init.release.cluster;' if several else ''}\nI: mov.u32 %x, 0;\n"
        if start or cluster:
            start += meet if several else "bar.sync 0;\n"
        return f""".version 8.8
.target {target}
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 scratch, .param .u64 flags) {{
{self.declarations}.reg .pred %all, %other, %rest; .reg .b32 %v, %rank, %x, %t, %w, %l, %b; .reg .b64 %scratch, %flags, %out, %in;
mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31; mov.u32 %rank, %cluster_ctarank;
ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %scratch, [scratch]; ld.param.u64 %flags, [flags];
setp.ne.u32 %rest, %t, 0; setp.ne.u32 %other, %w, 0; setp.eq.u32 %all, %t, %t;
mad.lo.u32 %x, %b, {self.shape.threads}, %t; mad.wide.u32 %in, %x, 4, %in; mad.wide.u32 %out, %x, 4, %out; ld.global.u32 %v, [%in];
{start}{self.body}st.global.u32 [%out], %v;
{self.finish}{meet if several and cluster else ""}ret;
}}
"""


def compose(seed: int, names: list[str] | None = None, most: int = 3) -> Kernel:
    """A kernel of idioms, drawn where they are not named, each in at `most` so many rounds."""
    draw = Random(seed)
    shape, chosen = _drawn(draw, names or [])
    writer = _Writer(shape, draw, most)
    pieces = [IDIOMS[name].make(shape, draw) for name in chosen]
    for number, (name, piece) in enumerate(zip(chosen, pieces, strict=True)):
        writer.add(number, name, piece)
    target = next((piece.target for piece in pieces if piece.target != "sm_90a"), "sm_90a")
    text = writer.text(target, any(IDIOMS[name].among == "cluster" for name in chosen))
    count = shape.ctas * shape.threads

    def inputs() -> list[Array]:
        given = np.random.default_rng(seed).integers(1, 1_000_000, count).astype(np.uint32)
        sizes = count, writer.scratch // 4 + 64, writer.flags // 4 + 64
        return [given, *(np.zeros(size, np.uint32) for size in sizes)]

    kernel = Kernel(
        f"{seed}: {' + '.join(chosen)}", text, inputs, lambda a: True,
        grid=shape.ctas, block=shape.threads, cluster=shape.cluster if shape.cluster > 1 else None,
    )  # fmt: skip
    arguments = inputs()
    weft.run(
        weft.parse(text), "k", kernel.grid, kernel.block, arguments,
        cluster=kernel.cluster, async_="eager", check="fast", max_steps=300_000,
    )  # fmt: skip
    want = arguments[1]
    return replace(kernel, correct=lambda a: bool((a[1] == want).all()))
