"""More random kernels over `triton.language`, compiled by Triton and run in strict mode, against NumPy."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import triton

import weft.triton
from tests.tritons.language import Language, cases
from tests.tritons.operations import run


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("target", ["sm_80", "sm_90a", "sm_100a"])
@pytest.mark.parametrize("group", Language.GROUPS)
def test_language(group: str, target: str, tmp_path: Path) -> None:
    if group == "gathered" and target == "sm_90a":
        pytest.skip("Triton's compiler writes gathers of sm_100")
    with weft.triton.activate(target):
        triton.set_allocator(lambda size, alignment, stream: weft.triton.empty(size, np.int8))
        for case in itertools.islice(cases(23, target, (group,)), 8):
            assert not run(case, tmp_path), case.source


@pytest.mark.sample(1)
@pytest.mark.parametrize("group", ["tuples", "atomics", "described", "calls", "scalars", "chains"])
def test_some_of_the_language(group: str, tmp_path: Path) -> None:
    with weft.triton.activate("sm_90a"):
        triton.set_allocator(lambda size, alignment, stream: weft.triton.empty(size, np.int8))
        for case in itertools.islice(cases(6, "sm_90a", (group,)), 1):
            assert not run(case, tmp_path), case.source
