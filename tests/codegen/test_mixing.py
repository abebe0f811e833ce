"""Random numbers as kernels compute them: large factors of sums, and words mixed with themselves shifted."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

_WORD = 0xFFFFFFFF


@pytest.mark.parametrize("seed", range(6))
def test_mixed_words(seed: int) -> None:
    """A counter times a number, xor-shifted twice and shifted, with what is read once and what is read again."""
    rng = Random(f"mixing {seed}")
    by, more = rng.getrandbits(32) | 1, rng.getrandbits(32)
    first, second, last = (rng.randrange(1, 31) for _ in range(3))
    again = rng.random() < 0.5
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<64xi32>, %key: i32) kernel {{
      %i = gpu.thread_id x
      %t = arith.index_cast %i : index to i32
      %by = arith.constant {by - (by >> 31 << 32)} : i32
      %more = arith.constant {more - (more >> 31 << 32)} : i32
      %n1 = arith.constant {first} : i32
      %n2 = arith.constant {second} : i32
      %n3 = arith.constant {last} : i32
      %sum = arith.addi %t, %key : i32
      %product = arith.muli %sum, %by : i32
      %x = arith.addi %product, %more : i32
      %s1 = arith.shrui %x, %n1 : i32
      %y = arith.xori %x, %s1 : i32
      %z = arith.muli %y, %by : i32
      %s2 = arith.shrui %z, %n2 : i32
      %w = arith.xori %s2, %z : i32
      %v = arith.shrui %w, %n3 : i32
      %r = arith.ori %v, %{"w" if again else "n1"} : i32
      memref.store %r, %out[%i] : memref<64xi32>
      gpu.return }} }}"""
    out, key = np.zeros(64, np.int32), rng.getrandbits(31)
    weft.run(weft.compile(text, "sm_80", bare_pointers=True), "k", 1, 64, [out, np.int32(key)])
    for thread in range(64):
        x = ((thread + key) * by + more) & _WORD
        z = ((x ^ x >> first) * by) & _WORD
        w = z ^ z >> second
        assert int(out[thread]) & _WORD == w >> last | (w if again else first)
