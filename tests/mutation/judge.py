"""A plug-in for pytest (`-p tests.mutation.judge`): collects the tests once, and shows each change to those that reach it.

A change inside of a function is put into the functions that are already there, in a child of the process that has
imported and collected everything; a change of what an import runs is shown to tests in a process that has not yet.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import resource
import shutil
import signal
import subprocess
import sys
import types
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.blocks import ROOT, SOURCES
from tests.mutation.reach import Reach

FOLDER = "WEFT_MUTATION_FOLDER"
PART = "WEFT_MUTATION_PART"
"""The variable with which of the judges this is, and how many there are."""
PATIENCE = "WEFT_MUTATION_PATIENCE"
"""The variable with how much of the processor time of a change's tests it may take."""
ALSO = "WEFT_MUTATION_ALSO"
"""The beginning of the names of tests that all changes are shown to."""
LIMIT = 400
"""Processor time that a process has for them, in seconds; as much by the clock, and again for each further waiting."""
NO_END = "no end"
MADE = ("weft/isa/index.txt", "weft/mc/tables.bin")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """The cases that a sample leaves to the slow tests are shown, too."""
    session.config.option.markexpr = ""


class Judge:
    """What decides: the tests, in a process that has collected them, on a copy of the sources."""

    def __init__(self, session: pytest.Session) -> None:
        folder = Path(os.environ[FOLDER])
        self.patience = float(os.environ[PATIENCE])
        self.part, self.parts = map(int, os.environ[PART].split())
        self.copy = folder / str(self.part) / "src"
        self.kept = folder / "judged"
        self.reach: Reach = pickle.loads((folder / "reach").read_bytes())
        self.some = self.reach.some
        self.items = {item.nodeid: item for item in session.items}
        self.slow = {name for name, item in self.items.items() if item.get_closest_marker("slow") is not None}
        self.reach.add(self.slow)
        self.sound: set[str] = set()
        self.served = 0.0
        """The processor time that the server has spent, which lives on."""
        _functions(self.copy)

    def all(self) -> None:
        """Judge what was not judged before."""
        lines = self.kept.read_text().splitlines() if self.kept.exists() else []
        known = {json.loads(line)[0] for line in lines}
        for number, change in enumerate(self.some):
            if number % self.parts != self.part or change.name in known:
                continue
            before = spent() + self.served
            killer, tried = self.killer(number)
            while killer in self.items and not self._is_sound(killer):
                del self.items[killer]
                killer, tried = self.killer(number)
            outcome = self._outcome(killer, tried)
            took = spent() + self.served - before
            line = f"{outcome:20} {change.name} ({tried} tests, {took:.0f} s) {killer}"
            print(line, file=sys.__stderr__, flush=True)
            with self.kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([change.name, outcome, killer]) + "\n")

    def _is_sound(self, test: str) -> bool:
        """Whether it passes where nothing is changed: what looks at other files than the copy may not."""
        if test not in self.sound and _forked(self.copy, "", [self.items[test]], LIMIT):
            return False
        self.sound.add(test)
        return True

    def _outcome(self, killer: str, tried: int) -> str:
        if not killer:
            return "SURVIVES" if tried else "not reached"
        return "noticed when slow" if killer in self.slow else "noticed"

    def killer(self, number: int) -> tuple[str, int]:
        """The test that notices a change, and how many it was shown to."""
        change = self.some[number]
        first, *others = [
            [test for test in tests if test in self.items] for tests in self.reach.of(number, self.patience)
        ]
        if os.environ.get(ALSO):
            first = [test for test in self.items if test.startswith(tuple(os.environ[ALSO].split()))] + first
        (self.copy / change.file).write_text(change.text(), encoding="utf-8")
        alone = self.reach.alone(number)
        there = [path for path in (self.copy / file for file in MADE) if path.exists()]
        made = [(path, path.read_bytes(), path.stat()) for path in there]
        try:
            killer = ""
            further = [test for other in others for test in other]
            for tests in (first, further):
                seconds = self.reach.time(tests)
                if not killer and not alone:
                    killer = _forked(self.copy, change.file, [self.items[test] for test in tests], seconds)
                if not killer and (alone or number in self.reach.imported):
                    killer, took = _by_itself(self.copy, tests, seconds)
                    self.served += took
            return killer, len(first) + sum(map(len, others))
        finally:
            shutil.copy2(SOURCES / change.file, self.copy / change.file)
            for cached in (self.copy / change.file).parent.glob(f"__pycache__/{Path(change.file).stem}.*"):
                cached.unlink()
            for path, data, status in made:
                path.write_bytes(data)
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def pytest_runtestloop(session: pytest.Session) -> bool:
    """In place of running the tests."""
    Judge(session).all()
    return True


def bounded() -> None:
    """A loop without an end, and waiting without one, are noticed."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    signal.alarm(4 * LIMIT)


def quiet() -> None:
    """What tests print is not read."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def spent() -> float:
    """The processor time of this process and its children."""
    return sum(os.times()[:4])


def _forked(copy: Path, file: str, items: list[pytest.Item], seconds: float) -> str:
    """The first test that fails in a child of this process with a file's functions replaced; none: all pass that there was
    time for.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with os.fdopen(reading) as said:
            return (said.read() or NO_END) if status else ""
    status = 1
    try:
        bounded()
        quiet()
        if file:
            _replace(copy, file)
        for item, following in zip(items, [*items[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                os.write(writing, item.nodeid.encode())
                break
            if spent() > seconds:
                status = 0
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
    """Give the functions of a file that is imported already the code that stands there now.

    Those with an `assert` are known by their places: pytest has rewritten them, since weft is a plug-in of it.
    """
    new = list(_codes(compile((copy / file).read_text(encoding="utf-8"), file, "exec")))
    old = list(_codes(compile((SOURCES / file).read_text(encoding="utf-8"), file, "exec")))
    changed = dict(zip(old, new, strict=True))
    places = {_place(code): changed[code] for code in old}
    for function in _functions(copy)[str(copy / file)]:
        code = function.__code__
        function.__code__ = changed.get(code) or places.get(_place(code), code)


def _place(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


@cache
def _server(copy: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "tests.mutation.server"]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def _by_itself(copy: Path, tests: list[str], seconds: float) -> tuple[str, float]:
    """The same in a process that has imported nothing of the sources, and what it took."""
    if not tests:
        return "", 0.0
    server = _server(copy)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps([tests, seconds]) + "\n")
    server.stdin.flush()
    killer, took = json.loads(server.stdout.readline())
    return str(killer), float(took)
