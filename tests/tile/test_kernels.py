"""The kernels that weft ships: any sizes on the simulator against NumPy, conflicts by our own count, what ptxas says."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.tile.kernels import gemm, softmax

SMALL = {"block_m": 64, "block_n": 64, "warps_m": 2, "warps_n": 2}
SHAPES = [
    (1, 1, 1), (1, 7, 3), (17, 9, 33), (64, 64, 32), (65, 63, 31), (100, 50, 20), (128, 128, 128), (129, 127, 65),
    (16, 256, 40), (256, 16, 72), (3, 200, 8), (200, 3, 8), (72, 88, 104), (31, 33, 35), (96, 160, 48), (130, 66, 2),
    (64, 65, 96), (5, 128, 256), (192, 64, 16), (40, 40, 40), (77, 91, 113),
]  # fmt: skip


def multiplied(m: int, n: int, k: int, **run: object) -> None:
    rng = np.random.default_rng(m * 10000 + n * 100 + k)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    c = np.full((m, n), np.nan, np.float16)
    gemm.run(a, b, c, **run)
    expected = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("m", "n", "k"), [(65, 63, 31), (72, 88, 104), (128, 128, 128)])
def test_gemm(m: int, n: int, k: int) -> None:
    multiplied(m, n, k, options=SMALL)


def test_gemm_whose_fragments_are_loaded_ahead() -> None:
    """The products are in the same order: the same sums."""
    multiplied(70, 56, 72, options={**SMALL, "ahead": 1}, target="sm_80", check="strict", async_="lazy")


def test_gemm_whose_copies_end_before_a_barrier() -> None:
    """What stores replace copied tiles behind a wait and a barrier, which the race engine must not forget."""
    multiplied(70, 56, 40, options={"block_m": 64, "block_n": 64}, target="sm_80")


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
def test_gemm_of_any_shape(m: int, n: int, k: int) -> None:
    multiplied(m, n, k, options=SMALL, target="sm_80")


@pytest.mark.slow
@pytest.mark.parametrize("asynchrony", ["eager", "lazy", "random"])
def test_gemm_waits_for_what_it_reads(asynchrony: str) -> None:
    multiplied(130, 140, 200, async_=asynchrony)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"stages": 2}, {"stages": 4, "block_k": 64}, {"block_m": 64, "warps_m": 1}])
def test_gemm_with_other_options(options: dict[str, int]) -> None:
    multiplied(140, 136, 264, options=options)


@pytest.mark.slow
def test_gemm_has_no_bank_conflicts() -> None:
    rng = np.random.default_rng(3)
    a, b = (rng.standard_normal((128, 128)).astype(np.float16) for _ in range(2))
    c = np.zeros((128, 128), np.float16)
    result = gemm.run(a, b, c, target="sm_90a", counters=True)
    assert result.counters.spaces["shared"].wavefronts > 0
    assert result.counters.spaces["shared"].conflicts == 0


@pytest.mark.slow
def test_gemm_spills_nothing() -> None:
    kernel = weft.assemble(gemm.module("sm_80", multiples={"K": 8, "N": 8})).kernel("gemm")
    assert kernel.spills == 0


@pytest.mark.sample(1)
@pytest.mark.parametrize(("m", "n"), [(3, 512), (5, 37), (2, 1300), (9, 1)])
def test_softmax(m: int, n: int) -> None:
    x = np.random.default_rng(n).standard_normal((m, n)).astype(np.float32) * 6
    y = np.full_like(x, np.nan)
    softmax.run(x, y, check="strict", async_="lazy")
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)


@pytest.mark.slow
def test_softmax_reads_and_writes_wide() -> None:
    ptx = softmax.ptx("sm_80", multiples={"N": 4})
    assert "ld.global.v4" in ptx
    assert "st.global.v4" in ptx
    weft.assemble(weft.parse(ptx))
