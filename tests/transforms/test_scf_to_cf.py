"""`convert-scf-to-cf` beside mlir-opt's pass of the name: the same blocks, in the same order."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from weft.transforms import run

FILES = [
    ROOT / "tests/transforms/control_flow.mlir",
    ROOT / "tests/dialects/snippets/arith_math_scf.mlir",
    *sorted((ROOT / "benchmarks/kernels").glob("*.mlir")),
]


def reprint(mlir_opt: str, text: str, *passes: str) -> str:
    return subprocess.run([mlir_opt, *passes], input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    text = path.read_text()
    lowered = run(text, "convert-scf-to-cf")
    assert reprint(mlir_opt, lowered) == reprint(mlir_opt, text, "-convert-scf-to-cf")
