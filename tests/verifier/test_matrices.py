"""The verifier beside ptxas's kept answers about declarations, addresses, literals, directives and linkages."""

from __future__ import annotations

import json

import pytest

from tests.verifier.matrices import MATRICES
from tests.verifier.matrices.kept import ANSWERS, DIFFERENCES, accepted_by_us, ask, differences, explained, unpacked
from tests.verifier.matrices.reasons import reason_of
from weft.toolchain import Tool

KEPT: dict[str, dict[str, str]] = json.loads(ANSWERS.read_text())["answers"]


def surprises(name: str, step: int) -> list[str]:
    """Probes where our answer is not ptxas's, besides those that differences.txt explains."""
    kept = KEPT[name]
    answers = zip(*(unpacked(kept[key]) for key in ("accepted", "unknown", "different")), strict=True)
    return [
        probe.label
        for index, (probe, (accepted, unknown, different)) in enumerate(zip(MATRICES[name](), answers, strict=True))
        if index % step == 0 and not unknown and accepted_by_us(probe.text) != (accepted != different)
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", MATRICES)
def test_some_of_each(name: str) -> None:
    assert surprises(name, 17) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRICES)
def test_all(name: str) -> None:
    assert surprises(name, 1) == []


@pytest.mark.parametrize("name", MATRICES)
def test_each_difference_has_a_reason(name: str) -> None:
    assert [p.label for p, accepted in differences(name, KEPT[name]) if not reason_of(p.label, accepted=accepted)] == []


def test_differences_are_written_down() -> None:
    assert DIFFERENCES.read_text() == explained(KEPT)


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRICES)
def test_ptxas_still_says_so(ptxas: Tool, name: str) -> None:
    probes = list(MATRICES[name]())[::37]
    kept = unpacked(KEPT[name]["accepted"])[::37]
    unknown = unpacked(KEPT[name]["unknown"])[::37]
    asked = zip(probes, ask(probes), kept, unknown, strict=True)
    assert [p.label for p, now, before, no in asked if not no and now is not None and now != before] == []
