"""Every operation, valid and invalid, beside mlir-opt: the same text, or the same error at the same place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialects import oracle

FILES = sorted(path for path in oracle.FOLDER.iterdir() if path.suffix != ".expected")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_mlir_opt(path: Path) -> None:
    given = oracle.cases(path)
    for case, ours, theirs in zip(given, oracle.ours(given), oracle.stored(path), strict=True):
        assert ours == theirs, f"{path.name}:{case.line}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_stored_outcomes_are_those_of_mlir_opt(path: Path, mlir_opt: str) -> None:
    assert oracle.stored(path) == oracle.upstream(mlir_opt, oracle.cases(path))
