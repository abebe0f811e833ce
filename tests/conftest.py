"""What every test may ask for: the oracles, each skipping the test by name where it is missing."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings

from weft.toolchain import Tool, find

# A busy machine is no failure; CI draws the same examples in every run, so that a change is judged by what it changes.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Without the slow tests, hypothesis draws fewer examples of each of its tests, but where a test says how many."""
    if not hasattr(config, "workerinput"):
        _write_stub()
    if config.option.markexpr == "not slow":
        settings.register_profile("quick", settings(), max_examples=QUICK_EXAMPLES)
        settings.load_profile("quick")


QUICK_EXAMPLES = 30


def _write_stub() -> None:
    """Write what type checkers see of rows, if a row may have changed since: whoever tests has it, and current."""
    root = Path(__file__).parent.parent
    stub = root / "src" / "weft" / "dialects" / "rows.pyi"
    newest = max(path.stat().st_mtime for path in stub.parent.glob("*/*.py"))
    if not stub.exists() or stub.stat().st_mtime < newest:
        subprocess.run([sys.executable, str(root / "scripts" / "row_stubs.py")], check=True)
        os.utime(stub)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is marked `sample(n)`, all cases but n become slow: the same ones in every run."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") is not None and item.get_closest_marker("slow") is None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for found in cases.values():
        mark = found[0].get_closest_marker("sample")
        assert mark is not None
        for item in sorted(found, key=lambda item: crc32(item.nodeid.encode()))[mark.args[0] :]:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Thousands of tests and all modules stay alive: Python's collector would walk them for a third of the time."""
    gc.collect()
    gc.freeze()


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
