"""`python -m tests.replay --against GITREF`: does this tree compile everything to the same text as that commit?

What a commit made is kept in `build/replay`, outside of git, so that the next step is compared in half the time.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from tests.replay.cases import ROOT, Case, cases

KEPT = ROOT / "build" / "replay"
WORKER = Path(__file__).with_name("worker.py")

Hashes = dict[str, dict[str, str]]


def run(some: list[Case], source: Path, *options: str) -> Hashes:
    """What the weft in the folder `source` makes of cases, by the case's name and the product's."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
    lines = "".join(case.json() + "\n" for case in some)
    command = [sys.executable, str(WORKER), *options]
    done = subprocess.run(command, input=lines, text=True, stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"the compiling process ended with status {done.returncode}")
    return dict(json.loads(line) for line in done.stdout.splitlines())


def sources(reference: str, folder: Path) -> Path:
    """The `src` of a commit, unpacked."""
    archive = subprocess.run(["git", "archive", reference, "src"], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return folder / "src"


def before(reference: str, some: list[Case], folder: Path) -> Hashes:
    """What a commit makes of cases; those that it was asked before are read."""
    commit = subprocess.run(
        ["git", "rev-parse", f"{reference}^{{commit}}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    path = KEPT / f"{commit}.json"
    kept: dict[str, dict[str, str]] = json.loads(path.read_text()) if path.exists() else {}
    keys = {case.name: hashlib.blake2b(case.json().encode(), digest_size=10).hexdigest() for case in some}
    new = [case for case in some if keys[case.name] not in kept]
    if new:
        found = run(new, sources(commit, folder))
        kept.update({keys[case.name]: found[case.name] for case in new})
        KEPT.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept))
    return {case.name: kept[keys[case.name]] for case in some}


def show(differing: list[Case], reference: str, folder: Path) -> None:
    """The first lines in which cases differ."""
    old = run(differing, sources(reference, folder), "--text")
    new = run(differing, ROOT / "src", "--text")
    for case in differing:
        for what, text in new[case.name].items():
            lines = difflib.unified_diff(
                old[case.name].get(what, "").splitlines(), text.splitlines(), "before", "after", lineterm="", n=1
            )
            print(*list(lines)[:20], sep="\n")


def main() -> int:
    """Compare; the exit status says whether anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.replay", description=__doc__)
    parser.add_argument("--against", default="HEAD", metavar="GITREF", help="the commit to compare with")
    parser.add_argument("--generated", type=int, default=2000, help="how many random kernels")
    parser.add_argument("--sample", type=float, default=1.0, help="the part of the cases to try, 0.1 say")
    parser.add_argument("--only", default="", help="cases whose name has this in it")
    parser.add_argument("--show", type=int, default=3, help="how many differing cases to print")
    arguments = parser.parse_args()
    some = [case for case in cases(arguments.generated, arguments.sample) if arguments.only in case.name]
    with tempfile.TemporaryDirectory() as temporary:
        old = before(arguments.against, some, Path(temporary))
        new = run(some, ROOT / "src")
        differing = [case for case in some if old[case.name] != new[case.name]]
        for case in differing[:40]:
            products = [what for what in new[case.name] if new[case.name][what] != old[case.name].get(what)]
            print(f"{case.name}: {', '.join(products)}")
        if differing[: arguments.show]:
            show(differing[: arguments.show], arguments.against, Path(temporary))
    texts = sum(map(len, new.values()))
    print(f"{len(some)} cases, {texts} texts, {len(differing)} cases differ from {arguments.against}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
