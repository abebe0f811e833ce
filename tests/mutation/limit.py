"""A plug-in for pytest: no test takes longer than this, whatever is changed."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

SECONDS = 20.0
"""Processor time of a test that is shown changes."""
ENOUGH = 1.5 * SECONDS
"""And of one that fails because it takes too long."""


def _enough(*_: object) -> None:
    pytest.fail(f"more than {ENOUGH} seconds")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Stop what takes too long."""
    signal.signal(signal.SIGPROF, _enough)
    signal.setitimer(signal.ITIMER_PROF, ENOUGH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
