"""Every form of the table as inline assembly: no finding as it is, a finding for each mistake planted into it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.effort import one_in
from tests.lint.planted import REGISTER, Planted, statements
from weft.errors import Diagnostic, Severity
from weft.lint import lint
from weft.ptx.ast import Instruction
from weft.ptx.operands import Address, Register, Vector
from weft.ptx.signature import bind

PART = 3
"""One in so many forms is tried in every run."""


@functools.cache
def forms() -> list[tuple[Instruction, Planted]]:
    return [(i, p) for i, p in statements() if i.opcode.stem != "call"][:: one_in(PART)]


def findings(planted: Planted) -> list[Diagnostic]:
    linted = lint(planted.cpp())
    assert not linted.unjudged, planted.cpp()
    return [found for found in linted.findings if found.severity is not Severity.NOTE]


def missed(cases: Iterator[Planted], *codes: str) -> tuple[int, list[str]]:
    """How many cases there are, and those without a finding of these codes."""
    total, left = 0, list[str]()
    for planted in cases:
        total += 1
        if not any(found.code in codes for found in findings(planted)):
            left.append(planted.cpp())
    return total, left


def test_no_form_of_the_table_raises_an_alarm() -> None:
    for _, planted in forms():
        assert not findings(planted), planted.cpp()
    assert len(forms()) > 800 // one_in(PART)


@pytest.mark.slow
def test_wrong_type_suffixes_are_found() -> None:
    def cases() -> Iterator[Planted]:
        for _, planted in forms():
            opcode, space, rest = planted.text.partition(" ")
            found = re.search(r"\.([busf])(8|16|32|64)$", opcode)
            if found is not None:
                yield replace(planted, text=f"{opcode[: found.start()]}.{found[1]}{int(found[2]) + 1}{space}{rest}")

    total, left = missed(cases(), "modifier", "combination")
    assert total > 200 // one_in(PART) and not left, left[:3]


@pytest.mark.slow
def test_wrong_widths_of_constraints_are_found() -> None:
    def cases() -> Iterator[Planted]:
        for instruction, planted in forms():
            for spec, operand, slots in bind(instruction):
                fixed = spec.kind == "register" and not (spec.arg.loose or spec.arg.wider or spec.lenient(slots))
                if not fixed or not isinstance(operand, Register) or not REGISTER.fullmatch(operand.name):
                    continue
                name = operand.name.lstrip("%").rstrip("0123456789")
                if name in ("r", "rd") and spec.type(slots) not in ("", "pred"):
                    yield _widened(planted, instruction, operand, "l" if name == "r" else "r")

    total, left = missed(cases(), "constraint", "address")
    both = ("isspacep", "st.bulk")  # They take either width.
    left = [text for text in left if not any(stem in text for stem in both)]
    assert total > 500 // one_in(PART) and not left, left[:3]


def _widened(planted: Planted, instruction: Instruction, operand: Register, letter: str) -> Planted:
    """The statement with another letter for an operand of the instruction."""
    names = re.findall(r"%\d+", planted.text)
    order = [match[0] for match in REGISTER.finditer(str(instruction))]
    number = int(names[order.index(operand.name)][1:])
    both = [*planted.outputs, *planted.inputs]
    both[number] = both[number][:-1] + letter
    many = len(planted.outputs)
    return replace(planted, outputs=tuple(both[:many]), inputs=tuple(both[many:]))


def test_missing_operands_are_found() -> None:
    def cases() -> Iterator[Planted]:
        for instruction, planted in forms():
            last = re.search(r", (%\d+)$", planted.text)
            if last is not None and planted.text.count(last[1]) == 1 and len(instruction.operands) > 1:
                yield replace(planted, text=planted.text[: last.start()])

    total, left = missed(cases(), "operand-count", "unused", "combination")
    assert total > 200 // one_in(PART) and not left, left[:3]


def test_missing_volatile_and_clobbers_are_found() -> None:
    def cases() -> Iterator[Planted]:
        for instruction, planted in forms():
            effects = instruction.opcode.effects
            if "w" in effects.memory or effects.barrier:
                yield replace(planted, volatile=False, clobber=False)

    total, left = missed(cases(), "volatile", "clobber")
    assert total > 100 and not left, left[:3]


def test_generic_pointers_with_a_state_space_are_found() -> None:
    def cases() -> Iterator[Planted]:
        for _, planted in forms():
            opcode, _, rest = planted.text.partition(" ")
            address = re.search(r"\[(%\d+)", rest)
            if address is not None and opcode.split(".")[0] in ("ld", "st", "atom", "red"):
                number = int(address[1][1:])
                kind = [*planted.outputs, *planted.inputs][number]
                stem, _, others = opcode.partition(".")
                if kind == "l" and ".shared" not in opcode and others.count(".") < 2 and "v" not in others:
                    yield replace(planted, text=f"{stem}.shared.{others} {rest}", pointer=number)

    total, left = missed((p for p in cases() if not _refused(p)), "generic-pointer")
    assert total > 3 and not left, left[:3]


def _refused(planted: Planted) -> bool:
    """Whether the instruction is none with .shared."""
    return any(found.severity is Severity.ERROR for found in findings(replace(planted, pointer=-1)))


def test_declarations_outside_braces_are_found() -> None:
    cases = (replace(p, braces=False) for _, p in forms() if p.prefix)
    total, left = missed(cases, "scope")
    assert total > 20 and not left, left[:3]


def test_columns_point_at_the_operand_in_the_string() -> None:
    for instruction, planted in forms():
        if len(planted.inputs) != 1 or planted.inputs[0] != "r" or planted.outputs or planted.prefix:
            continue
        if any(isinstance(operand, Address | Vector) for operand in instruction.operands):
            continue
        text = replace(planted, inputs=("l",)).cpp()
        for found in (f for f in lint(text).findings if f.code == "constraint"):
            line = text.splitlines()[found.line - 1]
            assert line[found.column - 1 : found.end_column - 1] == "%0"


@pytest.mark.parametrize("letter", "xyz")
def test_unknown_constraints_are_found(letter: str) -> None:
    text = f'__device__ void f(int a) {{ asm volatile("add.u32 %0, %1, 1;" : "={letter}"(a) : "r"(a)); }}'
    (found,) = lint(text).findings
    assert (found.code, text[found.column - 1 : found.end_column - 1]) == ("constraint", f'"={letter}"')
