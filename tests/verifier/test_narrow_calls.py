"""Calls that pass fewer than 32 bits, and of functions that ptxas has itself: what it takes, asked of it."""

from __future__ import annotations

from itertools import product

import pytest

import weft
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
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


@pytest.mark.sample(2)
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


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["vprintf", "malloc", "free", "__assertfail", "printf", "calloc", "memcpy", "f"])
def test_functions_of_ptxas(ptxas: Tool, name: str) -> None:
    """They have no body anywhere, and a module that calls them is whole: what nobody calls is left out of it."""
    unused = module("u16", "reg", False).removeprefix(HEADER).replace(" f", " unused").replace(".entry k", ".func k")
    text = f"{HEADER}.func {name};\n{unused}.entry e() {{ call {name}; ret; }}\n"
    assert accepted_by_ptxas(text) == accepted_by_us(text)


@pytest.mark.sample(2)
@pytest.mark.parametrize("callee", [".extern .func f{};", ".func f{} {{ ret; }}"])
@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("type_", ["u8", "u16", "f16", "u32"])
def test_within_functions(ptxas: Tool, type_: str, callee: str, called: bool) -> None:
    """What ptxas generates code for depends on whether all functions are in the module."""
    function = f".func g() {{ .param .{type_} p; call f, (p); ret; }}"
    kernel = f".entry k() {{ {'call g;' if called else ''} ret; }}"
    text = "\n".join((HEADER + callee.format(f"(.param .{type_} v)"), function, kernel, ""))
    assert accepted_by_ptxas(text) == accepted_by_us(text)
