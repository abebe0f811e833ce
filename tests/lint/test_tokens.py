"""C++ in tokens: comments, directives and literals of all kinds, and where `asm` is."""

from __future__ import annotations

import pytest

from weft.lint import lint
from weft.lint.tokens import keywords, tokens


def told(text: str) -> str:
    """Each token behind the first letter of its kind; strings that are raw as `raw`."""
    found = list(tokens(text, 0))
    assert all(text.startswith(one.text, one.start) and one.end == one.start + len(one.text) for one in found)
    return " ".join(f"{'raw' if one.kind == 'raw' else one.kind[0]}:{one.text}" for one in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a _b $c d1", "w:a w:_b w:$c w:d1"),
        (
            "1 1'000 .5 0x1F 1e5 1.5f 3a'b 1e-5f 0x1p+3 1-2 1f-2",
            "n:1 n:1'000 n:.5 n:0x1F n:1e5 n:1.5f n:3a'b n:1e-5f n:0x1p+3 n:1 s:- n:2 n:1f s:- n:2",
        ),
        ("'a' '\\'' u'x' u8'y' LU'z' 'ab'", "c:'a' c:'\\'' c:u'x' c:u8'y' w:LU c:'z' c:'ab'"),
        ('"a\\"b" u8"c" L"d" U"e" u"f" x"g"', 's:"a\\"b" s:u8"c" s:L"d" s:U"e" s:u"f" w:x s:"g"'),
        ('R"(a"b)" u8R"x(c)")x" LR"(d)"', 'raw:R"(a"b)" raw:u8R"x(c)")x" raw:LR"(d)"'),
        ("a::b->c##d - > : #", "w:a s::: w:b s:-> w:c s:## w:d s:- s:> s:: s:#"),
        ("a // b\nc // d \\\n e\nf", "w:a w:c w:f"),
        ("a /* b\nc */ d /* e", "w:a w:d"),
        ("a \\\n b \\\r\n c", "w:a w:b w:c"),
        ("#if A\nb\n  # else \\\n c\nd #if", "d:#if A w:b d:  # else \\\n c w:d s:# w:if"),
        ("#error it's\na", "w:a"),
        ("#warning it's\na", "w:a"),
        ('#include "a\nb', "w:b"),
        ("# include <a'b>\nb", "w:b"),
        ("#line 3 'a\nb", "w:b"),
        ("\t#\tpragma it's \\\n more\na", "w:a"),
        ("#errors it's\na", "d:#errors it's w:a"),
        ("#define X 'a'\nb", "d:#define X 'a' w:b"),
    ],
)
def test_tokens(text: str, words: str) -> None:
    assert told(text) == words


@pytest.mark.parametrize("text", ["// a \\\n b\nx", "#pragma a \\\n b\nx", '"a\\\nb"', "#if a \\\n b\nx"])
def test_lines_that_go_on(text: str) -> None:
    """As they do with the line ends of Windows."""
    assert told(text.replace("\n", "\r\n")).replace("\r\n", "\n").replace("\r", "") == told(text)


def test_tokens_from_a_place_on() -> None:
    assert [(one.text, one.start) for one in tokens("a b c", 2)] == [("b", 2), ("c", 4)]


@pytest.mark.parametrize(
    ("text", "bodies"),
    [
        ("asm", [-1]),
        ("asm __asm__ __asm xasm asmx __asm___ $asm", [-1, -1, -1]),
        ('// asm\n/* asm */ "asm" \'asm\' R"(asm)" R"x(asm)" asm)x" asm', [-1]),
        ("#error it's asm\n#warning ' asm\n#include 'asm\n#line ' asm\n#pragma ' asm\nasm", [-1]),
        ("#define F asm", [-1]),
        ("1'0 asm 1'000'000 asm", [-1, -1]),
        ("void f() { asm }", [9]),
        ("void f() const noexcept -> A<B&*> { { asm } } asm", [34, -1]),
        ("void f(\n) \\\n { asm }", [13]),
        ("namespace n { asm void f() { asm } }", [-1, 27]),
        ("struct S { void f() { if (a) { asm } } void g() { asm } };", [20, 48]),
        ("int x[] = { asm };", [-1]),
        ("} void f() { asm }", [11]),
        (f"void f() {'const ' * 32}{{ asm }}", [201]),
        (f"void f() {'const ' * 34}{{ asm }}", [-1]),
        ("/* asm", []),
        ('"asm\nasm', [-1, -1]),
        ('R"(asm', []),
    ],
)
def test_where_assembly_begins(text: str, bodies: list[int]) -> None:
    """Neither in comments nor in literals; with the brace of the outermost body around it that is a function's."""
    found = list(keywords(text))
    assert all(text.startswith(("asm", "__asm"), one.start) for one in found)
    assert [one.function for one in found] == bodies


@pytest.mark.parametrize("margin", ["", "  ", "\t"])
def test_conditionals_inside_of_a_statement(margin: str) -> None:
    """Both ways are judged, however far in the directives stand."""
    lines = ("#if A", '  "bra nowhere;"', "#else", '  "bra there;"', "#endif")
    text = "\n".join(margin + line if line[0] == "#" else line for line in lines)
    found = lint(f"void f() {{\n  asm(\n{text}\n  );\n}}\n", "k.cu").findings
    assert [(one.line, one.code) for one in found] == [(4, "label"), (6, "label")]
