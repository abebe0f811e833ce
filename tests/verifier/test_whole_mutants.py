"""Changed modules of real compilers: the verifier's verdict beside ptxas's.

`WEFT_PTX_FILES`, a folder of small PTX files, adds to what is made here.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.effort import draws
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from tests.verifier.mutants import mutants
from weft.toolchain import Tool

KERNELS = Path(__file__).parents[1] / "sim" / "kernels"
LARGEST = 9_000  # characters


def texts() -> list[str]:
    folders = [KERNELS, *(Path(name) for name in [os.environ.get("WEFT_PTX_FILES", "")] if name)]
    files = [path for folder in folders for path in sorted(folder.rglob("*.ptx"))]
    return [text for path in files if len(text := path.read_text(errors="replace")) <= LARGEST]


def agreement(count: int, seed: int) -> float:
    judged = [(accepted_by_ptxas(text), accepted_by_us(text)) for _, text in mutants(texts(), count, seed)]
    known = [(theirs, ours) for theirs, ours in judged if theirs is not None]
    return sum(theirs == ours for theirs, ours in known) / len(known)


def test_some(ptxas: Tool) -> None:
    assert agreement(draws(30, 60), seed=3) >= 0.96


@pytest.mark.slow
def test_many(ptxas: Tool) -> None:
    assert agreement(2000, seed=4) >= 0.995
