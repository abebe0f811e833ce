"""`convert-nvgpu-to-nvvm` beside mlir-opt's pass of the same name: the same operations after canonicalisation."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from weft.errors import CompileError
from weft.mlir import parse_mlir, print_mlir, verify_module
from weft.transforms.nvgpu_to_nvvm import lower_module

HERE = Path(__file__).parent
SNIPPETS = sorted((HERE / "snippets").glob("*.mlir"))
GEMM = HERE.parent / "dialects" / "snippets" / "gemm_sm80.mlir"


def run(mlir_opt: str, text: str, *passes: str) -> str:
    done = subprocess.run([mlir_opt, *passes], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines(text: str) -> Counter[str]:
    """The operations of a text without the names of values: order and naming may differ."""
    return Counter(re.sub(r"%[\w#]+", "%", line.strip()) for line in text.splitlines())


def lowered(path: Path) -> str:
    module = parse_mlir(path.read_text(), path.name)
    assert lower_module(module)
    verify_module(module)
    return print_mlir(module)


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_same_as_upstream(path: Path, mlir_opt: str) -> None:
    clean = ("-canonicalize", "-cse", "-canonicalize")
    ours = run(mlir_opt, lowered(path), *clean)
    theirs = run(mlir_opt, path.read_text(), "-convert-nvgpu-to-nvvm", *clean)
    assert lines(ours) == lines(theirs)


def test_gemm_has_upstreams_nvvm_operations(mlir_opt: str) -> None:
    """Upstream also turns the loop's vectors into arrays; the nvvm operations are the same, in order."""
    theirs = run(mlir_opt, GEMM.read_text(), "-convert-nvgpu-to-nvvm")

    def operations(text: str) -> list[str]:
        return [" ".join(found.split()) for found in re.findall(r"nvvm\.[^%}\n]*", text)]

    assert operations(lowered(GEMM)) == operations(theirs)


def test_bf16_multiplies() -> None:
    """Upstream cannot lower bf16, although `nvvm.mma.sync` has it."""
    module = parse_mlir(
        "func.func @f(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {\n"
        "  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]}"
        " : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>\n"
        "  return %d : vector<2x2xf32>\n}"
    )
    lower_module(module)
    text = print_mlir(module)
    assert "multiplicandAPtxType = #nvvm.mma_type<bf16>" in text
    assert "(i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>" in text


def test_f32_needs_tf32() -> None:
    module = parse_mlir(
        "func.func @f(%a: vector<2x1xf32>, %b: vector<1x1xf32>, %c: vector<2x2xf32>) -> vector<2x2xf32> {\n"
        "  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 4]}"
        " : (vector<2x1xf32>, vector<1x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>\n"
        "  return %d : vector<2x2xf32>\n}",
        "f32.mlir",
    )
    with pytest.raises(CompileError) as caught:
        lower_module(module)
    assert (caught.value.position.line, caught.value.position.column) == (2, 8)
    assert "tf32Enabled" in caught.value.hint


def test_nothing_to_do() -> None:
    assert not lower_module(parse_mlir("func.func @f() {\n  return\n}"))
