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
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tests.fuzz.entries import ENTRIES, SCREEN, attempt, changed
from tests.fuzz.groups import SIZE, grouped
from tests.fuzz.judge import TIME_LIMIT, time_limit
from weft.errors import WeftError

LONGEST = 2000
"""Characters of an input that others are made from."""


class Campaign:
    """Inputs tried so far, and what went wrong."""

    def __init__(self, keep: Path, seed: int) -> None:
        self.keep = keep
        self.seed = seed
        self.tried: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()
        self.waiting: defaultdict[str, list[str]] = defaultdict(list)
        self.start = time.monotonic()

    def one(self, name: str, text: str) -> bool:
        """Try one input, and keep it when it goes wrong; whether it was taken."""
        self.tried[name] += 1
        try:
            taken = attempt(name, text)
            self.taken[name] += taken
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{name}: {type(error).__name__} {Path(last.filename).name}:{last.lineno}"
            self.wrong[kind] += 1
            if self.wrong[kind] <= 3:
                self.keep.mkdir(parents=True, exist_ok=True)
                path = self.keep / f"{name}-{self.seed}-{self.tried.total()}.txt"
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
                print(f"{path.name}: {kind}: {str(error)[:150]}", flush=True)
            return False
        return taken

    def join(self, name: str, text: str) -> bool:
        """Try one input in a group, once there are enough; whether it is well formed."""
        try:
            alone = SCREEN.is_list(text)
        except WeftError as error:
            str(error)
            self.tried[name] += 1
            return False
        except Exception:
            alone = False
        if not alone:
            return self.one(name, text)
        waiting = self.waiting[name]
        waiting.append(text)
        if len(waiting) >= SIZE:
            self.flush(name)
        return True

    def flush(self, name: str) -> None:
        """Try the inputs that wait for a group; when it goes wrong, each alone, and all when none does."""
        texts = self.waiting.pop(name, [])
        try:
            taken = attempt(name, grouped(texts))
        except Exception:
            before = self.wrong.total()
            for text in texts:
                self.one(name, text)
            if self.wrong.total() == before:
                self.one(name, grouped(texts))
            return
        if taken:
            self.tried[name] += len(texts)
            self.taken[name] += len(texts)
            return
        for text in texts:
            self.one(name, text)

    def report(self) -> None:
        """One line: how many inputs, how many taken, how many wrong, in how long."""
        seconds = time.monotonic() - self.start
        total, good = self.tried.total(), self.taken.total()
        used = time.process_time()
        print(
            f"{total} inputs, {good} taken, {self.wrong.total()} went wrong; {seconds:.0f} s, {used:.0f} of processor",
            flush=True,
        )


def at_random(campaign: Campaign, count: int, seconds: float) -> None:
    """Change seeds, and what was taken of the changed, at random."""
    chance = random.Random(campaign.seed)
    names = list(ENTRIES)
    weights = [ENTRIES[name].weight for name in names]
    seeds = {name: list(ENTRIES[name].seeds()) for name in names}
    first = {name: len(found) for name, found in seeds.items()}
    done = 0
    while done < count and time.monotonic() - campaign.start < seconds:
        with time_limit(100 * TIME_LIMIT):
            for name in chance.choices(names, weights, k=10_000):
                pool = seeds[name]
                text = changed(chance.choice(pool), pool, chance)
                taken = campaign.join(name, text) if ENTRIES[name].grouped else campaign.one(name, text)
                if taken and len(text) < LONGEST:
                    if len(pool) < 2 * first[name]:
                        pool.append(text)
                    else:
                        pool[chance.randrange(first[name], len(pool))] = text
        done += 10_000
        if done % 100_000 == 0:
            campaign.report()
    for name in names:
        campaign.flush(name)


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
