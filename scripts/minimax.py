"""Near-minimax polynomials with coefficients rounded to the format that will hold them.

Rounding every coefficient of a minimax polynomial at the end would spoil it: the first ones weigh most.  So the lowest
coefficient is rounded, the rest is fitted again around it, and so on to the last.  Remez's exchange cannot do this on
an interval around 0, where x, x^2, ... are no Chebyshev system; Lawson's reweighted least squares can, and comes within
a few percent of the smallest error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath  # pyright: ignore[reportMissingTypeStubs]
import numpy as np

mp: Any = mpmath.mp  # pyright: ignore[reportUnknownMemberType]
mpf: Any = mp.mpf
Real = Any
Function = Callable[[Real], Real]
mp.dps = 45
POINTS = 160
ROUNDS, ROUNDS_EXACT = 40, 14


def rounded(x: Real, bits: int) -> Real:
    """The nearest float with `bits` bits of mantissa (the exponent is not limited)."""
    if x == 0:
        return mpf(0)
    scale = mpf(2) ** (bits - 1 - int(mp.floor(mp.log(abs(x), 2))))
    return mp.nint(x * scale) / scale


def evaluate(coefficients: Sequence[Real], x: Real) -> Real:
    """c0 + c1 x + c2 x^2 + ..."""
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _grid(low: Real, high: Real, count: int) -> list[Real]:
    """Chebyshev's points: dense at the ends, where the extrema crowd; never the ends themselves, nor the middle."""
    return [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (i + mpf("0.37")) / count) for i in range(count)]


def _solve(rows: Any, right: Any, importance: Any, *, exact: bool) -> Any:
    """The weighted least squares solution: in f64, or by normal equations in 45 digits."""
    root = np.sqrt(importance)
    if not exact:
        return np.linalg.lstsq(rows * root[:, None], right * root, rcond=None)[0]
    scaled = rows * importance[:, None]
    return np.array(list(mp.lu_solve(mp.matrix((rows.T @ scaled).tolist()), mp.matrix((scaled.T @ right).tolist()))))


def _fit(rows: Any, right: Any, *, exact: bool) -> Any:
    """The coefficients that make the largest |rows @ c - right| small."""
    importance = np.full(len(right), 1.0 / len(right))
    best, least = None, np.inf
    for _ in range(ROUNDS_EXACT if exact else ROUNDS):
        found = _solve(rows, right, importance, exact=exact)
        errors = np.abs(rows @ found - right).astype(float)
        if errors.max() < least:
            best, least = found, errors.max()
        importance = importance * errors + 1e-30
        importance = importance / importance.sum()
    return best


def fitted(f: Function, low: Real, high: Real, count: int, weight: Function, bits: int) -> tuple[list[Real], Real]:
    """`count` coefficients of `bits` bits, and the largest |weight (f - polynomial)| on [low, high]."""
    exact = bits > 24
    points = _grid(mpf(low), mpf(high), POINTS)
    kind: Any = object if exact else np.float64
    values, weights = [f(x) for x in points], [weight(x) for x in points]
    have: list[Real] = []
    if exact:
        # All but the first few bits of the sum come from the first terms, whose own rounding is far below them.
        rows = np.array([[w * x**j for j in range(count)] for x, w in zip(points, weights, strict=True)], dtype=kind)
        right = np.array([w * y for y, w in zip(values, weights, strict=True)], dtype=kind)
        have = [rounded(mpf(c), bits) for c in _fit(rows, right, exact=True)]
    while len(have) < count:
        k = len(have)
        known = list(zip(points, values, weights, strict=True))
        rows = np.array([[w * x**j for j in range(k, count)] for x, _, w in known], dtype=kind)
        right = np.array([w * (y - evaluate(have, x)) for x, y, w in known], dtype=kind)
        have.append(rounded(mpf(_fit(rows, right, exact=exact)[0]), bits))
    worst = max(abs(weight(x) * (f(x) - evaluate(have, x))) for x in _grid(mpf(low), mpf(high), 400))
    return have, worst
