"""Random kernels over the operations of `triton.language`, compiled by Triton and run in strict mode, against NumPy."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import triton

import weft.triton
from tests.tritons.operations import Generator, cases, run


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
@pytest.mark.parametrize("group", Generator.GROUPS)
def test_operations(group: str, target: str, tmp_path: Path) -> None:
    with weft.triton.activate(target):
        triton.set_allocator(lambda size, alignment, stream: weft.triton.empty(size, np.int8))
        for case in itertools.islice(cases(17, target, (group,)), 12):
            assert not run(case, tmp_path), case.source


@pytest.mark.slow
@pytest.mark.parametrize("group", ["binary", "reduction", "loop_product", "atomic"])
def test_some_operations(group: str, tmp_path: Path) -> None:
    with weft.triton.activate("sm_80"):
        for case in itertools.islice(cases(5, "sm_80", (group,)), 1):
            assert not run(case, tmp_path), case.source
