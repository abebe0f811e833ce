"""Headers, variables, parameters and functions: our verdict beside ptxas's."""

from __future__ import annotations

import re
from itertools import product

import pytest

import weft
from weft.errors import PtxSyntaxError, Severity, ToolError
from weft.isa.types import TYPES
from weft.toolchain import Tool, assemble

HEADER = ".version 9.0\n.target sm_90a\n.address_size 64\n"
KERNEL = "\n.visible .entry k()\n{ ret; }\n"

ITEMS = """\
declaration     .common .shared .b32 g;
declaration     .shared .b32 s = 5;
declaration     .extern .global .b32 g = 5;
declaration     .local .b32 l;
declaration     .param .b32 p;
declaration     .global .pred p;
declaration     .global .align 3 .b32 g;
declaration     .global .b32 g[];
declaration     .global .b32 g[0];
declaration     .shared .b8 s[];
declaration     .global .v4 .f64 g;
declaration     .const .attribute(.managed) .b32 g;
declaration     .global .samplerref s;
declaration     .tex .u32 t;
declaration     .func (.param .b32 r, .param .b32 s) f() { ret; }
declaration     .entry e(.reg .b32 a) { ret; }
declaration     .entry e(.param .v4 .b32 a) { ret; }
declaration     .entry e(.param .b8 a[]) { ret; }
declaration     .entry e(.param .pred p) { ret; }
declaration     .entry e(.param .f16x2 p) { ret; }
declaration     .extern .func f() { ret; }
redeclared      .global .b32 g; .global .b32 g;
redeclared      .entry e(.param .b32 p, .param .b32 p) { ret; }
redeclared      .entry k() { ret; }
redeclared      .func f(.param .b32 a); .func f(.param .b64 a) { ret; }
redeclared      .func f() { .reg .b32 %r<3>; .reg .b32 %r1; ret; }
redeclared      .func f() { .reg .b32 %r1; .reg .b32 %r<3>; ret; }
directive       .entry e() .maxnreg 0 { ret; }
directive       .entry e() .reqntid 128, 0, 1 { ret; }
window          .entry e() .maxnctapersm 2 { ret; }
-               .common .global .b32 g;
-               .global .align 2 .b32 g;
-               .global .b32 g[] = {1, 2};
-               .global .b32 g[2][2] = {{1, 2}, {3, 4}};
-               .global .v4 .b32 g;
-               .global .b128 g;
-               .global .attribute(.managed) .b32 g;
-               .global .texref t;
-               .extern .shared .b8 s[];
-               .func f(.reg .pred p) { ret; }
-               .func f(.param .b8 a[]) { ret; }
-               .func f() .abi_preserve 4 { ret; }
-               .func f(.param .b32 a); .func f(.param .b32 b) { ret; }
-               .func f() { .reg .b32 %r<3>; { .reg .b64 %r1; } ret; }
-               .func f() .noreturn { exit; }
""".splitlines()

TARGETS = {
    "sm_90a, texmode_unified": None,
    "sm_90a, texmode_independent": None,
    "sm_90a, texmode_unified, texmode_independent": "target",
    "sm_90a, foo": "target",
    "sm_90a, map_f64_to_f32": "target",
    "sm_90, a": "target",
    "sm_90a, debug": "target",
}


def codes(text: str) -> list[str]:
    return [d.code for d in weft.verify(weft.parse(text)) if d.severity is Severity.ERROR]


def accepted(text: str, *options: str) -> bool:
    try:
        assemble(text, target="sm_90a", options=options)
    except ToolError:
        return False
    return True


@pytest.mark.sample(5)
@pytest.mark.parametrize("case", ITEMS, ids=lambda case: case.split(None, 1)[1][:48])
def test_items(ptxas: Tool, case: str) -> None:
    code, item = case.split(None, 1)
    text = HEADER + item + KERNEL
    assert codes(text) == ([] if code == "-" else [code])
    assert accepted(text) == (code == "-")


@pytest.mark.parametrize(("words", "code"), TARGETS.items())
def test_target_lines(ptxas: Tool, words: str, code: str | None) -> None:
    text = f".version 9.0\n.target {words}\n.address_size 64\n{KERNEL}"
    assert codes(text) == ([code] if code else [])
    assert accepted(text) == (code is None)


@pytest.mark.parametrize(
    "item", [".common .func f() { ret; }", ".visible .visible .global .b32 g;", ".global .v3 .b32 g;"]
)
def test_what_is_no_syntax(ptxas: Tool, item: str) -> None:
    text = HEADER + item + KERNEL
    assert not accepted(text)
    try:
        assert codes(text)
    except PtxSyntaxError as error:
        assert error.position.line == 4


PLACES = (
    ".func n{n}(.reg {d} r) {{ ret; }}", ".func n{n}(.param {d} r) {{ ret; }}", ".global {d} n{n};", ".shared {d} n{n};",
    ".func n{n}() {{ .reg {d} r; ret; }}", ".func n{n}() {{ .local {d} r; ret; }}", ".entry n{n}(.param {d} r) {{ ret; }}",
)  # fmt: skip


def test_vectors_of_every_type_in_every_place(ptxas: Tool) -> None:
    """How long they may be, by one answer of ptxas, which dies of `.bf16` and `.v8`."""
    types = [name for name in TYPES if re.fullmatch(r"pred|b128|[busf](8|16|32|64)|f16x2", name)]
    declared = [f".{vector} .{name}" for name in types for vector in ("v2", "v4")]
    items = [place.format(n=n, d=d) for n, (place, d) in enumerate(product(PLACES, declared))]
    text, first = HEADER + "\n".join(items) + "\n", HEADER.count("\n") + 1
    with pytest.raises(ToolError) as refused:
        assemble(text, target="sm_90a")
    theirs = {items[int(line) - first] for line in re.findall(r"line (\d+); error", refused.value.output)}
    found = [each for each in weft.verify(weft.parse(text)) if each.severity is Severity.ERROR]
    assert {items[each.position.line - first] for each in found} == theirs
    assert len(items) / 4 < len(theirs) < len(items) / 2
