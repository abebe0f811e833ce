"""Which tests run which blocks, and how long each takes: a plug-in for pytest (`-p tests.mutation.watch`)."""

from __future__ import annotations

import os

import pytest

from tests.mutation import probes

_failed: set[str] = set()
_start = 0.0


def pytest_collection_finish() -> None:
    """Here the first test begins."""
    probes.collected()


def pytest_runtest_logstart() -> None:
    """Everything until the next start is this test's."""
    global _start
    _start = sum(os.times()[:4])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Say what the test ran; one that failed without any change can say nothing about one."""
    if not report.passed:
        _failed.add(report.nodeid)
    if report.when == "teardown":
        probes.say(report.nodeid, sum(os.times()[:4]) - _start, report.nodeid not in _failed)
