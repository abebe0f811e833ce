"""`vector` under masks, and buffers of unknown size copied, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

MASK = [True, False, True, True]
NEUTRAL = 9.0


def kernel(body: str, arguments: str) -> Any:
    return compiled(f"gpu.module @m {{ gpu.func @k({arguments}) kernel {{\n{body}\ngpu.return }} }}")


LOADED = "%m = arith.constant dense<[true, false, true, true]> : vector<4xi1>\n%p = arith.constant dense<9.0> : vector<4xf32>\n"


def test_gather() -> None:
    body = (
        LOADED
        + """%c = arith.constant dense<[6, 1, 0, 3]> : vector<4xi32>
      %z = arith.constant 0 : index
      %v = vector.gather %A[%i] [%c], %m, %p
        : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.store %v, %B[%z] : memref<4xf32>, vector<4xf32>"""
    )
    a, b = np.arange(20, dtype=np.float32), np.zeros(4, np.float32)
    launch(kernel(body, "%A: memref<?xf32>, %B: memref<4xf32>, %i: index"), "k", 1, 1, [a, b, 5])
    assert b.tolist() == [11, NEUTRAL, 5, 8]


def test_scatter() -> None:
    body = (
        LOADED
        + """%c = arith.constant dense<[6, 1, 0, 3]> : vector<4xi32>
      %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
      vector.scatter %A[%i] [%c], %m, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>"""
    )
    a = np.zeros(12, np.float32)
    launch(kernel(body, "%A: memref<?xf32>, %i: index"), "k", 1, 1, [a, 2])
    assert a.tolist() == [0, 0, 3, 0, 0, 4, 0, 0, 1, 0, 0, 0]


def test_expanded_and_compressed_rows() -> None:
    body = (
        LOADED
        + """%v = vector.expandload %A[%i], %m, %p
        : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      vector.compressstore %B[%i], %m, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
      %z = arith.constant 0 : index
      vector.store %v, %C[%z] : memref<4xf32>, vector<4xf32>"""
    )
    a, b, c = np.arange(10, dtype=np.float32), np.zeros(10, np.float32), np.zeros(4, np.float32)
    arguments = "%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<4xf32>, %i: index"
    launch(kernel(body, arguments), "k", 1, 1, [a, b, c, 3])
    assert c.tolist() == [3, NEUTRAL, 4, 5]
    assert b.tolist() == [0, 0, 0, 3, 4, 5, 0, 0, 0, 0]


@pytest.mark.parametrize(("kind", "wanted"), [("add", 1 + 3 + 4), ("mul", 12), ("maxnumf", 4), ("minimumf", 1)])
def test_masked_reductions(kind: str, wanted: float) -> None:
    body = (
        LOADED
        + f"""%z = arith.constant 0 : index
      %v = vector.load %A[%z] : memref<4xf32>, vector<4xf32>
      %r = vector.mask %m {{ vector.reduction <{kind}>, %v : vector<4xf32> into f32 }} : vector<4xi1> -> f32
      memref.store %r, %A[%z] : memref<4xf32>"""
    )
    a = np.array([1, 100, 3, 4], np.float32)
    launch(kernel(body, "%A: memref<4xf32>"), "k", 1, 1, [a])
    assert a[0] == wanted


def test_masked_transfers() -> None:
    body = (
        LOADED
        + """%z = arith.constant 0 : index
      %f = arith.constant 9.0 : f32
      %v = vector.mask %m { vector.transfer_read %A[%z], %f {in_bounds = [true]} : memref<4xf32>, vector<4xf32> }
        : vector<4xi1> -> vector<4xf32>
      vector.mask %m { vector.transfer_write %v, %B[%z] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> }
        : vector<4xi1>
      vector.store %v, %C[%z] : memref<4xf32>, vector<4xf32>"""
    )
    a, b, c = np.array([1, 2, 3, 4], np.float32), np.zeros(4, np.float32), np.zeros(4, np.float32)
    launch(kernel(body, "%A: memref<4xf32>, %B: memref<4xf32>, %C: memref<4xf32>"), "k", 1, 1, [a, b, c])
    assert b.tolist() == [1, 0, 3, 4]
    assert c.tolist() == [1, NEUTRAL, 3, 4]


@pytest.mark.sample(2)
@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (20, 30)])
def test_copies(shape: tuple[int, int]) -> None:
    body = "memref.copy %A, %B : memref<?x?xf32> to memref<?x?xf32, strided<[?, ?]>>"
    a, wide = np.random.default_rng(0).random(shape, np.float32), np.zeros((shape[0], 2 * shape[1]), np.float32)
    b = wide[:, ::2]
    module = kernel(body, "%A: memref<?x?xf32>, %B: memref<?x?xf32, strided<[?, ?]>>")
    strides = (stride // 4 for stride in b.strides)
    pytest.importorskip("weft.sim").run(
        module, "k", 1, 1, [a, a, 0, *shape, shape[1], 1, wide, wide, 0, *shape, *strides]
    )
    assert np.array_equal(b, a)


def test_reshape() -> None:
    body = """%s = memref.alloca() : memref<2xindex>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.store %i, %s[%c0] : memref<2xindex>
      memref.store %j, %s[%c1] : memref<2xindex>
      %r = memref.reshape %A(%s) : (memref<12xf32>, memref<2xindex>) -> memref<?x?xf32>
      %f = arith.constant 5.0 : f32
      memref.store %f, %r[%c1, %c1] : memref<?x?xf32>"""
    a = np.zeros(12, np.float32)
    launch(kernel(body, "%A: memref<12xf32>, %i: index, %j: index"), "k", 1, 1, [a, 3, 4])
    assert a.tolist() == [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
