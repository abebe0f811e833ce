"""The kernels `saxpy` and `softmax` in Triton, compiled to PTX without a GPU, in a process of its own.

Usage: `triton_kernels.py NAME`.  Prints the processor seconds of compiling once more after everything is imported.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def saxpy(a, x, y, n, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, a * tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@triton.jit
def softmax(x, y, BLOCK: tl.constexpr):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    row = tl.load(x + at)
    power = tl.exp(row - tl.max(row, 0))
    tl.store(y + at, power / tl.sum(power, 0))


KERNELS: dict[str, tuple[Any, dict[str, str], dict[str, int]]] = {
    "saxpy": (saxpy, {"a": "fp32", "x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 256}),
    "softmax": (softmax, {"x": "*fp32", "y": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 1024}),
}


def main() -> None:
    function, signature, constants = KERNELS[sys.argv[1]]
    seconds = 0.0
    for _ in range(2):
        start = time.process_time()
        source = ASTSource(fn=function, signature=signature, constexprs=constants)
        triton.compile(source, target=GPUTarget("cuda", 80, 32))
        seconds = time.process_time() - start
    print(seconds)


if __name__ == "__main__":
    main()
