"""Whole programs through weft and LLVM's pipeline, run on the simulator with the same arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.codegen.breadth import Refused
from tests.codegen.oracle import tool
from tests.codegen.support import compiled, descriptors
from tests.differential.compilers import pipeline
from weft.ptx.ast import Module
from weft.sim import run

TARGET = "sm_90"


@dataclass
class Outcome:
    """What a kernel printed, and its arguments afterwards."""

    printed: str
    args: list[Any]


def ran(module: Module, kernel: str, grid: Any, block: Any, args: Sequence[Any], **options: Any) -> Outcome:
    """Run a kernel on copies of its arguments, arrays being memrefs."""
    given = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    result = run(module, kernel, grid, block, descriptors(given), **options)
    return Outcome(result.output, given)


def both(
    text: str,
    kernel: str,
    grid: Any,
    block: Any,
    args: Sequence[Any],
    *,
    module: int = 0,
    target: str = TARGET,
    refused: str = "",
    passes: Sequence[str] = (),
    **options: Any,
) -> list[Outcome]:
    """What weft's kernel leaves, and what LLVM's does, `module` being the number of its `gpu.module`.

    Where LLVM's pipeline cannot compile the program, `refused` is a part of what it says then: the expectation that the
    test computes is the second opinion.  `passes` of mlir-opt run before the pipeline, for LLVM only.
    """
    tool("mlir-opt")
    mine = compiled(text, target)
    found = [ran(mine, kernel, grid, block, args, check="strict", **options)]
    if refused:
        with pytest.raises(Refused, match=refused):
            pipeline(text, target=target, first=passes)
        return found
    theirs = pipeline(text, target=target, first=passes)[module]
    name = theirs.kernels[0].name if len(theirs.kernels) == 1 else kernel
    # Its copies and products complete at once: it is asked for values, not for its waits.
    return [*found, ran(theirs, name, grid, block, args, **{**options, "check": "fast", "async_": "eager"})]


def same(text: str, kernel: str, grid: Any, block: Any, args: Sequence[Any], **options: Any) -> list[Any]:
    """The arguments afterwards, the same with both compilers."""
    first, *others = both(text, kernel, grid, block, args, **options)
    for other in others:
        assert first.printed == other.printed
        for mine, theirs in zip(first.args, other.args, strict=True):
            if isinstance(mine, np.ndarray):
                np.testing.assert_array_equal(mine, theirs)
    return first.args
