"""The functions of libdevice: calls of them in MLIR and in CUDA."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weft.codegen.libdevice.signatures import signatures

MLIR = {"i": "i32", "l": "i64", "h": "i16", "f": "f32", "d": "f64", "p": "!llvm.ptr"}
CUDA = {"i": "int", "l": "long long", "h": "unsigned short", "f": "float", "d": "double"}
DTYPES: dict[str, Any] = {"i": np.int32, "l": np.int64, "h": np.uint16, "f": np.float32, "d": np.float64}
STORED = {"sincos": "rr", "sincospi": "rr", "fast_sincos": "rr", "modf": "r", "frexp": "i", "remquo": "i"}
"""What the functions with pointers store there: floats of their own kind (`r`), or integers."""
TEXT, ARRAYS = ("nan",), ("norm", "rnorm")
"""Functions of a text, and of an array of any length: their pointers are operands."""


@dataclass(frozen=True, slots=True)
class Case:
    """A function, with its result first among `outputs` if it has one."""

    name: str
    result: str
    operands: str
    stored: str

    @property
    def outputs(self) -> str:
        """The kinds of all that it gives."""
        return self.result.replace("v", "") + self.stored

    def mlir(self) -> str:
        """A module whose kernel calls the function on each element."""
        pointers = ", ".join(f"%p{i}: !llvm.ptr" for i in range(len(self.operands) + len(self.outputs)))
        kinds = [MLIR[k] for k in self.operands] + ["!llvm.ptr"] * len(self.stored)
        lines: list[str] = []
        for i, kind in enumerate(self.operands):
            lines.append(f"%a{i} = llvm.getelementptr %p{i}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
            lines.append(f"%x{i} = llvm.load %a{i} : !llvm.ptr -> {MLIR[kind]}")
        first = len(self.operands)
        for j, kind in enumerate(self.outputs):
            lines.append(f"%o{j} = llvm.getelementptr %p{first + j}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
        kept = len(self.outputs) - len(self.stored)
        arguments = ", ".join([f"%x{i}" for i in range(first)] + [f"%o{kept + j}" for j in range(len(self.stored))])
        result = MLIR.get(self.result)
        call = f"llvm.call @__nv_{self.name}({arguments}) : ({', '.join(kinds)}) -> {result or '()'}"
        lines.append(f"%r = {call}" if result else call)
        if result:
            lines.append(f"llvm.store %r, %o0 : {result}, !llvm.ptr")
        body = "\n".join(lines)
        return f"""
            llvm.func @__nv_{self.name}({", ".join(kinds)}){" -> " + result if result else ""}
            llvm.func @k({pointers}) attributes {{nvvm.kernel}} {{
              %t = nvvm.read.ptx.sreg.tid.x : i32
              %b = nvvm.read.ptx.sreg.ctaid.x : i32
              %n = nvvm.read.ptx.sreg.ntid.x : i32
              %m = llvm.mul %b, %n : i32
              %i = llvm.add %m, %t : i32
              {body}
              llvm.return
            }}"""

    def cuda(self) -> str:
        """The same kernel in CUDA C."""
        kinds = [CUDA[k] for k in self.operands] + [f"{CUDA[k]}*" for k in self.stored]
        parameters = [f"const {CUDA[k]}* p{i}" for i, k in enumerate(self.operands)]
        parameters += [f"{CUDA[k]}* o{j}" for j, k in enumerate(self.outputs)]
        kept = len(self.outputs) - len(self.stored)
        arguments = [f"p{i}[i]" for i in range(len(self.operands))] + [
            f"o{kept + j} + i" for j in range(len(self.stored))
        ]
        call = f"__nv_{self.name}({', '.join(arguments)});"
        return f"""
            extern "C" __device__ {CUDA.get(self.result, "void")} __nv_{self.name}({", ".join(kinds)});
            extern "C" __global__ void k_{self.name}({", ".join(parameters)}) {{
              int i = blockIdx.x * blockDim.x + threadIdx.x;
              {"o0[i] = " if kept else ""}{call}
            }}"""


def _cases() -> Iterable[Case]:
    for name, (result, operands) in signatures().items():
        stem = name.removesuffix("f")
        if stem in TEXT + ARRAYS:
            continue
        stored = STORED.get(name if name in STORED else stem, "") if "p" in operands else ""
        own = next((k for k in operands if k in "fd"), "f")
        yield Case(name, result, operands.replace("p", ""), stored.replace("r", own))


CASES = {case.name: case for case in _cases()}


def together(cases: Sequence[Case]) -> str:
    """A kernel that calls several functions of the same operands on each element: the results are one array after another."""
    kinds, lines, place = cases[0].operands, list[str](), 0
    names = [f"%p{i}: !llvm.ptr" for i in range(len(kinds))]
    for i, kind in enumerate(kinds):
        lines.append(f"%a{i} = llvm.getelementptr %p{i}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
        lines.append(f"%x{i} = llvm.load %a{i} : !llvm.ptr -> {MLIR[kind]}")
    declared: list[str] = []
    for case in cases:
        outs: list[str] = []
        for kind in case.outputs:
            names.append(f"%o{place}: !llvm.ptr")
            lines.append(f"%q{place} = llvm.getelementptr %o{place}[%i] : (!llvm.ptr, i32) -> !llvm.ptr, {MLIR[kind]}")
            outs.append(f"%q{place}")
            place += 1
        types = ", ".join([*(MLIR[kind] for kind in kinds), *["!llvm.ptr"] * len(case.stored)])
        given = ", ".join([*(f"%x{i}" for i in range(len(kinds))), *outs[len(outs) - len(case.stored) :]])
        declared.append(f"llvm.func @__nv_{case.name}({types}) -> {MLIR[case.result]}")
        lines.append(f"%r{place} = llvm.call @__nv_{case.name}({given}) : ({types}) -> {MLIR[case.result]}")
        lines.append(f"llvm.store %r{place}, {outs[0]} : {MLIR[case.result]}, !llvm.ptr")
    body, functions = "\n".join(lines), "\n".join(declared)
    return f"""{functions}
      llvm.func @k({", ".join(names)}) attributes {{nvvm.kernel}} {{
        %i = nvvm.read.ptx.sreg.tid.x : i32
        {body}
        llvm.return }}"""


def values(kind: str, count: int, seed: int) -> np.ndarray:
    """Operands: special values and neighbours of them, ordinary numbers, and bit patterns at random."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(DTYPES[kind])
    if kind in "ilh":
        info = np.iinfo(dtype)
        special = np.array(
            [0, 1, 2, 3, 7, 8, 31, 32, 33, info.max, info.min, info.max - 1, info.min + 1, info.max // 2 + 1], dtype
        )
        small = random.integers(-40 if kind != "h" else 0, 40, count).astype(dtype)
        wide = random.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        return np.where(
            random.random(count) < 0.3, random.choice(special, count), np.where(random.random(count) < 0.5, small, wide)
        )
    integer = np.uint32 if kind == "f" else np.uint64
    special = np.array(
        [
            0,
            0.5,
            1,
            1.5,
            2,
            2.5,
            3,
            4,
            8,
            1e-3,
            100,
            np.inf,
            np.nan,
            np.finfo(dtype).max,
            np.finfo(dtype).tiny,
            np.finfo(dtype).smallest_subnormal,
            2.0**31,
            2.0**32,
            2.0**63,
            2.0**23 + 0.5,
            2.0**52 + 0.5,
        ],
        dtype,
    )
    special = np.concatenate(
        [special, -special, np.nextafter(special, dtype.type(0)), np.nextafter(special, dtype.type(9e9))]
    )
    patterns = random.integers(0, 2 ** (8 * dtype.itemsize) - 1, count, dtype=integer, endpoint=True).view(dtype)
    patterns = np.where(np.isnan(patterns), dtype.type(np.nan), patterns)
    ordinary = random.uniform(-10, 10, count).astype(dtype)
    which = random.random(count)
    return np.where(which < 0.3, random.choice(special, count), np.where(which < 0.7, ordinary, patterns)).astype(dtype)
