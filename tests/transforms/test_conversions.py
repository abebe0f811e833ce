"""Operations of `nvgpu` of every kind and size become what mlir-opt's pass makes of them, line by line."""

from __future__ import annotations

import pytest

from tests.dialects.arguments import differences
from tests.transforms import conversions


def test_some(mlir_opt: str) -> None:
    assert not list(differences(mlir_opt, list(conversions.cases(6)), conversions.PASS))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_many(seed: int, mlir_opt: str) -> None:
    assert not list(differences(mlir_opt, list(conversions.cases(100, seed)), conversions.PASS))
