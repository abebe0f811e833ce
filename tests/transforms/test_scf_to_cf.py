"""`convert-scf-to-cf` beside mlir-opt's pass of the name: the same blocks, in the same order."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from weft.errors import CompileError
from weft.mlir import parse_mlir
from weft.transforms import run
from weft.transforms.affine_boxes_to_for import lower_module as lower_boxes

FILES = [
    ROOT / "tests/transforms/control_flow.mlir",
    ROOT / "tests/dialects/snippets/arith_math_scf.mlir",
    *sorted((ROOT / "benchmarks/kernels").glob("*.mlir")),
]


def reprint(mlir_opt: str, text: str, *passes: str) -> str:
    return subprocess.run([mlir_opt, *passes], input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_mlir_opt(path: Path, mlir_opt: str) -> None:
    text = path.read_text()
    lowered = run(text, "convert-scf-to-cf")
    assert reprint(mlir_opt, lowered) == reprint(mlir_opt, text, "-convert-scf-to-cf")


BOX = "func.func @f(%a: index, %b: index, %m: memref<8xf32>, %v: f32) {{\n{}\nreturn\n}}"
MAPPED = "a loop that is mapped to threads or blocks has no lowering"
UNEVEN = "a loop needs the same number of lower bounds, upper bounds and steps, and at least one"


MAP = "#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>"
TWO_ENDS = '"scf.parallel"(%a, %b, %b, %b) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>}> '
BOXES = {
    f"scf.parallel (%i) = (%a) to (%b) step (%b) {{\nscf.reduce\n}} {{mapping = [{MAP}]}}": f"'scf.parallel': {MAPPED}",
    "scf.forall (%i) in (%b) {\n} {mapping = [#gpu.thread<x>]}": f"'scf.forall': {MAPPED}",
    TWO_ENDS + "({\n^bb0(%i: index):\nscf.reduce\n}) : (index, index, index, index) -> ()": f"'scf.parallel': {UNEVEN}",
    "scf.forall () in () {\n}": f"'scf.forall': {UNEVEN}",
}


@pytest.mark.parametrize(("body", "reason"), BOXES.items(), ids=["parallel", "forall", "two-ends", "none"])
def test_boxes_that_are_no_loops(body: str, reason: str) -> None:
    with pytest.raises(CompileError) as caught:
        run(BOX.format(body), "convert-scf-to-cf")
    assert caught.value.message == reason
    assert caught.value.position is not None
    assert caught.value.position.line == 2


def test_bounds_that_are_symbols() -> None:
    """The operands of the lower bounds come before those of the upper ones, dimensions and symbols alike."""
    loop = """affine.parallel (%i, %j) = (%a + symbol(%b), symbol(%a)) to (%b, %a + symbol(%b)) {
      affine.store %v, %m[%i] : memref<8xf32>\n}"""
    module = parse_mlir(BOX.format(loop))
    lower_boxes(module)
    a, b = next(op for op in module.walk() if op.name == "func.func").regions[0].block.args[:2]
    found = [(op.name, tuple(op.operands)) for op in module.walk() if op.name in ("affine.max", "affine.min")]
    assert found == [("affine.max", (a, b, a))] * 2 + [("affine.min", (b, a, b))] * 2
