"""Modules with a function of several results, which ptxas compiles without the ABI: asked of ptxas, case by case."""

from __future__ import annotations

import pytest

import weft
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

HEADER = ".version 8.7\n.target {}\n.address_size 64\n"
PAIR = ".func (.reg .u32 a, .reg .{} b) pair(.reg .u32 x) {{ mov.u32 a, x; {} ret; }}"
KERNEL = ".entry k(.param .u64 p) {{ .reg .b64 f; .reg .b32 r, s; .reg .{} n; mov.u32 r, 7; {} ret; }}"
SET = {"pred": "setp.eq.u32 b, x, 0;", "b8": "cvt.u8.u32 b, x;", "u8": "cvt.u8.u32 b, x;", "u32": "mov.u32 b, x;"}
NARROW = ("pred", "b8", "u8", "s8", "b16", "u16", "s16", "f16", "u32")


def module(others: str, body: str, type_: str = "u32", target: str = "sm_80") -> str:
    pair = PAIR.format(type_, SET.get(type_, "" if type_ != "u32" else SET["u32"]))
    return "\n".join((HEADER.format(target), pair, others, KERNEL.format(type_, body), ""))


@pytest.mark.sample(3)
@pytest.mark.parametrize("target", ["sm_80", "sm_90", "sm_100", "sm_120"])
@pytest.mark.parametrize("type_", NARROW)
def test_registers_of_any_type(ptxas: Tool, type_: str, target: str) -> None:
    """What the ABI doesn't pass is passed, here and by the functions of the module that return one value."""
    others = f".func one(.reg .{type_} q) {{ ret; }}"
    text = module(others, "call (s, n), pair, (r); call one, (n);", type_, target)
    weft.assemble(weft.parse(text))  # Without optimization ptxas crashes on some predicates from sm_90 on.
    assert accepted_by_us(text)


RECURSIVE = ".func again(.reg .u32 x) { call again, (x); ret; }"
MUTUAL = """.func second(.reg .u32 x);
.func again(.reg .u32 x) { call second, (x); ret; }
.func second(.reg .u32 x) { call again, (x); ret; }"""
PRINT = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);"
PRINTED = "{ .param .b64 t, v; .param .b32 c; call (c), vprintf, (t, v); }"
PROTOTYPE = "P: .callprototype (.reg .u32 _, .reg .u32 _) _ (.reg .u32 _); call (s, r), f, (r), P;"
CASES = [
    (RECURSIVE, "", ""),
    (RECURSIVE, "call again, (r);", "'again' is recursive"),
    (MUTUAL, "", ""),
    (MUTUAL, "call again, (r);", "'again' is recursive"),
    (PRINT, "", ""),
    (PRINT, PRINTED, "'vprintf' is called"),
    (".extern .func far(.reg .u32 x);", "call far, (r);", ""),
    ("", "mov.u64 f, pair;", "the address of 'pair' is taken"),
    ("", f"mov.u64 f, pair; {PROTOTYPE}", "the address of 'pair' is taken"),
    (".func near(.param .b32 x) { ret; }", "{ .param .b32 v; st.param.b32 [v], r; call near, (v); }", ""),
]


@pytest.mark.parametrize(("others", "body", "problem"), CASES)
def test_what_needs_the_abi(ptxas: Tool, others: str, body: str, problem: str) -> None:
    text = module(others, body)
    assert accepted_by_ptxas(text) == (not problem)
    found = [one.message for one in weft.verify(weft.parse(text))]
    assert bool(found) == bool(problem)
    if problem:
        assert found[0] == f"{problem}, which needs the ABI: ptxas gives it up because 'pair' returns several values"


def test_a_declaration_is_enough(ptxas: Tool) -> None:
    """Nobody calls the function of several results."""
    text = module("", "").replace("{ mov.u32 a, x; mov.u32 b, x; ret; }", ";").replace(".func", ".extern .func", 1)
    passing = text + ".func one(.reg .pred q) { ret; }\n.entry e() { .reg .pred q; call one, (q); ret; }\n"
    assert accepted_by_ptxas(passing)
    assert accepted_by_us(passing)
