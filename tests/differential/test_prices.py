"""Random kernels, examples and tile kernels cost no more than they did: what makes code shorter goes on doing so.

Where a change is worth it all the same, `python -m tests.differential.prices` notes the new prices.
"""

from __future__ import annotations

import pytest

from tests.differential.prices import PARTS, known, random_prices, written_prices


def dearer(now: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What costs more than it did, with both prices."""
    before = known()
    return {name: (before[name], price) for name, price in now.items() if price > before[name]}


def test_what_people_write_is_no_dearer_than_it_was() -> None:
    assert dearer(written_prices()) == {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_kernel_is_dearer_than_it_was(part: int) -> None:
    assert dearer(random_prices(part)) == {}
