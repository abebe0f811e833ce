"""`python -m tests.mutation N --seed S`: N random changes of the sources; which of them does no test notice?

The changes are drawn first. One run of the tests, on a copy of the sources that says when it comes to a place that is to
be changed, tells which tests reach which change; then each is shown to these, the quickest first, until one fails. What
was found is kept in `build/mutation/S`, outside of git: a second call goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.mutation.changes import changes
from tests.mutation.watch import LOG

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
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
SECONDS = 40
"""How long the tests of a change may take when nothing is changed; its process has three times as much processor time."""
FEW = 8
"""Where fewer tests reach a change (what is made once a process is made by whoever comes first), its room's judge too."""
READ_AS_TEXT = ("tile/kernels/",)
"""Sources that weft reads itself: nothing can be put into them."""
ROOMS = {
    "isa": ["isa", "ptx", "verifier", "mc", "conformance"],
    "triton": ["tritons"],
    "dialects": ["dialects", "codegen"],
}
"""The folders of tests of a folder of sources, where it is not the one of that name."""


class Drawn(NamedTuple):
    """A change: the number `index` of those of its file."""

    file: str
    index: int
    line: int
    what: str

    def text(self) -> str:
        """The file with it."""
        tree = ast.parse((SOURCES / self.file).read_text(encoding="utf-8"))
        changes(tree)[self.index].apply()
        return ast.unparse(tree)

    @property
    def name(self) -> str:
        """Where it is and what it does."""
        return f"src/{self.file}:{self.line}: {self.what}"


def drawn(count: int, seed: str, only: str) -> list[Drawn]:
    """So many changes of all that could be made."""
    found: list[Drawn] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if re.search(only, file):
            possible = changes(ast.parse(path.read_text(encoding="utf-8")))
            found += [Drawn(file, index, change.line, change.what) for index, change in enumerate(possible)]
    return random.Random(seed).sample(found, min(count, len(found)))


def watched(file: str, some: dict[int, int]) -> str:
    """A file that says when it comes to one of these lines, by the change's number; lines that an import runs do not."""
    tree = ast.parse((SOURCES / file).read_text(encoding="utf-8"))
    places: list[tuple[int, int, int, list[ast.stmt], ast.stmt]] = []
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in ast.walk(function):
            for _, body in ast.iter_fields(node):
                if isinstance(body, list):
                    statements = [part for part in body if isinstance(part, ast.stmt)]
                    places += [(s.end_lineno - s.lineno, s.lineno, s.end_lineno, body, s) for s in statements]  # type: ignore[operator,misc]
    for change, line in some.items():
        around = [place for place in places if place[1] <= line <= place[2]]
        if around:
            *_, body, statement = min(around, key=lambda place: place[0])
            body.insert(body.index(statement), ast.parse(f"__reached__({change})").body[0])
    import_ = ast.parse("from tests.mutation.watch import reached as __reached__").body[0]
    future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body]
    tree.body.insert(future.index(True) + 1 if True in future else 0, import_)
    return ast.unparse(ast.fix_missing_locations(tree))


def watch(some: list[Drawn], folder: Path, tests: list[str]) -> Path:
    """Run the tests on watched sources; the log says what reaches what."""
    log = folder / "reached"
    if (folder / "complete").exists():
        return log
    log.unlink(missing_ok=True)
    copy = folder / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    by_file: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for number, change in enumerate(some):
        if not any(part in change.file for part in READ_AS_TEXT):
            by_file[change.file][number] = change.line
    for file, lines in by_file.items():
        (copy / file).write_text(watched(file, lines), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", LOG: str(log), "CI": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.mutation.watch", *tests]
    subprocess.run(command, cwd=ROOT, env=environment, check=False)
    (folder / "complete").touch()
    return log


class Tests:
    """Which tests reach what, and how long each takes."""

    def __init__(self, log: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.reaching: defaultdict[int, set[str]] = defaultdict(set)
        self.imported: set[int] = set()
        for line in log.read_text(encoding="utf-8").splitlines():
            match json.loads(line):
                case [str(test), seconds, True]:
                    self.seconds[test] = seconds
                case [int(change), ""]:
                    self.imported.add(change)
                case [int(change), test]:
                    self.reaching[change].add(test)
                case _:
                    pass

    def of(self, number: int, change: Drawn) -> list[str]:
        """Those that a change is shown to: all that reach it, and of the others of its room those that say most."""
        mine = self.reaching[number]
        chosen = self._quickest(mine)
        if len(mine) < FEW or number in self.imported:
            room, stem = change.file.split("/")[1], Path(change.file).stem
            folders = tuple(f"tests/{folder}/" for folder in ROOMS.get(room, [room]))
            naming = {test for test in self.seconds if stem.strip("_") in test.partition("::")[0]}
            chosen += self._quickest(naming) + self._quickest(t for t in self.seconds if t.startswith(folders))
        return list(dict.fromkeys(chosen))

    def _quickest(self, tests: Iterable[str]) -> list[str]:
        left, found = float(SECONDS), []
        for test in sorted(tests, key=lambda test: self.seconds.get(test, 1e9)):
            left -= self.seconds.get(test, 1e9)
            if left < 0:
                break
            found.append(test)
        return found


class Killer:
    """A plug-in that writes down the first test that fails, and all that do."""

    def __init__(self, file: Path) -> None:
        self.file = file
        file.write_text("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Of a test, any part may fail."""
        if report.failed:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(report.nodeid + "\n")


def failing(copy: Path, tests: list[str], *options: str) -> list[str] | None:
    """The tests that fail on a copy of the sources, run in a child of this process: it has imported what others wrote.

    None where all pass; an empty list where they don't come to run, or to an end.
    """
    said = copy.with_name("failed")
    child = os.fork()
    if child:
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])  # A loop without an end is noticed too.
        return said.read_text(encoding="utf-8").splitlines() if status else None
    resource.setrlimit(resource.RLIMIT_CPU, (3 * SECONDS, 3 * SECONDS))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    os.environ["PYTHONPATH"] = f"{copy}{os.pathsep}{ROOT}"
    os.environ["CI"] = "1"
    sys.path[:0] = [str(copy)]
    code = 1
    try:
        code = int(pytest.main(["-q", "-p", "no:cacheprovider", *options, *tests], plugins=[Killer(said)]))
    finally:
        os._exit(code)


def judged(some: list[Drawn], folder: Path, tests: Tests) -> Iterator[tuple[Drawn, str]]:
    """Each change, and what came of it, or was kept of an earlier call.

    `noticed` (the test that did is kept, too), `SURVIVES`, `not reached` by any test, or `UNCLEAR`: the test fails by
    itself without the change, too.
    """
    kept = folder / "judged"
    known = dict(json.loads(line) for line in kept.read_text().splitlines()) if kept.exists() else {}
    copy = folder / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy)
    for module in OTHERS:
        import_module(module)
    sound: set[str] = set()
    for number, change in enumerate(some):
        if change.name not in known:
            mine = tests.of(number, change)
            target = copy / change.file
            target.write_text(change.text(), encoding="utf-8")
            failed = failing(copy, mine, "-x")
            shutil.copy2(SOURCES / change.file, target)
            killers = (failed or mine[:1]) if failed is not None else []
            if not sound.issuperset(killers) and failing(copy, killers) is not None:
                outcome = "UNCLEAR"
            else:
                sound.update(killers)
                outcome = "noticed" if killers else "SURVIVES" if mine else "not reached"
            known[change.name] = outcome
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([change.name, outcome]) + "\n")
        yield change, known[change.name]


def main() -> int:
    """Report; the exit status says whether any change survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="what the paths of the files to change have in them, as a pattern")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="the tests to ask")
    arguments = parser.parse_args()
    folder = ROOT / "build" / "mutation" / arguments.seed
    folder.mkdir(parents=True, exist_ok=True)
    some = drawn(arguments.count, arguments.seed, arguments.only)
    tests = Tests(watch(some, folder, arguments.tests))
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for change, outcome in judged(some, folder, tests):
        print(f"{outcome:11} {change.name}", flush=True)
        rooms[change.file.split("/")[1]][outcome] += 1
    for room, outcomes in sorted(rooms.items()):
        print(f"{outcomes['noticed']:4} of {outcomes.total():4} noticed in {room}")
    total = sum(rooms.values(), Counter[str]())
    print(f"{total['noticed']} of {total.total()} changes noticed")
    return 1 if total["noticed"] < total.total() else 0


if __name__ == "__main__":
    sys.exit(main())
