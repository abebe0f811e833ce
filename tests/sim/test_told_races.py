"""What reports of races say: who made the other access, what would order the two, and what both sides hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.errors import Severity
from weft.sim import KernelFault
from weft.sim.race_reports import OVER_READ, OVER_WRITE, READS, TOGETHER, nearly_equal, number, values_of

START = INDEX + "ld.param.u64 %rd1, [p0]; .shared .align 16 .b8 s[64]; .shared .align 8 .b64 bar;\n"
BEFORE = START.count("\n") + 8
"""The lines before a body, with the header and the registers."""
APART = "without synchronization between them"
CLUSTERS = "execute barrier.cluster.arrive and .wait before the first access, and again between the last one and exit"


def told(body: str, block: int = 64, grid: int = 1, **more: Any) -> tuple[str, str, str]:
    """The kind, message and hint of a fault, whose lines count from the body's first."""
    with pytest.raises(KernelFault) as caught:
        launch(START + body, [np.zeros(256, np.uint32)], block, grid, target="sm_90", **more)
    fault = caught.value
    return fault.kind, lines(fault.message), lines(fault.hint)


def lines(text: str) -> str:
    for line in range(9, 0, -1):
        text = text.replace(f"line {line + BEFORE}", f"line {line}")
    return text


def runs(body: str, block: int = 64, grid: int = 1, **more: Any) -> tuple[KernelFault, ...]:
    return launch(START + body, [np.zeros(256, np.uint32)], block, grid, target="sm_90", **more).findings


def thread(tid: int, cta: int = 0) -> str:
    return f"CTA ({cta}, 0, 0), thread ({tid}, 0, 0) (warp {tid // 32}, lane {tid % 32})"


ADDRESS = 0x7000_0000_0100
FIRST = "setp.ne.u32 %p1, %r0, 0; @%p1 bra L;\n"


def test_loads_that_promise_that_nobody_writes() -> None:
    """Of `ld.global.nc` it is wrong whatever orders it after the store, of the same thread as well."""
    for barrier in ("", "bar.sync 0;"):
        store = FIRST + f"st.global.u32 [%rd1+4], 7;\nL: {barrier}\n"
        message = (
            f"ld.global.nc.u32: reads what warp 0 wrote (line 2) at global address {ADDRESS + 4:#x}, though .nc promises "
            f"that nobody writes there, in {thread(32)}"
        )
        hint = f"use a load without .nc; this access reads 0x7; the other access is by {thread(0)}; the address is byte 4 of argument p0"
        load = "setp.ne.u32 %p1, %r0, 32; @%p1 ret;\nld.global.nc.u32 %r1, [%rd1+4]; ret;"
        assert told(store + load) == ("race", message, hint)
    runs(store + load.replace(".nc", ""))
    kind, message, _ = told(FIRST + "st.global.u32 [%rd1], 7; ld.global.nc.u32 %r1, [%rd1]; L: ret;")
    assert (kind, "though .nc promises" in message) == ("race", True)
    runs(FIRST + "ld.global.nc.u32 %r1, [%rd1]; st.global.u32 [%rd1+4], 7; L: ret;")


INIT = "setp.ne.u32 %p1, %r0, 0; @!%p1 mbarrier.init.shared.b64 [bar], {}; bar.sync 0; setp.eq.u32 %p3, %r0, {};\n"
ARRIVE, END = "@!%p3 bra L;\nmbarrier.arrive.shared.b64 _, [bar];\nL: ", "@!%p1 mbarrier.inval.shared.b64 [bar]; ret;"
WAIT = "again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again;"


def test_who_ends_an_mbarrier_knows_of_those_that_have_used_it() -> None:
    """Save of arrivals and waits by lanes of the same warp; other accesses count."""
    runs(INIT.format(1, 3) + ARRIVE + WAIT + END, 32)
    runs(INIT.format(1, 3) + ARRIVE + END, 32)
    runs(INIT.format(64, 3) + "mbarrier.arrive.shared.b64 _, [bar];" + WAIT + "bar.sync 0;" + END)
    message = (
        f"mbarrier.inval.shared.b64: overwrites what {{}} read (line 3) at shared address {{}}, {APART}, in {thread(0)}"
    )
    order = (
        "put a barrier of the CTA, or an arrival and a wait at an mbarrier, between line 3 and line 5; or use atomics"
    )
    kind, said, hint = told(INIT.format(1, 35) + ARRIVE + "\n" + END)
    assert (kind, said) == ("race", message.format("warp 1", "0xc0"))
    assert hint.startswith(order + "; memory holds 0x") and hint.endswith(
        f"; the other access is by {thread(35)}; the address is bar"
    )
    kind, said, hint = told(INIT.format(1, 3) + "@!%p3 bra L;\nld.shared.b64 %rd4, [bar];\nL:\n" + END, 32)
    assert (kind, said) == ("race", message.format("lane 3 of the same warp", "0xc0"))
    assert hint.startswith("insert bar.warp.sync between line 3 and line 5: nothing else orders the lanes of a warp")
    kind, said, hint = told(
        "setp.ne.u32 %p1, %r0, 0;\n@!%p1 mbarrier.init.shared.b64 [bar], 64;\nmbarrier.arrive.shared.b64 _, [bar]; ret;"
    )
    assert (
        said
        == f"mbarrier.arrive.shared.b64: reads what warp 0 wrote (line 2) at shared address 0xc0, {APART}, in {thread(32)}"
    )
    assert hint == "put a barrier between mbarrier.init and the first use by other threads; the address is bar"


def test_mbarriers_of_other_ctas_before_they_are_known() -> None:
    """Their initialisation is that of a warp, or, behind its fence, one that a relaxed barrier of the cluster tells of."""
    body = """mov.u32 %r1, bar; mapa.shared::cluster.u32 %r2, %r1, 0; barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p1, %r0, 0; @%p1 bra L;
mbarrier.init.shared.b64 [bar], 1;
{} L: {} setp.ne.u32 %p1, %r0, 64; @%p1 bra M;
mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r2];
M: barrier.cluster.arrive; barrier.cluster.wait; ret;"""
    fence, relaxed = "fence.mbarrier_init.release.cluster;", "barrier.cluster.arrive.relaxed; barrier.cluster.wait;"
    warp = "warp 0 of CTA (0, 0, 0) wrote"
    for before, after, other in (
        ("", "", warp),
        ("", relaxed, warp),
        (fence, "", "the initialisation of the mbarrier writes"),
    ):
        message = (
            f"mbarrier.arrive.release.cluster.shared::cluster.b64: reads what {other} (line 2) at shared address 0x100000c0, {APART}, in "
            + thread(0, 1)
        )
        hint = "put a barrier between mbarrier.init and the first use by other threads"
        assert told(body.format(before, after), grid=2, cluster=2) == ("race", message, hint)
    runs(body.format(fence, relaxed), grid=2, cluster=2)
    runs(body.format("", relaxed.replace(".relaxed", "")), grid=2, cluster=2)


RANKED = "mov.u32 %r1, s; mov.u32 %r3, %cluster_ctarank; xor.b32 %r3, %r3, 1; mapa.shared::cluster.u32 %r2, %r1, %r3;"
MEET = "barrier.cluster.arrive; barrier.cluster.wait;"


@pytest.mark.parametrize("one", [(0, 0), (1, 40), (2, 33), (3, 63)])
def test_memory_of_ctas_that_have_not_started_or_have_ended(one: tuple[int, int]) -> None:
    """Of one thread that uses the memory of its peer."""
    cta, tid = one
    store = f"setp.ne.u32 %p1, %r0, {64 * cta + tid}; @%p1 bra L; st.shared::cluster.u32 [%r2+8], 7; L:"
    for body, why in ((RANKED + store, "not have started yet"), (RANKED + MEET + store, "have exited")):
        message = f"st.shared::cluster.u32: accesses shared memory at 0x8 of CTA ({cta ^ 1}, 0, 0), which may {why}, in {thread(tid // 32 * 32, cta)}"
        assert told(body + " ret;", grid=4, cluster=2) == ("race", message, CLUSTERS)
    assert runs(RANKED + MEET + store + MEET + " ret;", grid=4, cluster=2) == ()


def test_copies_of_global_memory_that_was_just_stored_to() -> None:
    """A bulk copy reads through the async proxy, before which stores of the thread itself need a fence."""
    body = """setp.ne.u32 %p1, %r0, 0; @%p1 ret; mbarrier.init.shared.b64 [bar], 1; {}
st.global.u32 [%rd1+40], 7; {}
mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1+{}], 16, [bar];
again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again; ret;"""
    init, fence = "fence.mbarrier_init.release.cluster;", "fence.proxy.async;"
    message = (
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes: reads global memory at "
        f"{ADDRESS + 32:#x} through the async proxy, where lane 0 of the same warp stored (line 2) without a "
        f"fence.proxy.async in between, in {thread(0)}"
    )
    hint = "insert fence.proxy.async after line 2, before synchronizing with the thread that starts this; the address is byte 32 of argument p0"
    assert told(body.format(init, "", 32)) == ("proxy-fence", message, hint)
    runs(body.format(init, fence, 32))
    runs(body.format(init, "", 48))
    runs(body.format(init, "", 16))


def test_weak_accesses_are_plain_ones() -> None:
    """In kernels with flags, too: they neither order anything nor may they race."""
    flag = """setp.ge.u32 %p1, %r0, 32; @%p1 bra reader; setp.ne.u32 %p1, %r0, 0; @%p1 ret; st.global.u32 [%rd1+16], 7;
st{}.global.u32 [%rd1], 1; ret;
reader: setp.ne.u32 %p1, %r0, 32; @%p1 ret; again: ld{}.global.u32 %r1, [%rd1]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again; ld.global.u32 %r2, [%rd1+16]; ret;"""
    runs(flag.format(".release.gpu", ".acquire.gpu"))
    for store, load in (
        (".weak", ".acquire.gpu"),
        (".release.gpu", ".weak"),
        ("", ".acquire.gpu"),
        (".release.gpu", ""),
    ):
        assert told(flag.format(store, load))[0] == "race", (store, load)


SAME = "mul.wide.u32 %rd2, %r0, 0; add.u64 %rd2, %rd1, %rd2;"


def test_stores_of_many_to_one_place() -> None:
    """Of lanes of a warp, of warps and of CTAs: the values of two of them, and what to do instead."""
    lane, warp = "let only one lane store, or use an atomic", "let one thread store, or use an atomic"
    undefined = ": which value remains is undefined"
    store = "setp.lt.u32 %p1, %r0, {}; @%p1 bra L; setp.gt.u32 %p1, %r0, {}; @%p1 bra L;\nst.global.u32 [%rd1+8], %r0;\nL: ret;"
    for first, last, other, mended in ((3, 4, "lane 4 of the same warp", lane), (31, 32, "warp 1", warp)):
        kind, message, hint = told(store.format(first, last))
        assert message == (
            f"st.global.u32: writes at the same time as {other} (line 2) at global address {ADDRESS + 8:#x}, {APART}, in {thread(first)}"
        )
        whose = f"; the other access is by {thread(last)}" if mended is warp else ""
        assert hint == (
            f"{mended}{undefined}; this access stores {first:#x}, the other {last:#x}{whose}; the address is byte 8 of argument p0"
        )
        assert kind == "race"
    runs(store.replace("%r0;\nL", "5;\nL").format(0, 63))
    runs(store.format(5, 5))


def rows(*words: Any) -> Any:
    return np.array(words).view(np.uint8).reshape(len(words), -1)


def test_numbers_that_differ_in_rounding_only() -> None:
    """Equal bytes, or f32 words of one sign and ordinary size less than half of whose digits differ."""
    one = int(np.float32(1.5).view(np.uint32))

    def near(a: Any, b: Any, dtype: Any = np.uint32) -> bool:
        return nearly_equal(rows(dtype(a)), rows(dtype(b))).tolist() == [True]

    assert all(near(one, one + d) and near(one + d, one) for d in (0, 1, 4095, 4096))
    assert not any(near(one, one + d) or near(one + d, one) for d in (4097, 8192, 1 << 31))
    for exponent, ordinary in ((63, False), (64, True), (191, True), (192, False), (0, False), (255, False)):
        word = exponent << 23 | 0x400000
        assert near(word, word + 1) == ordinary and near(word, word)
    assert near(np.float32(-1.5).view(np.uint32), np.float32(-1.5000001).view(np.uint32))
    assert not near(np.float32(1e-30).view(np.uint32), np.float32(-1e-30).view(np.uint32))
    assert not near(7, 7, np.uint16) and not near(1, 2)
    wide = np.array([[1.5, 2.5, 3.5]], np.float32)
    other = wide + np.array([[0, 1e-6, 0]], np.float32)
    assert nearly_equal(rows(wide), rows(other)).tolist() == [True]
    other[0, 2] = 3.6
    assert nearly_equal(rows(wide), rows(other)).tolist() == [False]


def test_values_of_both_sides() -> None:
    data = np.arange(1, 9, dtype=np.uint8)
    assert [number(data, 2, size) for size in (1, 2, 4)] == [3, 0x0403, 0x06050403]
    assert values_of(None, 10, READS) == values_of(3, 10, READS) == "this access reads 0xa"
    assert values_of(3, 10, TOGETHER) == "this access stores 0x3, the other 0xa"
    assert values_of(None, 10, TOGETHER) == values_of(None, 10, OVER_READ) == "memory holds 0xa"
    assert values_of(0, 10, OVER_WRITE) == "memory holds 0xa, and this access stores 0x0"


def test_copies_of_one_value_that_were_rounded_differently() -> None:
    """By one instruction that all lanes execute they are told of; by two they race."""
    value = "mov.b32 %r5, 0f40000000; setp.eq.u32 %p1, %r0, {}; @%p1 mov.b32 %r5, {};\n"
    near, far = "0x40000001", "0x41000001"
    found = runs(value.format(5, near) + "st.global.u32 [%rd1], %r5; ret;", 32)
    assert [(one.kind, one.severity, one.value, one.other_value) for one in found] == [
        ("race", Severity.NOTE, 0x40000000, 0x40000000)
    ]
    assert found[0].hint.endswith(
        "copies of one value, rounded differently; either may remain; the address is byte 0 of argument p0"
    )
    assert told(value.format(5, far) + "st.global.u32 [%rd1], %r5; ret;", 32)[0] == "race"
