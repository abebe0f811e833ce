"""Numbers that several kernels need."""

from __future__ import annotations

LOG2_E = 1.4426950408889634
"""exp(x) = exp2(x * LOG2_E)."""
LN_2 = 0.6931471805599453
"""log(x) = log2(x) * LN_2."""
LOWEST = -3.0e38
"""Below every element that matters, and finite, so that differences of it are numbers."""
