"""`python -m tests.mutation N --seed S`: N random changes of lines that tests run; which of them does no test notice?

`python -m tests.mutation --map TESTS...` first finds out which test runs which line (coverage contexts), and keeps it in
`build/mutation`, outside of git; more tests add to it.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.mutation.changes import mutated

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "build" / "mutation" / "coverage"
MOST_TESTS = 25
"""Tests that a change is shown to: those that run the fewest of the file's lines say most about one."""


def record(tests: list[str]) -> int:
    """Run tests, and keep which lines each of them runs."""
    MAP.parent.mkdir(parents=True, exist_ok=True)
    settings = MAP.with_name("coveragerc")
    settings.write_text(
        f"[run]\nsource = {ROOT / 'src' / 'weft'}\ndata_file = {MAP}\ndynamic_context = test_function\n",
        encoding="utf-8",
    )
    command = [
        sys.executable,
        "-m",
        "coverage",
        "run",
        f"--rcfile={settings}",
        "--append",
        "-m",
        "pytest",
        "-q",
        *tests,
    ]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def covered() -> dict[str, dict[int, list[str]]]:
    """For each source file, the lines that tests run, each with its tests."""
    from coverage import CoverageData

    data = CoverageData(str(MAP))
    data.read()
    found: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        lines = {line: [test for test in tests if test] for line, tests in data.contexts_by_lineno(file).items()}
        found[file] = {line: tests for line, tests in lines.items() if tests}
    return {file: lines for file, lines in found.items() if lines}


def node_of(context: str) -> str:
    """What pytest calls the test of a context (`tests.isa.test_slots.test_flags`): without its parameters."""
    parts = context.split(".")
    for end in range(len(parts), 0, -1):
        path = Path(*parts[:end]).with_suffix(".py")
        if (ROOT / path).exists():
            return "::".join([str(path), *parts[end:]])
    return ""


def survives(file: Path, text: str, tests: list[str], seconds: int) -> bool:
    """Whether all tests pass with a file of the sources replaced, in so many seconds of processor time."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / file.relative_to(ROOT / "src")).write_text(text, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)),
        )
        return done.returncode == 0  # A loop without an end is noticed too.


def tried(count: int, seed: str, only: str) -> Iterator[tuple[str, bool]]:
    """Changes, and whether each survives."""
    known, rng = covered(), random.Random(seed)
    files = sorted(file for file in known if only in file)
    while count and files:
        file = Path(rng.choice(files))
        lines = known[str(file)]
        made = mutated(file.read_text(encoding="utf-8"), set(lines), rng)
        if made is None:
            continue
        text, change = made
        weight = {test: sum(test in tests for tests in lines.values()) for test in lines[change.line]}
        tests = [node for test in sorted(weight, key=weight.__getitem__)[:MOST_TESTS] if (node := node_of(test))]
        if not tests:
            continue
        count -= 1
        yield (
            f"{file.relative_to(ROOT)}:{change.line}: {change.what} ({len(tests)} tests)",
            survives(file, text, tests, 600),
        )


def main() -> int:
    """Report; the exit status says whether any change survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="a part of the path of the files to change")
    parser.add_argument("--map", nargs="+", metavar="TESTS", help="find out which test runs which line")
    arguments = parser.parse_args()
    if arguments.map:
        return record(arguments.map)
    survivors = total = 0
    for what, alive in tried(arguments.count, arguments.seed, arguments.only):
        total, survivors = total + 1, survivors + alive
        print(f"{'SURVIVES' if alive else 'noticed '} {what}", flush=True)
    print(f"{total - survivors} of {total} changes noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
