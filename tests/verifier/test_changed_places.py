"""The verifier beside ptxas on legal statements with modifiers moved or doubled, or another address in place of one."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator

import pytest

from tests.effort import one_in
from tests.isa.statements import all_stems, legal_statements, refusals, somewhere
from tests.isa.test_table_against_ptxas import BATCH, accepted_whole, refused_by_us
from weft.isa.target import Version
from weft.toolchain import Tool

BASES = ("smem", "gmem", "cmem", "lmem", "pmem", "kp2", "%r91", "%h91", "8", "k", "L1")

ELSEWHERE = re.compile(
    r"^(clusterlaunchcontrol|multimem|red\.async|st\.async|(ld|st)matrix|fence\.proxy|tcgen05\.(cp|shift))\b"
)
"""What takes any variable's address in ptxas, where we want one of shared or global memory (benchmarks/verifier.md)."""


def moved(text: str, stem: str) -> Iterator[str]:
    """The statement with each modifier doubled, swapped with the next, or put last."""
    opcode, _, operands = text.partition(" ")
    tokens: list[str] = opcode.removeprefix(stem).removesuffix(";").split(".")[1:]
    orders: list[list[str]] = []
    for i, token in enumerate(tokens):
        orders.append([*tokens[: i + 1], *tokens[i:]])
        orders.append([*tokens[:i], *tokens[i + 1 : i + 2], token, *tokens[i + 2 :]])
        orders.append([*tokens[:i], *tokens[i + 1 :], token])
    for order in orders:
        if order != tokens:
            yield f"{'.'.join([stem, *order])} {operands or ';'}"


def addressed(text: str, stem: str) -> Iterator[str]:
    """The statement with another base in place of each address's."""
    for address in re.finditer(r"\[(%?\w+)", text):
        for base in BASES:
            yield f"{text[: address.start(1)]}{base}{text[address.end(1) :]}"


def disagreements(
    change: Callable[[str, str], Iterator[str]], seed: int, per_form: int, share: float
) -> tuple[int, list[str], list[str]]:
    """(statements, false alarms, misses) of a share of the changes of legal statements."""
    rng = random.Random(seed)
    groups: dict[tuple[str, Version], list[str]] = defaultdict(list)
    for stem in all_stems():
        for made in legal_statements(stem, per_form, rng):
            where = somewhere(made.windows, rng)
            groups[where] += [changed for changed in change(made.text, stem) if rng.random() < share]
    alarms, misses = list[str](), list[str]()
    for (target, version), statements in groups.items():
        for start in range(0, len(statements), BATCH):
            batch = statements[start : start + BATCH]
            refused = refusals(batch, target, version)
            for index, statement in enumerate(batch):
                ours = refused_by_us(statement, target, version)
                if ours and index not in refused and accepted_whole(statement, target, version):
                    alarms.append(f"{target} {version}: {statement} | {ours}")
                elif not ours and index in refused:
                    misses.append(f"{target} {version}: {statement} | {refused[index]}")
    return sum(map(len, groups.values())), alarms, misses


def check(change: Callable[[str, str], Iterator[str]], seed: int, per_form: int, share: float, least: int) -> None:
    total, alarms, misses = disagreements(change, seed, per_form, share)
    assert total > least
    assert [alarm for alarm in alarms if ELSEWHERE.match(alarm.partition(": ")[2]) is None] == []
    assert len(misses) <= total * 0.001, misses


def test_modifiers_elsewhere(ptxas: Tool) -> None:
    check(moved, seed=1, per_form=1, share=0.1 / one_in(3), least=250 // one_in(4))


@pytest.mark.slow
def test_other_addresses(ptxas: Tool) -> None:
    check(addressed, seed=1, per_form=1, share=0.1 / one_in(3), least=140 // one_in(4))


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(1, 4))
def test_many(ptxas: Tool, seed: int) -> None:
    check(moved, seed, per_form=2, share=1.0, least=6_000)
    check(addressed, seed, per_form=2, share=1.0, least=4_000)
