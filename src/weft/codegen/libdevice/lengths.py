"""Lengths of vectors of some elements, and their inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import linear
from weft.codegen.doubles.exponential import of_upper
from weft.codegen.graph import B32, B64
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.isa import opcode

INFINITY, NAN = float("inf"), float("nan")

LIMITS = {"f32": (2.0**60, 2.0**90), "f64": (2.0**480, 2.0**600)}
"""A size from which on squares may overflow, and what brings all larger ones back; the inverses for small ones."""
_EXPONENT = 0x7FC00000
"""The exponent in the upper word of an f64 but for its two lowest bits, so that there is room at both ends."""
_SCALE, _UNSCALE = 0x7FD00000, 0x00100000
"""What such an exponent is taken from for a factor that brings numbers to [1/2, 16), and added to for its inverse."""
_LEAST = 2.0**-300
"""So little that no sum of squares changes by it, and more than 0: the root of 0 and its inverse need no care."""


def root(a: Arithmetic, total: Any, *, inverse: bool) -> Any:
    """The square root of a sum of squares, or its inverse."""
    if not inverse:
        return a.m.root(total) if a.single else a.m.sqrt(total)
    if a.single:
        return a.m.op("rsqrt", total, rnd="approx", ftz=True)
    return a.m.div(a.const(1.0), a.m.sqrt(total))


def _single_squares(a: Arithmetic, operands: tuple[Any, ...]) -> tuple[Any, Any, Any, Callable[[Any, float], Any]]:
    """(the sum of squares of the operands times a power of two, that power, its inverse, what sets a result's ends)."""
    m, (limit, factor) = a.m, LIMITS[a.kind.name]
    sizes = [m.abs(x) for x in operands]
    most = sizes[0]
    for size in sizes[1:]:
        most = m.op("max", most, size)
    large, small = m.test("gt", most, a.const(limit)), m.test("lt", most, a.const(1 / limit))

    def scale(by: float) -> Any:
        return m.pick(large, a.const(1 / by), m.pick(small, a.const(by), a.const(1.0)))

    up, down = scale(factor), scale(1 / factor)
    parts = [m.mul(size, up) for size in sizes]
    total = m.mul(parts[-1], parts[-1])
    for part in reversed(parts[:-1]):
        total = m.fma(part, part, total)

    def with_ends(found: Any, infinite: float) -> Any:
        """`infinite` where one operand is infinite, and else a NaN where one is a NaN."""
        for size in sizes:
            found = m.pick(m.test("nan", size, size), a.const(NAN), found)
        return m.pick(m.test("eq", most, a.const(INFINITY)), a.const(infinite), found)

    return total, up, down, with_ends


def _double_scale(a: Arithmetic, operands: tuple[Any, ...]) -> tuple[Any, Any]:
    """A power of two beside the inverse of the largest operand, from its upper word, and its inverse, nearly."""
    m, s = a.m, a.s
    most: Any = None
    for x in operands:
        upper = s.pure_many(opcode("mov", type="b64"), (B32, B32), s.register(x, B64))[1]
        size = s.int_value(s.bitwise("and", linear.of(upper), linear.const32(0x7FFFFFFF)))
        most = size if most is None else s.pure(opcode("max", type="s32"), B32, most, size)
    exponent = s.bitwise("and", linear.of(most), linear.const32(_EXPONENT))
    up = of_upper(m, s.sub(linear.const32(_SCALE), exponent))
    return up, of_upper(m, linear.offset(exponent, _UNSCALE))


def _double_ends(a: Arithmetic, operands: tuple[Any, ...], found: Any, infinite: float) -> Any:
    """`infinite` where one operand is infinite; else NaNs have become NaNs by themselves."""
    tests = [a.m.test("eq", a.m.abs(x), a.const(INFINITY)) for x in operands]
    test: Any = tests[0]
    for other in tests[1:]:
        test = a.m.either(test, other)
    return a.m.pick(test, a.const(infinite), found)


def norm(a: Arithmetic, *operands: Any) -> Any:
    """The square root of the sum of squares, without overflow in between."""
    m = a.m
    if a.single:
        total, _, down, with_ends = _single_squares(a, operands)
        return with_ends(m.mul(m.root(total), down), INFINITY)
    up, down = _double_scale(a, operands)
    total = a.const(_LEAST)
    for x in operands:
        part = m.mul(x, up)
        total = m.fma(part, part, total)
    return _double_ends(a, operands, m.mul(m.root(total), down), INFINITY)


def rnorm(a: Arithmetic, *operands: Any) -> Any:
    """1 / norm: of f64 with all that the squares and their sum lose, so that it is within a unit."""
    m = a.m
    if a.single:
        total, up, _, with_ends = _single_squares(a, operands)
        return with_ends(m.mul(root(a, total, inverse=True), up), 0.0)
    up, _ = _double_scale(a, operands)
    total, low = m.product(*[m.mul(operands[0], up)] * 2)
    for x in operands[1:]:
        part = m.mul(x, up)
        square, rest = m.product(part, part)
        total, lost = m.two_sum(total, square)
        low = m.add(low, m.add(rest, lost))
    found = m.inverse_root(m.add(total, a.const(_LEAST)), low)
    return _double_ends(a, operands, m.mul(found, up), 0.0)
