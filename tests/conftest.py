"""What every test may ask for: the oracles, each skipping the test by name where it is missing."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from tests import effort
from weft.toolchain import Tool, find

# A busy machine is no failure; CI draws the same examples in every run, so that a change is judged by what it changes.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Without the slow tests, hypothesis draws fewer examples of each of its tests, but where a test says how many."""
    gc.disable()  # Until all tests are collected: nothing dies before.
    if not hasattr(config, "workerinput"):
        _write_stub()
    if _without_slow(config):
        effort.few()
        settings.register_profile("quick", settings(), max_examples=QUICK_EXAMPLES)
        settings.load_profile("quick")


QUICK_EXAMPLES = 15


def _write_stub() -> None:
    """Write what type checkers see of rows, if a row may have changed since: whoever tests has it, and current."""
    root = Path(__file__).parent.parent
    stub = root / "src" / "weft" / "dialects" / "rows.pyi"
    newest = max(path.stat().st_mtime for path in stub.parent.glob("*/*.py"))
    if not stub.exists() or stub.stat().st_mtime < newest:
        subprocess.run([sys.executable, str(root / "scripts" / "row_stubs.py")], check=True)
        os.utime(stub)


def _without_slow(config: pytest.Config) -> bool:
    return config.option.markexpr == "not slow"


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Of a test that is marked `sample(n)`, all cases but n become slow: the same ones in every run.

    Slow cases that nobody asks for are not even made: there are twice as many of them as of all others.
    """
    calls = metafunc._calls
    test = metafunc.definition
    slow = [_is_slow(each.marks) for each in calls]
    if test.get_closest_marker("slow") is not None:
        slow = [True] * len(calls)
    elif (mark := test.get_closest_marker("sample")) is not None:
        quick = [number for number, is_slow in enumerate(slow) if not is_slow]
        quick.sort(key=lambda number: crc32(f"{test.nodeid}[{calls[number].id}]".encode()))
        for number in quick[mark.args[0] :]:
            calls[number].marks.append(pytest.mark.slow.mark)
            slow[number] = True
    if _without_slow(metafunc.config) and not any("::" in each for each in metafunc.config.args):
        # One is left where all are slow: a test without parameters would be made of none.
        calls[:] = [call for call, is_slow in zip(calls, slow, strict=True) if not is_slow] or calls[:1]


def _is_slow(marks: Iterable[pytest.Mark | pytest.MarkDecorator]) -> bool:
    return any(mark.name == "slow" for mark in marks)


def pytest_collection_finish() -> None:
    """Thousands of tests and all modules stay alive: Python's collector would walk them for a third of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """A process of several tells the one that leads them only what it does not expect: a report costs as much as a small test."""
    if not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


ROOT = Path(__file__).resolve().parents[1]
LLVM_FOLDER = "/usr/lib/llvm-22/bin"


def nvidia_tool(name: str) -> Tool:
    tool = find(name)
    if tool is None:
        pytest.skip(f"{name} is not here")
    return tool


def llvm_tool(name: str) -> str:
    path = shutil.which(f"{name}-22") or shutil.which(name, path=LLVM_FOLDER) or shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not here")
    return path


@pytest.fixture(scope="session")
def ptxas() -> Tool:
    return nvidia_tool("ptxas")


@pytest.fixture(scope="session")
def nvdisasm() -> Tool:
    return nvidia_tool("nvdisasm")


@pytest.fixture(scope="session")
def nvcc() -> Tool:
    return nvidia_tool("nvcc")


@pytest.fixture(scope="session")
def mlir_opt() -> str:
    return llvm_tool("mlir-opt")


@pytest.fixture(scope="session")
def llc() -> str:
    return llvm_tool("llc")


@pytest.fixture(scope="session")
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window, led by Playwright."""
    sync = pytest.importorskip("playwright.sync_api", reason="playwright is not here")
    path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
    if path is None:
        pytest.skip("Chromium is not here")
    with sync.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()
