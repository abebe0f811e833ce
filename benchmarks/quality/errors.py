"""How far what two kernels left in memory lies apart."""

from __future__ import annotations

import numpy as np

from quality.measure import Figures


def error(mine: Figures, theirs: Figures) -> float:
    """The largest difference of two elements by the size of the larger one (or 1e-3 of the array's largest)."""
    worst = 0.0
    for a, b in zip(mine.outputs, theirs.outputs, strict=True):
        if a.dtype.kind in "iub" and a.dtype.kind != "V":
            worst = max(worst, float(np.any(a != b)))
            continue
        x, y = a.astype(np.float64), b.astype(np.float64)
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        with np.errstate(all="ignore"):
            finite = np.abs(x[np.isfinite(x)])
            least = 1e-3 * float(finite.max(initial=1e-30))
            apart = np.abs(x - y) / np.maximum(np.maximum(np.abs(x), np.abs(y)), least)
        apart = np.where(same, 0.0, np.nan_to_num(apart, nan=np.inf))
        worst = max(worst, float(apart.max(initial=0.0)))
    return worst
