"""`python -m tests.mutation N --seed S`: N random changes of the sources; which of them does no test notice?

One run of the tests, on a copy of the sources that computes each operator beside its change, tells in which tests which
changes give another value; it is kept for all draws in `build/mutation/compared`, outside of git; of tests and functions that
change, it is made again. Then each change is shown to these tests, the closest first, until one fails. What was found is kept
in `build/mutation/S`: a second call goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
import zlib
from base64 import b85decode
from collections import Counter, defaultdict
from pathlib import Path

from tests.mutation.blocks import ROOT, SOURCES, blocks, names_of_changes, watched
from tests.mutation.drawing import drawn
from tests.mutation.judge import ALSO, FOLDER, PART, PATIENCE
from tests.mutation.probes import COUNT, LOG
from tests.mutation.reach import Reach

BUILD = ROOT / "build" / "mutation"


def command(plugin: str, tests: list[str]) -> list[str]:
    """Of a run of the tests."""
    plugins = ["no:cacheprovider", "tests.mutation.limit", f"tests.mutation.{plugin}"]
    return [sys.executable, "-m", "pytest", "-q", *(word for each in plugins for word in ("-p", each)), *tests]


def around(copy: Path, **variables: str) -> dict[str, str]:
    """The environment of a run of the tests on a copy of the sources: hypothesis draws the same examples in every run."""
    return {**os.environ, "PYTHONPATH": f"{copy}{os.pathsep}{ROOT}", "CI": "1", **variables}


def copied(folder: Path) -> Path:
    """A copy of the sources, which may be changed."""
    copy = folder / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def _digests() -> dict[str, str]:
    """What the files of the tests are."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return {path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _without_old(log: Path, names: list[str], changed: set[str]) -> set[str]:
    """Take out of a log what changed files of tests reached, and those with a test that reached a block whose function has
    another text now. These files.
    """
    current = {block.name for block in blocks()}
    gone = [number for number, name in enumerate(names) if name not in current]
    lines = [(line, json.loads(line)) for line in log.open(encoding="utf-8")] if log.exists() else []
    for _, (test, data, *_) in lines:
        ran = zlib.decompress(b85decode(data)) if test else b""
        if any(ran[number] for number in gone if number < len(ran)):
            changed.add(test.partition("::")[0])
    log.write_text("".join(line for line, (test, *_) in lines if test.partition("::")[0] not in changed))
    return changed


def reached(jobs: int) -> tuple[Path, dict[str, int]]:
    """The log of what the tests reach, and the numbers of blocks and changes in it, by their names. Run again are the files of tests that
    changed since, and those with a test that runs a function that did; a change of what an import runs changes no map.
    """
    folder = BUILD / "compared"
    folder.mkdir(exist_ok=True)
    log, known, named = folder / "log", folder / "tests", folder / "names"
    names: list[str] = json.loads(named.read_text()) if named.exists() else []
    before, now = json.loads(known.read_text()) if known.exists() else {}, _digests()
    new = _without_old(log, names, {file for file, digest in now.items() if before.get(file) != digest}) & now.keys()
    numbers = {name: number for number, name in enumerate(names)}
    for name in [block.name for block in blocks()] + [name for names in names_of_changes().values() for name in names]:
        numbers.setdefault(name, len(numbers))
    if new:
        copy = copied(folder)
        for file, text in watched(numbers).items():
            (copy / file).write_text(text, encoding="utf-8")
        environment = around(copy, **{LOG: str(log), COUNT: str(len(numbers))})
        run = [*command("watch", sorted(new)), "-n", str(jobs)]
        subprocess.run(run, cwd=ROOT, env=environment, check=False)
        shutil.rmtree(copy)
    named.write_text(json.dumps([*numbers]))
    known.write_text(json.dumps(now))
    return log, numbers


def judged(folder: Path, jobs: int, patience: float, tests: list[str]) -> None:
    """So many judges side by side, each with a copy of the sources of its own."""
    processes: list[subprocess.Popen[bytes]] = []
    for part in range(jobs):
        said = {FOLDER: str(folder), PART: f"{part} {jobs}", PATIENCE: str(patience)}
        environment = around(copied(folder / str(part)), **said)
        run = command("judge", tests)
        processes.append(subprocess.Popen(run, cwd=ROOT, env=environment, stdout=(folder / f"said{part}").open("wb")))
    for process in processes:
        process.wait()


def main() -> int:
    """Report; the exit status says whether any change survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="what the paths of the files to change have in them, as a pattern")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="the tests to ask")
    parser.add_argument("--again", nargs="*", help="judge those that survived again, and show all to these tests, too")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    parser.add_argument("--patience", type=float, default=1.0, help="how much of the time a change's tests may take")
    arguments = parser.parse_args()
    folder = BUILD / arguments.seed
    folder.mkdir(parents=True, exist_ok=True)
    some = drawn(arguments.count, arguments.seed, arguments.only, BUILD / "changes")
    (folder / "drawn").write_text(json.dumps(some), encoding="utf-8")
    log, numbers = reached(arguments.jobs)
    (folder / "reach").write_bytes(pickle.dumps(Reach(log, blocks(), names_of_changes(), numbers, some)))
    kept = folder / "judged"
    if arguments.again is not None:
        os.environ[ALSO] = " ".join(arguments.again)
        kept.write_text("".join(line for line in kept.open() if json.loads(line)[1] == "noticed"))
    judged(folder, arguments.jobs, arguments.patience, arguments.tests)
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    outcomes = {name: outcome for name, outcome, _ in map(json.loads, kept.read_text().splitlines())}
    for change in some:
        rooms[change.file.split("/")[1]][outcomes.get(change.name, "not judged")] += 1
    for room, found in sorted(rooms.items()):
        print(f"{found['noticed']:4} of {found.total():4} noticed in {room}")
    total = sum(rooms.values(), Counter[str]())
    print(", ".join(f"{number} {outcome}" for outcome, number in total.most_common()))
    return 1 if total["noticed"] < total.total() else 0


if __name__ == "__main__":
    sys.exit(main())
