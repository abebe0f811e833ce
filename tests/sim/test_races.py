"""Races in global memory and between CTAs: planted ones are found, kernels that order themselves run clean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.effort import draws
from tests.sim.harness import INDEX, Array, launch
from weft.errors import Severity
from weft.sim import KernelFault, run

KERNELS = Path(__file__).with_name("kernels")
FLAGS = weft.parse((KERNELS / "flags_sm_80.ptx").read_text())


def race(body: str, arguments: list[Any], **more: Any) -> KernelFault:
    with pytest.raises(KernelFault) as caught:
        launch(body, arguments, **more)
    assert caught.value.kind == "race"
    assert caught.value.position.line > 0
    launch(body, [np.zeros_like(a) for a in arguments], check="fast", **more)
    return caught.value


IN_PLACE = (
    INDEX
    + """ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd1; {first} ld.global.u32 %r1, [%rd2+{offset}]; {second}
    {barrier} add.u32 %r1, %r1, 1; st.global.u32 [%rd2+8], %r1; ret;"""
)
LATER, EARLIER = "ld.global.u32 %r2, [%rd2+12];", "ld.global.u32 %r2, [%rd2+4];"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("first", "second", "offset"), [("", "", 12), ("", "", 4), (LATER, EARLIER, 8), (EARLIER, LATER, 8)]
)
def test_neighbours_that_are_overwritten(first: str, second: str, offset: int) -> None:
    """Each thread reads its neighbour's element and stores its own, with nothing between: across CTAs and warps."""
    for block, grid in ((32, 4), (128, 1)):
        body = IN_PLACE.format(first=first, second=second, offset=offset, barrier="")
        found = race(body, [np.zeros(132, np.uint32)], block=block, grid=grid)
        assert " read" in str(found)
        if grid > 1:
            assert "of CTA (" in str(found)
    body = IN_PLACE.format(first=first, second=second, offset=offset, barrier="bar.sync 0;")
    launch(body, [np.zeros(132, np.uint32)], block=128, grid=1)
    race(body, [np.zeros(132, np.uint32)], block=64, grid=2)


def test_elements_of_ones_own() -> None:
    body = IN_PLACE.format(first="", second="", offset=8, barrier="")
    launch(body, [np.zeros(132, np.uint32)], block=32, grid=4)


WRITES = (
    INDEX
    + "ld.param.u64 %rd1, [p0]; shr.u32 %r1, %r0, {}; mad.wide.u32 %rd1, %r1, 4, %rd1; st.global.u32 [%rd1], {}; ret;"
)


def test_copies_of_what_others_store() -> None:
    """`cp.async`, bulk copies and stores count as accesses of the thread that starts them."""
    body = (
        """.shared .align 128 .b8 s[512]; .shared .align 8 .b8 bar[8];"""
        + INDEX
        + """ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1; mov.u32 %r2, s; mad.lo.u32 %r3, %r1, 4, %r2;
    setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 1; st.shared.u32 [%r3], %r0; st.global.u32 [%rd2], %r0; fence.proxy.async; {}
    xor.b32 %r4, %r1, 32; mad.wide.u32 %rd3, %r4, 4, %rd1; {} ret;"""
    )
    copies = (
        "cp.async.ca.shared.global [%r3], [%rd3], 4; cp.async.wait_all;",
        "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [s], 256; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        """@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
        @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 256, [bar];
        bar.sync 0; again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again;""",
    )
    for copy in copies:
        launch(body.format("bar.sync 0;", copy), [np.zeros(64, np.uint32)], block=64, target="sm_90")
        with pytest.raises(KernelFault) as caught:
            launch(body.format("", copy), [np.zeros(64, np.uint32)], block=64, target="sm_90")
        assert caught.value.kind == "race"


def test_ctas_that_store_to_one_place() -> None:
    found = race(WRITES.format(6, "%r0"), [np.zeros(256, np.uint32)], block=32, grid=8)
    assert "writes at the same time as warp 0 of CTA" in str(found)
    race(WRITES.format(6, "%r0"), [np.zeros(256, np.uint32)], block=64, grid=1)
    assert "of the same warp" in str(race(WRITES.format(5, "%r0"), [np.zeros(256, np.uint32)], block=32, grid=8))
    launch(WRITES.format(0, "%r0"), [np.zeros(256, np.uint32)], block=32, grid=8)
    launch(WRITES.format(6, "%r1"), [np.zeros(256, np.uint32)], block=32, grid=8)


def test_ctas_of_different_batches() -> None:
    """64 CTAs of 1024 threads do not run together; what earlier ones stored still races."""
    body = (
        INDEX
        + "ld.param.u64 %rd1, [p0]; and.b32 %r1, %r0, 0x7fff; mad.wide.u32 %rd1, %r1, 4, %rd1; st.global.u32 [%rd1], %r100; ret;"
    )
    out = [np.zeros(1 << 16, np.uint32)]
    assert "an earlier CTA" in str(race(body, out, block=1024, grid=64))
    launch(body.replace("0x7fff", "0xffff"), out, block=1024, grid=64)


def test_clusters() -> None:
    body = (
        """.shared .align 4 .b8 s[256];"""
        + INDEX
        + """mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1; mov.u32 %r4, s; mad.lo.u32 %r4, %r1, 4, %r4;
    st.shared.u32 [%r4], %r0; barrier.cluster.arrive{order}; barrier.cluster.wait; mapa.shared::cluster.u32 %r5, %r4, %r3;
    ld.shared::cluster.u32 %r6, [%r5]; {end} st.shared.u32 [%r4], %r6; barrier.cluster.arrive; barrier.cluster.wait; ret;"""
    )
    end = "barrier.cluster.arrive; barrier.cluster.wait;"
    more: dict[str, Any] = {"block": 64, "grid": 4, "cluster": 2, "target": "sm_90"}
    launch(body.format(order="", end=end), [], **more)
    assert " read" in str(race(body.format(order="", end=""), [], **more))
    assert " wrote" in str(race(body.format(order=".relaxed", end=end), [], **more))


FLAG = (
    INDEX
    + """ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; mov.u32 %r2, %tid.x; mad.wide.u32 %rd2, %r2, 4, %rd1;
    @%p1 bra reader; st.global.u32 [%rd2+16], %r2; bar.sync 0; setp.ne.u32 %p2, %r2, 0; @%p2 ret; {write} ret;
    reader: setp.ne.u32 %p2, %r2, 0; @%p2 bra go; again: {read} setp.eq.u32 %p3, %r3, 0; @%p3 bra again; {after}
    go: bar.sync 0; ld.global.u32 %r4, [%rd2+16]; st.global.u32 [%rd2+1040], %r4; ret;"""
)
FENCE = "fence.acq_rel.gpu;"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("write", "read", "after", "clean"),
    [
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];", "", True),
        ("st.relaxed.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];", "", False),
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.relaxed.gpu.global.u32 %r3, [%rd1];", "", False),
        ("st.release.gpu.global.u32 [%rd1], 1;", "ld.relaxed.gpu.global.u32 %r3, [%rd1];", FENCE, True),
        (FENCE + "st.volatile.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r3, [%rd1];", "membar.gl;", True),
        ("st.volatile.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r3, [%rd1];", "membar.gl;", False),
        ("membar.gl; st.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r3, [%rd1];", "membar.gl;", False),
        ("atom.add.release.gpu.global.u32 %r3, [%rd1], 1;", "atom.add.acquire.gpu.global.u32 %r3, [%rd1], 0;", "", True),
        ("atom.add.global.u32 %r3, [%rd1], 1;", "atom.add.acquire.gpu.global.u32 %r3, [%rd1], 0;", "", False),
        (FENCE + "red.add.global.u32 [%rd1], 1;", "ld.relaxed.gpu.global.u32 %r3, [%rd1];", FENCE, True),
    ],
)  # fmt: skip
def test_flags(write: str, read: str, after: str, clean: bool) -> None:
    body, out = FLAG.format(write=write, read=read, after=after), np.zeros(400, np.uint32)
    if not clean:
        race(body, [out], block=64, grid=2)
        return
    launch(body, [out], block=64, grid=2)
    assert (out[260:324] == np.arange(64)).all()


LOCK = (
    INDEX
    + """ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; {who} setp.ne.u32 %p1, %r2, 0; @%p1 bra done;
    lock: {take} setp.ne.u32 %p2, %r3, 0; @%p2 bra lock; {first}
    ld.{space}.u32 %r4, [{at}+8]; add.u32 %r4, %r4, 1; st.{space}.u32 [{at}+8], %r4; {second} {give}
    done: ret;"""
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("take", "first", "second", "give", "clean"),
    [
        (
            "atom.{space}.cas.b32 %r3, [{at}], 0, 1;",
            "membar.gl;",
            "membar.gl;",
            "atom.{space}.exch.b32 %r5, [{at}], 0;",
            True,
        ),
        ("atom.acquire.gpu.{space}.cas.b32 %r3, [{at}], 0, 1;", "", "", "st.release.gpu.{space}.u32 [{at}], 0;", True),
        (
            "atom.acq_rel.gpu.{space}.cas.b32 %r3, [{at}], 0, 1;",
            "",
            "membar.gl;",
            "st.volatile.{space}.u32 [{at}], 0;",
            True,
        ),
        ("atom.{space}.cas.b32 %r3, [{at}], 0, 1;", "", "membar.gl;", "atom.{space}.exch.b32 %r5, [{at}], 0;", False),
        ("atom.{space}.cas.b32 %r3, [{at}], 0, 1;", "membar.gl;", "", "atom.{space}.exch.b32 %r5, [{at}], 0;", False),
    ],
)
@pytest.mark.parametrize("space", ["global", "shared"])
def test_locks(take: str, first: str, second: str, give: str, clean: bool, space: str) -> None:
    """CTAs, or the warps of one, count under a lock."""
    where = {"space": space, "at": "%rd1" if space == "global" else "s"}
    who = "mov.u32 %r2, %r1;" if space == "global" else "and.b32 %r2, %r1, 31;"
    body = LOCK.format(
        who=who, take=take.format(**where), first=first, second=second, give=give.format(**where), **where
    )
    grid, block = (16, 64) if space == "global" else (1, 256)
    out = np.zeros(4, np.uint32)
    if space == "shared":
        body = (
            ".shared .align 4 .b8 s[16]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s], 0; @%p1 st.shared.u32 [s+8], 0; bar.sync 0;"
            + body
        )
    if not clean:
        assert race(body, [out], block=block, grid=grid)
        return
    launch(body, [out], block=block, grid=grid)
    assert space == "shared" or out[2] == grid


def test_a_strong_load_that_may_come_before_the_first_store() -> None:
    body = """.shared .align 4 .b8 s[4]; mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r1, 4, %rd1;
    @%p1 st.volatile.shared.u32 [s], 7; bar.sync 0; ld.volatile.shared.u32 %r2, [s]; st.global.u32 [%rd1], %r2; ret;"""
    launch(body, [np.zeros(64, np.uint32)], block=64)
    with pytest.raises(KernelFault, match="may read the flag before anything has written it") as caught:
        launch(body.replace("bar.sync 0;", ""), [np.zeros(64, np.uint32)], block=64)
    assert caught.value.kind == "uninitialised-memory"


def test_another_flag_orders_nothing() -> None:
    write, read = "st.release.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];"
    body = FLAG.format(
        write=write + "st.release.gpu.global.u32 [%rd1+4], 1;", read=read.replace("%rd1", "%rd1+4"), after=""
    )
    launch(body, [np.zeros(400, np.uint32)], block=64, grid=2)
    wrong = body.replace(
        "bar.sync 0; setp.ne.u32 %p2, %r2, 0; @%p2 ret;",
        "setp.eq.u32 %p2, %r2, 63; @%p2 st.release.gpu.global.u32 [%rd1+4], 1; bar.sync 0; ret;",
    )
    with pytest.raises(KernelFault) as caught:
        launch(wrong, [np.zeros(400, np.uint32)], block=64, grid=2)
    assert caught.value.kind == "race"


@pytest.mark.sample(1)
@pytest.mark.parametrize("kernel", ["lookback_fence", "lookback_acquire"])
def test_decoupled_look_back(kernel: str) -> None:
    ctas = draws(12, 40)
    values = np.random.default_rng(0).integers(-1000, 1000, ctas * 128, dtype=np.int32)
    out, sums, prefixes, states = np.zeros_like(values), *np.zeros((3, ctas), np.int32)
    run(FLAGS, kernel, ctas, 128, [values, out, sums, prefixes, states])
    assert (out == values.cumsum()).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["int", "double", "pair"])
def test_look_back_of_cub(kind: str) -> None:
    """Tile states of one and of two words, which relaxed accesses publish whole; plain ones race."""
    source, tiles = (KERNELS / "lookback_sm_80.ptx").read_text(), 20
    shape = (128 * tiles, 2) if kind == "pair" else (128 * tiles,)
    values = np.random.default_rng(1).integers(-50, 50, shape).astype(np.float64 if kind == "double" else np.int32)
    out, states = np.zeros_like(values), np.zeros(1 << 12, np.uint8)
    module = weft.parse(source)
    run(module, f"prepare_{kind}", 1, 128, [states, tiles])
    clean = states.copy()
    run(module, f"scan_{kind}", tiles, 128, [values, out, states, tiles])
    if kind == "pair":
        assert (out == np.stack([values[:, 0].cumsum(), np.maximum.accumulate(values[:, 1])], axis=1)).all()
    else:
        assert (out == values.cumsum()).all()
    plain = weft.parse(source.replace(".relaxed.gpu.", ".global."))
    with pytest.raises(KernelFault) as caught:
        run(plain, f"scan_{kind}", tiles, 128, [values, out, clean, tiles])
    assert caught.value.kind == "race"


def rolled(data: Array) -> Array:
    for _ in range(3):
        data = np.roll(data, -128) + 1
    return data


@pytest.mark.slow
def test_barrier_of_the_grid() -> None:
    data, other, counter = np.arange(512, dtype=np.int32), np.zeros(512, np.int32), np.zeros(1, np.int32)
    want = rolled(data)
    run(FLAGS, "grid_barrier", 4, 128, [data, other, counter])
    assert (other == want).all()
    counter[0] = 0
    with pytest.raises(KernelFault) as caught:
        run(FLAGS, "grid_barrier_unfenced", 4, 128, [data, other, counter])
    assert caught.value.kind == "race"


@pytest.mark.parametrize("kernel", ["hand_over_fenced", "hand_over_no_release", "hand_over_no_acquire"])
def test_handing_over(kernel: str) -> None:
    values = np.arange(64, dtype=np.int32)
    box, flag, out = np.zeros_like(values), np.zeros(1, np.int32), np.zeros_like(values)
    if kernel != "hand_over_fenced":
        with pytest.raises(KernelFault) as caught:
            run(FLAGS, kernel, 2, 64, [values, box, flag, out])
        assert caught.value.kind == "race"
        return
    run(FLAGS, kernel, 2, 64, [values, box, flag, out])
    assert (out == values * 3).all()


def test_buffers_that_are_only_read_are_not_watched() -> None:
    """Whatever the addresses that a kernel computes, what it may store through is found from its instructions."""
    from weft.sim.stores import stored_parameters

    class Reached:
        def __init__(self, text: str) -> None:
            self.kernel = weft.parse(text).kernels[0]
            self.functions = {"k": self.kernel}

    def stored(body: str) -> Any:
        header = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 a, .param .u64 b, .param .u64 c)"
        registers = ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .pred %p;"
        return stored_parameters(Reached(f"{header}{{{registers}{body} ret;}}"))  # pyright: ignore

    load = "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.global.u32 %r1, [%rd1];"
    assert stored(load + "add.u64 %rd4, %rd2, 8; cvta.to.global.u64 %rd5, %rd4; st.global.u32 [%rd5], %r1;") == {"b"}
    assert stored(load + "selp.b64 %rd4, %rd2, %rd3, %p; red.global.add.u32 [%rd4], 1;") == {"b", "c"}
    again = "again: st.global.u32 [%rd6], 1; " + load + "mov.u64 %rd5, %rd3; {} mov.u64 %rd6, %rd5; @%p bra again;"
    assert stored(again.format("")) == {"c"}
    assert stored(again.format("mov.u64 %rd6, %rd2;")) == {"c"}
    assert stored(again.format("mov.u64 %rd6, %rd2; @%p bra again;")) == {"b", "c"}
    assert stored(again.format("mov.u64 %rd6, %rd2;").replace(" mov.u64 %rd6, %rd5", " @%p mov.u64 %rd6, %rd5")) == {
        "b",
        "c",
    }
    assert stored(
        load + "add.u64 %rd2, %rd2, 8; ld.global.u32 %r1, [%rd1]; mov.u64 %rd1, %rd2; st.global.u32 [%rd1], 1;"
    ) == {"b"}
    assert stored(load + "ld.global.u64 %rd4, [%rd1]; st.global.u32 [%rd4], 1;") is None
    assert stored(load + "mov.u64 %rd4, a; ld.param.u64 %rd5, [%rd4]; st.global.u32 [%rd5], 1;") is None
    assert stored(load) == frozenset()


REDUNDANT = (
    "mov.u32 %r0, %tid.x; mov.u32 %r6, %ntid.x; mov.u32 %r7, %ctaid.x; mad.lo.u32 %r0, %r6, %r7, %r0; and.b32 %r5, %r0, 31; mul.wide.u32 %rd3, %r5, 4; ld.param.u64 %rd1, [p0]; add.s64 %rd2, %rd1, %rd3;"
    "setp.lt.u32 %p1, %r0, {owners}; ld.global.u32 %r1, [%rd2]; {use} @%p1 st.global.u32 [%rd2], %r2; {more} ret;"
)
TWICE = "shl.b32 %r2, %r1, 1;"
LATE = (  # the later a warp is, the longer it waits before it loads
    "shr.u32 %r4, %r0, 5; shl.b32 %r4, %r4, 4; wait: sub.u32 %r4, %r4, 1; setp.gt.s32 %p3, %r4, 0; @%p3 bra wait; "
)
WHEN = pytest.mark.parametrize("late", [False, True], ids=["first", "late"])
CTAS = pytest.mark.parametrize("ctas", [1, 2], ids=["cta", "cluster"])


def _when(late: bool, body: str) -> str:
    return body.replace("ld.global", LATE + "ld.global", 1) if late else body


BRANCH = "setp.eq.u32 %p2, %r1, 9; shl.b32 %r2, %r1, 1; @%p2 bra {to}; {odd} out:"


@pytest.mark.sample(9)
@pytest.mark.parametrize(
    "use",
    [
        TWICE,
        TWICE + "setp.eq.u32 %p2, %r1, 9; @%p2 mov.u32 %r2, 18;",
        BRANCH.format(to="out", odd="xor.b32 %r3, %r2, 0;"),
        BRANCH.format(to="other", odd="mov.u32 %r3, 1; bra out; other: mov.u32 %r3, 2;"),
        BRANCH.format(to="out", odd="setp.gt.u32 %p2, %r1, 20; @%p2 bra out; mov.u32 %r3, 1;"),
        "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; shfl.sync.bfly.b32 %r3, %r3, 1, 31, -1; add.u32 %r2, %r3, %r1;",
        "vote.sync.ballot.b32 %r3, %p1, -1; shl.b32 %r2, %r1, 1;",
    ],
)
@pytest.mark.parametrize("warps", [2, 4, 8])
@CTAS
@WHEN
def test_loads_for_nothing(warps: int, use: str, late: bool, ctas: int) -> None:
    """All warps load what one of them stores, before or after it: the others use what they have seen for nothing."""
    body = _when(late, REDUNDANT.format(owners=32, use=use, more=""))
    x = np.arange(32, dtype=np.uint32)
    launch(body, [x], block=32 * warps // ctas, grid=ctas, cluster=ctas, target="sm_90")
    assert (x == 2 * np.arange(32)).all()


@pytest.mark.sample(16)
@pytest.mark.parametrize(
    ("owners", "use", "more"),
    [
        (64, TWICE, ""),
        (32, "add.cc.u32 %r3, %r1, %r1; addc.u32 %r3, 0, 0;" + TWICE, ""),
        (32, BRANCH.format(to="out", odd="st.global.u32 [%rd2+128], %r0;"), ""),
        (32, BRANCH.format(to="out", odd="setp.eq.u32 %p1, %r0, 70;"), ""),
        (32, BRANCH.format(to="out", odd="bar.warp.sync -1;"), ""),
        (
            32,
            BRANCH.format(
                to="out", odd="mov.u32 %r3, 0; again: add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r1; @%p2 bra again;"
            ),
            "",
        ),
        (32, BRANCH.format(to="out", odd="ret;"), ""),
        (32, TWICE, "st.global.u32 [%rd2+128], %r1;"),
        (32, TWICE, "@!%p1 st.global.u32 [%rd2+128], %r1;"),
        (32, TWICE + "mul.wide.u32 %rd4, %r1, 4; add.s64 %rd4, %rd4, %rd1; ld.global.u32 %r3, [%rd4];", ""),
        (32, TWICE, "setp.ge.u32 %p1, %r0, 32; @%p1 st.global.u32 [%rd2+128], %r1;"),
    ],
)
@CTAS
@WHEN
def test_loads_for_something(owners: int, use: str, more: str, late: bool, ctas: int) -> None:
    """Both store, do something else by what they have loaded, store it elsewhere, or use it as an address."""
    race(
        _when(late, REDUNDANT.format(owners=owners, use=use, more=more)),
        [np.arange(64, dtype=np.uint32)],
        block=64 // ctas,
        grid=ctas,
        cluster=ctas,
        target="sm_90",
    )


HALVES = (
    "mov.u32 %r0, %tid.x; and.b32 %r5, %r0, 31; sub.u32 %r4, %r0, 32; setp.lt.u32 %p2, %r4, 16; add.u32 %r4, %r4, 16;"
    "setp.lt.u32 %p1, %r4, 32; @%p2 add.u32 %r5, %r5, 64; mul.wide.u32 %rd3, %r5, 4; ld.param.u64 %rd1, [p0];"
    "add.s64 %rd2, %rd1, %rd3; ld.global.u32 %r1, [%rd2]; {use} @%p1 st.global.u32 [%rd2], %r2; ret;"
)


@pytest.mark.parametrize("use", ["mov.b32 %r2, %r1;", "shfl.sync.bfly.b32 %r2, %r1, {}, 31, -1;"])
def test_loads_for_other_threads_of_the_warp(use: str) -> None:
    """The upper half of warp 1 loads what warp 0 stores: for nothing, but where the lower half is given it and stores."""
    x = np.arange(96, dtype=np.uint32)
    if "shfl" in use:
        race(HALVES.format(use=use.format(16)), [x], block=64, grid=1)
    else:
        launch(HALVES.format(use=use), [x], block=64, grid=1)


POSTED = """mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra look;
st.{how}.u32 [%rd1], 42; {fence}
st.{how}.u32 [%rd1+4], 1; ret;
look: ld.{how}.u32 %r2, [%rd1+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra look; {acquire}
ld.{how}.u32 %r3, [%rd1]; st.global.u32 [%rd1+8], %r3; ret;"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("how", ["volatile.global", "relaxed.gpu.global"])
@pytest.mark.parametrize(("fence", "acquire"), [("", ""), ("membar.gl;", ""), ("", "membar.gl;"), ("membar.gl;",) * 2])
def test_strong_accesses_without_fences_find_older_values(how: str, fence: str, acquire: str) -> None:
    """They do not race; but only fences on both sides make the load find what was stored before the flag."""
    data = np.zeros(3, np.uint32)
    start = "ld.param.u64 %rd1, [p0]; "
    launch(start + POSTED.format(how=how, fence=fence, acquire=acquire), [data], 1, 2)
    assert data[2] == (42 if fence and acquire else 0)


@pytest.mark.parametrize("update", [False, True])
@pytest.mark.parametrize("how", ["volatile.global", "relaxed.gpu.global"])
def test_one_flag_is_never_read_backwards(how: str, update: bool) -> None:
    """Loads of one thread find values of a flag in the order of the stores, older ones among them."""
    change = "atom.relaxed.gpu.global.add.u32 %r2, [%rd1], 1;"
    writes = "".join(change if update else f"st.{how}.u32 [%rd1], {n};" for n in range(1, 5))
    reads = "".join(f"ld.{how}.u32 %r3, [%rd1]; st.global.u32 [%rd1+{8 + 4 * n}], %r3;" for n in range(8))
    start = "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra look;"
    wait = f"look: ld.{how}.u32 %r2, [%rd1+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra look;"
    data = np.zeros(10, np.uint32)
    launch(f"{start} {writes} st.{how}.u32 [%rd1+4], 1; ret; {wait} {reads} ret;", [data], 1, 2)
    found = data[2:].tolist()
    assert found == sorted(found) and found[0] < 4 and found[-1] == 4, found


@pytest.mark.parametrize("more", [0, 2, 4, 6])
def test_accesses_of_32_bytes_fit_what_is_kept_of_memory(more: int) -> None:
    words = "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"
    text = f""".version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 p) {{
.reg .b64 %rd; .reg .b32 %r<10>; .reg .b16 %h;
ld.param.u64 %rd, [p]; mov.u32 %r8, %tid.x; mov.u32 %r9, %ctaid.x; mad.lo.u32 %r8, %r9, 32, %r8;
mad.wide.u32 %rd, %r8, 32, %rd; ld.global.u8 %h, [%rd+3];
ld.global.v8.b32 {words}, [%rd]; st.global.v8.b32 [%rd], {words}; ld.global.v8.b32 {words}, [%rd];
ret;
}}
"""
    run(weft.parse(text), "k", 2, 32, [np.zeros(8 * 64 + more, np.uint32)])


@pytest.mark.parametrize("threads", [32, 64])
def test_copies_of_a_sum_that_were_rounded_differently(threads: int) -> None:
    """All threads store their copy of a sum to one place: a note, where the copies differ by rounding; else a race."""
    text = """mov.u32 %r1, %tid.x; and.b32 %r1, %r1, {apart}; add.u32 %r1, %r1, {base};
mov.u32 %r2, s; st.shared.b32 [%r2], %r1; bar.sync 0; ld.shared.b32 %r3, [%r2]; st.global.b32 [%rd1], %r3; ret;"""
    start = ".shared .align 4 .b8 s[4]; ld.param.u64 %rd1, [p0]; "
    ulp, sums = text.format(apart=1, base=0x4201_9825), np.zeros(1, np.uint32)
    found = launch(start + ulp, [sums], block=threads).findings
    assert [(fault.kind, fault.severity) for fault in found] == [("race", Severity.NOTE)] * len(found)
    assert found
    assert "rounded differently" in found[0].hint
    assert sums[0] in (0x4201_9825, 0x4201_9826)
    assert race(start + text.format(apart=1, base=5), [sums], block=threads).severity is Severity.ERROR  # No floats.
    race(start + text.format(apart=0x10_0000, base=0x4201_9825).replace("%tid.x", "%tid.x; shl.b32 %r1, %r1, 20"),
         [sums], block=threads)  # fmt: skip
