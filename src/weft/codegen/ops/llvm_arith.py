"""`llvm` operations that are `arith` operations by another name, and bit intrinsics."""

from __future__ import annotations

from weft.codegen.ops import arith_cast, arith_float, arith_int, math

REGISTERED = (arith_cast, arith_float, arith_int, math)
"""The modules that register the operations."""
