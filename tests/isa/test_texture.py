"""Textures and surfaces: windows, refusals, coordinates."""

from __future__ import annotations

import pytest

import weft
from tests.isa.edges import check_edges, check_illegal
from tests.isa.statements import module_of, refusals
from weft.errors import Severity
from weft.isa import decode
from weft.isa.target import NEWEST
from weft.toolchain import Tool

STEMS = ("tex", "tld4", "txq", "suld", "sust", "sured", "suq")


@pytest.mark.sample(2)
@pytest.mark.parametrize("stem", STEMS)
def test_windows_begin_where_ptxas_says(ptxas: Tool, stem: str) -> None:
    check_edges(stem, per_form=3)


def test_ptxas_refuses_what_the_table_does(ptxas: Tool) -> None:
    assert sum(check_illegal(stem, per_form=5) for stem in STEMS) > 50


RESULT = "{%f1, %f2, %f3, %f4}"
CHECKED = [
    (f"tex.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6}}];", True),
    (f"tex.2d.v4.f32.f32 {RESULT}|%p1, [%rd1, {{%f5, %f6}}];", True),
    (f"tex.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6}}], {{%r1, %r2}}, %f7;", True),
    (f"tex.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5}}];", False),
    (f"tex.1d.v4.f32.f32 {RESULT}, [%rd1, %f5];", True),
    (f"tex.3d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6, %f7}}];", False),
    (f"tex.3d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6, %f7, %f8}}], %f9;", False),
    (f"tex.cube.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6, %f7, %f8}}], %f9;", True),
    (f"tex.a2d.v4.f32.f32 {RESULT}, [%rd1, {{%r1, %f6, %f7, %f8}}];", True),
    (f"tex.a2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6, %f7, %f8}}];", False),
    (f"tex.level.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6}}], %f7;", True),
    (f"tex.level.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6}}];", False),
    (f"tex.grad.2d.v4.f32.f32 {RESULT}, [%rd1, {{%f5, %f6}}], {{%f7, %f8}}, {{%f9, %f10}};", True),
    ("suld.b.2d.v2.b32.clamp {%r1, %r2}, [%rd1, {%r3, %r4}];", True),
    ("suld.b.2d.b8.clamp %h1, [%rd1, {%r3, %r4}];", True),
    ("suld.b.2d.v4.b64.clamp {%rd1, %rd2, %rd3, %rd4}, [%rd1, {%r3, %r4}];", False),
    ("sust.p.1d.b32.trap [%rd1, {%r3}], %r1;", True),
    ("sured.b.min.1d.s64.zero [%rd1, {%r3}], %rd2;", True),
]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("text", "accepted"), CHECKED)
def test_operands_decide(ptxas: Tool, text: str, accepted: bool) -> None:
    assert (refusals([text], "sm_90", NEWEST) == {}) is accepted
    module = weft.parse(module_of([text], "sm_90", NEWEST)[0])
    errors = [d for d in weft.verify(module) if d.severity is Severity.ERROR]
    assert (errors == []) is accepted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tex.cube.v4.f32.s32", "cube textures have float coordinates"),
        ("tex.2dms.v4.f32.f32", "multisampled textures have integer coordinates"),
        ("tex.2d.v2.f32.f32", "it needs '.v4'"),
        ("suld.p.2d.b32.trap", "'.p' is not a modifier of 'suld'"),
        ("sust.p.2d.b16.trap", "it needs '.b32'"),
        ("sured.b.and.1d.u32.trap", "it needs '.b32'"),
    ],
)
def test_explanations(text: str, said: str) -> None:
    problem = decode(text).problem
    assert problem is not None
    assert said in problem.message
