"""Modules written by hand of forms that the generators draw rarely: the arrays are those of LLVM's pipeline, bit for bit.

Each begins with how it is launched: `// block 64, grid 2, shared 1024, first -PASS;-PASS: f32[16,4] 0i32[8] index=3`.
A `0` before a type means zeros, `<8` behind it integers below 8.
"""

from __future__ import annotations

import re
from math import prod
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.support import compiled
from tests.dialects import oracle
from tests.differential.compilers import pipeline
from weft.sim import run

FILES = sorted((Path(__file__).parent / "hand").glob("*.mlir"))
TARGET = "sm_90"
_HEAD = re.compile(r"// block (\d+)(?:, grid (\d+))?(?:, shared (\d+))?(?:, first (\S+))?: (.*)\n")
_TYPES: dict[str, Any] = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "c64": np.complex64,
    "c128": np.complex128, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
}  # fmt: skip


def drawn(word: str, rng: np.random.Generator) -> Any:
    """An argument as a word of the first line says it."""
    if "=" in word:
        return int(word.partition("=")[2])
    found = re.fullmatch(r"(0?)([a-z]+\d+)\[([\d,]+)\](?:<(\d+))?", word)
    assert found is not None, word
    zero, name, dims, limit = found.groups()
    shape, dtype = tuple(map(int, dims.split(","))), _TYPES[name]
    if zero:
        return np.zeros(shape, dtype)
    if limit:
        return rng.integers(0 if name[0] == "i" else -int(limit), int(limit), shape).astype(dtype)
    if name[0] == "i":
        return rng.integers(-(1 << 31), 1 << 31, shape).astype(dtype)
    values = rng.standard_normal(shape) * 3
    return (values + 1j * rng.standard_normal(shape) if name[0] == "c" else values).astype(dtype)


def parameters(argument: Any) -> list[Any]:
    """A memref's parameters, or the number."""
    if not isinstance(argument, np.ndarray):
        return [argument]
    shape = argument.shape
    return [argument, argument, 0, *shape, *(prod(shape[axis + 1 :]) for axis in range(len(shape)))]


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_as_llvm_computes(path: Path, mlir_opt: str) -> None:
    text = path.read_text()
    head = _HEAD.match(text)
    assert head is not None
    block, grid, shared, first, words = head.groups()
    case = [oracle.Case(text, 0)]
    assert oracle.ours(case) == oracle.upstream(mlir_opt, case)
    rng = np.random.default_rng(7)
    given = [drawn(word, rng) for word in words.split()]
    passes = [*(["-gpu-kernel-outlining"] if "gpu.launch " in text else []), *(first.split(";") if first else [])]
    theirs = pipeline(text, 1, TARGET, passes)
    results: list[list[Any]] = []
    for module, check in ((compiled(text, TARGET), "strict"), (theirs[-1], "fast")):
        (kernel,) = (f.name for f in module.functions if f.kernel and f.name in ("k", "k_kernel"))
        arguments = [given.copy() if isinstance(given, np.ndarray) else given for given in given]
        passed = [part for argument in arguments for part in parameters(argument)]
        run(module, kernel, int(grid or 1), int(block), passed, check=check, shared_bytes=int(shared or 0))  # pyright: ignore[reportArgumentType]
        results.append(arguments)
    for mine, upstream in zip(*results, strict=True):
        np.testing.assert_array_equal(mine, upstream)
