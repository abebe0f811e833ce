"""LLVM as an oracle: the same module through `mlir-opt-22`, `mlir-translate-22` and `llc-22`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

QUIET = {"LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""What tools that crash need not find out."""


def tool(name: str) -> str:
    """The path of one of LLVM 22's tools; skips the test when it is not here."""
    found = shutil.which(f"{name}-22") or shutil.which(name, path="/usr/lib/llvm-22/bin")
    if found is None:
        pytest.skip(f"{name}-22 not found")
    return found


class Refused(Exception):
    """A tool did not take the input; `functions` are those that it names."""

    def __init__(self, said: str, functions: set[str]) -> None:
        super().__init__(said[:500])
        self.functions = functions


def llvm_ptx(text: str, target: str, version: str = "", level: int = 0) -> str:
    """The PTX that LLVM makes of a module in the `llvm` and `nvvm` dialects; raises Refused."""
    opt, translate, llc = tool("mlir-opt"), tool("mlir-translate"), tool("llc")
    features = [f"-mattr=+ptx{version}"] if version else []
    commands = (
        [opt, "--convert-nvvm-to-llvm"],
        [translate, "--mlir-to-llvmir"],
        [llc, "-march=nvptx64", f"-mcpu={target}", f"-O{level}", *features, "-o", "-"],
    )
    data = text
    for command in commands:
        done = subprocess.run(command, input=data, capture_output=True, check=False, text=True, env=os.environ | QUIET)
        if done.returncode:
            raise Refused(done.stderr.strip(), _named(done.stderr, data))
        data = done.stdout
    return data


def _named(said: str, text: str) -> set[str]:
    """The functions that messages name, or whose lines they do."""
    lines = text.splitlines()
    found = set(re.findall(r"on function '@(\w+)'", said))
    for line in re.findall(r"<stdin>:(\d+):\d+: error:", said):
        heads = re.findall(r"(?m)^ *llvm\.func @(\w+)\(", "\n".join(lines[: int(line)]))
        found.update(heads[-1:])
    return found


VERSIONS = {"sm_80": "84", "sm_90": "86", "sm_90a": "86", "sm_100": "88", "sm_100a": "90", "sm_120a": "90"}
"""PTX versions to ask LLVM for, recent enough for every operation on the target."""


def llvm_bodies(functions: dict[str, str], target: str) -> dict[str, str]:
    """The bodies of functions, each a module of its own, as LLVM makes them; those it refuses are left out."""
    from tests.codegen.trace import bodies

    if not functions:
        return {}
    try:
        return bodies(llvm_ptx("\n".join(functions.values()), target, VERSIONS[target]))
    except Refused as refusal:
        left = {name: text for name, text in functions.items() if name not in refusal.functions}
    if len(left) < len(functions):
        return llvm_bodies(left, target)
    if len(functions) == 1:
        return {}
    names = list(functions)
    found: dict[str, str] = {}
    for part in (names[: len(names) // 2], names[len(names) // 2 :]):
        found |= llvm_bodies({name: functions[name] for name in part}, target)
    return found
