"""Softmax of rows in Triton, and its compilation on a machine without a GPU."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, rows, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    inside = offsets < columns
    x = tl.load(rows + row * columns + offsets, mask=inside, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out + row * columns + offsets, e / tl.sum(e, axis=0), mask=inside)


if __name__ == "__main__":
    types = {"out": "*fp32", "rows": "*fp32", "columns": "i32", "BLOCK": "constexpr"}
    source = ASTSource(softmax, types, {"BLOCK": 256})
    triton.compile(source, GPUTarget("cuda", 80, 32), {"num_warps": 1})
