"""Kernels written by hand compute with weft what they compute with LLVM's pipeline, and are printed as mlir-opt prints."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

from tests.codegen.by_hand import PROGRAMS, Array
from tests.codegen.support import compiled
from tests.dialects import oracle
from tests.differential.compilers import pipeline
from weft.sim import run

TARGET = "sm_90"
CLOSE = {"attention": 1e-5}
"""The relative difference that is allowed where exponentials are compared."""


def descriptors(name: str, array: Array) -> list[Any]:
    """A memref's parameters; in one of these kernels the last dimension is that of a vector."""
    shape = array.shape[:-1] if name == "memref_of_vectors" else array.shape
    return [array, array, 0, *shape, *(prod(shape[axis + 1 :]) for axis in range(len(shape)))]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_llvm_computes(name: str, mlir_opt: str) -> None:
    program = PROGRAMS[name]
    text = f"module attributes {{gpu.container_module}} {{ gpu.module @m {{\n{program.text}\n}} }}\n"
    case = [oracle.Case(text, 0)]
    assert oracle.ours(case) == oracle.upstream(mlir_opt, case)
    given = program.arguments()
    results: list[list[Array]] = []
    for module, check in ((compiled(text, TARGET), "strict"), (pipeline(text, 2, TARGET)[0], "fast")):
        arrays = [array.copy() for array in given]
        arguments = [part for array in arrays for part in descriptors(name, array)]
        run(module, "k", program.grid, program.block, arguments, check=check, shared_bytes=program.dynamic)  # pyright: ignore[reportArgumentType]
        results.append(arrays)
    for mine, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=CLOSE.get(name, 0), atol=CLOSE.get(name, 0))
    assert any((mine != before).any() for mine, before in zip(results[0], given, strict=True))
