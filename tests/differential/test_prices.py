"""Random kernels, examples and tile kernels cost no more than they did: what makes code shorter goes on doing so."""

from __future__ import annotations

from tests.differential.prices import known, prices


def test_no_kernel_is_dearer_than_it_was() -> None:
    """Where a change is worth it all the same, `python -m tests.differential.prices` notes the new ones."""
    before = known()
    assert {name: (before[name], number) for name, number in prices().items() if number > before[name]} == {}
