"""Which tests reach which change: a plug-in for pytest (`-p tests.mutation.watch`), and what the watched sources call."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

LOG = "WEFT_MUTATION_LOG"
"""The variable with the file that lines are added to: `[change, test]`, and `[test, seconds, passed]`."""

KILLER = "WEFT_MUTATION_KILLER"
"""The variable with the file that is to have the name of the first test that fails."""

CASES = 3
"""How many cases of a test are run."""

SECONDS = 20.0
"""Processor time that a test may take: one that takes longer is shown no change, so it need not run to its end."""

_log = Path(os.environ.get(LOG, os.devnull))
_test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]  # A process that a test started is that test's.
_seen: set[tuple[int, str]] = set()
_failed: set[str] = set()
_start = 0.0


@cache
def _opened() -> int:
    return os.open(_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _say(line: list[int | float | str]) -> None:
    os.write(_opened(), (json.dumps(line) + "\n").encode())


def reached(change: int) -> None:
    """Called before the statement that is to be changed; what an import runs is no test's own."""
    if (change, _test) in _seen:
        return
    _seen.add((change, _test))
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    at_import = frame.f_back is not None and "importlib" in frame.f_back.f_code.co_filename
    _say([change, "" if at_import else _test])


def _enough(*_: object) -> None:
    pytest.fail(f"more than {SECONDS} seconds")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """Stop what takes too long."""
    signal.signal(signal.SIGPROF, _enough)
    signal.setitimer(signal.ITIMER_PROF, SECONDS if LOG in os.environ else 0.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


def pytest_runtest_logstart(nodeid: str) -> None:
    """Everything until the next start is this test's."""
    global _test, _start
    _test, _start = nodeid, sum(os.times()[:4])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test that failed without any change can say nothing about one."""
    if report.failed and KILLER in os.environ:
        Path(os.environ[KILLER]).write_text(report.nodeid, encoding="utf-8")
    if not report.passed:
        _failed.add(report.nodeid)
    if report.when == "teardown":
        _say([report.nodeid, round(sum(os.times()[:4]) - _start, 4), report.nodeid not in _failed])


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Of a test with many cases, the first ones: the others mostly run the same lines. Who is shown a change is named."""
    if LOG not in os.environ:
        config.option.markexpr = ""
    yield
    found: Counter[str] = Counter()
    for item in list(items):
        found[item.nodeid.partition("[")[0]] += 1
        if found[item.nodeid.partition("[")[0]] > CASES and LOG in os.environ:
            items.remove(item)
