"""Invalid operations: refused with mlir-opt's message, at mlir-opt's place.

`invalid.mlir` holds the cases, each behind a line `// name: message`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from weft.errors import MlirError
from weft.mlir import parse_mlir

CASES = (Path(__file__).parent / "invalid.mlir").read_text().split("// -----\n")


def name_of(case: str) -> str:
    return case.removeprefix("// ").partition(":")[0]


def message_of(case: str) -> str:
    return case.partition("\n")[0].partition(": ")[2]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_is_refused(case: str) -> None:
    with pytest.raises(MlirError) as caught:
        parse_mlir(case, "case.mlir")
    assert caught.value.message == message_of(case)
    assert caught.value.position.source is not None


@pytest.mark.sample(2)
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_mlir_opt_says_the_same(case: str, mlir_opt: str) -> None:
    done = subprocess.run([mlir_opt], input=case, capture_output=True, text=True, check=False)
    found = re.match(r"<stdin>:(\d+):(\d+): error: (.*)", done.stderr)
    assert found is not None, done.stderr
    assert found[3] == message_of(case)
    with pytest.raises(MlirError) as caught:
        parse_mlir(case, "case.mlir")
    assert (caught.value.position.line, caught.value.position.column) == (int(found[1]), int(found[2]))


# What upstream lets through and asserts on, or leaves to a later stage, is refused here.
STRICTER = {
    "ldmatrix-indices": (
        (
            "func.func @f(%m: memref<16x16xf16, 3>, %i: index) {\n"
            "  %t = nvgpu.ldmatrix %m[%i] {numTiles = 4 : i32, transpose = false}"
            " : memref<16x16xf16, 3> -> vector<4x2xf16>\n  return\n}"
        ),
        "'nvgpu.ldmatrix' op expected 2 indices, got 1",
    ),
    "mma-shape-of-four": (
        (
            "func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {\n"
            "  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16, 1]}"
            " : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>\n  return\n}"
        ),
        "'nvgpu.mma.sync' op expected mmaShape to have three sizes",
    ),
}


@pytest.mark.parametrize("name", STRICTER)
def test_is_refused_here_only(name: str) -> None:
    text, message = STRICTER[name]
    with pytest.raises(MlirError) as caught:
        parse_mlir(text)
    assert caught.value.message == message
