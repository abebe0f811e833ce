"""The xDSL context that weft parses MLIR in: dialects are imported when a file first uses them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.context import Context

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Dialect

_DIALECTS = {
    # ours: not in xDSL, or without upstream's syntax there
    "gpu": "weft.dialects.gpu:GPU",
    "llvm": "weft.dialects.llvm:LLVM",
    "memref": "weft.dialects.memref:MEMREF",
    "nvgpu": "weft.dialects.nvgpu:NVGPU",
    "nvvm": "weft.dialects.nvvm:NVVM",
    "vector": "weft.dialects.vector:VECTOR",
    # xDSL's
    "affine": "xdsl.dialects.affine:Affine",
    "arith": "xdsl.dialects.arith:Arith",
    "cf": "xdsl.dialects.cf:Cf",
    "func": "xdsl.dialects.func:Func",
    "math": "xdsl.dialects.math:Math",
    "scf": "xdsl.dialects.scf:Scf",
    "ub": "xdsl.dialects.ub:UB",
}


def _thunk(target: str) -> Callable[[], Dialect]:
    module, _, name = target.partition(":")
    return lambda: getattr(import_module(module), name)


def context() -> Context:
    """A fresh xDSL context with every dialect that weft reads, none of them imported yet except `builtin`."""
    from xdsl.dialects.builtin import Builtin

    result = Context()
    result.load_dialect(Builtin)
    for name, target in _DIALECTS.items():
        result.register_dialect(name, _thunk(target))
    return result
