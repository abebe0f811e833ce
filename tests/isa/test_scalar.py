"""The scalar families against ptxas: products of their modifiers, legal or not, at several targets and versions."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator, Mapping
from itertools import islice, product

import pytest

import weft
from tests.isa.statements import module_of, refusals, statement
from weft.errors import IsaError, Severity
from weft.isa import decode, opcode
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, Version
from weft.isa.types import TYPES
from weft.toolchain import Tool

FILES = (
    *("add", "multiply", "divide", "transcendental", "minmax", "logic", "shift", "bits"),
    *("select", "compare", "move", "convert", "video"),
)
POINTS = (
    ("sm_50", Version(6, 0)),
    ("sm_75", Version(6, 5)),
    ("sm_80", Version(7, 0)),
    ("sm_89", Version(7, 8)),
    ("sm_90a", Version(8, 0)),
    ("sm_90a", NEWEST),
    ("sm_100a", Version(8, 6)),
    ("sm_103a", NEWEST),
    ("sm_107f", NEWEST),
    ("sm_120a", Version(9, 1)),
)
SAMPLE = 250
"""Spellings tried of one form."""


def stems_of(file: str) -> list[str]:
    module = importlib.import_module(f"weft.isa.table.{file}")
    return [family.stem for family in module.FAMILIES]


def all_slots(form: CompiledForm, rng: random.Random) -> Iterator[Mapping[str, str]]:
    """Every combination of a form's tokens, legal or not, in random order when there are many."""
    choices = [(*element.tokens, *([""] if element.optional else [])) for element in form.elements]
    names = [element.slot for element in form.elements]
    for tokens in sampled(choices, rng):
        yield {name: token for name, token in zip(names, tokens, strict=True) if name}


def sampled(choices: list[tuple[str, ...]], rng: random.Random) -> Iterator[tuple[str, ...]]:
    everything = list(islice(product(*choices), 200_000))
    rng.shuffle(everything)
    yield from everything[:SAMPLE]


def spellings(stem: str) -> list[str]:
    """Statements with the products of a family's modifiers; the operands fit the form that they were made from."""
    rng = random.Random(stem)
    made = (statement(form, slots, rng) for form in compiled_forms(stem) for slots in all_slots(form, rng))
    return list(dict.fromkeys(s.text for s in made if s is not None and not s.text.startswith("mov.b128")))


def our_refusals(statements: list[str], target: str, version: Version) -> dict[int, str]:
    text, before = module_of(statements, target, version)
    found = weft.verify(weft.parse(text), target=target, version=str(version))
    return {d.line - before - 1: d.message for d in found if d.severity is Severity.ERROR}


@pytest.mark.sample(1)
@pytest.mark.parametrize("file", FILES)
def test_verdicts_are_those_of_ptxas(file: str, ptxas: Tool) -> None:
    statements = [text for stem in stems_of(file) for text in spellings(stem)]
    assert statements
    for target, version in POINTS:
        theirs, ours = refusals(statements, target, version), our_refusals(statements, target, version)
        false_alarms = {statements[i]: ours[i] for i in ours.keys() - theirs.keys()}
        misses = {statements[i]: theirs[i] for i in theirs.keys() - ours.keys()}
        assert false_alarms == {}, f"{target} {version}"
        assert misses == {}, f"{target} {version}"


def test_four_narrow_floats(ptxas: Tool) -> None:
    statements = ["add.rn.satfinite.e4m3x4.e2m1x4 %r1, %h1, %r2;", "mul.e5m2x4.ue8m0x4.e2m1p4x4 %r1, %r2, %r3;"]
    for target, legal in (("sm_103a", True), ("sm_107a", False)):
        assert (refusals(statements, target, NEWEST) == {}) == legal
        assert (our_refusals(statements, target, NEWEST) == {}) == legal


@pytest.mark.sample(27)
@pytest.mark.parametrize("stem", [stem for file in FILES for stem in stems_of(file)])
def test_spelling_and_decoding_are_inverse(stem: str) -> None:
    rng = random.Random(stem)
    for form in compiled_forms(stem):
        for slots in all_slots(form, rng):
            if not form.windows(slots):
                continue
            text = form.spell(slots)
            found = decode(text)
            assert found.valid and found.text == text and found.canonical
            assert any(dict(variant.slots) == dict(slots) for variant in found.variants)
            tokens = text[len(stem) + 1 :].split(".")
            types_first = sorted(tokens, key=lambda token: 0 if token in form.leading else 1 + (token not in TYPES))
            assert decode(".".join([stem, *types_first])).text == text


def test_every_family_says_what_it_is() -> None:
    for file in FILES:
        for stem in stems_of(file):
            family = compiled_forms(stem)[0].family
            assert family.summary.endswith(".") and family.manual


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("add.rn.s32", ("'.rn'",)),
        ("add.f33", ("'.f33'", "add")),
        ("mul.s32", ("lacks", ".lo", ".hi", ".wide")),
        ("mul.wide.s64", ("mul.wide.s64", "needs")),
        ("fma.f32", ("lacks", ".rn")),
        ("setp.lo.f32", (".f32", "compare with", ".ltu")),
        ("setp.lt.b32", (".b32", "compare with", ".eq")),
        ("min.xorsign.f32", (".xorsign needs .abs",)),
        ("cvt.f32.f64", ("cvt.f32.f64", "needs", ".rn")),
        ("cvt.rn.f32.f32", ("cvt.rn.f32.f32",)),
        ("cvt.rn.ftz.f64.s32", (".ftz needs .f32",)),
        ("cvt.sat.u32.u8", (".sat has nothing to clip",)),
        ("vadd2.s32.s32.s32.sat.add", (".sat and .add cannot be combined",)),
        ("fma.rn.ftz.oob.f16", (".oob cannot be combined with .ftz",)),
        ("shl.s32", ("'.s32'",)),
        ("ex2.approx.ftz.f16", ("ex2.approx.ftz.f16", "no '.ftz'")),
    ],
)
def test_wrong_modifiers_are_explained(text: str, parts: tuple[str, ...]) -> None:
    problem = decode(text).problem
    assert problem is not None
    said = f"{problem.message} {problem.hint}"
    assert all(part in said for part in parts), said


def test_selection_by_slots() -> None:
    assert opcode("add", type="s32").text == "add.s32"
    assert opcode("add", type="f32", rnd="rn", ftz=True).text == "add.rn.ftz.f32"
    assert opcode("mul", mode="wide", type="u16").text == "mul.wide.u16"
    assert opcode("div", rnd="full", type="f32").text == "div.full.f32"
    assert opcode("cvt", rnd="rn", satfinite=True, type="e4m3x2", atype="f32").text == "cvt.rn.satfinite.e4m3x2.f32"
    assert opcode("setp", cmp="lt", boolop="and", type="s32").text == "setp.lt.and.s32"
    with pytest.raises(IsaError, match="not a legal combination"):
        opcode("mul", mode="wide", type="s64")


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("statement", "accepted"),
    [
        ("cvt.u32.u8 %r1, %rd1;", True),
        ("cvt.rzi.s32.bf16 %rd1, %h1;", False),
        ("cvt.rzi.s8.bf16 %c1, %h1;", True),
        ("cvt.rzi.s8.bf16 %h1, %h2;", False),
        ("cvt.rn.f16.f32 %r1, %f1;", True),
        ("cvt.rn.bf16.f32 %r1, %f1;", False),
        ("mov.b32 %r1, {%h1, %h2};", True),
        ("mov.b64 {%h1, _, %h2, _}, %rd1;", True),
        ("mov.b32 {%r1, %r2}, %rd1;", False),
        ("mov.u32 %r1, {%h1, %h2};", False),
        ("mov.u16 %h1, %tid.x;", True),
        ("mov.u32 %r1, %gridid;", True),
        ("mov.u32 %r1, %clock64;", False),
        ("mov.v4.u32 {%r1, _, %r2, %r3}, %tid;", True),
        ("mov.v4.f32 {%r1, %r2, %r3, %r4}, %tid;", False),
        ("mov.b64 {%r1, %r2}, %clock64;", True),
        ("mov.b32 _, %r1;", False),
        ("add.s32 %r1, %tid.x, 1;", False),
        ("add.s32 %r1, 3+4, 1;", True),
        ("bfe.u32 %r1, %r2, 255, 0;", True),
        ("bfe.u32 %r1, %r2, 256, 0;", False),
        ("clmad.lo.u64 %rd1, %rd2, 5, %rd4;", True),
        ("cvt.u16.u32 %h1, %laneid;", True),
        ("cvt.rn.f32.u32 %f1, %laneid;", False),
        ("add.f32 %f1, %f2, 1;", False),
        ("add.f32 %f1, %f2, 0f3F800000;", True),
        ("add.f16 %h1, %h2, 1.0;", False),
        ("add.u16x2 %r1, %r2, 5;", False),
        ("and.b32 %r1, %f1, 1;", True),
        ("and.pred %p1, !%p2, 1;", True),
        ("selp.b32 %r1, 1, 0, !%p1;", True),
        ("shl.b64 %rd1, %rd2, %r1;", True),
        ("shl.b64 %rd1, %rd2, %rd3;", False),
        ("popc.b64 %r1, %rd1;", True),
        ("popc.b64 %rd2, %rd1;", False),
        ("lop3.and.b32 _|%p1, %r1, %r2, %r3, 128, !%p2;", True),
        ("lop3.b32 %r1, %r2, %r3, %r4, %r5;", False),
        ("setp.lt.f16 %p1|%p2, %h1, %h2;", False),
        ("setp.eq.s32 _|%p1, %r1, 0;", True),
        ("mul.wide.u32 %rd1, %r1, %r2;", True),
        ("mul.wide.u32 %r3, %r1, %r2;", False),
        ("vadd.s32.s32.s32 %r1.b2, %r2.h1, %r3.b0, %r4;", True),
        ("vadd.s32.s32.s32 %r1.b2, %r2, %r3;", False),
        ("vadd2.s32.s32.s32 %r1.h10, %r2.h32, %r3, %r4;", True),
        ("vadd4.s32.s32.s32 %r1.b01, %r2, %r3, %r4;", False),
        ("vmad.s32.s32.u32 %r1, -%r2.h0, %r3, %r4;", True),
        ("vadd.s32.s32.s32 %r1, -%r2, %r3;", False),
    ],
)
def test_operands_are_judged_as_ptxas_does(statement: str, accepted: bool, ptxas: Tool) -> None:
    assert (refusals([statement], "sm_100a", NEWEST) == {}) == accepted
    assert (our_refusals([statement], "sm_100a", NEWEST) == {}) == accepted
