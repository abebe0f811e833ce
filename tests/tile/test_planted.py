"""Mistakes through the escape: pipelines of hand-written barriers and copies, each with one thing wrong, all found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.sim import KernelFault
from weft.tile import (
    Global,
    address,
    cta,
    f32,
    i64,
    inline_ptx,
    lane_id,
    loop,
    shared,
    thread_id,
    warp_id,
)

TURNS = 5


def initialized(bar: Any, count: int) -> None:
    inline_ptx("mbarrier.init.shared.b64 [{$r0}], {$r1};", bar, count)


def arrive(bar: Any) -> None:
    inline_ptx("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [{$r0}]; }", bar)


def expect(bar: Any, size: int) -> None:
    inline_ptx("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [{$r0}], {$r1}; }", bar, size)


def wait_for(bar: Any, parity: Any) -> None:
    inline_ptx(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.shared.b64 p, [{$r0}], {$r1}; @!p bra again; }", bar, parity
    )


@weft.kernel(threads=64, grid=1)
def by_threads(x: Global(f32, (TURNS, 32)), y: Global(f32, (TURNS, 32)), *, mistake: str = ""):
    """Two slots: one warp writes them, the other reads."""
    stages = 2
    full, empty, slots = shared(stages, i64), shared(stages, i64), shared((stages, 32), f32)
    if thread_id() == 0:
        for at in range(stages):
            if mistake != "a barrier that nobody made" or at != 1:
                initialized(address(full, at), {"too many arrivals": 33, "too few arrivals": 16}.get(mistake, 32))
            initialized(address(empty, at), 32)
    if mistake != "no barrier behind the initialisation":
        cta.sync()
    lane = lane_id()
    if warp_id() == 0:
        for turn in loop(TURNS):
            at = turn % stages
            phase = turn // stages % 2
            if mistake != "slots that are not waited for":
                wait_for(address(empty, at), phase if mistake == "the first wait's parity" else phase ^ 1)
            if mistake == "full before it is written":
                arrive(address(full, at))
            slots[at, lane] = x[turn, lane]
            if mistake != "full before it is written":
                arrive(address(full, 0 if mistake == "another slot's barrier" else at))
    else:
        for turn in loop(TURNS):
            at = turn % stages
            phase = 0 if mistake == "a phase that does not change" else turn // stages % 2
            if mistake != "data that is not waited for":
                wait_for(address(full, at), phase)
            if mistake == "empty before it is read":
                arrive(address(empty, at))
            y[turn, lane] = slots[at, lane]
            if mistake not in ("empty before it is read", "slots that are not given back"):
                arrive(address(empty, at))


BY_THREADS = {
    "too many arrivals": "no thread can make progress",
    "too few arrivals": "synchronization|arriv",
    "a barrier that nobody made": "barrier",
    "no barrier behind the initialisation": "synchronization|barrier",
    "slots that are not waited for": "without synchronization|make progress",
    "the first wait's parity": "no thread can make progress",
    "full before it is written": "without synchronization",
    "another slot's barrier": "synchronization|make progress|arriv",
    "a phase that does not change": "synchronization|make progress",
    "data that is not waited for": "without synchronization",
    "empty before it is read": "without synchronization",
    "slots that are not given back": "no thread can make progress",
}


@weft.kernel(threads=64, grid=1)
def by_bulk_copies(x: Global(f32, (TURNS, 32)), y: Global(f32, (TURNS, 32)), *, mistake: str = ""):
    """One slot each way: a bulk copy brings a row, a warp doubles it, another bulk copy takes it away."""
    full, came, left = shared(1, i64), shared(32, f32), shared(32, f32)
    bar, lane = address(full), lane_id()
    if thread_id() == 0:
        initialized(bar, 1)
        if mistake != "initialisation that copies do not see":
            inline_ptx("fence.proxy.async.shared::cta;")
    cta.sync()
    if warp_id() == 0:
        for turn in loop(TURNS):
            if lane == 0:
                size = {"fewer bytes than come": 64, "more bytes than come": 256}.get(mistake, 128)
                expect(bar, size)
                inline_ptx(
                    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [{$r0}], [{$r1}], {$r2}, [{$r3}];",
                    address(came), address(x, turn, 1 if mistake == "a copy that is not aligned" else 0), 128, bar,
                )  # fmt: skip
            if mistake != "bytes that are not waited for":
                wait_for(bar, turn % 2)
            doubled = came[lane] * 2.0
            if mistake != "a source that is still read":
                if lane == 0:
                    inline_ptx("cp.async.bulk.wait_group.read 0;")
                inline_ptx("bar.warp.sync 0xffffffff;")
            left[lane] = doubled
            if mistake != "writes that copies do not see":
                inline_ptx("fence.proxy.async.shared::cta;")
            if mistake != "writes of other lanes":
                inline_ptx("bar.warp.sync 0xffffffff;")
            if lane == 0:
                inline_ptx(
                    "cp.async.bulk.global.shared::cta.bulk_group [{$r0}], [{$r1}], 128;",
                    address(y, turn, 0),
                    address(left),
                )
                if mistake != "a group that nobody made":
                    inline_ptx("cp.async.bulk.commit_group;")
        if mistake != "the end before the last copy" and lane == 0:
            inline_ptx("cp.async.bulk.wait_group 0;")


BY_BULK_COPIES = {
    "fewer bytes than come": "",
    "more bytes than come": "no thread can make progress",
    "a copy that is not aligned": "not a multiple",
    "bytes that are not waited for": "",
    "a source that is still read": "",
    "writes that copies do not see": "proxy|fence",
    "writes of other lanes": "without synchronization",
    "a group that nobody made": "",
    "the end before the last copy": "",
}


@pytest.mark.parametrize("async_", ["lazy", "random"])
@pytest.mark.parametrize("kernel", [by_threads, by_bulk_copies])
def test_right_ones(kernel: Any, async_: str) -> None:
    x = np.random.default_rng(1).standard_normal((TURNS, 32)).astype(np.float32)
    y = np.zeros_like(x)
    kernel.run(x, y, check="strict", async_=async_)
    np.testing.assert_array_equal(y, x * (1 if kernel is by_threads else 2))


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("kernel", "mistake", "said"),
    [(by_threads, *item) for item in BY_THREADS.items()] + [(by_bulk_copies, *item) for item in BY_BULK_COPIES.items()],
)
def test_mistakes(kernel: Any, mistake: str, said: str) -> None:
    x = np.arange(TURNS * 32, dtype=np.float32).reshape(TURNS, 32)
    with pytest.raises(KernelFault, match=said):
        kernel.run(x, np.zeros_like(x), options={"mistake": mistake}, check="strict", async_="lazy")
