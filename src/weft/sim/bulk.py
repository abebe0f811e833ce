"""Bulk copies (`cp.async.bulk`): byte ranges that move later, and signal an mbarrier or count in a bulk group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import Array, Lanes
from weft.sim.memory import PENDING, WRITTEN, Space
from weft.sim.site import Site

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_POISON = 0xFF


@dataclass(slots=True)
class BulkCopy:
    """`size` bytes from byte index `origin` of one space to `into` of another, started by a lane.

    `reduce` combines old and new bytes instead of replacing them; `then` is what follows completion; `group` the lane's
    bulk group.
    """

    site: Site
    lane: int
    source: Space
    origin: int
    target: Space
    into: int
    size: int
    reduce: Callable[[Array, Array], Array] | None = None
    then: Callable[[], None] | None = None
    group: int = 0


class Bulk:
    """The bulk copies under way in a batch."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.pending: list[BulkCopy] = []
        self.groups: Array = np.zeros(machine.batch.lanes, np.int64)

    def reset(self) -> None:
        """A new batch begins."""
        self.pending.clear()
        self.groups.fill(0)

    def start(self, copy: BulkCopy) -> None:
        """Start a copy; eagerly it completes at once."""
        copy.group = int(self.groups[copy.lane])
        policy = self.machine.async_
        if policy == "eager" or (policy == "random" and self.machine.random.random() < 0.5):
            self._complete(copy)
            return
        if copy.target is self.machine.memory.shared and copy.reduce is None:
            where = slice(copy.into, copy.into + copy.size)
            copy.target.bytes[where] = _POISON
            if copy.target.shadow is not None:
                copy.target.shadow[where] = PENDING
        self.pending.append(copy)

    def commit(self, lanes: Lanes) -> None:
        """Close the lanes' open bulk groups."""
        self.groups[lanes.select] += 1

    def wait(self, lanes: Lanes, newest: int) -> None:
        """Complete all but the `newest` closed bulk groups of the lanes."""
        if not self.pending:
            return
        limits = dict(zip(lanes.index.tolist(), (self.groups[lanes.select] - newest).tolist(), strict=True))
        self._finish(lambda copy: copy.then is None and copy.group < limits.get(copy.lane, -1))

    def force(self) -> bool:
        """Complete the copies that threads may wait for at an mbarrier; whether there was any."""
        return self._finish(lambda copy: copy.then is not None)

    def drain(self) -> None:
        """Complete everything: the batch has ended."""
        self._finish(lambda copy: True)

    def _finish(self, chosen: Callable[[BulkCopy], bool]) -> bool:
        done = [copy for copy in self.pending if chosen(copy)]
        self.pending = [copy for copy in self.pending if not chosen(copy)]
        for copy in done:
            self._complete(copy)
        return bool(done)

    def _complete(self, copy: BulkCopy) -> None:
        new = copy.source.bytes[copy.origin : copy.origin + copy.size]
        old = copy.target.bytes[copy.into : copy.into + copy.size]
        old[:] = new if copy.reduce is None else copy.reduce(old, new)
        copy.source.loaded += copy.size
        copy.target.stored += copy.size
        if copy.target.shadow is not None:
            copy.target.shadow[copy.into : copy.into + copy.size] = WRITTEN
        self.machine.changes += 1
        if copy.then is not None:
            copy.then()
