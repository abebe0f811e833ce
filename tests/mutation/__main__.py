"""`python -m tests.mutation N --seed S`: N random changes of the sources; which of them does no test notice?

One run of the tests, on a copy of the sources whose blocks are marked, tells which tests run which block; it is kept for
all draws in `build/mutation/reached`, outside of git, until the sources change. Then each change is shown to the tests
that reach it, the closest first, until one fails. What was found is kept in `build/mutation/S`: a second call goes on
where the first was stopped.
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
from collections import Counter, defaultdict
from pathlib import Path

from tests.mutation.blocks import ROOT, SOURCES, Block, blocks, watched
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


def reached(jobs: int) -> Path:
    """The log of what the tests reach, of the sources as they are: test files that changed since are run again."""
    sources = hashlib.sha256()
    for path in sorted(SOURCES.rglob("*.py")):
        sources.update(path.read_bytes())
    folder = BUILD / "reached" / sources.hexdigest()[:12]
    known = folder / "tests"
    before = json.loads(known.read_text()) if known.exists() else {}
    now = {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
    }
    new = [file for file, digest in now.items() if before.get(file) != digest]
    if new:
        copy = copied(folder)
        (folder / "blocks").write_text(json.dumps(blocks()))
        count = str(len(blocks()))
        for file, text in watched().items():
            (copy / file).write_text(text, encoding="utf-8")
        environment = around(copy, **{LOG: str(folder / "log"), COUNT: count})
        run = [*command("watch", new), "-n", str(jobs)]
        subprocess.run(run, cwd=ROOT, env=environment, check=False)
        known.write_text(json.dumps(now))
    return folder / "log"


def blocks_of(folder: Path) -> list[Block]:
    """Those that the log in a folder tells of."""
    return [Block(*each) for each in json.loads((folder / "blocks").read_text())]


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
    log = reached(arguments.jobs)
    (folder / "reach").write_bytes(pickle.dumps(Reach(log, blocks_of(log.parent), some)))
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
