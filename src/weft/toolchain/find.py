"""Where NVIDIA's tools are: an environment variable, the wheels from PyPI, PATH, a CUDA installation.

`WEFT_PTXAS`, `WEFT_NVDISASM`, ... name a tool outright. Without it the newest of all that are found is taken, since a
newer ptxas takes every older PTX version.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from weft.dataclass import dataclass
from weft.errors import ToolError

LONGEST = 900.0
"""Seconds that a tool may take: one that hangs ends, one on a busy machine is left alone."""
WHEELS = {
    "ptxas": "nvidia-cuda-nvcc",
    "nvlink": "nvidia-cuda-nvcc",
    "nvcc": "nvidia-cuda-nvcc",
    "nvdisasm": "nvidia-cuda-nvdisasm",
    "cuobjdump": "nvidia-cuda-cuobjdump",
}


@dataclass(frozen=True, slots=True)
class Tool:
    """An external program: its path, its version as numbers (empty when it says none), and where it was found."""

    name: str
    path: str
    version: tuple[int, ...]
    source: str

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}".rstrip()


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a program with no input and take what it says; a status other than 0 is the caller's to judge.

    Raises:
        ToolError: it takes longer than `LONGEST`.
    """
    try:
        return subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        name = Path(arguments[0]).name
        raise ToolError(f"{name} did not finish within {LONGEST:.0f} seconds") from None


def version_of(path: str) -> tuple[int, ...]:
    """The version that a program's `--version` tells, () when it tells none."""
    try:
        text = run([path, "--version"]).stdout
    except (OSError, ToolError):
        return ()
    found = re.search(r"\bV(\d+(?:\.\d+)+)", text) or re.search(r"version (\d+(?:\.\d+)+)", text)
    return tuple(map(int, found[1].split("."))) if found else ()


def _candidates(name: str) -> Iterator[tuple[Path, str]]:
    for package, pattern in (("nvidia", f"*/bin/{name}"), ("triton", f"backends/nvidia/bin/{name}")):
        spec = importlib.util.find_spec(package)
        for root in (spec.submodule_search_locations or ()) if spec else ():
            yield from ((path, f"Python package {package}") for path in sorted(Path(root).glob(pattern)))
    on_path = shutil.which(name)
    if on_path:
        yield Path(on_path), "PATH"
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield Path(os.environ[variable], "bin", name), variable
    yield Path("/usr/local/cuda/bin", name), "/usr/local/cuda"


def _executables(name: str) -> Iterator[tuple[Path, str]]:
    """The candidates that can be executed, each once."""
    seen: set[str] = set()
    for path, source in _candidates(name):
        real = os.path.realpath(path)
        if real not in seen and os.access(real, os.X_OK):
            seen.add(real)
            yield path, source


def paths(name: str) -> Iterator[Path]:
    """Where `name` is, of whatever version: none is run."""
    named = shutil.which(os.environ.get(f"WEFT_{name.upper()}") or "")
    yield from (Path(named),) if named else (path for path, _ in _executables(name))


@functools.cache
def find(name: str) -> Tool | None:
    """The newest `name` (`ptxas`, `nvlink`, `nvdisasm`, `cuobjdump`, `nvcc`) on this machine, or None."""
    named = os.environ.get(f"WEFT_{name.upper()}")
    if named:
        path = shutil.which(named)
        if path is None:
            raise ToolError(f"WEFT_{name.upper()}={named!r} is not an executable")
        return Tool(name, path, version_of(path), f"WEFT_{name.upper()}")
    found = [Tool(name, str(path), version_of(str(path)), source) for path, source in _executables(name)]
    return max(found, key=lambda tool: tool.version, default=None)


def need(name: str) -> Tool:
    """Like `find`, but a missing tool is a `ToolError` that says how to get it."""
    tool = find(name)
    if tool is None:
        how = f"pip install {WHEELS[name]}" if name in WHEELS else f"put {name} on PATH"
        raise ToolError(f"{name} was not found", hint=f"{how}, or set WEFT_{name.upper()} to its path")
    return tool
