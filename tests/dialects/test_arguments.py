"""Operations with arguments of all kinds, right and wrong: what mlir-opt prints or says of them, and at which place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

import pytest

from tests.dialects import oracle
from tests.dialects.arguments import cases_changed, differences, everything

DELIBERATE = (
    (r"nvvm\.mma\.(sp\.)?sync", r"multiplicand|[cC] operands|ctype|unimplemented variant|A operands",
     "MLIR reads element types that are not there, or of registers that hold no elements"),
    (r"nvvm\.mma\.sp\.sync", r"shape <8, 8, 4>", "no sparse product of eight rows exists"),
    (r"nvvm\.[\w.]+", r"must be .*vector of .* but got 'vector<\[?\d+\]?x\d+x|but got 'vector<\[",
     "MLIR counts the elements of a vector of any rank; instructions take one dimension of fixed length"),
    (r"nvvm\.inline_ptx", r"nexpected character", "the text is no string"),
    (r"nvgpu\.mma\.(sp\.)?sync", r"mmaShape to have three sizes", "MLIR reads sizes that are not there"),
    (r"nvgpu\.[\w.]+", r"but got 'vector<f\d+>'", "a vector without dimensions is refused for something else"),
    (r"nvgpu\.rcp", r"non-ftz is not supported", "of two mistakes the other is said"),
    (r"nvgpu\.rcp", r"requires attribute 'rounding'", "the rounding has no default in the syntax either"),
    (r"nvgpu\.warpgroup\.mma\.store", r"", "f16 and integer accumulators can be stored, of two dimensions only"),
    (r"nvgpu\.warpgroup\.mma(\.init\.accumulator)?", r"It does not fit|not supported|ACCEPT|module",
     "wgmma accumulates f32, f16 and integers"),
)  # fmt: skip
"""Where weft differs: an operation, what one of the two says, and why."""


def _unexplained(found: list[str]) -> list[str]:
    return [
        text
        for text in found
        if not any(
            re.search(rf'"{op}"', text) and re.search(said, text.partition("theirs:")[2]) for op, said, _ in DELIBERATE
        )
    ]


def _compare(mlir_opt: str, texts: list[str]) -> None:
    given = [oracle.Case(text, 0) for text in dict.fromkeys(texts)]
    assert not _unexplained(list(differences(mlir_opt, given)))


SAMPLED = 100
"""Texts of a default run; the slow ones have them all."""


def _sample(texts: Iterable[str]) -> list[str]:
    found = list(dict.fromkeys(texts))
    return Random(5).sample(found, min(SAMPLED, len(found)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("dialect", ["nvvm", "nvgpu"])
def test_drawn(dialect: str, mlir_opt: str) -> None:
    _compare(mlir_opt, _sample(instance.text() for instance in everything(dialect, 2)))


@pytest.mark.parametrize("dialect", ["nvvm", "nvgpu"])
def test_changed(dialect: str, mlir_opt: str) -> None:
    _compare(mlir_opt, _sample(instance.text() for instance in cases_changed(mlir_opt, dialect, 1, step=5)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("dialect", ["nvvm", "nvgpu"])
def test_many(dialect: str, seed: int, mlir_opt: str) -> None:
    _compare(mlir_opt, [instance.text() for instance in everything(dialect, 5, seed)])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("dialect", ["nvvm", "nvgpu"])
def test_many_changed(dialect: str, seed: int, mlir_opt: str) -> None:
    _compare(mlir_opt, [instance.text() for instance in cases_changed(mlir_opt, dialect, 1, seed)])
