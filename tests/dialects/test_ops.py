"""Every operation, valid and invalid, beside mlir-opt: the same text, or the same error at the same place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dialects import oracle
from weft.mlir.printer import Style
from weft.transforms import run_chunks

FILES = oracle.FILES


def differing(path: Path, start: int, step: int) -> list[str]:
    """Every so manyth case of a file that weft prints, or refuses, otherwise than mlir-opt."""
    given = oracle.cases(path)[start::step]
    outcomes = zip(given, oracle.ours(given), oracle.stored(path)[start::step], strict=True)
    return [f"{path.name}:{case.line}" for case, ours, theirs in outcomes if ours != theirs]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_some_as_mlir_opt(path: Path) -> None:
    assert not differing(path, 0, 8)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_mlir_opt(path: Path) -> None:
    assert not differing(path, 0, 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_outcomes_are_those_of_mlir_opt(path: Path, mlir_opt: str) -> None:
    assert oracle.stored(path) == oracle.upstream(mlir_opt, oracle.cases(path))


# Where the generic form shows a number for weft's word, more zeros, or another length of vectors.
_OTHERWISE = re.compile(r'comdat|branch_weights|shufflevector|dbg|failures\(|"llvm\.mlir\.global"')


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generic_form_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    outcomes = zip(oracle.cases(path), oracle.stored(path), strict=True)
    valid = [case for case, outcome in outcomes if re.match(r"\d+:\d+: ", outcome) is None]
    given = [case for case in valid if _OTHERWISE.search(case.text) is None]
    theirs = oracle.upstream(mlir_opt, given, "--mlir-print-op-generic")
    text = f"{oracle.MARKER}\n".join(case.text for case in given)
    outcome = run_chunks(text, "", filename="-", chunked=True, verify_diagnostics=False, style=Style(generic=True))
    for case, ours, expected in zip(given, outcome.text.split(oracle.MARKER), theirs, strict=True):
        assert oracle.plain(ours) == expected, f"{path.name}:{case.line}"
