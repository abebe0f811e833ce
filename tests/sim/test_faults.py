"""Each class of fault: a kernel with the bug planted is caught, the same kernel without it runs clean."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, REGISTERS, kernel, launch
from weft.sim import Async, KernelFault, UnsupportedInstruction, faults, run

OUT = INDEX + "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd1;\n"


def fault(body: str, arguments: list[Any] | None = None, **more: Any) -> KernelFault:
    out = [np.zeros(64, np.uint32)] if arguments is None else arguments
    with pytest.raises(KernelFault) as caught:
        launch(body, out, **more)
    return caught.value


def clean(body: str, arguments: list[Any] | None = None, **more: Any) -> None:
    launch(body, [np.zeros(64, np.uint32)] if arguments is None else arguments, **more)


def test_out_of_bounds() -> None:
    body = OUT + "st.global.u32 [%rd2+{}], %r0; ret;"
    clean(body.format(128))
    found = fault(body.format(132))
    assert found.kind == "out-of-bounds"
    assert found.thread is not None
    assert found.thread.tid == (31, 0, 0)
    assert "offset 256 of argument p0, which has 256 bytes" in str(found)
    assert "st.global.u32" in str(found)
    assert found.position.line > 0
    assert "4 bytes before argument p0" in str(fault(OUT + "ld.global.u32 %r1, [%rd2+-4]; ret;"))
    assert "address 0 is not a pointer" in str(fault("mov.u64 %rd1, 0; ld.global.u32 %r1, [%rd1]; ret;"))


def test_far_out_of_bounds_names_the_buffer_that_was_meant() -> None:
    assert "offset 4096 of argument p0, which has 256 bytes" in str(fault(OUT + "st.global.u32 [%rd2+4096], %r0; ret;"))


def test_addresses_that_are_numbers() -> None:
    """With a number added or without: those of the buffers are where they always are."""
    data = np.arange(8, dtype=np.uint32)
    launch(
        f"ld.param.u64 %rd1, [p0]; ld.global.u32 %r1, [{0x700000000100:#x}+12]; st.global.u32 [%rd1], %r1; ret;",
        [data],
        1,
    )
    assert data.tolist() == [3, *range(1, 8)]
    for access, address in (
        ("ld.global.u32 %r1, [1234+6];", 1240),
        ("ld.shared.u32 %r1, [1236+8];", 1244),
        ("ld.u32 %r1, [-8];", -8),
    ):
        found = fault(access + " ret;")
        assert (found.kind, found.address) == ("out-of-bounds", address)


def test_generic_addresses_of_what_must_be_shared() -> None:
    body = ".shared .align 16 .b8 s[128]; .local .align 16 .b8 d[128];" + OUT
    body += "st.shared.v4.u32 [s], {{0, 0, 0, 0}}; bar.warp.sync -1; mov.u64 %rd3, {}; cvta.{}.u64 %rd3, %rd3;"
    load = "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%rd3]; ret;"
    store = "mov.u32 %r9, 7; stmatrix.sync.aligned.m8n8.x1.b16 [%rd3], {%r9}; ret;"
    barrier = "setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.b64 [%rd3], 1; ret;"
    for rest in (load, store, barrier):
        clean(body.format("s", "shared") + rest, target="sm_90")
        assert fault(body.format("d", "local") + rest, target="sm_90").kind == "out-of-bounds"
    for rest in (load, store, barrier):
        assert fault(OUT + rest.replace("%rd3", "%rd1"), target="sm_90").kind == "out-of-bounds"


def test_out_of_bounds_in_shared_and_local_memory() -> None:
    body = ".shared .align 4 .b8 s[64]; .local .align 4 .b8 d[16];" + INDEX
    clean(body + "st.shared.u32 [s+60], 1; st.local.u32 [d+12], %r0; ret;")
    assert fault(body + "st.shared.u32 [s+64], %r0; ret;").kind == "out-of-bounds"
    assert fault(body + "mov.u64 %rd1, d; st.local.u32 [%rd1+4096], %r0; ret;").kind == "out-of-bounds"


def test_out_of_bounds_in_parameters_and_constants() -> None:
    extra = ".const .align 4 .b8 table[16];"
    body = INDEX + "mov.u64 %rd3, table; ld.const.u32 %r1, [%rd3+{}]; ld.param.u64 %rd1, [p0{}]; ret;"
    clean(body.format(12, ""), extra=extra)
    assert "variable table, which has 16 bytes" in str(fault(body.format(16, ""), extra=extra))
    found = fault(body.format(0, "+8"), extra=extra)
    assert found.kind == "out-of-bounds"
    assert "parameter p0, which has 8 bytes" in str(found)


def test_misaligned_in_shared_and_local_memory() -> None:
    body = ".shared .align 16 .b8 s[64]; .local .align 16 .b8 d[64]; st.shared.v2.u32 [s+{}], {{1, 2}}; st.local.u64 [d+{}], 3; ret;"
    clean(body.format(8, 16))
    for offsets in ((4, 16), (8, 12)):
        found = fault(body.format(*offsets))
        assert found.kind == "misaligned"
        assert found.address is not None
        assert found.address % 8 == 4


def test_misaligned() -> None:
    body = OUT + "ld.global.v2.u32 {{%r1, %r2}}, [%rd1+{}]; ret;"
    clean(body.format(8))
    found = fault(body.format(4))
    assert found.kind == "misaligned"
    assert found.address is not None
    assert found.address % 8 == 4


def test_read_only() -> None:
    fixed = np.zeros(64, np.uint32)
    fixed.flags.writeable = False
    clean(OUT + "ld.global.u32 %r1, [%rd2]; ret;", [fixed])
    assert fault(OUT + "st.global.u32 [%rd2], %r0; ret;", [fixed]).kind == "read-only"


def test_uninitialised_register() -> None:
    body = OUT + "setp.lt.u32 %p1, %r0, 20; @%p1 mov.u32 %r1, 5; {} st.global.u32 [%rd2], %r1; ret;"
    clean(body.format("@!%p1 mov.u32 %r1, 6;"))
    found = fault(body.format(""))
    assert found.kind == "uninitialised-register"
    assert "%r1" in str(found)
    assert found.thread is not None
    assert found.thread.lane == 20
    clean(body.format("").replace("st.global", "@%p1 st.global"))
    clean(body.format(""), check="fast")


def test_uninitialised_register_copies_are_followed() -> None:
    body = OUT + "mov.u32 %r5, %r6; {} st.global.u32 [%rd2], %r5; ret;"
    assert fault(body.format("")).kind == "uninitialised-register"
    clean(body.format("mov.u32 %r5, 1;"))


def test_uninitialised_shared_memory() -> None:
    body = (
        ".shared .align 4 .b8 s[256];"
        + OUT
        + """mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r1, %r1, %r2;
    st.shared.u32 [%r1], %r0; bar.sync 0; ld.shared.u32 %r3, [%r1{}]; st.global.u32 [%rd2], %r3; ret;"""
    )
    clean(body.format(""))
    found = fault(body.format("+4"))
    assert found.kind == "uninitialised-memory"
    assert found.thread is not None
    assert found.thread.lane == 31
    clean(body.format("+4"), check="fast")


COPY = (
    """.shared .align 16 .b8 s[512];"""
    + INDEX
    + """
ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd3, %r0, 16, %rd1; mad.wide.u32 %rd4, %r0, 16, %rd2;
mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 16, %r1;
cp.async.cg.shared.global [%r1], [%rd3], 16; cp.async.commit_group;
{wait}
ld.shared.v4.u32 {{%r2, %r3, %r4, %r5}}, [%r1]; st.global.v4.u32 [%rd4], {{%r2, %r3, %r4, %r5}}; ret;"""
)


@pytest.mark.parametrize("wait", ["cp.async.wait_group 0;", "cp.async.wait_all;"])
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
def test_asynchronous_copy_with_its_wait(wait: str, policy: Async) -> None:
    a, out = np.arange(128, dtype=np.uint32), np.zeros(128, np.uint32)
    launch(COPY.format(wait=wait), [a, out], async_=policy)
    assert (a == out).all()


@pytest.mark.parametrize("wait", ["", "cp.async.wait_group 1;", "bar.sync 0;"])
def test_missing_wait_is_caught_whenever_the_copy_moves(wait: str) -> None:
    a, out = np.arange(128, dtype=np.uint32), np.zeros(128, np.uint32)
    launch(COPY.format(wait=wait), [a, out], async_="eager", check="fast")
    assert (a == out).all()
    assert fault(COPY.format(wait=wait), [a, out], async_="eager").kind == "race"
    found = fault(COPY.format(wait=wait), [a, np.zeros(128, np.uint32)], async_="lazy")
    assert found.kind == "asynchronous-read"
    launch(COPY.format(wait=wait), [a, out], async_="lazy", check="fast")
    assert (out == 0xFFFFFFFF).all()


def test_wait_without_commit() -> None:
    text = COPY.format(wait="cp.async.wait_group 0;").replace("cp.async.commit_group;", "")
    assert (
        fault(text, [np.arange(128, dtype=np.uint32), np.zeros(128, np.uint32)], async_="lazy").kind
        == "asynchronous-read"
    )


@pytest.mark.parametrize("size", [4, 8, 16])
def test_partial_copies_fill_with_zeros(size: int) -> None:
    a, out = np.arange(1, 33 * size, dtype=np.uint8), np.full(32 * size, 7, np.uint8)
    body = (
        ".shared .align 16 .b8 s[512];"
        + INDEX
        + f"""
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd3, %r0, {size}, %rd1; mad.wide.u32 %rd4, %r0, {size}, %rd2;
    mov.u32 %r1, s; mad.lo.u32 %r1, %r0, {size}, %r1; rem.u32 %r2, %r0, {size + 1};
    cp.async.ca.shared.global [%r1], [%rd3], {size}, %r2; cp.async.wait_all;
    mov.u32 %r4, 0; again: add.u32 %r5, %r1, %r4; ld.shared.u8 %r6, [%r5]; cvt.u64.u32 %rd5, %r4; add.u64 %rd6, %rd4, %rd5;
    st.global.u8 [%rd6], %r6; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, {size}; @%p1 bra again; ret;"""
    )
    launch(body, [a, out], async_="lazy")
    for lane in range(32):
        kept = lane % (size + 1)
        piece = a[lane * size : lane * size + size]
        assert out[lane * size : (lane + 1) * size].tolist() == [*piece[:kept].tolist(), *([0] * (size - kept))]


RACE = (
    """.shared .align 4 .b8 s[256];"""
    + OUT
    + """
mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 4, %r1; xor.b32 %r3, %r0, 32; mad.lo.u32 %r3, %r3, 4, %r1;
st.shared.u32 [%r2], %r0; {first} ld.shared.u32 %r4, [%r3]; {second} st.shared.u32 [%r2], %r4; st.global.u32 [%rd2], %r4; ret;"""
)


def test_races_between_warps() -> None:
    barrier = "bar.sync 0;"
    clean(RACE.format(first=barrier, second=barrier), block=64)
    found = fault(RACE.format(first="", second=barrier), block=64)
    assert found.kind == "race"
    assert " wrote" in str(found)
    found = fault(RACE.format(first=barrier, second=""), block=64)
    assert found.kind == "race"
    assert "overwrites what warp" in str(found)
    clean(RACE.format(first=barrier, second=""), block=64, check="fast")
    near, meet = RACE.replace("xor.b32 %r3, %r0, 32", "xor.b32 %r3, %r0, 1"), "bar.warp.sync -1;"
    clean(near.format(first=meet, second=meet), block=64)
    for first, second in ((meet, ""), ("", meet), ("vote.sync.any.pred %p1, 1, -1;", meet)):
        found = fault(near.format(first=first, second=second), block=32)
        assert found.kind == "race"
        assert "of the same warp" in str(found)
        assert "bar.warp.sync" in found.hint


def test_races_of_stores() -> None:
    body = (
        ".shared .align 4 .b8 s[256];"
        + OUT
        + "shr.u32 %r1, %r0, {}; mov.u32 %r2, s; mad.lo.u32 %r1, %r1, 4, %r2; st.shared.u32 [%r1], %r0; ret;"
    )
    clean(body.format(0), block=64)
    assert fault(body.format(6), block=64).kind == "race"
    clean(body.format(6).replace("[%r1], %r0", "[%r1], 7"), block=64)
    clean(
        body.replace(
            "st.shared.u32 [%r1], %r0", "st.shared.u32 [%r1], 0; bar.sync 0; red.shared.add.u32 [%r1], 1"
        ).format(0),
        block=64,
    )


def test_named_barriers_order_only_those_who_meet() -> None:
    """Warps 0 and 1 meet at barrier 1; warp 2 reads without having met them."""
    body = (
        ".shared .align 4 .b8 s[4];"
        + OUT
        + """setp.ge.u32 %p1, %r0, 64; @%p1 bra third; setp.eq.u32 %p2, %r0, 0; @%p2 st.shared.u32 [s], 7;
    bar.sync 1, 64; ld.shared.u32 %r1, [s]; {} ret; third: {} ld.shared.u32 %r1, [s]; ret;"""
    )
    clean(body.format("bar.arrive 2, 96;", "bar.sync 2, 96;"), block=96)
    assert fault(body.format("", ""), block=96).kind in ("race", "uninitialised-memory")


SKIPPED = OUT + "setp.{} %p1, %r0, {}; @%p1 bra skip; bar.sync 0; skip: {} ret;"
STORES = "mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], 1;"


def test_skipped_barriers() -> None:
    """Threads that return early count as arrived; those that go around a barrier and do more have skipped it."""
    for count, kind in ((16, "divergent-collective"), (32, "barrier")):
        clean(SKIPPED.format("lt.u32", count, ""), block=64)
        assert fault(SKIPPED.format("lt.u32", count, STORES), block=64).kind == kind
        assert fault(SKIPPED.format("ge.u32", 64 - count, STORES), block=64).kind == kind
        clean(SKIPPED.format("ge.u32", 64, STORES), block=64)
        early = OUT + f"setp.lt.u32 %p1, %r0, {count}; {STORES} @%p1 ret; bar.sync 0; st.global.u32 [%rd1], 2; ret;"
        clean(early, block=64)


def test_divergent_barrier() -> None:
    body = OUT + "setp.{} %p1, %r0, 16; @%p1 bra skip; bar.sync 0; skip: bar.sync 0; ret;"
    clean(body.format("ge.u32").replace("%r0, 16", "%r0, 999"), block=64)
    assert fault(body.format("lt.u32"), block=64).kind == "divergent-collective"


def test_barrier_that_never_completes() -> None:
    body = (
        OUT
        + "shr.u32 %r1, %r0, 5; setp.eq.u32 %p1, %r1, 2; @%p1 bra other; bar.sync 0; ret; other: bar.sync 1, 96; ret;"
    )
    found = fault(body, [np.zeros(96, np.uint32)], block=96)
    assert found.kind == "deadlock"
    text = str(found)
    assert "warp 0-1" in text
    assert "at barrier 0 (64 of the CTA's 96 threads have arrived; missing: warp 2)" in text
    assert "at barrier 1 (32 of 96 expected threads have arrived; missing: warp 0-1)" in text
    clean(body.replace("setp.eq.u32 %p1, %r1, 2", "setp.eq.u32 %p1, %r1, 9"), [np.zeros(96, np.uint32)], block=96)


def test_barrier_counts() -> None:
    assert fault(OUT + "bar.sync 0, 48; ret;", block=64).kind == "barrier"
    assert fault(OUT + "bar.arrive 1, 96; bar.arrive 1, 96; ret;", block=32).kind == "barrier"


def test_membermask() -> None:
    body = OUT + "setp.lt.u32 %p1, %r0, {}; @%p1 bra part; ret; part: shfl.sync.idx.b32 %r1, %r0, 0, 31, {}; ret;"
    clean(body.format(16, "0xffff"))
    assert fault(body.format(17, "0xffff")).kind == "membermask"
    waits = (
        OUT + "setp.lt.u32 %p1, %r0, 16; @%p1 bra part; bar.sync 1; ret; part: vote.sync.any.pred %p2, %p1, -1; ret;"
    )
    assert fault(waits).kind in ("membermask", "divergent-collective")
    differs = OUT + "selp.b32 %r1, 0xffff, -1, %p1; redux.sync.add.u32 %r2, %r0, %r1; ret;"
    assert fault(OUT + "setp.lt.u32 %p1, %r0, 16;" + differs[len(OUT) :]).kind == "membermask"


def test_matrix_instruction_in_part_of_a_warp() -> None:
    body = (
        ".shared .align 16 .b8 s[128];"
        + OUT
        + """and.b32 %r9, %r0, 7; mov.u32 %r1, s; mad.lo.u32 %r1, %r9, 16, %r1;
    st.shared.v4.u32 [%r1], {{%r9, %r9, %r9, %r9}}; bar.warp.sync -1; setp.lt.u32 %p1, %r0, {};
    @%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r2}}, [%r1]; ret;"""
    )
    clean(body.format(32))
    found = fault(body.format(20))
    assert found.kind in ("divergent-collective", "deadlock")


def test_trap_and_stack() -> None:
    found = fault(OUT + "setp.eq.u32 %p1, %r0, 7; @%p1 trap; ret;")
    assert found.kind == "trap"
    assert found.thread is not None
    assert found.thread.tid == (7, 0, 0)
    endless = ".func down(.reg .b32 n) { .reg .b32 %r<2>; add.u32 %r1, n, 1; call down, (%r1); ret; }"
    assert fault("mov.u32 %r1, 0; call down, (%r1); ret;", extra=endless).kind == "stack"


def test_bad_calls() -> None:
    assert fault("list: .branchtargets a, b; mov.u32 %r1, 2; brx.idx %r1, list; a: b: ret;").kind == "call"
    some = ".func some() { ret; }"
    body = "mov.u64 %rd1, some; add.u64 %rd1, %rd1, {}; list: .calltargets some; call %rd1, list; ret;"
    clean(body.format(0), extra=some)
    assert fault(body.format(4), extra=some).kind == "call"


MBARRIER = (
    """.shared .align 8 .b8 bar[8]; .shared .align 4 .b8 s[128];"""
    + INDEX
    + """
ld.param.u64 %rd1, [p0]; setp.ne.u32 %p1, %r0, 0; @%p1 bra made; mbarrier.init.shared.b64 [bar], 32; made: bar.sync 0;
and.b32 %r1, %r0, 31; mov.u32 %r2, s; mad.lo.u32 %r2, %r1, 4, %r2; setp.ge.u32 %p2, %r0, 32; @%p2 bra producer;
mov.u32 %r5, 0; mov.u32 %r6, 0;
consumer: wait: mbarrier.try_wait.parity.shared.b64 %p3, [bar], %r5; @!%p3 bra wait;
ld.shared.u32 %r4, [%r2]; mad.lo.u32 %r7, %r6, 32, %r1; mad.wide.u32 %rd2, %r7, 4, %rd1; st.global.u32 [%rd2], %r4;
bar.sync 1; xor.b32 %r5, %r5, 1; add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 3; @%p4 bra consumer; ret;
producer: mov.u32 %r6, 0;
again: mad.lo.u32 %r4, %r6, 100, %r1; st.shared.u32 [%r2], %r4; {arrive} bar.sync 1;
add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 3; @%p4 bra again; ret;"""
)


def test_mbarrier_between_warps() -> None:
    out = np.zeros((3, 32), np.uint32)
    body = MBARRIER.format(arrive="mbarrier.arrive.shared.b64 %rd9, [bar];")
    launch(body, [out], block=64, target="sm_90")
    assert (out == np.arange(3)[:, None] * 100 + np.arange(32)).all()
    found = fault(MBARRIER.format(arrive=""), [out], block=64, target="sm_90")
    assert found.kind == "deadlock"
    assert "CTA (0, 0, 0) warp 0: 32 threads wait in mbarrier.try_wait.parity.shared.b64" in str(found)
    assert "at mbarrier 0x0 (phase 0 lacks 32 of 32 arrivals)" in str(found)


def test_mbarrier_state_and_transactions() -> None:
    """Arrivals return the state; expected bytes hold a phase open; test_wait does not wait."""
    out = np.zeros(6, np.uint32)
    body = """.shared .align 8 .b8 bar[8]; ld.param.u64 %rd1, [p0]; mbarrier.init.shared.b64 [bar], 2;
    mbarrier.arrive.shared.b64 %rd2, [bar]; mbarrier.pending_count.b64 %r1, %rd2; mbarrier.test_wait.shared.b64 %p1, [bar], %rd2;
    mbarrier.arrive.expect_tx.shared.b64 _, [bar], 48; mbarrier.test_wait.shared.b64 %p2, [bar], %rd2;
    mbarrier.complete_tx.shared.b64 [bar], 16; mbarrier.test_wait.parity.shared.b64 %p3, [bar], 0;
    mbarrier.complete_tx.shared.b64 [bar], 32; mbarrier.test_wait.parity.shared.b64 %p4, [bar], 0;
    mbarrier.test_wait.shared.b64 %p5, [bar], %rd2;
    """
    for i in range(5):
        body += f"selp.u32 %r{i + 10}, 1, 0, %p{i + 1}; st.global.u32 [%rd1+{4 * i}], %r{i + 10};\n"
    launch(body + "st.global.u32 [%rd1+20], %r1; ret;", [out], block=1, target="sm_90")
    assert out.tolist() == [0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
def test_copies_that_arrive_at_an_mbarrier(policy: Async) -> None:
    a, out = np.arange(32, dtype=np.uint32) * 3, np.zeros(32, np.uint32)
    body = (
        ".shared .align 8 .b8 bar[8]; .shared .align 4 .b8 s[128];"
        + INDEX
        + """
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; setp.ne.u32 %p1, %r0, 0; @!%p1 mbarrier.init.shared.b64 [bar], 32;
    bar.sync 0; setp.ge.u32 %p2, %r0, 32; @%p2 bra reader; mov.u32 %r1, s; mad.lo.u32 %r1, %r0, 4, %r1; mad.wide.u32 %rd3, %r0, 4, %rd1;
    cp.async.ca.shared.global [%r1], [%rd3], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; ret;
    reader: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra reader; and.b32 %r2, %r0, 31;
    mov.u32 %r1, s; mad.lo.u32 %r1, %r2, 4, %r1; ld.shared.u32 %r3, [%r1]; mad.wide.u32 %rd4, %r2, 4, %rd2; st.global.u32 [%rd4], %r3; ret;"""
    )
    launch(body, [a, out], block=64, target="sm_90", async_=policy)
    assert (a == out).all()


def test_unknown_instruction_stops_before_anything_runs() -> None:
    out = np.zeros(32, np.uint32)
    body = (
        OUT
        + "st.global.u32 [%rd2], 1; setp.gt.u32 %p1, %r0, 99; @%p1 bra never; ret; never: shfl.up.b32 %r1, %r0, 1, 0; ret;"
    )
    with pytest.raises(UnsupportedInstruction, match="'shfl.up.b32' is not simulated") as caught:
        run(kernel(REGISTERS + body, ["u64"]), "k", 1, 32, [out])
    assert caught.value.position.line > 0
    assert (out == 0).all()


LOCAL = ".local .align 8 .b8 d[32]; .reg .b32 %i; mov.u32 %i, d;" + OUT


@pytest.mark.parametrize(
    ("store", "load", "whole"),
    [
        ("st.local.u32 [d+4], %r0;", "ld.local.u32 %r1, [d+4];", True),
        ("st.local.u32 [d+4], %r0;", "ld.local.u32 %r1, [d];", False),
        ("st.local.u16 [d], %rs1;", "ld.local.u32 %r1, [d];", False),
        ("setp.ne.u32 %p1, %r0, 9; @%p1 st.local.u32 [d], %r0;", "ld.local.u32 %r1, [%i];", False),
        ("st.local.v2.u32 [d+8], {%r0, %r0};", "ld.local.v4.u32 {%r1, %r2, %r3, %r4}, [d];", False),
        ("st.local.v4.u32 [d], {%r0, %r0, %r0, %r0};", "ld.local.v2.u32 {%r1, %r2}, [%i+8];", True),
    ],
)
def test_unwritten_local_memory(store: str, load: str, whole: bool) -> None:
    body = LOCAL + "cvt.u16.u32 %rs1, %r0;" + store + load + "st.global.u32 [%rd2], %r1; ret;"
    if whole:
        clean(body)
        return
    found = fault(body)
    assert found.kind == "uninitialised-memory"
    assert "local memory" in found.message
    clean(body, check="fast")


def test_shuffles_from_lanes_that_do_not_take_part() -> None:
    shuffle = "shfl.sync.{} %r1, %r0, {}, {};" + "st.global.u32 [%rd2], %r1; ret;"
    gone = OUT + "setp.ge.u32 %p1, %r0, 20; @%p1 ret;"
    clean(gone + shuffle.format("bfly.b32", "3, 31", "0x000fffff"))
    clean(gone + shuffle.format("up.b32", "5, 0", "0x000fffff"))
    found = fault(gone + shuffle.format("down.b32", "4, 31", "0x000fffff"))
    assert found.kind == "inactive-lane"
    assert found.thread is not None
    assert found.thread.lane == 16
    assert "lane 20" in found.message
    clean(gone + shuffle.format("down.b32", "4, 31", "0x000fffff"), check="fast")


def test_register_counts_of_single_warps() -> None:
    """Warps of a warpgroup that have roles of their own reach `setmaxnreg` at different places."""
    body = OUT + "shr.u32 %r1, %r0, 5; setp.eq.u32 %p1, %r1, 0; @%p1 bra first;"
    body += "setmaxnreg.dec.sync.aligned.u32 40; bar.sync 0; ret; first: setmaxnreg.inc.sync.aligned.u32 232; bar.sync 0; ret;"
    clean(body, [np.zeros(128, np.uint32)], block=128, target="sm_90a")


MAYBE = OUT + ".reg .b32 %never; .reg .b16 %half; .reg .pred %none; mov.u32 %r1, 7; cvt.u16.u32 %rs1, %r0;"
"""`%never` and `%half` are written by no thread that anybody could name, so that their bytes are watched."""
NEVER = "setp.gt.u32 %p1, %r0, 99; @%p1 mov.u32 %never, 1; @%p1 mov.u16 %half, 1; @%p1 setp.eq.u32 %none, %r0, 1;"


@pytest.mark.parametrize(
    ("moves", "right"),
    [
        ("mov.b64 %rd5, {%never, %r1}; mov.b64 {%r2, %r3}, %rd5;", "%r3"),
        ("mov.b64 %rd5, {%never, %r1}; mov.b64 {%r3, %r2}, %rd5;", None),
        ("mov.b32 %r2, {%rs1, %half}; mov.b32 {%rs2, %rs3}, %r2; cvt.u32.u16 %r3, %rs2;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; mov.b32 {%rs2, %rs3}, %r2; cvt.u32.u16 %r3, %rs3;", None),
        ("mov.b32 %r2, {%rs1, %half}; cvt.u32.u16 %r3, %rs1; add.u32 %r3, %r3, %r2;", None),
        ("mov.b32 %r2, {%rs1, %half}; cvt.u16.u32 %rs4, %r2; cvt.u32.u16 %r3, %rs4;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; shl.b32 %r3, %r2, 16;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; shl.b32 %r3, %r2, 15;", None),
        ("mov.b32 %r2, {%half, %rs1}; shr.u32 %r3, %r2, 16;", "%r3"),
        ("mov.b32 %r2, {%half, %rs1}; shr.u32 %r3, %r2, 12;", None),
        ("mov.b32 %r2, {%rs1, %half}; shr.s32 %r3, %r2, 24;", None),
        ("mov.b32 %r2, {%rs1, %half}; and.b32 %r3, %r2, 0xffff;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; and.b32 %r3, %r2, 0x1ffff;", None),
        ("mov.b32 %r2, {%rs1, %half}; or.b32 %r3, %r2, 0xffff0000;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; xor.b32 %r3, %r2, 0xffff0000;", None),
        ("prmt.b32 %r3, %never, %r1, 0x7654;", "%r3"),
        ("prmt.b32 %r3, %never, %r1, 0x7650;", None),
        ("mov.b32 %r2, {%rs1, %half}; prmt.b32 %r3, %r2, %r1, 0x5410;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; bfe.u32 %r3, %r2, 4, 12;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; bfe.u32 %r3, %r2, 4, 13;", None),
        ("mov.b32 %r2, {%rs1, %half}; bfi.b32 %r3, %r1, %r2, 16, 16;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; bfi.b32 %r3, %r1, %r2, 0, 16;", None),
        ("setp.ge.u32 %p2, %r0, 0; selp.b32 %r3, %r1, %never, %p2;", "%r3"),
        ("setp.ge.u32 %p2, %r0, 0; selp.b32 %r3, %never, %r1, %p2;", None),
        ("selp.b32 %r3, %r0, %r1, %none;", None),
        ("mov.b32 %r2, {%rs1, %half}; add.u32 %r2, %r2, 5; and.b32 %r3, %r2, 0xffff;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; add.u32 %r2, %r2, 5; and.b32 %r3, %r2, 0x1ffff;", None),
        ("mov.b32 %r2, {%half, %rs1}; sub.u32 %r2, %r2, 5; and.b32 %r3, %r2, 0xffff0000;", None),
        ("mov.b32 %r2, {%rs1, %half}; lop3.b32 %r2, %r2, %r1, 1, 0xf8; and.b32 %r3, %r2, 0xffff;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; not.b32 %r2, %r2; shr.u32 %r3, %r2, 16;", None),
        ("mov.b32 %r2, {%rs1, %half}; mul.lo.u32 %r2, %r2, %r1; and.b32 %r3, %r2, 0xffff;", "%r3"),
        ("mov.b32 %r2, {%rs1, %half}; mul.hi.u32 %r2, %r2, %r1; and.b32 %r3, %r2, 0xffff;", None),
        ("mov.u32 %r2, %never; mov.u32 %r3, %r1;", "%r3"),
        ("mov.u32 %r2, %never; mov.u32 %r3, %r2;", None),
    ],
)
def test_bytes_of_registers_that_nothing_has_written(moves: str, right: str | None) -> None:
    body = MAYBE + NEVER + moves + "st.global.u32 [%rd2], %r3; ret;"
    if right:
        clean(body)
    else:
        assert fault(body).kind == "uninitialised-register"


@pytest.mark.parametrize(
    "use", ["ld.global.u32 %r4, [%rd5];", "@%none mov.u32 %r4, 1;", "@%none bra end;",
            "add.u32 %r4, %never, 1; st.global.u32 [%rd2], %r4;", "st.global.u8 [%rd2], %never;",
            "setp.eq.u32 %p3, %never, 1; @%p3 bra end;", "shl.b32 %r4, %r1, %never; st.global.u8 [%rd2], %r4;",
            "mov.b32 %r4, 1; mul.lo.u32 %r4, %r4, %never; st.global.u32 [%rd2], %r4;",
            "mov.b32 %r4, 1; @!%p1 add.u32 %r4, %r4, %never; st.global.u32 [%rd2], %r4;",
            "cvt.rn.f16x2.f32 %r4, %never, %r1; st.global.u32 [%rd2], %r4;",
            *(f"{op}.pred %p3, %none, %p1; @%p3 bra end;" for op in ("and", "or", "xor")), "not.pred %p3, %none; @%p3 bra end;",
            "shfl.sync.idx.b32 %r4, 7, %never, 31, -1;", "shfl.sync.idx.b32 %r4, %laneid, %never, 31, -1;"],
)  # fmt: skip
def test_uses_of_what_nothing_has_written(use: str) -> None:
    body = MAYBE + NEVER + "mov.b64 %rd5, {%never, %r1};" + use + " end: ret;"
    assert fault(body).kind == "uninitialised-register"


@pytest.mark.parametrize(
    "use", ["add.u32 %r4, %never, 1;", "setp.eq.u32 %p3, %never, 1;", "shl.b32 %r4, %r1, %never; mov.b32 %r5, %r4;",
            "add.u32 %r4, %never, 1; mov.u32 %r4, %r1; st.global.u32 [%rd2], %r4;",
            "cvt.rn.f16x2.f32 %r4, %never, %r1; st.global.u16 [%rd2], %r4;", "and.pred %p3, %none, %p1; not.pred %p3, %none;",
            *(f"setp.ge.u32 %p3, %r0, 0; @%p3 mov.u32 %never, 3; shfl.sync.idx.b32 %r4, {source}, %never, 31, -1; st.global.u32 [%rd2], %r4;"
              for source in ("7", "%laneid", "%r1"))],
)  # fmt: skip
def test_what_is_computed_with_nothing_and_used_for_nothing(use: str) -> None:
    """Compilers fill up vectors with registers that they have not written."""
    clean(MAYBE + NEVER + use + " ret;")


def test_pairs_made_of_pairs_need_their_sources_whole() -> None:
    """Where two numbers become narrower together each is computed of both bytes of its own, and they share a register."""
    made = "mov.b32 %r2, {%rs1, %half}; cvt.rn.satfinite.e4m3x2.f16x2 %rs4, %r2;"
    clean(MAYBE + NEVER + made + " ret;", target="sm_90")
    with pytest.raises(KernelFault, match="computed from %half") as caught:
        clean(MAYBE + NEVER + made + "st.global.u16 [%rd2], %rs4; ret;", target="sm_90")
    assert caught.value.kind == "uninitialised-register"


def test_a_fault_names_what_was_not_written() -> None:
    found = fault(MAYBE + NEVER + "add.u32 %r4, %never, 1; mul.lo.u32 %r5, %r4, 3; st.global.u32 [%rd2], %r5; ret;")
    assert "reads %r5, computed from %never, which the thread has not written" in found.message


def test_bytes_that_a_store_takes() -> None:
    moves = "mov.b32 %r2, {%rs1, %half};"
    clean(MAYBE + NEVER + moves + "st.global.u16 [%rd2], %r2; st.global.u8 [%rd2+1], %r2; ret;")
    assert fault(MAYBE + NEVER + moves + "st.global.u32 [%rd2], %r2; ret;").kind == "uninitialised-register"


GUESS = """.shared .align 4 .b8 s[260]; mov.u32 %r2, s; mad.lo.u32 %r3, %r0, 4, %r2; st.shared.u32 [%r3], %r0; bar.sync 0;
ld.shared.u32 %r4, [%r3+4]; setp.lt.u32 %p1, %r0, {last}; setp.gt.u32 %p2, %r4, 5; and.pred %p3, %p2, %p1;
add.u32 %r4, %r4, 1; selp.u32 %r5, %r4, 0, %p3; {use} ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r5; ret;"""


def test_loads_of_unwritten_bytes_that_nothing_uses() -> None:
    """One word past the last: it is a fault where a branch, an address, a store or a shuffle needs it."""
    out = np.zeros(64, np.uint32)
    launch(INDEX + GUESS.format(last=63, use=""), [out], block=64)
    assert out.tolist() == [i + 2 if 5 < i + 1 < 64 else 0 for i in range(64)]
    for last, use in (
        (64, ""),
        (63, "mov.u32 %r5, %r4;"),
        (63, "@%p2 mov.u32 %r5, 1;"),
        (63, "@%p2 bra go; mov.u32 %r5, 1; go:"),
        (63, "and.b32 %r6, %r4, 4; add.u32 %r6, %r6, %r2; ld.shared.u32 %r5, [%r6];"),
        (63, "shfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;"),
    ):
        with pytest.raises(KernelFault) as caught:
            launch(INDEX + GUESS.format(last=last, use=use), [out], block=64)
        assert caught.value.kind == "uninitialised-memory", use


@pytest.mark.parametrize("large", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_exchange_that_nobody_looks_at(large: bool) -> None:
    """It stores, and no more: also where memory is too large to run the kernel again, as of what is found."""
    body = """.shared .align 4 .b32 hit; atom.shared.exch.b32 %r3, [hit], 5; bar.sync 0; ld.shared.u32 %r4, [hit];
    ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; {0} st.global.u32 [%rd1], %r4; ret;"""
    out = np.zeros(20 << 20 if large else 64, np.uint32)
    launch(INDEX + body.format(""), [out], block=64)
    assert (out[:64] == 5).all()
    for wrong in (body.format("add.u32 %r4, %r4, %r3;"), body.format("").replace("exch.b32", "add.u32")):
        with pytest.raises(KernelFault) as caught:
            launch(INDEX + wrong, [out], block=64)
        assert caught.value.kind == "uninitialised-memory", wrong


SPILL = """.shared .align 4 .b8 s[512]; .local .align 4 .b8 l[8]; mov.u32 %r2, s; mad.lo.u32 %r2, %r0, 4, %r2;
@%p0 st.shared.u32 [%r2], %r0; setp.lt.u32 %p0, %r0, 16; bar.sync 0; ld.shared.u32 %r3, [%r2]; add.u32 %r3, %r3, 1;
st.shared.u32 [%r2+256], %r3; st.local.u32 [l], %r3; bar.sync 0; ld.shared.u32 %r4, [%r2+256]; ld.local.u32 %r5, [l];
ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; {use} st.global.u32 [%rd1], {stored}; ret;"""


def test_unwritten_bytes_may_be_kept_in_shared_and_local_memory() -> None:
    """Half of a scan's row is nothing, goes through shared memory with the rest, and is not used."""
    out = np.zeros(32, np.uint32)
    start = "setp.lt.u32 %p0, %r0, 16; "
    launch(INDEX + start + SPILL.format(use="@!%p0 ret;", stored="%r4"), [out], block=32)
    assert out.tolist() == [*range(1, 17), *[0] * 16]
    launch(INDEX + start + SPILL.format(use="@!%p0 ret;", stored="%r5"), [out], block=32)
    for use, stored in (("", "%r4"), ("", "%r5"), ("setp.eq.u32 %p1, %r4, 3; @%p1 ret;", "%r0")):
        with pytest.raises(KernelFault) as caught:
            launch(INDEX + start + SPILL.format(use=use, stored=stored), [out], block=32)
        assert caught.value.kind == "uninitialised-memory", (use, stored)


CANCEL = """.shared .align 4 .b8 s[256]; .reg .b32 %never; setp.lt.u32 %p0, %r0, 20; @%p0 mov.u32 %never, %r0;
mov.u32 %r2, s; mad.lo.u32 %r2, %r0, 4, %r2; st.shared.u32 [%r2], %never; mov.u32 %r6, 7; bar.sync 0;
ld.shared.u32 %r3, [%r2]; add.u32 %r4, %r3, %r0; sub.u32 %r5, %r4, %r3; {use}
ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r5; ret;"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("use", "right"),
    [
        ("", True),
        ("setp.eq.u32 %p1, %r5, %r0; @!%p1 trap;", True),
        ("setp.lt.u32 %p1, %r3, 9; @%p1 mov.u32 %r6, 5; @%p1 bra go; mov.u32 %r6, 8; go:", True),
        ("setp.lt.u32 %p1, %r3, 9; @%p1 add.u32 %r5, %r5, 1;", False),
        ("setp.eq.u32 %p1, %r3, 12345; @%p1 mov.u32 %r5, 0;", False),
        ("setp.eq.u32 %p1, %r3, 12345; selp.b32 %r5, 1, %r5, %p1;", False),
        ("setp.eq.u32 %p1, %r3, 12345; vote.sync.any.pred %p2, %p1, -1; selp.b32 %r5, 1, %r5, %p2;", False),
        ("and.b32 %r5, %r3, 1;", False),
        ("min.u32 %r5, %r3, 100;", False),
        ("sub.u32 %r5, %r3, %r0;", False),
        ("ld.shared.u32 %r4, [%r2+128]; xor.b32 %r5, %r3, %r4;", False),
    ],
)
def test_what_depends_on_unwritten_bytes(use: str, right: bool) -> None:
    """`x + u - u` does not, nor what is the same on both sides of a branch."""
    out = np.zeros(32, np.uint32)
    if right:
        launch(INDEX + CANCEL.format(use=use), [out], block=32)
        assert out.tolist() == [*range(32)]
        return
    with pytest.raises(KernelFault) as caught:
        launch(INDEX + CANCEL.format(use=use), [out], block=32)
    assert caught.value.kind == "uninitialised-register"


@pytest.mark.parametrize("use", ["mbarrier.inval.shared.b64 [s];", "mbarrier.arrive.shared.b64 _, [s];"])
def test_an_mbarrier_that_is_not_there(use: str) -> None:
    """Whatever lies there, and though nobody waits."""
    body = ".shared .align 8 .b64 s; mov.u32 %r2, s; ld.shared.u32 %r3, [s+4]; " + use + " ret;"
    with pytest.raises(KernelFault) as caught:
        launch(INDEX + body, [np.zeros(1, np.uint32)], block=1, target="sm_90")
    assert caught.value.kind == "uninitialised-memory"


def test_shared_memory_of_the_system() -> None:
    """Cooperative groups keep barriers there, of 0."""
    out = np.ones(32, np.uint32)
    body = """.shared .align 4 .b8 s[64]; mov.u32 %r2, %reserved_smem_offset_1; mad.lo.u32 %r2, %r0, 4, %r2;
    ld.shared.u32 %r3, [%r2]; st.shared.u32 [%r2], %r0; ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1;
    st.global.u32 [%rd1], %r3; ret;"""
    for _ in range(2):
        launch(INDEX + body, [out], block=32)
        assert not out.any()


PADDED = """.func (.param .b32 r) second(.param .align 8 .b8 x[8]) {{
.reg .b32 %r<2>; ld.param.u32 %r0, [x]; ld.param.u32 %r1, [x+4]; st.param.b32 [r], {answer}; ret; }}"""
COPIED = """.local .align 8 .b8 l[8]; st.local.u32 [l], %r0; ld.local.b64 %rd1, [l];
{ .param .align 8 .b8 a[8]; .param .b32 b; .reg .b32 %b; st.param.b64 [a], %rd1; call.uni (b), second, (a);
ld.param.b32 %b, [b]; ld.param.u64 %rd2, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd2; st.global.u32 [%rd2], %b; ret; }"""


def test_unwritten_bytes_may_be_in_arguments_by_value() -> None:
    """A struct is copied with its padding."""
    out = np.zeros(32, np.uint32)
    launch(INDEX + COPIED, [out], block=32, extra=PADDED.format(answer="%r0"))
    assert out.tolist() == [*range(32)]
    with pytest.raises(KernelFault) as caught:
        launch(INDEX + COPIED, [out], block=32, extra=PADDED.format(answer="%r1"))
    assert caught.value.kind == "uninitialised-memory"


def test_turns_are_taken_with_the_memory_of_the_run_that_was_forgiven() -> None:
    """Turns of a run that had forgiven loads began without arguments: its memory was not that of the first run."""
    out = np.zeros(33, np.uint32)
    body = COPIED.replace(
        "st.global.u32 [%rd2], %b; ret;",
        "st.global.u32 [%rd2+4], %b; ld.param.u64 %rd2, [p0]; atom.global.add.u32 %b, [%rd2], 1; ret;",
    )
    launch(INDEX + body, [out], block=32, extra=PADDED.format(answer="%r0"))
    assert out.tolist() == [32, *range(32)]


@pytest.mark.slow
def test_faults_are_of_kinds_that_are_told_of() -> None:
    """In words with a dash, and in calls that make faults."""
    said: set[str] = set()
    for path in sorted(Path(faults.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            calls = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in (
                "fault",
                "_blame",
                "KernelFault",
            )
            parts = node.args if isinstance(node, ast.Call) and calls else [node]
            texts = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            said |= {text for text in texts if re.fullmatch(r"[a-z]+(-[a-z]+)+" if not calls else r"[a-z-]+", text)}
    assert said - faults.FAULT_KINDS.keys() == set()
    assert len(said) > 20


def test_hints_name_the_copy_that_still_uses_the_bytes() -> None:
    """Of several that are in flight the one that touches them, and what waits for it."""
    body = """.shared .align 8 .b64 bar; .shared .align 8 .b64 other; .shared .align 128 .b8 s[256];
mbarrier.init.shared.b64 [bar], 1; mbarrier.init.shared.b64 [other], 1; fence.proxy.async; ld.param.u64 %rd1, [p0]; {}
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 16, [bar];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s+16], [%rd1+16], 32, [other];
cp.async.ca.shared.global [s+48], [%rd1+48], 8;
{} ret;"""
    loop = "loop on mbarrier.try_wait at the mbarrier at {}, for the phase that the copy completes"
    group = "cp.async.wait_group in the thread that issued it, then a barrier for the others"
    pad, first = "st.shared.u32 [s+60], 1;", 10
    for start, size, line, waits in (
        (0, 4, 3, loop.format("0x0")), (12, 4, 3, loop.format("0x0")), (16, 4, 4, loop.format("0x88")), (44, 4, 4, loop.format("0x88")),
        (48, 4, 5, group), (52, 4, 5, group), (8, 8, 3, loop.format("0x0")), (48, 8, 5, group), (32, 16, 4, loop.format("0x88")),
    ):  # fmt: skip
        register = {4: "%r1", 8: "%rd5", 16: "{%r1, %r2, %r3, %r4}"}[size]
        type_ = {4: "u32", 8: "u64", 16: "v4.u32"}[size]
        for access, kind in (
            ("ld.shared.{0} {1}, [s+{2}];", "asynchronous-read"),
            ("st.shared.{0} [s+{2}], {1};", "asynchronous-write"),
        ):
            zero = "mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u64 %rd5, 0;"
            with pytest.raises(KernelFault) as caught:
                launch(
                    body.format(zero + pad, access.format(type_, register, start)),
                    [np.zeros(64, np.uint8)],
                    1,
                    target="sm_90",
                )
            fault = caught.value
            assert fault.kind == kind and fault.other is not None, (start, size)
            assert fault.other.line == first + line - 2, (start, size, fault.other.line)
            stem = "cp.async" if line == 5 else "cp.async.bulk"
            assert fault.hint.startswith(
                f"wait for the {stem} at line {fault.other.line}: {waits}; the address is s"
            ), (start, fault.hint)
    launch(
        body.format(pad, "ld.shared.u32 %r1, [s+60]; st.shared.u32 [s+56], %r1; cp.async.wait_all;"),
        [np.zeros(64, np.uint8)],
        1,
        target="sm_90",
        async_="eager",
    )
