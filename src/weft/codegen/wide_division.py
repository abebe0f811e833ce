"""Division of integers of 128 bits, without a loop: Knuth's algorithm D with digits of 32 bits."""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.wide import (
    ZERO,
    Wide,
    absolute,
    add,
    choose,
    compare,
    constant,
    held,
    is_negative,
    multiply,
    negate,
    subtract,
)
from weft.isa import opcode

_DIGIT = linear.const(1 << 32)


def divide(s: Selector, a: Wide, b: Wide, *, signed: bool) -> tuple[Wide, Wide]:
    """The quotient, rounded towards zero, and the remainder, with the sign of a."""
    if not signed:
        return _unsigned(s, a, b)
    quotient, rest = _unsigned(s, absolute(s, a), absolute(s, b))
    differ = s.logic("xor", is_negative(s, a), is_negative(s, b))
    return choose(s, differ, negate(s, quotient), quotient), choose(s, is_negative(s, a), negate(s, rest), rest)


def divide_up(s: Selector, a: Wide, b: Wide, *, signed: bool) -> Wide:
    """The quotient rounded up."""
    return _rounded(s, a, b, signed=signed, up=True)


def divide_down(s: Selector, a: Wide, b: Wide) -> Wide:
    """The signed quotient rounded down."""
    return _rounded(s, a, b, signed=True, up=False)


def _rounded(s: Selector, a: Wide, b: Wide, *, signed: bool, up: bool) -> Wide:
    quotient, rest = divide(s, a, b, signed=signed)
    off = compare(s, "ne", rest, ZERO)
    if signed:
        differ = s.logic("xor", is_negative(s, a), is_negative(s, b))
        off = s.logic("and", off, s.inverted(differ) if up else differ)
    return choose(s, off, add(s, quotient, constant(1 if up else -1)), quotient)


def _unsigned(s: Selector, a: Wide, b: Wide) -> tuple[Wide, Wide]:
    """One quotient of a double word by a normalised word gives both cases.

    For b below 2^64 it is the lower word of the quotient, of the remainder of the upper word.  Else the quotient is
    one word: that of a / 2 by b's upper bits, which is off by one at most after it has been scaled back.
    """
    b_high = s.compare("ne", b[1], linear.const(0))
    first, following = s.choose(b_high, b[1], b[0]), s.choose(b_high, b[0], linear.const(0))
    shift = linear.of(s.pure(opcode("clz", type="b64"), "b32", s.int_value(first), lo=0, hi=64))
    back = linear.add(linear.const32(64), shift, -1)
    by = s.bitwise("or", s.shift_left(first, shift), s.shift_right(following, back, signed=False))
    # Where b has an upper word, b[0] may be 0: PTX then gives some number, without a trap, and what is made of it is
    # not chosen below.
    high = s.div(a[1], b[0], signed=False)
    rest = held(s, s.sub(a[1], s.mul(high, b[0])))
    normal = s.bitwise("or", s.shift_left(rest, shift), s.shift_right(a[0], back, signed=False))
    half = s.bitwise("or", s.shift_left(a[1], linear.const(63)), s.shift_right(a[0], 1, signed=False))
    upper = s.choose(b_high, s.shift_right(a[1], 1, signed=False), normal)
    lower = s.choose(b_high, half, s.shift_left(a[0], shift))
    word = _word_quotient(s, upper, lower, by)
    scaled = s.shift_right(word, linear.offset(back, -1), signed=False)
    nonzero = s.compare("ne", scaled, linear.const(0))
    scaled = held(s, s.sub(scaled, s.from_test(nonzero, 64)))
    quotient = (s.choose(b_high, scaled, word), s.choose(b_high, linear.const(0), high))
    left = subtract(s, a, multiply(s, quotient, b))
    more = s.logic("and", b_high, compare(s, "ge", left, b, signed=False))
    return choose(s, more, add(s, quotient, constant(1)), quotient), choose(s, more, subtract(s, left, b), left)


def _word_quotient(s: Selector, upper: Lin, lower: Lin, by: Lin) -> Lin:
    """(upper * 2^64 + lower) / by, for upper < by and 2^63 <= by."""
    digits = _halves(s, lower)
    high = _digit(s, upper, digits[0], by)
    rest = linear.add(linear.add(s.shift_left(upper, linear.const(32)), digits[0]), s.mul(high, by), -1)
    low = _digit(s, held(s, rest), digits[1], by)
    return held(s, linear.add(s.shift_left(high, linear.const(32)), low))


def _digit(s: Selector, upper: Lin, digit: Lin, by: Lin) -> Lin:
    """One digit of the quotient: guessed from the upper digit of `by`, which is at most two too much."""
    first, second = _halves(s, by)
    guess = s.div(upper, first, signed=False)
    rest = held(s, s.sub(upper, s.mul(guess, first)))
    for _ in range(2):
        total = linear.add(s.shift_left(rest, linear.const(32)), digit)
        large = s.compare("ge", guess, _DIGIT, signed=False)
        large = s.logic("or", large, s.compare("gt", s.mul(guess, second), total, signed=False))
        # Knuth's step D3: once the rest has two digits, `total` would overflow, and the guess is right anyway.
        large = s.logic("and", large, s.compare("lt", rest, _DIGIT, signed=False))
        guess = s.choose(large, linear.offset(guess, -1), guess)
        rest = held(s, s.choose(large, linear.add(rest, first), rest))
    return guess


def _halves(s: Selector, a: Lin) -> tuple[Lin, Lin]:
    """The upper and the lower 32 bits, as 64-bit integers."""
    return s.shift_right(a, 32, signed=False), s.bitwise("and", a, linear.const((1 << 32) - 1))
