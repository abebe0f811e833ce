"""`gpu-kernel-outlining` beside mlir-opt's, and what comes of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from weft.codegen import compile_module
from weft.transforms import run

SOURCE = (Path(__file__).parent / "launches.mlir").read_text()


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


@pytest.mark.parametrize("passes", ["", "gpu-kernel-outlining"])
def test_as_mlir_opt(mlir_opt: str, passes: str) -> None:
    command = [mlir_opt, *(f"--{name}" for name in passes.split(",") if name)]
    theirs = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=True).stdout
    assert lines(run(SOURCE, passes)) == lines(theirs)


def test_outlined_kernels_compile() -> None:
    text = run(SOURCE, "gpu-kernel-outlining")
    assert "gpu.launch " not in text
    kernel = text[text.index("  gpu.module @f_kernel {") : text.index("  gpu.module @f_kernel_0")]
    assert ".entry f_kernel" in compile_module(kernel, "sm_80").to_ptx()
