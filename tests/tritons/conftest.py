"""Triton on the simulator for a test: the fixture `target` is where it compiles for."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

import weft.triton

collect_ignore_glob = [] if find_spec("triton") else ["*"]  # not there on other systems than Linux


@pytest.fixture(params=["sm_80", "sm_90a"])
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    with weft.triton.activate(request.param):
        yield request.param


@pytest.fixture
def ampere() -> Iterator[None]:
    with weft.triton.activate("sm_80"):
        yield


@pytest.fixture
def hopper() -> Iterator[None]:
    with weft.triton.activate("sm_90a"):
        yield
