"""A Triton kernel's LLVM IR through weft, against Triton's own PTX of it."""

# Triton gives the functions that it compiles its own meaning, which no type checker sees.
# pyright: basic

from __future__ import annotations

import importlib.util
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

from tests.benchmark import benchmark
from tests.codegen.breadth import element_pattern
from tests.codegen.oracle import tool
from tests.differential.triton_axis.generate import SHORT, Program
from weft import parse
from weft.codegen import compile_module
from weft.ptx.ast import Module
from weft.sim import KernelFault, UnsupportedInstruction, run

CAPABILITY = 90
TARGET = "sm_90a"


@dataclass
class Finding:
    """A kernel that went wrong."""

    program: Program
    kind: str
    message: str


class Refused(Exception):
    """Triton does not take a kernel, or LLVM 22 its IR."""


def by_triton(program: Program) -> tuple[str, str, int]:
    """The LLVM IR, the PTX, and the bytes of shared memory; raises Refused."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{program.name}.py"
        path.write_text(program.source)
        spec = importlib.util.spec_from_file_location(program.name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            signature = {f"p{i}": f"*{SHORT[t]}" for i, t in enumerate(program.inputs)}
            signature |= {f"o{i}": f"*{SHORT[t]}" for i, t in enumerate(program.outputs)}
            signature |= {"q": "*fp32", "counts": "*i32", "n": "i32", "B": "constexpr"}
            source = ASTSource(fn=getattr(module, program.name), signature=signature, constexprs={"B": program.block})
            options = {"num_warps": program.warps, "enable_fp_fusion": False}
            made = triton.compile(source, target=GPUTarget("cuda", CAPABILITY, 32), options=options)
        except Exception as error:  # Whatever Triton's compiler raises.
            raise Refused(f"{type(error).__name__}: {str(error)[-300:]}") from None
        return made.asm["llir"], made.asm["ptx"], made.metadata.shared


def by_weft(ir: str) -> Module:
    """The PTX that weft makes of the LLVM IR; raises Refused where LLVM 22 cannot read it."""
    done = subprocess.run(
        [tool("mlir-translate"), "--import-llvm"],
        input=benchmark("llvm_constants").spelled(ir),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Refused(done.stderr[:300])
    return compile_module(done.stdout, TARGET)


def _dtype(name: str) -> np.dtype[Any]:
    return np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)


def results(module: Module, program: Program, shared: int, check: str) -> list[Any]:
    """What the kernel writes."""
    rng = Random(f"data {program.seed}")
    count = program.block * program.grid
    arguments: list[Any] = []
    for name in program.inputs:
        dtype, inner = _dtype(name), {"int": "i", "flo": "f", "bfl": "bf"}[name[:3]] + re.sub(r"\D", "", name)
        bits = [element_pattern(rng, inner, "") for _ in range(count)]
        arguments.append(np.array(bits, f"u{dtype.itemsize}").view(dtype))
    outputs = [np.zeros(count, _dtype(name)) for name in program.outputs]
    extra = [np.zeros(256 * program.grid, np.float32), np.zeros(64, np.int32)]
    (kernel,) = module.kernels
    arguments += [*outputs, *extra, 3]
    arguments += [np.zeros(16, np.uint8)] * (len(kernel.parameters) - len(arguments))
    run(module, kernel.name, program.grid, 32 * program.warps, arguments, check=check, shared_bytes=shared)  # pyright: ignore
    return [*outputs, *extra]


def _differ(a: Any, b: Any) -> bool:
    if a.dtype.kind in "iu":
        return not np.array_equal(a, b)
    x, y = a.astype(np.float64), b.astype(np.float64)
    return not np.array_equal(x, y, equal_nan=True)


def judged(program: Program) -> Finding | None:
    """What is wrong with a kernel; None if both agree; raises Refused."""
    ir, ptx, shared = by_triton(program)
    try:
        mine = by_weft(ir)
    except Refused:
        raise
    except Exception as error:  # Whatever it is, it is a finding.
        return Finding(program, "refused", f"{type(error).__name__}: {error}")
    try:
        expected = results(parse(ptx), program, shared, "fast")
    except (UnsupportedInstruction, KernelFault) as error:
        raise Refused(str(error)) from None
    try:
        found = results(mine, program, shared, "fast")
    except KernelFault as fault:
        return Finding(program, "fault", str(fault).splitlines()[0])
    for number, (a, b) in enumerate(zip(found, expected, strict=True)):
        if _differ(a, b):
            place = np.flatnonzero(a != b)[0]
            return Finding(program, "difference", f"output {number}, element {place}: {a[place]}, Triton {b[place]}")
    return None
