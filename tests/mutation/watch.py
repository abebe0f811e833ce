"""Which tests run which blocks, and how long each takes: a plug-in for pytest (`-p tests.mutation.watch`)."""

from __future__ import annotations

import resource

import pytest

from tests.mutation import probes

_failed: set[str] = set()
_start = 0.0
_leads = False
"""Whether others run the tests and this process is only told."""


def pytest_configure(config: pytest.Config) -> None:
    """What leads the processes of a run hears of each test again, and ran nothing of it."""
    global _leads
    _leads = bool(config.getoption("numprocesses", None)) and not hasattr(config, "workerinput")


def _spent() -> float:
    """The processor time of this process and its children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def pytest_collection_finish() -> None:
    """Here the first test begins."""
    probes.collected()


def pytest_runtest_logstart() -> None:
    """Everything until the next start is this test's."""
    global _start
    _start = _spent()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """One that failed without any change can say nothing about one."""
    if not report.passed:
        _failed.add(report.nodeid)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """Say what the test ran."""
    if not _leads:
        probes.say(nodeid, _spent() - _start, nodeid not in _failed)
