"""Which tests are shown a change, and in which order."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b85decode
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.mutation.blocks import READ_AS_TEXT, ROOT, SOURCES, Block
from tests.mutation.drawing import Drawn, defined, users
from tests.mutation.limit import SECONDS

READERS = "tests/test_words.py"
"""The tests of the texts in the sources, which run none of these: they are shown each changed text first."""
FEW = 8
"""Where fewer tests reach a change (what is made once a process is made by whoever comes first), its room's judge too."""
BUDGET = {"telling": 10.0, "naming": 20.0, "room": 8.0, "others": 4.0}
"""Processor time of the tests that a change is shown to first: whose text has what is changed, whose file names the changed
one or its folder, of its room, and others."""
WHOLE = 60.0
"""And of all the others that reach it."""
SLOW = 40.0
"""And of the slow ones, which `make test` leaves out."""
AROUND = 20.0
"""And, where these are few, or an import runs the change, of its room."""
ALWAYS = 3
"""How many tests are shown a change whatever they take."""
SLOWER = 2.0
"""How much longer tests may take where nothing was made before."""
ROOMS = {
    "isa": ["isa", "ptx", "verifier", "mc", "conformance"],
    "triton": ["tritons"],
    "cli": ["cli", "view"],
    "dialects": ["dialects", "codegen"],
    "mlir": ["dialects", "transforms"],
    "report": ["cli", "verifier"],
}
"""The folders of tests of a folder of sources, where it is not the one of that name."""
MOST_TELLING = 6
"""What more files of tests have says nothing."""
MOST_TOLD = 3
"""How many turns before others a case may come whose name has words of the changed line."""


def test_of(name: str) -> str:
    """The test that a case is one of."""
    return name.partition("[")[0]


def _words(change: Drawn) -> set[str]:
    """The words of a changed line, and of what it is changed in, that names of cases could have."""
    lines = (SOURCES / change.file).read_text(encoding="utf-8").splitlines()
    return set(re.findall(r"[A-Za-z][A-Za-z0-9]{2,}", lines[change.line - 1] + change.what)) - {"True", "False", "None"}


@cache
def _texts() -> dict[str, str]:
    """The test files, by the beginnings of the names of their tests."""
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted((ROOT / "tests").rglob("test_*.py"))}


def _telling(change: Drawn) -> set[str]:
    """The tests that have the changed text, or what an import makes of it, in theirs; their files', where none has."""
    words = re.findall(r"^'([\w.:-]{4,})' -> ", change.what) + re.findall(r": ([\w.:-]{4,})x$", change.what)
    words += [name.lstrip("_") for name in defined(change.file, change.line)]
    found: set[str] = set()
    for word in words:
        whole = re.compile(rf"(?<![\w.]){re.escape(word)}(?![\w])")
        files = {file: text for file, text in _texts().items() if whole.search(text)}
        for file, text in files.items() if len(files) <= MOST_TELLING else ():
            tests = [part for part in re.split(r"(?m)^(?=(?:async )?def |@)", text) if whole.search(part)]
            names = re.findall(r"(?m)^(?:async )?def (test_\w+)", "\n".join(tests))
            found |= {f"{file}::{name}" for name in names} if len(names) == len(tests) else {file}
    return found


def _places(blocks: list[Block], numbers: dict[str, int], some: list[Drawn]) -> tuple[list[set[int]], set[int]]:
    """The numbers of the blocks of each change, those of its users where an import runs it; and which are such."""
    of_file: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    of_function: dict[tuple[str, int], int] = {}
    for file, first, last, function, name in blocks:
        of_file[file].append((first, last, numbers[name]))
        of_function[file, function] = numbers[name]
    found: list[set[int]] = []
    imported: set[int] = set()
    for number, change in enumerate(some):
        around = [(last - first, n) for first, last, n in of_file[change.file] if first <= change.line <= last]
        if around:
            found.append({min(around)[1]})
        else:
            imported.add(number)
            named = users(change.file, change.line)
            found.append({of_function[place] for place in named if place in of_function})
    return found, imported


class Reach:
    """Which tests reach what, and how long each takes."""

    def __init__(
        self, log: Path, blocks: list[Block], names: dict[str, list[str]], numbers: dict[str, int], some: list[Drawn]
    ) -> None:
        self.some = some
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        """Those that fail in the watched sources: perhaps without any change, perhaps because of the marks."""
        self.reaching: defaultdict[int, set[str]] = defaultdict(set)
        self.size: Counter[str] = Counter()
        """How much a test runs: what runs little says more about it."""
        self.slow: dict[str, list[str]] = defaultdict(list)
        """Of each test, its slow cases."""
        places, self.outside = _places(blocks, numbers, some)
        own = [names[change.file][change.place] if change.file in names else "" for change in some]
        told = [{numbers[name]} if name else place for name, place in zip(own, places, strict=True)]
        """The marks of which one says that a change gave another value, or may have."""
        """Those that stand outside of functions."""
        self.imported = set(self.outside)
        """Those, and those of functions that an import or the collection of the tests calls."""
        for line in log.open(encoding="utf-8"):
            test, data, seconds, passed = json.loads(line)
            ran = zlib.decompress(b85decode(data)).ljust(len(numbers), b"\0")  # What came later did not run.
            if not test:
                here = {number for number, place in enumerate(places) if any(ran[n] for n in place)}
                self.imported |= {n for n in here if len(places[n]) == 1}
                continue
            for number in (number for number, place in enumerate(told) if any(ran[n] for n in place)):
                self.reaching[number].add(test)
            if seconds >= 0:
                self.seconds[test] = seconds
                self.size[test] = ran.count(1)
                self.failed -= {test}
                self.failed |= set() if passed else {test}

    def add(self, slow: Iterable[str]) -> None:
        """Learn of slow cases of known tests, which take as long as the ones that were run."""
        longest: defaultdict[str, float] = defaultdict(float)
        for name, seconds in self.seconds.items():
            longest[test_of(name)] = max(longest[test_of(name)], seconds)
        for name in slow:
            if test_of(name) in longest:
                self.seconds.setdefault(name, longest[test_of(name)])
                self.slow[test_of(name)].append(name)

    def _is_read(self, number: int) -> bool:
        """Whether the change is in a source that weft reads itself, so that nothing is known of who runs it."""
        return any(part in self.some[number].file for part in READ_AS_TEXT)

    def alone(self, number: int) -> bool:
        """Whether functions that are there already can't show the change: an import runs it, or it is read as text."""
        return self._is_read(number) or number in self.outside

    def of(self, number: int, patience: float) -> Iterator[list[str]]:
        """Three lists of those that a change is shown to: the closest of them first, all others, and the slow ones; so much
        of what they may take.
        """
        change = self.some[number]
        slow = {name for names in self.slow.values() for name in names}
        known = self.seconds.keys() - slow - self.failed
        mine = self.reaching[number] & known
        room, *parts = change.file.removeprefix("weft/").removesuffix(".py").split("/")
        parts = [part.strip("_") for part in parts or [room]]
        folders = tuple(f"tests/{folder}/" for folder in ROOMS.get(room, [room]))
        naming = {test for test in known if any(part in Path(test.partition("::")[0]).stem for part in parts)}
        near = {test for test in known if test.startswith(folders)}
        if self._is_read(number):  # `attention_wgmma` is what `test_kernels_attention` is about.
            kind = parts[-1].partition("_")[0]
            mine = {test for test in naming if kind in Path(test.partition("::")[0]).stem} or naming
        words = _words(change)
        told = tuple(_telling(change))
        telling = {test for test in known if test_of(test) in told or test.partition("::")[0] in told}
        if number not in self.imported:
            telling &= mine
        groups = {"telling": telling, "naming": naming & mine, "room": near & mine, "others": mine}
        first = sorted(test for test in known if test.startswith(READERS) and change.is_text)
        first += [
            test
            for group, tests in groups.items()
            for test in self._closest(tests, BUDGET[group] * (1 if group == "telling" else patience), words)
        ]
        yield list(dict.fromkeys(first))
        rest = self._closest(mine - set(first), WHOLE * patience, words)
        if len(mine) < FEW or number in self.imported:
            rest += self._closest((naming | near) - mine, AROUND * patience, words)
        yield rest
        cases = {case for test in {test_of(name) for name in [*first, *rest]} for case in self.slow[test]}
        yield self._closest(cases, SLOW * patience, words)

    def _closest(self, tests: Iterable[str], seconds: float, words: set[str]) -> list[str]:
        """Of a group: one case of each test and then the next; those first that reach little else and are quick, and of a
        test those whose name has words of the changed line. A few always, whatever they take.
        """
        turns: Counter[str] = Counter()
        order: list[tuple[int, float, str]] = []
        told = {test: sum(word in test.partition("[")[2] for word in words) for test in tests}
        for test in sorted(told, key=lambda test: (-told[test], self._price(test), test)):
            order.append((max(0, turns[test_of(test)] - min(told[test], MOST_TOLD)), self._price(test), test))
            turns[test_of(test)] += 1
        found: list[str] = []
        for *_, test in sorted(order):
            if self.seconds[test] <= (min(seconds, SECONDS) if len(found) >= ALWAYS else SECONDS):
                seconds -= self.seconds[test]
                found.append(test)
        return found

    def time(self, tests: Iterable[str]) -> float:
        """What these take together where nothing was made before: a process stops when it has spent this."""
        return 2.0 + SLOWER * sum(self.seconds.get(test, 1.0) for test in tests)

    def _price(self, test: str) -> float:
        return (self.seconds[test] + 0.02) * (100 + self.size[test])
