"""How many multiprocessors persistent kernels count on: those of the largest common GPU of a target, as NVIDIA's papers on each
architecture state them (A100, A10's chip, L40S, H100, B200, B300, RTX PRO 6000)."""

from __future__ import annotations

import pytest

from weft.tile.parameters import processors

COUNTS = {"sm_80": 108, "sm_86": 84, "sm_89": 142, "sm_90": 132, "sm_90a": 132, "sm_100a": 148, "sm_100f": 148,
          "sm_103a": 148, "sm_120a": 188}  # fmt: skip


@pytest.mark.parametrize(("target", "count"), COUNTS.items())
def test_multiprocessors(target: str, count: int) -> None:
    assert processors(target) == count
