"""Calls that pass fewer than 32 bits: which types the ABI takes, asked of ptxas."""

from __future__ import annotations

from itertools import product

import pytest

import weft
from weft.errors import ToolError
from weft.toolchain import Tool

HEADER = ".version 8.3\n.target sm_90\n.address_size 64\n"
TYPES = ("pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "f32", "u64")
CASES = [
    (type_, space, returned)
    for type_, space, returned in product(TYPES, ("reg", "param"), (False, True))
    if (type_, space) != ("pred", "param")
]


def module(type_: str, space: str, returned: bool) -> str:
    formal, passed = f"(.{space} .{type_} v)", f".{space} .{type_} p;"
    callee = f".func {formal} f() {{ ret; }}" if returned else f".func f{formal} {{ ret; }}"
    call = "call (p), f;" if returned else "call f, (p);"
    return f"{HEADER}{callee}\n.entry k() {{\n{passed}\n{call}\nret;\n}}\n"


@pytest.mark.sample(6)
@pytest.mark.parametrize(("type_", "space", "returned"), CASES)
def test_as_ptxas(ptxas: Tool, type_: str, space: str, returned: bool) -> None:
    parsed = weft.parse(module(type_, space, returned))
    try:
        weft.assemble(parsed)
    except ToolError as error:
        assert "In ABI compilation" in str(error)
        assert [found.code for found in weft.verify(parsed)] == ["call"]
    else:
        assert weft.verify(parsed) == []
