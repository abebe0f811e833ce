"""What is told of items of modules and of statements, whole: `told.txt`; and that ptxas refuses the same ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import weft
from tests.effort import one_in
from tests.isa.statements import module_of
from tests.told import Told, differing, groups, place_of, told
from tests.verifier.matrices.addresses import FRAMES
from tests.verifier.matrices.addresses import asked as asked_of
from weft.errors import PtxSyntaxError, ToolError
from weft.isa.target import Version
from weft.toolchain import Tool, assemble

FILE = Path(__file__).with_name("told.txt")
BODY = """\
.extern .shared .align 128 .b8 smem[]; .global .align 128 .b8 gmem[1024]; .const .align 16 .b8 cmem[64]; .shared .b32 sv;
.global .texref tex; .global .surfref surf; .global .b32 word;
.func (.param .b32 r) f1(.param .b32 a, .param .b64 b) { .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }
.func f0() { ret; } .func (.reg .b32 r) fr(.reg .b32 a) { mov.b32 r, a; ret; }
KERNEL
{
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<20>; .reg .f64 %fd<9>; .reg .b128 %q<3>;
.reg .u32 %u<9>; .reg .u16 %uh<9>; .reg .f16 %hf<9>; .reg .f16x2 %hx<9>; .reg .v4 .b32 %v<9>; .reg .v2 .f32 %vf; .reg .b8 %c<3>;
.local .align 16 .b8 lmem[64]; .param .align 16 .b8 pmem[16];
"""
PLACES = {
    "module": ("", "\n.visible .entry k()\n{ ret; }\n"),
    "program": ("", "\n.visible .entry k()\n{ ret; }\n"),
    "alone": ("", "\n"),
    "kernel": (BODY.replace("KERNEL", ".visible .entry k(.param .b64 kp0, .param .b32 kp1)"), "\nL1:\nret;\n}\n"),
    "function": (BODY.replace("KERNEL", ".visible .func (.param .b32 out) k(.param .b64 kp0)"), "\nL1:\nret;\n}\n"),
}
"""What is before and behind an input."""


def module(place: str, text: str) -> tuple[str, int]:
    """The module that an input stands in, and the lines before it; `9.0 sm_90a module` is a place."""
    if place.startswith("text"):
        return text, 0
    version, target, where = place.removesuffix(OTHERWISE).split()
    if where.startswith("operands"):  # What an operand of many kinds is, beside variables of all kinds.
        return asked_of(FRAMES[where == "operands-of-function"][0], text.rstrip(";")).text, 3
    if where == "statement":
        return module_of([text], target, Version(*map(int, version.split("."))))
    before, behind = PLACES[where]
    if version < "8.3":
        before = re.sub(r"\.reg \.(?:b128|f16x?2?) [^;]*;", "", before)
    size = ".address_size 64" if version >= "2.3" else ""
    head = f".version {version}\n.target {target.replace('+', ', ')}\n{size}\n{before}"
    return head + text + behind, head.count("\n")


def judge(place: str, text: str) -> list[str]:
    """The findings, or the syntax error."""
    whole, before = module(place, text)
    try:
        return [told(one, before) for one in weft.verify(weft.parse(whole))]
    except PtxSyntaxError as error:
        hint = f" | {error.hint}" if error.hint else ""
        return [f"{place_of(error.position, before)} syntax {error.found!r}: {error.message}{hint}"]


@pytest.mark.parametrize("some", groups(FILE), ids=lambda some: some[0].text[:40])
def test_what_is_told(some: list[Told]) -> None:
    assert differing(some, judge) == ""


OTHERWISE = ", where ptxas finds otherwise"


def takes(one: Told) -> bool:
    """Whether ptxas takes an input: a program as it is, and all else to be linked with others."""
    options = () if " program" in one.place else ("-c",)
    text = module(one.place, one.source)[0]
    name = re.search(r"\.target (sm_\d+[af]?)", text)
    number = int(re.sub(r"\D", "", name[1])) if name is not None else 0
    try:
        assemble(text, target=name[1] if name is not None and number >= 75 else "sm_75", options=options)
    except ToolError:
        return False
    return True


@pytest.mark.sample(1)
@pytest.mark.parametrize("some", groups(FILE), ids=lambda some: some[0].text[:40])
def test_ptxas_refuses_the_same(ptxas: Tool, some: list[Told]) -> None:
    refused = re.compile(r"[-\d:]+ (?:error|syntax) ")
    asked = [one for one in some[:: one_in(6)] if not one.place.endswith(OTHERWISE)]
    assert [one.text for one in asked if takes(one) is any(map(refused.match, one.said))] == []
