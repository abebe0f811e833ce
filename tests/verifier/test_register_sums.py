"""A register plus a number as an operand (`%r1+1`): which instructions take one, asked of ptxas form by form."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import weft
from tests.ptx.test_sample import DECLARATIONS, WIDE, place, samples
from tests.verifier.matrices.kept import accepted_by_us
from weft.errors import ToolError
from weft.ptx.sample import sample_statement
from weft.toolchain import Tool, assemble

_REGISTER = re.compile(r"%(?:rs|r|rd|f|fd|p|c|rq)\d+")
_JUDGED_OTHERWISE = ("clmad", "clusterlaunchcontrol", "cvt.rn.bf16x2.s2f6x2", "cvta", "tex", "sub.e4m3", "mul.e4m3")
"""Instructions of which ptxas judges a special register's type by other rules than those of other registers."""


def sums(with_: str = "") -> Iterator[tuple[str, str, str]]:
    """Targets, heads and statements in which one bare register has a number added, or is a special one with it."""
    for variant in samples():
        where = place(variant)
        if where is None:
            continue
        target, version = where
        head = f".version {version}\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n"
        head += DECLARATIONS + (WIDE if version >= (8, 3) else "") + "\n"
        statement = sample_statement(variant)
        for register in _REGISTER.finditer(statement):
            before = statement[: register.start()]
            if all(before.count(opening) == before.count(closing) for opening, closing in ("[]", "{}", "()")):
                yield target, head, f"{before}{with_ or register[0]}+1{statement[register.end() :]};"


def accepted_by_ptxas(target: str, head: str, statement: str) -> bool:
    """Whether only the statement behind is wrong: it stops ptxas before it generates code."""
    try:
        assemble(f"{head}{statement}\nadd.u32 %poison;\n}}\n", target=target.replace("sm_", "compute_"))
    except ToolError as error:
        line = (head + statement).count("\n") + 1
        return "<builtin>" not in error.output and not re.search(rf"line {line}; +(error|fatal)", error.output)
    raise AssertionError("ptxas accepted the statement behind")


CASES = [case for case in sums() if ".phase_type" not in case[2]]
"""Without those where ptxas takes a result that is a sum, which nothing can be stored into."""
SPECIAL = [case for case in sums("%laneid") if not case[2].startswith(_JUDGED_OTHERWISE)]
SPECIAL = [case for case in SPECIAL if ".phase_type" not in case[2]]


@pytest.mark.sample(5)
@pytest.mark.parametrize("number", range(len(CASES)))
def test_sums(ptxas: Tool, number: int) -> None:
    target, head, statement = CASES[number]
    expected = accepted_by_ptxas(target, head, statement)
    assert accepted_by_us(f"{head}{statement}\nret;\n}}\n") == expected, statement


@pytest.mark.sample(7)
@pytest.mark.parametrize("number", range(len(SPECIAL)))
def test_sums_of_special_registers(ptxas: Tool, number: int) -> None:
    target, head, statement = SPECIAL[number]
    expected = accepted_by_ptxas(target, head, statement)
    assert accepted_by_us(f"{head}{statement}\nret;\n}}\n") == expected, statement


def test_what_is_said() -> None:
    text = ".version 8.0\n.target sm_80\n.entry k() { .reg .b32 %r<9>; redux.sync.add.u32 %r1, %r2+4, -1; ret; }"
    (found,) = weft.verify(weft.parse(text))
    assert found.message == "'redux.sync.add.u32': operand a cannot be a register plus a number, found '%r2+4'"
    assert found.hint == "add the number first"
