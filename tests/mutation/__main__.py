"""`python -m tests.mutation N --seed S`: N random changes of the sources; which of them does no test notice?

The changes are drawn first. One run of the tests, on a copy of the sources that says when it comes to a place that is to
be changed, tells which tests reach which change; then each is shown to these, the closest first, until one fails. What
was found is kept in `build/mutation/S`, outside of git: a second call goes on where the first was stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from tests.mutation.drawing import ROOT, SOURCES, drawn, of_imports, watched
from tests.mutation.judge import ALSO, FOLDER
from tests.mutation.watch import LOG


def run(folder: Path, plugin: str, tests: list[str]) -> None:
    """Run the tests on the copy of the sources."""
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{ROOT}",
        "CI": "1",  # hypothesis draws the same examples in every run
        LOG: str(folder / "reached"),
        FOLDER: str(folder),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", f"tests.mutation.{plugin}", *tests]
    subprocess.run(command, cwd=ROOT, env=environment, check=False)


def copied(folder: Path) -> Path:
    """A copy of the sources, which may be changed."""
    copy = folder / "src"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def main() -> int:
    """Report; the exit status says whether any change survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--only", default="", help="what the paths of the files to change have in them, as a pattern")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="the tests to ask")
    parser.add_argument("--again", nargs="*", help="judge those that survived again, and show all to these tests, too")
    arguments = parser.parse_args()
    folder = ROOT / "build" / "mutation" / arguments.seed
    folder.mkdir(parents=True, exist_ok=True)
    some = drawn(arguments.count, arguments.seed, arguments.only)
    (folder / "drawn").write_text(json.dumps(some), encoding="utf-8")
    if not (folder / "complete").exists():
        copy = copied(folder)
        for file, text in watched(some).items():
            (copy / file).write_text(text, encoding="utf-8")
        (folder / "reached").write_text("".join(f'[{number}, ""]\n' for number in of_imports(some)), encoding="utf-8")
        run(folder, "watch", arguments.tests)
        (folder / "complete").touch()
    copied(folder)
    if arguments.again is not None:
        os.environ[ALSO] = " ".join(arguments.again)
        kept = folder / "judged"
        kept.write_text("".join(line for line in kept.open() if json.loads(line)[1] == "noticed"))
    run(folder, "judge", arguments.tests)
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    outcomes = {name: outcome for name, outcome, _ in map(json.loads, (folder / "judged").read_text().splitlines())}
    for change in some:
        rooms[change.file.split("/")[1]][outcomes.get(change.name, "not judged")] += 1
    for room, found in sorted(rooms.items()):
        print(f"{found['noticed']:4} of {found.total():4} noticed in {room}")
    total = sum(rooms.values(), Counter[str]())
    print(f"{total['noticed']} of {total.total()} changes noticed")
    return 1 if total["noticed"] < total.total() else 0


if __name__ == "__main__":
    sys.exit(main())
