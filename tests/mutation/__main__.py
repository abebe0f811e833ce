"""`python -m tests.mutation N --seed S`: N random changes of lines that tests run; which of them does no test notice?

`python -m tests.mutation --map TESTS...` first finds out which test runs which line (coverage contexts), and keeps it in
`build/mutation`, outside of git; more tests add to it.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest

from tests.mutation.changes import mutated

ROOT = Path(__file__).resolve().parents[2]
MAP = ROOT / "build" / "mutation" / "coverage"
COPY = ROOT / "build" / "mutation" / "src"
"""The sources that are changed; what Python compiled of the others stays from change to change."""
FIRST_TESTS, MOST_TESTS = 5, 25
"""Tests that a change is shown to: by turns those that run the fewest of the file's lines, and the most."""
OTHERS = [
    "numpy",
    "ml_dtypes",
    "hypothesis",
    "click",
    "rich.console",
    "pygments",
    "xdsl.ir",
    "xdsl.irdl",
    "xdsl.dialects.builtin",
]
"""What most tests import that is not ours: imported once."""
SECONDS = 120
"""Processor time that they have."""


def record(tests: list[str], only: str, most: int, seed: str) -> int:
    """Run tests, and keep which lines each of them runs, of all files or so many at random: lines cost time."""
    MAP.parent.mkdir(parents=True, exist_ok=True)
    files = sorted(str(file) for file in (ROOT / "src" / "weft").rglob("*.py") if re.search(only, str(file)))
    chosen = "\n  ".join(sorted(random.Random(seed).sample(files, min(most or len(files), len(files)))))
    settings = MAP.with_name("coveragerc")
    settings.write_text(
        f"[run]\ninclude =\n  {chosen}\ndata_file = {MAP}\ndynamic_context = test_function\n", encoding="utf-8"
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


def survives(file: Path, text: str, tests: list[str]) -> bool:
    """Whether all tests pass with a file of the sources replaced: first those that say most, then the others."""
    copy = COPY / file.relative_to(ROOT / "src")
    copy.write_text(text, encoding="utf-8")
    try:
        return all(passes(part) for part in (tests[:FIRST_TESTS], tests[FIRST_TESTS:]) if part)
    finally:
        shutil.copy2(file, copy)


def passes(tests: list[str]) -> bool:
    """Whether tests pass on the copy of the sources, in a child of this process: it has imported what others wrote."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0  # A loop without an end is noticed too.
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.environ["PYTHONPATH"] = f"{COPY}{os.pathsep}{ROOT}"
    sys.path[:0] = [str(COPY)]
    code = 1
    try:
        code = int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]))
    finally:
        os._exit(code)


def tried(count: int, seed: str, only: str) -> Iterator[tuple[str, bool]]:
    """Changes, and whether each survives."""
    known, rng = covered(), random.Random(seed)
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT / "src", COPY)
    for module in OTHERS:
        import_module(module)
    files = sorted(file for file in known if re.search(only, file))
    while count and files:
        file = Path(rng.choice(files))
        lines = known[str(file)]
        made = mutated(file.read_text(encoding="utf-8"), set(lines), rng)
        if made is None:
            continue
        text, change = made
        weight = {test: sum(test in tests for tests in lines.values()) for test in lines[change.line]}
        ranked = sorted(weight, key=weight.__getitem__)
        both = chain.from_iterable(zip(ranked, reversed(ranked), strict=True))
        tests = list(dict.fromkeys(node for test in both if (node := node_of(test))))[:MOST_TESTS]
        if not tests:
            continue
        if change.line not in inside(file):  # It runs once, for whoever imports the file first.
            tests.append(f"tests/{file.relative_to(ROOT / 'src' / 'weft').parts[0]}")
        count -= 1
        what = f"{file.relative_to(ROOT)}:{change.line}: {change.what} ({len(tests)} tests)"
        yield what, survives(file, text, [test for test in tests if (ROOT / test.partition("::")[0]).exists()])


def inside(file: Path) -> set[int]:
    """The lines of a file's functions."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    return {line for node in functions for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def main() -> int:
    """Report; the exit status says whether any change survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="what the paths of the files to change have in them, as a pattern")
    parser.add_argument("--files", type=int, default=0, help="for how many files, at random, --map does it; 0 for all")
    parser.add_argument("--map", nargs="+", metavar="TESTS", help="find out which test runs which line")
    arguments = parser.parse_args()
    if arguments.map:
        return record(arguments.map, arguments.only, arguments.files, arguments.seed)
    survivors = total = 0
    for what, alive in tried(arguments.count, arguments.seed, arguments.only):
        total, survivors = total + 1, survivors + alive
        print(f"{'SURVIVES' if alive else 'noticed '} {what}", flush=True)
    print(f"{total - survivors} of {total} changes noticed")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
