"""Kernels in Triton's own IR, of layouts drawn at random, against NumPy."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import triton

import weft.triton
from tests.tritons.layouts import cases


def _check(seed: int, target: str, count: int, folder: Path) -> None:
    with weft.triton.activate(target):
        for number, case in enumerate(itertools.islice(cases(seed, target), count)):
            path = folder / f"kernel{number}.ttgir"
            path.write_text(case.text)
            out = weft.triton.asarray(np.zeros(case.want.shape, case.want.dtype))
            triton.compile(str(path))[1, 1, 1](weft.triton.asarray(case.given), out)
            assert (out == case.want).all(), case.text


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("seed", range(3))
def test_layouts(seed: int, target: str, tmp_path: Path) -> None:
    _check(seed, target, 20, tmp_path)


def test_some_layouts(tmp_path: Path) -> None:
    _check(9, "sm_80", 2, tmp_path)
