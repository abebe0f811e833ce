"""How a device looks at what kernels do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from weft.dataclass import dataclass
from weft.sim.engines import Engine
from weft.sim.faults import SimulationError, choose
from weft.sim.findings import Report, chosen
from weft.sim.prepare import MOST_SCHEDULES, RESIDENT, Async, check_numbers
from weft.sim.tensor_core import Mma

Checks = Literal["strict", "fast"] | Iterable[str]


@dataclass(frozen=True, slots=True)
class Policy:
    """What is checked, when asynchronous operations complete, and what happens with what is found.

    `checks` is None for none of those that can be left out.  The other fields are those of `weft.run`; the run that
    counts is one of the `schedules`.
    """

    checks: frozenset[str] | None
    asynchrony: Async = "lazy"
    schedules: int | None = None
    seed: int = 0
    report: Report = "first"
    suppress: tuple[int | str, ...] = ()
    max_steps: int | None = None
    timeout: float | None = None
    mma: Mma = "exact"
    resident: int = RESIDENT
    engine: Engine = "auto"

    @property
    def strict(self) -> bool:
        """Whether anything is checked that can be left out."""
        return self.checks is not None


def policy_of(
    checks: Checks = "strict",
    asynchrony: str = "lazy",
    *,
    seed: int = 0,
    report: Report = "first",
    suppress: Sequence[int | str] = (),
    max_steps: int | None = None,
    timeout: float | None = None,
    mma: Mma = "exact",
    resident: int = RESIDENT,
    engine: Engine = "auto",
) -> Policy:
    """A policy: `checks` is `strict`, `fast`, or the names of checks; `asynchrony` may be `random:20`.

    Raises:
        SimulationError: a name is unknown.
    """
    mode, _, count = asynchrony.partition(":")
    choose(mode, Async, "asynchrony")
    if count and (mode != "random" or not count.isdecimal() or not 1 <= int(count) <= MOST_SCHEDULES):
        raise SimulationError(
            f"unknown asynchrony {asynchrony!r}",
            hint="use lazy, eager, random or random:N, which runs a kernel N times",
        )
    choose(report, Report, "report")
    choose(mma, Mma, "mma")
    choose(engine, Engine, "engine")
    check_numbers(seed=seed, resident=resident, timeout=timeout, max_steps=max_steps)
    whole = checks if isinstance(checks, str) else ""
    wanted = None if whole == "fast" else chosen(None if whole == "strict" else checks)
    chosen_mode: Any = mode
    return Policy(
        *(
            wanted,
            chosen_mode,
            int(count) if count else None,
            seed,
            report,
            tuple(suppress),
            max_steps,
            timeout,
            mma,
            resident,
            engine,
        )
    )
