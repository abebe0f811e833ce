"""The way from a module to PTX: what is compiled, what is left alone, how the time grows."""

from __future__ import annotations

from pathlib import Path

import pytest

import weft
from weft.codegen import compile_module
from weft.mlir import parse_mlir

EXAMPLES = ["gemm_sm80", "histogram", "saxpy", "softmax", "transpose"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_verify_and_parse_back(name: str, examples: Path) -> None:
    module = compile_module((examples / f"{name}.mlir").read_text(), "sm_80")
    assert weft.verify(module) == []
    assert weft.parse(module.to_ptx()) == module


def test_an_xdsl_module_is_left_as_it_was(examples: Path) -> None:
    module = parse_mlir((examples / "gemm_sm80.mlir").read_text())
    before = str(module)
    first, second = (compile_module(module, "sm_80") for _ in range(2))
    assert str(module) == before
    assert first == second


def test_only_device_code_is_compiled() -> None:
    text = """module attributes {gpu.container_module} {
      func.func @host() { return }
      gpu.module @a { gpu.func @one() kernel { gpu.return } }
      gpu.module @b { gpu.func @two() kernel { gpu.return } }
    }"""
    assert [f.name for f in compile_module(text).functions] == ["one", "two"]


def test_stages_are_timed() -> None:
    stages: dict[str, float] = {}
    compile_module("module { }", timer=stages.__setitem__)
    assert list(stages) == ["parse", "lower", "select", "verify"]


def test_banner() -> None:
    assert f"weft {weft.__version__}" in compile_module("module { }").to_ptx()


def chain(count: int) -> str:
    """A kernel of `count` loads, additions and stores in a row."""
    lines = [
        f"%x{i + 1} = memref.load %A[%k{i % 8}] : memref<?xf32>\n"
        f"%y{i} = arith.addf %x{i + 1}, %x{i} : f32\nmemref.store %y{i}, %B[%k{i % 8}] : memref<?xf32>"
        for i in range(count)
    ]
    constants = "\n".join(f"%k{i} = arith.constant {i} : index" for i in range(8))
    return (
        "gpu.module @m { gpu.func @k(%A: memref<?xf32>, %B: memref<?xf32>, %x0: f32) kernel {\n"
        f"{constants}\n" + "\n".join(lines) + "\ngpu.return } }"
    )


@pytest.mark.slow
def test_work_grows_with_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four times the operations take four times the steps of the selector, not sixteen times."""
    import sys

    def steps(count: int) -> int:
        module = parse_mlir(chain(count))
        calls = 0

        def count_calls(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count_calls)
        try:
            compile_module(module, "sm_80")
        finally:
            sys.setprofile(None)
        return calls

    steps(10)
    small, large = steps(100), steps(400)
    assert large < 4.6 * small


def test_launches_are_outlined() -> None:
    """The body of a `gpu.launch` becomes a kernel; what it uses from outside becomes parameters."""
    text = """func.func @main(%A: memref<64xf32>, %f: f32) {
      %c1 = arith.constant 1 : index
      %c64 = arith.constant 64 : index
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
        memref.store %f, %A[%tx] : memref<64xf32>
        gpu.terminator
      }
      return
    }"""
    module = compile_module(text, "sm_80")
    (kernel,) = module.kernels
    assert "main_kernel" in kernel.name
    assert any(d.name == "reqntid" and d.arguments.startswith("64") for d in kernel.directives)
    assert weft.verify(module) == []
