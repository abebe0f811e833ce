"""Printing what was parsed loses nothing: the same tree, the same text, and for ptxas the same machine code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ptx.constructs import MODULES, everything
from tests.ptx.oracle import assemble
from weft.ptx import format_text, parse

ALL = everything()


@pytest.mark.parametrize("name", ALL)
def test_canonical_text_is_a_fixed_point(name: str) -> None:
    module = parse(ALL[name])
    text = module.to_ptx()
    assert parse(text) == module
    assert parse(text).to_ptx() == text


@pytest.mark.parametrize("name", ALL)
def test_formatting_is_idempotent_and_keeps_the_tree(name: str) -> None:
    text = format_text(ALL[name])
    assert format_text(text) == text
    assert parse(text) == parse(ALL[name])


@pytest.mark.parametrize("options", [(), ("-O0",)], ids=["optimised", "unoptimised"])
@pytest.mark.parametrize("name", ALL)
def test_machine_code_is_the_same(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    original = assemble(ALL[name], tmp_path, *options)
    assert isinstance(original, dict), original
    printed = assemble(parse(ALL[name]).to_ptx(), tmp_path, *options)
    assert isinstance(printed, dict), printed
    assert printed == original


def test_bytes_are_taken_as_utf8() -> None:
    text = ALL["statement: block comments"]
    assert parse(text.encode()) == parse(text)
    assert parse(MODULES["one line"].encode() + b"// \xff\xfe") == parse(MODULES["one line"])
