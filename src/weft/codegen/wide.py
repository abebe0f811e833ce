"""Integers of 65 to 128 bits, as pairs of 64-bit ones (the low half first); what lies above their width is anything."""

from __future__ import annotations

from collections.abc import Callable

from weft.codegen import linear
from weft.codegen.graph import B64
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.sinking import CARRYING
from weft.codegen.types import Scalar
from weft.isa import opcode
from weft.isa.opcode import Opcode

Wide = tuple[Lin, Lin]
ZERO: Wide = (linear.const(0), linear.const(0))
_LOW = (1 << 64) - 1


def held(s: Selector, a: Lin) -> Lin:
    """The sum in one register, for it is read several times."""
    return linear.of(s.int_value(a)) if a.terms else a


def of_number(s: Selector, a: Lin, kind: Scalar) -> Lin | Wide | Test:
    """A signed number as an integer of any type."""
    if kind.kind == "test":
        return s.to_test(a)
    if kind.kind == "wide":
        low = held(s, s.extended(a, signed=True))
        return low, s.shift_right(low, 63, signed=True)
    return s.extended(a, signed=True) if kind.cls == B64 else s.truncated(a)


def add(s: Selector, a: Wide, b: Wide) -> Wide:
    """a + b."""
    # Lower words that cannot carry, or one that is 0: two plain additions, which the scheduler may reorder.
    if all(x.exact and 0 <= x.lo and x.hi < 1 << 62 for x in (a[0], b[0])) or 0 in (_number(a[0]), _number(b[0])):
        return s.add(a[0], b[0]), s.add(a[1], b[1])
    return _carrying(s, CARRYING[0], opcode("addc", type="s64"), a, b)


def subtract(s: Selector, a: Wide, b: Wide) -> Wide:
    """a - b."""
    if _number(b[0]) == 0:
        return a[0], s.sub(a[1], b[1])
    return _carrying(s, CARRYING[1], opcode("subc", type="s64"), a, b)


def _number(a: Lin) -> int | None:
    return a.const if a.is_const else None


def _carrying(s: Selector, first: Opcode, second: Opcode, a: Wide, b: Wide) -> Wide:
    if all(x.is_const for x in (*a, *b)):
        sign = 1 if first is CARRYING[0] else -1
        x, y = ((pair[0].const & _LOW) + (pair[1].const << 64) for pair in (a, b))
        return constant(x + sign * y)
    halves = ((s.operand(x), s.operand(y)) for x, y in zip(a, b, strict=True))
    low, high = s.with_carry(first, second, *halves)
    return linear.of(low), linear.of(high)


def multiply(s: Selector, a: Wide, b: Wide) -> Wide:
    """a * b."""
    # Modulo 2^128 the product of the upper words is lost, and of the mixed products only the lower words matter.
    high = s.mul_high(a[0], b[0], signed=False)
    return s.mul(a[0], b[0]), s.add(high, s.add(s.mul(a[0], b[1]), s.mul(a[1], b[0])))


def _word(a: Lin) -> Wide:
    """An unsigned number of 64 bits as one of 128."""
    return a, linear.const(0)


def multiply_high(s: Selector, a: Wide, b: Wide, *, signed: bool) -> Wide:
    """The upper half of the 256-bit product."""
    low_high = s.mul_high(a[0], b[0], signed=False)
    first, second = ((s.mul(x, y), s.mul_high(x, y, signed=False)) for x, y in ((a[0], b[1]), (a[1], b[0])))
    middle = add(s, add(s, _word(first[0]), _word(second[0])), _word(low_high))
    top = (s.mul(a[1], b[1]), s.mul_high(a[1], b[1], signed=False))
    high = add(s, add(s, top, _word(middle[1])), add(s, _word(first[1]), _word(second[1])))
    if signed:
        # Read as unsigned, a negative x is 2^128 too large, and so the upper half of the product y too large.
        for x, y in ((a, b), (b, a)):
            high = choose(s, is_negative(s, x), subtract(s, high, y), high)
    return high


def is_negative(s: Selector, a: Wide) -> Test:
    """a < 0."""
    return s.compare("lt", a[1], linear.const(0), signed=True)


def choose(s: Selector, test: Test, a: Wide, b: Wide) -> Wide:
    """a if test else b."""
    return s.choose(test, a[0], b[0]), s.choose(test, a[1], b[1])


def negate(s: Selector, a: Wide) -> Wide:
    """-a."""
    return subtract(s, ZERO, a)


def absolute(s: Selector, a: Wide) -> Wide:
    """|a|, modulo 2^128."""
    return choose(s, is_negative(s, a), negate(s, a), a)


def sign(s: Selector, a: Wide) -> Wide:
    """-1 for a below 0, else 0."""
    fill = s.shift_right(a[1], 63, signed=True)
    return fill, fill


def constant(value: int) -> Wide:
    """A number."""
    return linear.const(value), linear.const(value >> 64)


def bitwise(name: str) -> Callable[[Selector, Wide, Wide], Wide]:
    """`and`, `or` or `xor` of two integers."""

    def apply(s: Selector, a: Wide, b: Wide) -> Wide:
        return s.bitwise(name, a[0], b[0]), s.bitwise(name, a[1], b[1])

    return apply


def shift_left(s: Selector, a: Wide, by: Wide) -> Wide:
    """a << by; PTX shifts by 64 and more give 0."""
    amount, rest, over = _amounts(s, by)
    high = s.bitwise("or", s.shift_left(a[1], amount), s.shift_right(a[0], rest, signed=False))
    far = s.compare("ge", amount, linear.const32(64), signed=False)
    return s.shift_left(a[0], amount), s.choose(far, s.shift_left(a[0], over), high)


def shift_right(s: Selector, a: Wide, by: Wide, *, signed: bool) -> Wide:
    """a >> by, filling with the sign or with zeros."""
    amount, rest, over = _amounts(s, by)
    low = s.bitwise("or", s.shift_right(a[0], amount, signed=False), s.shift_left(a[1], rest))
    far = s.compare("ge", amount, linear.const32(64), signed=False)
    low = s.choose(far, s.shift_right(a[1], over, signed=signed), low)
    fill = s.shift_right(a[1], 63, signed=True) if signed else linear.const(0)
    return low, s.choose(far, fill, s.shift_right(a[1], amount, signed=signed))


def _amounts(s: Selector, by: Wide) -> tuple[Lin, Lin, Lin]:
    """The amount, what is left to 64, and what is beyond it."""
    amount = held(s, s.truncated(by[0]))
    return amount, linear.add(linear.const32(64), amount, -1), linear.offset(amount, -64)


def compare(s: Selector, relation: str, a: Wide, b: Wide, *, signed: bool = True) -> Test:
    """a `eq`, `ne`, `lt`, `le`, `gt` or `ge` b."""
    if relation in ("eq", "ne"):
        low, high = (s.compare(relation, x, y) for x, y in zip(a, b, strict=True))
        return s.logic("and" if relation == "eq" else "or", low, high)
    # Only the upper words have a sign: the lower ones are compared as unsigned whatever the numbers are.
    strict = s.compare(relation[0] + "t", a[1], b[1], signed=signed)
    same = s.compare("eq", a[1], b[1])
    return s.logic("or", strict, s.logic("and", same, s.compare(relation, a[0], b[0], signed=False)))


def exactly(s: Selector, a: Wide, width: int, *, signed: bool) -> Wide:
    """An integer of `width` bits with those above made its extension."""
    return a[0], s.exactly(a[1], width - 64, signed=signed)


def is_more(s: Selector, a: Wide, width: int, *, signed: bool) -> Test:
    """Whether an integer of 128 bits does not fit in fewer."""
    return compare(s, "ne", a, exactly(s, a, width, signed=signed), signed=signed)
