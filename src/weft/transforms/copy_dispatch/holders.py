"""Registers that several groups of threads hold alike: one of them stores."""

from __future__ import annotations

from weft.transforms.copy_dispatch.plan import Condition, Digit, Sum
from weft.transforms.copy_dispatch.request import Copy

_AROUND = {
    ("laneid", "warpgroup"): "wid_in_wg",
    ("laneid", "cta"): "warpid",
    ("wid_in_wg", "cta"): "wgid",
    ("tid_in_wg", "cta"): "wgid",
    ("", "warp"): "laneid",
    ("", "warpgroup"): "tid_in_wg",
    ("", "cta"): "tx",
}
"""By the axis that registers are distributed over and the scope: what tells those apart that hold the same."""


def one_holder(copy: Copy, axis: str) -> tuple[Condition, ...]:
    """The condition that leaves the first of the threads that hold an element alike; none where that may not come."""
    around = _AROUND.get((axis, copy.scope))
    if around is None or copy.guard is not None or copy.faithful:
        return ()
    inside = {"laneid": 32, "tid_in_wg": 128}.get(axis, 1)
    if copy.threads <= inside:
        return ()
    return (Condition(Sum(((1, Digit(around)),)), 1),)
