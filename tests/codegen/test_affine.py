"""`affine` loops, conditionals and accesses, compiled and run against NumPy."""

from __future__ import annotations

import numpy as np

import weft
from tests.codegen.support import compiled, launch

KERNEL = """
#inner = affine_set<(d0, d1) : (d0 - 1 >= 0, 14 - d0 >= 0, d1 - 1 >= 0, 14 - d1 >= 0)>
gpu.module @m {
  gpu.func @blur(%in: memref<16x16xf32>, %out: memref<16x16xf32>) kernel {
    %i = gpu.thread_id y
    %j = gpu.thread_id x
    "affine.if"(%i, %j) <{condition = #inner}> ({
      %zero = arith.constant 0.0 : f32
      %sum = affine.for %a = -1 to 2 iter_args(%acc = %zero) -> (f32) {
        %row = affine.for %b = -1 to 2 iter_args(%acc2 = %acc) -> (f32) {
          %v = affine.load %in[%i + %a, %j + %b] : memref<16x16xf32>
          %next = arith.addf %acc2, %v : f32
          affine.yield %next : f32
        }
        affine.yield %row : f32
      }
      affine.store %sum, %out[%i, %j] : memref<16x16xf32>
      affine.yield
    }, {}) : (index, index) -> ()
    gpu.return
  }
  gpu.func @strided(%in: memref<64xi32>, %out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    affine.for %k = max affine_map<(d0) -> (d0, 3)>(%t) to min affine_map<(d0) -> (d0 * 9 + 4, 64)>(%t) step 5 {
      %v = affine.load %in[%k] : memref<64xi32>
      affine.store %v, %out[%k] : memref<64xi32>
    }
    gpu.return
  }
}
"""


def descriptor(array: np.ndarray) -> list[object]:
    return [array, array, 0, *array.shape, *(stride // array.itemsize for stride in array.strides)]


def test_a_stencil() -> None:
    module = weft.compile(KERNEL, target="sm_80")
    assert weft.verify(module) == []
    image = np.arange(256, dtype="f4").reshape(16, 16)
    out = np.zeros_like(image)
    weft.run(module, "blur", grid=(1,), block=(16, 16), args=[*descriptor(image), *descriptor(out)])
    wanted = np.zeros_like(image)
    wanted[1:15, 1:15] = sum(image[1 + a : 15 + a, 1 + b : 15 + b] for a in (-1, 0, 1) for b in (-1, 0, 1))
    np.testing.assert_array_equal(out, wanted)


def test_bounds_of_several_maps() -> None:
    module = weft.compile(KERNEL, target="sm_80")
    for thread_count in (1, 7):
        source = np.arange(100, 164, dtype="i4")
        out = np.zeros(64, "i4")
        weft.run(
            module,
            "strided",
            grid=(1,),
            block=(thread_count,),
            args=[*descriptor(source), *descriptor(out)],
            check="fast",
        )
        wanted = np.zeros(64, "i4")
        for t in range(thread_count):
            for k in range(max(t, 3), min(t * 9 + 4, 64), 5):
                wanted[k] = source[k]
        np.testing.assert_array_equal(out, wanted)


def test_indices_taken_apart_and_put_together() -> None:
    text = """gpu.module @m { gpu.func @k(%A: memref<?x4xi64>, %n: index) kernel {
      %i = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %x, %y, %z = affine.delinearize_index %i into (5, 3, %n) : index, index, index
      %p, %q = affine.delinearize_index %i into (7) : index, index
      %w = affine.linearize_index [%z, %y, %x] by (3, 16) : index
      %a = arith.index_cast %y : index to i64
      %b = arith.index_cast %z : index to i64
      %c = arith.index_cast %q : index to i64
      %d = arith.index_cast %w : index to i64
      memref.store %a, %A[%i, %c0] : memref<?x4xi64>
      memref.store %b, %A[%i, %c1] : memref<?x4xi64>
      memref.store %c, %A[%i, %c2] : memref<?x4xi64>
      memref.store %d, %A[%i, %c3] : memref<?x4xi64>
      gpu.return
    } }"""
    found = np.zeros((40, 4), np.int64)
    launch(compiled(text), "k", 1, 40, [found, 4])
    i = np.arange(40)
    x, y, z = i // 12, i % 12 // 4, i % 4
    assert np.array_equal(found, np.stack([y, z, i % 7, (z * 3 + y) * 16 + x], 1))


def test_rows_at_mapped_indices() -> None:
    text = """gpu.module @m { gpu.func @k(%A: memref<8x16xf32>) kernel {
      %i = gpu.thread_id x
      %v = affine.vector_load %A[symbol(%i) + 4, 8] : memref<8x16xf32>, vector<4xf32>
      affine.prefetch %A[symbol(%i), 0], read, locality<3>, data : memref<8x16xf32>
      affine.vector_store %v, %A[symbol(%i), 4] : memref<8x16xf32>, vector<4xf32>
      gpu.return
    } }"""
    values = np.arange(128, dtype=np.float32).reshape(8, 16)
    wanted = values.copy()
    wanted[:4, 4:8] = values[4:, 8:12]
    launch(compiled(text), "k", 1, 4, [values])
    assert np.array_equal(values, wanted)
