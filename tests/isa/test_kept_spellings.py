"""Statements in which each token of each form stands, and lacks, and some that no target has: where they are right is kept.

`python -m tests.isa.test_kept_spellings` writes `spellings.txt` anew: a line for each statement, with the points that it
is asked about. Behind each is `.` where the statement is right, `t` where it is tolerated, `e` where it is an error.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import groupby, islice, pairwise
from pathlib import Path

import pytest

from tests.isa.statements import Statement, all_stems, covering_statements, illegal_statements, refusals
from tests.isa.test_kept_replacements import letters
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Version, Window
from weft.toolchain import Tool

FILE = Path(__file__).with_name("spellings.txt")
_BEFORE = {later: earlier for earlier, later in pairwise(sorted(VERSIONS))}


def points(windows: tuple[Window, ...], rng: random.Random) -> Iterator[tuple[str, Version]]:
    """The oldest version that has a statement, the one before, and a target that does not have it."""
    window = rng.choice(windows)
    names = [name for name in TARGETS if name in window.targets and TARGETS[name].least <= (window.until or NEWEST)]
    if not names:
        return
    name = rng.choice(names)
    oldest = max(window.ptx, TARGETS[name].least)
    yield name, oldest
    if oldest in _BEFORE and TARGETS[name].least < oldest:
        yield name, _BEFORE[oldest]
    others = [name for name in TARGETS if not any(window.admits(name, NEWEST) for window in windows)]
    if others:
        yield rng.choice(others), NEWEST


def read() -> Iterator[tuple[str, str, list[tuple[str, Version, str]]]]:
    """The stem, the statement, and the points with their letters."""
    stem = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            stem = line[3:]
            continue
        statement, _, asked = line.rpartition(" | ")
        split = [point.split(":") for point in asked.split()]
        yield stem, statement, [(name, Version.parse(version), letter) for name, version, letter in split]


KEPT = {stem: list(lines) for stem, lines in groupby(read(), lambda line: line[0])}


def asked(
    lines: Iterable[tuple[str, str, list[tuple[str, Version, str]]]],
) -> dict[tuple[str, Version], list[tuple[str, str]]]:
    """The statements and their letters at each point."""
    found: dict[tuple[str, Version], list[tuple[str, str]]] = {}
    for _, statement, places in lines:
        for name, version, letter in places:
            found.setdefault((name, version), []).append((statement, letter))
    return found


@pytest.mark.sample(6)
@pytest.mark.parametrize("stem", KEPT)
def test_where_statements_are_right(stem: str) -> None:
    for (name, version), some in asked(KEPT[stem]).items():
        now = letters([statement for statement, _ in some], name, version)
        wrong = [(statement, was, is_) for (statement, was), is_ in zip(some, now, strict=True) if was != is_]
        assert wrong == [], (name, version)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_ptxas_finds_the_same(ptxas: Tool, part: int) -> None:
    """At targets and versions that it still knows."""
    some = [line for stem in list(KEPT)[part::8] for line in KEPT[stem]]
    surprises: list[str] = []
    total = 0
    for (name, version), statements in asked(some).items():
        if TARGETS[name].number < 75 or version < TARGETS[name].least or TARGETS[name].number == 101:
            continue
        total += len(statements)
        refused = refusals([statement for statement, _ in statements], name, version)
        surprises += [
            f"{name} {version} {statement}"
            for number, (statement, letter) in enumerate(statements)
            if (letter == "e") != (number in refused)
        ]
    assert len(surprises) <= total * 0.02, surprises


def write() -> None:
    """Ask about statements that cover the tokens of every form."""
    lines: list[str] = []
    for stem in all_stems():
        rng = random.Random(stem)
        lines.append(f"== {stem}")
        made: dict[str, Statement] = {}
        for form in compiled_forms(stem):
            right = list(islice(covering_statements(form, rng), 16))
            wrong = list(islice(illegal_statements(form, rng), 4))
            made |= {one.text: one for one in (*right, *wrong)}
        places = {text: list(dict.fromkeys(points(one.windows, rng))) for text, one in made.items() if one.windows}
        places |= {text: [("sm_100a", NEWEST)] for text, one in made.items() if not one.windows}
        answers: dict[str, list[str]] = {}
        for (name, version), some in asked(
            (stem, text, [(name, version, "") for name, version in where]) for text, where in places.items()
        ).items():
            found = letters([text for text, _ in some], name, version)
            for (text, _), letter in zip(some, found, strict=True):
                answers.setdefault(text, []).append(f"{name}:{version}:{letter}")
        lines += [f"{text} | {' '.join(where)}" for text, where in answers.items()]
    FILE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    write()
