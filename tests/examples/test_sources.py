"""The example kernels are upstream MLIR: mlir-opt reads them, and knows nothing to complain of."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_mlir_opt_accepts(path: Path, mlir_opt: str) -> None:
    done = subprocess.run([mlir_opt, str(path), "-o", "-"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
