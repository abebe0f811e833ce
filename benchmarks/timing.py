"""Processor time, which a busy machine spoils less than wall time."""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable

Clock = Callable[[], float]


def own_time() -> float:
    """Processor time of this process, user and system, in seconds."""
    return time.process_time()


def processes_time() -> float:
    """Processor time of the processes that this one has started and waited for, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best_of(call: Callable[[], object], clock: Clock, runs: int = 5, enough: float = 3.0) -> float:
    """The shortest of a number of runs on a clock, in seconds; fewer when they take more than `enough` together."""
    times: list[float] = []
    gc.collect()
    while len(times) < runs and sum(times) < enough:
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)
