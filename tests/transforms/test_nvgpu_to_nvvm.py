"""`convert-nvgpu-to-nvvm` beside mlir-opt's pass of the same name: the same text, operation by operation."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.dialects import oracle
from weft.errors import CompileError
from weft.mlir import parse_mlir, print_mlir, verify_module
from weft.transforms.nvgpu_to_nvvm import lower_module

HERE = Path(__file__).parent
SNIPPETS = sorted((HERE / "snippets").glob("*.mlir"))
GEMM = HERE.parent / "dialects" / "snippets" / "gemm_sm80.mlir"
EXPECTED = HERE / "nvgpu_to_nvvm.expected"
PASS = "convert-nvgpu-to-nvvm"

# Where MLIR 22 loses numbers: it gives f16 accumulators half the registers, and turns others into bytes.
DIFFERENT = re.compile(r"<fragmented = vector<\w+x(f16|bf16|f8\w+|i8)>>")


def run(mlir_opt: str, text: str, *passes: str) -> str:
    done = subprocess.run([mlir_opt, *passes], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return re.sub(r" +$", "", done.stdout, flags=re.MULTILINE)


def lines(text: str) -> Counter[str]:
    """The operations of a text without the names of values: order and naming may differ."""
    return Counter(re.sub(r"%[\w#]+", "%", line.strip()) for line in text.splitlines())


def lowered(path: Path, *, shared: bool = True) -> str:
    module = parse_mlir(path.read_text(), path.name)
    assert lower_module(module, shared=shared)
    verify_module(module)
    return print_mlir(module)


def operations() -> list[oracle.Case]:
    """Every valid operation of `ops/nvgpu.ops`."""
    path = oracle.FOLDER / "nvgpu.ops"
    found = zip(oracle.cases(path), oracle.stored(path), strict=True)
    valid = [case for case, outcome in found if re.match(r"\d+:\d+: ", outcome) is None]
    return [case for case in valid if DIFFERENT.search(case.text.splitlines()[1]) is None]


def test_every_operation_becomes_what_mlir_opt_makes_of_it() -> None:
    given = operations()
    stored = EXPECTED.read_text().partition("\n")[2].split(oracle.MARKER)
    for case, ours, theirs in zip(given, oracle.ours(given, PASS), stored, strict=True):
        assert ours == theirs.strip("\n"), f"nvgpu.ops:{case.line}"


@pytest.mark.slow
def test_stored_outcomes_are_those_of_mlir_opt(mlir_opt: str) -> None:
    outcomes = oracle.upstream(mlir_opt, operations(), f"-{PASS}")
    stored = EXPECTED.read_text().partition("\n")[2].split(oracle.MARKER)
    assert [text.strip("\n") for text in stored] == outcomes


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_same_text_as_upstream(path: Path, mlir_opt: str) -> None:
    assert lowered(path, shared=False).rstrip() == run(mlir_opt, path.read_text(), f"-{PASS}").rstrip()


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_sharing_changes_nothing(path: Path, mlir_opt: str) -> None:
    clean = ("-canonicalize", "-cse", "-canonicalize")
    ours = run(mlir_opt, lowered(path), *clean)
    theirs = run(mlir_opt, path.read_text(), f"-{PASS}", *clean)
    assert lines(ours) == lines(theirs)


@pytest.mark.slow
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


MAP = "<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_256b, oob = nan, interleave = none>"
RECIPROCALS = ("4xf32", "1x4xf32", "2x4xf32", "2x3x4xf32", "2x1x2x1xf32")


def test_several_of_a_kind(mlir_opt: str) -> None:
    """Reciprocals of vectors of any dimensions; two tensor maps, of which one declares what both call."""
    arguments = ", ".join(f"%v{at}: vector<{kind}>" for at, kind in enumerate(RECIPROCALS))
    body = [
        f"%r{at} = nvgpu.rcp %v{at} {{rounding = approx, ftz}} : vector<{kind}>" for at, kind in enumerate(RECIPROCALS)
    ]
    body += [f"%t{at} = nvgpu.tma.create.descriptor %m box[%i, %i] : memref<*xf16> -> {MAP}" for at in range(2)]
    results = ", ".join(f"%r{at}" for at in range(len(RECIPROCALS)))
    types = ", ".join(f"vector<{kind}>" for kind in RECIPROCALS)
    text = "llvm.func @other()\nfunc.func @f(%m: memref<*xf16>, %i: index, " + f"{arguments}) -> ({types}) {{\n"
    text += "\n".join([*body, f"return {results} : {types}\n}}\n"])
    module = parse_mlir(text)
    lower_module(module, shared=False)
    assert lines(print_mlir(module).strip()) == lines(run(mlir_opt, text, f"-{PASS}").strip())
    assert print_mlir(module).count("llvm.func @mgpuTensorMapEncodeTiledMemref") == 1


def test_nothing_to_do() -> None:
    assert not lower_module(parse_mlir("func.func @f() {\n  return\n}"))
