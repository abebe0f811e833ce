"""Operations near valid ones, valid and not: taken, printed and refused as mlir-opt does; `variants.py` makes them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.dialects import variants

_DIALECTS = ("affine", "arith", "gpu", "llvm", "loops", "memref", "scf", "vector")


def counts(mlir_opt: str, name: str, count: int, seed: int) -> Counter[str]:
    given = list(dict.fromkeys(variants.texts(mlir_opt, name, count, seed)))
    return Counter(said for _, said, _, _ in variants.compared(mlir_opt, given))


def check(found: Counter[str]) -> None:
    """Of valid texts at least 97 of 100 are printed alike, of invalid ones at least 97 of 100 are refused."""
    valid = found["same text"] + found["other text"] + found["refused"]
    invalid = found.total() - valid
    assert found["same text"] >= 0.97 * valid
    assert found["accepted"] <= 0.03 * invalid


@pytest.mark.parametrize("name", ["memref", "scf"])
def test_some(name: str, mlir_opt: str) -> None:
    check(counts(mlir_opt, name, 1, 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", _DIALECTS)
def test_many(name: str, mlir_opt: str) -> None:
    check(counts(mlir_opt, name, 10, 1))
