"""What `cse` and `canonicalize` keep: operations with effects on memory, the others if they are used.

`kept.cse` and `kept.canonicalize` hold what mlir-opt 22.1.8 makes of `kept.mlir`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dialects import oracle

TEXTS = Path(__file__).with_name("kept.mlir")


@pytest.mark.parametrize("passes", ["cse", "canonicalize"])
def test_as_mlir_opt(passes: str) -> None:
    expected = [part.strip("\n") for part in TEXTS.with_suffix(f".{passes}").read_text().split(oracle.MARKER)]
    assert oracle.ours(oracle.cases(TEXTS), passes, allow_unregistered=True) == expected
