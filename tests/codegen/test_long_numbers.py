"""Sums of several words: each is made of the one before, and no product is computed twice."""

from __future__ import annotations

import numpy as np
import pytest

import weft

WORDS = 4


def _text(sum_and_carry: str) -> str:
    """x * m + y, of numbers of several words of 64 bits and a factor of one."""
    lines = ["%h0 = arith.constant 0 : i64", "%k0 = arith.constant 0 : i64"]
    for at in range(WORDS):
        lines += [
            f"%w{at} = arith.constant {at} : index",
            f"%a{at} = memref.load %x[%t, %w{at}] : memref<32x{WORDS}xi64>",
            f"%b{at} = memref.load %y[%t, %w{at}] : memref<32x{WORDS}xi64>",
            f"%p{at}, %q{at} = arith.mului_extended %a{at}, %m : i64",
            sum_and_carry.format(s=f"s{at}", o=f"o{at}", a=f"p{at}", b=f"k{at}"),
            f"%c{at} = arith.extui %o{at} : i1 to i64",
            f"%k{at + 1} = arith.addi %q{at}, %c{at} : i64",
            sum_and_carry.format(s=f"u{at}", o=f"v{at}", a=f"s{at}", b=f"b{at}"),
            sum_and_carry.format(s=f"z{at}", o=f"n{at}", a=f"u{at}", b=f"h{at}"),
            f"%e{at} = arith.ori %v{at}, %n{at} : i1",
            f"%h{at + 1} = arith.extui %e{at} : i1 to i64",
            f"memref.store %z{at}, %out[%t, %w{at}] : memref<32x{WORDS}xi64>",
        ]
    memref = f"memref<32x{WORDS}xi64>"
    return f"""gpu.module @m {{ gpu.func @k(%x: {memref}, %y: {memref}, %f: memref<32xi64>, %out: {memref}) kernel {{
      %t = gpu.thread_id x
      %m = memref.load %f[%t] : memref<32xi64>
      {chr(10).join(lines)}
      gpu.return }} }}"""


EXTENDED = "%{s}, %{o} = arith.addui_extended %{a}, %{b} : i64, i1"
OVERFLOW = """%r{s} = "llvm.intr.uadd.with.overflow"(%{a}, %{b}) : (i64, i64) -> !llvm.struct<(i64, i1)>
%{s} = llvm.extractvalue %r{s}[0] : !llvm.struct<(i64, i1)>
%{o} = llvm.extractvalue %r{s}[1] : !llvm.struct<(i64, i1)>"""


@pytest.mark.parametrize("way", [EXTENDED, OVERFLOW])
def test_a_long_product_and_sum(way: str) -> None:
    ptx = weft.compile(_text(way), "sm_80", bare_pointers=True).to_ptx()
    assert (ptx.count("mul.lo.s64"), ptx.count("mad.lo.s64")) == (WORDS, 0)
    rng = np.random.default_rng(4)
    x, y = (rng.integers(0, 1 << 64, (32, WORDS), np.uint64) for _ in range(2))
    x[:4], y[:4] = (1 << 64) - 1, (1 << 64) - 1
    m = rng.integers(0, 1 << 64, 32, np.uint64)
    m[:2] = (1 << 64) - 1
    out = np.zeros_like(x)
    weft.run(weft.parse(ptx), "k", grid=1, block=32, args=[x, y, m, out])
    for row in range(32):
        first, second = (sum(int(word) << 64 * at for at, word in enumerate(part[row])) for part in (x, y))
        wanted = first * int(m[row]) + second
        assert [int(word) for word in out[row]] == [wanted >> 64 * at & (1 << 64) - 1 for at in range(WORDS)]
