"""`math` and the `llvm` intrinsics of the same meaning."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import elementary, floats, linear, wide
from weft.codegen.elementary import trigonometric
from weft.codegen.elementary.rounding import away_double
from weft.codegen.elementary.singles import Singles
from weft.codegen.graph import B32, B64
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, refloated, to_bits
from weft.codegen.ops.arith_float import fast
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, scalar
from weft.codegen.vectors import elementwise, integers, several
from weft.dialects import narrow
from weft.isa import opcode

_NAMES = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "cbrt", "round", "exp10",
)  # fmt: skip
_FUNCTIONS = {f"{prefix}.{name}": name for name in _NAMES for prefix in ("math", "llvm.intr")}


@handles(*_FUNCTIONS)
def select_function(s: Selector, op: Operation) -> None:
    """An elementary function.

    The hardware's approximation under `fastmath<afn>`, else an accurate sequence: of f32 for the commonest functions of
    f32, of f64 for the rest.
    """
    name = _FUNCTIONS[op.name]
    _elementwise(s, op, name)


def _elementwise(s: Selector, op: Operation, name: str) -> None:
    """An elementary function of the operands' elements."""

    def apply(*arguments: Any) -> Any:
        *operands, kind = arguments
        return _function(s, op, name, tuple(operands), kind)

    elementwise(s, op, apply)


def _function(s: Selector, op: Operation, name: str, operands: tuple[Any, ...], kind: Scalar) -> Any:
    """An elementary function of floats of one kind: of f64 in f64, of all others in f32."""
    if kind.name == "f64":
        return _of_f64(s, name, operands)
    table = elementary.FLUSHED if "weft.flush" in op.attributes else elementary.APPROXIMATE
    approximate = table.get(name) if fast(op, "afn") else None
    single = approximate or elementary.ACCURATE[name]
    wide = [s.register(refloated(s, x, kind, floats.F32), B32) for x in operands]
    return refloated(s, single(Singles(s), *wide), floats.F32, kind)


def _of_f64(s: Selector, name: str, operands: tuple[Any, ...]) -> Any:
    """A function of f64."""
    from weft.codegen.doubles import ACCURATE
    from weft.codegen.reals import Reals

    if name == "round":
        return away_double(s, operands[0])
    return ACCURATE[name](Reals(s), *(s.register(x, B64) for x in operands))


def _narrowed(s: Selector, x: Any, kind: Scalar) -> Any:
    if kind.name == "bf16" or kind.kind == "int":
        return refloated(s, refloated(s, x, floats.F64, floats.F32), floats.F32, kind)
    return refloated(s, x, floats.F64, kind)


@handles("math.sincos", "llvm.intr.sincos")
def select_sincos(s: Selector, op: Operation) -> None:
    """The sine and the cosine."""
    from weft.codegen.doubles.trigonometric import sincos
    from weft.codegen.reals import Reals

    approximate = fast(op, "afn")

    def apply(x: Any, kind: Scalar) -> tuple[Any, ...]:
        if kind.name == "f64":
            return sincos(Reals(s), s.register(x, B64))
        m, wide = Singles(s), s.register(refloated(s, x, kind, floats.F32), B32)
        if approximate:
            both = tuple(elementary.APPROXIMATE[name](m, wide) for name in ("sin", "cos"))
        else:
            both = trigonometric.sincos(m, wide)
        return tuple(refloated(s, part, floats.F32, kind) for part in both)

    several(s, op, apply)


@handles("math.clampf")
def select_clamp(s: Selector, op: Operation) -> None:
    """The nearest value between two others, as upstream: the maximum with the second of the minimum with the third."""

    def apply(x: Any, low: Any, high: Any, kind: Scalar) -> Any:
        return floats.binary(s, "maximum", floats.binary(s, "minimum", x, high, kind), low, kind)

    elementwise(s, op, apply)


@handles("math.atan2", "llvm.intr.atan2")
def select_atan2(s: Selector, op: Operation) -> None:
    """The angle of a point."""

    _elementwise(s, op, "atan2")


@handles("math.sqrt", "llvm.intr.sqrt")
def select_sqrt(s: Selector, op: Operation) -> None:
    """The square root, correctly rounded unless an approximation is allowed."""
    approx = fast(op, "afn")

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name not in ("f32", "f64"):
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        mode = "approx" if approx and kind.name == "f32" else "rn"
        return s.pure(opcode("sqrt", rnd=mode, type=kind.name), kind.cls, x)

    elementwise(s, op, apply)


@handles("math.rsqrt")
def select_rsqrt(s: Selector, op: Operation) -> None:
    """1 / sqrt(x): the instructions are within 2 ulp."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name not in ("f32", "f64"):
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        if kind.name == "f32":
            return s.pure(opcode("rsqrt", rnd="approx", type="f32"), B32, x)
        return s.pure(opcode("rsqrt", rnd="approx", type="f64"), kind.cls, x)

    elementwise(s, op, apply)


_ROUNDINGS = {
    "math.ceil": "rpi", "math.floor": "rmi", "math.trunc": "rzi", "math.roundeven": "rni", "llvm.intr.ceil": "rpi",
    "llvm.intr.floor": "rmi", "llvm.intr.trunc": "rzi", "llvm.intr.roundeven": "rni", "llvm.intr.rint": "rni",
    "llvm.intr.nearbyint": "rni",
}  # fmt: skip


@handles(*_ROUNDINGS)
def select_rounding(s: Selector, op: Operation) -> None:
    """To an integer, as a float."""
    mode = _ROUNDINGS[op.name]

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name == "bf16" or kind.kind == "int":
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        return s.pure(opcode("cvt", rnd=mode, type=kind.name, atype=kind.name), kind.cls, s.register(x, kind.cls))

    elementwise(s, op, apply)


@handles("math.copysign", "llvm.intr.copysign")
def select_copysign(s: Selector, op: Operation) -> None:
    """The first operand's size with the second's sign."""

    def apply(size: Any, sign: Any, kind: Scalar) -> Any:
        if kind.width < 32:  # By bits: a NaN that is widened loses its sign.
            a, b = (to_bits(s, v, kind) for v in (size, sign))
            top = floats.sign_of(kind)
            low, high = s.bitwise("and", a, linear.const32(top - 1)), s.bitwise("and", b, linear.const32(top))
            return from_bits(s, s.bitwise("or", low, high), kind)
        return s.pure(opcode("copysign", type=kind.name), kind.cls, sign, size)

    elementwise(s, op, apply)


@handles("math.powf", "llvm.intr.pow")
def select_power(s: Selector, op: Operation) -> None:
    """x^y; with `fastmath<afn>` and in f32 as 2^(y log2 x), approximately, for positive x."""
    _elementwise(s, op, "power")


_WHOLE = {"llvm.intr.lrint": "rni", "llvm.intr.llrint": "rni", "llvm.intr.lround": "", "llvm.intr.llround": ""}


@handles(*_WHOLE)
def select_whole(s: Selector, op: Operation) -> None:
    """The nearest integer; halves go to the even one, or away from zero."""
    result = scalar(op.results[0].type)
    bits = 64 if result.width > 32 else 32
    mode = _WHOLE[op.name]
    kind = scalar(op.operands[0].type)
    x = s.register(refloated(s, s.get(op.operands[0]), kind, floats.F64), B64)
    if not mode:
        x = away_double(s, x)
    convert = opcode("cvt", rnd=mode or "rzi", type=f"s{bits}", atype="f64")
    found = linear.of(s.pure(convert, B64 if bits == 64 else B32, x))
    s.values[op.results[0]] = wide.of_number(s, found, result)


def _between(s: Selector, n: Lin, low: int, high: int) -> Lin:
    """The nearest integer from low to high, in a register of 32 bits."""
    above = s.extreme("max", n, linear.const(low, n.bits), signed=True)
    limited = s.extreme("min", above, linear.const(high, n.bits), signed=True)
    return linear.of(s.int_value(s.truncated(limited)))


def _scaled(s: Selector, x: Any, n: Lin, *, single: bool) -> Any:
    """x 2^n by three factors, the last of them as large or as small as can be.

    What comes before the last product is then normal unless the result is 0, so that it alone rounds.
    """
    from weft.codegen.doubles.exponential import power_of_two
    from weft.codegen.reals import Reals

    m: Any = Singles(s) if single else Reals(s)
    most, low, high = (278, -126, 127) if single else (2200, -1022, 1023)
    rest = _between(s, n, -most, most)
    factors: list[Lin] = []
    for _ in range(2):
        part = _between(s, rest, low, high)
        factors.append(part)
        rest = s.sub(rest, part)
    for exponent in (rest, *reversed(factors)):
        bits = linear.offset(linear.scaled(exponent, 1 << 23), 0x3F800000)
        x = m.mul(x, m.of_bits(bits) if single else power_of_two(m, linear.of(s.int_value(exponent))))
    return x


@handles("llvm.intr.ldexp")
def select_scale(s: Selector, op: Operation) -> None:
    """x 2^n, rounded once; f16 and bf16 in f64."""
    exponent = narrow.element(op.operands[1].type)

    def apply(x: Any, n: Any, kind: Scalar) -> Any:
        number = s.as_number(n, exponent, signed=True)
        if kind.name == "f32":
            return _scaled(s, x, number, single=True)
        return _narrowed(s, _scaled(s, s.register(refloated(s, x, kind, floats.F64), B64), number, single=False), kind)

    elementwise(s, op, apply)


# -- integers ---------------------------------------------------------------------------------------------------


@handles("math.absi", "llvm.intr.abs", wide=True)
def select_absolute(s: Selector, op: Operation) -> None:
    """The absolute value."""

    def apply(x: Any, kind: Scalar) -> Any:
        return s.magnitude(s.exactly(x, kind.width, signed=True))

    integers(s, op, apply)


@handles("math.ctpop", "llvm.intr.ctpop", wide=True)
def select_popcount(s: Selector, op: Operation) -> None:
    """The number of ones."""

    def apply(x: Any, kind: Scalar) -> Any:
        x = s.exactly(x, kind.width, signed=False)
        count = linear.of(s.pure(opcode("popc", type=f"b{x.bits}"), B32, s.int_value(x), lo=0, hi=x.bits))
        return s.extended(count, signed=False) if x.bits == 64 else count

    integers(s, op, apply)


@handles("math.ctlz", "llvm.intr.ctlz", wide=True)
def select_leading_zeros(s: Selector, op: Operation) -> None:
    """The number of leading zeros."""

    def apply(x: Any, kind: Scalar) -> Any:
        x = s.exactly(x, kind.width, signed=False)
        count = linear.of(s.pure(opcode("clz", type=f"b{x.bits}"), B32, s.int_value(x), lo=0, hi=x.bits))
        count = linear.offset(count, kind.width - x.bits)
        return s.extended(count, signed=False) if x.bits == 64 else count

    integers(s, op, apply)


@handles("math.cttz", "llvm.intr.cttz", wide=True)
def select_trailing_zeros(s: Selector, op: Operation) -> None:
    """The number of trailing zeros: the ones that x - 1 has and x has not, shorter than zeros of the reversed bits."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.width < x.bits:
            x = s.bitwise("or", x, linear.const(1 << kind.width, x.bits))
        x = linear.of(s.int_value(x))
        ones = s.bitwise("and", s.bitwise("xor", x, linear.const(-1, x.bits)), linear.offset(x, -1))
        count = linear.of(s.pure(opcode("popc", type=f"b{x.bits}"), B32, s.int_value(ones), lo=0, hi=x.bits))
        return s.extended(count, signed=False) if x.bits == 64 else count

    integers(s, op, apply)


@handles("llvm.intr.bitreverse", wide=True)
def select_reverse(s: Selector, op: Operation) -> None:
    """The bits in reverse order."""

    def apply(x: Any, kind: Scalar) -> Any:
        reverse = linear.of(s.pure(opcode("brev", type=f"b{x.bits}"), "b32" if x.bits == 32 else "b64", s.int_value(x)))
        return s.shift_right(reverse, x.bits - kind.width, signed=False)

    integers(s, op, apply)
