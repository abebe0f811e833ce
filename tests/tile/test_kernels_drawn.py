"""The shipped kernels at sizes that are drawn, twenty each: the checks of the other tests, lazily and strictly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.tile import test_kernels as shipped
from tests.tile import test_kernels_attention as attention
from tests.tile import test_kernels_products as products
from tests.tile import test_kernels_rows as rows

Random = np.random.Generator
KINDS = (np.int8, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)


def sizes(random: Random, *most: int) -> list[int]:
    """Sizes up to some, the odd and the small ones among them."""
    return [int(random.integers(1, (each if random.random() < 0.7 else min(each, 17)) + 1)) for each in most]


def attended(random: Random, target: str) -> None:
    b, g, times, m, n, head = sizes(random, 1, 2, 2, 70, 70, 64)
    causal = bool(random.integers(2))
    attention.test_attention((b, g * times, g, m, m + n if causal else n, head, causal), target)


DRAWN: dict[str, Callable[[Random], None]] = {
    "softmax": lambda r: shipped.test_softmax(*sizes(r, 9, 2500)),
    "norms": lambda r: rows.test_norms(*sizes(r, 9, 2500)),
    "gradients of norms": lambda r: rows.test_gradients_of_norms_of_long_rows(*[x + 1 for x in sizes(r, 9, 2500)]),
    "cross_entropy": lambda r: rows.test_cross_entropy(*sizes(r, 9, 2500)),
    "cumulative_sum": lambda r: rows.test_running_sums(*sizes(r, 9, 2500)),
    "top_k": lambda r: rows.test_largest(*sizes(r, 4, 700, 32, 1)[:3], most=32),
}

MULTIPLIED: dict[str, Callable[[Random, str], None]] = {
    "gemm": lambda r, t: products.test_gemm(np.float16, *sizes(r, 150, 150, 200), t),
    "scaled_gemm": lambda r, t: products.test_scaled_gemm(KINDS[int(r.integers(3))], np.float32, *sizes(r, 150, 150, 200), t),
    "grouped_gemm": lambda r, t: products.test_grouped_gemm([x - 1 for x in sizes(r, *[100] * int(r.integers(1, 6)))], t),
    "expert_gemm": lambda r, t: products.test_expert_gemm(sizes(r, *[90] * int(r.integers(1, 5))), *sizes(r, 100, 100), t),
    "stream_gemm": lambda r, t: products.test_stream_gemm(*sizes(r, 150, 150, 200, 9), t),
    "split_gemm": lambda r, t: products.test_split_gemm(*sizes(r, 150, 150, 200, 5), t),
    "attention": attended,
}  # fmt: skip
DRAWN |= {
    f"{name}, {target}": lambda r, f=multiply, t=target: f(r, t)
    for name, multiply in MULTIPLIED.items()
    for target in products.TARGETS
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kernel", DRAWN)
def test_sizes_that_are_drawn(kernel: str, seed: int) -> None:
    random: Any = np.random.default_rng([seed, *kernel.encode()])
    DRAWN[kernel](random)
