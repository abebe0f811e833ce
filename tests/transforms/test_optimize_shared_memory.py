"""`nvgpu-optimize-shared-memory` beside mlir-opt's pass of the name, and what it leaves alone."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import ROOT
from weft.transforms import run

PASS = "nvgpu-optimize-shared-memory"
CASES = (ROOT / "tests/transforms/shared_memory.mlir").read_text().split("// -----\n")


def reprint(mlir_opt: str, text: str, *passes: str) -> str:
    return subprocess.run([mlir_opt, *passes], input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.sample(2)
@pytest.mark.parametrize("text", CASES, ids=lambda text: text.partition("@")[2].partition("(")[0])
def test_as_mlir_opt(text: str, mlir_opt: str) -> None:
    assert reprint(mlir_opt, run(text, PASS)) == reprint(mlir_opt, text, f"--{PASS}")


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("memref<64x48xf16, 3>", ""),  # A permuted index could lie outside of the row.
        ("memref<64xf16, 3>", ""),
        ("memref<64x64xf16>", ""),
        ("memref<64x64xf16, 3>", "%c = memref.cast %s : memref<64x64xf16, 3> to memref<?x?xf16, 3>"),
        ("memref<64x64xf16, 3>", "func.call @use(%s) : (memref<64x64xf16, 3>) -> ()"),
    ],
)
def test_left_alone(kind: str, more: str) -> None:
    indices = ", ".join("%i" for _ in range(kind.count("x", 0, kind.index("xf16")) + 1))
    text = (
        "func.func private @use(memref<64x64xf16, 3>)\n"
        f"func.func @f(%i: index, %v: f16) {{\n  %s = memref.alloc() : {kind}\n  {more}\n"
        f"  memref.store %v, %s[{indices}] : {kind}\n  %w = memref.load %s[{indices}] : {kind}\n  return\n}}\n"
    )
    assert run(text, PASS) == run(text, "")
