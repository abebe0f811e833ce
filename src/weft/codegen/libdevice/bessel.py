"""Bessel functions of the first and second kind of libdevice, written once for f32 and f64."""

from __future__ import annotations

import struct
from typing import Any

from weft.codegen import doubles, linear
from weft.codegen.elementary import trigonometric
from weft.codegen.graph import B32, B64, Addr, Carried, Loop, Value
from weft.codegen.libdevice import bessel_coefficients as tables
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.libdevice.special import branch, inverse_root, logarithm, polynomial
from weft.codegen.linear import Lin
from weft.isa import opcode
from weft.ptx.operands import Symbol

INFINITY, NAN = float("inf"), float("nan")
BORDER = 8.0
TWO_BY_PI = 0.6366197723675814
Rows = tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]


def _vectors(a: Arithmetic, place: Value, count: int) -> list[Value]:
    """`count` numbers from an address on, 16 bytes at a time."""
    each = 16 // a.kind.bytes
    found: list[Value] = []
    for at in range(0, count * a.kind.bytes, 16):
        group = tuple(a.s.value(a.kind.cls) for _ in range(each))
        code = opcode("ld", ss="global", nc=True, vec=f"v{each}", type=f"b{a.format.width}")
        a.s.read(code, group, Addr(place, at), outs=group)
        found += group
    return found[:count]


def _by_interval(a: Arithmetic, x: Any, rows: Rows) -> Any:
    """The polynomial of the interval that x > 0 lies in, in the distance from its centre.

    A row has the centre in two parts, for the sum of which x is right next to it, and the coefficients from the last.
    """
    s, m = a.s, a.m
    (borders, each), per = rows, 16 // a.kind.bytes
    length = -(-len(each[0]) // per) * per
    kind = "f" if a.single else "d"
    zeros = [0.0] * (length - len(each[0]))
    data = b"".join(struct.pack(f"<{length}{kind}", *row[:2], *reversed(row[2:]), *zeros) for row in each)
    offset = linear.const32(0)
    for i, border in enumerate(borders):
        offset = s.choose(m.test("gt", x, a.const(border)), linear.const32((i + 1) * length * a.kind.bytes), offset)
    base = linear.of(s.pure(opcode("mov", type="b64"), B64, Symbol(s.module.constant_data(data, align=16))))
    place = s.int_value(s.add(base, s.extended(offset, signed=False)))
    high, low, *coefficients = _vectors(a, place, len(each[0]))
    t = m.sub(m.sub(x, high), low)
    total = coefficients[0]
    for coefficient in coefficients[1:]:
        total = m.fma(total, t, coefficient)
    return total


def _waves(a: Arithmetic, x: Any, order: int) -> tuple[Any, Any]:
    """(J(x), Y(x)) of order 0 or 1 for x > 8: a modulus times the cosine and the sine of x - (2 order + 1) pi/4 + d."""
    m = a.m
    inverse = inverse_root(a, x)
    square = m.mul(inverse, inverse)
    z = m.mul(square, a.const(8.0))
    z = m.mul(z, z)
    size = m.mul(inverse, polynomial(a, z, getattr(tables, f"MODULUS_{order}")))
    more = m.mul(square, polynomial(a, z, getattr(tables, f"PHASE_{order}")))
    if a.single:
        quadrant, rest = trigonometric.reduced(m, x)
        sine, cosine = trigonometric.turned(m, m.add(rest, more), quadrant)
    else:
        quadrant, (rest, low) = doubles.trigonometric.reduced(m, x)
        sine, cosine = doubles.trigonometric.turned(m, m.fast_sum(rest, m.add(low, more)), quadrant)
    plus, minus = m.mul(size, m.add(sine, cosine)), m.mul(size, m.sub(sine, cosine))
    return (minus, m.neg(plus)) if order else (plus, minus)


def _first_kind(a: Arithmetic, size: Any, order: int) -> Any:
    """J of a number that is not negative."""
    m, rows = a.m, getattr(tables, f"J{order}")[a.kind.name]
    far = m.test("gt", size, a.const(BORDER))
    found = branch(a, far, lambda: _waves(a, size, order)[0], lambda: _by_interval(a, size, rows))
    return m.pick(m.test("eq", size, a.const(INFINITY)), a.const(0.0), found)


def _second_kind(a: Arithmetic, x: Any, order: int) -> Any:
    """Y of x."""
    m, rows = a.m, getattr(tables, f"Y{order}")[a.kind.name]

    def beside_pole() -> Any:
        square = m.mul(x, x)
        first, rest = (polynomial(a, square, getattr(tables, f"{stem}_{order}")) for stem in ("FIRST", "BESIDE"))
        found = m.fma(logarithm(a, x), first, rest)
        if order == 0:
            return found
        # The inverse of the smallest numbers overflows sooner than its product with 2 / pi.
        small = m.test("lt", x, a.const(2.0**-60))
        inverse = m.reciprocal(m.mul(x, m.pick(small, a.const(2.0**64), a.const(1.0))))
        pole = m.mul(inverse, m.pick(small, a.const(-TWO_BY_PI * 2.0**64), a.const(-TWO_BY_PI)))
        pole = m.pick(m.test("eq", x, a.const(0.0)), a.const(-INFINITY), pole)
        return m.pick(small, m.pick(m.test("lt", x, a.const(0.0)), a.const(NAN), pole), m.fma(x, found, pole))

    def beyond() -> Any:
        far = m.test("gt", x, a.const(BORDER))
        return branch(a, far, lambda: _waves(a, x, order)[1], lambda: _by_interval(a, x, rows))

    found = branch(a, m.test("lt", x, a.const(tables.POLES[order])), beside_pole, beyond)
    return m.pick(m.test("eq", x, a.const(INFINITY)), a.const(0.0), found)


def j0(a: Arithmetic, x: Any) -> Any:
    """The function of the first kind of order 0."""
    return _first_kind(a, a.m.abs(x), 0)


def j1(a: Arithmetic, x: Any) -> Any:
    """The function of the first kind of order 1: odd."""
    found = _first_kind(a, a.m.abs(x), 1)
    return a.m.pick(a.negative(x), a.m.neg(found), found)


def y0(a: Arithmetic, x: Any) -> Any:
    """The function of the second kind of order 0."""
    return _second_kind(a, x, 0)


def y1(a: Arithmetic, x: Any) -> Any:
    """The function of the second kind of order 1."""
    return _second_kind(a, x, 1)


def _upward(a: Arithmetic, n: Lin, twice: Any, first: Any, second: Any) -> Any:
    """The function of order n >= 1 by f(k + 1) = 2 k / x f(k) - f(k - 1), until it is infinite; `twice` is 2 / x."""
    s, m = a.s, a.m
    infinite = a.const(INFINITY)
    guard = m.both(s.compare("gt", n, linear.const32(1), signed=True), m.test("lt", m.abs(second), infinite))
    loop = Loop(s.child(loop=True), guard=guard, source=s.source)
    index, before, now = Value(B32, loop.body), Value(a.kind.cls, loop.body), Value(a.kind.cls, loop.body)
    result = Value(a.kind.cls, s.block)
    with s.at(loop.body):
        here = linear.of(index)
        following = m.fma(m.mul(m.from_integer(here), twice), now, m.neg(before))
        more = linear.offset(here, 1)
        loop.carried += [
            Carried(index, 1, s.operand(more)), Carried(before, first, now), Carried(now, second, following, result)
        ]  # fmt: skip
        finite = m.test("lt", m.abs(following), infinite)
        loop.again = m.both(s.compare("lt", more, n, signed=True), finite)
    s.block.items.append(loop)
    return result


_MOST = {"f32": 2.0**20, "f64": 2.0**100}
"""Terms above it are brought back to 1."""
_LEAST = {"f32": 2.0**-80, "f64": 2.0**-550}
"""The functions of order 2 and more of smaller numbers are 0."""
_DIGITS = {"f32": 40, "f64": 160}
_ZERO = {"f32": 97, "f64": 700}
"""From this order on J(n, x) is 0 for x < n / 4."""


def _downward(a: Arithmetic, n: Lin, twice: Any) -> Any:
    """Miller's method for x < n: down from some order far above n, then divided by J0 + 2 J2 + 2 J4 + ... = 1."""
    s, m = a.s, a.m
    more = m.root(m.mul(m.from_integer(n), a.const(_DIGITS[a.kind.name])))
    start = s.add(n, linear.of(s.pure(opcode("cvt", rnd="rzi", type="s32", atype=a.kind.name), B32, more)))
    start = linear.of(s.int_value(s.bitwise("and", start, linear.const32(-2))))
    loop = Loop(s.child(loop=True), guard=s.compare("gt", start, linear.const32(0), signed=True), source=s.source)
    index = Value(B32, loop.body)
    above, now, total, answer = (Value(a.kind.cls, loop.body) for _ in range(4))
    results = [Value(a.kind.cls, s.block) for _ in range(3)]
    with s.at(loop.body):
        here = linear.of(index)
        below = m.fma(m.mul(m.from_integer(here), twice), now, m.neg(above))
        large = m.test("gt", m.abs(below), a.const(_MOST[a.kind.name]))
        scale = m.pick(large, m.reciprocal(m.abs(below)), a.const(1.0))
        found = m.pick(s.compare("eq", here, n), now, answer)
        scaled = m.mul(below, scale)
        odd = s.to_test(s.bitwise("and", here, linear.const32(1)))
        summed = m.fma(total, scale, m.pick(odd, scaled, a.const(0.0)))
        less = linear.offset(here, -1)
        loop.carried += [
            Carried(index, s.operand(start), s.operand(less)),
            Carried(above, a.const(0.0), m.mul(now, scale)),
            Carried(now, a.const(1.0), scaled, results[0]),
            Carried(total, a.const(0.0), summed, results[1]),
            Carried(answer, a.const(0.0), m.mul(found, scale), results[2]),
        ]
        loop.again = s.compare("gt", less, linear.const32(0), signed=True)
    s.block.items.append(loop)
    last, total_, answer_ = results
    return m.mul(answer_, m.reciprocal(m.sub(m.add(total_, total_), last)))


def _of_order(a: Arithmetic, n: Lin, zero: Any, one: Any, above: Any) -> Any:
    """What there is for order 0, 1 and above; no number for negative ones."""
    s, m = a.s, a.m
    found = m.pick(s.compare("eq", n, linear.const32(0)), zero, above)
    found = m.pick(s.compare("eq", n, linear.const32(1)), one, found)
    return m.pick(s.compare("lt", n, linear.const32(0), signed=True), a.const(NAN), found)


def yn(a: Arithmetic, n: Lin, x: Any) -> Any:
    """The function of the second kind of order n."""
    n = linear.of(a.s.int_value(n))
    zero, one = y0(a, x), y1(a, x)
    return _of_order(a, n, zero, one, _upward(a, n, _twice_inverse(a, x), zero, one))


def jn(a: Arithmetic, n: Lin, x: Any) -> Any:
    """The function of the first kind of order n."""
    s, m = a.s, a.m
    n = linear.of(s.int_value(n))
    size = m.abs(x)
    zero, one = _first_kind(a, size, 0), _first_kind(a, size, 1)
    twice, order = _twice_inverse(a, size), m.from_integer(n)

    def below() -> Any:
        far = s.compare("ge", n, linear.const32(_ZERO[a.kind.name]), signed=True)
        vanished = m.both(far, m.test("lt", size, m.mul(order, a.const(0.25))))
        vanished = m.either(vanished, m.test("lt", size, a.const(_LEAST[a.kind.name])))
        return branch(a, vanished, lambda: m.mul(size, a.const(0.0)), lambda: _downward(a, n, twice))

    above = branch(a, m.test("lt", size, order), below, lambda: _upward(a, n, twice, zero, one))
    found = _of_order(a, n, zero, one, above)
    odd = s.to_test(s.bitwise("and", n, linear.const32(1)))
    return m.pick(m.both(odd, a.negative(x)), m.neg(found), found)


def _twice_inverse(a: Arithmetic, x: Any) -> Any:
    """2 / x; of the smallest and the largest numbers, whose functions are infinite and 0, something as large."""
    m = a.m
    least, most = (2.0**-126, 2.0**120) if a.single else (2.0**-1022, 2.0**1000)
    inverse = m.reciprocal(m.op("min", m.op("max", x, a.const(least)), a.const(most)))
    return m.add(inverse, inverse)
