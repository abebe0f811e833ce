"""The bookkeeping of a batch: local memory, clusters that have not started, orders of CTAs, and stamps of accesses."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER
from weft.sim import runs
from weft.sim import stamps as st
from weft.sim.lanes import Lanes
from weft.sim.machine import Machine
from weft.sim.prepare import Options, Prepared
from weft.sim.runtime import BUILTINS, HEAP_USERS
from weft.sim.space import UNWRITTEN

PLAIN = ".entry k() { ret; }"


def machine(text: str = PLAIN, grid: Any = 1, block: Any = 32, target: str = "sm_90a", **more: Any) -> Machine:
    return Prepared(
        weft.parse(HEADER.format(target=target) + text), Options("k", grid, block, engine="numpy", **more), []
    ).machine


def test_local_memory_is_handed_out() -> None:
    """At multiples of the alignment, and of variables with a gap behind each, in which nothing may be accessed."""
    rng = random.Random(2)
    for _ in range(10):
        one, end = machine(), 0
        local = one.memory.local
        gaps: list[tuple[int, int, str]] = []
        written: set[int] = set()
        for number in range(rng.randint(1, 5)):
            size, align = rng.randint(1, 300), 1 << rng.randrange(6)
            name = f"v{number}" if rng.random() < 0.6 else ""
            start = -(-end // align) * align
            assert one.reserve_local(size, align, variable=name) == start
            end = start + size
            if name:
                written |= set(range(start, end))
                gaps.append((end, end + 128, name))
                end += 128
            assert one.local_size == end and list(local.gaps) == gaps
            assert local.size >= end and local.size % 256 == 0 and local.size < end + 256
        local.holds_nothing(one.variables)
        assert local.shadow is not None
        rows = local.shadow[: local.stride * local.parts].reshape(local.parts, local.stride)
        assert {tuple(np.flatnonzero(row == UNWRITTEN).tolist()) for row in rows} == {tuple(sorted(written))}


def test_clusters_are_taken_from_the_end() -> None:
    """Those that have not started, the last one first: the index of the first CTA of each."""
    launch: dict[str, Any] = {"grid": (4, 2, 2), "cluster": (2, 1, 1), "resident": 128}
    one = machine(**launch)
    assert one.take_cluster() is None and one.unstarted == 0
    order = one.launch.order()
    one.run(0, order)
    assert (one.batch.ctas, one.unstarted, one.steps) == (4, 12, 1)
    taken: list[Any] = []
    while (cluster := one.take_cluster()) is not None:
        taken.append(cluster)
        assert one.unstarted == 12 - 2 * len(taken)
    first = [int(number) for number in order[4::2]]
    assert taken == [(number % 4, number // 4 % 2, number // 8) for number in reversed(first)]
    one.run(4, order)
    assert one.steps == 1, "nothing is left to run"
    one.restart(0)
    one.run(0, order)
    assert (one.unstarted, one.steps) == (12, 1)
    one.run(4, order)
    one.run(8, order)
    one.run(12, order)
    assert (one.unstarted, one.steps) == (0, 4)


def test_instructions_bytes_and_steps_begin_anew() -> None:
    text = ".entry k() { .reg .b32 %r<2>; .shared .u32 s; st.shared.u32 [s], 1; bar.sync 0; ret; }"
    one = machine(text, grid=2, block=1, checks=frozenset())
    for seed in (0, 1):
        one.run(0, one.launch.order())
        blocks = [block.lanes_run for each in one.activations for block in each.every_block()]
        assert (sum(blocks) > 0, one.memory.shared.stored) == (True, 8)
        one.restart(seed)
        assert (one.steps, one.changes, one.phases, one.memory.shared.stored) == (0, 0, 0, 0)
        assert not any(block.lanes_run for each in one.activations for block in each.every_block())


ONE = "{} run one after the other, {}"
BOTH = ("the first one first", "the last one first")


@pytest.mark.parametrize("flags", [False, True])
@pytest.mark.parametrize(
    ("ctas", "warps", "matter", "units"),
    [(1, 1, True, ()), (2, 1, True, ("CTAs",)), (1, 2, False, ("warps",)), (1, 2, True, ("warps",)),
     (2, 2, False, ("CTAs",)), (2, 2, True, ("CTAs", "warps"))],
)  # fmt: skip
def test_orders_in_which_a_kernel_runs_again(
    ctas: int, warps: int, matter: bool, units: tuple[str, ...], flags: bool
) -> None:
    """CTAs and warps from both ends, where there are several; those of CTAs alone where warps see nothing of each other."""
    one: Any = SimpleNamespace(
        random=np.random.default_rng(0), batch=SimpleNamespace(ctas=ctas, lanes=ctas * warps * 32, role=ctas * 32), launch=SimpleNamespace(warps=warps), steps=0,
        program=SimpleNamespace(warps_matter=matter), flags=object() if flags else None,
    )  # fmt: skip
    found = [(shows, make()) for shows, make in runs._orders(one)]  # pyright: ignore[reportPrivateUsage]
    wanted: list[str] = []
    for unit in units:
        wanted += [ONE.format(unit, which) for which in BOTH]
        wanted += [f"{unit} take turns at each strong write"] if flags else []
    assert [shows for shows, _ in found] == [*wanted, "all run together"]
    for shows, schedule in found[:-1]:
        schedule.reset()
        going = schedule.turn(None, Lanes(0, ctas * warps * 32))  # type: ignore[arg-type]
        assert going is not None
        rows = {lane // 32 for lane in going.index.tolist()}
        number = 0 if "the first one first" in shows else (warps if "warps" in shows else ctas) - 1
        assert {row // ctas if "warps" in shows else row % ctas for row in rows} == {number}
    schedule = found[-1][1]
    schedule.reset()
    everyone = Lanes(0, ctas * warps * 32)
    assert schedule.turn(None, everyone) is everyone  # type: ignore[arg-type]


CTA, CLUSTER, GPU, SYS = range(4)
OPENED = ".entry k() { .reg .b64 %a, %d<3>; .reg .b32 %r<5>; .reg .b16 %h; .reg .pred %p; .shared .align 16 .b8 s[64]; .shared .align 8 .b64 m;"


@pytest.mark.parametrize(
    ("instruction", "width", "strong", "scope", "many"),
    [
        ("ld.global.u8 %h, [%a];", 1, False, 0, False),
        ("st.shared.u16 [s], %h;", 2, False, 0, False),
        ("ld.weak.global.u64 %d0, [%a];", 8, False, 0, False),
        ("st.global.f64 [%a], %d0;", 8, False, 0, False),
        ("ld.volatile.global.u32 %r0, [%a];", 4, True, SYS, False),
        ("st.volatile.shared.u32 [s], %r0;", 4, True, SYS, False),
        ("ld.relaxed.cta.global.u32 %r0, [%a];", 4, True, CTA, False),
        ("ld.acquire.cluster.global.u32 %r0, [%a];", 4, True, CLUSTER, False),
        ("st.release.gpu.global.u32 [%a], %r0;", 4, True, GPU, False),
        ("st.relaxed.sys.global.u64 [%a], %d0;", 8, True, SYS, False),
        ("atom.global.add.u32 %r0, [%a], 1;", 4, True, GPU, False),
        ("atom.relaxed.cta.shared.add.u64 %d0, [s], 1;", 8, True, CTA, False),
        ("red.release.sys.global.add.u32 [%a], 1;", 4, True, SYS, False),
        ("mbarrier.init.shared.b64 [m], 1;", 8, False, 0, False),
        ("mbarrier.inval.shared.b64 [m];", 8, False, 0, False),
        ("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [s], %r0, [m];", 4, True, CLUSTER, False),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [s];", 2, False, 0, True),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [s], {%r0};", 2, False, 0, True),
    ],
)  # fmt: skip
def test_stamps_say_what_an_access_is(instruction: str, width: int, strong: bool, scope: int, many: bool) -> None:
    """Its width, whether it is strong, and up to what scope: atomics and volatile accesses without one have one too."""
    one = machine(f"{OPENED} {instruction} ret; }}")
    (site,) = (site for site in one.kernel.sites if site.opcode.stem != "ret")
    word = st.word_of(site, 5)
    assert word >> st.SITE_AT == 5
    assert (1 << (word & 7), bool(word & st.STRONG), bool(word & st.MANY)) == (width, strong, many)
    assert int(st.scope(np.array([word], np.uint64))[0]) == scope
    rest = word & ~(7 | 3 << 3 | st.STRONG | st.MANY) & (1 << st.SITE_AT) - 1
    assert rest == 0
    assert st.word_of(site, 5 + (1 << st.SITE_BITS)) == word


def test_parts_of_stamps_lie_side_by_side() -> None:
    """From the least bit on: the width, the scope, five marks, the lane, the instruction, the time, and one for engines."""
    assert [part.bit_length() - 1 for part in (st.STRONG, st.ASYNC, st.RELEASED, st.SPILLED, st.MANY)] == [
        5,
        6,
        7,
        8,
        9,
    ]
    assert st.LANE_AT == 10 and st.LANE_AT + st.LANE_BITS == st.SITE_AT
    assert st.SITE_AT + st.SITE_BITS == st.TIME_AT and st.TIME_AT + st.TIME_BITS == 63 and st.ENGINE == 1 << 63
    assert 152 * 2048 <= 1 << st.LANE_BITS, "all threads that a GPU holds at once"
    for time in (0, 1, 77):
        floor = st.floor_word(time)
        assert floor >> st.TIME_AT == time and (floor + 1) >> st.TIME_AT == time + 1
    assert st.LAST_TIME + 1 < 1 << st.TIME_BITS


def test_functions_that_need_a_heap() -> None:
    """Only a kernel that may allocate has one."""
    assert HEAP_USERS < set(BUILTINS)
    for name, declared, called in (
        (
            "malloc",
            "(.param .b64 r) malloc (.param .b64 a)",
            "{ .param .b64 a, r; st.param.b64 [a], 8; call (r), malloc, (a); }",
        ),
        ("free", "free (.param .b64 a)", "{ .param .b64 a; st.param.b64 [a], 0; call free, (a); }"),
    ):
        made = machine(f".extern .func {declared};\n.entry k() {{ {called} ret; }}").program
        assert (made.runtime.heap > 0) == (name in HEAP_USERS) == (name == "malloc")


class Stop:
    """A block, as far as its order counts."""

    def __init__(self, order: int) -> None:
        self.order = order


def waits(one: Machine, *orders: int) -> list[Any]:
    """Gangs of a warp each at the start of such blocks."""
    blocks: list[Any] = [Stop(order) for order in orders]
    for number, block in enumerate(blocks):
        one.enqueue(block, Lanes(32 * number, 32 * number + 32))
    return blocks


def test_the_gang_with_the_least_penalty_comes_first() -> None:
    """Then the one earliest in the text; gangs that meet are one, with the greater penalty of both."""
    one = machine(block=128)
    a, b, c = waits(one, 30, 10, 20)
    assert one._choose() is b  # pyright: ignore[reportPrivateUsage]
    one.ready[b].penalty = 1
    assert one._choose() is c  # pyright: ignore[reportPrivateUsage]
    one._penalty = 5  # pyright: ignore[reportPrivateUsage]
    one.enqueue(c, Lanes(96, 128))
    assert (one.ready[c].penalty, one.ready[c].lanes.index.tolist()) == (5, [*range(64, 128)])
    assert one._choose() is a  # pyright: ignore[reportPrivateUsage]
    one.tire(a, Lanes(0, 32))
    assert one.ready[a].penalty == 6 and one._choose() is b  # pyright: ignore[reportPrivateUsage]


def test_no_gang_waits_for_ever() -> None:
    """One that loops has a turn after another; one that has waited for 256 of them comes first, once."""
    one = machine(block=64)
    loops, patient = waits(one, 1, 2)
    came: list[int] = []
    for turn in range(1, 700):
        block = one._choose()  # pyright: ignore[reportPrivateUsage]
        gang = one.ready.pop(block)
        if block is patient:
            came.append(turn)
            break
        one.enqueue(loops, gang.lanes)
        assert one.waiting_since() == 0
    assert came == [256]


def test_lanes_that_end_wait_for_nothing() -> None:
    one = machine(block=96)
    one.run(0, one.launch.order())
    assert (one.live, int(one.alive.sum())) == (0, 0)
    one.alive[:] = True
    one.live = 96
    (block,) = waits(one, 1)
    one.ready.clear()
    one.parked[block] = Lanes(0, 32)
    changes, phases = one.changes, one.phases
    one.exit(Lanes(64, 96))
    assert (one.live, one.changes, one.phases) == (64, changes + 1, phases + 1)
    assert not one.parked and one.ready[block].lanes.index.tolist() == [*range(32)]
    one.exit(Lanes(0, 64))
    assert (one.live, one.phases) == (0, phases + 1)


def test_lanes_that_sleep_give_up_some_times() -> None:
    """Those at an `mbarrier.try_wait`, sixteen times while no phase completes; others sleep until one does."""
    one = machine(block=64)
    a, b = waits(one, 1, 2)
    one.ready.clear()
    one.sleep(a, Lanes(0, 32), limited=True)
    one.sleep(b, Lanes(32, 64))
    for _ in range(16):
        assert one._expire() and a in one.expired  # pyright: ignore[reportPrivateUsage]
        assert list(one.ready) == [a] and list(one.asleep) == [b]
        one.ready.clear()
        one.sleep(a, Lanes(0, 32), limited=True)
    assert not one._expire() and list(one.asleep) == [b, a]  # pyright: ignore[reportPrivateUsage]
    one.sleep(a, Lanes(32, 64))
    one.wake()
    assert not one.asleep and one.ready[a].lanes.index.tolist() == [*range(64)] and one.ready[b].lanes.count == 32


STORES = """.entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { .reg .b64 %d<2>;
ld.param.u64 %d0, [b]; st.global.u32 [%d0], 1; ld.param.u64 %d1, [d]; st.global.u32 [%d1], 1; ret; }"""


def test_accesses_to_buffers_that_are_stored_to_are_watched() -> None:
    """Those that lie in one such buffer, or may: there is one between the least and the greatest address."""
    arrays = [np.zeros(64, np.uint32) for _ in range(4)]
    module = weft.parse(HEADER.format(target="sm_90a") + STORES)
    one = Prepared(module, Options("k", 1, 32, engine="numpy"), arrays).machine
    arena, rng, site = one.memory.arena, random.Random(3), SimpleNamespace(spots=None)
    races: Any = arena.races
    regions = [region for region in arena.regions if region.end - region.start == 256]
    assert len(regions) == 4
    where = np.array([[region.start + 4 * word for word in range(64)] for region in regions])
    assert races.watches(where[0] - arena.base), "nothing is known of a kernel that has not begun"
    races.reset()
    for _ in range(100):
        last = rng.randrange(4)
        located = arena.locate(cast("Any", site), where[last, 8:16].copy(), np.arange(8), 4, False)
        assert races.watches(located) == (last in (1, 3))
        some = sorted(rng.choices(range(4), k=rng.randint(1, 3)))
        index = np.array([rng.choice(where[number].tolist()) for number in some]) - arena.base
        assert races.watches(index[::-1].copy()) == (not {1, 3}.isdisjoint(range(some[0], some[-1] + 1)))
    assert not races.watches(np.zeros(0, np.int64))
