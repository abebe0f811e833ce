"""Random modules: read, printed as mlir-opt prints them, read back as the same; kernels compile, and ptxas takes them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.dialects import generator, oracle

SEEDS = range(10)


@pytest.mark.slow
@pytest.mark.parametrize("make", [generator.table_module, generator.kernel_module])
def test_prints_as_mlir_opt(make: Callable[[int], str], mlir_opt: str) -> None:
    texts = [make(seed) for seed in SEEDS]
    theirs = oracle.upstream(mlir_opt, [oracle.Case(text, 0) for text in texts])
    assert not generator.printed(texts, theirs)


@pytest.mark.sample(1)
@pytest.mark.parametrize("make", [generator.table_module, generator.kernel_module])
def test_reads_back(make: Callable[[int], str]) -> None:
    assert not generator.printed([make(seed) for seed in SEEDS])


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_kernels_compile(seed: int) -> None:
    assert generator.compiled(generator.kernel_module(seed)) is None


def test_a_value_that_the_second_side_of_a_branch_reads_first() -> None:
    """Where it lives was looked for without end."""
    assert generator.compiled(generator.kernel_module(681)) is None


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 1000, 50))
def test_many(start: int, mlir_opt: str) -> None:
    assert mlir_opt
    assert not generator.problems_of(range(start, start + 50))
