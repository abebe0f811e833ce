"""The shipped products of other types, of groups of rows and of experts: odd sizes, the strictest mode, exact sums."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.tile import kernels
from weft.toolchain import find

STRICT: dict[str, Any] = {"check": "strict", "async_": "lazy", "counters": True}
TARGETS = ("sm_80", "sm_90a", "sm_100a")
each_target = pytest.mark.parametrize("target", TARGETS)


def run(name: str, target: str, *arguments: Any, grid: Any = None, **options: Any) -> None:
    """Run a shipped product on a target, by the kernel that is for it, in small blocks; without bank conflicts."""
    kernel = getattr(kernels, name if target in ("sm_80", "sm_89") else f"{name}_tma")
    options = {"block_m": 128 if target == "sm_100a" else 64, "block_n": 64, **options}
    result = kernel.run(*arguments, grid=grid, options=options, target=target, **STRICT)
    assert not any(space.conflicts for space in result.counters.spaces.values())


def whole(rng: np.random.Generator, kind: Any, *shape: int) -> Any:
    """Small whole numbers, whose products are exact in every type."""
    return rng.integers(-4, 5, shape).astype(kind)


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(("kind", "m", "n", "k"), [(ml_dtypes.bfloat16, 65, 56, 40), (np.float16, 130, 67, 131)])
def test_gemm(kind: Any, m: int, n: int, k: int, target: str) -> None:
    rng = np.random.default_rng(1)
    a, b = whole(rng, kind, m, k), whole(rng, kind, k, n)
    c = np.full((m, n), np.nan, kind)
    run("gemm", target, a, b, c)
    np.testing.assert_array_equal(c, (a.astype(np.float32) @ b.astype(np.float32)).astype(c.dtype))


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("kind", "result", "m", "n", "k"),
    [
        (np.int8, np.float16, 65, 63, 48),
        (ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16, 70, 64, 129),
        (ml_dtypes.float8_e5m2, np.float32, 3, 100, 64),
        (np.int8, np.float32, 130, 66, 200),
    ],
)
def test_scaled_gemm(kind: Any, result: Any, m: int, n: int, k: int, target: str) -> None:
    rng = np.random.default_rng([m, n, k])
    a, b = whole(rng, kind, m, k), whole(rng, kind, n, k)
    rows, columns = (rng.standard_normal(extent).astype(np.float32) for extent in (m, n))
    c = np.full((m, n), np.nan, result)
    target = "sm_89" if target == "sm_80" else target
    run("scaled_gemm", target, a, b, rows, columns, c)
    product = a.astype(np.float32) @ b.astype(np.float32).T
    np.testing.assert_array_equal(c, (product * rows[:, None] * columns).astype(result))


GROUPS = [[5, 0, 70, 64, 1], [0, 0], [130]]


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize("sizes", GROUPS)
def test_grouped_gemm(sizes: list[int], target: str) -> None:
    """Rows after the last group stay as they are."""
    rng = np.random.default_rng(sizes)
    m, ends = sum(sizes) + 3, np.cumsum(sizes).astype(np.int32)
    a, b = whole(rng, np.float16, m, 40), whole(rng, np.float16, len(sizes), 40, 63)
    c = np.full((m, 63), -7, np.float16)
    run("grouped_gemm", target, a, b, ends, c)
    wanted = np.full((m, 63), -7, np.float32)
    for g, (start, end) in enumerate(zip([0, *ends], ends, strict=False)):
        wanted[start:end] = a[start:end].astype(np.float32) @ b[g].astype(np.float32)
    np.testing.assert_array_equal(c, wanted)


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("sizes", "n", "k"), [(GROUPS[0], 64, 40), ([3], 9, 8), pytest.param([3], 9, 7, marks=pytest.mark.slow)]
)
def test_expert_gemm(sizes: list[int], n: int, k: int, target: str) -> None:
    rng = np.random.default_rng(sizes)
    m, tokens, ends = sum(sizes), 50, np.cumsum(sizes).astype(np.int32)
    rows, weight = rng.integers(0, tokens, m).astype(np.int32), rng.standard_normal(m).astype(np.float32)
    a, b = whole(rng, np.float16, tokens, k), whole(rng, np.float16, len(sizes), k, n)
    c = np.full((m, n), np.nan, np.float16)
    run("expert_gemm", target, a, rows, b, ends, weight, c)
    expert = np.repeat(np.arange(len(sizes)), sizes)
    product = np.einsum("mk,mkn->mn", a[rows].astype(np.float32), b[expert].astype(np.float32))
    np.testing.assert_array_equal(c, (product * weight[:, None]).astype(np.float16))


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(("m", "n", "k", "blocks"), [(65, 63, 200, 3), (130, 70, 40, 7), (5, 5, 5, 4)])
def test_stream_gemm(m: int, n: int, k: int, blocks: int, target: str) -> None:
    """Blocks that stop inside a tile, that have several, and that have nothing to do."""
    rng = np.random.default_rng([m, n, k])
    a, b, c = whole(rng, np.float16, m, k), whole(rng, np.float16, k, n), np.zeros((m, n), np.float32)
    how: dict[str, Any] = {"blocks": blocks} if target == "sm_80" else {"grid": blocks}
    run("stream_gemm", target, a, b, c, **how)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(("m", "n", "k", "parts"), [(65, 63, 131, 3), (7, 8, 40, 4)])
def test_split_gemm(m: int, n: int, k: int, parts: int, target: str) -> None:
    """More parts than tiles along K, too."""
    rng = np.random.default_rng(k)
    a, b = whole(rng, np.float16, m, k), whole(rng, np.float16, k, n)
    c = np.zeros((m, n), np.float32)
    run("split_gemm", target, a, b, c, parts=parts)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


ACTIVATED: dict[str, Any] = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "gelu": lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))),
}


@each_target
@pytest.mark.sample(1)
@pytest.mark.parametrize(("activation", "t"), [("none", 1), ("relu", 2), ("silu", 1), ("gelu", 2)])
def test_linear(activation: str, t: int, target: str) -> None:
    """A batch of two, with one matrix for both or one for each."""
    rng = np.random.default_rng(t)
    a, b = (rng.standard_normal(shape).astype(np.float16) for shape in ((2, 70, 40), (t, 40, 56)))
    bias, c = rng.standard_normal(56).astype(np.float32), np.full((2, 70, 56), np.nan, np.float16)
    run("linear", target, a, b, bias, c, activation=activation)
    expected = ACTIVATED[activation](a.astype(np.float32) @ b.astype(np.float32) + bias)
    np.testing.assert_allclose(c, expected, rtol=2e-3, atol=2e-3)


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
@pytest.mark.parametrize("target", TARGETS[1:])
@pytest.mark.parametrize(
    "name", ["gemm", "linear", "scaled_gemm", "split_gemm", "stream_gemm", "grouped_gemm", "expert_gemm"]
)
def test_machine_code(name: str, target: str) -> None:
    """Nothing spilled, no remark of ptxas, registers for those who compute; the loop that multiplies is short."""
    kernel = getattr(kernels, f"{name}_tma")
    found = kernel.report(target, sizes=dict.fromkeys(kernel.sizes, 4096))
    assert not found.spill_bytes and not found.losses
    loops = [each for each in found.loops if each.innermost and each.counts.get("tensor")]
    assert [each.counts["tensor"] for each in loops] == [4]
    assert sum(loops[0].counts.values()) <= 56
