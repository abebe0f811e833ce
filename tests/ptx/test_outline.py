"""Bodies that nobody has read against the same bodies read at once: the same modules, errors, findings and places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

import weft
from tests import told
from tests.fuzz.entries import changed, statements
from tests.verifier import test_told
from weft.errors import PtxSyntaxError
from weft.ptx import parser

_HEADER = ".version 9.0\n.target sm_100a\n.address_size 64\n"
_HEAD = """.global .align 16 .b32 gg[64];
.func (.param .b32 fr) f(.param .b32 fa);
.visible .entry k{number}(.param .u64 p0, .param .u32 p1)
{{
.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
"""
_MORE = (
    "add.s32 %r1, %r2, %r3;",
    "@%p1 bra $L__BB0_1;",
    "$L__BB0_1: mov.u32 %r5, 7;",
    "$L__BB0_2:\n",
    "bra $Lt_0_12;",
    "$Lt_0_12:\n",
    "{ .reg .pred p; setp.eq.s32 p, %r1, %r2; @p add.s32 %r3, %r4, %r5; }",
    "{ .reg .pred %p1; .reg .pred %p2; setp.eq.s32 %p1, %r1, %r2; @%p1 mov.u32 %r9, 1; }",
    "{ // callseq 0, 0\n.param .b32 p; st.param.b32 [p], %r1; .param .b32 r; call (r), f, (p); ld.param.b32 %r2, [r]; } //x\n",
    "vote.ballot.sync.b32 %r1, %p1, %r2;",
    "{ .reg .pred q; setp.ne.u32 q, %r1, 0; vote.ballot.sync.b32 %r2, q, -1; }",
    ".loc 1 5 3\n",
    ".loc 1 7 3, function_name $L__info_string0, inlined_at 1 5 3\n",
    "mov.f32 %f1, 0f3F800000; mov.f64 %fd1, 0d3FF0000000000000;",
    "ld.global.u32 %r1, [%rd1+16]; st.shared.v2.b32 [%r1+-8], {%r2, %r3};",
    "mov.u32 %r1, %tid.x; mov.u64 %rd1, %clock64; mov.u32 %r1, %pm1;",
    "mov.u64 %rd1, gg; ld.param.u64 %rd2, [p0];",
    '.pragma "nounroll";',
    '// a comment; with {braces} and "quotes"\n',
    "/* another; one } */",
    ".reg .b32 %x<4>;",
    ".reg .b32 %r5;",
    "{ L: bra L; }",
    "bra.uni $L__BB0_2;",
    "ret;",
)


def answers(text: str) -> tuple[object, ...]:
    """Everything that a module says: its error, or statements with places, text and findings."""
    try:
        module = weft.parse(text)
    except PtxSyntaxError as error:
        return ("error", str(error))
    findings = sorted(found.render() for found in weft.verify(module))
    ends = [(function.name, function.end) for function in module.functions]
    places = [(type(s).__name__, getattr(s, "pos", 0)) for function in module.functions for s in function.walk()]
    return findings, ends, places, module.to_ptx()


def put_off(patch: pytest.MonkeyPatch, *, shapes: bool) -> None:
    """Have bodies read when looked at: known by the shapes of their statements, or by one pattern."""
    patch.setattr(parser, "TINY", 0)
    if shapes:
        patch.setattr(parser, "SMALL", 0)


def check_both(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module whose bodies are read when looked at says what one says that is read at once."""
    early = answers(text)
    for shapes in (False, True):
        with monkeypatch.context() as patch:
            put_off(patch, shapes=shapes)
            assert answers(text) == early, text


def bodies(seed: int, count: int) -> Iterator[str]:
    """Random modules of real statements, some of them changed."""
    chance = random.Random(seed)
    pool = [*statements(), *_MORE * 20]
    for _ in range(count):
        text = _HEADER
        for number in range(chance.choice((1, 1, 2))):
            lines = chance.choices(pool if chance.random() < 0.5 else _MORE, k=chance.randrange(12))
            if chance.random() < 0.4 and lines:
                at = chance.randrange(len(lines))
                lines[at] = changed(lines[at], pool, chance)
            text += _HEAD.format(number=number) + "\n".join(lines) + chance.choice(("\nret;\n}\n", "\n}\n", "ret;}"))
        yield text


def test_random_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in bodies(0, 150):
        check_both(text, monkeypatch)


_CALL = (
    "{ // callseq\n.param .b32 q; st.param.b32 [q+0], %r1; .param .b32 s; call (s), f, (q); ld.param.b32 %r2, [s+0]; }"
)


@pytest.mark.parametrize(
    "call", [_CALL, _CALL.replace("(q)", "(q, q)"), _CALL.replace("%r1", "%rd1"), _CALL.replace("f,", "g,")]
)
@pytest.mark.parametrize(
    "behind", ["add.f32 %f1, %r1, %rd2;", "add.s32 %r1, %r2, 0f3F800000;", _CALL, "mov.b32 %q1, 7;", ""]
)
def test_scopes_with_calls(call: str, behind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong in a scope with a call, or behind it, is found where it stands."""
    check_both(_HEADER + _HEAD.format(number=0) + f"{call} // end\n{behind}\n{call}\nret;}}", monkeypatch)


_PASSING = ".param .b32 p; .param .b32 s; st.param.b32 [p], %r1;"
_ODD = (
    "{ .local .b32 v; st.local.b32 [v], %r1; }",
    "{ .shared .b32 v; st.shared.b32 [v], %r1; }",
    "{ .param .b32 %q; st.param.b32 [%q], %r1; call (%q), f, (%q); }",
    "{ .param .b32 $q1; st.param.b32 [$q1], %r1; call ($q1), f, ($q1); }",
    "{ .param .b32 a<3>; st.param.b32 [a1], %r1; call (a2), f, (a1); }",
    f"{{ {_PASSING} call (s), f+4, (p); }}",
    f"{{ {_PASSING} call (s), f+0, (p); }}",
    f"{{ {_PASSING} call (s), %rd1, (p); }}",
    f"{{ {_PASSING} call (s), p, (p); }}",
    f"{{ {_PASSING} @q call (s), f, (p); }}",
    f"{{ .reg .pred q; {_PASSING} @q call (s), f, (p); }}",
    f"{{ {_PASSING} @%p1 call (s), f, (p); ld.param.b32 %r2, [s]; }}",
    f"{{ {_PASSING} call (s), f, (p); ld.param.b32 %r2, [p]; }}",
    f"{{ {_PASSING} call f, (p); ld.param.b32 %r2, [p]; }}",
    f"{{ {_PASSING} call (s), f, (outside); }}",
    f"{{ proto: .callprototype (.param .b32 _) _ (.param .b32 _); {_PASSING} call (s), %rd1, (p), proto; }}",
    "{ .param .b32 f; st.param.b32 [f], %r1; call (f), f, (f); }",
    "{ .param .b32 p0; st.param.b32 [p0], %r1; call (p0), f, (p0); }",
    "{ .func inner(.param .b32 x); }",
    "{ $L__BB0_7: bra $L__BB0_7; }",
    "{ $x1: bra $x1; }",
    "{ $x: bra $x; }",
    "{ x1: bra x1; }",
    "{ .reg .b32 $q1; mov.b32 $q1, 1; }",
    "{ .reg .b32 $q; mov.b32 $q, 1; }",
    "{ .reg .b32 %q1; mov.b32 %q1, 1; }",
    "{ .reg .b32 q<3>; mov.b32 q1, 1; }",
    "{ { .reg .b32 q; mov.b32 q, 1; } }",
    "{ setp.eq.s32 %p1|%p2, %r1, %r2; }",
    "setp.eq.s32 %p1|q, %r1, %r2;",
    "setp.eq.s32 q|%p1, %r1, %r2;",
    "{ .reg .pred q; setp.eq.s32 q|%p1, %r1, %r2; setp.eq.s32 %p1|q, %r1, %r2; }",
    "{} mov.u32 %r1, 1;",
    "{ mov.u32 %r1, 1; }{ mov.u32 %r1, 2; } mov.u32 %r1, 3;",
    "} mov.u32 %r1, 3; {",
    "{ mov.u32 %r1, 1; } }",
)
"""What may be judged alone, or may not: scopes that name what is declared outside, or declare what is meant elsewhere."""


def test_odd_scopes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each before what is all right, twice, so that the second is known."""
    for scope in _ODD:
        check_both(f"{_HEADER}{_HEAD.format(number=0)}{scope}\nmov.u32 %r5, %r6;\n{scope}\nret;\n}}\n", monkeypatch)


@pytest.mark.parametrize("first", ["%r1", "%rd1"])
@pytest.mark.parametrize("second", ["%r4", "%rd4"])
@pytest.mark.parametrize("third", ["%f1", "%r1"])
def test_scopes_with_findings(first: str, second: str, third: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong in any statement of a scope is found where it stands, the last of them too."""
    scope = f"{{ .reg .pred p; setp.eq.s32 p, {first}, %r2; @p add.s32 %r3, {second}, %r5; neg.f32 %f1, {third}; }}"
    check_both(_HEADER + _HEAD.format(number=0) + f"{scope} // end\n{scope}\nret;}}", monkeypatch)


def test_kernels_with_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{_HEADER}.shared .b8 big[99999];\n.entry k()\n{{\n.reg .b32 %r<3>;\nld.shared.b32 %r1, [big]; ret;\n}}\n"
    check_both(text, monkeypatch)


TOLD = [one for one in told.read(test_told.FILE) if one.place.endswith(" kernel") and "syntax" not in "".join(one.said)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("start", range(0, len(TOLD), 30))
def test_statements_of_which_something_is_told(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each in a kernel of its own, beside others that declare the same; and all in one."""
    some = [one for one in TOLD[start : start + 30] if one.place == TOLD[start].place]
    (_, behind), (whole, _) = test_told.PLACES["kernel"], test_told.module(some[0].place, "")
    head = whole[: whole.index(".visible .entry")]
    frame = whole[len(head) : len(whole) - len(behind)]
    kernels = [frame.replace("entry k(", f"entry k{number}(") + one.source + behind for number, one in enumerate(some)]
    check_both(head + "".join(kernels), monkeypatch)
    check_both(whole.replace(behind, "\n".join(["", *(one.source for one in some)]) + behind), monkeypatch)


def arranged() -> Iterator[tuple[str, bool]]:
    """A label and a branch to it in all places that two scopes have, and whether the label is in a scope around the branch."""
    for way in sorted(set(permutations("{}{}LU"))):
        around: list[int] = [0]
        seen: dict[str, list[int]] = {}
        for number, sign in enumerate(way, 1):
            if sign == "}":
                around = around[:-1]
            elif sign == "{":
                around = [*around, number]
            seen[sign] = around
            if not around:
                break
        else:
            yield "".join(way), seen["L"][-1] in seen["U"]


@pytest.mark.sample(20)
@pytest.mark.parametrize(("way", "found"), [*arranged()])
def test_labels_of_inner_scopes(way: str, found: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    written = {"L": "$L__BB0_9:\nmov.u32 %r5, 7;", "U": "@%p1 bra $L__BB0_9;", "{": "{", "}": "}"}
    text = f"{_HEADER}{_HEAD.format(number=0)}" + "\n".join(written[sign] for sign in way) + "\nret;\n}\n"
    assert [one.message for one in weft.verify(weft.parse(text)) if one.code == "label"] == (
        [] if found else ["'bra': '$L__BB0_9' is not declared"]
    )
    check_both(text, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_many_random_bodies(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in bodies(seed, 4000):
        check_both(text, monkeypatch)


_KERNEL = """.visible .entry k{0}(.param .u64 k{0}_param_0, .param .{1} k{0}_param_1)
{{
.reg .pred %p<{2}>; .reg .{3} %r<{4}>; .reg .b64 %rd<9>; .reg .{9} %x<3>;
ld.param.u64 %rd1, [k{0}_param_0]; ld.param.{1} %{5}3, [k{6}_param_1];
$L__BB{0}_1:
setp.eq.s32 %p1, %r1, %r{7}; @%p1 bra $L__BB{8}_1; {10}
ret;
}}
"""
_CHOICES = (
    ("u32", "u64", "f32"), (2, 3, 1), ("b32", "f32", "b128"), (8, 4, 70, 2, 3), ("r", "rd"), (1, 2, 5, 69), ("b32", "b128"),
    ("", ".loc 1 5 3\n", '.pragma "nounroll";', "mov.u64 %rd2, gg;", "mov.u64 %rd2, late;", "bra.uni $L__BB0_1;"),
)  # fmt: skip


def test_functions_that_are_nearly_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(5)
    for _ in range(60):
        header = _HEADER if rng.random() < 0.5 else ".version 8.1\n.target sm_90\n.address_size 64\n"
        text = f"{header}.global .align 16 .b32 gg[64];\n"
        usual = [rng.choice(choices) if rng.random() < 0.2 else choices[0] for choices in _CHOICES]
        for number in range(8):
            chosen = list(usual)
            if rng.random() < 0.5:
                at = rng.randrange(len(chosen))
                chosen[at] = rng.choice(_CHOICES[at])
            own = number if rng.random() < 0.95 else 0
            text += _KERNEL.format(number, *chosen[:5], own, chosen[5], own, *chosen[6:])
        check_both(f"{text}.global .b32 late;\n", monkeypatch)


_CALLEES = """.func (.param .b32 fr) f(.param .b32 fa) { ret; }
.func (.param .b32 fr) same(.param .u32 other) { ret; }
.func (.param .b64 fr) wide(.param .b32 fa) { ret; }
.func alone(.param .b32 fa) { ret; }
.entry kernel(.param .b32 fa) { ret; }
.shared .align 16 .b8 big[40000]; .shared .align 16 .b8 more[40000];
.func (.param .b32 fr) uses(.param .b32 fa) { .reg .b32 %r<2>; ld.shared.b32 %r1, [big]; ret; }
.func (.param .b32 fr) both(.param .b32 fa) { .reg .b32 %r<2>; ld.shared.b32 %r1, [more]; call (fr), uses, (fa); ret; }
"""
_CALLER = """.func (.param .b32 fr) caller{0}(.param .b64 caller{0}_param_0)
{{
.local .align 8 .b8 __local_depot{1}[8]; .reg .b64 %SP; .reg .b64 %SPL;
.reg .pred %p<3>; .reg .b32 %r<{2}>; .reg .b64 %rd<9>;
mov.u64 %SPL, __local_depot{1}; cvta.local.u64 %SP, %SPL; ld.param.u64 %rd1, [caller{0}_param_0];
setp.eq.s32 %p1, %r1, %r2; {3} @%p1 bra $L__BB{0}_1;
{4}
$L__BB{0}_1: st.param.b32 [fr+0], %r1; ret;
}}
"""


def test_callers_of_other_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scopes with calls that differ in the callee, and functions that differ in the number of their local array."""
    rng = random.Random(7)
    names = (
        "f",
        "f",
        "same",
        "same",
        "wide",
        "alone",
        "kernel",
        "uses",
        "both",
        "nowhere",
        "later",
        "s",
        "gg",
        "caller0",
    )
    for _ in range(40):
        text, good = f"{_HEADER}.global .b32 gg;\n{_CALLEES}", rng.random() < 0.3
        for number in range(6):
            calls = [
                _CALL.replace("f,", f"{rng.choice(names[: 4 if good else None])},") for _ in range(rng.randrange(4))
            ]
            odd = rng.choice(("", "", "", "add.s32 %r1, %r2, %rd1;", "not.pred %p1, %r1;", ".reg .b32 same;"))
            depot = number if rng.random() < 0.9 else "0" + "_param_0" * (rng.random() < 0.3)
            text += _CALLER.format(number, depot, rng.choice((4, 4, 3, 70)), "" if good else odd, "\n".join(calls))
        text += ".entry main() { .param .b64 a; .param .b32 s; call (s), caller0, (a); call (s), caller5, (a); ret; }\n"
        check_both(text + ".func later() { ret; }\n", monkeypatch)


def test_what_is_unread_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsing and checking read no body of ordinary code; looking at one reads it."""
    put_off(monkeypatch, shapes=True)
    text = _HEADER + _HEAD.format(number=0) + "\nadd.s32 %r1, %r2, %r3;\n".join(_MORE[:13]) + "\nret;\n}\n"
    module = weft.parse(text)
    kernel = module.kernels[0]
    assert kernel.unread is not None
    weft.verify(module)
    assert kernel.unread is not None
    assert kernel.defined
    assert kernel.body
    assert kernel.unread is None


def test_bodies_can_be_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    put_off(monkeypatch, shapes=True)
    module = weft.parse(_HEADER + _HEAD.format(number=0) + "ret;\n}\n")
    kernel = module.kernels[0]
    kernel.body = []
    assert kernel.unread is None
    assert "ret" not in module.to_ptx()
    kernel.body = None
    assert not kernel.defined


@pytest.mark.parametrize("label", ["$Lt_0_12034", "$L_1", "$L__BB0_1", "$Lt_0_034", "$Lt_22", "L_1", "BB1_2", "$_0_1"])
def test_labels_are_found_however_they_end(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser, "SMALL", 0)
    monkeypatch.setattr(parser, "TINY", 0)
    body = f".reg .pred %p<2>; .reg .b32 %r<2>;\n@%p1 bra {label};\nmov.u32 %r1, 5;\n{label}:\nret;\n"
    text = f"{_HEADER}.visible .func f()\n{{\n{body}}}\n"
    assert weft.verify(weft.parse(text)) == []
    assert [one.code for one in weft.verify(weft.parse(text.replace(f"{label}:", "")))] == ["label"]
