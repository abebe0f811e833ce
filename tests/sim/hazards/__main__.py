"""Prints how many of the planted bugs and of the mutants each mode catches.

`python -m tests.sim.hazards [--modes default,lazy] [--kernel NAME] [--all] [--mutants]`
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.sim.hazards.case import Kernel
from tests.sim.hazards.corpus import KERNELS
from tests.sim.hazards.mutations import mutants
from weft.sim import KernelFault

MODES: dict[str, dict[str, Any]] = {
    "default": {},
    "eager": {"async_": "eager"},
    "lazy": {"async_": "lazy"},
    "random": {"async_": "random", "seed": 1},
}

MAX_STEPS = 200_000
"""After which a wrong kernel counts as hung."""


def alarms(kernels: Sequence[Kernel], modes: Sequence[str]) -> int:
    """Right kernels of which a mode says that they are wrong; each is printed."""
    found = 0
    for kernel in kernels:
        for mode in modes:
            try:
                said = "" if kernel.correct(kernel.run(**MODES[mode])) else "wrong result"
            except KernelFault as fault:
                said = str(fault)
            if said:
                found += 1
                print(f"ALARM {kernel.name} ({mode}): {said.splitlines()[0]}")
    return found


class Tally:
    """Wrong kernels and how many of them each mode catches, by class."""

    def __init__(self, modes: Sequence[str], everything: bool) -> None:
        self.modes = modes
        self.everything = everything
        self.total: Counter[str] = Counter()
        self.caught: Counter[tuple[str, str]] = Counter()

    def judge(self, kernel: Kernel, name: str, hazard: str, text: str, kinds: frozenset[str]) -> None:
        """Run a wrong kernel in each mode; what is missed is printed."""
        self.total[hazard] += 1
        for mode in self.modes:
            fault = kernel.fault(text, max_steps=MAX_STEPS, **MODES[mode])
            right = fault is not None and (not kinds or fault.kind in kinds)
            self.caught[hazard, mode] += right
            if not right or self.everything:
                found = (
                    "nothing" if fault is None else f"{fault.kind} at line {fault.position.line}: {fault.instruction}"
                )
                print(f"{'ok  ' if right else 'MISS'} {kernel.name}: {name} [{hazard}] ({mode}): {found}")

    def show(self, heading: str) -> None:
        """Print the table."""
        width = max(map(len, self.total), default=5) + 2
        print(f"{heading:{width}} {'number':>6} " + " ".join(f"{mode:>9}" for mode in self.modes))
        for hazard, count in sorted(self.total.items()):
            print(f"{hazard:{width}} {count:6} " + " ".join(f"{self.caught[hazard, mode]:9}" for mode in self.modes))
        shares = [sum(self.caught[hazard, mode] for hazard in self.total) for mode in self.modes]
        every = max(self.total.total(), 1)
        print(f"{'all':{width}} {every:6} " + " ".join(f"{share:4} {share / every:4.0%}" for share in shares))


def main() -> int:
    """Run everything, print the tables; the status is 1 where a right kernel is accused."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.hazards", description=__doc__)
    parser.add_argument("--modes", default="default", help="of " + ", ".join(MODES))
    parser.add_argument("--kernel", default="", help="only kernels whose names contain this")
    parser.add_argument("--all", action="store_true", help="say of each bug what was found")
    parser.add_argument("--mutants", action="store_true", help="the mutants too")
    options = parser.parse_args()
    modes = options.modes.split(",")
    kernels = [kernel for kernel in KERNELS if options.kernel in kernel.name]
    accused = alarms(kernels, modes)
    bugs = Tally(modes, options.all)
    for kernel in kernels:
        for bug in kernel.bugs:
            bugs.judge(kernel, bug.name, bug.hazard, bug.applied(kernel.text), bug.kinds)
    bugs.show("planted")
    if options.mutants:
        deleted = Tally(modes, options.all)
        for kernel in kernels:
            for mutant in mutants(kernel):
                name = f"line {mutant.line}: {mutant.statement}"
                deleted.judge(kernel, name, mutant.kind, mutant.text, frozenset())
        deleted.show("mutants")
    print(f"{len(kernels)} right kernels, {accused} accused")
    return 1 if accused else 0


if __name__ == "__main__":
    sys.exit(main())
