"""Attention on Hopper: against NumPy, in the strictest mode, and as machine code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.test_sm90a import backward_loops
from weft.toolchain import find

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
from attention_sm90a import attention


def expected(q: Any, k: Any, v: Any, scale: float, *, causal: bool) -> Any:
    """softmax(Q K^T * scale) V in f64, heads of queries in groups; the last query sees the last key."""
    share = q.shape[1] // k.shape[1]
    wide = [np.repeat(x.astype(np.float64), share if x is not q else 1, 1) for x in (q, k, v)]
    scores = wide[0] @ wide[1].swapaxes(2, 3) * scale
    if causal:
        m, n = scores.shape[2:]
        scores = np.where(np.arange(n)[None, :] - np.arange(m)[:, None] <= n - m, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ wide[2]


def attended(b: int, h: int, g: int, m: int, n: int, d: int, *, causal: bool, step: int) -> None:
    random = np.random.default_rng(m + n)
    q, k, v = (random.standard_normal(s).astype(np.float16) for s in ((b, h, m, d), (b, g, n, d), (b, g, n, d)))
    out = np.zeros_like(q)
    options = {"head": d, "step": step, "causal": causal}
    attention.run(q, k, v, out, d**-0.5, options=options, check="strict", async_="lazy")
    np.testing.assert_allclose(out, expected(q, k, v, d**-0.5, causal=causal), atol=2e-3)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("b", "h", "g", "m", "n", "causal"), [(1, 2, 1, 65, 100, False), (2, 1, 1, 70, 133, True)])
def test_attention(b: int, h: int, g: int, m: int, n: int, causal: bool) -> None:
    """Odd lengths, grouped heads; a cache before the queries, so that the first of them sees many keys."""
    attended(b, h, g, m, n, 64, causal=causal, step=64)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_attention_of_odd_sizes(seed: int) -> None:
    random = np.random.default_rng(seed)
    g = int(random.integers(1, 3))
    m, n = (int(random.integers(1, 300)) for _ in range(2))
    n = max(m, n)
    d = int(random.choice([64, 128]))
    attended(1, g * int(random.integers(1, 3)), g, m, n, d, causal=bool(seed % 2), step=int(random.choice([64, 128])))


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None or find("nvdisasm") is None, reason="no ptxas or nvdisasm")
@pytest.mark.parametrize("causal", [False, True])
def test_machine_code(causal: bool) -> None:
    """No spill, no remark of ptxas; a step of 128 keys is 16 products and what the softmax takes."""
    text = attention.ptx("sm_90a", multiples={"D": 16}, causal=causal)
    loops = [each for each in backward_loops(text) if each["HGMMA"]]
    (loop,) = [each for each in loops if each["MUFU"]]
    assert loop["HGMMA"] == 16 and loop["MUFU"] <= 66 and loop.total() <= 640, loop
    assert weft.verify(weft.parse(text)) == []
