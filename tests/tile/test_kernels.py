"""The kernels that weft ships: any sizes on the simulator against NumPy, conflicts by our own count, what ptxas says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from weft.tile import cdiv, kernels
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


@pytest.mark.slow
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


@pytest.mark.slow
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


# -- how many blocks and threads ----------------------------------------------------------------------------------

Sizes = dict[str, int]
GRIDS: dict[str, Callable[[Sizes, dict[str, Any]], tuple[int, ...]]] = {
    "rows": lambda s, o: (cdiv(s["M"], o["warps"]),),
    "gemm": lambda s, o: (cdiv(s["N"], o["block_n"]), cdiv(s["M"], o["block_m"])),
    "linear": lambda s, o: (*GRIDS["gemm"](s, o), s["S"]),
    "split_gemm": lambda s, o: (*GRIDS["gemm"](s, o), o["parts"]),
    "stream_gemm": lambda _, o: (o["blocks"],),
    "grouped": lambda s, o: (cdiv(s["N"], o["block_n"]), cdiv(s["M"], o["block_m"]) + s["G"]),
    "attention": lambda s, o: (cdiv(s["M"], 16 * o["warps"]), s["H"], s["B"]),
    "keys": lambda s, o: (cdiv(s["N"], 16 * o["warps"]), s["G"], s["B"]),
    "packed": lambda s, o: (cdiv(s["T"], 16 * o["warps"]) + s["S"], s["H"]),
    "packed keys": lambda s, o: (cdiv(s["U"], 16 * o["warps"]) + s["S"], s["G"]),
    "tma": lambda s, _: (cdiv(s["M"], 128), s["H"], s["B"]),
    "packed tma": lambda s, _: (cdiv(s["T"], 128) + s["S"], s["H"]),
}
"""The blocks along x, y and z: one for each tile of the result, and one more for each group or sequence."""
OF_GRID = {
    "rows": "rms_norm rms_norm_backward layer_norm layer_norm_backward softmax cross_entropy cumulative_sum top_k",
    "gemm": "gemm scaled_gemm block_scaled_gemm", "linear": "linear", "split_gemm": "split_gemm",
    "stream_gemm": "stream_gemm", "grouped": "grouped_gemm expert_gemm", "attention": "attention attention_backward_q",
    "keys": "attention_backward_kv", "packed": "packed_attention packed_attention_backward_q",
    "packed keys": "packed_attention_backward_kv", "tma": "attention_tma attention_backward_q_tma",
    "packed tma": "packed_attention_tma packed_attention_backward_q_tma",
}  # fmt: skip


@pytest.mark.parametrize(("form", "name"), [(form, name) for form, names in OF_GRID.items() for name in names.split()])
def test_blocks_of_a_launch(form: str, name: str) -> None:
    kernel = getattr(kernels, name)
    options = dict(kernel.options)
    for step in (0, 1, 127, 300):
        sizes = {size: 1 + step * (at + 1) for at, size in enumerate(kernel.sizes)}
        assert kernel.grid(None, sizes, options) == GRIDS[form](sizes, options), (name, sizes)


def test_threads_of_a_block() -> None:
    """A warp for each row at a time, each part of a tile, or each 16 queries."""
    for name in OF_GRID["rows"].split():
        assert getattr(kernels, name).threads({"warps": 3}) == 96
    for name in ("gemm", "linear", "split_gemm", "stream_gemm", "scaled_gemm", "grouped_gemm", "expert_gemm"):
        assert getattr(kernels, name).threads({"warps_m": 2, "warps_n": 3}) == 192
    for name in ("attention", "attention_backward_q", "attention_backward_kv", "packed_attention"):
        assert getattr(kernels, name).threads({"warps": 5}) == 160
