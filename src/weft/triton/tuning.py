"""Autotuning where time says nothing about a GPU: each configuration runs once, or only the first that is valid.

Compiling is most of what autotuning takes here, and a GPU's choice is not known: tests that want some right result, not
all of them, are done with the first configuration that compiles and fits the device.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal
from weakref import WeakKeyDictionary

from weft.sim.faults import SimulationError

Autotune = Literal["all", "first"]
NEVER = [float("inf")] * 3
"""The time of a configuration that is not tried: Triton's for those that are not valid."""


def check_autotune(autotune: object) -> None:
    """Refuse what is no way to autotune.

    Raises:
        SimulationError: it is neither `all` nor `first`.
    """
    # A caller without type checks may give anything: an array, say, that no one truth value answers for.
    if not isinstance(autotune, str) or autotune not in ("all", "first"):
        raise SimulationError(f"unknown way to autotune {autotune!r}", hint="all or first")


def first_only(bench: Callable[..., list[float]]) -> Callable[..., list[float]]:
    """Triton's measurement of a configuration, `Autotuner._bench`, for the first valid one of a choice only."""
    chosen: WeakKeyDictionary[Any, object] = WeakKeyDictionary()

    def measure(tuner: Any, *args: Any, config: Any, **meta: Any) -> list[float]:
        # `nargs` is made anew by each call of the kernel: it stands for the choice that is under way.
        if chosen.get(tuner) is tuner.nargs:
            return NEVER
        times = bench(tuner, *args, config=config, **meta)
        if times != NEVER:
            chosen[tuner] = tuner.nargs
        return times

    return measure
