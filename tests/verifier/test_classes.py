"""Each combination of an opcode and classes of operands is checked once, and the findings are as if each were."""

from __future__ import annotations

import random
import re

import pytest

import weft
from tests.ptx.constructs import MODULES
from weft.ptx.verifier import body, classes

HEAD = ".version 8.6\n.target sm_90\n.address_size 64\n.global .u32 g;\n"


def verdicts(text: str) -> list[tuple[str, str, str]]:
    return [(str(found.position), found.code, found.message) for found in weft.verify(weft.parse(text))]


def kernel(*lines: str) -> str:
    return HEAD + ".entry k()\n{\n" + "\n".join(lines) + "\n}\n"


def test_a_name_means_something_else_in_an_inner_scope() -> None:
    text = kernel(
        ".reg .b32 %r<3>;", "add.u32 %r1, %r2, 1;", "{ .reg .f64 %r1; add.u32 %r1, %r2, 1; }", "add.u32 %r1, %r2, 1;"
    )
    assert [(where, code) for where, code, _ in verdicts(text)] == [("<string>:9:26", "operand-type")]


def test_a_name_is_known_from_its_declaration_on() -> None:
    text = kernel("add.u32 %r1, %r1, 1;", ".reg .b32 %r<3>;", "add.u32 %r1, %r1, 1;")
    assert [(where, code) for where, code, _ in verdicts(text)] == [("<string>:7:9", "undeclared")]


def test_of_two_ranges_the_shorter_prefix_has_a_name_of_both() -> None:
    for ranges in (".reg .b32 %r<40>; .reg .b64 %r1<5>;", ".reg .b64 %r1<5>; .reg .b32 %r<40>;"):
        found = verdicts(kernel(ranges, *["add.u32 %r12, %r2, 1;"] * 30, "add.u64 %r14, %r3, 1;"))
        assert [(where, code) for where, code, _ in found] == [("<string>:38:9", "operand-type")]


@pytest.mark.parametrize(
    ("legal", "illegal"), [("31", "-1"), ("0x1f", "0x8000"), ("5", "1.0"), ("5", "g"), ("5", "%p1")]
)
def test_a_literal_stands_for_those_of_its_class_only(legal: str, illegal: str) -> None:
    """Whether a literal is checked after another or alone must not matter."""
    declared = ".reg .b32 %r<9>; .reg .pred %p<3>; .reg .b64 %rd<3>;"
    for form in ("bar.sync {};", "add.u32 %r1, %r2, {};", "cp.async.cg.shared.global [%r1], [%rd1], {};", "lop3.b32 %r1, %r2, %r3, %r4, {};",
                 "setmaxnreg.inc.sync.aligned.u32 {};", "st.global.v2.u32 [%rd1], {{%r1, {}}};"):  # fmt: skip
        alone = [found[1:] for found in verdicts(kernel(declared, form.format(illegal)))]
        after = [found[1:] for found in verdicts(kernel(declared, form.format(legal), form.format(illegal)))]
        first = [found[1:] for found in verdicts(kernel(declared, form.format(legal)))]
        assert after == [*first, *alone]


def changed(text: str, seed: int) -> str:
    """A module with names of registers changed in some lines, so that types no longer fit everywhere."""
    draw = random.Random(seed)
    names = re.findall(r"%[a-z]+\d+", text) or ["%r1"]
    lines = text.split("\n")
    for _ in range(len(lines) // 4):
        at = draw.randrange(len(lines))
        if ".reg" not in lines[at]:
            lines[at] = re.sub(r"%[a-z]+\d+", draw.choice(names), lines[at], count=1)
    return "\n".join(lines)


@pytest.mark.parametrize("name", MODULES)
def test_what_is_remembered_changes_no_finding(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [changed(MODULES[name], seed) for seed in range(3)]
    remembered = [verdicts(text) for text in texts]
    with monkeypatch.context() as patch:
        patch.setattr(body, "legal_at", lambda *_: _Forgetful())
        assert [verdicts(text) for text in texts] == remembered


class _Forgetful(set[classes.Key]):
    """A memory of what is legal that keeps nothing."""

    def add(self, element: classes.Key, /) -> None:
        pass


def test_a_combination_is_matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    fitting = body.fitting_windows
    monkeypatch.setattr(body, "fitting_windows", lambda *given: (calls.append(given), fitting(*given))[1])
    monkeypatch.setattr(classes, "_LEGAL", {})
    lines = [f"mad.lo.s32 %r{i}, %r{i + 1}, {i}, %r{i + 2};" for i in range(5000)]
    assert verdicts(kernel(".reg .b32 %r<5002>;", *lines)) == []
    assert len(calls) <= 14  # One for each width in bits of the literal.
