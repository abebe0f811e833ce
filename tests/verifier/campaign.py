"""A campaign of changed modules: `python -m tests.verifier.campaign FOLDER --count 5000 --seed 7`.

FOLDER has a folder of PTX files for each producer; each producer comes as often as the others.  Prints every change over which
the verifier and ptxas disagree, and the agreement by kind and producer; keeps these texts in `--keep`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from pathlib import Path

import weft
from tests.verifier import slips
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from tests.verifier.mutants import KINDS
from weft.errors import PtxSyntaxError

LARGEST = 16_000
"""Bytes of a file that is changed."""


def complaint(text: str) -> str:
    """The verifier's first error."""
    try:
        return next((str(item) for item in weft.verify(weft.parse(text)) if item.severity.name == "ERROR"), "")
    except PtxSyntaxError as error:
        return str(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("disagreements"))
    parser.add_argument("--only", default="", help="kinds whose name has this")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    kinds = {**{kind.__name__: kind for kind in KINDS}, **slips.all_kinds()}
    names = [name for name in kinds if arguments.only in name]
    producers = {
        folder.name: [path for path in sorted(folder.rglob("*.ptx")) if path.stat().st_size <= LARGEST]
        for folder in sorted(arguments.folder.iterdir())
        if folder.is_dir()
    }
    producers = {name: files for name, files in producers.items() if files}
    judged, wrong, taken, unknown = Counter[str](), Counter[str](), 0, 0
    arguments.keep.mkdir(parents=True, exist_ok=True)
    tried = 0
    while judged.total() < arguments.count:
        name = names[tried % len(names)]
        tried += 1
        producer = rng.choice(list(producers))
        path = rng.choice(producers[producer])
        before = path.read_text(errors="replace")
        text = kinds[name](before, rng)
        if text == before:
            continue
        theirs = accepted_by_ptxas(text)
        if theirs is None:
            unknown += 1
            continue
        ours = accepted_by_us(text)
        judged[name] += 1
        judged_producer = f"of {producer}"
        taken += theirs
        if theirs != ours:
            wrong[name] += 1
            wrong[judged_producer] += 1
            kept = arguments.keep / f"{arguments.seed}-{tried}-{name}.ptx"
            kept.write_text(text, errors="replace", newline="")
            why = complaint(text).splitlines()[:1]
            print(
                f"{kept.name} of {producer}/{path.name}: {'false alarm: ' + ''.join(why) if theirs else 'miss'}",
                flush=True,
            )
        if judged.total() % 500 == 0:
            total = judged.total()
            bad = sum(count for key, count in wrong.items() if not key.startswith("of "))
            print(
                f"{total} judged, {taken} legal, {unknown} unknown, {bad} disagree: {100 - 100 * bad / total:.2f} %",
                flush=True,
            )
    print(
        f"{len(producers)} producers, {sum(map(len, producers.values()))} files, {len(judged)} kinds; wrong: {dict(wrong)}"
    )


if __name__ == "__main__":
    main()
