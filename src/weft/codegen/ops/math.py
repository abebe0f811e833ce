"""`math` and the `llvm` intrinsics of the same meaning."""

from __future__ import annotations

from typing import Any

from weft.codegen import elementary, floats, linear
from weft.codegen.graph import B32, PRED
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.ops.arith_float import fast
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar
from weft.codegen.vectors import elementwise
from weft.mlir import compile_error

_NAMES = ("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tanh", "round")
_FUNCTIONS = {f"math.{name}": name for name in _NAMES} | {
    f"llvm.intr.{name}": name for name in ("exp", "exp2", "log", "log2", "log10", "sin", "cos", "round")
}


@handles(*_FUNCTIONS)
def select_function(s: Selector, op: Any) -> None:
    """An elementary function: the hardware's approximation under `fastmath<afn>`, else an accurate sequence."""
    name = _FUNCTIONS[op.name]
    table = elementary.APPROXIMATE if fast(op, "afn") and name in elementary.APPROXIMATE else elementary.ACCURATE
    function = table.get(name)
    if function is None:
        raise compile_error(op, "only the approximation has a lowering", f"write math.{name} ... fastmath<afn>")

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name == "f64":
            raise compile_error(op, "the f64 function has no lowering")
        wide = s.register(refloated(s, x, kind, floats.F32), B32)
        return refloated(s, function(s, wide), floats.F32, kind)

    elementwise(s, op, apply)


@handles("math.sqrt", "llvm.intr.sqrt")
def select_sqrt(s: Selector, op: Any) -> None:
    """The square root, correctly rounded unless an approximation is allowed."""
    approx = fast(op, "afn")

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.width == 16:
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        mode = "approx" if approx and kind.name == "f32" else "rn"
        return s.pure(f"sqrt.{mode}.{kind.name}", kind.cls, x)

    elementwise(s, op, apply)


@handles("math.rsqrt")
def select_rsqrt(s: Selector, op: Any) -> None:
    """1 / sqrt(x): the f32 instruction is within 2 ulp; f64 by square root and reciprocal."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.width == 16:
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        if kind.name == "f32":
            return s.pure("rsqrt.approx.f32", B32, x)
        return s.pure("rcp.rn.f64", kind.cls, s.pure("sqrt.rn.f64", kind.cls, x))

    elementwise(s, op, apply)


_ROUNDINGS = {
    "math.ceil": "rpi", "math.floor": "rmi", "math.trunc": "rzi", "math.roundeven": "rni", "llvm.intr.ceil": "rpi",
    "llvm.intr.floor": "rmi", "llvm.intr.trunc": "rzi", "llvm.intr.roundeven": "rni", "llvm.intr.rint": "rni",
    "llvm.intr.nearbyint": "rni",
}  # fmt: skip


@handles(*_ROUNDINGS)
def select_rounding(s: Selector, op: Any) -> None:
    """To an integer, as a float."""
    mode = _ROUNDINGS[op.name]

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name == "bf16":
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        return s.pure(f"cvt.{mode}.{kind.name}.{kind.name}", kind.cls, s.register(x, kind.cls))

    elementwise(s, op, apply)


@handles("math.copysign", "llvm.intr.copysign")
def select_copysign(s: Selector, op: Any) -> None:
    """The first operand's size with the second's sign."""

    def apply(size: Any, sign: Any, kind: Scalar) -> Any:
        if kind.width == 16:
            a, b = (refloated(s, v, kind, floats.F32) for v in (size, sign))
            return refloated(s, apply(a, b, floats.F32), floats.F32, kind)
        return s.pure(f"copysign.{kind.name}", kind.cls, sign, size)

    elementwise(s, op, apply)


@handles("math.powf", "llvm.intr.pow")
def select_power(s: Selector, op: Any) -> None:
    """x^y = 2^(y log2 x), approximately, for positive x."""
    if not fast(op, "afn"):
        raise compile_error(op, "only the approximation has a lowering", "write math.powf ... fastmath<afn>")

    def apply(x: Any, y: Any, kind: Scalar) -> Any:
        if kind.name == "f64":
            raise compile_error(op, "the f64 function has no lowering")
        a, b = (refloated(s, v, kind, floats.F32) for v in (x, y))
        exponent = s.pure("mul.rn.f32", B32, b, s.pure("lg2.approx.f32", B32, a))
        return refloated(s, elementary.exp2(s, exponent), floats.F32, kind)

    elementwise(s, op, apply)


_CLASSES = {"math.isinf": "infinite", "math.isfinite": "finite", "math.isnan": "notanumber", "math.isnormal": "normal"}


@handles(*_CLASSES)
def select_class(s: Selector, op: Any) -> None:
    """What kind of float it is."""

    def apply(x: Any, kind: Scalar) -> Any:
        wide = refloated(s, x, kind, floats.F32) if kind.width == 16 else x
        name = "f32" if kind.width == 16 else kind.name
        return s.pure(f"testp.{_CLASSES[op.name]}.{name}", PRED, s.register(wide, "b64" if name == "f64" else B32))

    elementwise(s, op, apply)


# -- integers ---------------------------------------------------------------------------------------------------


@handles("math.absi", "llvm.intr.abs")
def select_absolute(s: Selector, op: Any) -> None:
    """The absolute value."""

    def apply(x: Any, kind: Scalar) -> Any:
        x = s.exactly(x, kind.width, signed=True)
        return linear.of(s.pure(f"abs.s{x.bits}", "b32" if x.bits == 32 else "b64", s.int_value(x)))

    elementwise(s, op, apply)


@handles("math.ctpop", "llvm.intr.ctpop")
def select_popcount(s: Selector, op: Any) -> None:
    """The number of ones."""

    def apply(x: Any, kind: Scalar) -> Any:
        x = s.exactly(x, kind.width, signed=False)
        count = linear.of(s.pure(f"popc.b{x.bits}", B32, s.int_value(x), lo=0, hi=x.bits))
        return s.extended(count, signed=False) if x.bits == 64 else count

    elementwise(s, op, apply)


@handles("math.ctlz", "llvm.intr.ctlz")
def select_leading_zeros(s: Selector, op: Any) -> None:
    """The number of leading zeros."""

    def apply(x: Any, kind: Scalar) -> Any:
        x = s.exactly(x, kind.width, signed=False)
        count = linear.of(s.pure(f"clz.b{x.bits}", B32, s.int_value(x), lo=0, hi=x.bits))
        count = linear.offset(count, kind.width - x.bits)
        return s.extended(count, signed=False) if x.bits == 64 else count

    elementwise(s, op, apply)


@handles("math.cttz", "llvm.intr.cttz")
def select_trailing_zeros(s: Selector, op: Any) -> None:
    """The number of trailing zeros: the leading ones of the reversed bits."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.width < 32:
            x = s.bitwise("or", x, linear.const(1 << kind.width, 32))
        cls = "b32" if x.bits == 32 else "b64"
        reverse = s.pure(f"brev.b{x.bits}", cls, s.int_value(x))
        count = linear.of(s.pure(f"clz.b{x.bits}", B32, reverse, lo=0, hi=x.bits))
        return s.extended(count, signed=False) if x.bits == 64 else count

    elementwise(s, op, apply)


@handles("llvm.intr.bitreverse")
def select_reverse(s: Selector, op: Any) -> None:
    """The bits in reverse order."""

    def apply(x: Any, kind: Scalar) -> Any:
        reverse = linear.of(s.pure(f"brev.b{x.bits}", "b32" if x.bits == 32 else "b64", s.int_value(x)))
        return s.shift_right(reverse, x.bits - kind.width, signed=False)

    elementwise(s, op, apply)
