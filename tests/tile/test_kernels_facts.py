"""The shipped kernels take and do what was noted; `python -m tests.tile.shipped` notes it anew."""

from __future__ import annotations

import pytest

from tests.tile.shipped import Case, cases, noted, told


@pytest.mark.sample(16)
@pytest.mark.parametrize("case", cases(), ids=str)
def test_what_kernels_take_and_do(case: Case) -> None:
    assert told(case) == noted()[str(case)]


def test_all_are_noted() -> None:
    assert list(noted()) == list(map(str, cases()))
