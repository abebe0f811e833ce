"""The whole table against ptxas: statements of every form, drawn at random, and statements with one thing wrong."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest

import weft
from tests.effort import one_in
from tests.isa.mutations import MUTATIONS
from tests.isa.statements import (
    Statement,
    all_stems,
    covering_statements,
    illegal_statements,
    legal_statements,
    module_of,
    refusals,
    somewhere,
)
from weft.errors import PtxSyntaxError, Severity, ToolError
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, Version
from weft.toolchain import Tool, assemble

BATCH = 250


def grouped(seed: int, per_form: int) -> dict[tuple[str, Version], list[Statement]]:
    """Legal statements of every family by a target and version that have them."""
    rng = random.Random(seed)
    groups: dict[tuple[str, Version], list[Statement]] = defaultdict(list)
    for stem in all_stems():
        for made in legal_statements(stem, per_form, rng):
            groups[somewhere(made.windows, rng)].append(made)
    return groups


def our_errors(statements: list[str], target: str, version: Version) -> list[str]:
    """Errors in the statements; what is before them may be newer than the version, for ptxas too."""
    text, before = module_of(statements, target, version)
    found = [d for d in weft.verify(weft.parse(text)) if d.severity is Severity.ERROR and d.position.line > before]
    return [f"{d.message} in {d.position.source}" for d in found]


def wrong_errors(statements: list[str], target: str, version: Version) -> list[str]:
    """Our errors in legal statements, but for those on which ptxas's code generator dies: that is no answer."""
    if not our_errors(statements, target, version):
        return []
    found = [(text, error) for text in statements for error in our_errors([text], target, version)]
    return [error for text, error in found if accepted_whole(text, target, version) is not None]


def check_legal(seed: int, per_form: int) -> int:
    refused: list[str] = []
    total = 0
    for (target, version), made in grouped(seed, per_form).items():
        for start in range(0, len(made), BATCH):
            texts = [s.text for s in made[start : start + BATCH]]
            total += len(texts)
            answers = refusals(texts, target, version)
            refused += [f"ptxas at {target} {version}: {texts[i]}: {why}" for i, why in answers.items()]
            refused += wrong_errors(texts, target, version)
    assert refused == []
    return total


ASKED = ("sm_100a", "sm_90a", "sm_120a", "sm_103a", "sm_80", "sm_75", "sm_50")
"""Targets that differ in what they have; a form that none of them has is asked of where it is."""


def least(made: Statement) -> tuple[str, Version]:
    """A target that has a statement, and the least version at which it does."""
    window = made.windows[0]
    return next((name, found) for name in (*ASKED, *TARGETS) if (found := window.least(name)) is not None)


def test_every_token_exists_where_the_table_says(ptxas: Tool) -> None:
    """On each of several targets, at the least version that has it, and not one version before; in every run some are asked
    of all these, and the others of one.
    """
    rng = random.Random(0)
    every = [s for stem in all_stems() for form in compiled_forms(stem) for s in covering_statements(form, rng)]
    drawn = every[:: one_in(8)]
    versions = sorted({found for s in drawn for w in s.windows for name in w.targets if (found := w.least(name))})
    asked: dict[tuple[str, Version], list[Statement]] = defaultdict(list)
    for made in drawn:
        name, first = least(made)
        before = [version for version in versions if TARGETS[name].least <= version < first][-1:]
        for point in {(name, first), *((name, version) for version in before), *((other, NEWEST) for other in ASKED)}:
            asked[point].append(made)
    for made in (s for number, s in enumerate(every) if number % one_in(8)):
        asked[least(made)[0], NEWEST].append(made)
    assert sum(map(len, asked.values())) > 20_000 // one_in(8)
    wrong: list[str] = []
    for (name, version), statements in asked.items():
        refused = refusals([s.text for s in statements], name, version)
        for index, made in enumerate(statements):
            ours = any(window.admits(name, version) for window in made.windows)
            # Whether an operand that may be left out goes with a combination is for the verifier to say.
            if ours == (index in refused) and bool(our_errors([made.text], name, version)) != (index in refused):
                wrong.append(f"{name} {version}: {made.text}: {refused.get(index, 'ptxas takes it')}")
    assert wrong == []


def test_blanks_in_opcodes_are_where_ptxas_allows_them(ptxas: Tool) -> None:
    """Before modifiers, not inside of the name of an instruction."""
    rng = random.Random(0)
    broken: list[tuple[str, tuple[str, Version]]] = []
    for stem in (stem for stem in all_stems() if "." in stem):
        for made in [s for form in compiled_forms(stem) for s in covering_statements(form, rng)][:1]:
            opcode, _, operands = made.text.partition(" ")
            parts = opcode.split(".")
            for at in range(1, min(stem.count(".") + 2, len(parts))):
                broken.append((f"{'.'.join(parts[:at])} .{'.'.join(parts[at:])} {operands}", least(made)))
    assert len(broken) > 100
    wrong: list[str] = []
    for text, (name, version) in broken[:: one_in(4)]:
        refused = bool(refusals([text], name, version))
        try:
            ours = bool(our_errors([text], name, version))
        except PtxSyntaxError:
            ours = True
        if ours != refused:
            wrong.append(f"{name} {version}: {text}: ptxas {'refuses' if refused else 'takes'} it")
    assert wrong == []


def test_what_the_table_refuses_is_refused(ptxas: Tool) -> None:
    """Combinations that exist nowhere. ptxas's parser takes any of wmma, and a few others that its code generator then
    refuses.
    """
    rng = random.Random(0)
    stems = [stem for stem in all_stems() if not stem.startswith("wmma.")]
    made = [s.text for stem in stems for form in compiled_forms(stem) for s in illegal_statements(form, rng)]
    assert len(made) > 4000
    made = made[:: one_in(10)]
    for target in ASKED[:3]:
        refused = refusals(made, target, NEWEST)
        taken = [text for index, text in enumerate(made) if index not in refused]
        assert len(taken) < 20
        assert [text for text in taken if accepted_whole(text, target, NEWEST)] == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(9))
def test_many_statements_of_every_form(ptxas: Tool, seed: int) -> None:
    assert check_legal(seed, per_form=40) > 4000


@pytest.mark.sample(12)
@pytest.mark.parametrize("stem", all_stems())
def test_canonical_statements_are_a_fixed_point(stem: str) -> None:
    made = list(legal_statements(stem, 12, random.Random(stem)))
    assert made
    text, _ = module_of([s.text for s in made], "sm_90a", NEWEST)
    printed = weft.parse(text).to_ptx()
    assert weft.parse(printed) == weft.parse(text)
    assert weft.parse(printed).to_ptx() == printed
    assert all(f"\t{s.text}\n" in printed for s in made)


def accepted_whole(statement: str, target: str, version: Version) -> bool | None:
    """Whether ptxas accepts a module with one statement, code generation included; None where it dies of it."""
    try:
        assemble(module_of([statement], target, version)[0], target=target)
    except ToolError as error:
        return None if error.crashed else False
    return True


def disagreements(seed: int, per_form: int) -> tuple[int, list[str], list[str]]:
    """(statements, false alarms, misses) of our verifier on statements with one thing changed."""
    rng = random.Random(seed)
    groups: dict[tuple[str, Version], list[str]] = defaultdict(list)
    for stem in all_stems():
        for made in legal_statements(stem, per_form, rng):
            changed = rng.choice(MUTATIONS)(made.text, stem, rng)
            if changed != made.text:
                groups[somewhere(made.windows, rng)].append(changed)
    return differing(groups)


def differing(groups: dict[tuple[str, Version], list[str]]) -> tuple[int, list[str], list[str]]:
    """(statements, false alarms, misses) of our verifier on statements by target and version."""
    alarms, misses = list[str](), list[str]()
    batches = [(*point, texts[i : i + BATCH]) for point, texts in groups.items() for i in range(0, len(texts), BATCH)]
    for target, version, texts in batches:
        refused = refusals(texts, target, version)
        ours = [refused_by_us(text, target, version) for text in texts]
        agreed = list[str]()
        for index, (text, why) in enumerate(zip(texts, ours, strict=True)):
            if why and index not in refused and accepted_whole(text, target, version):
                alarms.append(f"{target} {version}: {text} | {why}")
            elif not why and index in refused:
                misses.append(f"{target} {version}: {text} | {refused[index]}")
            elif not why:
                agreed.append(text)
        misses += [f"{target} {version}: {text} | {why}" for text, why in _hidden(agreed, target, version)]
    return sum(map(len, groups.values())), alarms, misses


def _hidden(texts: list[str], target: str, version: Version) -> Iterator[tuple[str, str]]:
    """What ptxas refuses of statements in which it has shown no error: after one it no longer looks at statements that
    it replaces by others.
    """
    while refused := refusals(texts, target, version):
        yield from ((texts[index], why) for index, why in refused.items())
        texts = [text for index, text in enumerate(texts) if index not in refused]


def refused_by_us(statement: str, target: str, version: Version) -> str:
    try:
        found = our_errors([statement], target, version)
    except PtxSyntaxError as error:
        return str(error)
    return found[0] if found else ""
