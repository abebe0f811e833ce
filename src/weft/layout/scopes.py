"""Scope fusion: thread axes of a layout that together are one axis.

`laneid` and `wid_in_wg` of a layout are `tid_in_wg` in two digits: renamed and scaled to it, their iters can fuse.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.errors import LayoutError
from weft.layout.axis import Axis, Scope, laneid, tid_in_wg, tx, warpid, wgid, wid_in_wg

ScopePair = tuple[Scope, Scope]

FUSIONS: dict[ScopePair, dict[Axis, tuple[Axis, int]]] = {
    (Scope.THREAD, Scope.WARPGROUP): {laneid: (tid_in_wg, 1), wid_in_wg: (tid_in_wg, 32)},
    (Scope.THREAD, Scope.CTA): {
        laneid: (tx, 1),
        tid_in_wg: (tx, 1),
        wid_in_wg: (tx, 32),
        warpid: (tx, 32),
        wgid: (tx, 128),
    },
    (Scope.WARP, Scope.CTA): {wid_in_wg: (warpid, 1), wgid: (warpid, 4)},
}
"""For the lowest subscope and the highest scope of a layout: what axes become, and by what their strides grow."""


def scope_pair(axes: Iterable[Axis]) -> ScopePair | None:
    """The lowest subscope and the highest scope of the thread axes; None where there are none.

    Raises LayoutError where two axes number the same things within different groups, or where the scopes between two of
    them are missing.
    """
    links: dict[Scope, Axis] = {}
    for axis in axes:
        if axis.subscope is None:
            continue
        other = links.setdefault(axis.subscope, axis)
        if other.scope is not axis.scope:
            raise LayoutError(
                f"conflicting scopes: '{other}' and '{axis}' both count {axis.subscope}s",
                hint=f"'{other}' within a {other.scope}, '{axis}' within a {axis.scope}",
            )
    if not links:
        return None
    lowest = reached = min(links)
    used = 0
    while reached in links:
        used += 1
        highest = links[reached].scope
        assert highest is not None and highest > reached
        reached = highest
    if used < len(links):
        above = min(scope for scope in links if scope > reached)
        raise LayoutError(
            f"disconnected scopes: no axis counts {reached}s, which '{links[above]}' is above",
            hint=f"axes: {', '.join(sorted(axis.name for axis in links.values()))}",
        )
    return lowest, reached


def renaming(axes: Iterable[Axis]) -> dict[Axis, tuple[Axis, int]]:
    """What each thread axis becomes and by what its strides grow; raises as `scope_pair`."""
    pair = scope_pair(axes)
    return FUSIONS.get(pair, {}) if pair else {}
