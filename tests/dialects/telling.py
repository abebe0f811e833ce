"""The telling ones of the stored cases, which every run of the tests tries; the slow tests try the others.

Together they run each block of `dialects` and `mlir`, and bring out each message, that any stored case does, twice if two
do. `python -m tests.dialects.telling` writes `telling.txt` anew, which names them by digests of their texts.
"""

from __future__ import annotations

import os
import pickle
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cache
from heapq import heapify, heappop, heappush
from pathlib import Path
from zlib import crc32

from tests.dialects import oracle

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


def chosen(given: list[tuple[tuple[str, str], set[Hashable]]], times: int) -> Iterable[tuple[str, str]]:
    """As few as it takes for all that there is, so many times: always one that has most of what is missing."""
    left: Counter[Hashable] = Counter()
    for _, parts in given:
        left.update(part for part in parts if left[part] < times)
    queue = [(-len(parts), place) for place, (_, parts) in enumerate(given)]
    heapify(queue)
    while queue:
        before, place = heappop(queue)
        name, parts = given[place]
        missing = [part for part in parts if left[part]]
        if len(missing) < -before:
            if missing:
                heappush(queue, (-len(missing), place))
            continue
        left.subtract(missing)
        yield name


def _run() -> None:
    """In the watched sources: what each case that comes out as mlir-opt's runs and says."""
    from tests.mutation import probes

    found: list[tuple[tuple[str, str], set[Hashable]]] = []
    for path in oracle.STORED_FILES:
        for case, theirs in zip(oracle.cases(path), oracle.stored(path), strict=True):
            probes.probes[:] = bytes(len(probes.probes))
            (mine,) = oracle.ours([case], allow_unregistered=bool(oracle.options(path)))
            if mine == theirs:
                parts: set[Hashable] = {place for place, ran in enumerate(bytes(probes.probes)) if ran}
                message = re.match(r"\d+:\d+: (.*)", mine)
                found.append(
                    ((name_of(path), digest(case)), parts | ({_NAMES.sub("_", message[1])} if message else set()))
                )
    sys.stdout.buffer.write(pickle.dumps(found))
    sys.stdout.flush()
    os._exit(0)  # The marks are of no test.


def main() -> None:
    """Choose."""
    from tests.mutation.blocks import ROOT, SOURCES, blocks, watched
    from tests.mutation.probes import COUNT, LOG

    copy = ROOT / "build" / "telling" / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    numbers = {block.name: number for number, block in enumerate(blocks())}
    for file, text in watched(numbers).items():
        if file.startswith(("weft/dialects", "weft/mlir")):
            (copy / file).write_text(text, encoding="utf-8")
    variables = {"PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", COUNT: str(len(numbers)), LOG: str(copy.parent / "log")}
    command = [sys.executable, "-m", "tests.dialects.telling", "run"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, stdout=subprocess.PIPE, check=True)
    names: dict[str, list[str]] = {}
    for name, one in chosen(pickle.loads(done.stdout), TIMES):
        names.setdefault(name, []).append(one)
    lines = [" ".join([name, *sorted(digests)]) for name, digests in sorted(names.items())]
    FILE.write_text("# Written by `python -m tests.dialects.telling`.\n" + "\n".join(lines) + "\n")
    print(sum(map(len, names.values())), "of", sum(len(oracle.cases(path)) for path in oracle.STORED_FILES))


if __name__ == "__main__":
    _run() if sys.argv[1:] else main()
