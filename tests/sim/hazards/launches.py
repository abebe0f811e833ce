"""Launches of other tests, kept and run again: under other schedules, and with one thing taken away.

`python -m tests.sim.hazards.launches record FOLDER TESTS...` runs tests and keeps what they launch without a fault;
`... again FOLDER` runs each launch in the default mode and with random schedules and says what is accused;
`... mutants FOLDER` deletes barriers, waits, fences and scopes of each, a few at random, and says what is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import weft
from tests.sim.hazards.case import Kernel
from tests.sim.hazards.mutations import Mutant, mutants
from weft.sim import KernelFault, launch
from weft.sim.prepare import Options, Prepared

MAX_STEPS = 400_000
KEPT = ("grid", "block", "cluster", "shared_bytes", "registers", "resident")
"""Options of a launch that are kept with it."""
SEEDS = 3
SLOW = 6.0
"""Seconds of processor time above which a launch is not mutated."""


@dataclass(frozen=True)
class Launch:
    """A launch as a test has made it: the PTX, the kernel, the arguments before it, and options of `weft.run`."""

    test: str
    text: str
    kernel: str
    arguments: list[Any]
    options: dict[str, Any]

    def fault(self, text: str | None = None, **changed: Any) -> KernelFault | None:
        """What the simulator says of it, or of another text in its place."""
        module = weft.parse(self.text if text is None else text)
        try:
            weft.run(module, self.kernel, args=deepcopy(self.arguments), **{**self.options, **changed})
        except KernelFault as fault:
            return fault
        return None


@dataclass
class Recorder:
    """Keeps the launches of a test session in a folder, each once."""

    folder: Path
    test: str = ""
    seen: set[str] = field(default_factory=set[str])

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note which test runs."""
        self.test = item.nodeid

    def prepared(self) -> type[Prepared]:
        """What is in for `Prepared`: it keeps each launch that ends well."""
        recorder = self

        class Recorded(Prepared):
            def __init__(self, module: Any, options: Options, args: Sequence[Any], *more: Any, **named: Any) -> None:
                self.kept = module, options, deepcopy(list(args))
                super().__init__(module, options, args, *more, **named)

            def execute(self, *given: Any, **named: Any) -> None:
                super().execute(*given, **named)
                recorder.keep(*self.kept)

        return Recorded

    def keep(self, module: Any, options: Options, arguments: list[Any]) -> None:
        """Keep a launch unless it has been."""
        text = module.to_ptx()
        key = hashlib.sha256(f"{text}{options.kernel}{options.grid}{options.block}".encode()).hexdigest()[:20]
        if key in self.seen:
            return
        self.seen.add(key)
        given = {name: value for name in KEPT if (value := getattr(options, name)) is not None}
        found = self.test, text, options.kernel, arguments, given
        (self.folder / f"{key}.pickle").write_bytes(pickle.dumps(found))


def record(folder: Path, tests: Sequence[str]) -> None:
    """Run tests and keep what they launch."""
    folder.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(folder)
    launch.Prepared = recorder.prepared()
    pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[recorder])


def kept(folder: Path, only: str) -> Iterator[Launch]:
    """The launches of a folder."""
    for path in sorted(folder.glob("*.pickle")):
        found = Launch(*pickle.loads(path.read_bytes()))
        if only in found.test:
            yield found


def again(folder: Path, only: str) -> int:
    """Accusations, each printed."""
    accused = count = 0
    for one in kept(folder, only):
        count += 1
        modes: list[dict[str, Any]] = [{"async_": "lazy"}, {"async_": "eager"}]
        modes += [{"async_": "random", "seed": seed} for seed in range(SEEDS)]
        for mode in modes:
            fault = one.fault(max_steps=MAX_STEPS, **mode)
            if fault is not None:
                accused += 1
                print(f"ALARM {one.test} {mode}: {str(fault).splitlines()[0][:300]}", flush=True)
                break
    print(f"{count} launches, {accused} accused")
    return accused


def mutated(folder: Path, only: str, each: int, seed: int) -> None:
    """How many of the mutants are caught; those that are not are printed."""
    total: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    for one in kept(folder, only):
        start = time.process_time()
        if one.fault(async_="lazy", max_steps=MAX_STEPS) is not None or time.process_time() - start > SLOW:
            continue
        kernel = Kernel(one.kernel, one.text, list, lambda _: True)
        every = [mutant for mutant in mutants(kernel) if _inside(one, mutant)]
        for mutant in random.Random(seed).sample(every, min(each, len(every))):
            total[mutant.kind] += 1
            fault = _try(one, mutant.text)
            if not fault and not _try(one, _trapped(one, mutant)):
                total[mutant.kind] -= 1
                continue
            caught[mutant.kind] += fault
            if not fault:
                print(f"MISS {one.test} line {mutant.line}: {mutant.kind}: {mutant.statement[:90]}", flush=True)
    for kind, count in sorted(total.items()):
        print(f"{kind:20} {caught[kind]:4} of {count}")
    print(f"{'all':20} {caught.total():4} of {total.total()}")


def _inside(one: Launch, mutant: Mutant) -> bool:
    """Whether a mutant changes the kernel that is launched, not another one of its module."""
    lines = one.text.splitlines()[: mutant.line]
    heads = [line for line in lines if ".entry" in line or ".func" in line]
    return bool(heads) and f"{one.kernel}(" in heads[-1]


def _trapped(one: Launch, mutant: Mutant) -> str:
    """The kernel with a trap in front of what is changed: where that does not spring, nothing is executed."""
    lines = one.text.split("\n")
    lines[mutant.line - 1] = "trap;" + lines[mutant.line - 1]
    return "\n".join(lines)


def _try(one: Launch, text: str) -> bool:
    try:
        return one.fault(text, async_="lazy", max_steps=MAX_STEPS) is not None
    except weft.WeftError:
        return True


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.hazards.launches", description=__doc__)
    parser.add_argument("what", choices=("record", "again", "mutants"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--only", default="")
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.what == "record":
        record(options.folder, options.tests)
        return 0
    if options.what == "mutants":
        mutated(options.folder, options.only, options.each, options.seed)
        return 0
    return 1 if again(options.folder, options.only) else 0


if __name__ == "__main__":
    sys.exit(main())
