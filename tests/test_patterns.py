"""Patterns with possessive groups match the same in every Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft import patterns

SOURCES = Path(patterns.__file__).parent
FAILING_TURNS = [
    (r'"(?:[^"\\\n]++|\\(?:["\\nt]|[0-9a-fA-F]{2}))*+', '"a\\q"', 2),
    (r"(?:a|b\d{2})*+", "ab12ab1", 5),
    (r"(?:a|b\d++c)++", "ab12", 1),
    (r"x(?:::\w++)?+", "x::", 1),
    (r"(?:(?:a|bc{2})*+d)*+", "adbccdabc", 6),
]


@pytest.mark.parametrize("make", [patterns.pattern, patterns.atomic])
@pytest.mark.parametrize(("text", "given", "end"), FAILING_TURNS)
def test_a_turn_that_fails_gives_back_what_it_took(make: type, text: str, given: str, end: int) -> None:
    found = make(text).match(given)
    assert found is not None and found.end() == end


@given(st.text(alphabet="ab1:(,) ", max_size=20))
def test_atomic_groups_match_the_same(text: str) -> None:
    """Also what they capture."""
    one = r"(?P<first>a|b(?:1{2}|:\w)?+)++(?:, *+(\((?:a|b1)*+\)))*+ ?"
    found, other = (make(one, re.ASCII).match(text) for make in (patterns.pattern, patterns.atomic))
    assert (found and (found.span(), found.groupdict(), found.groups())) == (
        other and (other.span(), other.groupdict(), other.groups())
    )


def test_no_other_file_compiles_possessive_groups() -> None:
    """As far as a text shows them: a group's end, and two signs."""
    having = {path for path in SOURCES.rglob("*.py") if re.search(r"\)[*+?]\+", path.read_text(encoding="utf-8"))}
    using = {path for path in having if "from weft.patterns import pattern" in path.read_text(encoding="utf-8")}
    assert {path.name for path in having - using} == {"patterns.py"}
