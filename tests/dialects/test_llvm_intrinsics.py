"""Intrinsics and `llvm.switch`: read and printed as upstream does."""

from __future__ import annotations

import subprocess

import pytest

from tests.codegen.oracle import tool
from weft.mlir import parse_mlir, print_mlir
from weft.transforms.chunks import run_chunks

TEXT = """module {
  llvm.func @f(%a: i32, %f: f32, %p: !llvm.ptr, %x: i1, %v: vector<4xf32>, %l: i64, %m: vector<4xi1>) -> i32 {
    %0 = "llvm.intr.ctlz"(%a) <{is_zero_poison = false}> : (i32) -> i32
    %1 = llvm.intr.tanh(%f) : (f32) -> f32
    %2 = llvm.intr.sadd.sat(%a, %a) : (i32, i32) -> i32
    llvm.intr.assume %x : i1
    llvm.intr.lifetime.start %p : !llvm.ptr
    "llvm.intr.memcpy"(%p, %p, %l) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
    %3 = "llvm.intr.vector.reduce.fadd"(%f, %v) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
    %4 = llvm.intr.vector.reduce.fmax(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> f32
    %5 = llvm.intr.powi(%f, %a) : (f32, i32) -> f32
    %6 = "llvm.intr.sadd.with.overflow"(%a, %a) : (i32, i32) -> !llvm.struct<(i32, i1)>
    %7 = llvm.intr.expect %a, %a : i32
    %8 = llvm.intr.masked.load %p, %m, %v {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
    %9 = llvm.intr.stepvector : vector<4xi32>
    llvm.intr.trap
    llvm.switch %a : i32, ^bb1(%a : i32) [
      42: ^bb2,
      -3: ^bb3(%a, %0 : i32, i32)
    ]
  ^bb1(%y: i32):
    llvm.return %y : i32
  ^bb2:
    llvm.switch %a : i32, ^bb1(%a : i32) [
    ]
  ^bb3(%z: i32, %w: i32):
    llvm.return %w : i32
  }
}
"""


def upstream(text: str) -> str:
    done = subprocess.run([tool("mlir-opt")], input=text, capture_output=True, text=True, check=True)
    return "\n".join(line.partition("  // ")[0] for line in done.stdout.rstrip().splitlines())


def test_printed_as_upstream_prints() -> None:
    printed = print_mlir(parse_mlir(TEXT))
    assert "\n".join(line.partition("  // ")[0] for line in printed.rstrip().splitlines()) == upstream(TEXT)


def test_a_switch_is_over_integers() -> None:
    from weft.errors import MlirError

    with pytest.raises(MlirError, match="expected builtin.integer, but found 'f32'"):
        parse_mlir("llvm.func @f(%a: f32) {\n llvm.switch %a : f32, ^bb1 [\n ]\n^bb1:\n llvm.return }")


@pytest.mark.parametrize(
    "text",
    [
        '"llvm.intr.dbg.declare"(%p) <{varInfo}> : (!llvm.ptr) -> ()',
        '"llvm.intr.dbg.value"(%p) <{varInfo = 1 : i64}> : (!llvm.ptr) -> ()',
        '"llvm.intr.dbg.label"() <{label}> : () -> ()',
        '"llvm.blocktag"() <{tag}> : () -> ()',
        '%r = "llvm.intr.experimental.constrained.fpext"(%f) <{fpExceptionBehavior}> : (f32) -> f64',
        '%r = "llvm.intr.experimental.constrained.uitofp"(%f) <{roundingmode = 5 : i64, fpExceptionBehavior = 0 : i64}> : (f32) -> f64',
    ],
)
def test_properties_of_another_kind(text: str) -> None:
    """What upstream stores as an enum or as debug metadata is nothing else: accepted once."""
    given = f"func.func @f(%p: !llvm.ptr, %f: f32) {{\n  {text}\n  return\n}}\n"
    assert run_chunks(given, "", filename="-", chunked=True, verify_diagnostics=False).errors
