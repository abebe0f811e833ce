"""`vector.transfer_read` and `transfer_write` by permutation maps, against NumPy's indexing."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from tests.codegen.support import compiled, launch

READS = [
    ("(a, b) -> (b, a)", "4x8", lambda x: np.array([[x[2 + j, 3 + i] for j in range(8)] for i in range(4)])),
    ("(a, b) -> (b, 0)", "4x8", lambda x: np.array([[x[2, 3 + i]] * 8 for i in range(4)])),
    ("(a, b) -> (0, a)", "4x8", lambda x: np.array([[x[2 + j, 3] for j in range(8)]] * 4)),
    ("(a, b) -> (a, b)", "4x8", lambda x: x[2:6, 3:11]),
]


@pytest.mark.parametrize(("map_", "shape", "expected"), READS, ids=[read[0] for read in READS])
def test_reads(map_: str, shape: str, expected: object) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<16x16xf32>, %B: memref<4x8xf32>, %i: index, %j: index) kernel {{
      %p = arith.constant 0.0 : f32
      %z = arith.constant 0 : index
      %v = vector.transfer_read %A[%i, %j], %p {{permutation_map = affine_map<{map_}>, in_bounds = [true, true]}}
        : memref<16x16xf32>, vector<{shape}xf32>
      vector.transfer_write %v, %B[%z, %z] {{in_bounds = [true, true]}} : vector<{shape}xf32>, memref<4x8xf32>
      gpu.return
    }} }}"""
    a, b = np.arange(256, dtype=np.float32).reshape(16, 16), np.zeros((4, 8), np.float32)
    launch(compiled(text), "k", 1, 1, [a, b, 2, 3])
    assert np.array_equal(b, expected(a))  # type: ignore[operator]


def test_a_column_that_leaves_the_buffer() -> None:
    text = """gpu.module @m { gpu.func @k(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %i: index, %j: index) kernel {
      %p = arith.constant -1.0 : f32
      %v = vector.transfer_read %A[%i, %j], %p {permutation_map = affine_map<(a, b) -> (a)>}
        : memref<?x?xf32>, vector<4xf32>
      vector.transfer_write %v, %B[%i, %j] {permutation_map = affine_map<(a, b) -> (b)>}
        : vector<4xf32>, memref<?x?xf32>
      gpu.return
    } }"""
    a, b = np.arange(64, dtype=np.float32).reshape(8, 8), np.zeros((8, 8), np.float32)
    launch(compiled(text), "k", 1, 1, [a, b, 6, 5])
    wanted = np.zeros((8, 8), np.float32)
    wanted[6, 5:] = [a[6, 5], a[7, 5], -1]
    assert np.array_equal(b, wanted)


@pytest.mark.parametrize("extent", [0, 3, 130, (1 << 31) + 2, (1 << 32) - 1, 1 << 32, (1 << 33) + 5])
def test_extents_of_64_bits(extent: int) -> None:
    """Four elements a thread, each compared with an extent that the kernel is told, however large."""
    text = """gpu.module @m { gpu.func @k(%in: memref<?xf32>, %out: memref<?xf32>) kernel {
      %four = arith.constant 4 : index
      %none = arith.constant -1.0 : f32
      %t = gpu.thread_id x
      %i = arith.muli %t, %four : index
      %v = vector.transfer_read %in[%i], %none : memref<?xf32>, vector<4xf32>
      vector.transfer_write %v, %out[%i] : vector<4xf32>, memref<?xf32>
      gpu.return } }"""
    given, got = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    module = compiled(text)
    assert "setp.lt.s64" not in module.to_ptx()
    for read, written in ((extent, 256), (256, extent)):
        got[:] = 0
        weft.run(module, "k", 1, 64, [given, given, 0, read, 1, got, got, 0, written, 1])
        places = np.arange(256)
        assert np.array_equal(got, np.where(places < written, np.where(places < read, given, -1), 0))
