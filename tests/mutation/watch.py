"""Which tests reach which change: a plug-in for pytest (`-p tests.mutation.watch`), and what the watched sources call."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

LOG = "WEFT_MUTATION_LOG"
"""The variable with the file that lines are added to: `[change, test]`, and `[test, seconds, passed]`."""

_log = Path(os.environ.get(LOG, os.devnull))
_test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]  # A process that a test started is that test's.
_seen: set[tuple[int, str]] = set()
_spent: dict[str, list[float]] = {}


def _say(line: list[int | float | str]) -> None:
    with _log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


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


def pytest_runtest_logstart(nodeid: str) -> None:
    """Everything until the next start is this test's."""
    global _test
    _test = nodeid


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test that failed without any change can say nothing about one."""
    spent = _spent.setdefault(report.nodeid, [])
    spent.append(report.duration if report.passed else 1e9)
    if report.when == "teardown":
        _say([report.nodeid, sum(spent), sum(spent) < 1e9])
