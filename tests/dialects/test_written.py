"""Modules as one writes them, valid and not, in `written`: printed, and refused, as mlir-opt does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.dialects import oracle
from weft.transforms.chunks import run_chunks

FILES = sorted((Path(__file__).parent / "written").glob("*.mlir"))
OPTION = "--allow-unregistered-dialect"


def ours(case: oracle.Case) -> str:
    outcome = run_chunks(case.text, "", filename="-", chunked=True, verify_diagnostics=False, allow_unregistered=True)
    if not outcome.errors:
        return oracle.plain(outcome.text)
    return "\n".join(f"{e.position.line}:{e.position.column}: {e.message}" for e in outcome.errors)


def refused(outcome: str) -> bool:
    return re.match(r"\d+:\d+: ", outcome) is not None


def check(path: Path, mlir_opt: str, step: int) -> None:
    given = oracle.cases(path)[::step]
    found = [(case, ours(case), theirs) for case, theirs in zip(given, oracle.upstream(mlir_opt, given, OPTION), strict=True)]  # fmt: skip
    wrong = [f"{path.name}:{case.line}" for case, mine, theirs in found if refused(mine) != refused(theirs)]
    wrong += [f"{path.name}:{case.line}" for case, mine, theirs in found if not refused(theirs) and mine != theirs]
    assert not wrong
    errors = [(mine, theirs) for _, mine, theirs in found if refused(theirs)]
    assert sum(mine != theirs for mine, theirs in errors) <= 0.25 * len(errors)


@pytest.mark.sample(2)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_some_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    check(path, mlir_opt, 4)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    check(path, mlir_opt, 1)
