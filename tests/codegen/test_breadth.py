"""Every operation on integers, floats and vectors, of every type, as LLVM computes it."""

from __future__ import annotations

import pytest

from tests.codegen.breadth import differences
from tests.codegen.breadth_cases import FAMILIES, Case

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


@pytest.mark.sample(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_samples(family: str) -> None:
    every = cases(family)
    assert not differences([every[len(every) * i // SAMPLED] for i in range(SAMPLED)], "sm_90")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("family", FAMILIES)
def test_everything(family: str, part: int) -> None:
    assert not differences(cases(family)[part::PARTS], "sm_90")
