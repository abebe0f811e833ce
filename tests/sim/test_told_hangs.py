"""Who waits where: the whole text of the reports of hangs, and the rules of the sixteen barriers of a CTA."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, launch
from weft.sim import KernelFault
from weft.sim.deadlock import _ranges  # pyright: ignore[reportPrivateUsage]

START = INDEX + "ld.param.u64 %rd1, [p0]; mov.u32 %r9, %tid.x; shr.u32 %r1, %r9, 5; and.b32 %r8, %r9, 31;\n"
BEFORE = START.count("\n") + 8
"""The lines before a body, with the header and the registers."""
CYCLE = "look for a thread that skips the barrier, an arrival count that is too high, or a wrong phase parity"
TOGETHER = "set the membermask to exactly the threads that execute the instruction together"
NUMBERS = "give all that meet at a barrier the same number of threads, or use barriers of other numbers"


def told(body: str, block: int = 64, **more: Any) -> tuple[str, str, str, int]:
    """The kind, message and hint of the fault, and its line in the body."""
    with pytest.raises(KernelFault) as caught:
        launch(START + body, [np.zeros(64, np.uint32)], block, target="sm_90", **more)
    fault = caught.value
    assert fault.thread is not None
    place = f", in {fault.thread}"
    return fault.kind, fault.message.removesuffix(place), fault.hint, fault.position.line - BEFORE


def test_the_lines_of_the_reports() -> None:
    assert told("trap; ret;")[3] == 1 and told("\n\ntrap; ret;")[3] == 3


def lines(message: str) -> str:
    for number in range(9, 0, -1):
        message = message.replace(f"(line {number})", f"(line {number + BEFORE})")
    return message


def test_barriers_that_lack_threads() -> None:
    """CTA by CTA, four of them by name; of the first who has arrived, and which warps have not."""
    ctas = ", ".join(f"CTA ({n}, 0, 0) warp 0" for n in range(4))
    body = "setp.ne.u32 %p1, %r1, 0; @%p1 bra L;\nbar.sync 3, {}; L: ret;"
    for grid, more in ((4, ""), (5, " and 1 more CTAs"), (7, " and 3 more CTAs")):
        message = f"bar.sync: no thread can make progress: {ctas}{more}: {32 * grid} threads wait in bar.sync (line 2) at barrier 3 (32 of 128 expected threads have arrived)"
        assert told(body.format(128), 64, grid=grid) == ("deadlock", lines(message), CYCLE, 2)
    body = "setp.eq.u32 %p1, %r1, 2; @%p1 bra L;\nbar.sync 0; ret; L:\nbar.sync 15; ret;"
    parts = {
        "CTA (0, 0, 0) warp 0-1,3: 96 threads wait in bar.sync (line 2) at barrier 0 (96 of the CTA's 128 threads have arrived; missing: warp 2)",
        "CTA (0, 0, 0) warp 2: 32 threads wait in bar.sync (line 3) at barrier 15 (32 of the CTA's 128 threads have arrived; missing: warp 0-1,3)",
    }
    kind, message, hint, line = told(body, 128)
    head, *rest = message.replace(": no thread can make progress: ", "; CTA").split("; CTA")
    assert (kind, head, hint) == ("deadlock", "bar.sync", CYCLE) and line in (2, 3)
    assert {f"CTA {part.strip().removeprefix('CTA ')}" for part in rest} == set(map(lines, parts))


def test_collectives_that_lack_lanes() -> None:
    """Those who wait for lanes of their own warps are to blame before all others."""
    body = "setp.ne.u32 %p1, %r9, 3; @%p1 bra L;\nbar.warp.sync -1; ret;\nL: setp.gt.u32 %p2, %r9, 9; @%p2 ret;\nbar.sync 1, 64; ret;"
    message = (
        "bar.warp.sync: no thread can make progress: CTA (0, 0, 0) warp 0: 1 threads wait in bar.warp.sync (line 2) for lanes that "
        "wait elsewhere (lane 0 and 8 more); CTA (0, 0, 0) warp 0: 9 threads wait in bar.sync (line 4) for lanes that wait elsewhere (lane 3)"
    )
    assert told(body, 32) == ("membermask", lines(message), TOGETHER, 2)
    body = (
        "setp.gt.u32 %p1, %r8, 4; @%p1 bra L;\nshfl.sync.idx.b32 %r3, %r8, 0, 31, 0xff; ret; L:\nbar.sync 2, 96; ret;"
    )
    message = (
        "shfl.sync.idx.b32: no thread can make progress: CTA (0, 0, 0) warp 0-1: 10 threads wait in shfl.sync.idx.b32 (line 2) for "
        "lanes that wait elsewhere (lane 5 and 26 more); CTA (0, 0, 0) warp 0-1: 54 threads wait in bar.sync (line 3) for lanes that "
        "wait elsewhere (lane 0 and 4 more)"
    )
    assert told(body) == ("membermask", lines(message), TOGETHER, 2)


def test_rules_of_barriers() -> None:
    """Their numbers, the threads that they expect, and how often a thread arrives."""
    for number in (16, 17, 1 << 31):
        assert told(f"mov.u32 %r2, {number};\nbar.sync %r2; ret;", 32) == (
            "barrier",
            f"bar.sync: there is no barrier {number}",
            "",
            2,
        )
    launch(START + "mov.u32 %r2, 15; bar.sync %r2; mov.u32 %r2, 0; bar.sync %r2; ret;", [np.zeros(64, np.uint32)], 32)
    again = "bar.arrive: the thread arrives a second time before the barrier completes"
    assert told("bar.arrive 1, 96;\nbar.arrive 1, 96; ret;", 32) == ("barrier", again, "", 2)
    launch(START + "bar.arrive 1, 96; bar.arrive 2, 96; ret;", [np.zeros(64, np.uint32)], 32)
    odd = "setp.eq.u32 %p1, %r1, 0; @%p1 bra L;\nbar.sync 1{}; ret; L:\nbar.sync 1{}; ret;"
    kind, message, hint, line = told(odd.format(", 96", ", 64"))
    assert (kind, hint) == ("barrier", NUMBERS) and line in (2, 3)
    numbers = {2: (96, 64), 3: (64, 96)}[line]
    assert message == "bar.sync: expects {} threads, but others at this barrier expect {}".format(*numbers)
    for first, second in ((", 64", ", 64"), ("", ""), ("", ", 64"), (", 64", "")):
        launch(START + odd.format(first, second), [np.zeros(64, np.uint32)], 64)
    many = "bar.sync: 96 threads arrive at a barrier for 64: which it releases is undefined"
    hint = "count all threads that arrive at the barrier, in multiples of a warp"
    assert told("bar.sync 1, 64; ret;", 96) == ("barrier", many, hint, 1)
    for count in (48, 1, 33):
        message = f"bar.sync: expects {count} threads: the number must be a positive multiple of 32"
        assert told(f"bar.sync 1, {count}; ret;", 96) == ("barrier", message, "", 1)


def test_ranges_of_numbers() -> None:
    """Those that follow one another from the first to the last, and no two of them side by side."""
    rng = random.Random(1)
    for _ in range(200):
        numbers = sorted(rng.sample(range(20), rng.randint(1, 20)))
        parts = [tuple(map(int, part.split("-"))) for part in _ranges(numbers).split(",")]
        assert [n for part in parts for n in range(part[0], part[-1] + 1)] == numbers
        assert all(len(part) == 1 or part[0] < part[1] for part in parts)
        assert all(one[-1] + 1 < other[0] for one, other in pairwise(parts))


def test_votes_of_barriers() -> None:
    """Threads that arrive vote; what each CTA gets is of its own threads, each time anew."""
    rng = np.random.default_rng(3)
    data = rng.integers(0, 1 << 12, 4 * 64, np.uint32)
    given = data.copy()
    body = "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd1; ld.global.u32 %r2, [%rd2]; mov.u32 %r7, 0;"
    for bit in range(4):
        body += f"and.b32 %r3, %r2, {1 << bit}; setp.ne.u32 %p1, %r3, 0; setp.gt.u32 %p3, %r2, {8 >> bit if bit else 4095 - 1}; bar.red.popc.u32 %r4, 1, 64, %p1;"
        body += "bar.red.and.pred %p2, 2, %p3; selp.u32 %r5, 1, 0, %p2; bar.red.or.pred %p2, 3, 64, !%p3; selp.u32 %r6, 1, 0, %p2;"
        body += "shl.b32 %r7, %r7, 8; shl.b32 %r4, %r4, 1; add.u32 %r4, %r4, %r5; xor.b32 %r4, %r4, %r6; xor.b32 %r7, %r7, %r4;"
    launch(INDEX + body + "st.global.u32 [%rd2], %r7; ret;", [data], 64, grid=4)
    for cta in range(4):
        mine, wanted = given[64 * cta : 64 * cta + 64], 0
        for bit in range(4):
            holds = mine > (8 >> bit if bit else 4095 - 1)
            one = 2 * int((mine >> bit & 1).sum()) + int(holds.all())
            wanted = (wanted << 8 & 0xFFFF_FFFF) ^ one ^ int((~holds).any())
        assert set(data[64 * cta : 64 * cta + 64].tolist()) == {wanted}


STORE = "st.global.u32 [%rd2], 1;"
SPARES = [
    "@%p1 ret; bar.sync 0; ret;",  # An early end counts as an arrival,
    "@%p1 bra L; bar.sync 0; L: ret;",  # as does a way that leads straight to the end,
    "@%p1 st.global.u32 [%rd2], 1; @%p1 ret; bar.sync 0; ret;",  # and whatever was done before the barrier.
    "@%p1 bra L; bar.sync 0; L: exit;",
    "@!%p1 bra L; st.global.u32 [%rd2], 1; ret; L: bar.sync 0;",
    "@!%p1 bar.sync 0; ret;",
    f"@%p1 bra L; bar.sync 1, 32; L: {STORE} ret;",  # A barrier of some threads is none of the others.
    f"@%p1 bra L; bar.arrive 0, 64; {STORE} ret; L: bar.sync 0, 64; ret;",
    "add.u32 %r2, %r1, 1; again: bar.sync 0; sub.u32 %r2, %r2, 1; setp.ne.u32 %p3, %r2, 0; @%p3 bra again; ret;",
]
SKIPS = [
    (f"@%p1 bra L;\nbar.sync 0;\nL: {STORE}\nret;", "CTA", 2, 4),
    (f"@%p2 bra L;\nbar.sync 0;\nL: {STORE}\nret;", "warp", 2, 4),
    (f"@%p1 bra L;\nbar.sync 0;\nL: {STORE}", "CTA", 2, 0),
    (f"@%p1 bra L;\nbarrier.sync 0;\nL: {STORE}\nret;", "CTA", 2, 4),
    (f"@%p2 bra L;\nbarrier.sync 0;\nL: {STORE}\nexit;", "CTA", 2, 4),
    (f"@%p2 bra L;\nbarrier.sync.aligned 0;\nL: {STORE}\nret;", "warp", 2, 4),
    (f"@!%p1 bar.sync 0;\n{STORE}\nret;", "CTA", 1, 3),
    (f"@!%p2 bar.sync 0;\n{STORE}\nret;", "warp", 1, 3),
    (f"@%p1 bra L;\nbar.sync 0; bra M;\nL: {STORE}\nM: ret;", "CTA", 2, 4),
    (f"@%p1 bra L;\nbar.sync 0; ret;\nL: {STORE}\nret;", "CTA", 2, 4),
    (f"@%p2 bra L;\nbar.red.popc.u32 %r4, 0, %p1;\nL: {STORE}\nexit;", "warp", 2, 4),
    (
        f"add.u32 %r2, %r1, 1;\nagain: bar.sync 0; sub.u32 %r2, %r2, 1; setp.ne.u32 %p3, %r2, 0; @%p3 bra again;\n{STORE}\nret;",
        "CTA",
        2,
        4,
    ),
]
"""Kernels, of what threads have gone around the barrier, its line, and that of their end (0: that of the text)."""
WAYS = "mad.wide.u32 %rd2, %r9, 4, %rd1; setp.ne.u32 %p1, %r1, 0; setp.gt.u32 %p2, %r8, 9;"


@pytest.mark.parametrize("body", SPARES)
def test_threads_that_end_need_not_meet_the_others(body: str) -> None:
    launch(START + WAYS + body, [np.zeros(64, np.uint32)], 64, target="sm_90")


@pytest.mark.parametrize(("body", "whose", "line", "end"), SKIPS)
def test_threads_that_go_around_a_barrier(body: str, whose: str, line: int, end: int) -> None:
    """They do more and then end: what the barrier does is undefined, of its warp where it is aligned."""
    kind, message, hint, at = told(WAYS + body)
    opcode = next(
        word for word in ("bar.red.popc.u32", "barrier.sync.aligned", "barrier.sync", "bar.sync") if word in body
    )
    where = f" (they exited at line {end + BEFORE})" if end else ""
    text = f"{opcode}: threads of the {whose} have bypassed the barrier and exited{where}"
    assert (kind, message, hint, at) == (
        "divergent-collective" if whose == "warp" else "barrier", text, "make all threads reach the barrier, or exit before it", line
    )  # fmt: skip


def test_barriers_that_are_used_again_by_others() -> None:
    """Who arrives must know that those who have met there before are gone, or their arrivals may be mixed up."""
    hint = "use barriers with different numbers, or wait for the threads that used this one before"
    message = "bar.{}: this arrival may be counted for an earlier use of the barrier, by {}"
    apart = "setp.gt.u32 %p1, %r1, 1; @%p1 bra L;\nbar.{} 1, 64; {} ret;\nL: {}\nbar.{} 1, 64; ret;"
    for first, second, who in (
        ("sync", "sync", "warp 0 and others"),
        ("sync", "arrive", "warp 0 and others"),
        ("arrive", "sync", "warps that do not wait"),
    ):
        for grid in (1, 2):
            found = told(apart.format(first, "", "", second), 128, grid=grid)
            assert found == ("barrier", message.format(second, who), hint, 4)
    launch(
        START + apart.format("sync", "bar.arrive 2, 128;", "bar.sync 2, 128;", "sync"), [np.zeros(64, np.uint32)], 128
    )
    launch(
        START + apart.format("sync", "", "", "sync").replace("L: \nbar.sync 1", "L: \nbar.sync 2"),
        [np.zeros(64, np.uint32)],
        128,
    )
    waits = "setp.gt.u32 %p1, %r1, 2; @%p1 bra L;\nbar.sync 1, 96; ret;\nL: bar.sync 1, 32; ret;"
    assert told(waits, 128)[:2] == ("barrier", message.format("sync", "warp 0 and others"))


def test_threads_sleep_at_mbarriers_of_their_ctas() -> None:
    """The address that a hang names is one of the memory of the CTA that waits."""
    body = """.shared .align 8 .b64 pad; .shared .align 8 .b64 bar; setp.ne.u32 %p1, %r9, 0; @%p1 ret; mbarrier.init.shared.b64 [bar], {};
mbarrier.arrive.shared.b64 _, [bar];
again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again; ret;"""
    ctas = "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p3, %r4, 1; selp.u32 %r5, 2, 1, %p3;"
    for grid in (2, 3):
        with pytest.raises(KernelFault, match="at mbarrier 0x88") as caught:
            launch(START + ctas + body.format("%r5"), [np.zeros(64, np.uint32)], 32, target="sm_90", grid=grid)
        assert (caught.value.kind, caught.value.address) == ("deadlock", 0x88)
        assert caught.value.thread is not None and caught.value.thread.cta == (1, 0, 0)


def test_who_only_arrives_has_no_vote() -> None:
    """Whatever it has voted before at the same barrier."""
    body = """ld.param.u64 %rd1, [p0]; setp.ge.u32 %p1, %r9, 0; setp.eq.u32 %p2, %r1, 0; bar.red.popc.u32 %r2, 1, 64, %p1; setp.ne.u32 %p3, %r1, 0;
@%p3 bra other; bar.red.popc.u32 %r3, 1, 64, !%p2; bar.red.or.pred %p4, 1, 64, !%p2; selp.u32 %r4, 7, 5, %p4; bar.red.and.pred %p4, 1, 64, %p2;
selp.u32 %r5, 7, 5, %p4; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5}; ret;
other: bar.arrive 1, 64; bar.sync 2, 32; bar.arrive 1, 64; bar.sync 2, 32; bar.red.and.pred %p4, 1, 64, %p1; ret;"""
    data = np.zeros(4, np.uint32)
    with pytest.raises(
        KernelFault, match="may be counted for an earlier use"
    ):  # Nothing lets it wait for the others in between.
        launch(START + body, [data], 64)
    apart = body.replace("bar.sync 2, 32;", "bar.sync 2, 64;").replace("bar.red.or", "bar.sync 2, 64; bar.red.or")
    launch(
        START + apart.replace("bar.red.and.pred %p4, 1, 64, %p2", "bar.sync 2, 64; bar.red.and.pred %p4, 1, 64, %p2"),
        [data],
        64,
    )
    assert data.tolist() == [64, 0, 5, 7]


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_votes_of_some_warps(engine: Any) -> None:
    """At each barrier those count that take part and vote, whoever else there is: the others, and those who only arrive."""
    body = """ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r0, 16, %rd1; setp.ne.u32 %p1, %r8, {odd}; setp.gt.u32 %p2, %r1, {last}; @%p2 bra other;
bar.red.and.pred %p3, 1, {count}, %p1; selp.u32 %r2, 1, 0, %p3; bar.red.or.pred %p3, 2, {count}, !%p1; selp.u32 %r3, 1, 0, %p3;
bar.red.popc.u32 %r4, 3, {count}, %p1; bar.red.and.pred %p3, 4, {more}, %p1; selp.u32 %r5, 1, 0, %p3; st.global.v4.u32 [%rd2], {{%r2, %r3, %r4, %r5}}; ret;
other: bar.arrive 4, {more}; ret;"""
    for last in (0, 1):
        for odd in (5, 99):
            out, count = np.zeros((128, 4), np.uint32), 32 * (last + 1)
            launch(
                START + body.format(odd=odd, last=last, count=count, more=128), [out], 128, engine=engine, check="fast"
            )
            everyone = odd == 99
            assert (
                out[:count].tolist()
                == [[everyone, not everyone, count - (0 if everyone else last + 1), everyone]] * count
            )
            assert not out[count:].any()


def test_warps_may_meet_again_and_those_of_other_ctas_later() -> None:
    """A barrier of some warps of one CTA has nothing to do with that of another one, and those who waited there know of it."""
    wait = "mov.u32 %r5, %ctaid.x; setp.ne.u32 %p2, %r5, {}; @%p2 bra go; mov.u32 %r6, 0; spin: add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 40; @%p3 bra spin; go:"
    meet = "setp.gt.u32 %p1, %r1, 1; @%p1 bra L; bar.sync 1, 64; bar.sync 1, 64; bar.{} 1, 64; L: bar.sync 0; setp.lt.u32 %p1, %r1, 1; @%p1 ret; bar.sync 1, 64; ret;"
    for cta in range(3):
        for last in ("sync", "arrive"):
            launch(START + wait.format(cta) + meet.format(last), [np.zeros(64, np.uint32)], 96, grid=3)
