"""`gpu-launch-sink-index-computations` beside mlir-opt's, on hosts drawn at random."""

from __future__ import annotations

import subprocess
from random import Random

import pytest

from weft.codegen import compile_module
from weft.transforms import run

CONSTANTS = """
func.func @constants() {
  %n = arith.constant 1 : index
  %a = arith.constant dense<1.0> : vector<4xf32>
  %b = llvm.mlir.constant(3 : i32) : i32
  %c = llvm.mlir.undef : i32
  %d = llvm.mlir.zero : !llvm.ptr
  %e = llvm.mlir.poison : i64
  %f = llvm.mlir.addressof @place : !llvm.ptr
  %g = ub.poison : i16
  %h = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %i = index.constant 4
  %j = index.bool.constant true
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%u, %v, %w) in (%bx = %n, %by = %n, %bz = %n) {
    "test.use"(%a, %b, %c, %d, %e, %f, %g, %h, %i, %j) : (vector<4xf32>, i32, i32, !llvm.ptr, i64, !llvm.ptr, i16,
      complex<f32>, index, i1) -> ()
    gpu.terminator
  }
  return
}
llvm.mlir.global external @place() : i32
"""


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.strip().splitlines()]


def theirs(mlir_opt: str, text: str, passes: str) -> list[str]:
    command = [mlir_opt, "--allow-unregistered-dialect", f"--pass-pipeline=builtin.module({passes})"]
    return lines(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout)


def host(random: Random, number: int) -> str:
    """A host that computes indices from indices, and launches a kernel that uses some, in nested regions too."""
    indices, bits, rows = ["%n", "%arg0", "%arg1"], list[str](), ["%n = arith.constant 1 : index"]
    for at in range(random.randrange(4, 24)):
        name, one, two = f"%v{at}", random.choice(indices), random.choice(indices)
        match random.choice(["constant", "dim", "cmpi", "select", "addi", "cmpi", "select"]):
            case "constant":
                rows.append(f"{name} = arith.constant {random.randrange(9)} : index")
            case "dim":
                rows.append(f"{name} = memref.dim %arg2, {one} : memref<?x?xf32>")
            case "cmpi":
                rows.append(f"{name} = arith.cmpi slt, {one}, {two} : index")
                bits.append(name)
                continue
            case "select" if bits:
                rows.append(f"{name} = arith.select {random.choice(bits)}, {one}, {two} : index")
            case _:
                rows.append(f"{name} = arith.addi {one}, {two} : index")
        indices.append(name)

    def use(count: int) -> str:
        names = random.choices(indices, k=count)
        return f'"test.use"({", ".join(names)}) : ({", ".join(["index"] * count)}) -> ()'

    sizes = [random.choice(indices) for _ in range(6)]
    inside = [use(2)]
    for bit in random.sample(bits, min(len(bits), 2)):
        inside += [
            f"scf.if {bit} {{",
            use(1),
            "}",
            f'"test.region"({random.choice(indices)}) ({{',
            use(1),
            "}) : (index) -> ()",
        ]
    return "\n".join((
        f"func.func @host{number}(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {{",
        *rows,
        "gpu.launch blocks(%x, %y, %z) in (%gx = {}, %gy = {}, %gz = {})".format(*sizes[:3]),
        "threads(%u, %v, %w) in (%bx = {}, %by = {}, %bz = {}) {{".format(*sizes[3:]),
        *inside,
        "gpu.terminator }",
        "return }",
    ))  # fmt: skip


SINKING = "gpu-launch-sink-index-computations"


@pytest.mark.parametrize("passes", [SINKING, "gpu-kernel-outlining", f"{SINKING},gpu-kernel-outlining"])
def test_as_mlir_opt(mlir_opt: str, passes: str) -> None:
    random = Random(f"sinking {passes}")
    text = "\n".join([CONSTANTS, *(host(random, number) for number in range(40))])
    assert lines(run(text, passes, allow_unregistered=True)) == theirs(mlir_opt, text, passes)


def test_a_host_that_selects_long() -> None:
    """What depends on what is followed without recursion."""
    chain = "\n".join(f"%s{i + 1} = arith.select %c, %s{i}, %n : index" for i in range(3000))
    text = f"""func.func @f(%c: i1, %s0: index, %m: memref<8xindex>) {{
      %n = arith.constant 1 : index
      {chain}
      gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n)
                 threads(%u, %v, %w) in (%bx = %n, %by = %n, %bz = %n) {{
        memref.store %s3000, %m[%n] : memref<8xindex>
        gpu.terminator
      }}
      return
    }}"""
    sunk = run(text, f"{SINKING},gpu-kernel-outlining")
    kernel = sunk[sunk.index("gpu.module @") :]
    # `%c` and `%s0` are no arguments of the kernel yet: the chain stays on the host, its end is one.
    assert kernel.count("arith.select") == 0
    assert ".entry f_kernel" in compile_module(kernel[: kernel.rindex("}")], "sm_80").to_ptx()
