"""Registers of floats under names of their own: ptxas takes them, and makes the same machine code."""

from __future__ import annotations

from pathlib import Path

import pytest

import weft
from weft.errors import IsaError
from weft.toolchain import Tool

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*sorted((ROOT / "examples").glob("*.mlir")), *sorted((ROOT / "benchmarks" / "kernels").glob("*.mlir"))]
TEXT = """llvm.func @f(%p: !llvm.ptr<1>, %x: f32, %d: f64, %h: f16, %i: i32) -> f32 {
  %y = llvm.fmul %x, %x : f32
  %e = llvm.fadd %d, %d : f64
  %b = llvm.bitcast %i : i32 to f32
  %z = llvm.fadd %y, %b : f32
  %k = llvm.mul %i, %i : i32
  llvm.store %e, %p : f64, !llvm.ptr<1>
  llvm.store %k, %p : i32, !llvm.ptr<1>
  llvm.return %z : f32
}"""


def test_floats_have_names_of_their_own() -> None:
    text = weft.compile(TEXT, target="sm_80", naming="classic").to_ptx()
    assert ".reg .f32 %f<" in text
    assert ".reg .f64 %fd<" in text
    assert "mul.rn.f32 %f1, %f0, %f0;" in text
    assert "add.rn.f64 %fd1, %fd0, %fd0;" in text
    assert "mul.lo.s32 %r1, %r0, %r0;" in text
    assert "add.rn.f32 %f2, %f1, %r0;" in text  # What is an integer somewhere stays one.


def test_the_namings_there_are() -> None:
    with pytest.raises(IsaError, match="unknown naming"):
        weft.compile(TEXT, target="sm_80", naming="roman")


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_machine_code_is_the_same(source: Path, ptxas: Tool) -> None:
    target = "sm_90a" if "sm90a" in source.name else "sm_80"
    plain, named = (weft.compile(source.read_text(), target=target, naming=n) for n in ("bits", "classic"))
    assert not weft.verify(named)
    codes = [weft.assemble(module) for module in (plain, named)]
    assert [[k.registers, k.spills] for k in codes[0].kernels] == [[k.registers, k.spills] for k in codes[1].kernels]
    if ".f32" in plain.to_ptx():
        assert "%f0" in named.to_ptx()
