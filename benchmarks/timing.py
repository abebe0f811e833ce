"""Processor time, which a busy machine spoils less than wall time."""

from __future__ import annotations

import functools
import gc
import os
import resource
import tempfile
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


@functools.cache
def kept_bytecode() -> dict[str, str]:
    """An environment in which Python keeps bytecode, as it does where packages are installed, in a new folder."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return environment | {"PYTHONPYCACHEPREFIX": tempfile.mkdtemp(prefix="weft-bench-")}


def best_of(call: Callable[[], object], clock: Clock, runs: int = 5, enough: float = 3.0) -> float:
    """The shortest of a number of runs on a clock, in seconds; fewer when they take more than `enough` together."""
    times: list[float] = []
    gc.collect()
    while len(times) < runs and sum(times) < enough:
        start = clock()
        call()
        times.append(clock() - start)
    return min(times)
