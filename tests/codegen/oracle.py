"""LLVM as an oracle: the same module through `mlir-translate-22` and `llc-22`."""

from __future__ import annotations

import shutil
import subprocess

import pytest


def tool(name: str) -> str:
    """The path of one of LLVM 22's tools; skips the test when it is not here."""
    found = shutil.which(f"{name}-22") or shutil.which(name, path="/usr/lib/llvm-22/bin")
    if found is None:
        pytest.skip(f"{name}-22 not found")
    return found


class Refused(Exception):
    """A tool did not take the input."""


def llvm_ptx(text: str, target: str, version: str = "", level: int = 0) -> str:
    """The PTX that LLVM makes of a module in the `llvm` and `nvvm` dialects; raises Refused."""
    translate, llc = tool("mlir-translate"), tool("llc")
    features = [f"-mattr=+ptx{version}"] if version else []
    commands = (
        [translate, "--mlir-to-llvmir"],
        [llc, "-march=nvptx64", f"-mcpu={target}", f"-O{level}", *features, "-o", "-"],
    )
    data = text
    for command in commands:
        done = subprocess.run(command, input=data, capture_output=True, check=False, text=True)
        if done.returncode:
            raise Refused(done.stderr.strip()[:500])
        data = done.stdout
    return data
