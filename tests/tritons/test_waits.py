"""Programs that wait for one another are right with every number of warps: none hangs, none is accused."""

from __future__ import annotations

import pytest

from tests.tritons.waits import run


@pytest.mark.slow
@pytest.mark.parametrize("warps", [1, 2, 4, 8])
@pytest.mark.parametrize("name", ["lock", "in turn", "last", "queue", "added"])
def test_waits(name: str, warps: int, target: str) -> None:
    assert run(name, warps)
