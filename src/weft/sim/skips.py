"""Stores by lanes that a fence of other lanes of their warps does not cover.

What a warp has fenced is known by warps: a relaxed store behind a barrier tells of it.  A lane that goes past a fence
which others of its warp execute has fenced nothing itself; what it has stored since it last told anything stays unknown
to other CTAs, until it fences, or a thread does that has met it since.

Source: PTX manual, "Release and Acquire Patterns", "Causality order".
"""

from __future__ import annotations

import numpy as np

from weft.sim.lanes import WARP, Array


class Skips:
    """For each lane the times, after `_low` up to `_high`, of what no fence covers; `some`: there may be such times.

    Lanes are numbered as in a batch: warps by CTAs by lanes of the warp.
    """

    def __init__(self, warps: int, ctas: int) -> None:
        self._low, self._high = np.zeros((2, warps, ctas, WARP), np.uint32)
        self.some = False

    def skip(self, rows: Array, absent: Array, since: Array, now: int) -> None:
        """Lanes of rows that are marked as absent go past a fence; `since` is when each last told or met others."""
        ctas = self._low.shape[1]
        low, high = (table[rows // ctas, rows % ctas] for table in (self._low, self._high))
        closed = low >= high
        self._low[rows // ctas, rows % ctas] = np.where(absent & closed, np.maximum(since, low), low)
        self._high[rows // ctas, rows % ctas] = np.where(absent, now, high)
        self.some = True

    def fence(self, lanes: Array | slice, now: int) -> None:
        """Lanes execute a fence, or release: what they have done themselves is covered."""
        self._low.reshape(-1)[lanes] = self._high.reshape(-1)[lanes] = now

    def cover(self, rows: Array, known: Array, met: Array, spoken: Array) -> None:
        """Lanes of rows do: what others have done of whom they know is covered.

        `known` is what each row knows of the warps of its CTA, `met` when lanes of its own warp were last met by those,
        `spoken` when lanes last told others anything.
        """
        ctas = self._low.shape[1]
        spoken = spoken.reshape(self._low.shape)
        for role in np.unique(rows // ctas).tolist():
            mine = rows // ctas == role
            cta = rows[mine] % ctas
            told = np.minimum(known[mine].T[:, :, None], spoken[:, cta])
            told[role] = met[mine]
            self._low[:, cta] = np.maximum(self._low[:, cta], told)
        self.some = bool((self._low < self._high).any())

    def uncovered(self, lanes: Array, times: Array) -> Array:
        """Whether what lanes did at times is not covered."""
        low, high = self._low.reshape(-1), self._high.reshape(-1)
        lanes = np.minimum(lanes, len(low) - 1)  # Engines have numbers beyond, and times of their own.
        found: Array = (times > low[lanes]) & (times <= high[lanes])
        return found
