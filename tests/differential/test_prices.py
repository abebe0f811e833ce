"""Random kernels, examples and tile kernels cost no more than they did: what makes code shorter goes on doing so. Of some, one may.

Where a change is worth it all the same, `python -m tests.differential.prices` notes the new prices.
"""

from __future__ import annotations

import pytest

from tests.differential.prices import PARTS, known, random_prices, written_prices

LITTLE = 1.05
"""By how much one of some kernels may be dearer: what is worth it on the whole is not for each."""


def unlike(now: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What costs more than it did, with both prices, where that is more than one and a little."""
    before = known()
    found = {name: (before[name], price) for name, price in now.items() if price > before[name]}
    few = len(found) <= 1 and all(price <= LITTLE * old for old, price in found.values())
    return {} if few else found


def test_what_people_write_is_no_dearer_than_it_was() -> None:
    assert unlike(written_prices()) == {}


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_random_kernels_are_dearer_than_they_were(part: int) -> None:
    assert unlike(random_prices(part)) == {}
