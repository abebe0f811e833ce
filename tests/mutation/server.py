"""A process that has imported what tests need but for the sources, and runs each list of tests it reads in a child."""

from __future__ import annotations

import importlib
import json
import os
import sys
from contextlib import suppress

import pytest

from tests.mutation.judge import NO_END, bounded, quiet, spent

START = 4.0
"""Processor time to import the sources and to collect the tests."""

LIBRARIES = ["hypothesis", "numpy", "xdsl.ir", "xdsl.irdl", "xdsl.dialects.builtin", "xdsl.parser", "xdist", "asyncio"]


class _Said:
    """Remembers the first failure, and stops when so much processor time is spent."""

    failed = ""
    stopped = False

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if spent() > self.seconds + START:
            self.stopped = True
            item.session.shouldstop = "enough"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed = self.failed or ("an import" if report.failed else "")


def _run(tests: list[str], seconds: float, writing: int) -> int:
    said = _Said(seconds)
    options = ["-q", "-x", "-m", "", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.mutation.limit"]
    status = pytest.main([*options, *tests], plugins=[said])
    killer = said.failed or ("an import" if status and not said.stopped else "")
    os.write(writing, killer.encode())
    return 1 if killer else 0


def main() -> None:
    """Answer line by line: the first test that fails, and the processor time that it took."""
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)
    assert not any(name.partition(".")[0] == "weft" for name in sys.modules)
    for line in sys.stdin:
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            status = 1
            try:
                bounded()
                quiet()
                tests, seconds = json.loads(line)
                status = _run(tests, seconds, writing)
            finally:
                os._exit(status)
        os.close(writing)
        _, status, usage = os.wait4(child, 0)
        with os.fdopen(reading) as said:
            killer = (said.read() or NO_END) if status else ""
        print(json.dumps([killer, usage.ru_utime + usage.ru_stime]), flush=True)


if __name__ == "__main__":
    main()
