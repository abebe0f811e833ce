"""`python -m tests.mutation.differences`: the changes of the sources that make no difference in any run of the quick tests.

A change can be noticed only where its block runs and where what it changes gets another value: `a < b` and `a <= b` are the
same for all tests in which `a` never is `b`. One run of the tests, on sources that compute both, tells it of every change, of
which `python -m tests.mutation` can try but some. That a value differs does not mean that a test compares it.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import zlib
from base64 import b85decode
from collections import Counter, defaultdict
from collections.abc import Iterator

from tests.mutation.__main__ import BUILD, around, command, copied, reached
from tests.mutation.blocks import READ_AS_TEXT, ROOT, SOURCES, names_in
from tests.mutation.compared import MARKS
from tests.mutation.comparing import Compared

FOLDER = BUILD / "differences"
KEPT = FOLDER / "kept"
"""The names of the changes that made a difference."""


def _files(only: str) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if re.search(only, file) and not any(part in file for part in READ_AS_TEXT):
            yield file, ast.parse(path.read_text(encoding="utf-8"))


def compared(only: str, tests: list[str], jobs: int) -> None:
    """Run the tests, and keep the names of the changes that made a difference."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    copy = copied(FOLDER)
    found: list[str] = []
    for file, tree in _files(only):
        one = Compared(tree)
        (copy / file).write_text(one.text(range(len(found), len(found) + len(one.told))), encoding="utf-8")
        found += names_in(file, one)
    marks = FOLDER / "marks"
    marks.write_bytes(bytes(len(found) or 1))
    run = [*command("limit", tests), "-n", str(jobs)] if jobs > 1 else command("limit", tests)
    subprocess.run(run, cwd=ROOT, env=around(copy, **{MARKS: str(marks)}), check=False, stdout=sys.stderr)
    shutil.rmtree(copy)
    names = {name for name, mark in zip(found, marks.read_bytes(), strict=False) if mark and name}
    KEPT.write_text("".join(f"{name}\n" for name in sorted(_kept() | names)), encoding="utf-8")


def _kept() -> set[str]:
    return set(KEPT.read_text(encoding="utf-8").splitlines()) if KEPT.exists() else set()


def _mapped() -> set[str]:
    """The names of those of which the map of all tests says so, as far as it has been made."""
    names, log = BUILD / "compared" / "names", BUILD / "compared" / "log"
    if not names.exists():
        return set()
    known = json.loads(names.read_text())
    ran = 0
    for line in log.open(encoding="utf-8"):
        ran |= int.from_bytes(zlib.decompress(b85decode(json.loads(line)[1])), "little")
    return {name for name, mark in zip(known, ran.to_bytes(len(known), "little"), strict=True) if mark}


def main() -> int:
    """List them; the exit status says whether there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.differences", description=__doc__)
    parser.add_argument("--only", default="", help="what the paths of the files have in them, as a pattern")
    parser.add_argument("--tests", nargs="*", help="run these tests first; what earlier runs told counts, too")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    arguments = parser.parse_args()
    if arguments.tests:
        compared(arguments.only, arguments.tests, arguments.jobs)
    elif arguments.tests is not None:
        reached(arguments.jobs)
    kept = _kept() | _mapped()
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for file, tree in _files(arguments.only):
        one = Compared(tree)
        for (line, what, _), name in sorted(zip(one.told, names_in(file, one), strict=True)):
            rooms[file.split("/")[1]]["outside of functions" if not name else "some" if name in kept else "none"] += 1
            if name and name not in kept:
                print(f"src/{file}:{line}: {what}")
    for room, count in sorted(rooms.items()):
        print(f"{room}: {', '.join(f'{number} {name}' for name, number in count.most_common())}", file=sys.stderr)
    return 1 if any(count["none"] for count in rooms.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
