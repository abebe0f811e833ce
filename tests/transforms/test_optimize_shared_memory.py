"""`nvgpu-optimize-shared-memory` beside mlir-opt's pass of the name, and what it leaves alone."""

from __future__ import annotations

import subprocess
from itertools import product

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


def test_every_length_of_a_row(mlir_opt: str) -> None:
    """Rows from one byte to two lines of the banks, of elements of each size; arrays may be freed, too.

    The longest first: mlir-opt looks no further behind an array whose rows are too short.
    """
    sizes = product({"i8": 8, "f16": 16, "f32": 32, "f64": 64}.items(), [1, 2, 4, 8, 16, 32, 64, 128])
    made = list[str]()
    for (element, _), columns in sorted(sizes, key=lambda size: -size[0][1] * size[1]):
        kind = f"memref<32x{columns}x{element}, 3>"
        made.append(f"""func.func @f{len(made)}(%i: index, %j: index) -> {element} {{
          %s = memref.alloc() : {kind}
          %v = memref.load %s[%i, %j] : {kind}
          memref.store %v, %s[%i, %j] : {kind}
          memref.dealloc %s : {kind}
          return %v : {element}\n}}""")
    text = "\n".join(made)
    assert reprint(mlir_opt, run(text, PASS)) == reprint(mlir_opt, text, f"--{PASS}")


def test_arrays_without_elements_are_left_alone() -> None:
    kind = "memref<4x0xf16, 3>"
    text = (
        f"func.func @f(%i: index, %v: f16) {{\n  %s = memref.alloc() : {kind}\n  memref.store %v, %s[%i, %i] : {kind}\n"
    )
    text += f"  %w = memref.load %s[%i, %i] : {kind}\n  return\n}}\n"
    assert run(text, PASS) == run(text, "")
