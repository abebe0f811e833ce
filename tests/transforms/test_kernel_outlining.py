"""`gpu-kernel-outlining` beside mlir-opt's, and what comes of it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.effort import draws
from weft.codegen import compile_module
from weft.transforms import run

SOURCE = (Path(__file__).parent / "launches.mlir").read_text()


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


LAUNCH = (
    "gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %h = %n) threads(%i, %j, %k) in (%l = %n, %m = %n, %o = %n) "
    "module(@m) function(@{}) {{\ngpu.terminator\n}}"
)
TAKEN = f"""module attributes {{gpu.container_module}} {{ gpu.module @m {{
  llvm.mlir.global internal @g(0 : i32) {{addr_space = 3 : i32}} : i32
  gpu.func @k(%a: index) kernel {{ gpu.return }}
}}
func.func @f(%n: index) {{\n{LAUNCH.format("k")}\n{LAUNCH.format("g")}\n{LAUNCH.format("k")}\nreturn\n}} }}"""
"""Kernels whose names a kernel and a variable have in their module."""


@pytest.mark.parametrize(
    ("source", "passes"),
    [(SOURCE, ""), (SOURCE, "gpu-kernel-outlining"), (TAKEN, "gpu-kernel-outlining")],
    ids=["as-it-is", "outlined", "names-taken"],
)
def test_as_mlir_opt(mlir_opt: str, source: str, passes: str) -> None:
    command = [mlir_opt, *(f"--{name}" for name in passes.split(",") if name)]
    theirs = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    assert lines(run(source, passes)) == lines(theirs)


def test_outlined_kernels_compile() -> None:
    text = run(SOURCE, "gpu-kernel-outlining")
    assert "gpu.launch " not in text
    kernel = text[text.index("  gpu.module @f_kernel {") : text.index("  gpu.module @f_kernel_0")]
    assert ".entry f_kernel" in compile_module(kernel, "sm_80").to_ptx()


def program(random: Random) -> str:
    """Launches that call functions, which call functions and read globals, each in any order."""
    functions = random.randrange(1, 7)
    rows = [f'memref.global "private" constant @t{i} : memref<4xf32> = dense<{i}.0>' for i in range(3)]
    rows.append("func.func private @outside(f32) -> f32")

    def uses(among: list[str]) -> list[str]:
        lines = list[str]()
        for name in random.choices(among, k=random.randrange(1, 4)):
            value, made = (lines[-1].partition(" =")[0] if lines else "%a"), f"%v{len(lines)}"
            if name.startswith("@t"):
                lines += [f"%t{len(lines)} = memref.get_global {name} : memref<4xf32>"]
                value, made = lines[-1].partition(" =")[0], f"%v{len(lines)}"
                lines += [f"{made} = memref.load {value}[%i] : memref<4xf32>"]
            else:
                lines += [f"{made} = func.call {name}({value}) : (f32) -> f32"]
        return lines

    for number in range(functions):
        called = uses(["@t0", "@t1", "@t2", "@outside", *(f"@h{i}" for i in range(number))])
        result = called[-1].partition(" =")[0]
        body = ["%i = arith.constant 1 : index", *called, f"return {result} : f32"]
        rows += [f"func.func @h{number}(%a: f32) -> f32 {{", *body, "}"]
    for number in range(random.randrange(1, 3)):
        rows.append(f"func.func @main{number}(%m: memref<8xf32>, %n: index) {{")
        for _ in range(random.randrange(1, 3)):
            called = uses(["@t0", "@t1", "@outside", *(f"@h{i}" for i in range(functions))])
            rows += [
                "gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n)",
                "threads(%i, %v, %w) in (%bx = %n, %by = %n, %bz = %n) {",
                "%a = memref.load %m[%i] : memref<8xf32>",
                *called,
                f"memref.store {called[-1].partition(' =')[0]}, %m[%i] : memref<8xf32>",
                "gpu.terminator }",
            ]
        rows += ["return", "}"]
    random.shuffle(parts := "\n".join(rows).split("\nfunc.func"))
    return "module {\n" + "\n".join(part if part.startswith("memref") else f"func.func{part}" for part in parts) + "\n}"


def test_what_kernels_call_comes_along(mlir_opt: str) -> None:
    random = Random("call graphs")
    texts = [program(random) for _ in range(draws(12, 30))]
    command = [mlir_opt, "--gpu-kernel-outlining", "--split-input-file"]
    source = "\n// -----\n".join(texts)
    theirs = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    for text, expected in zip(texts, theirs.split("\n// -----\n"), strict=True):
        assert lines(run(text, "gpu-kernel-outlining")) == lines(expected)
        assert ".entry main0_kernel" in compile_module(text, "sm_80").to_ptx()
