"""Millions of small inputs: `python -m tests.fuzz.statements --count 10000000 --seed 1`.

Each goes to one entry (`tests.fuzz.entries`). With `--coverage`, Atheris chooses the changes by what they reach in weft.
What goes wrong is kept in a folder, with its entry's name.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

from tests.fuzz.entries import ENTRIES, attempt, changed
from tests.fuzz.judge import TIME_LIMIT, time_limit


class Campaign:
    """Inputs tried so far, and what went wrong."""

    def __init__(self, keep: Path, seed: int) -> None:
        self.keep = keep
        self.seed = seed
        self.tried: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.start = time.monotonic()

    def one(self, name: str, text: str) -> None:
        """Try one input; keep it when it goes wrong."""
        self.tried[name] += 1
        try:
            self.taken[name] += attempt(name, text)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{name}: {type(error).__name__} {Path(last.filename).name}:{last.lineno}"
            self.wrong[kind] += 1
            if self.wrong[kind] <= 3:
                self.keep.mkdir(parents=True, exist_ok=True)
                path = self.keep / f"{name}-{self.seed}-{self.tried.total()}.txt"
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
                print(f"{path.name}: {kind}: {str(error)[:150]}", flush=True)

    def report(self) -> None:
        """One line: how many inputs, how many taken, how many wrong, in how long."""
        seconds = time.monotonic() - self.start
        total, good = self.tried.total(), self.taken.total()
        print(f"{total} inputs, {good} taken, {self.wrong.total()} went wrong; {seconds:.0f} s", flush=True)


def at_random(campaign: Campaign, count: int, seconds: float) -> None:
    """Change seeds, and what was taken of the changed, at random."""
    chance = random.Random(campaign.seed)
    names = list(ENTRIES)
    weights = [ENTRIES[name].weight for name in names]
    seeds = {name: ENTRIES[name].seeds() for name in names}
    done = 0
    while done < count and time.monotonic() - campaign.start < seconds:
        with time_limit(100 * TIME_LIMIT):
            for name in chance.choices(names, weights, k=10_000):
                campaign.one(name, changed(chance.choice(seeds[name]), seeds[name], chance))
        done += 10_000
        if done % 100_000 == 0:
            campaign.report()


def under_coverage(campaign: Campaign, count: int, seconds: float) -> None:
    """Let Atheris look for inputs that reach new places: the first byte chooses the entry."""
    atheris: Any = importlib.import_module("atheris")
    atheris.instrument_all()
    names = list(ENTRIES)
    corpus = campaign.keep / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for index, name in enumerate(names):
        for number, seed in enumerate(ENTRIES[name].seeds()[::10]):
            (corpus / f"{name}-{number}").write_bytes(bytes([index]) + seed.encode("utf-8", "replace"))

    def one(data: bytes) -> None:
        if data:
            campaign.one(names[data[0] % len(names)], data[1:].decode("utf-8", "surrogateescape"))
            if campaign.tried.total() % 100_000 == 0:
                campaign.report()

    limits = [f"-runs={count}", f"-max_total_time={seconds:.0f}", "-max_len=600", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], str(corpus), *limits], one)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--coverage", action="store_true", help="let Atheris (pip install weft[fuzz]) choose")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="folder for inputs that go wrong")
    arguments = parser.parse_args()
    campaign = Campaign(arguments.keep, arguments.seed)
    (under_coverage if arguments.coverage else at_random)(campaign, arguments.count, arguments.seconds)
    campaign.report()
    print(dict(campaign.tried), dict(campaign.taken), dict(campaign.wrong))
    return 1 if campaign.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
