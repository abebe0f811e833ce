"""MLIR text in and out: parsing with positions and diagnostics, printing as mlir-opt prints, and running passes."""

from weft.mlir.parser import parse_mlir, verify_module
from weft.mlir.positions import compile_error, mlir_error, position

__all__ = ["compile_error", "mlir_error", "parse_mlir", "position", "verify_module"]
