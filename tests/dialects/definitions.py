"""The operations of MLIR's dialects as their definitions say: operands, properties, results and what each may be.

They are read with `llvm-tblgen` from the `.td` files that LLVM's development package installs.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

INCLUDE = Path("/usr/lib/llvm-22/include")
FILES = {
    "affine": "Affine/IR/AffineOps", "arith": "Arith/IR/ArithOps", "async": "Async/IR/AsyncOps",
    "bufferization": "Bufferization/IR/BufferizationOps", "cf": "ControlFlow/IR/ControlFlowOps",
    "complex": "Complex/IR/ComplexOps", "func": "Func/IR/FuncOps", "gpu": "GPU/IR/GPUOps", "index": "Index/IR/IndexOps",
    "linalg": "Linalg/IR/LinalgStructuredOps Linalg/IR/LinalgOps Linalg/IR/LinalgRelayoutOps", "llvm": "LLVMIR/LLVMOps", "llvm.intr": "LLVMIR/LLVMIntrinsicOps", "math": "Math/IR/MathOps",
    "memref": "MemRef/IR/MemRefOps", "nvgpu": "NVGPU/IR/NVGPUOps", "nvvm": "LLVMIR/NVVMOps", "ptr": "Ptr/IR/PtrOps",
    "scf": "SCF/IR/SCFOps", "tensor": "Tensor/IR/TensorOps",
    "transform": "Transform/IR/TransformOps Linalg/TransformOps/LinalgTransformOps Linalg/TransformOps/LinalgMatchOps "
    "GPU/TransformOps/GPUTransformOps SCF/TransformOps/SCFTransformOps MemRef/TransformOps/MemRefTransformOps "
    "Vector/TransformOps/VectorTransformOps Bufferization/TransformOps/BufferizationTransformOps "
    "Tensor/TransformOps/TensorTransformOps NVGPU/TransformOps/NVGPUTransformOps "
    "Affine/TransformOps/AffineTransformOps Func/TransformOps/FuncTransformOps", "ub": "UB/IR/UBOps", "vector": "Vector/IR/VectorOps",
}  # fmt: skip
"""The files in which the operations of each dialect are defined; those of `llvm.intr` are of `llvm`."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An operand, property or result: its name, the summary of what it may be, and whether it may be absent."""

    name: str
    summary: str
    optional: bool = False
    variadic: bool = False
    values: tuple[str, ...] = ()
    """Of a property: what it may be, as text; nothing where the summary alone says it."""


@dataclass(frozen=True, slots=True)
class Definition:
    """An operation."""

    name: str
    operands: tuple[Argument, ...]
    properties: tuple[Argument, ...]
    results: tuple[Argument, ...]
    segmented: bool
    """Whether its operands come in groups whose sizes are a property."""
    regions: int = 0


@cache
def records(file: str) -> dict[str, Any]:
    """All records of a file; skips the test where MLIR's definitions are not installed."""
    path = INCLUDE / "mlir" / "Dialect" / f"{file}.td"
    tool = INCLUDE.parent / "bin" / "llvm-tblgen"
    if not path.exists() or not tool.exists():
        pytest.skip("MLIR's definitions are not installed")
    done = subprocess.run([tool, "--dump-json", "-I", INCLUDE, path], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@cache
def operations(dialect: str) -> list[Definition]:
    """All operations of a dialect."""
    own = dialect.partition(".")[0]
    found: dict[str, Definition] = {}
    for file in FILES[dialect].split():
        every = records(file)
        for name in every["!instanceof"]["Op"]:
            op = every[name]
            if "opDialect" in op and every[op["opDialect"]["def"]]["name"] == own:
                defined = _definition(op, every)
                found[defined.name] = defined
    return list(found.values())


def _definition(op: dict[str, Any], every: dict[str, Any]) -> Definition:
    dialect = every[op["opDialect"]["def"]]["name"]
    arguments = [(name, every[kind["def"]]) for kind, name in op["arguments"]["args"] if "def" in kind]
    properties = [_property(name, kind, every) for name, kind in arguments if "Attr" in kind["!superclasses"]]
    operands = [_value(name, kind) for name, kind in arguments if "Attr" not in kind["!superclasses"]]
    results = [_value(name, every[kind["def"]]) for kind, name in op["results"]["args"]]
    segmented = any(trait["def"] == "AttrSizedOperandSegments" for trait in op["traits"])
    name = f"{dialect}.{op['opName']}"
    regions = len(op["regions"]["args"])
    return Definition(name, tuple(operands), tuple(properties), tuple(results), segmented, regions)


def _value(name: str, kind: dict[str, Any]) -> Argument:
    above = kind["!superclasses"]
    summary = (kind.get("summary") or "").removeprefix("variadic of ")
    return Argument(name, summary, "Optional" in above, "Variadic" in above)


def _property(name: str, kind: dict[str, Any], every: dict[str, Any]) -> Argument:
    above = kind["!superclasses"]
    optional = bool({"OptionalAttr", "DefaultValuedAttr", "DefaultValuedOptionalAttr"} & {*above})
    while kind.get("baseAttr"):
        kind = every[kind["baseAttr"]["def"]]
    return Argument(
        name, kind.get("summary") or "", optional or kind["!name"] == "UnitAttr", False, _cases(kind, every)
    )


def _cases(kind: dict[str, Any], every: dict[str, Any]) -> tuple[str, ...]:
    """The values of an enum's attribute, as text."""
    if "EnumAttr" not in kind["!superclasses"]:
        return ()
    cases = [every[case["def"]]["str"] for case in every[kind["enum"]["def"]]["enumerants"]]
    dialect = every[kind["dialect"]["def"]]["name"]
    if re.search(r"`<`", kind["assemblyFormat"]):
        return tuple(f"#{dialect}.{kind['mnemonic']}<{case}>" for case in cases)
    return tuple(f"#{dialect}<{kind['mnemonic']} {case}>" for case in cases)
