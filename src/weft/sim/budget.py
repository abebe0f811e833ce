"""How much a run may cost before it is stopped with a report."""

from __future__ import annotations

import time

from weft.dataclass import dataclass

MORE = 1000
"""Steps besides twice those before in which a run shows more of what is wrong."""


class Overdue(Exception):
    """A run has lost its patience: it is to be made again by something faster."""


@dataclass(slots=True)
class Budget:
    """`steps` are blocks of instructions that gangs of threads may execute in a batch, `seconds` are of wall time.

    None is no limit.  `patience` are seconds of processor time after which something faster is tried.
    """

    steps: int | None = None
    seconds: float | None = None
    end: float | None = None
    patience: float | None = None
    alarm: float | None = None

    def start(self) -> None:
        """The run begins: its time counts from now."""
        self.end = None if self.seconds is None else time.monotonic() + self.seconds
        self.alarm = None if self.patience is None else time.thread_time() + self.patience

    def hurry(self, steps: int) -> None:
        """After so many steps something is wrong: the run need not go on for much longer."""
        enough = 2 * steps + MORE
        self.steps = enough if self.steps is None else min(enough, self.steps)

    @property
    def limited(self) -> bool:
        """Whether there is a limit."""
        return self.steps is not None or self.seconds is not None

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return self.end is not None and time.monotonic() >= self.end

    def spent(self, steps: int) -> bool:
        """Whether one of the limits is reached after so many steps.  Raises Overdue."""
        if self.alarm is not None and time.thread_time() >= self.alarm:
            raise Overdue
        if self.steps is not None and steps >= self.steps:
            return True
        return self.late

    def excess(self) -> str:
        """Which limit that is."""
        if self.late:
            return f"the run exceeds {self.seconds:g} seconds"
        return f"the run exceeds {self.steps} steps"
