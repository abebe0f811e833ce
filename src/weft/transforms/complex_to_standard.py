"""`complex` as `arith` and `math` on the two parts; `complex.create`, `re`, `im`, `constant` and `bitcast` stay.

The formulas compute what those of upstream's `convert-complex-to-standard` compute: the quotient by Smith's method with
the special cases of C's Annex G, the absolute value scaled by the larger part.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import AnyFloat, ComplexType, FloatAttr, IntegerAttr, IntegerType, ModuleOp, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from weft.dataclass import dataclass
from weft.dialects.arith.predicates import FLOAT_PREDICATES
from weft.mlir.module import shared_context

_PLAIN = frozenset(("arith.select", "arith.andi", "arith.ori", "arith.sitofp"))
"""What has no flags of fast mathematics."""


@dataclass(frozen=True, slots=True)
class Part:
    """A float, or a truth value, that operations before `at` compute; arithmetic on it adds more of them."""

    at: Operation
    value: SSAValue

    def call(self, name: str, *operands: Part, type_: Attribute | None = None, **properties: Attribute) -> Part:
        """An operation on this and other parts."""
        if name not in _PLAIN:
            properties["fastmath"] = self.at.properties.get("fastmath", FastMathFlagsAttr("none"))
        values = [self.value, *(operand.value for operand in operands)]
        return self._made(name, values, type_ or self.value.type, properties)

    def _made(self, name: str, values: list[SSAValue], type_: Attribute, properties: dict[str, Attribute]) -> Part:
        op = shared_context().get_op(name).create(operands=values, result_types=[type_], properties=properties)
        Rewriter.insert_op(op, InsertPoint.before(self.at))
        return Part(self.at, op.results[0])

    def number(self, value: float) -> Part:
        """A constant of the same type."""
        attribute = FloatAttr(value, cast("AnyFloat", self.value.type))
        return self._made("arith.constant", [], self.value.type, {"value": attribute})

    def __add__(self, other: Part) -> Part:
        return self.call("arith.addf", other)

    def __sub__(self, other: Part) -> Part:
        return self.call("arith.subf", other)

    def __mul__(self, other: Part) -> Part:
        return self.call("arith.mulf", other)

    def __truediv__(self, other: Part) -> Part:
        return self.call("arith.divf", other)

    def __neg__(self) -> Part:
        return self.call("arith.negf")

    def __and__(self, other: Part) -> Part:
        return self.call("arith.andi", other)

    def __or__(self, other: Part) -> Part:
        return self.call("arith.ori", other)

    def math(self, name: str, *others: Part) -> Part:
        """An operation of `math`."""
        return self.call(f"math.{name}", *others)

    def test(self, predicate: str, other: Part | float) -> Part:
        """A comparison."""
        known = other if isinstance(other, Part) else self.number(other)
        number = IntegerAttr(FLOAT_PREDICATES.index(predicate), i64)
        return self.call("arith.cmpf", known, type_=i1, predicate=number)

    def is_infinite(self) -> Part:
        """Whether it is infinite."""
        return self.math("absf").test("oeq", inf)

    def choose(self, yes: Part, no: Part) -> Part:
        """One where this is true, another where it is not."""
        return self.call("arith.select", yes, no, type_=yes.value.type)


@dataclass(frozen=True, slots=True)
class Number:
    """A complex number by its parts."""

    re: Part
    im: Part

    def __add__(self, other: Number) -> Number:
        return Number(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Number) -> Number:
        return Number(self.re - other.re, self.im - other.im)

    def __mul__(self, other: Number) -> Number:
        a, b = self, other
        return Number(a.re * b.re - a.im * b.im, a.im * b.re + a.re * b.im)

    def __truediv__(self, other: Number) -> Number:
        return _quotient(self, other)

    def __neg__(self) -> Number:
        return Number(-self.re, -self.im)

    def conjugate(self) -> Number:
        """It with the sign of the imaginary part flipped."""
        return Number(self.re, -self.im)

    def equals(self, other: Number) -> Part:
        """Whether both parts are the same."""
        return self.re.test("oeq", other.re) & self.im.test("oeq", other.im)

    def differs(self, other: Number) -> Part:
        """Whether a part is another."""
        return self.re.test("une", other.re) | self.im.test("une", other.im)

    def times_i(self) -> Number:
        """It turned by a quarter to the left."""
        return Number(-self.im, self.re)

    def is_zero(self) -> Part:
        """Whether both parts are."""
        return self.re.test("oeq", 0.0) & self.im.test("oeq", 0.0)

    def choose(self, test: Part, other: Number) -> Number:
        """It where a test is true, another number where it is not."""
        return Number(test.choose(self.re, other.re), test.choose(self.im, other.im))

    def parts_by_size(self) -> tuple[Part, Part]:
        """The larger and the smaller of the parts without their signs."""
        a, b = self.re.math("absf"), self.im.math("absf")
        return a.call("arith.maximumf", b), a.call("arith.minimumf", b)


def _quotient(a: Number, b: Number) -> Number:
    flat, steep = b.re / b.im, b.im / b.re
    by_im, by_re = b.im + flat * b.re, b.re + steep * b.im
    plain = Number((a.re * flat + a.im) / by_im, (a.im * flat - a.re) / by_im)
    other = Number((a.re + a.im * steep) / by_re, (a.im - a.re * steep) / by_re)
    plain = plain.choose(b.re.math("absf").test("olt", b.im.math("absf")), other)
    zero, infinite = a.re.number(0.0), a.re.number(inf)

    def box(of: Number) -> Number:
        """Ones with signs where parts are infinite, zeros elsewhere."""
        one = zero.number(1.0)
        return Number(*(p.is_infinite().choose(one, zero).math("copysign", p) for p in (of.re, of.im)))

    def finite(of: Number) -> Part:
        return of.re.math("absf").test("one", inf) & of.im.math("absf").test("one", inf)

    def turned(x: Number, y: Number, by: Part) -> Number:
        return Number(by * (x.re * y.re + x.im * y.im), by * (x.im * y.re - x.re * y.im))

    special = turned(a, box(b), zero).choose(finite(a) & (b.re.is_infinite() | b.im.is_infinite()), plain)
    special = turned(box(a), b, infinite).choose((a.re.is_infinite() | a.im.is_infinite()) & finite(b), special)
    signed = infinite.math("copysign", b.re)
    some = (a.re.test("ord", 0.0) | a.im.test("ord", 0.0)) & b.is_zero()
    special = Number(signed * a.re, signed * a.im).choose(some, special)
    return special.choose(plain.re.test("uno", 0.0) & plain.im.test("uno", 0.0), plain)


def _not_a_number_or(found: Part, other: Part) -> Part:
    return found.test("uno", found).choose(other, found)


def _magnitude(a: Number) -> Part:
    high, low = a.parts_by_size()
    ratio = low / high
    return _not_a_number_or(high * (ratio * ratio + high.number(1.0)).math("sqrt"), low)


def _angle(a: Number) -> Part:
    return a.im.math("atan2", a.re)


def _turn(angle: Part) -> Number:
    return Number(angle.math("cos"), angle.math("sin"))


def _sign(a: Number) -> Number:
    size = _magnitude(a)
    return a.choose(a.is_zero(), Number(a.re / size, a.im / size))


def _exp(a: Number) -> Number:
    whole, half, on = a.re.math("exp"), (a.re * a.re.number(0.5)).math("exp"), _turn(a.im)
    large = whole.test("oeq", inf)
    re, im = (large.choose(half * part * half, whole * part) for part in (on.re, on.im))
    return Number(re, a.im.test("oeq", 0.0).choose(a.im.number(0.0), im))


def _expm1(a: Number) -> Number:
    less, half = a.re.math("expm1"), (a.im * a.im.number(0.5)).math("sin")
    turned = half * half * half.number(-2.0)  # cos - 1, without cancellation
    one, zero = a.re.number(1.0), a.im.number(0.0)
    im = a.im.test("oeq", 0.0).choose(zero, (less + one) * a.im.math("sin"))
    return Number(less * (turned + one) + turned, im)


def _log(a: Number) -> Number:
    return Number(_magnitude(a).math("log"), _angle(a))


def _log1p(a: Number) -> Number:
    one = a.re.number(1.0)
    moved = Number(a.re + one, a.im)
    high, low = moved.parts_by_size()
    ratio = low / high
    near = moved.re.test("ogt", a.im.math("absf")).choose(a.re, high - one)
    found = one.number(0.5) * (ratio * ratio).math("log1p") + near.math("log1p")
    return Number(_not_a_number_or(found, low), _angle(moved))


def _halves(a: Part) -> tuple[Part, Part]:
    """Half of exp(a) and of exp(-a)."""
    whole, half = a.math("exp"), a.number(0.5)
    return half * whole, half / whole


def _sin(a: Number) -> Number:
    (up, down), on = _halves(a.im), _turn(a.re)
    return Number((up + down) * on.im, (up - down) * on.re)


def _cos(a: Number) -> Number:
    (up, down), on = _halves(a.im), _turn(a.re)
    return Number((down + up) * on.re, (down - up) * on.im)


def _tanh(a: Number) -> Number:
    twice, four, zero = a.re + a.re, a.re.number(4.0), a.re.number(0.0)
    up, down, on = twice.math("expm1"), (-twice).math("expm1"), _turn(a.im)
    total, above = up + down, four * (on.re * on.im)
    below = total + on.re * on.re * four
    re = total.test("oeq", inf).choose(zero.number(-1.0).math("copysign", a.re), (up - down) / below)
    endless, lost = a.re.is_infinite(), above.test("uno", above)
    finite = a.re.math("absf").test("une", inf)
    im = (a.im.test("oeq", 0.0) | (endless & lost)).choose(zero, above / below)
    return Number((lost & finite).choose(zero.number(nan), re), im)


def _tan(a: Number) -> Number:
    turned = _tanh(a.times_i())
    return Number(turned.im, -turned.re)


def _sqrt(a: Number) -> Number:
    zero, infinite = a.re.number(0.0), a.re.number(inf)
    high, low = a.parts_by_size()
    ratio = low / high
    grown = (ratio * ratio + zero.number(1.0)).math("powf", zero.number(0.25))
    size = _not_a_number_or(high.math("sqrt") * grown, low)
    on = _turn(_angle(a) * zero.number(0.5))
    re, im = size * on.re, on.im.test("oeq", 0.0).choose(zero, size * on.im)
    upright, right, left = a.im.is_infinite(), a.re.test("oeq", inf), a.re.test("oeq", -inf)
    level = a.im.math("absf").test("one", inf)
    re = (upright | right).choose(infinite, (left & level).choose(zero, re))
    im = size.test("uno", size).choose(zero.number(nan), im)
    im = (upright | left).choose(infinite.math("copysign", a.im), im)
    none = size.test("oeq", 0.0)
    return Number(none.choose(zero, re), none.choose(zero, im))


def _rsqrt(a: Number) -> Number:
    zero = a.re.number(0.0)
    high, low = a.parts_by_size()
    ratio = low / high
    grown = (ratio * ratio + zero.number(1.0)).math("rsqrt").math("sqrt")
    size = _not_a_number_or(high.math("rsqrt") * grown, low.math("rsqrt"))
    on = _turn(_angle(a) * zero.number(-0.5))
    endless = (a.im.is_infinite() & a.re.test("uno", a.re)) | a.re.is_infinite()
    found = Number(zero.math("copysign", a.re), -zero.math("copysign", a.im))
    found = found.choose(endless, Number(size * on.re, size * on.im))
    return Number(zero.number(inf), zero.number(nan)).choose(a.is_zero(), found)


def _pow(a: Number, b: Number) -> Number:
    size, angle = _magnitude(a), _angle(a)
    factor = size.math("powf", b.re) * (-b.im * angle).math("exp")
    on = _turn(b.re * angle + b.im * size.math("log"))
    zero, one, infinite = (a.re.number(value) for value in (0.0, 1.0, inf))
    nothing, unit = Number(zero, zero), Number(one, zero)
    real, none = b.im.test("oeq", 0.0), b.re.test("oeq", 0.0)
    found = Number(factor * on.re, factor * on.im)
    found = unit.choose(none, nothing).choose(size.test("oeq", 0.0) & real & zero.test("ole", b.re), found)
    found = unit.choose(none & real, found)
    level = a.im.test("oeq", 0.0)
    found = unit.choose(a.re.test("oeq", 1.0) & level, found)
    endless = a.re.test("oeq", inf) & level
    found = Number(infinite, zero).choose(endless & (real & b.re.test("ogt", 0.0)), found)
    return nothing.choose(endless & (real & b.re.test("olt", 0.0)), found)


def _atan2(y: Number, x: Number) -> Number:
    i, against = (Number(x.re.number(0.0), x.re.number(one)) for one in (1.0, -1.0))
    return against * _log((x + i * y) / _sqrt(x * x + y * y))


_FORMULAS: dict[str, Callable[..., Number | Part]] = {
    "abs": _magnitude,
    "add": Number.__add__,
    "angle": _angle,
    "atan2": _atan2,
    "conj": Number.conjugate,
    "cos": _cos,
    "div": _quotient,
    "eq": Number.equals,
    "exp": _exp,
    "expm1": _expm1,
    "log": _log,
    "log1p": _log1p,
    "mul": Number.__mul__,
    "neg": Number.__neg__,
    "neq": Number.differs,
    "pow": _pow,
    "powi": _pow,
    "rsqrt": _rsqrt,
    "sign": _sign,
    "sin": _sin,
    "sqrt": _sqrt,
    "sub": Number.__sub__,
    "tan": _tan,
    "tanh": _tanh,
}
LOWERED = frozenset(f"complex.{name}" for name in _FORMULAS)
"""The operations that have a formula."""


def lower_module(module: ModuleOp) -> None:
    """Lower what has a formula."""
    for op in list(module.walk()):
        if op.name in LOWERED:
            _lower(op)


def _number(op: Operation, operand: SSAValue, like: ComplexType[Any]) -> Number:
    """The parts of an operand; an integer is a number without imaginary part."""
    part = Part(op, operand)
    if isinstance(operand.type, IntegerType):
        real = part.call("arith.sitofp", type_=like.element_type)
        return Number(real, real.number(0.0))
    return Number(*(part.call(f"complex.{name}", type_=like.element_type) for name in ("re", "im")))


def _lower(op: Operation) -> None:
    like = cast("ComplexType[Any]", op.operands[0].type)
    found = _FORMULAS[op.name.removeprefix("complex.")](*(_number(op, operand, like) for operand in op.operands))
    if isinstance(found, Number):
        made = shared_context().get_op("complex.create").create(
            operands=[found.re.value, found.im.value], result_types=[like]
        )  # fmt: skip
        Rewriter.insert_op(made, InsertPoint.before(op))
        found = Part(op, made.results[0])
    Rewriter.replace_op(op, [], [found.value])


@dataclass(frozen=True)
class ConvertComplexToStandard(ModulePass):
    """Lower `complex` to `arith` and `math`."""

    name = "convert-complex-to-standard"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Transform a module."""
        del ctx
        lower_module(op)
