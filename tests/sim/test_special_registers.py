"""Special registers: each thread's place in its CTA, cluster and grid, by the formulas of the PTX manual."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import REGISTERS, Array, kernel, launch
from weft.sim import run
from weft.sim.engines import Engine

WIDE = {"%gridid": 1}
AXES = "xyz"
EXTENTS = ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid")
SINGLE = (
    "laneid", "warpid", "nwarpid", "smid", "nsmid", "cluster_ctarank", "cluster_nctarank", "dynamic_smem_size",
    "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_ge", "lanemask_gt", "envreg0", "envreg1", "envreg2", "envreg31",
)  # fmt: skip
NAMES = [f"%{name}.{axis}" for name in EXTENTS for axis in "xyzw"] + [f"%{name}" for name in SINGLE]


def expected(grid: Any, block: Any, cluster: Any, cta: Any, tid: Any) -> list[int]:
    """What the registers of `NAMES` hold in a thread of 40 bytes of dynamic shared memory."""
    inside = [a % c for a, c in zip(cta, cluster, strict=True)]
    places = {
        "tid": tid,
        "ntid": block,
        "ctaid": cta,
        "nctaid": grid,
        "clusterid": [a // c for a, c in zip(cta, cluster, strict=True)],
        "nclusterid": [-(-g // c) for g, c in zip(grid, cluster, strict=True)],
        "cluster_ctaid": inside,
        "cluster_nctaid": cluster,
    }
    number = tid[0] + block[0] * (tid[1] + block[1] * tid[2])
    lane = number % 32
    singles = {
        "laneid": lane,
        "warpid": number // 32,
        "nwarpid": 64,
        "nsmid": 1,
        "cluster_ctarank": inside[0] + cluster[0] * (inside[1] + cluster[1] * inside[2]),
        "cluster_nctarank": cluster[0] * cluster[1] * cluster[2],
        "dynamic_smem_size": 40,
        "lanemask_eq": 1 << lane,
        "lanemask_lt": (1 << lane) - 1,
        "lanemask_le": (2 << lane) - 1,
        "lanemask_ge": 0xFFFF_FFFF & -(1 << lane),
        "lanemask_gt": 0xFFFF_FFFF & -(2 << lane),
    }
    rows = [[*places[name], 0] for name in EXTENTS]
    return [value for row in rows for value in row] + [singles.get(name, 0) for name in SINGLE]


@pytest.mark.sample(3)
@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize(
    ("grid", "block", "cluster", "resident"),
    [
        ((3, 2, 2), (5, 3, 3), (1, 1, 1), 64),
        ((6, 4, 2), (5, 2, 2), (3, 2, 1), 192),
        ((2, 2, 4), (32, 1, 2), (1, 2, 2), 256),
        ((7, 1, 1), (32, 1, 1), (1, 1, 1), 96),
    ],
)
def test_places_in_the_grid(engine: Engine, grid: Any, block: Any, cluster: Any, resident: int) -> None:
    """In several batches of CTAs, of which the last one may be smaller."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    moves = "".join(f"mov.u32 %r9, {name}; st.global.u32 [%rd1+{4 * n}], %r9;\n" for n, name in enumerate(NAMES))
    body = f"""{REGISTERS} ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.z; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.x;
    mad.lo.u32 %r1, %r1, {grid[1]}, %r2; mad.lo.u32 %r1, %r1, {grid[0]}, %r3; mov.u32 %r4, %tid.z; mov.u32 %r5, %tid.y;
    mov.u32 %r6, %tid.x; mad.lo.u32 %r1, %r1, {block[2]}, %r4; mad.lo.u32 %r1, %r1, {block[1]}, %r5;
    mad.lo.u32 %r1, %r1, {block[0]}, %r6; mad.wide.u32 %rd1, %r1, {4 * len(NAMES)}, %rd1; {moves} ret;"""
    out = np.full((*reversed(grid), *reversed(block), len(NAMES)), 0xAAAA_AAAA, np.uint32)
    module = kernel(body, ["u64"], "sm_90")
    run(module, "k", grid, block, [out], cluster=cluster, shared_bytes=40, engine=engine, resident=resident)
    for place in np.ndindex(out.shape[:-1]):
        cta, tid = place[2::-1], place[:2:-1]
        wanted = expected(grid, block, cluster, cta, tid)
        assert dict(zip(NAMES, out[place].tolist(), strict=True)) == dict(zip(NAMES, wanted, strict=True))


@pytest.mark.parametrize("clusters", [None, (1, 1, 1), (2, 1, 1)])
def test_whether_a_launch_has_clusters(clusters: Any) -> None:
    """Where it names them, of one CTA too."""
    out = np.full(1, 9, np.uint32)
    body = "ld.param.u64 %rd1, [p0]; mov.pred %p1, %is_explicit_cluster; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd1], %r1; ret;"
    launch(body, [out], 1, 2, target="sm_90", cluster=clusters, check="fast")
    assert out[0] == (clusters is not None)


@pytest.mark.parametrize(("own", "begin"), [(0, 0), (1, 16), (20, 32), (32, 32)])
def test_where_memory_of_the_system_lies(own: int, begin: int) -> None:
    """A kilobyte behind that of the kernel, which begins at a multiple of sixteen, in two halves."""
    names = [f"%reserved_smem_offset_{name}" for name in ("begin", "end", "cap", "0", "1")]
    moves = "".join(f"mov.u32 %r1, {name}; st.global.u32 [%rd1+{4 * n}], %r1;" for n, name in enumerate(names))
    variable = f".shared .b8 room[{own}]; mov.u32 %r2, room; mov.u16 %rs1, 1; st.shared.u8 [%r2], %rs1;" if own else ""
    out = np.zeros(5, np.uint32)
    launch(f"{variable} ld.param.u64 %rd1, [p0]; {moves} ret;", [out], 1, target="sm_90")
    assert out.tolist() == [begin, begin + 1024, 1024, begin, begin + 512]


def read(*registers: str, loops: int = 1) -> Array:
    """Registers read one after the other, so many times, by one thread."""
    out = np.zeros((loops, len(registers)), np.uint64)
    moves = ""
    for number, name in enumerate(registers):
        wide = name.endswith("64") or name == "%globaltimer"
        get = f"mov.u64 %rd2, {name};" if wide else f"mov.u32 %r1, {name}; cvt.u64.u32 %rd2, %r1;"
        moves += f"{get} st.global.u64 [%rd1+{8 * number}], %rd2;"
    body = f"""ld.param.u64 %rd1, [p0]; mov.u32 %r2, 0; again: {moves} add.u64 %rd1, %rd1, {8 * len(registers)};
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {loops}; @%p1 bra again; ret;"""
    launch(body, [out], 1)
    return out


def test_the_clock_advances_with_each_reading() -> None:
    """By few cycles at first, by a part of what has gone by later, so that waiting for long takes few readings.

    `%clock` is the lower half of `%clock64`, `%clock_hi` the upper one.
    """
    found = read("%clock64", "%clock", "%clock_hi", loops=1800).astype(np.int64)
    wide, low, high = found.T
    steps = np.diff(wide)
    assert 0 < wide[0] < 100
    assert (steps > 0).all()
    assert (steps[:20] < 100).all()
    assert (steps <= np.maximum(wide[1:] // 16, 100)).all()
    assert 1 << 32 < wide[-1] < 1 << 33
    first = (low - wide) & 0xFFFF_FFFF
    assert ((first > 0) & (first <= np.maximum(wide // 32, 32))).all()
    assert high[-1] == 1
    assert (high[wide < 1 << 31] == 0).all()


def test_the_timer_counts_nanoseconds_of_this_machine() -> None:
    import time

    before = time.time_ns()
    wide, low, high = read("%globaltimer", "%globaltimer_lo", "%globaltimer_hi")[0].tolist()
    after = time.time_ns()
    assert before <= wide <= after
    assert high in (before >> 32, after >> 32)
    assert (low - wide) & 0xFFFF_FFFF <= after - before
