"""Registers that several groups of threads hold alike: one of them stores."""

from __future__ import annotations

from weft.transforms.copy_dispatch.plan import Condition, Digit, Sum
from weft.transforms.copy_dispatch.request import Copy

_AROUND: dict[tuple[str, str], tuple[str, ...]] = {
    ("laneid", "warpgroup"): ("wid_in_wg",),
    ("laneid", "cta"): ("warpid",),
    ("wid_in_wg", "warpgroup"): ("laneid",),
    ("wid_in_wg", "cta"): ("laneid", "wgid"),
    ("tid_in_wg", "cta"): ("wgid",),
    ("warpid", "cta"): ("laneid",),
    ("wgid", "cta"): ("tid_in_wg",),
    ("", "warp"): ("laneid",),
    ("", "warpgroup"): ("tid_in_wg",),
    ("", "cta"): ("tx",),
}
"""By the axis that registers are distributed over and the scope: what tells those apart that hold the same."""

_WITHIN = {"wgid": 128, "warpid": 32}
"""Threads that have the same number on an axis, one after another."""


def one_holder(copy: Copy, axis: str) -> tuple[Condition, ...]:
    """The condition that leaves the first of the threads that hold an element alike; none where that may not come."""
    if copy.guard is not None or copy.faithful:
        return ()
    around = (name for name in _AROUND.get((axis, copy.scope), ()) if copy.threads > _WITHIN.get(name, 1))
    return tuple(Condition(Sum(((1, Digit(name)),)), 1) for name in around)
