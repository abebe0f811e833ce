"""Counters and traces, held to what is known of the kernels and to a count lane by lane."""

from __future__ import annotations

from math import gcd
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel, launch
from weft.sim import Counters, Event, Trace, run
from weft.sim.traffic import requests, sectors, wavefronts

ADDRESSES = INDEX + "ld.param.u64 %rd1, [p0]; mov.u32 %r1, s;\n"
SHARED = ".shared .align 128 .b8 s[16384];\n"


def counted(body: str, block: int = 32, grid: int = 1, **more: Any) -> Counters:
    result = launch(body, [np.zeros(4096, np.uint32)], block, grid, counters=True, check="fast", **more)
    assert result.counters is not None
    return result.counters


@pytest.mark.parametrize("stride", [0, 1, 2, 3, 4, 8, 16, 31, 32, 33])
def test_bank_conflicts_of_strided_loads(stride: int) -> None:
    """A stride of `s` words meets in a bank gcd(s, 32) times; one word for all lanes is broadcast."""
    found = counted(SHARED + ADDRESSES + f"mad.lo.u32 %r2, %r0, {4 * stride}, %r1; ld.shared.u32 %r3, [%r2]; ret;")
    shared = found.spaces["shared"]
    ways = gcd(stride, 32) if stride else 1
    assert (shared.requests, shared.wavefronts, shared.conflicts) == (1, ways, ways - 1)
    assert shared.loaded == 128
    assert shared.stored == 0


@pytest.mark.parametrize(("vector", "size", "phases"), [("u64", 8, 2), ("v2.u32", 8, 2), ("v4.u32", 16, 4)])
def test_wide_loads_go_in_phases(vector: str, size: int, phases: int) -> None:
    registers = {"u64": "%rd3", "v2.u32": "{%r3, %r4}", "v4.u32": "{%r3, %r4, %r5, %r6}"}[vector]
    body = SHARED + ADDRESSES + f"mad.lo.u32 %r2, %r0, {{}}, %r1; ld.shared.{vector} {registers}, [%r2]; ret;"
    assert counted(body.replace("{}", str(size))).spaces["shared"].wavefronts == phases
    same = counted(body.replace("{}", "128")).spaces["shared"]
    assert same.conflicts == 32 - phases


@pytest.mark.parametrize(("pitch", "wavefronts_"), [(16, 4), (144, 4), (128, 32), (64, 16), (80, 4)])
def test_matrices_of_ldmatrix(pitch: int, wavefronts_: int) -> None:
    """Each 8x8 matrix is a phase of eight 16-byte rows: 128 bytes apart they all meet in the same four banks."""
    body = f"mad.lo.u32 %r2, %r0, {pitch}, %r1; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r3, %r4, %r5, %r6}}, [%r2];"
    assert counted(SHARED + ADDRESSES + body + "ret;").spaces["shared"].wavefronts == wavefronts_


def test_words_of_mbarriers() -> None:
    """Eight bytes each: those that wait load them, all others store them."""
    start = SHARED + "mov.u32 %r0, %tid.x; setp.ne.u32 %p1, %r0, 0; @%p1 ret; mbarrier.init.shared.b64 [s], 9;"
    for text, moved in (
        ("", (0, 0)),
        ("mbarrier.arrive.shared.b64 _, [s];", (0, 8)),
        ("mbarrier.arrive_drop.shared.b64 %rd1, [s];", (0, 8)),
        ("mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 16;", (0, 8)),
        (
            "mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 16; mbarrier.complete_tx.relaxed.cta.shared.b64 [s], 16;",
            (0, 16),
        ),
        ("cp.async.mbarrier.arrive.shared.b64 [s];", (0, 8)),
        ("cp.async.mbarrier.arrive.noinc.shared.b64 [s];", (0, 8)),
        ("mbarrier.inval.shared.b64 [s];", (0, 8)),
        ("mbarrier.test_wait.parity.shared.b64 %p2, [s], 0;", (8, 0)),
        ("mbarrier.try_wait.parity.shared.b64 %p2, [s], 1;", (8, 0)),
    ):
        found = counted(f"{start} {text} ret;", target="sm_90").spaces["shared"]
        assert (found.loaded, found.stored - 8) == moved, text


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_wavefronts_lane_by_lane(size: int) -> None:
    rng = np.random.default_rng(size)
    lanes = np.flatnonzero(rng.random(96) < 0.7)
    offset = rng.integers(0, 512 // size, len(lanes)) * size
    need = least = 0
    each = 32 // max(1, size // 4)
    for first in range(0, 96, each):
        words = {
            (o + b) // 4
            for lane, o in zip(lanes, offset, strict=True)
            if first <= lane < first + each
            for b in range(size)
        }
        banks = [word % 32 for word in words]
        need += max((banks.count(bank) for bank in banks), default=0)
        least += bool(words)
    assert wavefronts(lanes, offset, size) == (need, least)


@pytest.mark.parametrize(("stride", "each"), [(1, 4), (2, 8), (8, 32), (0, 1)])
def test_sectors(stride: int, each: int) -> None:
    body = f"mad.wide.u32 %rd2, %r0, {4 * stride}, %rd1; ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd1], %r0; ret;"
    found = counted(SHARED + ADDRESSES + body, block=64).spaces["global"]
    assert found.sectors == 2 * each + 2
    assert (found.requests, found.loaded, found.stored) == (4, 256, 256)


def test_sectors_lane_by_lane() -> None:
    rng = np.random.default_rng(0)
    lanes = np.arange(64)
    index = rng.integers(0, 100, 64) * 8
    want = sum(len({int(i) // 32 for i in index[first : first + 32]}) for first in (0, 32))
    assert sectors(lanes, index, 8) == want
    assert sectors(lanes[:2], index[:2] * 0 + 96, 32) == 1


@pytest.mark.parametrize("size", [48, 64, 128, 256])
def test_wide_accesses_go_one_by_one(size: int) -> None:
    """What asynchronous copies and matrices move at once: all sectors of each, and 128 bytes a wavefront."""
    index = np.array([0, 8, 31, 32, 40, 1000])
    want = sum(len({byte // 32 for byte in range(first, first + size)}) for first in index.tolist())
    assert sectors(np.zeros(6, np.int64), index, size) == want
    moved = 6 * (1 if size <= 128 else 2)
    assert wavefronts(np.arange(6), index, size) == (moved, moved)


def test_requests_of_warps() -> None:
    assert [requests(np.array(lanes)) for lanes in ([5], [0, 31], [31, 32], [1, 2, 64, 65, 200])] == [1, 1, 2, 3]


def test_traffic_of_tensor_copies() -> None:
    """Triton's product by TMA and wgmma: each CTA loads a row of tiles of A and all of B, and stores its tile."""
    module = weft.parse((Path(__file__).with_name("kernels") / "triton_tma_matmul_sm_90.ptx").read_text())
    arrays = [np.ones((128, 256), np.float16), np.ones((256, 128), np.float16), np.zeros((128, 128), np.float16)]
    arguments: list[Any] = []
    for array in arrays:
        columns = array.shape[1]
        arguments += [weft.TensorMap(array, (64, 64), swizzle="128B"), *array.shape, columns, 1]
    arguments += [256, np.zeros(1, np.uint8), np.zeros(1, np.uint8)]
    found = run(module, "tma_matmul", (2, 1), 128, arguments, shared_bytes=73752, counters=True, check="fast").counters
    assert found is not None
    copies = found.families["cp.async.bulk.tensor"].spaces
    assert copies["global"].loaded == copies["shared"].stored == 2 * 2 * (64 * 256 + 256 * 128)
    assert copies["global"].stored == copies["shared"].loaded == 2 * 128 * 128
    assert copies["global"].sectors == (copies["global"].loaded + copies["global"].stored) // 32
    products = found.families["wgmma.mma_async"].spaces["shared"]
    assert products.loaded == copies["global"].loaded


def test_divergence() -> None:
    """A loop of `lane + 1` rounds: the k-th round has 32 - k lanes."""
    body = INDEX + "mov.u32 %r1, 0; again: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r0; @%p1 bra again; ret;"
    found = counted(body)
    adds = found.families["add"]
    assert (adds.warps, adds.lanes) == (32, sum(range(1, 33)))
    assert found.active < 20
    guarded = counted(INDEX + "setp.lt.u32 %p1, %r0, 8; @%p1 add.u32 %r1, %r0, 1; ret;", block=64)
    assert (guarded.families["add"].warps, guarded.families["add"].lanes) == (1, 8)


def test_lines_and_barriers() -> None:
    found = counted(SHARED + INDEX + "\nbar.sync 0;\nst.shared.u32 [s], 1;\nbar.sync 0;\nret;", block=96, grid=2)
    assert found.barriers == 12
    assert [line.opcode for line in found.lines][-4:] == ["bar.sync", "st.shared.u32", "bar.sync", "ret"]
    numbers = [line.line for line in found.lines][-4:]
    assert numbers == list(range(numbers[0], numbers[0] + 4))
    assert found.spaces["shared"].stored == 96 * 2 * 4
    assert found.warp_instructions == sum(row.warps for row in found.families.values())
    assert "st.shared.u32  6 wavefronts, 0 by bank conflicts" in repr(found)


def test_counters_are_there_only_when_asked_for() -> None:
    result = launch("ret;", [])
    assert result.counters is None
    assert result.trace is None


LOOP = (
    INDEX
    + """ld.param.u64 %rd1, [p0];
shr.u32 %r2, %r0, 5; add.u32 %r2, %r2, 1; mov.u32 %r1, 0;
again: add.u32 %r1, %r1, 10;
sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra again;
mad.wide.u32 %rd2, %r0, 4, %rd1; st.global.u32 [%rd2], %r1; ret;"""
)


def test_trace() -> None:
    module = kernel(REGISTERS + LOOP, ["u64"])
    assert module.source is not None
    line = next(n for n, text in enumerate(module.source.splitlines(), 1) if text.startswith("again:"))
    out = np.zeros(128, np.uint32)
    wanted = Trace(warps=[1], ctas=[(1, 0, 0)], lines=[line], values=True)
    events = run(module, "k", 2, 64, [out], trace=wanted).trace
    assert events is not None
    assert [(e.cta, e.warp, e.line, e.opcode, e.mask) for e in events] == [
        ((1, 0, 0), 1, line, "add.u32", 0xFFFFFFFF)
    ] * 4
    assert [e.values for e in events] == [{"%r1": [10 * n] * 32} for n in (1, 2, 3, 4)]
    assert [e.step for e in events] == sorted(e.step for e in events)


def test_trace_counts_what_counters_count() -> None:
    seen: list[Event] = []
    result = run(
        kernel(REGISTERS + LOOP, ["u64"]),
        "k",
        3,
        80,
        [np.zeros(240, np.uint32)],
        trace=Trace(sink=seen.append),
        counters=True,
    )
    assert result.counters is not None
    assert result.trace == []
    for stem, row in result.counters.families.items():
        mine = [e for e in seen if e.opcode.split(".")[0] == stem]
        assert (len(mine), sum(e.mask.bit_count() for e in mine)) == (row.warps, row.lanes)
    assert all(e.values is None for e in seen)


def test_trace_is_limited() -> None:
    found = launch(LOOP, [np.zeros(64, np.uint32)], 64, trace=Trace(limit=7)).trace
    assert found is not None
    assert len(found) == 7
