"""What lanes of a warp exchange and agree on, every form by the table, with lanes that do not take part, against Python."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import Array, launch
from tests.sim.test_forms import tokens_of
from weft.isa.registry import compiled_forms
from weft.sim import KernelFault, UnsupportedInstruction

THREADS = 128
RNG = np.random.default_rng(3)
SOME = RNG.integers(0, 1 << 32, THREADS, dtype=np.uint64).astype(np.uint32)
SOME[96:] = 0xFFFF_FFFF
MASKS = [int(RNG.integers(1, 1 << 32)), 0xFFFF_FFFF, 0x0001_0000, int(RNG.integers(1, 1 << 32)) & 0x7FFF_FFF0 | 16]
"""The lanes of each warp that take part."""
MEMBERS = np.array(MASKS, np.uint32).repeat(32)


def taking_part(thread: int) -> list[int]:
    """The threads of a thread's warp that do."""
    return [thread // 32 * 32 + lane for lane in range(32) if MASKS[thread // 32] >> lane & 1]


def ran(instruction: str, *columns: Array, check: Any = "fast", mask: str = "%r20") -> tuple[Array, Array]:
    """Run an instruction in the lanes that take part: `%r2` and `%p2` of each thread, 7 where it does not.

    `%r1`, `%r3`, `%r4` have columns, `%p1` the lowest bit of the first, `%rd10` both of the first two; `M` is the mask.
    """
    out = np.zeros((THREADS, 2), np.uint32)
    given = [*columns, *[columns[0]] * (3 - len(columns)), MEMBERS]
    loads = "".join(
        f"ld.param.u64 %rd1, [p{n}]; mad.wide.u32 %rd1, %r0, 4, %rd1; ld.global.b32 %r{register}, [%rd1];"
        for n, register in enumerate((1, 3, 4, 20))
    )
    body = f"""mov.u32 %r0, %tid.x; and.b32 %r9, %r0, 31; {loads} and.b32 %r5, %r1, 1; setp.ne.u32 %p1, %r5, 0;
    mov.b64 %rd10, {{%r1, %r3}}; mov.u32 %r2, 7; setp.ne.u32 %p2, 0, 0; shr.u32 %r6, %r20, %r9; and.b32 %r6, %r6, 1;
    setp.eq.u32 %p3, %r6, 0; @%p3 bra away; {instruction.replace("M", mask)} away:
    selp.u32 %r7, 1, 0, %p2; ld.param.u64 %rd1, [p4]; mad.wide.u32 %rd1, %r0, 8, %rd1;
    st.global.v2.u32 [%rd1], {{%r2, %r7}}; ret;"""
    launch(body, [*given, out], block=THREADS, target="sm_100a", check=check, engine="numpy")
    away = MEMBERS >> (np.arange(THREADS) % 32).astype(np.uint32) & 1 == 0
    assert (out[away] == [7, 0]).all()
    return out[:, 0], out[:, 1]


def shuffled(mode: str, lane: int, b: int, c: int) -> tuple[int, bool]:
    """The manual's pseudo-code."""
    shift, clamp, segment = b & 31, c & 31, c >> 8 & 31
    limit, low = lane & segment | clamp & ~segment & 31, lane & segment
    source = {"up": lane - shift, "down": lane + shift, "bfly": lane ^ shift, "idx": low | shift & ~segment}[mode]
    valid = source >= limit if mode == "up" else source <= limit
    return (source if valid else lane), valid


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", ["up", "down", "bfly", "idx"])
def test_shuffles(mode: str) -> None:
    """Of 32 bits of the shift and the bounds only some count; lanes that do not take part give nothing."""
    b, c = (RNG.integers(0, 1 << 32, THREADS, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    b[::3] &= 0xFFFF_FFE3
    c[::2] |= 0x1F
    found, valid = ran(f"shfl.sync.{mode}.b32 %r2|%p2, %r1, %r3, %r4, M;", SOME, b, c)
    for thread in (thread for warp in range(4) for thread in taking_part(32 * warp)):
        source, inside = shuffled(mode, thread % 32, int(b[thread]), int(c[thread]))
        other = thread // 32 * 32 + source
        assert valid[thread] == inside
        assert found[thread] == SOME[other if other in taking_part(thread) else thread]


def test_shuffles_from_lanes_that_do_not_take_part() -> None:
    away = min(lane for lane in range(32) if not MASKS[0] >> lane & 1)
    b = np.full(THREADS, 16, np.uint32)  # In the last two warps lane 16 takes part, or the own one is read.
    b[:32] = [away if lane == taking_part(0)[-1] else lane for lane in range(32)]
    b[96:] = 4
    with pytest.raises(KernelFault) as caught:
        ran("shfl.sync.idx.b32 %r2|%p2, %r1, %r3, 31, M;", SOME, b, check="strict")
    fault = caught.value
    assert (fault.kind, fault.thread and fault.thread.tid) == ("inactive-lane", (taking_part(0)[-1], 0, 0))
    assert f"takes the value of lane {away}, which does not execute it" in fault.message
    b[:32] = np.arange(32)
    ran("shfl.sync.idx.b32 %r2|%p2, %r1, %r3, 31, M;", SOME, b, check="strict")


def test_lanes_past_the_end_of_the_block_are_no_threads() -> None:
    """Code for partial warps reads them; it gets its own value back."""
    out = np.zeros(20, np.uint32)
    body = """mov.u32 %r0, %tid.x; ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1;
    shfl.sync.down.b32 %r1, %r0, 4, 31, -1; st.global.u32 [%rd1], %r1; ret;"""
    launch(body, [out], block=20, engine="numpy")
    assert out.tolist() == [lane + 4 if lane < 16 else lane for lane in range(20)]


def test_masks_of_two_halves_and_of_lanes_that_are_no_threads() -> None:
    """Each half of a warp agrees by itself; of a mask only the threads of the block count."""
    out = np.zeros((44, 8), np.uint32)
    body = """mov.u32 %r0, %tid.x; and.b32 %r9, %r0, 16; shr.u32 %r10, 0xffff, 0; shl.b32 %r10, %r10, %r9;
    setp.ge.u32 %p9, %r0, 32; selp.b32 %r10, 0xffffffff, %r10, %p9; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0;
    vote.sync.ballot.b32 %r2, %p1, %r10; match.any.sync.b32 %r3, %r1, %r10; match.all.sync.b32 %r4|%p2, 5, %r10;
    redux.sync.add.u32 %r5, %r0, %r10; redux.sync.and.b32 %r6, %r0, %r10; elect.sync %r7|%p3, %r10;
    shfl.sync.bfly.b32 %r8, %r0, 16, 31, %r10; vote.sync.all.pred %p4, %p1, %r10; selp.u32 %r9, 1, 0, %p4;
    ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 32, %rd1; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};
    st.global.v4.u32 [%rd1+16], {%r6, %r7, %r8, %r9}; ret;"""
    launch(body, [out], block=44, target="sm_100a", engine="numpy", check="fast")
    for thread in range(44):
        others = range(32, 44) if thread >= 32 else range(thread // 16 * 16, thread // 16 * 16 + 16)
        every = sum(1 << other % 32 for other in others)
        like = [sum(1 << other % 32 for other in others if other % 2 == bit) for bit in (0, 1)]
        own = [like[0], like[thread % 2], every, sum(others), functools.reduce(operator.and_, others)]
        assert out[thread].tolist() == [*own, others[0] % 32, thread, 0]


@pytest.mark.sample(3)
@pytest.mark.parametrize("negated", ["", "!"])
@pytest.mark.parametrize("mode", ["ballot", "any", "all", "uni"])
def test_votes(mode: str, negated: str) -> None:
    """Also where all agree, in the last two warps."""
    votes = SOME.copy()
    votes[64:96] |= 1
    target = "b32 %r2" if mode == "ballot" else "pred %p2"
    found = ran(f"vote.sync.{mode}.{target}, {negated}%p1, M;", votes)[mode != "ballot"]
    for thread in (thread for warp in range(4) for thread in taking_part(32 * warp)):
        said = [bool(votes[other] & 1) != bool(negated) for other in taking_part(thread)]
        ballot = sum(1 << other % 32 for other, yes in zip(taking_part(thread), said, strict=True) if yes)
        wanted = {"ballot": ballot, "any": any(said), "all": all(said), "uni": all(said) or not any(said)}
        assert found[thread] == wanted[mode]


@pytest.mark.sample(2)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("mode", ["any", "all"])
def test_matches(mode: str, wide: bool) -> None:
    """Words that differ in one bit only, the lowest or the highest one; in two warps all are alike."""
    low, high = SOME & 1, (SOME & 2) << 30
    low[32:64], high[96:] = 5, 9
    high[32:64] = high[96]
    low[96:] = 1
    target = "%r2|%p2" if mode == "all" else "%r2"
    found, agreed = ran(
        f"match.{mode}.sync.{'b64' if wide else 'b32'} {target}, {'%rd10' if wide else '%r1'}, M;", low, high
    )
    for thread in (thread for warp in range(4) for thread in taking_part(32 * warp)):
        words = {other: (low[other], high[other] if wide else 0) for other in taking_part(thread)}
        same = sum(1 << other % 32 for other, word in words.items() if word == words[thread])
        every = len(set(words.values())) == 1
        assert (found[thread], agreed[thread]) == ((same, 0) if mode == "any" else (MASKS[thread // 32] * every, every))


def least(values: list[float], slots: Any) -> float:
    """A minimum or maximum of floats: of numbers and NaNs that of the numbers, or with `.NaN` a NaN."""
    values = [abs(value) for value in values] if slots["abs"] else values
    numbers = [value for value in values if not math.isnan(value)]
    if not numbers or (slots["NaN"] and len(numbers) < len(values)):
        return math.nan
    return (min if slots["op"] == "min" else max)(numbers)


WHOLE: dict[str, Callable[[int, int], int]] = {
    "add": operator.add, "min": min, "max": max, "and": operator.and_, "or": operator.or_, "xor": operator.xor
}  # fmt: skip


@pytest.mark.parametrize("floats", [False, True])
def test_reductions(floats: bool) -> None:
    """Of numbers of both signs, all of one, and floats with a NaN here and there or NaNs only."""
    words = SOME.copy()
    words[64:96] |= 0x8000_0000
    real = RNG.standard_normal(THREADS).astype(np.float32)
    real[32:64] = -np.abs(real[32:64])
    real[taking_part(0)[1]] = real[96 + 4] = real[64:96] = np.nan
    for slots in tokens_of(compiled_forms("redux")[floats]):
        text = ".".join(str(slots[name]) for name in ("op", "abs", "NaN", "type") if slots[name])
        found, _ = ran(f"redux.sync.{text} %r2, %r1, M;", real.view(np.uint32) if floats else words)
        for warp in range(4):
            lanes = taking_part(32 * warp)
            assert len(set(found[lanes].tolist())) == 1
            if floats:
                wanted = np.float32(least(real[lanes].tolist(), slots))
                assert np.array_equal(found[lanes[:1]].view(np.float32), [wanted], equal_nan=True), slots
            else:
                some = words[lanes].view(np.int32 if slots["type"] == "s32" else np.uint32).tolist()
                assert found[lanes[0]] == functools.reduce(WHOLE[slots["op"]], some) & 0xFFFF_FFFF, slots


def test_leaders_and_who_is_there() -> None:
    found, chosen = ran("elect.sync %r2|%p2, M;", SOME)
    here, _ = ran("activemask.b32 %r2;", SOME)
    for thread in (thread for warp in range(4) for thread in taking_part(32 * warp)):
        first = taking_part(thread)[0]
        assert (found[thread], chosen[thread], here[thread]) == (first % 32, thread == first, MASKS[thread // 32])


@pytest.mark.parametrize(
    "text", ["shfl.up.b32 %r1, %r1, 1, 0;", "vote.any.pred %p1, %p1;"], ids=lambda text: text.partition(".")[0]
)
def test_forms_without_a_mask_are_refused(text: str) -> None:
    with pytest.raises(UnsupportedInstruction, match=r"warp instructions without \.sync"):
        launch(f"{text} ret;", [], target="sm_60")
