"""From MLIR to PTX: instruction selection, register naming, kernel directives."""

from weft.codegen.compile import compile_module
from weft.codegen.compile import compile_module as compile

__all__ = ["compile", "compile_module"]
