"""MLIR text in and out: parsing with positions and diagnostics, printing as mlir-opt prints, and running passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dialects.context import context  # First of all: the package imports xDSL, in the way that is quick.
from weft.mlir.module import parse_mlir
from weft.mlir.positions import compile_error, mlir_error, position
from weft.mlir.verification import verify_module

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

__all__ = ["compile_error", "context", "mlir_error", "parse_mlir", "position", "print_mlir", "verify_module"]


def print_mlir(module: ModuleOp) -> str:
    """The module as `mlir-opt` spells it; the printer is imported here, for compiling does not need it."""
    from weft.mlir.printer import print_mlir as printed

    return printed(module)
