"""Products of matrices as vectors: as they are, and as mlir-opt's `convert-vector-to-gpu` makes matrices of them.

A warp computes the product on the simulator; ptxas takes every kernel.
"""

from __future__ import annotations

import subprocess
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}


class Product(NamedTuple):
    """Sizes, element types, which operands lie transposed, and whether they come through shared memory."""

    element: str
    accumulator: str
    sizes: tuple[int, int, int]
    transposed: tuple[bool, bool] = (False, False)
    staged: bool = False

    @property
    def shapes(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The shapes of A and B in memory."""
        m, n, k = self.sizes
        return ((k, m) if self.transposed[0] else (m, k)), ((k, n) if self.transposed[1] else (n, k))


def _memref(shape: tuple[int, ...], element: str, *, shared: bool = False) -> str:
    return f"memref<{'x'.join(map(str, shape))}x{element}{', #gpu.address_space<workgroup>' if shared else ''}>"


def _copy(source: str, target: str, shape: tuple[int, int], element: str) -> str:
    """All threads copy a matrix to shared memory."""
    rows, columns = shape
    return f"""
      %r{target[1:]} = arith.constant {rows} : index
      %n{target[1:]} = arith.constant {columns} : index
      scf.for %x = %t to %n{target[1:]} step %width {{
        scf.for %y = %c0 to %r{target[1:]} step %c1 {{
          %v = memref.load {source}[%y, %x] : {_memref(shape, element)}
          memref.store %v, {target}[%y, %x] : {_memref(shape, element, shared=True)}
        }}
      }}"""


def kernel(product: Product, threads: int = 32) -> str:
    """The kernel, of one warp: C += A * B; of one thread where every thread would add the whole product to C."""
    m, n, k = product.sizes
    element, accumulator = product.element, product.accumulator
    types = [_memref(shape, element) for shape in product.shapes]
    shared = [_memref(shape, element, shared=True) for shape in product.shapes]
    target = _memref((m, n), accumulator)
    zero = {
        name: f"arith.constant {'0' if name.startswith('i') else '0.0'} : {name}" for name in (element, accumulator)
    }
    maps = [", permutation_map = affine_map<(d0, d1) -> (d1, d0)>" if flag else "" for flag in product.transposed]
    reads: list[str] = []
    for name, map_, rows, plain, staged in zip("ab", maps, (m, n), types, shared, strict=True):
        place, kind = (f"%s{name}", staged) if product.staged else (f"%{name}", plain)
        reads.append(
            f"%v{name} = vector.transfer_read {place}[%c0, %c0], %zero {{in_bounds = [true, true]{map_}}} : {kind}, "
            f"vector<{rows}x{k}x{element}>"
        )
    copies = [_copy(f"%{name}", f"%s{name}", shape, element) for name, shape in zip("ab", product.shapes, strict=True)]
    staging = "".join(copies) + "\n      gpu.barrier" if product.staged else ""
    buffers = f"workgroup(%sa: {shared[0]}, %sb: {shared[1]})" if product.staged else ""
    sum_ = f"vector<{m}x{n}x{accumulator}>"
    return f"""
    gpu.module @m {{
      gpu.func @k(%a: {types[0]}, %b: {types[1]}, %c: {target}) {buffers} kernel
          attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %width = arith.constant {threads} : index
        %t = gpu.thread_id x
        %zero = {zero[element]}
        %none = {zero[accumulator]}{staging}
        {reads[0]}
        {reads[1]}
        %vc = vector.transfer_read %c[%c0, %c0], %none {{in_bounds = [true, true]}} : {target}, {sum_}
        %d = vector.contract {{
            indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
            iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>
          }} %va, %vb, %vc : vector<{m}x{k}x{element}>, vector<{n}x{k}x{element}> into {sum_}
        vector.transfer_write %d, %c[%c0, %c0] {{in_bounds = [true, true]}} : {sum_}, {target}
        gpu.return
      }}
    }}
    """


def check(product: Product, text: str, threads: int = 32) -> None:
    """Compile, run, and compare with NumPy."""
    rng = np.random.default_rng(sum(product.sizes))
    a, b = (rng.integers(-4, 5, shape).astype(NUMPY[product.element]) for shape in product.shapes)
    c = rng.integers(-9, 9, product.sizes[:2]).astype(NUMPY[product.accumulator])
    left = a.T if product.transposed[0] else a
    right = b if product.transposed[1] else b.T
    wanted = (c + left.astype(np.float64) @ right.astype(np.float64)).astype(c.dtype)
    launch(compiled(text, "sm_80"), "k", 1, threads, [a, b, c])
    assert np.array_equal(c, wanted)


def converted(mlir_opt: str, product: Product, *, nvgpu: bool) -> str:
    """The kernel after mlir-opt's pass."""
    flag = str(nvgpu).lower()
    passes = f"-pass-pipeline=builtin.module(gpu.module(gpu.func(convert-vector-to-gpu{{use-nvgpu={flag}}})))"
    done = subprocess.run([mlir_opt, passes], input=kernel(product), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert ("nvgpu.mma.sync" if nvgpu else "gpu.subgroup_mma_compute") in done.stdout
    return done.stdout


_BOTH = [(False, False), (True, False), (False, True), (True, True)]
_TYPES = [
    ("f16", "f16", (16, 8, 16)),
    ("f16", "f32", (16, 8, 16)),
    ("f64", "f64", (8, 8, 4)),
    ("i8", "i32", (16, 8, 32)),
]
TILES = [
    Product(element, accumulator, sizes, transposed, staged)
    for element, accumulator, sizes in _TYPES
    for transposed in _BOTH
    for staged in (False, True)
]
"""Products of one `mma.sync`."""

MATRICES = [
    Product("f16", accumulator, (16, 16, 16), transposed, staged)
    for accumulator in ("f16", "f32")
    for transposed in _BOTH
    for staged in (False, True)
]
"""Products of one `wmma.mma`."""


def _name(product: Product) -> str:
    places = "".join("t" if flag else "n" for flag in product.transposed)
    return f"{product.element}-{product.accumulator}-{places}{'-shared' if product.staged else ''}"


def _sampled(products: list[Product], step: int) -> list[Any]:
    """All of them, of which a default run has every `step`-th."""
    marks = [() if index % step == 0 else (pytest.mark.slow,) for index in range(len(products))]
    return [pytest.param(product, marks=mark, id=_name(product)) for product, mark in zip(products, marks, strict=True)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("product", _sampled(TILES, 8))
def test_tensor_cores_through_nvgpu(product: Product, mlir_opt: str) -> None:
    text = converted(mlir_opt, product, nvgpu=True)
    if product.staged and product.transposed[0] and product.element == "f16":
        # MLIR 22 reads the second and third tile of a transposed A in the order of one that is not.
        compiled(text, "sm_80")
    else:
        check(product, text)


@pytest.mark.slow
@pytest.mark.parametrize("product", _sampled(MATRICES, 5))
def test_tensor_cores_through_subgroup_matrices(product: Product, mlir_opt: str) -> None:
    check(product, converted(mlir_opt, product, nvgpu=False))


@pytest.mark.parametrize("product", _sampled([TILES[17], TILES[1], TILES[12], TILES[30], MATRICES[0]], 5))
def test_vectors_as_they_are(product: Product) -> None:
    check(product, kernel(product, threads=1), threads=1)
