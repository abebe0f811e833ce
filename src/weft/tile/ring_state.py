"""Where one side of a pipeline stands: its next slot, and the phase that it waits for."""

from __future__ import annotations

from typing import Any

from weft.dataclass import dataclass
from weft.tile.scalars import where


@dataclass
class State:
    """One side of a ring in one role: its next slot, the phase it waits for, the slots it holds on to.

    All are in registers of each thread, which loops carry like any tile.
    """

    storage: Any
    stages: int
    behind: int = 0

    INDEX, PHASE, OWED, OLDEST = range(4)

    @property
    def index(self) -> Any:
        """The next slot."""
        return self.at(self.INDEX)

    def at(self, place: int) -> Any:
        """The number of a slot."""
        if self.stages == 1:
            return 0
        found = self.storage[place]
        found.nonnegative = True
        return found

    def advance(self, place: int = 0) -> None:
        """Go on to the next slot; after the last one the phase changes."""
        stages = self.stages
        if stages == 1:
            if place == self.INDEX:
                self.storage[self.PHASE] = self.storage[self.PHASE] ^ 1
            return
        following = self.storage[place] + 1
        wraps = following == stages
        self.storage[place] = where(wraps, 0, following)
        if place == self.INDEX:
            self.storage[self.PHASE] = where(wraps, self.storage[self.PHASE] ^ 1, self.storage[self.PHASE])


def slot_before(index: Any, by: int, stages: int) -> Any:
    """The slot taken so many slots before one."""
    moved = index - by
    found = where(moved < 0, moved + stages, moved)
    found.nonnegative = True
    return found
