"""Modules as programs have them, several kernels and what they print among them, held to NumPy."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from tests.codegen.support import compiled, descriptors, launch
from tests.effort import one_in

OPS = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip
CLUSTERS = [(size, stride) for size in (1, 2, 4, 8, 16, 32) for stride in (1, 2, 4, 8, 16) if size * stride <= 32]


def test_clusters_of_lanes_that_are_reduced() -> None:
    """Each op with each size and stride: a kernel of its own in one module; lane i is in the cluster of i mod stride."""
    cases = [(op, size, stride) for op in OPS for size, stride in CLUSTERS][:: one_in(3)]
    kernels = "\n".join(
        f"""gpu.func @{op}_{size}_{stride}(%in: memref<64xi32>, %out: memref<64xi32>) kernel {{
          %i = gpu.thread_id x
          %a = memref.load %in[%i] : memref<64xi32>
          %r = gpu.subgroup_reduce {op} %a cluster(size = {size}, stride = {stride}) : (i32) -> i32
          memref.store %r, %out[%i] : memref<64xi32>
          gpu.return }}"""
        for op, size, stride in cases
    )
    module = compiled(f"gpu.module @m {{ {kernels} }}")
    values = np.random.default_rng(5).integers(-(2**31), 2**31, 64, np.int32)
    for op, size, stride in cases:
        out = np.zeros(64, np.int32)
        launch(module, f"{op}_{size}_{stride}", 1, 64, [values, out])
        clusters = values.reshape(-1, size, stride)
        want = np.broadcast_to(OPS[op].reduce(clusters, axis=1, keepdims=True, dtype=np.int32), clusters.shape)
        assert out.tolist() == want.ravel().tolist(), (op, size, stride)


def test_two_kernels_one_after_the_other() -> None:
    """The first leaves a sum of each cluster in global memory; the second reads it and prints; both call a function."""
    module = compiled(
        """gpu.module @m {
          func.func @twice(%a: f32) -> f32 { %r = arith.addf %a, %a : f32  return %r : f32 }
          gpu.func @sum(%in: memref<2x32xf32>, %sums: memref<2x16xf32>) kernel {
            %b = gpu.block_id x
            %i = gpu.thread_id x
            %c2 = arith.constant 2 : index
            %a = memref.load %in[%b, %i] : memref<2x32xf32>
            %d = func.call @twice(%a) : (f32) -> f32
            %s = gpu.subgroup_reduce add %d cluster(size = 2) : (f32) -> f32
            %g = arith.divui %i, %c2 : index
            memref.store %s, %sums[%b, %g] : memref<2x16xf32>
            gpu.return
          }
          gpu.func @show(%sums: memref<2x16xf32>) kernel {
            %b = gpu.block_id x
            %i = gpu.thread_id x
            %s = memref.load %sums[%b, %i] : memref<2x16xf32>
            %d = func.call @twice(%s) : (f32) -> f32
            gpu.printf "%lld %lld: %.2f\\n", %b, %i, %d : index, index, f32
            gpu.return
          }
        }"""
    )
    sim = pytest.importorskip("weft.sim")
    values, sums = np.arange(64, dtype=np.float32).reshape(2, 32) / 4, np.zeros((2, 16), np.float32)
    launch(module, "sum", 2, 32, [values, sums])
    want = 2 * values.reshape(2, 16, 2).sum(axis=2)
    assert sums.tolist() == want.tolist()
    output = sim.run(module, "show", 2, 16, descriptors([sums])).output
    lines = [f"{b} {i}: {2 * want[b, i]:.2f}" for b in range(2) for i in range(16)]
    assert sorted(output.splitlines()) == sorted(lines)


def packed(elements: npt.NDArray[np.int64], width: int) -> bytes:
    """Elements as memory has a vector of them: bit i * width is where element i begins."""
    whole = sum(int(e) << i * width for i, e in enumerate(elements))
    return whole.to_bytes(-(-len(elements) * width // 8), "little")


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 2, 4])
def test_elements_of_less_than_a_byte(width: int) -> None:
    """Shuffled between two vectors, one put into another's place, then stored: each element is its own bits."""
    rng = Random(width)
    counts = [rng.randint(1, 16) for _ in range(24)]
    chosen = [[rng.randrange(2 * count) for _ in range(rng.randint(1, 16))] for count in counts]
    moved = [(rng.randrange(len(order)), rng.randrange(len(order))) for order in chosen]
    kernels = "\n".join(
        f"""gpu.func @k{n}(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
          %a = llvm.load %p : !llvm.ptr<1> -> vector<{count}xi{width}>
          %b = llvm.load %q : !llvm.ptr<1> -> vector<{count}xi{width}>
          %s = vector.shuffle %a, %b {order} : vector<{count}xi{width}>, vector<{count}xi{width}>
          %e = vector.extract %s[{a}] : i{width} from vector<{len(order)}xi{width}>
          %r = vector.insert %e, %s [{b}] : i{width} into vector<{len(order)}xi{width}>
          llvm.store %r, %out : vector<{len(order)}xi{width}>, !llvm.ptr<1>
          gpu.return }}"""
        for n, (count, order, (a, b)) in enumerate(zip(counts, chosen, moved, strict=True))
    )
    module = compiled(f"gpu.module @m {{ {kernels} }}")
    for n, (count, order, (a, b)) in enumerate(zip(counts, chosen, moved, strict=True)):
        for _ in range(4):
            given = np.array([rng.getrandbits(width) for _ in range(2 * count)], np.int64)
            want = given[order]
            want[b] = want[a]
            halves = [np.frombuffer(packed(given[i : i + count], width), np.uint8).copy() for i in (0, count)]
            out = np.zeros(16, np.uint8)
            launch_pointers(module, f"k{n}", [*halves, out])
            expected = packed(want, width)
            assert out.tobytes() == expected.ljust(16, b"\0"), (n, order)


def launch_pointers(module: object, kernel: str, args: list[npt.NDArray[np.uint8]]) -> None:
    """One thread, whose parameters are pointers."""
    pytest.importorskip("weft.sim").run(module, kernel, 1, 1, args)
