"""What an editor sees of a text: every declaration with all of its facts, and all that means each."""

from __future__ import annotations

import re

import pytest

from tests.ptx.test_renames import OF_F, OF_MODULE, PLAIN, TEXT
from weft.ptx.occurrences import Occurrences

BODY = """{
	.reg .b32 %r<4>, t, %z<0x4>, %o<010>, %half<1.5>; .reg .v4 .f32 %v;
	.local .b8 l[4];
LOOP: @!%p bra.uni LOOP;
	{ .param .b32 q; call (q), other, (q), proto; }
	.pragma "nounroll";
	ld .global.u32 %z1, [g+4]; // note
	table: .branchtargets LOOP, $L;
	proto: .callprototype (.param .b32 _) _ (.param .b64 _);
$L:	mov.b32 %r2, {%v.x, _, %o7, %o8, %laneid};
	@ ! %r1 ret;
}"""
HEAD = ".weak .func (.reg .b32 %out, .param .b32 o) f (.reg .v2 .b32 %in, .param .align 8 .b8 p[16]) .noreturn"
VARIABLES = ".visible .global .align 4 .u32 g[2] = {1, 2}, h = g;"
REGISTERS = ".reg .b32 %r<4>, t, %z<0x4>, %o<010>, %half<1.5>;"
KERNEL = ".entry k { add.u32 a, b, WARP_SZ; }"
MODULE = f""".version 8.0
.target sm_80
.alias other, f;
{VARIABLES}
.extern .shared .align 16 .b8 s[];
.tex .u32 s2;
{HEAD}
{BODY}
.extern .func decl(.param .b32 a);
{KERNEL}
.section .debug_info {{ LOOP: .b32 g }}
.entry last()
"""
DECLARED = [
    ("other", "function", ".alias", 0, ".alias other, f;", ""),
    ("g", "variable", ".visible .global .align 4 .u32", 0, VARIABLES, ""),
    ("h", "variable", ".visible .global .align 4 .u32", 0, VARIABLES, ""),
    ("s", "variable", ".extern .shared .align 16 .b8", 0, ".extern .shared .align 16 .b8 s[];", ""),
    ("s2", "variable", ".tex .u32", 0, ".tex .u32 s2;", ""),
    ("f", "function", ".func", 0, f"{HEAD}\n{BODY}", ""),
    ("%out", "register", ".reg .b32", 0, ".reg .b32 %out", "f"),
    ("o", "parameter", ".param .b32", 0, ".param .b32 o", "f"),
    ("%in", "register", ".reg .v2 .b32", 0, ".reg .v2 .b32 %in", "f"),
    ("p", "parameter", ".param .align 8 .b8", 0, ".param .align 8 .b8 p[16]", "f"),
    ("%r", "register", ".reg .b32", 4, REGISTERS, "f"),
    ("t", "register", ".reg .b32", 0, REGISTERS, "f"),
    ("%z", "register", ".reg .b32", 4, REGISTERS, "f"),
    ("%o", "register", ".reg .b32", 8, REGISTERS, "f"),
    ("%half", "register", ".reg .b32", 0, REGISTERS, "f"),
    ("%v", "register", ".reg .v4 .f32", 0, ".reg .v4 .f32 %v;", "f"),
    ("l", "variable", ".local .b8", 0, ".local .b8 l[4];", "f"),
    ("LOOP", "label", "", 0, "LOOP", "f"),
    ("q", "variable", ".param .b32", 0, ".param .b32 q;", "f"),
    ("table", "table", ".branchtargets", 0, "table: .branchtargets LOOP, $L;", "f"),
    ("proto", "table", ".callprototype", 0, "proto: .callprototype (.param .b32 _) _ (.param .b64 _);", "f"),
    ("$L", "label", "", 0, "$L", "f"),
    ("decl", "function", ".func", 0, ".extern .func decl(.param .b32 a);", ""),
    ("a", "parameter", ".param .b32", 0, ".param .b32 a", "decl"),
    ("k", "kernel", ".entry", 0, KERNEL, ""),
    ("last", "kernel", ".entry", 0, ".entry last()", ""),
]  # fmt: skip
OPCODES = ["bra.uni", "call", "ld .global.u32", "mov.b32", "ret", "add.u32"]
UNKNOWN = ["%p", "%o8", "a", "b", "WARP_SZ"]


def word(text: str, at: int) -> str:
    """The name at an offset; none at -1."""
    match = re.compile(r"\w+").match(text, at) if at >= 0 else None
    return match[0] if match is not None else ""


def test_every_declaration_with_its_facts() -> None:
    found = Occurrences(MODULE)
    facts = [
        (one.name, one.kind, one.words, one.count, MODULE[slice(*one.whole)], word(MODULE, one.function))
        for one in found.declared
    ]
    assert facts == DECLARED
    assert all(MODULE[one.start : one.end] == one.name for one in found.declared)
    assert [one.type for one in found.declared] == [words.rpartition(" ")[2] for _, _, words, *_ in DECLARED]
    assert [MODULE[one.start : one.end] for one in found.opcodes] == OPCODES
    assert [one.opcode for one in found.opcodes] == [text.replace(" ", "") for text in OPCODES]
    unknown = [MODULE[use.start : use.end] for use in found.uses if use.declared is None]
    assert unknown == UNKNOWN


@pytest.mark.parametrize("name", [*OF_MODULE, *OF_F, "inner"])
def test_all_that_means_a_declaration(name: str) -> None:
    found = Occurrences(PLAIN)
    parts = re.split(r"<([A-Za-z]\w*)>", TEXT.partition(".section")[0])
    marked, at = list[int](), 0
    for number, part in enumerate(parts):
        if number % 2 and part == name:
            marked.append(at)
        at += len(part)
    declared = next(one for one in found.declared if one.start in marked)
    uses = [use.start for use in found.of(declared, name)]
    assert uses == marked
    assert {use.end - use.start for use in found.of(declared, name)} == {len(name)}


def test_registers_of_a_range() -> None:
    found = Occurrences(PLAIN)
    declared = next(one for one in found.declared if one.name == "%a" and one.count == 4)
    names = [PLAIN[use.start : use.end] for use in found.of(declared, "%a")]
    written = re.findall(r"%a\d*", PLAIN.partition(".alias")[0].partition("(.param")[2])
    assert names == written
    assert [PLAIN[use.start : use.end] for use in found.of(declared, "%a1")] == [
        n for n in written if n in ("%a", "%a1")
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (".func f\n{ .reg .b32 a\n.reg .b32 b;\n}", "f a b"),
        (".func f(.param .b32 x\n.func g() { L: ret; }", "f x g L"),
        (".func f(.param .b32 x\n.visible .entry g() { L: ret; }", "f x g L"),
        (".func f\n{ add.u32 a, b\n@p bra L;\nL: ret; }", "f L"),
        (".func f\n{ add.u32 a, b\n.reg .b32 c;\nL: ret; }", "f c L"),
        (".func f\n{ add.u32 a, b }\n.func g() { ret; }", "f g"),
        (".func f\n{ t: .branchtargets", "f t"),
        (".func f\n{ { { } } } .func g\n{ M: }", "f g M"),
        ("} .func f {", "f"),
        (".func", ""),
        (".reg", ""),
        (".alias", ""),
        (".alias a", "a"),
        (".section .x { f: .b8 1 } .func g() { ret; }", "g"),
        (".section .x { f: .b8 1", ""),
        (".global .b32 a = {b, c}, d[2] = {e}, h;", "a d h"),
        (".global .align 8 .b32 a; .global .v2 .f32 b;", "a b"),
        (".func f() { .reg .b32 %a<, %b; }", "f %a %b"),
        (".maxntid 3 .func f", "f"),
    ],
)  # fmt: skip
def test_what_unfinished_texts_declare(text: str, names: str) -> None:
    assert [one.name for one in Occurrences(text).declared] == names.split()
