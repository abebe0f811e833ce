"""Casts that other casts and products are put together for: the same bits as another type, floats that are scaled."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats, small_floats
from weft.codegen.bitcast import recast
from weft.codegen.graph import B32
from weft.codegen.ops.arith_cast import element_of, refloated, rounding
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar
from weft.codegen.vectors import elementwise
from weft.mlir import compile_error

_SCALE = Scalar("int", B32, 8, small_floats.SCALE)


@handles("arith.bitcast", "llvm.bitcast", "vector.bitcast")
def select_bitcast(s: Selector, op: Operation) -> None:
    """The same bits as another type."""
    s.values[op.results[0]] = recast(s, s.get(op.operands[0]), op.operands[0].type, op.results[0].type)


@handles("arith.scaling_extf")
def select_scaled_up(s: Selector, op: Operation) -> None:
    """A float times a power of two, wider; the scale's exponent counts."""
    target = element_of(op.results[0])
    scale = element_of(op.operands[1])

    def apply(a: Any, by: Any, kind: Scalar) -> Any:
        factor = refloated(s, refloated(s, by, scale, _SCALE), _SCALE, target)
        return floats.binary(s, "mul", refloated(s, a, kind, target), factor, target)

    elementwise(s, op, apply)


@handles("arith.scaling_truncf")
def select_scaled_down(s: Selector, op: Operation) -> None:
    """A float divided by a power of two, narrower; the scale's exponent counts."""
    target = element_of(op.results[0])
    if rounding(op) != "rn":
        raise compile_error(op, "only rounding to nearest even has a lowering here")
    scale = element_of(op.operands[1])

    def apply(a: Any, by: Any, kind: Scalar) -> Any:
        factor = refloated(s, refloated(s, by, scale, _SCALE), _SCALE, kind)
        return refloated(s, floats.binary(s, "div", a, factor, kind), kind, target)

    elementwise(s, op, apply)
