"""What lint tells of statements, whole: `told.txt`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.told import Told, differing, groups, told
from weft.lint import lint

FILE = Path(__file__).with_name("told.txt")


def judge(place: str, text: str) -> list[str]:
    """The findings and notes about a statement in a function with some parameters, or about code."""
    before = "" if place == "code" else f"__device__ void f({place}) {{\n  unsigned d;\n"
    found = lint(f"{before}{text}\n{'}' * bool(before)}\n", "k.cu")
    return [told(one, before.count("\n")) for one in (*found.findings, *found.unjudged)]


@pytest.mark.parametrize("some", groups(FILE), ids=lambda some: some[0].text[:40])
def test_what_is_told_of_statements(some: list[Told]) -> None:
    assert differing(some, judge) == ""
