"""Division without a divide: by constants a product's upper half, of 64 bits by 32 bits where the operands are small.

ptxas divides by a constant as by any other number.  The multipliers are those of Granlund and Montgomery, "Division by
invariant integers using multiplication" (1994): for 0 <= a < 2^n, floor(a / d) = floor(a * m / 2^p) where
0 <= m * d - 2^p <= 2^(p - n).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.codegen import linear
from weft.codegen.builder import known
from weft.codegen.graph import B32, B64, PRED, If, Merge, Value
from weft.codegen.linear import Lin
from weft.isa import opcode

if TYPE_CHECKING:
    from weft.codegen.integers import Integers


def unsigned_multiplier(divisor: int, bits: int, width: int) -> tuple[int, int]:
    """(m, p): floor(a / divisor) = a * m >> p for 0 <= a < 2^bits, with the least p of at least `width`."""
    power = width
    while True:
        multiplier = -(-(1 << power) // divisor)
        if multiplier * divisor - (1 << power) << bits <= 1 << power:
            return multiplier, power
        power += 1


def signed_multiplier(divisor: int, width: int) -> tuple[int, int]:
    """(m, p): floor(a * m / 2^p), and 1 more where a < 0, is a / divisor (at least 2) rounded towards zero."""
    power = width
    while True:
        multiplier = (1 << power) // divisor + 1
        if multiplier * divisor - (1 << power) << width - 1 <= 1 << power:
            return multiplier, power
        power += 1


def by_constant(s: Integers, a: Lin, divisor: int, *, signed: bool) -> Lin:
    """The quotient of a by a constant that is not 0, rounded towards zero."""
    if not signed:
        return _unsigned(s, a, divisor & (1 << a.bits) - 1)
    size = abs(divisor)
    if size >> a.bits - 1:  # Only the least number has its size.
        return s.from_test(s.compare("eq", a, linear.const(divisor, a.bits)), a.bits)
    quotient = a if size == 1 else _signed(s, a, size)
    return linear.scaled(quotient, -1) if divisor < 0 else quotient


def _unsigned(s: Integers, a: Lin, divisor: int) -> Lin:
    width = a.bits
    bits = a.hi.bit_length() if a.exact and a.lo >= 0 else width
    if divisor >> width - 1:  # The quotient is 0 or 1.
        return s.from_test(s.compare("ge", a, linear.const(linear.wrap(divisor, width), width), signed=False), width)
    zeros = (divisor & -divisor).bit_length() - 1
    multiplier, power = unsigned_multiplier(divisor, bits, width)
    # A multiplier of one bit too many: without the factor 2^zeros the dividend is that much shorter, and a smaller one
    # will do.
    if multiplier >> width and zeros:
        a, divisor, bits = s.shift_right(a, zeros, signed=False), divisor >> zeros, bits - zeros
        multiplier, power = unsigned_multiplier(divisor, bits, width)
    high = s.mul_high(a, linear.const(linear.wrap(multiplier, width), width), signed=False)
    if not multiplier >> width:
        return s.shift_right(high, power - width, signed=False)
    # a + high may need one bit more than there is; (a - high) / 2 + high is half of it, and does not.
    half = s.shift_right(s.sub(a, high), 1, signed=False)  # The multiplier's uppermost bit adds a itself.
    return s.shift_right(s.add(half, high), power - width - 1, signed=False)


def _signed(s: Integers, a: Lin, divisor: int) -> Lin:
    width = a.bits
    exponent = divisor.bit_length() - 1
    if divisor == 1 << exponent:
        # A shift rounds down: negative numbers get divisor - 1 first, so that the quotient is rounded towards zero.
        sign = s.shift_right(a, width - 1, signed=True)
        return s.shift_right(s.add(a, s.shift_right(sign, width - exponent, signed=False)), exponent, signed=True)
    multiplier, power = signed_multiplier(divisor, width)
    high = s.mul_high(a, linear.const(linear.wrap(multiplier, width), width), signed=True)
    if multiplier >> width - 1:  # Read as negative, it is 2^width too small.
        high = linear.of(s.int_value(s.add(high, a)))
    negative = s.shift_right(high, width - 1, signed=False)  # The product has the sign of a.
    return linear.of(s.int_value(s.add(s.shift_right(high, power - width, signed=True), negative)))


def long(s: Integers, a: Lin, b: Lin, *, signed: bool, remainder: bool) -> Lin:
    """a / b or a % b in 64 bits: in 32, by a branch, where neither has a bit above.

    A remainder comes of the quotient where that is known already.
    """
    x, y = s.int_value(a), s.int_value(b)
    key = ("long division", signed, x, y)
    found = known(s.block, key)
    if found is None and remainder:
        key = ("long remainder", signed, x, y)
        found = known(s.block, key)
    if found is None:
        home = s.place((x, y), key)
        with s.at(home):
            found = home.known[key] = _branch(s, x, y, "rem" if remainder else "div", signed=signed)
    return linear.of(found[-1 if remainder else 0])


def _branch(s: Integers, x: Value, y: Value, stem: str, *, signed: bool) -> tuple[Value, ...]:
    """The remainder, or the quotient and the remainder; what nothing reads of them falls away."""
    # Addresses and sizes have 64 bits by type more often than by value, and a 32-bit division takes a fraction of the
    # instructions.
    both = s.pure(opcode("or", type="b64"), B64, *((x, y) if x.id < y.id else (y, x)))
    small = s.pure(opcode("setp", cmp="eq", type="s64"), PRED, s.pure(opcode("shr", type="u64"), B64, both, 32), 0)
    branch = If(small, s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        low, by = s.narrowed(x), s.narrowed(y)
        short = [s.pure(opcode(stem, type="u32"), B32, low, by)]
        if stem == "div":
            short.append(_rest(s, low, by, short[0]))
        few = [s.widened(value, signed=False) for value in short]
    with s.at(branch.otherwise):
        many = [s.pure(opcode(stem, type=f"{'s' if signed else 'u'}64"), B64, x, y)]
        if stem == "div":
            many.append(_rest(s, x, y, many[0]))
    results = tuple(Value(B64, s.block) for _ in few)
    for value, one, other in zip(results, few, many, strict=True):
        branch.merges.append(Merge(value, [one, other]))
    s.block.items.append(branch)
    return results


def _rest(s: Integers, a: Value, b: Value, quotient: Value) -> Value:
    return s.int_value(linear.add(linear.of(a), s.mul(linear.of(quotient), linear.of(b)), -1))
