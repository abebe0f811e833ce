"""Every operation on integers, floats and vectors, of every type, as LLVM computes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.codegen.breadth import differences
from tests.codegen.breadth_cases import FAMILIES, NARROW, Case, element

SAMPLED = 24
"""Cases of a family in a default run; the slow run has them all."""
PARTS = 12
"""Tests of a family in the slow run, so that none takes long."""


def wrong_in_llvm(case: Case) -> str:
    """What LLVM 22 computes wrongly, as reading its PTX shows; empty for the rest."""
    text, results = case.text, case.results
    if "fptoui" in text and results[0].endswith(("i1", "i1>")):
        return "true stands for 0, and values between 1 and 2 for false"
    if "sitofp" in text and case.operands[0].endswith(("i1", "i1>")) and "bf16" in results[0]:
        return "true, which is -1, becomes 1"
    if "trunci" in text and results[0] in ("vector<4xi1>", "vector<2xi1>"):
        return "a register of elements is stored as if it were one of bits"
    if "floordivsi" in text and results[0] == "i128":
        return "-1 has 64 bits"
    if "index.ceildivs" in text:
        return "the negative of the least number is taken for positive"
    return ""


def cases(family: str) -> list[Case]:
    return [case for case in FAMILIES[family]() if not wrong_in_llvm(case)]


def stained(family: str) -> list[Case]:
    """The cases with integers that do not fill a register, with anything above their width."""
    narrow = (case for case in cases(family) if any(element(type_) in NARROW for type_ in case.operands))
    return [replace(case, stained=True) for case in narrow]


@pytest.mark.sample(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_samples(family: str) -> None:
    every = cases(family)
    assert not differences([every[len(every) * i // SAMPLED] for i in range(SAMPLED)], "sm_90")


@pytest.mark.sample(1)
@pytest.mark.parametrize("family", [family for family in FAMILIES if stained(family)])
def test_samples_of_stained_operands(family: str) -> None:
    every = stained(family)
    assert not differences(every[:: max(1, len(every) // SAMPLED)], "sm_90")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("family", [family for family in FAMILIES if stained(family)])
def test_all_stained_operands(family: str, part: int) -> None:
    assert not differences(stained(family)[part::PARTS], "sm_90")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("family", FAMILIES)
def test_everything(family: str, part: int) -> None:
    assert not differences(cases(family)[part::PARTS], "sm_90")
