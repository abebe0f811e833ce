"""Syntax errors: where, what was found, what was expected, and the hint."""

from __future__ import annotations

import pytest

import weft
from tests.ptx.constructs import HEADER, body
from weft.errors import PtxSyntaxError
from weft.ptx import parse

CASES = [
    # text, line, column, found, a word of the message, a word of the hint
    ("", 1, 1, "end of text", "'.version'", ".target"),
    (".target sm_90", 1, 1, ".target", "'.version'", "start the module with"),
    (".version x", 1, 10, "x", "8.4", ""),
    (".version 8.4\n.entry k() {}", 2, 1, ".entry", "'.target'", "right after"),
    (".version 8.4 .target sm_90 .address_size 48", 1, 42, "48", "32 or 64", ""),
    (HEADER + ".address_size 64", 4, 1, ".address_size", "function", "once"),
    (HEADER + ".entry k() {\n add.u32 %r1, %r2, %r3\n ret;\n}", 6, 2, "ret", "';'", "add ';'"),
    (HEADER + ".entry k() {\n add.u32 %r1, %r2 %r3;\n}", 5, 19, "%r3", "','", "','"),
    (HEADER + ".entry k() {\n ret\n}\n.entry j() { ret; }", 6, 1, "}", "';'", "add ';'"),
    (HEADER + ".entry k() {\n ret;\n", 4, 12, "end of text", "unclosed", "'}'"),
    (HEADER + ".entry k() { {\n ret;\n}", 4, 12, "end of text", "unclosed", "'}'"),
    (HEADER + ".entry k() {ret;} foo", 4, 19, "foo", "function", "put instructions in a function"),
    (HEADER + ".entry k() {ret;} }", 4, 19, "}", "function", "unmatched '}'"),
    (HEADER + ".entry k() {ret;};", 4, 18, ";", "function", "';'"),
    (HEADER + ".entry k() {/* foo", 4, 13, "/*", "comment", "*/"),
    (HEADER + ".entry k() {ret; } /* foo", 4, 20, "/*", "comment", "*/"),
    (HEADER + '.file 1 "x\n', 4, 9, '"', "string", '"'),
    (HEADER + ".entry k() { mov.u32 a, 5u; }", 4, 25, "5u", "number", "capital"),
    (HEADER + ".entry k() { mov.u32 a, 08; }", 4, 25, "08", "number", "octal"),
    (HEADER + ".entry k() { mov.f32 a, 0f3f8; }", 4, 25, "0f3f8", "number", "eight"),
    (HEADER + ".entry k() { ld.u32 a, [b-4]; }", 4, 26, "-", "'+'", "+-4"),
    (HEADER + ".entry k() { ld.u32 a, [b; }", 4, 26, ";", "']'", "unclosed"),
    (HEADER + ".entry k() { ld.u32 {a, b; }", 4, 26, ";", "'}'", "unclosed"),
    (HEADER + ".entry k() { call (a, b; }", 4, 24, ";", "')'", "unclosed"),
    (HEADER + ".entry k() { mov.u32 a,, b; }", 4, 24, ",", "operand", "missing"),
    (HEADER + ".entry k() { mov.u32 a,b,; }", 4, 26, ";", "operand", "missing"),
    (HEADER + ".entry k() { mov.u32 a, 1/0; }", 4, 28, "0", "zero", ""),
    (HEADER + ".entry k() { max.f32 .reg, a, b; }", 4, 22, ".reg", "operand", "modifier"),
    (HEADER + ".entry k() .maxntid 1,1,1,1 { }", 4, 26, ",", "end", "three"),
    (HEADER + ".visible .weak .global .b32 x;", 4, 10, ".weak", "space", ".visible"),
    (HEADER + ".section .debug_str { .b8 1 .b8 'a' }", 4, 33, "'", "debug data", ".b8"),
    (HEADER + ".entry k() { mov. u32 a, b; }", 4, 17, ".", "'.'", ""),
    (HEADER + ".entry k(.param .b32 a { ret; }", 4, 24, "{", "')'", "unclosed"),
    (HEADER + ".entry k(.param .foo a) { ret; }", 4, 17, ".foo", "type", ""),
    (HEADER + ".entry k() .maxntid { ret; }", 4, 21, "{", "number", ""),
    (HEADER + ".entry k() .foo 3 { ret; }", 4, 12, ".foo", "directive", ""),
    (HEADER + ".global .b32 a", 4, 15, "end of text", "';'", "add ';'"),
    (HEADER + ".global .b32 a = {1, 2", 4, 23, "end of text", "'}'", "unclosed"),
    (HEADER + ".global .b32 a = {1,, 2};", 4, 21, ",", "constant", ""),
    (HEADER + '.global .b8 a[] = "abc";', 4, 19, '"abc"', "constant", "bytes"),
    (HEADER + ".global a;", 4, 9, "a", "type", ""),
    (HEADER + ".visible foo;", 4, 10, "foo", "'.entry'", ""),
    (HEADER + ".entry k() { .reg .b32 %r<5; }", 4, 28, ";", "'>'", ""),
    (HEADER + ".entry k() { é: ret; }", 4, 14, "é", "ASCII", "comments"),
    (HEADER + ".entry k() { # foo\n ret; }", 4, 14, "#", "line marker", "#line"),
    (HEADER + ".entry k() { .branchtargets a; }", 4, 14, ".branchtargets", "label", "label"),
    (HEADER + ".entry k() { @p { ret; } }", 4, 17, "{", "instruction", "a single instruction"),
    (HEADER + ".entry k() { %r1 = 5; }", 4, 14, "%r1", "statement", "label"),
    (HEADER + ".entry k() { ret; ; }", 4, 19, ";", "statement", "';'"),
    (HEADER + ".entry k() { ret;\n.entry j() { ret; }", 5, 1, ".entry", "statement", "'}'"),
    (HEADER + ".section .x { .b8 1, }", 4, 20, ",", "debug data", ".b8"),
    (HEADER + ".section .x { .b8 1 ", 4, 13, "end of text", "section", "'}'"),
    (HEADER + ".pragma nounroll;", 4, 9, "nounroll", "string", '"nounroll"'),
    (HEADER + ".alias a b;", 4, 10, "b", "','", ""),
    (HEADER + "\0", 4, 1, "\0", "unexpected", ""),
    (HEADER + "// a\0b\n.entry k() { ret; }", 4, 5, "\0", "unexpected", ""),
]


@pytest.mark.parametrize(("text", "line", "column", "found", "message", "hint"), CASES)
def test_syntax_errors(text: str, line: int, column: int, found: str, message: str, hint: str) -> None:
    with pytest.raises(PtxSyntaxError) as caught:
        parse(text, "f.ptx")
    error = caught.value
    assert (error.position.line, error.position.column) == (line, column)
    assert error.position.file == "f.ptx"
    assert error.found == found
    assert error.expected
    assert message in error.message
    assert hint in error.hint
    assert str(error).startswith(f"f.ptx:{line}:{column}: error: ")


def test_scopes_too_deep_are_refused() -> None:
    with pytest.raises(PtxSyntaxError, match="too deeply"):
        parse(body("{" * 5000 + "}" * 5000))


@pytest.mark.parametrize("text", ["", "\n", "  \n"])
def test_no_caret_stands_under_nothing(text: str) -> None:
    with pytest.raises(PtxSyntaxError) as caught:
        parse(text)
    assert "^" not in str(caught.value)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    line = ".reg .b32 %r<3>; " + "add.s32 %r1, %r1, %r2; " * 500
    text = f".version 8.0\n.target sm_80\n.entry k() {{ {line} bad.s32 %r1; {line} }}\n"
    (found,) = weft.verify(weft.parse(text.replace(f"%r1; {line}", "%r1; ret;")))
    shown, caret = found.position.caret().split("\n")
    assert len(shown) < 250
    assert shown[caret.index("^") :].startswith("bad.s32")
