"""The shipped products of other types, of groups of rows and of experts: odd sizes, the strictest mode, exact sums."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.tile.kernels import expert_gemm, gemm, grouped_gemm, scaled_gemm, stream_gemm

STRICT: dict[str, Any] = {"check": "strict", "async_": "lazy", "counters": True}
SMALL = {"block_m": 64, "block_n": 64}


def whole(rng: np.random.Generator, kind: Any, *shape: int) -> Any:
    """Small whole numbers, whose products are exact in every type."""
    return rng.integers(-4, 5, shape).astype(kind)


def without_conflicts(result: Any) -> None:
    """A run without bank conflicts."""
    assert not any(space.conflicts for space in result.counters.spaces.values())


def test_gemm_of_bfloat16() -> None:
    rng = np.random.default_rng(1)
    a, b = whole(rng, ml_dtypes.bfloat16, 65, 40), whole(rng, ml_dtypes.bfloat16, 40, 56)
    c = np.full((65, 56), np.nan, ml_dtypes.bfloat16)
    without_conflicts(gemm.run(a, b, c, options=SMALL, target="sm_80", **STRICT))
    np.testing.assert_array_equal(c, (a.astype(np.float32) @ b.astype(np.float32)).astype(c.dtype))


@pytest.mark.parametrize(
    ("kind", "result", "m", "n", "k"),
    [
        (np.int8, np.float16, 65, 63, 48),
        (ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16, 70, 64, 129),
        (ml_dtypes.float8_e5m2, np.float32, 3, 100, 64),
        pytest.param(np.int8, np.float32, 130, 66, 200, marks=pytest.mark.slow),
    ],
)
def test_scaled_gemm(kind: Any, result: Any, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng([m, n, k])
    a, b = whole(rng, kind, m, k), whole(rng, kind, n, k)
    rows, columns = (rng.standard_normal(extent).astype(np.float32) for extent in (m, n))
    c = np.full((m, n), np.nan, result)
    without_conflicts(scaled_gemm.run(a, b, rows, columns, c, options=SMALL, target="sm_89", **STRICT))
    product = a.astype(np.float32) @ b.astype(np.float32).T
    np.testing.assert_array_equal(c, (product * rows[:, None] * columns).astype(result))


GROUPS = [[5, 0, 70, 64, 1], [0, 0], [130]]


@pytest.mark.parametrize("sizes", GROUPS)
def test_grouped_gemm(sizes: list[int]) -> None:
    """Rows after the last group stay as they are."""
    rng = np.random.default_rng(sizes)
    m, ends = sum(sizes) + 3, np.cumsum(sizes).astype(np.int32)
    a, b = whole(rng, np.float16, m, 40), whole(rng, np.float16, len(sizes), 40, 63)
    c = np.full((m, 63), -7, np.float16)
    without_conflicts(grouped_gemm.run(a, b, ends, c, options=SMALL, target="sm_80", **STRICT))
    wanted = np.full((m, 63), -7, np.float32)
    for g, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        wanted[start:end] = a[start:end].astype(np.float32) @ b[g].astype(np.float32)
    np.testing.assert_array_equal(c, wanted)


@pytest.mark.parametrize(("sizes", "n", "k"), [(GROUPS[0], 64, 40), ([3], 9, 7)])
def test_expert_gemm(sizes: list[int], n: int, k: int) -> None:
    rng = np.random.default_rng(sizes)
    m, tokens, ends = sum(sizes), 50, np.cumsum(sizes).astype(np.int32)
    rows, weight = rng.integers(0, tokens, m).astype(np.int32), rng.standard_normal(m).astype(np.float32)
    a, b = whole(rng, np.float16, tokens, k), whole(rng, np.float16, len(sizes), k, n)
    c = np.full((m, n), np.nan, np.float16)
    without_conflicts(expert_gemm.run(a, rows, b, ends, weight, c, options=SMALL, target="sm_80", **STRICT))
    expert = np.repeat(np.arange(len(sizes)), sizes)
    product = np.einsum("mk,mkn->mn", a[rows].astype(np.float32), b[expert].astype(np.float32))
    np.testing.assert_array_equal(c, (product * weight[:, None]).astype(np.float16))


@pytest.mark.parametrize(("m", "n", "k", "blocks"), [(65, 63, 200, 3), (130, 70, 40, 7), (5, 5, 5, 4)])
def test_stream_gemm(m: int, n: int, k: int, blocks: int) -> None:
    """Blocks that stop inside a tile, that have several, and that have nothing to do."""
    rng = np.random.default_rng([m, n, k])
    a, b, c = whole(rng, np.float16, m, k), whole(rng, np.float16, k, n), np.zeros((m, n), np.float32)
    without_conflicts(stream_gemm.run(a, b, c, options={**SMALL, "blocks": blocks}, target="sm_80", **STRICT))
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
