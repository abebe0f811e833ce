"""Whole kernels around tensor copies: a warp-specialised GEMM written by hand, and what Triton makes of descriptors."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import Array
from weft.ptx.ast import Module
from weft.sim import Async, Check, KernelFault, run

FOLDER = Path(__file__).with_name("kernels")
POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy", "random"])


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# -- by hand ------------------------------------------------------------------------------------------------------


def gemm(
    source: str, policy: Async, check: Check = "strict", shape: tuple[int, int, int] = (256, 128, 320), cluster: int = 1
) -> bool:
    """Run a GEMM, whose clusters share tiles of B; whether its result is right."""
    m, n, k = shape
    a, b = (rng(i).integers(-4, 5, (rows, k)).astype(np.float16) for i, rows in enumerate((m, n)))
    c = np.zeros((m, n), np.float16)
    boxes = ((a, 128), (b, 64 // cluster), (c, 64))
    maps = [weft.TensorMap(array, (rows, 64), swizzle="128B") for array, rows in boxes]
    grid = -(-m // (128 * cluster)) * cluster, -(-n // 64)
    run(weft.parse(source), "gemm", grid, 384, [*maps, k], shared_bytes=90160, async_=policy, check=check)
    return bool((c == (a.astype(np.float64) @ b.T.astype(np.float64)).astype(np.float16)).all())


GEMM = (FOLDER / "gemm_sm_90a.ptx").read_text()


@pytest.mark.sample(1)
@POLICIES
@pytest.mark.parametrize("shape", [(256, 128, 320), (200, 72, 104)])
def test_gemm(policy: Async, shape: tuple[int, int, int]) -> None:
    """Also where the tiles leave the matrices."""
    assert gemm(GEMM, policy, shape=shape)


EARLY = "mad.lo.u32 %bar, %other, 8, %empty;"
BUGS = {
    "released before the products have read it": (
        {EARLY: EARLY.replace("%other", "%stage"), "setp.ne.and.u32 %first, %k, 0, %first;": ""}, "asynchronous-write"
    ),
    "no wait before the epilogue": ({"bra consume;\n\twgmma.wait_group.sync.aligned 0;": "bra consume;"}, "asynchronous-read"),
    "a try_wait that is not repeated": ({"@!%ready bra filled;": ""}, "asynchronous-read"),
    "no fence before the store": ({"fence.proxy.async.shared::cta;": ""}, "proxy-fence"),
    "no fence before the products": ({"wgmma.fence.sync.aligned;": ""}, "wgmma-fence"),
}  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", BUGS)
def test_gemm_with_a_bug(name: str) -> None:
    changes, kind = BUGS[name]
    source = GEMM
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    assert gemm(source, "eager", "fast")
    with pytest.raises(KernelFault) as caught:
        gemm(source, "lazy")
    assert caught.value.kind == kind
    assert caught.value.position.line > 0


SHARED = (FOLDER / "gemm_cluster_sm_90a.ptx").read_text()


@pytest.mark.sample(1)
@POLICIES
@pytest.mark.parametrize("shape", [(256, 128, 320), (200, 72, 104)])
def test_gemm_of_a_cluster(policy: Async, shape: tuple[int, int, int]) -> None:
    assert gemm(SHARED, policy, shape=shape, cluster=2)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("changes", "kinds"),
    [
        # Each CTA waits for its own consumers only, before it loads for both.
        ({"], 16;": "], 8;", "setp.lt.u32 %first, %lane, 2;": "setp.lt.u32 %first, %lane, 1;", "%bar, %bar, %lane;": "%bar, %bar, %rank;"},
         {"race", "asynchronous-write"}),
        # The arrivals order nothing.
        ({"mbarrier.arrive.release.cluster": "mbarrier.arrive.relaxed.cluster"}, {"race"}),
        ({"mbarrier.try_wait.parity.acquire.cluster": "mbarrier.try_wait.parity.relaxed.cluster"}, {"race"}),
    ],
)  # fmt: skip
def test_gemm_of_a_cluster_with_a_bug(changes: dict[str, str], kinds: set[str]) -> None:
    source = SHARED
    for old, new in changes.items():
        assert old in source
        source = source.replace(old, new)
    assert gemm(source, "eager", "fast", cluster=2)
    with pytest.raises(KernelFault) as caught:
        gemm(source, "lazy", cluster=2)
    assert caught.value.kind in kinds


def test_gemm_that_expects_too_many_bytes() -> None:
    with pytest.raises(KernelFault, match="phase") as caught:
        gemm(GEMM.replace("_, [%bar], 24576", "_, [%bar], 24592"), "eager")
    assert caught.value.kind == "deadlock"


# -- Triton -------------------------------------------------------------------------------------------------------


@cache
def load(name: str) -> Module:
    return weft.parse((FOLDER / f"triton_tma_{name}_sm_90.ptx").read_text())


def triton(name: str, grid: Any, *arguments: Any, policy: Async) -> None:
    """Launch a kernel; tensor maps are followed by their shapes and strides, all arguments by two scratch buffers."""
    module = load(name)
    assert module.source is not None
    _, _, shared, _, warps = module.source.split()[:5]
    given: list[Any] = []
    for argument in arguments:
        given.append(argument)
        if isinstance(argument, weft.TensorMap):
            given.extend([*argument.array.shape, argument.array.shape[1], 1])
    scratch = [np.zeros(1 << 14, np.uint8), np.zeros(1, np.uint8)]
    run(
        module,
        module.kernels[0].name,
        grid,
        32 * int(warps),
        [*given, *scratch],
        shared_bytes=int(shared),
        async_=policy,
    )


def boxes(*arrays: Array, box: tuple[int, int] = (64, 64)) -> list[weft.TensorMap]:
    return [weft.TensorMap(array, box, swizzle="128B") for array in arrays]


@pytest.mark.sample(1)
@POLICIES
@pytest.mark.parametrize("name", ["host", "specialized", "device"])
def test_triton_matmul(name: str, policy: Async) -> None:
    """Tensor maps from the host, the same with a warp for the copies, and maps that the kernel makes itself."""
    m, n, k = 128, 64, 320
    a, b = rng(0).standard_normal((m, k)).astype(np.float16), rng(1).standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float16)
    if name == "device":
        triton(name, (m // 64, n // 64), a, b, c, m, n, k, policy=policy)
    else:
        triton(name, (m // 64, n // 64), *boxes(a, b, c), k, policy=policy)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert (np.abs(c - exact) <= np.abs(exact) * 2.0**-11 + 1e-3).all()


@pytest.mark.sample(1)
@POLICIES
def test_triton_attention(policy: Async) -> None:
    q, k, v = rng().standard_normal((3, 128, 64)).astype(np.float16)
    o = np.zeros_like(q)
    triton("attention", 2, *boxes(q, k, v, o), 128, float(1.4426950408889634 / 8), policy=policy)
    s = q.astype(np.float64) @ k.T.astype(np.float64) / 8
    p = np.exp(s - s.max(axis=1, keepdims=True))
    assert np.abs(o - p / p.sum(axis=1, keepdims=True) @ v.astype(np.float64)).max() < 2e-3


@POLICIES
def test_triton_reductions(policy: Async) -> None:
    x, y = rng(2).integers(-99, 99, (2, 64, 96), dtype=np.int32)
    want = np.maximum(x + y, x + 30)
    triton("reduce", (2, 3), *boxes(x, y, box=(32, 32)), 30, policy=policy)
    assert (y == want).all()


@pytest.mark.sample(1)
@POLICIES
def test_gluon_convolution(policy: Async) -> None:
    """Columns of images of two pixels apart, by the copy engine's im2col mode, times a 3 by 2 filter."""
    height, width, pad, stride, out_h, out_w = 8, 10, 1, 2, 4, 6
    x = rng(8).integers(-2, 3, (4, height, width, 128)).astype(np.float16)
    f = rng(9).integers(-2, 3, (128, 3, 2, 128)).astype(np.float16)
    y = np.zeros((4 * out_h * out_w, 128), np.float16)
    upper = (out_w - 1) * stride + 1 - width - pad, (out_h - 1) * stride + 1 - height - pad
    columns = weft.TensorMap.encode_im2col(
        x, (-pad, -pad), upper, 64, 64, element_strides=(1, stride, stride, 1), swizzle="128B"
    )
    module = weft.parse((FOLDER / "gluon_conv_sm_90.ptx").read_text())
    assert module.source is not None
    given: list[Any] = [columns, 0, 0, 0, 0]
    for tile in boxes(f.reshape(128, -1), y):
        given.extend([tile, *tile.array.shape, tile.array.shape[1], 1])
    scratch = [np.zeros(1, np.uint8)] * 2
    run(
        module,
        "conv",
        (2, 2),
        128,
        [*given, out_h, out_w, pad, *scratch],
        shared_bytes=int(module.source.split()[2]),
        async_=policy,
    )
    padded = np.pad(x.astype(np.float64), ((0, 0), (pad, pad), (pad, pad), (0, 0)))
    want = np.zeros((4, out_h, out_w, 128))
    for r in range(3):
        for s in range(2):
            piece = padded[:, r : r + 2 * out_h - 1 : 2, s : s + 2 * out_w - 1 : 2]
            want += piece @ f[:, r, s].astype(np.float64).T
    assert (y == want.reshape(y.shape).astype(np.float16)).all()


# -- nvcc ---------------------------------------------------------------------------------------------------------

NVCC = weft.parse((FOLDER / "bulk_sm_90.ptx").read_text())


@POLICIES
def test_nvcc_tensor_copies_in_and_out(policy: Async) -> None:
    a = rng(3).integers(-99, 99, (64, 160), dtype=np.int32)
    out = np.zeros_like(a)
    run(NVCC, "scale", 4, 128, [weft.TensorMap(a, (16, 32)), weft.TensorMap(out, (16, 32)), 5], async_=policy)
    assert (out == a * 3 + np.arange(160) // 32).all()


@POLICIES
def test_nvcc_bulk_reduction(policy: Async) -> None:
    a, out = rng(4).integers(-99, 99, (6, 256), dtype=np.int32), np.zeros(256, np.int32)
    run(NVCC, "add_lines", 6, 256, [a, out], async_=policy)
    assert (out == a.sum(axis=0) + 15).all()


@pytest.mark.slow
def test_nvcc_histogram_over_a_cluster() -> None:
    values, bins = rng(5).integers(0, 1 << 32, 5000, dtype=np.uint32), np.zeros(256, np.uint32)
    run(NVCC, "cluster_histogram", 8, 128, [values, bins, values.size])
    assert (bins == np.bincount(values % 256, minlength=256)).all()


@POLICIES
def test_nvcc_stores_to_the_neighbour(policy: Async) -> None:
    values, out = rng(6).integers(-99, 99, (4, 32), dtype=np.int32), np.zeros((4, 32), np.int32)
    run(NVCC, "neighbours", 4, 32, [values, out], async_=policy)
    sums = values.sum(axis=1)
    assert (out == (sums[[1, 0, 3, 2]] * 1000 + sums)[:, None]).all()


def test_tensor_maps_and_executors() -> None:
    from concurrent.futures import ThreadPoolExecutor

    a = rng(7).integers(-99, 99, (64, 160), dtype=np.int32)
    out = np.zeros_like(a)
    with ThreadPoolExecutor(2) as threads:
        maps = [weft.TensorMap(a, (16, 32)), weft.TensorMap(out, (16, 32))]
        run(NVCC, "scale", 4, 128, [*maps, 5], executor=threads, chunks=2)
        assert (out == a * 3 + np.arange(160) // 32).all()
        lines = np.zeros((4, 256), np.int32)
        with pytest.raises(weft.WeftError, match="use results of atomics"):
            run(NVCC, "add_lines", 4, 256, [lines, np.zeros(256, np.int32)], executor=threads, chunks=2)
