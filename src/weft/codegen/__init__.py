"""From MLIR to PTX: instruction selection, register naming, kernel directives."""

from weft.codegen.front import compile_module

__all__ = ["compile_module"]
