"""The telling ones of the stored cases, which every run of the tests tries; the slow tests try the others.

Together they run each block of `dialects` and `mlir`, bring out each message, and tell each operator from its change
(`tests.mutation.differences`), that any stored case does. `telling.txt` names them by digests of their texts;
`python -m tests.dialects.telling` adds what is missing.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.dialects import oracle
from tests.mutation import probes
from tests.mutation.blocks import ROOT, SOURCES, blocks, names_of_changes, watched

FILE = Path(__file__).parent / "telling.txt"
TIMES = 1
_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|![\w.]+\S*|\b\w+<\S*|\d+")


def name_of(path: Path) -> str:
    """A file of cases, as `telling.txt` names it."""
    return f"{path.parent.name}/{path.stem}"


def digest(case: oracle.Case) -> str:
    """What stands for a case."""
    return f"{crc32(case.text.encode()) & 0xFFFF:04x}"


@cache
def known() -> dict[str, set[str]]:
    """The telling cases of each file."""
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return {name: {*digests} for name, *digests in lines}


def is_telling(path: Path, case: oracle.Case) -> bool:
    """Whether a case is one of them."""
    return digest(case) in known().get(name_of(path), ())


def chosen(
    given: list[tuple[tuple[str, str], set[Hashable]]], times: int, kept: Callable[[tuple[str, str]], bool]
) -> Iterable[tuple[str, str]]:
    """As few as it takes for all that there is, so many times, beside those that are kept: always one that has most of
    what is missing.
    """
    left: Counter[Hashable] = Counter()
    for _, parts in given:
        left.update(part for part in parts if left[part] < times)
    for name, parts in given:
        if kept(name):
            left.subtract(parts)
            yield name
    queue = [(-len(parts), place) for place, (_, parts) in enumerate(given)]
    heapify(queue)
    while queue:
        before, place = heappop(queue)
        name, parts = given[place]
        missing = [part for part in parts if left[part] > 0]
        if len(missing) < -before:
            if missing:
                heappush(queue, (-len(missing), place))
            continue
        left.subtract(missing)
        yield name


Found = list[tuple[tuple[str, str], set[Hashable]]]


def _run(marks: Any) -> None:
    """In sources that mark what they run or compare: what each case that comes out as mlir-opt's marks and says."""
    found: Found = []
    for path in oracle.STORED_FILES:
        for case, theirs in zip(oracle.cases(path), oracle.stored(path), strict=True):
            marks[:] = bytes(len(marks))
            (mine,) = oracle.ours([case], allow_unregistered=bool(oracle.options(path)))
            if mine == theirs:
                parts: set[Hashable] = {place for place, mark in enumerate(bytes(marks)) if mark}
                message = re.match(r"\d+:\d+: (.*)", mine)
                found.append(
                    ((name_of(path), digest(case)), parts | ({_NAMES.sub("_", message[1])} if message else set()))
                )
    sys.stdout.buffer.write(pickle.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # The marks are of no test.


def _found() -> Found:
    """The same, of a copy of the sources."""
    names = [block.name for block in blocks()] + [
        name for those in names_of_changes().values() for name in those if name
    ]
    copy = ROOT / "build" / "telling" / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for file, text in watched({name: number for number, name in enumerate(names)}).items():
        if file.startswith(("weft/dialects", "weft/mlir")):
            (copy / file).write_text(text, encoding="utf-8")
    variables = {probes.COUNT: str(len(names)), probes.LOG: str(ROOT / "build" / "telling.log")}
    around = {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", **variables}
    command = [sys.executable, "-m", "tests.dialects.telling", "run"]
    return pickle.loads(subprocess.run(command, cwd=ROOT, env=around, stdout=subprocess.PIPE, check=True).stdout)


def main() -> None:
    """Choose."""
    names: dict[str, list[str]] = {}
    for name, one in chosen(_found(), TIMES, lambda name: name[1] in known().get(name[0], ())):
        names.setdefault(name, []).append(one)
    lines = [" ".join([name, *sorted(digests)]) for name, digests in sorted(names.items())]
    FILE.write_text("# Written by `python -m tests.dialects.telling`.\n" + "\n".join(lines) + "\n")
    print(sum(map(len, names.values())), "of", sum(len(oracle.cases(path)) for path in oracle.STORED_FILES))


if __name__ == "__main__":
    _run(probes.probes) if sys.argv[1:] else main()
