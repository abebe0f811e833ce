"""What compiled code saves whole programs: Triton's tutorials at their default sizes, in NumPy and compiled.

Processor time of a launch by host functions, of kernels that have been compiled before, strict and fast.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import report
from rich.table import Table
from timing import best_of, own_time

import weft.triton
from tests.tritons import tutorials as made

tutorials: Any = made  # Arguments of kernels have types of Triton's own.


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    """Random elements on the device."""
    return weft.triton.asarray(np.random.default_rng(0).standard_normal(shape).astype(dtype))


def matmul(size: int) -> Callable[[], Any]:
    """A product of f16 matrices, with one of the configurations."""
    a, b, c = normal(size, size, dtype=np.float16), normal(size, size, dtype=np.float16), normal(size, size)
    out, grid = weft.triton.empty(c.shape, np.float16), ((size // 64) ** 2,)
    tile = {"BM": 64, "BN": 64, "BK": 32, "GROUP": 4, "ACTIVATION": "", "num_warps": 4}
    kernel = tutorials.matmul_kernel.fn
    return lambda: kernel[grid](a, b, out, size, size, size, size, 1, size, 1, size, 1, **tile)


def cases() -> dict[str, Callable[[], Any]]:
    """The tutorials: what runs each, at the size that its text runs first."""
    x, y, rows = normal(98432), normal(98432), normal(1823, 781)
    norm = normal(1151, 1024), normal(1024), normal(1024), normal(1151, 1024)
    heads = [normal(4, 256, 64, dtype=np.float16) for _ in range(3)]
    return {
        "vector add, 98,432": lambda: tutorials.add(x, y),
        "softmax, 1,823 x 781": lambda: tutorials.softmax(rows, programs=100),
        "matmul, 512 x 512 x 512": matmul(512),
        "dropout, 98,432": lambda: tutorials.seeded_dropout[(97,)](x, y, 98432, 0.5, 123, BLOCK_SIZE=1024),
        "layer norm and its gradients, 1,151 x 1,024": lambda: tutorials.layer_norm(*norm, groups=64),
        "attention, 4 heads, 256 x 64, causal": lambda: tutorials.attention(*heads, True),
    }


def main() -> None:
    """Print the table."""
    table = Table(title="Triton's tutorials, sm_80: milliseconds of processor time")
    for heading in ("program", "strict, NumPy", "compiled", "faster by", "fast, NumPy", "compiled", "faster by"):
        table.add_column(heading, justify="left" if heading == "program" else "right")
    found: dict[str, list[float]] = {}
    for checks in ("strict", "fast"):
        for engine in ("numpy", "native"):
            os.environ["WEFT_ENGINE"] = engine
            with weft.triton.activate("sm_80", checks=checks):
                for name, run in cases().items():
                    run()
                    found.setdefault(name, []).append(1e3 * best_of(run, own_time, runs=2))
    for name, times in found.items():
        cells = [f"{time:.1f}" for time in times]
        cells = [*cells[:2], f"{times[0] / times[1]:.1f}", *cells[2:], f"{times[2] / times[3]:.1f}"]
        table.add_row(name, *cells)
    report.console().print(table)


if __name__ == "__main__":
    main()
