"""Statements of every form with operands of every kind in every place: which are right, tolerated and refused is kept.

Slow runs ask ptxas about such statements (`tests/verifier/test_replaced_operands.py`); here each answer is the kept one.
`python -m tests.isa.test_kept_replacements` writes `replaced.txt` anew: a line for each statement, the point that has
it, and a letter for each replacement: `.` it is right, `t` tolerated, `e` an error, `s` not even a statement.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path

import pytest

import weft
from tests.isa.replaced import replacements
from tests.isa.statements import all_stems, legal_statements, module_of, somewhere
from weft.errors import PtxSyntaxError, Severity
from weft.isa.registry import compiled_forms
from weft.isa.target import Version

FILE = Path(__file__).with_name("replaced.txt")
_LETTERS = {Severity.ERROR: "e", Severity.WARNING: "t"}


def letters(statements: list[str], target: str, version: Version) -> str:
    """What is found of each of some statements."""
    found = dict.fromkeys(range(len(statements)), ".")
    while True:
        alive = [number for number, letter in found.items() if letter != "s"]
        text, before = module_of([statements[number] for number in alive], target, version)
        try:
            for one in weft.verify(weft.parse(text, whole=True)):
                line = one.position.line - before - 1
                if 0 <= line < len(alive) and found[alive[line]] != "e":
                    found[alive[line]] = _LETTERS.get(one.severity, ".")
            return "".join(found.values())
        except PtxSyntaxError as error:
            found[alive[error.position.line - before - 1]] = "s"


def kept() -> Iterator[tuple[str, str, str, str]]:
    """The stem, the point, the statement and the letters of each line."""
    stems = sorted(all_stems(), key=len, reverse=True)
    for line in FILE.read_text(encoding="utf-8").splitlines():
        point, statement, answer = line.split(" | ")
        stem = next(stem for stem in stems if statement.startswith(stem))
        yield stem, point, statement, answer


KEPT = {stem: list(lines) for stem, lines in groupby(sorted(kept()), lambda line: line[0])}


@pytest.mark.sample(4)
@pytest.mark.parametrize("stem", KEPT)
def test_operands_of_every_kind(stem: str) -> None:
    for _, point, statement, answer in KEPT[stem]:
        target, version = point.split()
        texts = list(replacements(statement))
        assert letters(texts, target, Version.parse(version)) == answer, statement


def write() -> None:
    """Ask about a statement or two of every form, the same ones for each text of the table."""
    lines: list[str] = []
    for stem in all_stems():
        rng = random.Random(stem)
        for made in islice(legal_statements(stem, 2 if len(compiled_forms(stem)) < 3 else 1, rng), 8):
            target, version = somewhere(made.windows, rng)
            texts = list(replacements(made.text))
            if texts:
                lines.append(f"{target} {version} | {made.text} | {letters(texts, target, version)}")
    FILE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    write()
