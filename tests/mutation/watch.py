"""Which tests run which blocks, and how long each takes: a plug-in for pytest (`-p tests.mutation.watch`)."""

from __future__ import annotations

import resource
from collections.abc import Generator

import pytest

from tests.mutation import probes

_failed: set[str] = set()


def _spent() -> float:
    """The processor time of this process and its children."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def pytest_collection_finish() -> None:
    """Here the first test begins."""
    probes.collected()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Say what the test ran."""
    start = _spent()
    result = yield
    probes.say(item.nodeid, _spent() - start, item.nodeid not in _failed)
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """One that failed without any change can say nothing about one."""
    if not report.passed:
        _failed.add(report.nodeid)
