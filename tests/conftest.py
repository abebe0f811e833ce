"""What every test may ask for: the oracles, each skipping the test by name where it is missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from weft.toolchain import Tool, find

# A busy machine is no failure; CI draws the same examples in every run, so that a change is judged by what it changes.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")

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
