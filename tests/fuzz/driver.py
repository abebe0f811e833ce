"""A long run: `python -m tests.fuzz.driver --count 1000000 --seed 1 FILES...`.

Changes the built-in modules and the small ones among FILES at random and does everything with them; inputs that go
wrong are kept in a folder.  Memory is bounded by a limit on the process (a MemoryError is a finding).
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from pathlib import Path

from tests.fuzz.judge import TIME_LIMIT, check, seeds, time_limit
from tests.fuzz.mutate import mutated

LARGEST_SEED = 6_000  # bytes
MEMORY = 4 << 30


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-findings"), help="folder for inputs that go wrong")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    texts = seeds() + [path.read_bytes() for path in arguments.files if path.stat().st_size <= LARGEST_SEED]
    chance = random.Random(arguments.seed)
    modules, kinds, slowest = 0, dict[str, int](), 0.0
    start = time.monotonic()
    for number in range(1, arguments.count + 1):
        data = mutated(chance.choice(texts), texts, chance)
        began = time.monotonic()
        try:
            with time_limit(TIME_LIMIT):
                modules += check(data)
        except Exception as error:
            where = error.__traceback__
            while where is not None and where.tb_next is not None:
                where = where.tb_next
            line = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else ""
            kind = f"{type(error).__name__} {line}"
            kinds[kind] = kinds.get(kind, 0) + 1
            if kinds[kind] <= 5:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{arguments.seed}-{number}.ptx").write_bytes(data)
                print(f"input {number}: {kind}: {str(error)[:200]}", flush=True)
        slowest = max(slowest, time.monotonic() - began)
        if number % 50_000 == 0 or number == arguments.count:
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            print(
                f"{number} inputs, {modules} of them modules, {sum(kinds.values())} went wrong; "
                f"{time.monotonic() - start:.0f} s, slowest {slowest:.2f} s, at most {used} MB",
                flush=True,
            )
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
