"""Switches with many cases, in blocks that pass values on: drawn, against Python."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft
from tests.codegen.support import compiled

THREADS = 96


def _text(dialect: str, bits: int, values: list[int], passing: list[bool]) -> str:
    """Turns of a loop that add what the case says to a sum, or pass it to the block where the turn ends."""
    t, ends = f"i{bits}", ", ".join
    cases = ends(
        f"{value}: {f'^end(%k{at} : i32)' if passed else f'^case{at}'}"
        for at, (value, passed) in enumerate(zip(values, passing, strict=True))
    )
    blocks = "".join(
        f"""^case{at}:
      %s{at} = arith.muli %sum, %k{at} : i32
      {dialect}.br ^end(%s{at} : i32)
    """
        for at, passed in enumerate(passing)
        if not passed
    )
    constants = "".join(f"%k{at} = arith.constant {2 * at + 3} : i32\n" for at in range(len(values)))
    head = f"cf.switch %f : {t}, [default: ^end(%minus : i32), {cases}]"
    if dialect == "llvm":
        head = f"llvm.switch %f : {t}, ^end(%minus : i32) [{cases}]"
    return f"""gpu.module @m {{ gpu.func @k(%in: memref<?x{t}>, %out: memref<?xi32>) kernel {{
      %i = gpu.thread_id x
      %minus = arith.constant -1 : i32
      %one = arith.constant 1 : i32
      %last = arith.constant 3 : i32
      %by = arith.constant 5 : {t}
      {constants}
      %f0 = memref.load %in[%i] : memref<?x{t}>
      %zero = arith.constant 0 : i32
      {dialect}.br ^head(%f0, %one, %zero : {t}, i32, i32)
    ^head(%f: {t}, %sum: i32, %turn: i32):
      {head}
    {blocks}^end(%made: i32):
      %x = arith.xori %made, %sum : i32
      %next = arith.addi %turn, %one : i32
      %g = arith.muli %f, %by : {t}
      %again = arith.cmpi ne, %next, %last : i32
      {dialect}.cond_br %again, ^head(%g, %x, %next : {t}, i32, i32), ^leave
    ^leave:
      memref.store %x, %out[%i] : memref<?xi32>
      gpu.return }} }}"""


@pytest.mark.sample(6)
@pytest.mark.parametrize("dialect", ["cf", "llvm"])
@pytest.mark.parametrize("bits", [8, 32, 64])
@pytest.mark.parametrize("seed", range(4))
def test_switches(seed: int, bits: int, dialect: str) -> None:
    rng = Random(f"{seed} {bits} {dialect}")
    low = rng.choice((0, 0, 3, -2, -(1 << bits - 1), (1 << bits - 1) - 16))
    values = rng.sample(range(low, low + rng.choice((8, 14))), rng.randrange(4, 8))
    passing = [rng.random() < 0.4 for _ in values]
    module = compiled(_text(dialect, bits, values, passing))
    assert ("brx.idx" in module.to_ptx()) == (bits < 64)
    half = 1 << bits - 1
    flags = [rng.choice((*values, low - 1, low + 20, rng.randrange(-half, half))) for _ in range(THREADS)]
    flags = [(flag + half) % (2 * half) - half for flag in flags]
    given, out = np.array(flags, f"int{bits}"), np.zeros(THREADS, np.int32)
    weft.run(module, "k", 1, THREADS, [given, given, 0, THREADS, 1, out, out, 0, THREADS, 1])
    for flag, found in zip(flags, out.tolist(), strict=True):
        total, turned = 1, flag
        for _ in range(3):
            made = -1
            if turned in values:
                at = values.index(turned)
                made = 2 * at + 3 if passing[at] else total * (2 * at + 3)
            total, turned = made ^ total, (turned * 5 + half) % (2 * half) - half
        assert (found - total) % (1 << 32) == 0


def test_a_version_without_tables() -> None:
    text = _text("cf", 32, [0, 1, 2, 3, 4], [True, False, True, False, False])
    assert "brx.idx" not in weft.compile(text, "sm_60", ptx_version="5.0").to_ptx()
