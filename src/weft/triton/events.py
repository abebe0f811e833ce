"""Events as benchmarks use them: on a device where everything has run when a launch returns."""

from __future__ import annotations

import time


class Event:
    """A moment in time, as benchmarks take them."""

    def __init__(self, enable_timing: bool = False, **_: object) -> None:
        self._moment = time.perf_counter()

    def record(self, stream: object = None) -> None:
        """Take the time: what was launched before has run."""
        self._moment = time.perf_counter()

    def synchronize(self) -> None:
        """Nothing is under way."""

    def wait(self, stream: object = None) -> None:
        """Nothing is under way."""

    def query(self) -> bool:
        """Whether all before it has run: always."""
        return True

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds of the simulation to another event, at least a microsecond."""
        return max(1000 * (end._moment - self._moment), 1e-3)
