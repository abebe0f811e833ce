"""Blanks inside opcodes: where ptxas takes them, and where the name of an instruction must be in one piece."""

from __future__ import annotations

import random
import re
from collections import defaultdict

import pytest

import weft
from tests.isa.statements import all_stems, legal_statements, refusals, somewhere
from weft.errors import PtxSyntaxError
from weft.isa.target import Version
from weft.toolchain import Tool

BATCH = 100


def broken(text: str) -> list[str]:
    """The statement with a blank before each dot of its opcode."""
    opcode = re.split(r"[ ;]", text, maxsplit=1)[0]
    return [f"{text[: dot.start()]} {text[dot.start() :]}" for dot in re.finditer(r"\.", opcode)]


def refused_by_us(statement: str) -> bool:
    try:
        weft.parse(f".version 9.0\n.target sm_90a\n.entry k() {{ {statement} }}")
    except PtxSyntaxError:
        return True
    return False


def differences(stems: list[str], seed: int) -> tuple[int, list[str]]:
    """(statements, those where the parser's verdict is not ptxas's)."""
    rng = random.Random(seed)
    groups: dict[tuple[str, Version], list[str]] = defaultdict(list)
    for stem in stems:
        for made in legal_statements(stem, 2, rng):
            groups[somewhere(made.windows, rng)] += broken(made.text)
    found: list[str] = []
    for (target, version), statements in groups.items():
        for start in range(0, len(statements), BATCH):
            batch = statements[start : start + BATCH]
            refused = refusals(batch, target, version)
            found += [text for index, text in enumerate(batch) if refused_by_us(text) != (index in refused)]
    return sum(map(len, groups.values())), found


@pytest.mark.slow
def test_some(ptxas: Tool) -> None:
    stems = ["mul", "mad", "cp.async", "mma", "mma.sp", "fence", "tex", "ld", "atom", "tcgen05.ld", "elect.sync"]
    total, found = differences([stem for stem in stems if stem in all_stems()], seed=1)
    assert total > 60
    assert found == []


@pytest.mark.slow
def test_all(ptxas: Tool) -> None:
    total, found = differences([stem for stem in all_stems() if stem != "pmevent"], seed=2)
    assert total > 2000
    assert found == []
