"""When the bytes of a space were last accessed, page by page: what shows at once that an access races with nothing.

Most accesses touch bytes of which everything earlier is known: they were last used before a barrier of all threads, or
by warps whose progress all the accessing warps have learnt of.  A page keeps the time of its newest access for each
role of a warp over all CTAs of the batch (and for each engine), so that a few small comparisons answer for all lanes.
Where they do not, the cells decide.

Copies and products are mostly started by one thread of a warp, and so are the waits before them: what such a lane does,
and what it knows, counts apart from the rest of its warp, which may never say or hear anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim import stamps as st
from weft.sim.clocks import Clocks
from weft.sim.lanes import Array, any_of
from weft.sim.race_log import Range

if TYPE_CHECKING:
    from weft.sim.site import Site
    from weft.sim.spots import Spot

SHARED_PAGE, FAR_PAGE = 6, 7
"""Log2 of the bytes of a page: of shared memory, and of global memory."""


class Pages:
    """The newest accesses of one kind (reads or writes) to the shared memory of CTAs, which has `size` bytes.

    Copies that complete for their own threads (`fly`) are nobody's until these have waited for them (`land`).
    """

    def __init__(self, clocks: Clocks, size: int) -> None:
        self.clocks = clocks
        self._times: Array = np.zeros((clocks.warps, (size >> SHARED_PAGE) + 1), np.uint32)
        self._newest: Array = np.zeros(self._times.shape[1], np.uint32)
        self._alone: dict[tuple[int, int], Array] = {}
        self._flying: list[tuple[Site, Range, int]] = []
        self._held: list[tuple[Range, Range, int, int]] | None = None

    def mark(self, roles: Range, at: Range, lane: int = -1) -> None:
        """Warps or engines of roles access bytes now: of a single role only a lane, unless that is -1."""
        if self._held is None:
            self._set(roles, at, self.clocks.now, lane)
        else:
            self._held.append((roles, at, self.clocks.now, lane))

    def hold(self) -> None:
        """Accesses by different CTAs follow, one after the other: none of them concerns another one."""
        self._held = []

    def release(self) -> None:
        """They are done."""
        held, self._held = self._held or [], None
        for roles, at, time, lane in held:
            self._set(roles, at, time, lane)

    def _set(self, roles: Range, at: Range, time: int, lane: int) -> None:
        if roles[1] >= len(self._times):
            more = np.zeros((roles[1] + 1 - len(self._times), self._times.shape[1]), np.uint32)
            self._times = np.concatenate([self._times, more])
        pages = slice(at[0] >> SHARED_PAGE, (at[1] >> SHARED_PAGE) + 1)
        self._newest[pages] = time
        # A lane alone gets times of its own: taken for its whole warp, other lanes of the warp would seem to race with
        # it.
        if lane >= 0 and roles[0] == roles[1]:
            times = self._alone.get((roles[0], lane))
            if times is None:
                times = self._alone[roles[0], lane] = np.zeros_like(self._newest)
            times[pages] = time
        else:
            self._times[roles[0] : roles[1] + 1, pages] = time

    def fly(self, site: Site, at: Range, count: int) -> None:
        """So many lanes have started copies of bytes."""
        self._flying.append((site, at, count))

    def land(self, site: Site, at: Range, count: int) -> None:
        """Lanes have waited for copies: all of those that were started together, or some."""
        for number, (other, (low, high), left) in enumerate(self._flying):
            if other is site and low <= at[0] and at[1] <= high and count <= left:
                if count == left:
                    del self._flying[number]
                else:
                    self._flying[number] = site, (low, high), left - count
                return

    def settled_for(self, spot: Spot, roles: Range, at: Range, lane: int) -> bool:
        """The same of a spot, of which it is known again where nothing has been done since."""
        if spot.pages is self and not self._flying:
            first, last = at[0] >> SHARED_PAGE, at[1] >> SHARED_PAGE
            newest = self._newest[first] if first == last else self._newest[first : last + 1].max()
            # Nothing was done to these pages since the question was last answered for this spot: the usual case in a
            # loop.
            if newest < spot.known:
                return True
        if not self.settled(roles, at, lane):
            return False
        spot.pages, spot.known = self, self.clocks.now
        return True

    def settled(self, roles: Range, at: Range, lane: int) -> bool:
        """Whether warps of roles, or a lane of each, certainly know of all that was done to bytes, in all CTAs."""
        return not self._in_flight(at) and self._all_known(roles, lane, self._latest(at), self._latest_alone(at))

    def both_settled(self, other: Pages, roles: Range, at: Range, lane: int) -> tuple[bool, bool]:
        """The same of accesses of both kinds: most often of both at once."""
        mine, theirs = self._latest(at), other._latest(at)
        still = len(mine) == len(theirs) and not self._in_flight(at) and not other._in_flight(at)
        if still:
            alone = [*self._latest_alone(at), *other._latest_alone(at)]
            if self._all_known(roles, lane, np.maximum(mine, theirs), alone):
                return True, True
        return self.settled(roles, at, lane), other.settled(roles, at, lane)

    def _in_flight(self, at: Range) -> bool:
        return bool(self._flying) and any(low <= at[1] and at[0] <= high for _, (low, high), _ in self._flying)

    def _latest(self, at: Range) -> Array:
        """When each role last did anything to bytes."""
        pages = self._times[:, at[0] >> SHARED_PAGE : (at[1] >> SHARED_PAGE) + 1]
        return pages[:, 0] if pages.shape[1] == 1 else np.maximum.reduce(pages, axis=1)

    def _latest_alone(self, at: Range) -> list[tuple[int, int, int]]:
        """Roles and lanes that did anything to bytes alone, and when they last did."""
        if not self._alone:
            return []
        first, last = at[0] >> SHARED_PAGE, (at[1] >> SHARED_PAGE) + 1
        found = ((role, lane, int(times[first:last].max())) for (role, lane), times in self._alone.items())
        return [one for one in found if one[2]]

    def _all_known(self, roles: Range, lane: int, newest: Array, alone: list[tuple[int, int, int]]) -> bool:
        clocks = self.clocks
        if clocks.wide:  # What flags tell counts for lanes, not for warps: the cells know.
            floor = clocks.everyone >> st.TIME_AT
            late = any_of(newest[: clocks.warps] > floor) or any(time > floor for _, _, time in alone)
            return not late and not newest[clocks.warps :].any()
        lane = lane if roles[0] == roles[1] else -1
        return clocks.surely(roles, newest, lane) and all(clocks.surely_of(roles, lane, *one) for one in alone)


class FarPages:
    """Which pages of global memory of `size` bytes have been accessed at all."""

    def __init__(self, size: int) -> None:
        self._touched: Array = np.zeros((size >> FAR_PAGE) + 1, np.bool_)

    def mark(self, at: Range) -> None:
        """Bytes are accessed."""
        self._touched[at[0] >> FAR_PAGE : (at[1] >> FAR_PAGE) + 1] = True

    def pieces(self, size: int, count: int) -> Array:
        """The numbers of pieces of `size` bytes on these pages, of so many."""
        each = (1 << FAR_PAGE) // size
        found = (np.flatnonzero(self._touched)[:, None] * each + np.arange(each)).reshape(-1)
        return found[found < count]

    def fresh(self, at: Range) -> bool:
        """Whether nothing has accessed bytes."""
        return not any_of(self._touched[at[0] >> FAR_PAGE : (at[1] >> FAR_PAGE) + 1])
