"""C through clang and `mlir-translate --import-llvm`: weft computes what LLVM's back end does of the same LLVM IR."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.codegen.oracle import tool
from weft import transforms
from weft.toolchain import find

SOURCES = Path(__file__).parent / "c"
TARGET = "sm_90"
WORDS = 1024
SEED = 22

KERNELS = [
    (path.stem, name)
    for path in sorted(SOURCES.glob("*.c"))
    for name in re.findall(r"^KERNEL\((\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)
]


def _output(*command: str, text: str = "") -> str:
    return subprocess.run(command, input=text, capture_output=True, check=True, text=True).stdout


@cache
def imported(file: str, level: str) -> tuple[str, str]:
    """The MLIR of a file, and the PTX that LLVM's back end makes of the same LLVM IR."""
    options = ("--target=nvptx64-nvidia-cuda", f"-march={TARGET}", "-nogpulib", "-Wno-everything", *level.split())
    ir = _output(tool("clang"), *options, "-emit-llvm", "-S", "-o", "-", str(SOURCES / f"{file}.c"))
    mlir = _output(tool("mlir-translate"), "--import-llvm", text=ir)
    return mlir, _output(tool("llc"), "-march=nvptx64", f"-mcpu={TARGET}", "-mattr=+ptx86", "-o", "-", text=ir)


@cache
def compiled(file: str, level: str) -> tuple[weft.Module, weft.Module]:
    """The file's PTX by weft, accepted by ptxas, and by LLVM."""
    mlir, ptx = imported(file, level)
    module = weft.compile(mlir, target=TARGET)
    if find("ptxas") is not None:
        weft.assemble(module)
    return module, weft.parse(ptx)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O1", "-O3", "-O1 -g"])
@pytest.mark.parametrize(("file", "name"), KERNELS)
def test_same_as_llvm(file: str, name: str, level: str) -> None:
    words = np.random.default_rng(SEED).integers(0, 1 << 32, WORDS, np.uint32)
    results: list[tuple[np.ndarray, str]] = []
    for module in compiled(file, level):
        out = np.zeros(WORDS, np.uint32)
        found = weft.run(module, name, grid=(1,), block=(32,), args=[words.copy(), out])
        results.append((out, found.output))
    (ours, printed), (theirs, expected) = results
    assert printed == expected
    assert np.array_equal(ours, theirs), np.nonzero(ours != theirs)[0]


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O1", "-O1 -g -Xclang -debug-info-kind=standalone"])
@pytest.mark.parametrize("file", sorted({file for file, _ in KERNELS}))
def test_printed_as_mlir_opt_prints(file: str, level: str) -> None:
    mlir, _ = imported(file, level)
    theirs = _output(tool("mlir-opt"), text=mlir)
    assert _lines(transforms.run(mlir, "")) == _lines(theirs)


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]
