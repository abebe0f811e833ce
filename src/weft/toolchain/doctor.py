"""What of the things weft can use is here, and in which version."""

from __future__ import annotations

import importlib
import platform
import re
import shutil
from collections.abc import Iterator
from importlib import metadata
from typing import Any

import weft
from weft.dataclass import dataclass
from weft.errors import ToolError
from weft.toolchain.find import find, run, version_of

LLVM_FOLDER = "/usr/lib/llvm-22/bin"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked for: its name, whether it is here, its version or state, and what is lost without it."""

    name: str
    present: bool
    detail: str = ""
    purpose: str = ""


def _package(name: str, purpose: str) -> Finding:
    try:
        return Finding(name, True, metadata.version(name), purpose)
    except metadata.PackageNotFoundError:
        return Finding(name, False, "", purpose)


def _nvidia_tool(name: str, purpose: str) -> Finding:
    try:
        tool = find(name)
    except ToolError as error:
        return Finding(name, False, error.message, purpose)
    if tool is None:
        return Finding(name, False, "", purpose)
    detail = ".".join(map(str, tool.version)) + f" ({tool.source})"
    if name == "ptxas":
        versions = re.findall(r"^\d+\.\d+$", run([tool.path, "--list-version"]).stdout, re.MULTILINE)
        newest = max(versions, key=lambda text: tuple(map(int, text.split("."))), default="")
        detail += f", PTX up to {newest}" if newest else ""
    return Finding(name, True, detail, purpose)


def _llvm_tool(name: str) -> Finding:
    path = shutil.which(f"{name}-22") or shutil.which(name, path=LLVM_FOLDER) or shutil.which(name)
    purpose = "tests, benchmarks"
    return Finding(name, path is not None, ".".join(map(str, version_of(path))) if path else "", purpose)


def _gpu() -> Finding:
    purpose = "running kernels on a GPU"
    try:
        driver: Any = importlib.import_module("cuda.bindings.driver")
    except ImportError:
        return Finding("GPU", False, "cuda-bindings is not installed", purpose)
    try:
        status = int(driver.cuInit(0)[0])
        if status:
            return Finding("GPU", False, f"the driver answers {status}", purpose)
        name = bytes(driver.cuDeviceGetName(100, driver.cuDeviceGet(0)[1])[1])
    except RuntimeError:
        return Finding("GPU", False, "no driver", purpose)
    return Finding("GPU", True, name.rstrip(b"\0").decode(), purpose)


def examine() -> Iterator[Finding]:
    """Look at one thing after the other; takes a second or so, since each tool is asked for its version."""
    yield Finding("python", True, platform.python_version(), "weft")
    yield Finding("weft", True, weft.__version__, "weft")
    for name in ("xdsl", "numpy", "ml_dtypes"):
        yield _package(name, "weft")
    yield _nvidia_tool("ptxas", "assembling PTX")
    yield _nvidia_tool("nvlink", "linking objects")
    yield _nvidia_tool("nvdisasm", "disassembling cubins")
    yield _nvidia_tool("cuobjdump", "listing cubins")
    yield _gpu()
    yield _nvidia_tool("nvcc", "tests")
    for name in ("mlir-opt", "mlir-translate", "opt", "llc"):
        yield _llvm_tool(name)
    for name in ("triton", "llvmlite"):
        yield _package(name, "tests")
