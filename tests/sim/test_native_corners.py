"""Kernels at the bounds of what code knows: many blocks, clusters, updates of every type, and what is left to NumPy in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.sim.harness import launch
from tests.sim.test_native_states import ENGINES, OWN, both
from weft.sim import KernelFault

UPDATES = (
    "global.add.f64 D | shared.add.f64 D | add.f64 D | global.add.f32 F | shared.add.noftz.f16 H | global.add.noftz.f16x2 B | shared.add.noftz.bf16 H"
    " | global.max.s64 D | shared.min.u64 D | cta.shared::cta.max.u32 B | or.b64 D | global.cas.b16 H, %rs3 | shared.exch.b64 D"
)
"""With the class of the operand: each updates cells of its own."""


def updates(stem: str) -> str:
    body = ""
    registers = {"D": "%rd9", "F": "%f3", "H": "%rs2", "B": "%r9"}
    for number, one in enumerate(UPDATES.split(" | ")):
        text, operand = one.split(" ", 1)
        if stem == "red" and ("cas" in text or "exch" in text):
            continue
        at = f"[%r5+{16 * number}]" if "shared" in text else f"[%rd3+{16 * number}]"
        result = {"D": "%rd10", "F": "%f4", "H": "%rs4", "B": "%r10"}[operand[0]] + ", " if stem == "atom" else ""
        body += f"{stem}.{text} {result}{at}, {operand.replace(operand[0], registers[operand[0]], 1)};\n"
    return body


@pytest.mark.parametrize(("stem", "check"), [("atom", "fast"), ("red", "strict")])
def test_updates_of_every_type(stem: str, check: Any) -> None:
    """Of global and shared memory, and by generic addresses; old values, too, where runs do not check their order."""
    count = len(UPDATES.split(" | "))
    old = (
        ""
        if stem == "red"
        else "xor.b64 %rd11, %rd10, %rd9; add.u64 %rd11, %rd11, %rd10; cvt.u32.u64 %r11, %rd11; add.u32 %r10, %r10, %r11;"
    )
    body = f""".shared .align 16 .b8 cells[{16 * count}]; {OWN} mov.u32 %r5, cells; ld.param.u64 %rd3, [p1]; and.b32 %r6, %r2, 1;
    mad.lo.u32 %r5, %r6, 8, %r5; mad.wide.u32 %rd3, %r6, 8, %rd3; mov.u32 %r10, 0; mov.b64 %rd10, 0;
    setp.lt.u32 %p0, %r2, {2 * count}; mov.u32 %r7, cells; mad.lo.u32 %r7, %r2, 8, %r7; mov.b64 %rd5, 0; @%p0 st.shared.b64 [%r7], %rd5; bar.sync 0;
    cvt.rn.f64.u32 %fd1, %r2; mov.b64 %rd9, %fd1; cvt.rn.f32.u32 %f3, %r2; mov.u32 %r9, 0x40003C00; mov.b16 %rs2, 0x3C00; mov.b16 %rs3, 7;
    {updates(stem)} bar.sync 0; @%p0 ld.shared.b64 %rd5, [%r7]; {old}
    ld.param.u64 %rd4, [p2]; mad.wide.u32 %rd4, %r2, 8, %rd4; @%p0 st.global.b64 [%rd4], %rd5; st.global.u32 [%rd1], %r10; ret;"""
    none = np.zeros(2 * count, np.uint64)
    (_, far, near), _ = both(body, [np.zeros(64, np.uint32), none, none], 64, 1, check=check)
    sums = [array.view(np.float64)[at] for array, at in ((far, 0), (near, 2), (far, 5))]
    even = sum(range(0, 64, 2))
    assert sums == [even, even, even + 32]


def test_lanes_at_many_blocks() -> None:
    """Lanes of a warp wait at any of so many blocks, and come back together."""
    blocks = 134
    steps = "".join(
        f"setp.lt.u32 %p1, %r3, {32 * n // blocks}; @%p1 bra L{n + 1}; mad.lo.u32 %r4, %r4, 3, {n}; L{n + 1}:\n"
        for n in range(blocks // 2)
    )
    body = f"""{OWN} mov.u32 %r3, %laneid; mov.u32 %r4, %r2; mov.u32 %r5, 0;
    L0: {steps} xor.b32 %r3, %r3, 21; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra L0; st.global.u32 [%rd1], %r4; ret;"""
    (out,), _ = both(body, [np.zeros(64, np.uint32)], 64, 1, check="fast")
    wanted = np.arange(64, dtype=np.uint64)
    lane = np.arange(64) % 32
    for _ in range(3):
        for n in range(blocks // 2):
            wanted = np.where(
                lane < 32 * n // blocks, wanted, (wanted * np.uint64(3) + np.uint64(n)) & np.uint64(0xFFFF_FFFF)
            )
        lane = lane ^ 21
    assert (out == wanted).all()


CLUSTERS = {
    "variables": "mov.u32 %r5, tile; mad.lo.u32 %r5, %r2, 4, %r5; st.shared.u32 [%r5], %r0; bar.sync 0; ld.shared.u32 %r6, [tile+8];",
    "generic": "mov.u32 %r5, tile; cvt.u64.u32 %rd3, %r5; cvta.shared.u64 %rd3, %rd3; mad.wide.u32 %rd3, %r2, 4, %rd3; st.u32 [%rd3], %r0; bar.sync 0;"
    "ld.shared.u32 %r6, [tile+12];",
    "copies": "mov.u32 %r5, tile; mad.lo.u32 %r5, %r2, 4, %r5; cp.async.ca.shared.global [%r5], [%rd1], 4; cp.async.wait_all; bar.sync 0; ld.shared.u32 %r6, [tile+4];",
    "warps": "shfl.sync.idx.b32 %r6, %r0, 5, 31, -1;",
    "neighbours": "mov.u32 %r5, tile; mad.lo.u32 %r5, %r2, 4, %r5; st.shared.u32 [%r5], %r0; mov.u32 %r7, %cluster_ctarank; xor.b32 %r7, %r7, 1; mov.u32 %r8, tile;"
    "mapa.shared::cluster.u32 %r8, %r8, %r7; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.u32 %r6, [%r8+16]; barrier.cluster.arrive; barrier.cluster.wait;",
}


@pytest.mark.parametrize("check", ["fast", "strict"])
def test_ctas_of_a_cluster(check: Any) -> None:
    """Two CTAs, which have shared memory of their own and can reach the other's."""
    body = f"{OWN} .shared .align 16 .b32 tile[32]; mov.u32 %r9, 0;" + "".join(
        f"{text} mad.lo.u32 %r9, %r9, 1000, %r6; bar.sync 0;\n" for text in CLUSTERS.values()
    )
    (out,), _ = both(
        f"{body} st.global.u32 [%rd1], %r9; ret;", [np.arange(128, dtype=np.uint32)], 32, 4, cluster=2, check=check
    )
    start = np.arange(4, dtype=np.uint64)[:, None] * np.uint64(32)
    wanted = np.zeros((4, 32), np.uint64)
    for more in (start + 2, start + 3, start + 1, start + 5, (start ^ np.uint64(32)) + 4):
        wanted = (wanted * np.uint64(1000) + more) & np.uint64(0xFFFF_FFFF)
    assert (out.reshape(4, 32) == wanted).all()


ALONE = {
    "loads of what nobody stores to": "ldu.global.u32 %r6, [%rd1];",
    "copies with a policy": "createpolicy.fractional.L2::evict_first.b64 %rd5, 1.0; cp.async.ca.shared.global.L2::cache_hint [%r5], [%rd1], 4, %rd5;"
    "cp.async.wait_all; bar.sync 0; ld.shared.u32 %r6, [%r5];",
    "short copies with a policy": "createpolicy.fractional.L2::evict_first.b64 %rd5, 1.0; cp.async.ca.shared.global.L2::cache_hint [%r5], [%rd1], 4, 2, %rd5;"
    "cp.async.wait_all; bar.sync 0; ld.shared.u32 %r6, [%r5];",
    "copies that mbarriers wait for": ".shared .align 8 .b64 bar; setp.eq.u32 %p1, %r2, 0; @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;"
    "cp.async.ca.shared.global [%r5], [%rd1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar];"
    "w: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra w; xor.b32 %r7, %r2, 1; mov.u32 %r8, tile; mad.lo.u32 %r8, %r7, 4, %r8;"
    "ld.shared.u32 %r6, [%r8];",
    "warps that a register names": "st.shared.u32 [%r5], %r2; add.u32 %r7, %r9, 0xFFFFFFFF; bar.warp.sync %r7; xor.b32 %r8, %r2, 3; mov.u32 %r7, tile;"
    "mad.lo.u32 %r8, %r8, 4, %r7; ld.shared.u32 %r6, [%r8];",
    "parts of warps": "st.shared.u32 [%r5], %r2; mov.u32 %r7, %laneid; setp.lt.u32 %p1, %r7, 16; selp.u32 %r7, 0xFFFF, 0xFFFF0000, %p1;"
    "bar.warp.sync %r7; xor.b32 %r8, %r2, 3; mov.u32 %r7, tile; mad.lo.u32 %r8, %r8, 4, %r7; ld.shared.u32 %r6, [%r8];",
    "barriers not of whole warps": "st.shared.u32 [%r5], %r2; setp.lt.u32 %p1, %r2, 7; @%p1 bra a; barrier.sync 15; bra b; a: barrier.sync 15; b: xor.b32 %r8, %r2, 35;"
    "mov.u32 %r7, tile; mad.lo.u32 %r8, %r8, 4, %r7; ld.shared.u32 %r6, [%r8];",
    "who only arrives": "st.shared.u32 [%r5], %r2; setp.lt.u32 %p1, %r2, 32; @%p1 bra a; bar.sync 1, 64; ld.shared.u32 %r6, [tile+12]; bra b;"
    "a: bar.arrive 1, 64; mov.u32 %r6, 5; b:",
    "barriers by their other name": "st.shared.u32 [%r5], %r2; barrier.sync.aligned 3; xor.b32 %r8, %r2, 35; mov.u32 %r7, tile; mad.lo.u32 %r8, %r8, 4, %r7;"
    "ld.shared.u32 %r6, [%r8]; setp.lt.u32 %p1, %r2, 9; barrier.red.aligned.popc.u32 %r7, 4, 64, %p1; mad.lo.u32 %r6, %r6, 100, %r7;",
    "updates of local memory": ".local .align 4 .b32 mine[2]; mov.u64 %rd3, mine; cvta.local.u64 %rd3, %rd3; st.local.u32 [mine], %r2; st.local.u32 [mine+4], 1;"
    "atom.add.u32 %r6, [%rd3], 5; atom.add.u32 %r7, [mine], 6; mad.lo.u32 %r6, %r7, 1000, %r6; ld.local.u32 %r7, [mine]; mad.lo.u32 %r6, %r6, 1000, %r7;",
    "weak accesses": "st.weak.shared.u32 [%r5], %r2; bar.sync 0; ld.weak.shared.u32 %r6, [tile+24];",
    "bytes beside mbarriers": ".shared .align 8 .b64 bar; setp.eq.u32 %p1, %r2, 0; @%p1 mbarrier.init.shared.b64 [bar], 64; bar.sync 0; cvt.u16.u32 %rs1, %r2;"
    "st.shared.u8 [%r5+1], %rs1; mbarrier.arrive.shared.b64 _, [bar]; w: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra w;"
    "xor.b32 %r8, %r2, 63; mov.u32 %r7, tile; mad.lo.u32 %r8, %r8, 4, %r7; ld.shared.u8 %r6, [%r8+1];",
    "parts of clocks and constants": "mov.b64 {%r7, %r8}, %globaltimer; mov.b64 {%r8, _}, %clock64; mov.b64 {%r6, %r7}, 0x500000007; add.u32 %r6, %r6, %r7;",
}
THREAD = np.arange(64)
DATA = THREAD * 1001 + (1 << 24)
GIVES = {
    "copies that mbarriers wait for": DATA[THREAD ^ 1], "warps that a register names": THREAD ^ 3, "parts of warps": THREAD ^ 3,
    "barriers not of whole warps": THREAD ^ 35, "who only arrives": np.where(THREAD < 32, 5, 3), "weak accesses": 0 * THREAD + 6,
    "bytes beside mbarriers": THREAD ^ 63, "barriers by their other name": (THREAD ^ 35) * 100 + 9,
    "updates of local memory": ((THREAD + 5) * 1000 + THREAD) * 1000 + THREAD + 11, "parts of clocks and constants": 0 * THREAD + 12, "short copies with a policy": DATA & 0xFFFF,
}  # fmt: skip


@pytest.mark.sample(14)
@pytest.mark.parametrize("check", ["fast", "strict"])
@pytest.mark.parametrize("what", ALONE)
def test_what_is_rare(what: str, check: Any) -> None:
    body = f""".shared .align 16 .b32 tile[64]; {OWN} mov.u32 %r5, tile; mad.lo.u32 %r5, %r2, 4, %r5; mov.u32 %r9, 0; {ALONE[what]}
    ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %r6; ret;"""
    looks = "mbarrier" in what or "clock" in what
    (_, out), _ = both(body, [DATA.astype(np.uint32), np.zeros(64, np.uint32)], 64, 1, looks=looks, check=check)
    assert (out == GIVES.get(what, DATA)).all()


@pytest.mark.parametrize(("counted", "check"), [("1, 64", "strict"), ("1", "fast"), ("1, 128", "strict")])
def test_barriers_that_count_some_of_the_threads(counted: str, check: Any) -> None:
    """Where more arrive than a barrier counts, it is not known whom it releases: neither tier lets them go on."""
    body = f""".shared .align 16 .b32 tile[128]; {OWN} mov.u32 %r5, tile; mad.lo.u32 %r6, %r2, 4, %r5; st.shared.u32 [%r6], %r2;
    bar.sync {counted}; xor.b32 %r7, %r2, 64; mad.lo.u32 %r7, %r7, 4, %r5; ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd1], %r8; ret;"""
    if counted != "1, 64":
        (out,), _ = both(body, [np.zeros(128, np.uint32)], 128, 1, check=check)
        assert (out == np.arange(128) ^ 64).all()
        return
    for engine in ENGINES:
        with pytest.raises(
            KernelFault, match="128 threads arrive at a barrier for 64: which it releases is undefined"
        ) as caught:
            launch(body, [np.zeros(128, np.uint32)], 128, 1, target="sm_90", engine=engine, check=check)
        assert caught.value.kind == "barrier"


PRODUCTS = {
    "doubles": "cvt.rn.f64.u32 %fd1, %r2; mov.f64 %fd4, 0d0000000000000000; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd2, %fd3}, {%fd1}, {%fd1}, {%fd4, %fd4};"
    "cvt.rzi.u32.f64 %r6, %fd2; cvt.rzi.u32.f64 %r7, %fd3;",
    "half bytes": "mul.lo.u32 %r8, %r2, 0x01234567; mov.u32 %r9, 5; mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32 {%r6, %r7}, {%r8}, {%r8}, {%r9, %r9};",
    "bits": "mul.lo.u32 %r8, %r2, 0x01234567; mov.u32 %r9, 5; mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r6, %r7}, {%r8}, {%r8}, {%r9, %r9};",
}


def test_products_between_code() -> None:
    """Of elements that code does not multiply: eight by eight sums of which each lane has two."""
    body = f"{OWN} mov.u32 %r5, 0;" + "".join(
        f"{text} mad.lo.u32 %r5, %r5, 31, %r6; mad.lo.u32 %r5, %r5, 31, %r7;\n" for text in PRODUCTS.values()
    )
    (out,), _ = both(f"{body} st.global.u32 [%rd1], %r5; ret;", [np.zeros(32, np.uint32)], 32, 1, check="fast")
    words = (
        (np.arange(32, dtype=np.uint64) * np.uint64(0x01234567) & np.uint64(0xFFFF_FFFF))
        .astype(np.uint32)
        .reshape(8, 4)
    )
    halves = (words[:, :, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15).reshape(8, 32).astype(np.int64)
    ones = np.unpackbits(words.view(np.uint8).reshape(8, 16), axis=1).astype(np.int64)
    doubles = np.arange(32).reshape(8, 4)
    wanted = np.zeros(32, np.uint64)
    for sums in (doubles @ doubles.T, (halves - 16 * (halves > 7)) @ halves.T + 5, ones @ ones.T + 5):
        for number in (0, 1):
            wanted = (wanted * np.uint64(31) + sums.reshape(32, 2)[:, number].astype(np.uint64)) & np.uint64(
                0xFFFF_FFFF
            )
    assert (out == wanted).all()


def test_barriers_that_there_are_not() -> None:
    """Sixteen of them: from 0 to 15."""
    for engine in ENGINES:
        launch("bar.sync 15; ret;", [], 64, 1, engine=engine, check="fast")
        with pytest.raises(KernelFault, match="there is no barrier 16"):
            launch("bar.sync 16; ret;", [], 64, 1, engine=engine, check="fast")
