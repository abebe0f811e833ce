"""The shipped attention and its gradients: odd lengths and heads, the strictest mode, against NumPy in f64."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from weft.tile import kernels
from weft.toolchain import find

STRICT: dict[str, Any] = {"check": "strict", "async_": "lazy", "counters": True}
TARGETS = ("sm_80", "sm_90a", "sm_100a")
SHAPE = (1, 2, 1, 20, 40, 24, True)
"""Two heads that share keys, several tiles of keys, and queries that do not see all of them."""
MORE = [
    (1, 2, 1, 40, 70, 24, True),
    (1, 1, 1, 70, 33, 64, True),
    (2, 2, 2, 33, 50, 40, False),
    (1, 4, 2, 1, 1, 64, True),
    (1, 3, 3, 129, 64, 8, False),
    (2, 2, 1, 64, 129, 56, True),
    (1, 1, 1, 5, 200, 33, True),
]


def expected(q: Any, k: Any, v: Any, dy: Any, scale: float, *, causal: bool) -> dict[str, Any]:
    """Everything by its definition; queries that see nothing have zeros."""
    heads, m, shared, n = q.shape[1], q.shape[2], k.shape[1], k.shape[2]
    keys, values = (np.repeat(x, heads // shared, 1) for x in (k, v))
    scores = np.einsum("bhmd,bhnd->bhmn", q, keys) * scale
    seen = np.arange(n) <= np.arange(m)[:, None] + (n - m if causal else n)
    weights = np.where(seen, np.exp(scores), 0.0)
    total = weights.sum(-1, keepdims=True)
    p = weights / np.where(total > 0, total, 1)
    y = p @ values
    delta = (dy * y).sum(-1, keepdims=True)
    change = p * (np.einsum("bhmd,bhnd->bhmn", dy, values) - delta) * scale
    each = {"dk": np.einsum("bhmn,bhmd->bhnd", change, q), "dv": np.einsum("bhmn,bhmd->bhnd", p, dy)}
    summed = {name: x.reshape(len(q), shared, heads // shared, *x.shape[2:]).sum(2) for name, x in each.items()}
    with np.errstate(divide="ignore"):
        norm = np.log(total)[..., 0]
    return {"y": y, "norm": norm, "delta": delta[..., 0], "dq": change @ keys, **summed}


def of(name: str, target: str) -> Any:
    """The shipped kernel for a target."""
    return getattr(kernels, name if target == "sm_80" else f"{name}_tma")


def checked(
    shape: tuple[int, ...], kind: Any, tolerance: float, target: str = "sm_80", *, causal: bool, **options: Any
) -> None:
    b, h, g, m, n, d = shape
    rng = np.random.default_rng(shape)
    q, dy = (rng.standard_normal((b, h, m, d)).astype(kind) for _ in range(2))
    k, v = (rng.standard_normal((b, g, n, d)).astype(kind) for _ in range(2))
    y, dq, dk, dv = (np.full_like(x, np.nan) for x in (q, q, k, v))
    norm, delta = (np.full((b, h, m), np.nan, np.float32) for _ in range(2))
    scale = float(np.float32(d**-0.5))
    run: dict[str, Any] = {"options": {"causal": causal, **options}, "target": target, **STRICT}
    results = [
        of("attention", target).run(q, k, v, y, norm, scale, **run),
        of("attention_backward_q", target).run(q, k, v, y, norm, dy, dq, delta, scale, **run),
        of("attention_backward_kv", target).run(q, k, v, norm, dy, delta, dk, dv, scale, **run),
    ]
    assert [result.counters.spaces["shared"].conflicts for result in results] == [0, 0, 0]
    wide = [x.astype(np.float64) for x in (q, k, v, dy)]
    wanted = expected(wide[0], wide[1], wide[2], wide[3], scale, causal=causal)
    found = {"y": y, "norm": norm, "delta": delta, "dq": dq, "dk": dk, "dv": dv}
    for name, want in wanted.items():
        np.testing.assert_allclose(found[name].astype(np.float64), want, atol=tolerance, rtol=tolerance, err_msg=name)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shape", [SHAPE, *(pytest.param(shape, marks=pytest.mark.slow) for shape in MORE)])
def test_attention(shape: tuple[Any, ...], target: str) -> None:
    small: dict[str, Any] = {"head": 32, "step": 32, "warps": 1} if target == "sm_80" else {"head": 64, "step": 32}
    checked(shape[:6], np.float16, 5e-3, target, causal=shape[6], **(small if shape is SHAPE else {"head": 64}))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("head", [128, 192, 256])
@pytest.mark.parametrize("causal", [False, True])
def test_long_heads(head: int, target: str, *, causal: bool) -> None:
    """Where two warpgroups share what one cannot hold, too."""
    options: dict[str, Any] = {"step": 16, "warps": 2} if target == "sm_80" else {}
    room = 256 if target != "sm_80" and head == 192 else head
    checked((1, 2, 1, 70, 140, head), np.float16, 5e-3, target, causal=causal, head=room, **options)


@pytest.mark.slow
def test_attention_of_bfloat16_with_other_options() -> None:
    checked((1, 2, 1, 20, 20, 16), ml_dtypes.bfloat16, 4e-2, causal=True, head=32, warps=1, step=32)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS[1:])
def test_attention_of_bfloat16_by_roles(target: str) -> None:
    checked((1, 2, 1, 20, 20, 16), ml_dtypes.bfloat16, 4e-2, target, causal=True, head=64)


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("head", [64, 128, 256])
@pytest.mark.parametrize("name", ["attention", "packed_attention", "attention_backward_q", "attention_backward_kv"])
def test_machine_code(name: str, head: int, *, causal: bool) -> None:
    """No spills, no remark of ptxas."""
    for target in TARGETS[1:]:
        kernel = of(name, target)
        if kernel.name.endswith("tma"):
            found = kernel.report(target, sizes=dict.fromkeys(kernel.sizes, 4096), head=head, causal=causal)
            assert (found.spill_bytes, found.losses) == (0, ()), target


def packed(lengths: list[tuple[int, int]], heads: int, d: int, run: dict[str, Any]) -> None:
    """Attention and its gradients for sequences of so many queries and keys, each as if it were alone."""
    rng = np.random.default_rng(5)
    queries, keys = (np.cumsum(x).astype(np.int32) for x in zip(*lengths, strict=True))
    q, dy = (rng.standard_normal((heads, queries[-1] + 5, d)).astype(np.float16) for _ in range(2))
    k, v = (rng.standard_normal((1, keys[-1], d)).astype(np.float16) for _ in range(2))
    y, dq, dk, dv = (np.full_like(x, 7) for x in (q, q, k, v))
    norm, delta = (np.full(q.shape[:2], 7, np.float32) for _ in range(2))
    target = run["target"]
    of("packed_attention", target).run(q, k, v, y, norm, queries, keys, 0.25, **run)
    of("packed_attention_backward_q", target).run(q, k, v, y, norm, dy, dq, delta, queries, keys, 0.25, **run)
    of("packed_attention_backward_kv", target).run(q, k, v, norm, dy, delta, dk, dv, queries, keys, 0.25, **run)
    for each in (y, norm, dq, delta):
        assert (each[:, queries[-1] :] == 7).all()
    for (m, n), to, upto in zip(lengths, queries, keys, strict=True):
        mine, theirs = slice(to - m, to), slice(upto - n, upto)
        queried, changed, seen, values = (
            x[None].astype(np.float64) for x in (q[:, mine], dy[:, mine], k[:, theirs], v[:, theirs])
        )
        wanted = expected(queried, seen, values, changed, 0.25, causal=run["options"]["causal"])
        found = {"y": y[:, mine], "norm": norm[:, mine], "delta": delta[:, mine], "dq": dq[:, mine]}
        for name, each in (found | {"dk": dk[:, theirs], "dv": dv[:, theirs]}).items():
            np.testing.assert_allclose(each, wanted[name][0], atol=5e-3, rtol=5e-3, err_msg=f"{name} {m} {n}")


LONG = pytest.param("sm_100a", True, 256, marks=pytest.mark.slow)
"""Blocks that share the columns of a gradient."""


@pytest.mark.parametrize(
    ("target", "causal", "head"),
    [
        ("sm_80", False, 16),
        *(pytest.param(*case, 64, marks=pytest.mark.slow) for case in product(TARGETS[1:], (True, False))),
        LONG,
    ],
)
def test_packed_attention(target: str, causal: bool, head: int) -> None:
    """Sequences of several blocks, of one, and of none; each sees its own keys only, and has gradients of its own."""
    small = target == "sm_80"
    lengths = [(20, 12), (0, 9), (1, 18), (20, 20), (9, 0)]
    if not small:
        lengths[:3] = [(130, 12), (0, 9), (1, 130)]
    options: dict[str, Any] = {"warps": 1, "step": 16} if small else {}
    run: dict[str, Any] = {"options": {"causal": causal, "head": head, **options}, "target": target, **STRICT}
    packed(lengths, 2, {16: 13, 64: 40, 256: 130}[head], run)


@pytest.mark.sample(1)
@pytest.mark.parametrize("target", TARGETS[1:])
def test_packed_sequences_of_several_blocks(target: str) -> None:
    """Behind another sequence, one with two blocks of queries, and one with two of keys."""
    run: dict[str, Any] = {"options": {"causal": True, "head": 64}, "target": target, "check": "fast"}
    packed([(3, 5), (130, 9), (2, 131)], 1, 8, run)
