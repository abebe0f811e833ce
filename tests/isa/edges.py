"""The edges of windows: where the table says a statement begins to exist, asked of ptxas on both sides."""

from __future__ import annotations

import random
from collections import defaultdict

from tests.isa.statements import Statement, legal_statements, refusals, statement
from weft.isa import decode
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Version

Point = tuple[str, Version]
ASKED = tuple(t for t in TARGETS.values() if t.number >= 50 and t.number not in (62, 101))
"""Targets that ptxas can be asked about."""


def least_version(made: Statement, name: str) -> Version | None:
    found = [v for w in made.windows if w.until is None and (v := w.least(name)) is not None]
    return min(found, default=None)


def edges(made: Statement, rng: random.Random) -> dict[Point, bool]:
    """A point where the statement just exists, one version below, and a target that never has it."""
    points: dict[Point, bool] = {}
    least = {t: v for t in ASKED if (v := least_version(made, t.name)) is not None}
    if least:
        target = rng.choice(list(least))
        points[target.name, least[target]] = True
        below = VERSIONS[VERSIONS.index(least[target]) - 1]
        if below >= max(target.least, Version(4, 0)):
            points[target.name, below] = False
    others = [t for t in ASKED if t not in least]
    if others and "%rq" not in made.text:
        points[rng.choice(others).name, NEWEST] = False
    return points


def check_edges(stem: str, per_form: int = 6) -> None:
    """Asks ptxas about the edges of random statements of a family; both answers must be the table's."""
    rng = random.Random(stem)
    asked: dict[Point, list[tuple[str, bool]]] = defaultdict(list)
    for made in legal_statements(stem, per_form, rng):
        for point, exists in edges(made, rng).items():
            asked[point].append((made.text, exists))
    assert asked
    wrong: list[str] = []
    for (name, version), pairs in asked.items():
        answers = refusals([text for text, _ in pairs], name, version)
        wrong += [
            f"{text} at {name} {version}: {answers.get(index, 'accepted')}"
            for index, (text, exists) in enumerate(pairs)
            if exists == (index in answers)
        ]
    assert wrong == []


def neighbours(form: CompiledForm, rng: random.Random, wanted: int) -> list[str]:
    """Statements one modifier away from a legal one whose opcode the table calls illegal everywhere."""
    keys = [element for element in form.elements if element.slot]
    found: dict[str, str] = {}
    legal: list[dict[str, str]] = []
    for _ in range(wanted * 60 if keys else 0):
        if len(found) >= wanted:
            break
        slots = {e.slot: "" if e.optional and rng.random() < 0.6 else rng.choice(e.tokens) for e in keys}
        if legal and rng.random() < 0.8:
            slots = dict(rng.choice(legal))
            element = rng.choice(keys)
            slots[element.slot] = rng.choice([*element.tokens, *([""] if element.optional else [])])
        if form.windows(slots):
            legal.append(slots)
        elif not decode(form.spell(slots)).valid and (made := statement(form, slots, rng)) is not None:
            found[made.opcode] = made.text
    return list(found.values())


def check_illegal(stem: str, lenient: tuple[str, ...] = (), per_form: int = 20) -> int:
    """Asks ptxas about spellings that the table refuses (but for `lenient` parts); how many were asked."""
    rng = random.Random(stem)
    texts = [text for form in compiled_forms(stem) for text in neighbours(form, rng, per_form)]
    texts = [text for text in dict.fromkeys(texts) if not any(part in text for part in lenient)]
    refused = refusals(texts, "sm_100a", NEWEST)
    assert [text for index, text in enumerate(texts) if index not in refused] == []
    return len(texts)
