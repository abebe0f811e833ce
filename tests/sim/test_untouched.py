"""Tables of zeros of which little is touched."""

from __future__ import annotations

import resource
import sys

import numpy as np
import pytest

from weft.sim.untouched import zeros


@pytest.mark.parametrize("count", [0, 1, 1 << 16, 1 << 20, 1 << 26])
@pytest.mark.parametrize("sparse", [False, True])
def test_all_are_zero_and_can_be_written(count: int, sparse: bool) -> None:
    table = zeros(count, sparse=sparse)
    assert table.shape == (count,) and table.dtype == np.uint64
    table[-1:] = 7
    assert not table[: min(count - 1, 1 << 16)].any() and (table[-1:] == 7).all()


@pytest.mark.skipif(sys.platform != "linux", reason="pages of other systems")
def test_sparse_tables_take_the_pages_that_are_touched() -> None:
    """A table of 20 MiB, again and again: NumPy would write all of it each time."""
    np.zeros(1 << 20, np.uint64)[:] = 1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(10):
        zeros(20 << 17, sparse=True)[::1_000_000] = 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before < 1000
