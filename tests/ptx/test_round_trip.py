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


@pytest.mark.sample(2)
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


@pytest.mark.parametrize(
    "constant", ["((1+2))", "(((5)))", "((.s64)5)", "((-5))", "((1)+(2))", "((0f3F800000))", "( (1+2))"]
)
def test_constants_in_several_parentheses(constant: str) -> None:
    """Behind a register, a constant in parentheses looks like a list: however many there are, one text is left."""
    head = ".version 8.0\n.target sm_80\n.func f()\n{\n.reg .b32 %r<3>; .reg .b64 %rd<3>;\n"
    for opcode in ("add.u32 %r1, %r2,", "call %rd1,"):
        module = parse(f"{head}{opcode} {constant};\nret;\n}}\n")
        again = parse(module.to_ptx())
        assert again == module
        assert again.to_ptx() == module.to_ptx()
