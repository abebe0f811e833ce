"""Random kernels, examples, tile kernels and those of the benchmarks cost what was noted: what makes code shorter, or needs
fewer registers, goes on doing so.

A change that makes them dearer has to be worth it, and one that makes them cheaper shows by how much:
`python -m tests.differential.prices` prints all that changed and notes the new prices.
"""

from __future__ import annotations

import pytest

from tests.differential.prices import (
    BY_MLIR_OPT,
    GRIDS,
    GROUPS,
    PARTS,
    changed,
    grid_prices,
    group_prices,
    random_prices,
    written_prices,
)


def test_examples_and_tile_kernels_cost_what_was_noted() -> None:
    assert changed(written_prices()) == {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_random_kernels_cost_what_was_noted(part: int) -> None:
    assert changed(random_prices(part)) == {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("group", sorted(GROUPS.keys() - set(BY_MLIR_OPT)))
def test_kernels_of_the_benchmarks_cost_what_was_noted(group: str) -> None:
    assert changed(group_prices(group)) == {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(GRIDS))
def test_kernels_that_differ_by_one_number_cost_what_was_noted(part: int) -> None:
    assert changed(grid_prices(part)) == {}
