"""A plug-in for pytest (`-p tests.mutation.judge`): collects the tests once, and shows each change to those that reach it.

A change inside of a function is put into the functions that are already there, in a child of the process that has
imported and collected everything; a change of what an import runs is shown to tests in a process of their own.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import types
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.drawing import READ_AS_TEXT, ROOT, SOURCES, Drawn
from tests.mutation.watch import KILLER, LOG, SECONDS

FOLDER = "WEFT_MUTATION_FOLDER"
ALSO = "WEFT_MUTATION_ALSO"
"""The beginning of the names of tests that all changes are shown to: new ones, of which nobody knows what they reach."""
LIMIT = 60
"""Processor time that a process has for them, in seconds; ten times as much by the clock."""
FEW = 8
"""Where fewer tests reach a change (what is made once a process is made by whoever comes first), its room's judge too."""
BUDGET = {"naming": 20.0, "room": 8.0, "others": 4.0}
"""Processor time of the tests that a change is shown to: whose file names the changed one or its folder, of its
room, and others."""
NO_END = "no end"
ROOMS = {
    "isa": ["isa", "ptx", "verifier", "mc", "conformance"],
    "triton": ["tritons"],
    "dialects": ["dialects", "codegen"],
    "mlir": ["dialects", "transforms"],
    "report": ["cli", "verifier"],
}
"""The folders of tests of a folder of sources, where it is not the one of that name."""


MOST_TOLD = 3
"""How many turns before others such a case may come."""


def _words(change: Drawn) -> set[str]:
    """The words of a changed line, and of what it is changed in, that names of cases could have."""
    lines = (SOURCES / change.file).read_text(encoding="utf-8").splitlines()
    return set(re.findall(r"[A-Za-z][A-Za-z0-9]{2,}", lines[change.line - 1] + change.what)) - {"True", "False", "None"}


def _test(name: str) -> str:
    """The test that a case is one of."""
    return name.partition("[")[0]


class Tests:
    """Which tests reach what, and how long each takes."""

    def __init__(self, log: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.reaching: defaultdict[int, set[str]] = defaultdict(set)
        self.imported: set[int] = set()
        self.cases: defaultdict[str, list[str]] = defaultdict(list)
        """Of each test, those that were not run to see what they reach."""
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
        self.reached = Counter(test for tests in self.reaching.values() for test in {_test(name) for name in tests})
        """How many changes the cases of a test reach."""
        for change in self.reaching:
            self.reaching[change] &= self.seconds.keys()

    def add(self, items: Iterable[str]) -> None:
        """Learn of further cases, which take as long as the one that was run."""
        known = {_test(name): seconds for name, seconds in self.seconds.items()}
        for name in items:
            if name not in self.seconds and _test(name) in known:
                self.seconds[name] = known[_test(name)]
                self.cases[_test(name)].append(name)

    def of(self, number: int, change: Drawn) -> list[str]:
        """Those that a change is shown to, the closest first: of those that reach it and their further cases; where these
        are few, or an import runs it, of its room's and those that name it, too.
        """
        mine = set(self.reaching[number])
        room, *parts = change.file.removeprefix("weft/").removesuffix(".py").split("/")
        parts = [part.strip("_") for part in parts or [room]]
        folders = tuple(f"tests/{folder}/" for folder in ROOMS.get(room, [room]))
        naming = {test for test in self.seconds if any(part in Path(test.partition("::")[0]).stem for part in parts)}
        near = {test for test in self.seconds if test.startswith(folders)}
        further = {case for test in {_test(name) for name in mine} for case in self.cases[test]}
        few = len(mine) < FEW or number in self.imported
        groups = {
            "naming": naming if few else naming & (mine | further),
            "room": mine & near,
            "others": (mine | further) | (near if few else set()),
        }
        words = _words(change)
        chosen = [self._closest(tests, BUDGET[group], words) for group, tests in groups.items()]
        return list(dict.fromkeys(test for tests in chosen for test in tests))

    def _closest(self, tests: Iterable[str], seconds: float, words: set[str]) -> list[str]:
        """Of a group: one case of each test and then the next; those first that reach little else and are quick, and of a
        test those whose name has words of the changed line.
        """
        turns: Counter[str] = Counter()
        order: list[tuple[int, float, str]] = []
        told = {test: sum(word in test.partition("[")[2] for word in words) for test in tests}
        for test in sorted(told, key=lambda test: (-told[test], self._price(test), test)):
            order.append((max(0, turns[_test(test)] - min(told[test], MOST_TOLD)), self._price(test), test))
            turns[_test(test)] += 1
        found: list[str] = []
        for *_, test in sorted(order):
            if self.seconds[test] <= min(seconds, SECONDS):
                seconds -= self.seconds[test]
                found.append(test)
        return found

    def _price(self, test: str) -> float:
        return (self.seconds[test] + 0.01) * (1 + self.reached[_test(test)])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config) -> None:
    """The cases that a sample leaves to the slow tests are shown, too."""
    config.option.markexpr = ""


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Judge what was not judged before."""
    folder = Path(os.environ[FOLDER])
    copy, kept, tests = folder / "src", folder / "judged", Tests(folder / "reached")
    some = [Drawn(*each) for each in json.loads((folder / "drawn").read_text())]
    known = {json.loads(line)[0] for line in kept.read_text().splitlines()} if kept.exists() else set[str]()
    items = {item.nodeid: item for item in session.items}
    tests.add(items)
    sound: set[str] = set()
    _functions(copy)
    for number, change in enumerate(some):
        if change.name in known:
            continue
        mine = [test for test in tests.of(number, change) if test in items]
        if os.environ.get(ALSO):
            mine = [test for test in items if test.startswith(tuple(os.environ[ALSO].split()))] + mine
        (copy / change.file).write_text(change.text(), encoding="utf-8")
        by_itself = number in tests.imported or not tests.reaching[number]
        if by_itself or any(part in change.file for part in READ_AS_TEXT):
            killer = _by_itself(copy, mine)
        else:
            killer = _forked(copy, change.file, [items[test] for test in mine])
        shutil.copy2(SOURCES / change.file, copy / change.file)
        suspects = [items[killer]] if killer in items else [items[test] for test in mine] if killer == NO_END else []
        if suspects and killer not in sound and _forked(copy, "", suspects):
            outcome = "UNCLEAR"
        else:
            sound.add(killer if killer != NO_END else "")
            outcome = "noticed" if killer else "SURVIVES" if mine else "not reached"
        print(f"{outcome:11} {change.name} ({len(mine)} tests) {killer}", file=sys.__stderr__, flush=True)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps([change.name, outcome, killer]) + "\n")
    return True


def _bounded() -> None:
    """A loop without an end, and waiting without one, are noticed."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    signal.alarm(10 * LIMIT)


def _forked(copy: Path, file: str, items: list[pytest.Item]) -> str:
    """The first test that fails in a child of this process with a file's functions replaced; none: all pass."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with os.fdopen(reading) as said:
            return (said.read() or NO_END) if status else ""
    _bounded()
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    status = 1
    try:
        if file:
            _replace(copy, file)
        for item, following in zip(items, [*items[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                os.write(writing, item.nodeid.encode())
                break
        else:
            status = 0
    finally:
        os._exit(status)


def _codes(code: types.CodeType) -> Iterable[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


@cache
def _functions(copy: Path) -> Mapping[str, list[types.FunctionType]]:
    """Those of each file that are there: the parent asks once, to walk all objects takes a second."""
    found: defaultdict[str, list[types.FunctionType]] = defaultdict(list)
    gc.unfreeze()  # What is frozen is not among the objects.
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__code__.co_filename.startswith(str(copy)):
            found[each.__code__.co_filename].append(each)
    gc.freeze()
    return found


def _replace(copy: Path, file: str) -> None:
    """Give the functions of a file that is imported already the code that stands there now."""
    new = _codes(compile((copy / file).read_text(encoding="utf-8"), file, "exec"))
    old = _codes(compile((SOURCES / file).read_text(encoding="utf-8"), file, "exec"))
    changed = dict(zip(old, new, strict=True))
    for function in _functions(copy)[str(copy / file)]:
        function.__code__ = changed.get(function.__code__, function.__code__)


def _by_itself(copy: Path, tests: list[str]) -> str:
    """The same in a process of its own."""
    if not tests:
        return ""
    said = copy.with_name("failed")
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", KILLER: str(said)}
    del environment[LOG]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.mutation.watch",
        *tests,
    ]
    said.write_text("")
    done = subprocess.run(command, cwd=ROOT, env=environment, preexec_fn=_bounded, capture_output=True, check=False)
    ended = NO_END if done.returncode < 0 else "an import"
    return (said.read_text() or ended) if done.returncode else ""
