"""Stores to the thread's own memory that nothing reads are left out, and with the last of them the memory."""

from __future__ import annotations

import numpy as np
import pytest

import weft

KERNEL = """gpu.module @m {{ gpu.func @k(%x: memref<32x4xf32>, %o: memref<32x4xf32>, %n: index) kernel {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = gpu.thread_id x
  %m = memref.alloca() : memref<4xf32>
  %a = memref.load %x[%t, %c0] : memref<32x4xf32>
  %b = memref.load %x[%t, %c1] : memref<32x4xf32>
  memref.store %a, %m[%c0] : memref<4xf32>
  memref.store %b, %m[%c1] : memref<4xf32>
  memref.store %b, %m[%c2] : memref<4xf32>
  {rest}
  gpu.return }} }}"""
PUT = "memref.store %r, %o[%t, %c0] : memref<32x4xf32>"


def _compiled(rest: str) -> str:
    return weft.compile(KERNEL.format(rest=rest), "sm_80", bare_pointers=True).to_ptx()


def _ran(rest: str, number: int) -> np.ndarray:
    data = np.arange(128, dtype=np.float32).reshape(32, 4)
    out = np.zeros_like(data)
    weft.run(weft.parse(_compiled(rest)), "k", grid=(1,), block=(32,), args=[data, out, number])
    return out[:, 0]


def test_what_is_forwarded_needs_no_memory() -> None:
    rest = f"%r = memref.load %m[%c1] : memref<4xf32>\n {PUT}"
    assert "local" not in _compiled(rest)
    assert np.array_equal(_ran(rest, 0), np.arange(1, 128, 4))


def test_what_a_loop_reads_is_stored() -> None:
    rest = f"""%r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> f32 {{
      %v = memref.load %m[%c1] : memref<4xf32>
      %w = arith.addf %s, %v : f32
      memref.store %w, %m[%c1] : memref<4xf32>
      scf.yield %w : f32 }}
      {PUT}"""
    ptx = _compiled(rest)
    assert [f"__local_depot0+{at}]" in ptx for at in (4, 8)] == [True, False]
    assert "[__local_depot0]" not in ptx
    first = np.arange(0, 128, 4)
    sums = first.copy()
    held = first + 1
    for _ in range(3):
        sums = sums + held
        held = sums
    assert np.array_equal(_ran(rest, 3), sums)


@pytest.mark.slow
def test_what_an_index_may_read_is_stored() -> None:
    rest = f"%r = memref.load %m[%n] : memref<4xf32>\n {PUT}"
    assert _compiled(rest).count("st.local") >= 2
    assert np.array_equal(_ran(rest, 1), np.arange(1, 128, 4))
    assert np.array_equal(_ran(rest, 0), np.arange(0, 128, 4))


def test_what_an_address_leads_to_is_stored() -> None:
    rest = """%p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
      %q = arith.index_cast %p : index to i32
      %r = arith.bitcast %q : i32 to f32
      memref.store %r, %o[%t, %c0] : memref<32x4xf32>"""
    assert "st.local" in _compiled(rest)
