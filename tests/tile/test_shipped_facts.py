"""The shipped kernels take and do what was noted; `python -m tests.tile.shipped` notes it anew."""

from __future__ import annotations

import pytest

from tests.tile.shipped import cases, noted, told


@pytest.mark.sample(8)
@pytest.mark.parametrize(("name", "target"), cases())
def test_what_kernels_take_and_do(name: str, target: str) -> None:
    assert told(name, target) == noted()[f"{name} {target}".rstrip()]


def test_all_are_noted() -> None:
    assert list(noted()) == [f"{name} {target}".rstrip() for name, target in cases()]
