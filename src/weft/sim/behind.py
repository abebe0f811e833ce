"""What warps knew before some of their lanes heard more: the others know no more than that until they hear anything.

A lane that waits, or fences what it has read, tells nobody: others of its warp must meet it, or hear for themselves.
"""

from __future__ import annotations

import numpy as np

from weft.sim.lanes import Array, any_of


class Behind:
    """For each row what it knew, by columns, when some of its lanes, not all, heard more, and when that was.

    It is kept as long as a lane has heard nothing since.  What lanes miss that have heard in between is not followed.
    """

    def __init__(self, warps: int, ctas: int, columns: int) -> None:
        self._since = np.zeros((warps, ctas), np.uint32)
        self._known = np.zeros((warps, ctas, columns), np.uint32)
        self.some = False

    def note(self, rows: Array, known: Array, heard: Array, alive: Array, now: int) -> None:
        """Some lanes of rows are going to know more than these do; `heard` is when each lane last heard anything."""
        since, kept = self._since.reshape(-1), self._known.reshape(len(self._since.reshape(-1)), -1)
        fresh = np.where(alive, heard, now).min(axis=1) >= since[rows]
        since[rows[fresh]], kept[rows[fresh]] = now, known[fresh]
        self.some = True

    def limit(self, known: Array, rows: Array, columns: Array, heard: Array) -> Array:
        """Up to when lanes of rows know of columns, where their rows do up to `known`."""
        late = heard < self._since.reshape(-1)[rows]
        if not any_of(late):
            return known
        before = self._known.reshape(len(self._since.reshape(-1)), -1)[rows, columns]
        return np.where(late, np.minimum(known, before), known)

    def limit_roles(self, known: Array, roles: slice, heard: Array) -> Array:
        """The same of roles in some CTAs by columns; `heard` has the lanes that are asked."""
        running = known.shape[1]
        late: Array = np.logical_or.reduce(heard < self._since[roles, :running, None], axis=2)
        if not any_of(late):
            return known
        return np.where(late[:, :, None], np.minimum(known, self._known[roles, :running]), known)
