"""Operations of `nvvm` whose operands are all constants: ptxas takes the PTX, and LLVM's does the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.codegen.oracle import llvm_bodies
from tests.codegen.test_nvvm_all import CASES, OTHERWISE, Case, by_target, sampled, together
from tests.codegen.trace import between_commas, bodies, traced
from weft.codegen import compile_module
from weft.toolchain import assemble

NUMBERS = {"zero": 0, "one": 1, "three": 3, "minus": -1, "large": 0x7000_0000_0000_7654}
NAMES = (*NUMBERS, "undef")
CRASHES = {"nvvm.stmatrix"}
"""Operations on a known address of which ptxas 13.5 dies."""


def fixed(case: Case, name: str, number: str) -> str:
    """A case that takes no numbers, as they are constants; where undefined, its pointers are too."""
    head, _, body = case.module(name).partition("{\n")
    function = re.fullmatch(r"(llvm\.func @\w+)\((.*?)\)((?: -> .*)?) ?", head)
    assert function is not None
    kept, lines = list[str](), list[str]()
    for parameter in between_commas(function[2]):
        value, kind = parameter.split(": ", 1)
        made = "llvm.mlir.undef" if number == "undef" else _constant(kind, NUMBERS[number])
        if made:
            lines.append(f"  {value} = {made} : {kind}\n")
        else:
            kept.append(parameter)
    return f"{function[1]}({', '.join(kept)}){function[3]} {{\n{''.join(lines)}{body}"


def _constant(kind: str, number: int) -> str:
    """A constant of a type, empty for pointers."""
    found = re.fullmatch(r"(?:vector<\d+x)?(b?[if])(\d+)>?", kind)
    if found is None:
        return ""
    bits = int(found[2])
    wrapped = number & ((1 << bits) - 1)
    signed = wrapped - (wrapped >> (bits - 1) << bits)
    if kind == "i1":
        return f"llvm.mlir.constant({('false', 'true')[wrapped]})"
    text = str(signed) if found[1] == "i" else f"{number % 100}.0"
    return f"llvm.mlir.constant({f'dense<{text}>' if kind[0] == 'v' else text} : {kind})"


def plain(lines: list[str]) -> list[str]:
    """Numbers by their low bits, as they may be spelled with a sign or as a float; all ones of any width are true."""
    text = re.sub(r"\b0[fd]([0-9A-F]+)\b", lambda m: str(int(m[1], 16)), "\n".join(lines))
    text = re.sub(r"(?<![\w.+])-?\d+\b(?!:)", lambda m: str(int(m[0]) & 0xFFFF), text)
    return sorted(re.sub(r"\b(65535|255)\b", "1", text).splitlines())


def differing(cases: list[Case], number: str) -> Iterator[str]:
    """Compiles cases with constants, assembles them, and says what LLVM does otherwise."""
    for target, group in by_target(cases).items():
        group = [case for case in group if number != "undef" or case.op not in CRASHES]
        texts = {f"f{i}": fixed(case, f"f{i}", number) for i, case in enumerate(group)}
        module = together([compile_module(text, target) for text in texts.values()], target)
        assemble(module, options=("-c",))
        mine, theirs = bodies(module.to_ptx()), {} if number == "undef" else llvm_bodies(texts, target)
        for case, (name, text) in zip(group, texts.items(), strict=True):
            # Where a guard is known, nothing or no guard is left here; LLVM keeps it.
            if name in theirs and case.op not in OTHERWISE and "predicate = " not in text:
                ours, other = plain(traced(mine[name])), plain(traced(theirs[name]))
                if ours != other:
                    yield f"{text}\n{ours}\n{other}"


@pytest.mark.sample(1)
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("number", NAMES)
def test_constant_operands(number: str) -> None:
    assert list(differing(sampled()[NAMES.index(number) :: 3 * len(NAMES)], number)) == []


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("number", NAMES)
def test_all_constant_operands(number: str) -> None:
    assert list(differing(CASES, number)) == []


def test_a_size_that_another_form_has_no_place_for() -> None:
    """`cp.async` has forms with a size or a predicate in the fourth place."""
    case = next(c for c in CASES if c.op == "nvvm.cp.async.shared.global" and re.search(r", %i\b", c.module()))
    assert re.search(r"cp\.async\.\S+ .*, %r\d+;", compile_module(fixed(case, "f", "minus"), case.target).to_ptx())
