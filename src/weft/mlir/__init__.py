"""MLIR text in and out: parsing with positions and diagnostics, printing as mlir-opt prints, and running passes."""

from weft.mlir.parser import parse_mlir
from weft.mlir.positions import compile_error, mlir_error, position
from weft.mlir.printer import print_mlir
from weft.mlir.verification import verify_module

__all__ = ["compile_error", "mlir_error", "parse_mlir", "position", "print_mlir", "verify_module"]
