"""A batch of kernels through weft and through LLVM, to PTX."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import site
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.codegen.breadth import Refused
from tests.codegen.oracle import tool
from tests.differential.program import Kernel
from weft import parse
from weft.codegen import compile_module
from weft.ptx.ast import Module

TARGET = "sm_90"
ours = TARGET
"""What weft compiles for."""
_LIBRARY = {
    "fmin": "min.{t} %d, %a, %b;", "fmax": "max.{t} %d, %a, %b;", "fma": "fma.rn.{t} %d, %a, %b, %c;",
    "copysign": "copysign.{t} %d, %b, %a;", "rint": "cvt.rni.{t}.{t} %d, %a;", "floor": "cvt.rmi.{t}.{t} %d, %a;",
    "ceil": "cvt.rpi.{t}.{t} %d, %a;", "trunc": "cvt.rzi.{t}.{t} %d, %a;", "fabs": "abs.{t} %d, %a;",
}  # fmt: skip
"""What functions of CUDA's library are that are one instruction."""
_DECLARED = re.compile(r"\.extern \.func\s+\(\.param \.b(32|64) func_retval0\) __nv_(\w+)\s*\(([^)]*)\)\s*;")
_PASSES = (
    "-test-gpu-subgroup-reduce-lowering=expand-to-shuffles", "-convert-vector-to-scf", "-lower-affine", "-convert-vector-to-llvm", "-expand-strided-metadata", "-convert-complex-to-standard",
    "-gpu-lower-to-nvvm-pipeline=cubin-chip={} cubin-features=+ptx86 opt-level={} cubin-format=isa",
)  # fmt: skip
_QUIET = {**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1", "LLVM_DISABLE_CRASH_REPORT": "1"}
"""Where mlir-opt breaks its heap and crashes, naming the functions of its stack allocates, and waits for ever."""
LEVEL = 1
LONGEST = 60
"""Seconds after which mlir-opt is given up."""


def text(kernels: Sequence[Kernel]) -> str:
    """A module of kernels."""
    bodies = "\n".join(kernel.text() for kernel in kernels)
    return f"module attributes {{gpu.container_module}} {{ gpu.module @m {{\n{bodies}}} }}\n"


def by_weft(kernels: Sequence[Kernel]) -> Module:
    """The PTX of weft."""
    return compile_module(text(kernels), ours)


@cache
def toolkit() -> dict[str, str]:
    """The environment in which mlir-opt finds CUDA's library of functions, if it is here."""
    packages = [Path(p) for p in site.getsitepackages()]
    for pattern in ("nvidia/*/nvvm/libdevice/libdevice.10.bc", "triton/backends/nvidia/lib/libdevice.10.bc"):
        for library in (path for folder in packages for path in folder.glob(pattern)):
            root = Path(tempfile.mkdtemp(prefix="libdevice"))
            atexit.register(shutil.rmtree, root)
            (root / "nvvm/libdevice").mkdir(parents=True)
            (root / "nvvm/libdevice/libdevice.10.bc").symlink_to(library)
            return {**_QUIET, "CUDA_ROOT": str(root)}
    return _QUIET


def by_llvm(kernels: Sequence[Kernel], level: int = LEVEL) -> Module:
    """The PTX of mlir-opt's pipeline and LLVM's back end; raises Refused."""
    (module,) = pipeline(text(kernels), level)
    return module


def pipeline(mlir: str, level: int = LEVEL, target: str = TARGET, first: Sequence[str] = ()) -> list[Module]:
    """The PTX of each `gpu.module` of a module, by `first` and mlir-opt's pipeline, and LLVM's back end; raises Refused."""
    code, found, errors = _run(mlir, level, target, first)
    if code or not found:
        raise Refused(errors[:300])
    return found


def _run(mlir: str, level: int, target: str, first: Sequence[str]) -> tuple[int, list[Module], str]:
    """What mlir-opt leaves: its exit status, the PTX of each `gpu.module` that it compiled, and what it says."""
    command = [tool("mlir-opt"), *first, *(p.format(target, level) for p in _PASSES)]
    try:
        done = subprocess.run(
            command, input=mlir, capture_output=True, check=False, text=True, env=toolkit(), timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return -1, [], "mlir-opt does not come to an end"
    found = re.findall(r'assembly = "(.*?)">\]', done.stdout, re.DOTALL)
    texts = (re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), f) for f in found)
    return done.returncode, [parse(_DECLARED.sub(_defined, text)) for text in texts], done.stderr


def _defined(match: re.Match[str]) -> str:
    """The definition of a function of the library, if it is in the table."""
    bits, name, parameters = match[1], match[2], match[3]
    code = _LIBRARY.get(name.removesuffix("f") if bits == "32" and name != "fma" else name)
    if code is None:
        return match[0]
    registers = f".reg .b{bits} %d, %a, %b, %c;"
    loads = "".join(
        f" ld.param.b{bits} %{register}, [{name}];"
        for register, name in zip("abc", re.findall(r"__nv_\w+_param_\d", parameters), strict=False)
    )
    body = f"{{ {registers}{loads} {code.format(t='f' + bits)} st.param.b{bits} [func_retval0], %d; ret; }}"
    return match[0].replace(".extern ", "").rstrip(";") + body


def all_by_llvm(kernels: Sequence[Kernel]) -> dict[str, Module]:
    """The module that has each kernel; those that LLVM refuses are left out.

    One process takes a module for each kernel, so that what it refuses of one leaves the others; what it crashes on is
    found by halves.
    """
    code, found, _ = _run(
        "// -----\n".join(text([kernel]) for kernel in kernels), LEVEL, TARGET, ["--split-input-file"]
    )
    if code < 0 and len(kernels) > 1:
        half = len(kernels) // 2
        return all_by_llvm(kernels[:half]) | all_by_llvm(kernels[half:])
    return {} if code < 0 else {kernel.name: module for module in found for kernel in module.kernels}
