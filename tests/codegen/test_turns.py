"""Loops that make several turns at once: each thread with bounds of its own, against Python."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

THREADS = 64


def _text(kind: str, step: int) -> str:
    bounds = "\n".join(
        f"%{name}32 = memref.load %{name}s[%i] : memref<?xi32>\n"
        + (f"%{name} = arith.index_cast %{name}32 : i32 to index" if kind == "index" else
           f"%{name} = arith.extsi %{name}32 : i32 to i64" if kind == "i64" else f"%{name} = arith.addi %{name}32, %zero : i32")
        for name in ("low", "high")
    )  # fmt: skip
    number = {
        "index": "arith.index_cast %j : index to i32",
        "i64": "arith.trunci %j : i64 to i32",
        "i32": "arith.addi %j, %zero : i32",
    }
    typed = "" if kind == "index" else f" : {kind}"
    return f"""gpu.module @m {{ gpu.func @k(%lows: memref<?xi32>, %highs: memref<?xi32>, %out: memref<2x?xi32>) kernel {{
      %zero = arith.constant 0 : i32
      %first = arith.constant 0 : index
      %second = arith.constant 1 : index
      %step = arith.constant {step} : {kind}
      %factor = arith.constant 31 : i32
      %i = gpu.thread_id x
      {bounds}
      %r:2 = scf.for %j = %low to %high step %step iter_args(%sum = %factor, %last = %zero) -> (i32, i32){typed} {{
        %n = {number[kind]}
        %a = arith.muli %sum, %factor : i32
        %b = arith.addi %a, %n : i32
        %c = arith.xori %b, %last : i32
        scf.yield %c, %sum : i32, i32
      }}
      memref.store %r#0, %out[%first, %i] : memref<2x?xi32>
      memref.store %r#1, %out[%second, %i] : memref<2x?xi32>
      gpu.return }} }}"""


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("kind", ["index", "i32", "i64"])
def test_turns(kind: str, step: int) -> None:
    rng = Random(f"{kind} {step}")
    top, bottom = (1 << 31) - 1, -(1 << 31)
    starts = [rng.choice((0, 1, -3, 5, rng.randrange(-99, 99))) for _ in range(THREADS - 4)]
    lows = [*starts, top - 6 * step, top - 1, bottom, top]
    highs = [*(low + rng.choice((-2, *range(14), 33)) for low in starts), top - step, top - step, bottom + 9, bottom]
    module = weft.compile(_text(kind, step), "sm_80")
    out = np.zeros((2, THREADS), np.int32)
    first, last = np.array(lows, np.int32), np.array(highs, np.int32)
    arguments = [first, first, 0, THREADS, 1, last, last, 0, THREADS, 1, out, out, 0, 2, THREADS, THREADS, 1]
    weft.run(module, "k", 1, THREADS, arguments, check="fast")
    for thread, (low, high) in enumerate(zip(lows, highs, strict=True)):
        total, before = 31, 0
        for j in range(low, high, step):
            total, before = (total * 31 + j ^ before) & 0xFFFFFFFF, total
        assert (int(out[0, thread]) & 0xFFFFFFFF, int(out[1, thread]) & 0xFFFFFFFF) == (total, before), (low, high)


@pytest.mark.sample(6)
@pytest.mark.parametrize("low", [0, 1, 4, -8])
@pytest.mark.parametrize("trips", [18, 20, 32, 33])
@pytest.mark.parametrize("remainder", ["andi", "remui", "remsi"])
def test_low_bits_of_counters(low: int, trips: int, remainder: str) -> None:
    """Loops of a known count that ask for the remainder of their counter, with and without the thread's number."""
    rng = Random(f"{low} {trips} {remainder}")
    period, step = rng.choice((2, 4, 8)), rng.choice((1, 2))
    by = period - 1 if remainder == "andi" else period
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<?xi32>) kernel {{
      %low = arith.constant {low} : i32
      %high = arith.constant {low + trips * step} : i32
      %step = arith.constant {step} : i32
      %by = arith.constant {by} : i32
      %seven = arith.constant 7 : i32
      %i = gpu.thread_id x
      %t = arith.index_cast %i : index to i32
      %r = scf.for %j = %low to %high step %step iter_args(%x = %t) -> (i32) : i32 {{
        gpu.barrier
        %p = arith.{remainder} %j, %by : i32
        %jt = arith.addi %j, %t : i32
        %q = arith.andi %jt, %by : i32
        %u = arith.muli %x, %seven : i32
        %v = arith.addi %u, %p : i32
        %w = arith.xori %v, %q : i32
        scf.yield %w : i32
      }}
      memref.store %r, %out[%i] : memref<?xi32>
      gpu.return }} }}"""
    out = np.zeros(THREADS, np.int32)
    weft.run(weft.compile(text, "sm_80"), "k", 1, THREADS, [out, out, 0, THREADS, 1], check="fast")
    for thread in range(THREADS):
        x = thread
        for j in range(low, low + trips * step, step):
            p = (
                j & by
                if remainder == "andi"
                else (j & 0xFFFFFFFF) % by
                if remainder == "remui"
                else int(np.fmod(j, by))
            )
            x = x * 7 + p ^ (j + thread & by)
        assert int(out[thread]) & 0xFFFFFFFF == x & 0xFFFFFFFF


@pytest.mark.parametrize("kind", ["i32", "i64", "index"])
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("trips", [5, 40, 0])
def test_numbers_that_count_beside(kind: str, step: int, trips: int) -> None:
    """Carried numbers that a turn adds a constant to, in 32 and 64 bits, beyond what 32 bits hold, and after the loop."""
    rng = Random(f"{kind} {step} {trips}")
    low = rng.choice((0, -7, 3))
    starts = [rng.choice((0, 5, -9, (1 << 31) - 3)) for _ in range(3)]
    adds = [step * rng.choice((1, -1, 5)), step * rng.choice((2, 0, -3)), rng.randrange(1, 9)]
    constants = "".join(
        f"%s{n} = arith.constant {start} : {t}\n%c{n} = arith.constant {add} : {t}\n"
        for n, (start, add, t) in enumerate(zip(starts, adds, ("i32", "i64", "i32"), strict=True))
    )
    byte, more = rng.choice((100, -3)), step * rng.choice((3, -2))
    text = f"""gpu.module @m {{ gpu.func @k(%high: {kind}, %out: memref<6xi64>) kernel {{
      %low = arith.constant {low} : {kind}
      %step = arith.constant {step} : {kind}
      {constants}
      %seven = arith.constant 7 : i64
      %s3 = arith.constant {byte} : i8
      %c3 = arith.constant {more} : i8
      %s4 = arith.constant {byte} : index
      %c4 = arith.constant {more} : index
      %r:6 = scf.for %j = %low to %high step %step
          iter_args(%a = %s0, %b = %s1, %c = %s2, %x = %seven, %d = %s3, %e = %s4)
          -> (i32, i64, i32, i64, i8, index) {": " + kind if kind != "index" else ""} {{
        %a1 = arith.extsi %a : i32 to i64
        %c1 = arith.extsi %c : i32 to i64
        %x1 = arith.muli %x, %seven : i64
        %x2 = arith.addi %x1, %a1 : i64
        %x3 = arith.xori %x2, %b : i64
        %x4 = arith.addi %x3, %c1 : i64
        %an = arith.addi %a, %c0 : i32
        %bn = arith.addi %b, %c1n : i64
        %cn = arith.addi %c, %c2 : i32
        %dn = arith.addi %d, %c3 : i8
        %en = arith.addi %e, %c4 : index
        scf.yield %an, %bn, %cn, %x4, %dn, %en : i32, i64, i32, i64, i8, index
      }}
      %ra = arith.extsi %r#0 : i32 to i64
      %rc = arith.extsi %r#2 : i32 to i64
      %rd = arith.extsi %r#4 : i8 to i64
      %re = arith.index_cast %r#5 : index to i64
      {"".join(f"%at{n} = arith.constant {n} : index{chr(10)}" for n in range(6))}
      memref.store %ra, %out[%at0] : memref<6xi64>
      memref.store %r#1, %out[%at1] : memref<6xi64>
      memref.store %rc, %out[%at2] : memref<6xi64>
      memref.store %r#3, %out[%at3] : memref<6xi64>
      memref.store %rd, %out[%at4] : memref<6xi64>
      memref.store %re, %out[%at5] : memref<6xi64>
      gpu.return }} }}""".replace("%c1 = arith.constant", "%c1n = arith.constant")
    out = np.zeros(6, np.int64)
    module = weft.compile(text, "sm_80")
    weft.run(module, "k", 1, 1, [low + trips * step, out, out, 0, 6, 1], check="fast")
    a, b, c, x = (*starts, 7)
    for _ in range(trips):
        x = (((x * 7 + a) & (1 << 64) - 1) ^ (b & (1 << 64) - 1)) + c & (1 << 64) - 1
        a, b, c = ((a + adds[0] + (1 << 31)) % (1 << 32) - (1 << 31), b + adds[1], c + adds[2])
        c = (c + (1 << 31)) % (1 << 32) - (1 << 31)
    counted = byte + trips * more
    results = (a, b, c, x, (counted + 128) % 256 - 128, counted)
    assert [int(one) & (1 << 64) - 1 for one in out] == [one & (1 << 64) - 1 for one in results]


@pytest.mark.parametrize("kind", ["i64", "index"])
def test_counters_times_what_their_turns_load(kind: str) -> None:
    """A product of a counter steps with it only where the loop leaves the factor alone."""
    text = f"""gpu.module @m {{ gpu.func @k(%factors: memref<16xi64>, %n: i64, %out: memref<64xi64>) kernel {{
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %m = {"arith.index_cast %n : i64 to index" if kind == "index" else "arith.addi %n, %zero : i64"}
      %low = arith.constant 0 : {kind}
      %step = arith.constant 1 : {kind}
      scf.for %j = %low to %m step %step {": i64" if kind == "i64" else ""} {{
        gpu.barrier
        %i = {"arith.index_cast %j : i64 to index" if kind == "i64" else "arith.addi %j, %low : index"}
        %factor = memref.load %factors[%i] : memref<16xi64>
        %f = arith.index_cast %factor : i64 to index
        %place = arith.muli %i, %f : index
        %number = arith.index_cast %i : index to i64
        memref.store %number, %out[%place] : memref<64xi64>
      }}
      gpu.return }} }}"""
    factors, out = np.array([5, 9, 1, 8, 4, 11, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0], np.int64), np.zeros(64, np.int64)
    weft.run(weft.compile(text, "sm_80", bare_pointers=True), "k", 1, 1, [factors, np.int64(8), out])
    wanted = np.zeros(64, np.int64)
    for j in range(8):
        wanted[j * factors[j]] = j
    assert out.tolist() == wanted.tolist()
