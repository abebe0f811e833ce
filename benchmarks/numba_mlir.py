"""A kernel through numba-cuda-mlir's bundled MLIR, as `peer.py` runs it in a process of its own.

Usage: `numba_mlir.py FILE TARGET package|core`.  `package` imports numba_cuda_mlir as its users do, `core` only the
bindings inside it.  Prints the processor seconds of the second compilation.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import time
import types


def bindings(way: str) -> tuple[types.ModuleType, types.ModuleType]:
    """The modules `ir` and `passmanager`."""
    if way == "core":
        spec = importlib.util.find_spec("numba_cuda_mlir")
        if spec is None:
            raise ModuleNotFoundError("numba_cuda_mlir")
        package = types.ModuleType("numba_cuda_mlir")
        package.__path__ = list(spec.submodule_search_locations or ())
        package.__spec__ = importlib.machinery.ModuleSpec("numba_cuda_mlir", None, is_package=True)
        sys.modules["numba_cuda_mlir"] = package
    else:
        importlib.import_module("numba_cuda_mlir")
    from numba_cuda_mlir._mlir import ir, passmanager  # pyright: ignore[reportMissingImports]

    return ir, passmanager  # pyright: ignore[reportUnknownVariableType]


def main() -> None:
    path, target, way = sys.argv[1:]
    ir, passmanager = bindings(way)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    pipeline = (
        "builtin.module(convert-nvgpu-to-nvvm,gpu.module(convert-vector-to-llvm),gpu-lower-to-nvvm-pipeline"
        f"{{cubin-chip={target} cubin-features=+ptx80 opt-level=3 cubin-format=isa}})"
    )
    seconds = 0.0
    with ir.Context():
        for _ in range(2):
            start = time.process_time()
            module = ir.Module.parse(text)
            passmanager.PassManager.parse(pipeline).run(module.operation)
            seconds = time.process_time() - start
    print(seconds)


if __name__ == "__main__":
    main()
