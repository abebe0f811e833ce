"""Pass pipelines from text to text."""

from __future__ import annotations

import pytest

from weft.errors import MlirError, WeftError
from weft.transforms import run

KERNEL = """gpu.module @m {
  gpu.func @k(%m: memref<4xf32>) kernel {
    %a = arith.constant 1 : index
    %b = arith.constant 2 : index
    %c = arith.addi %a, %b : index
    %unused = arith.muli %c, %c : index
    %v = memref.load %m[%c] : memref<4xf32>
    memref.store %v, %m[%a] : memref<4xf32>
    gpu.return
  }
}
"""


def test_no_passes() -> None:
    assert run(KERNEL, "") == run(run(KERNEL, ""), "")


def test_canonicalize_folds() -> None:
    text = run(KERNEL, "canonicalize,cse,dce")
    assert "arith.addi" not in text
    assert "arith.muli" not in text
    assert "arith.constant 3 : index" in text


def test_mlir_names_of_passes() -> None:
    run(KERNEL, "loop-invariant-code-motion")


def test_unknown_pass() -> None:
    with pytest.raises(WeftError) as caught:
        run(KERNEL, "canonicalise")
    assert "canonicalize" in caught.value.hint


TWO = KERNEL + KERNEL.replace("@m", "@n").replace("gpu.func @k", "gpu.func @other") + "llvm.func @outside()\n"


@pytest.mark.parametrize(
    ("pipeline", "folded"),
    [
        ("builtin.module(canonicalize)", 2),
        ("builtin.module(gpu.module(canonicalize))", 2),
        ("gpu.module(gpu.func(canonicalize),cse)", 2),
        ("builtin.module( gpu.module( canonicalize , cse ) , dce )", 2),
        ("any(any(canonicalize))", 2),
        ("builtin.module(gpu.func(canonicalize))", 0),  # No gpu.func stands directly in the module.
        ("", 0),
    ],
)
def test_anchors(pipeline: str, folded: int) -> None:
    text = run(TWO, pipeline)
    assert text.count("arith.constant 3 : index") == folded
    assert [line for line in text.splitlines() if " @" in line] == [
        line for line in run(TWO, "").splitlines() if " @" in line
    ]


def test_told_after_each_pass() -> None:
    told: list[str] = []
    run(TWO, "gpu.module(cse,canonicalize),dce", after=lambda name, _: told.append(name))
    assert told == ["cse", "canonicalize"] * 2 + ["dce"]


@pytest.mark.parametrize(
    "pipeline", ["cse{", ",", "cse{x=1}", "func.func(cse", "func.func()", "cse)", "cse canonicalize"]
)
def test_bad_pipeline(pipeline: str) -> None:
    with pytest.raises(WeftError):
        run(KERNEL, pipeline)


def test_bad_input() -> None:
    with pytest.raises(MlirError):
        run("gpu.module {", "cse")
