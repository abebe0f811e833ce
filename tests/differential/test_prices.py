"""Random kernels, examples and tile kernels cost no more than they did: what makes code shorter goes on doing so.

Of what people write, one may be a little dearer. Where a change is worth it all the same, `python -m tests.differential.prices` notes the new prices.
"""

from __future__ import annotations

import pytest

from tests.differential.prices import PARTS, known, random_prices, written_prices

LITTLE = 1.05
"""By how much one of those that people write may be dearer: what is worth it on the whole is not for each."""


def dearer(now: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What costs more than it did, with both prices."""
    before = known()
    return {name: (before[name], price) for name, price in now.items() if price > before[name]}


def test_what_people_write_is_no_dearer_than_it_was() -> None:
    found = dearer(written_prices())
    assert len(found) <= 1 and all(price <= LITTLE * before for before, price in found.values()), found


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_kernels_are_dearer_than_they_were(part: int) -> None:
    assert dearer(random_prices(part)) == {}
