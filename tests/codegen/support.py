"""Compiling small kernels in tests, judging them with ptxas, and running them on the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.codegen import compile_module
from weft.ptx.ast import Module
from weft.toolchain import assemble, find

MLIR_TYPES = {
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "f16", "float32": "f32", "float64": "f64",
    "bool": "i1", "bfloat16": "bf16", "uint8": "i8", "uint16": "i16", "uint32": "i32", "uint64": "i64",
}  # fmt: skip


def compiled(text: str, target: str = "sm_80", **options: Any) -> Module:
    """The module, accepted by ptxas where there is one."""
    module = compile_module(text, target, **options)
    if find("ptxas") is not None:
        assemble(module)
    return module


def descriptors(args: list[Any]) -> list[Any]:
    """Kernel arguments: an array becomes the parameters of a memref."""
    out: list[Any] = []
    for arg in args:
        if isinstance(arg, np.ndarray):
            out += [arg, arg, 0, *arg.shape, *(stride // arg.itemsize for stride in arg.strides)]
        else:
            out.append(arg)
    return out


def launch(module: Module, kernel: str, grid: Any, block: Any, args: list[Any]) -> None:
    """Run a kernel whose parameters are memref descriptors; arrays are changed in place."""
    run = pytest.importorskip("weft.sim").run
    run(module, kernel, grid, block, descriptors(args))


def elementwise(operation: str, *operands: np.ndarray, result: Any, target: str = "sm_80") -> np.ndarray:
    """Run `%r = operation` on each element: `%a`, `%b`, `%c` are the operands' elements, one thread an element.

    More than 1,024 elements are a multiple of 256, in blocks of that many.
    """
    count = operands[0].size
    block = count if count <= 1024 else 256
    out = np.zeros(count, result)
    names = "abc"[: len(operands)]
    types = [MLIR_TYPES[operand.dtype.name] for operand in operands]
    out_type = MLIR_TYPES[out.dtype.name]
    arguments = "".join(f"%m{n}: memref<{count}x{t}>, " for n, t in zip(names, types, strict=True))
    loads = "\n".join(f"%{n} = memref.load %m{n}[%i] : memref<{count}x{t}>" for n, t in zip(names, types, strict=True))
    text = f"""
    gpu.module @m {{
      gpu.func @k({arguments}%out: memref<{count}x{out_type}>) kernel
          attributes {{known_block_size = array<i32: {block}, 1, 1>}} {{
        %thread = gpu.thread_id x
        %block = gpu.block_id x
        %size = arith.constant {block} : index
        %first = arith.muli %block, %size : index
        %i = arith.addi %first, %thread : index
        {loads}
        {operation}
        memref.store %r, %out[%i] : memref<{count}x{out_type}>
        gpu.return
      }}
    }}
    """
    launch(compiled(text, target), "k", count // block, block, [*operands, out])
    return out
