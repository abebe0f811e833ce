"""Integer operations on linear expressions, with simplification and narrowing to 32 bits.

Every function takes and gives `Lin`s of 32 or 64 bits (predicates are `Value`s or `Const`s of class `pred`).  Integers
narrower than 32 bits live in 32-bit registers whose upper bits mean nothing; `exactly` makes them mean something.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import gcd

from weft.codegen import bytewise, division, linear
from weft.codegen.bits import Bits, split, unsigned
from weft.codegen.builder import known
from weft.codegen.extremes import differs, extreme_of, is_magnitude, without_limit
from weft.codegen.graph import B32, B64, PRED, Const, Induction, Value
from weft.codegen.linear import Lin
from weft.codegen.ranges import MOST_CHOICES
from weft.codegen.rejoining import rejoined
from weft.codegen.sums import extension, power
from weft.isa import opcode

Test = Value | Const
_LARGE = 1 << 16
"""Factors from which on the multiple of a sum is not one of its terms."""
TRUE, FALSE = Const(PRED, 1), Const(PRED, 0)

_SWAPPED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_HOLDS: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class Integers(Bits):
    """A builder with integer arithmetic."""

    def bounded(self, lin: Lin) -> Lin:
        """The expression itself, or a register that holds it when it has many terms."""
        return linear.of(self.int_value(lin)) if len(lin.terms) > linear.MAX_TERMS else lin

    # -- ring ---------------------------------------------------------------------------------------------------

    def add(self, a: Lin, b: Lin) -> Lin:
        """a + b."""
        found = linear.add(a, b)
        return self.bounded(rejoined(self, found) if a.terms and b.terms and found.terms else found)

    def sub(self, a: Lin, b: Lin) -> Lin:
        """a - b."""
        return self.bounded(linear.add(a, b, -1))

    def mul(self, a: Lin, b: Lin) -> Lin:
        """a * b."""
        if a.is_const:
            a, b = b, a
        if b.is_const:
            return self._multiple(a, b.const)
        if b.single() is None and (a.single() is not None or _depth(a) < _depth(b)):
            a, b = b, a
        by = self.int_value(b)
        if a.bits == 32:
            if by.block.depth > _depth(a) or linear.all_negative(a.terms) or (a.const and _is_data(by, 3)):
                return self._product32(self.int_value(a), by)  # No address whose constant others would leave out.
            rest = self.int_value(Lin(32, a.terms, 0))
            return linear.add(self._product32(rest, by), linear.of(by), a.const)
        result = linear.scaled(linear.of(by), a.const)
        for part in _by_depth(a):
            result = linear.add(result, self._product64(part, by))
        return self.bounded(result)

    def _multiple(self, a: Lin, by: int) -> Lin:
        """a * by; a sum of 32 bits goes into a register where the factor is large, lest each term be multiplied."""
        if a.bits == 64 or len(a.terms) < 2 or abs(by) < _LARGE or power(abs(by)) >= 0:
            return linear.scaled(a, by)
        return linear.add(linear.const32(a.const * by), linear.of(self.int_value(Lin(32, a.terms, 0))), by)

    def _product32(self, a: Value, b: Value) -> Lin:
        lo, hi = _product_bounds(a.lo, a.hi, b.lo, b.hi)
        bounds = (lo, hi) if lo >= -(1 << 31) and hi < 1 << 31 else (0, -1)
        first, second = (a, b) if a.id < b.id else (b, a)
        return linear.of(
            self.pure(opcode("mul", mode="lo", type="s32"), B32, first, second, lo=bounds[0], hi=bounds[1])
        )

    def _product64(self, a: Lin, by: Value) -> Lin:
        """a * by, where a's terms are of one depth and it has no constant."""
        factor = gcd(*(c for _, c in a.terms))
        if factor != 1:
            return linear.scaled(self._product64(Lin(64, tuple((v, c // factor) for v, c in a.terms), 0), by), factor)
        lo, hi = _product_bounds(a.lo, a.hi, by.lo, by.hi)
        value = self.int_value(a)
        short = extension(lo, hi) if a.exact and value.narrow and by.narrow else ""
        if value.narrow and by.narrow and short:
            low = self._product32(value.narrow, by.narrow)
            return self.extended(linear.of(self.int_value(low)), signed=short == "s")
        if value.narrow and by.narrow and value.lo >= 0 and by.lo >= 0:
            return linear.of(
                self.pure(opcode("mul", mode="wide", type="u32"), B64, value.narrow, by.narrow, lo=lo, hi=hi)
            )
        if value.narrow and by.narrow and extension(value.lo, value.hi) == "s" == extension(by.lo, by.hi):
            return linear.of(
                self.pure(opcode("mul", mode="wide", type="s32"), B64, value.narrow, by.narrow, lo=lo, hi=hi)
            )
        fits = -(1 << 63) <= lo and hi < 1 << 63
        product = self.pure(
            opcode("mul", mode="lo", type="s64"), B64, value, by, lo=lo if fits else 0, hi=hi if fits else -1
        )
        # A counter times what the loop leaves alone steps itself: start and step are multiplied in front of the loop
        # instead.
        moved = value.induction
        if moved is not None and product.induction is None and by.block.nested < moved.loop.body.nested:
            parent = moved.loop.body.parent
            assert parent
            with self.at(parent):
                start, step = (self.mul(part, linear.of(by)) for part in (moved.start, moved.step))
            product.induction = Induction(moved.loop, start, step)
        return linear.of(product)

    def mul_high(self, a: Lin, b: Lin, *, signed: bool) -> Lin:
        """The upper half of the double-width product."""
        letter = "s" if signed else "u"
        if a.is_const:
            a, b = b, a
        return linear.of(
            self.pure(
                opcode("mul", mode="hi", type=f"{letter}{a.bits}"), self._cls(a), self.int_value(a), self.operand(b)
            )
        )

    # -- division -----------------------------------------------------------------------------------------------

    def div(self, a: Lin, b: Lin, *, signed: bool) -> Lin:
        """a / b, rounded towards zero."""
        return self._divide(a, b, signed=signed, remainder=False)

    def rem(self, a: Lin, b: Lin, *, signed: bool) -> Lin:
        """a - a / b * b."""
        return self._divide(a, b, signed=signed, remainder=True)

    def _divide(self, a: Lin, b: Lin, *, signed: bool, remainder: bool) -> Lin:
        # Unsigned division is shorter: no signs are taken off and put back.
        if signed and a.exact and a.lo >= 0 and b.lo >= 0:
            signed = False
        if b.is_const and b.const > 0 and not signed and a.exact and a.lo >= 0:
            # a = whole * b + rest as exact numbers; with 0 <= rest < b these are quotient and remainder.
            whole, rest = split(a, b.const)
            if 0 <= rest.lo and rest.hi < b.const and rest.exact:
                return rest if remainder else linear.scaled(whole, 1)
            if remainder and rest.exact and rest.lo >= 0:
                a = rest
        if a.is_const and b.is_const and b.const:
            return linear.const(_divide_numbers(a.const, b.const, a.bits, signed, remainder), a.bits)
        # -2^31 / -1 fits 64 bits but not 32, so it may not be divided there.
        short = self._short(a, b) if not (signed and a.lo <= -(1 << 31)) else ""
        if short and (short == "u") != signed:
            small = self._divide(self.truncated(a), self.truncated(b), signed=signed, remainder=remainder)
            bounds = self._quotient_bounds(a, b, remainder=remainder)
            return self.extended(self._with_bounds(small, bounds), signed=signed)
        shift = power(b.const) if b.is_const else -1
        if shift >= 0 and not signed:
            mask = linear.const(b.const - 1, a.bits)
            return self.bitwise("and", a, mask) if remainder else self.shift_right(a, shift, signed=False)
        bounds = self._quotient_bounds(a, b, remainder=remainder)
        if b.is_const and b.const:
            quotient = division.by_constant(self, a, b.const, signed=signed)
            found = linear.add(a, quotient, -b.const) if remainder else quotient
            return self._with_bounds(linear.of(self.int_value(found)) if found.terms else found, bounds)
        # Where the quotient is there already, a product and a difference are cheaper than another division.
        if remainder and a.bits == 32 and self._quotient_known(a, b, signed=signed):
            found = self.sub(a, self.mul(self._divide(a, b, signed=signed, remainder=False), b))
            return self._with_bounds(linear.of(self.int_value(found)), bounds)
        if a.bits == 64:
            return self._with_bounds(division.long(self, a, b, signed=signed, remainder=remainder), bounds)
        letter = "s" if signed else "u"
        divide = opcode("rem" if remainder else "div", type=f"{letter}{a.bits}")
        return self._with_bounds(linear.of(self.pure(divide, self._cls(a), self.operand(a), self.operand(b))), bounds)

    def _quotient_known(self, a: Lin, b: Lin, *, signed: bool) -> bool:
        divide = opcode("div", type="s32" if signed else "u32")
        return known(self.block, (divide.text, (self.operand(a), self.operand(b)))) is not None

    @staticmethod
    def _quotient_bounds(a: Lin, b: Lin, *, remainder: bool) -> tuple[int, int]:
        if a.lo < 0 or b.lo < 1:
            return (0, -1)
        if remainder:
            return (0, min(a.hi, b.hi - 1))
        return (a.lo // b.hi, a.hi // b.lo)

    # -- comparison and choice ----------------------------------------------------------------------------------

    def compare(self, relation: str, a: Lin, b: Lin, *, signed: bool = True) -> Test:
        """a `eq`, `ne`, `lt`, `le`, `gt` or `ge` b; the first two are the same for signed and unsigned numbers."""
        if a.is_const and not b.is_const:
            a, b, relation = b, a, _SWAPPED[relation]
        equality = relation in ("eq", "ne")
        if a.exact and b.exact and (signed or equality or (a.lo >= 0 and b.lo >= 0)):
            # Where neither is negative, the unsigned order is the signed one, which narrows to 32 bits more often.
            known = _known_order(relation, a, b)
            if known is not None:
                return TRUE if known else FALSE
            signed = True
        elif a.is_const and b.is_const:
            x, y = (unsigned(c.const, c.bits) for c in (a, b))
            return TRUE if _HOLDS[relation](x, y) else FALSE
        short = self._short(a, b)
        bits = a.bits
        if short and (short == "u" or signed):
            if short == "u" and max(a.hi, b.hi) < 1 << 31:
                short = "s"
            a, b, bits, signed = self.truncated(a), self.truncated(b), 32, short == "s"
        a, b = without_limit(relation, a, b, signed=signed)
        b, a = without_limit(_SWAPPED[relation], b, a, signed=signed)
        if equality and b.is_const and (differs(a, b.const) or ((some := self.choices_of(a)) and b.const not in some)):
            return FALSE if relation == "eq" else TRUE
        if equality and not a.is_const and not b.is_const and a.exact and b.exact:
            signed = True
        if b.is_const and (found := self._of_choice(relation, a, b.const, signed=signed or equality)) is not None:
            return found
        letter = "s" if signed or equality else "u"
        return self.pure(opcode("setp", cmp=relation, type=f"{letter}{bits}"), PRED, self.operand(a), self.operand(b))

    def _of_choice(self, relation: str, a: Lin, bound: int, *, signed: bool) -> Test | None:
        """How one of two constants that a test chooses compares with a third: the test, its opposite or a constant."""
        value = a.single()
        inst = value.inst if value is not None else None
        if inst is None or inst.opcode.stem != "selp" or inst.guard is not None:
            return None
        first, second, test = inst.args[1:]
        if not (isinstance(first, int) and isinstance(second, int) and isinstance(test, Value)):
            return None
        seen = linear.wrap if signed else unsigned
        holds = [_HOLDS[relation](seen(one, a.bits), seen(bound, a.bits)) for one in (first, second)]
        if holds[0] == holds[1]:
            return TRUE if holds[0] else FALSE
        return test if holds[0] else self.inverted(test)

    def choices_of(self, a: Lin) -> frozenset[int]:
        """The numbers that an expression may be, if they are known to be few."""
        if a.is_const:
            return frozenset((a.const,))
        value = a.single()
        return self.choices.get(value, frozenset()) if value is not None else frozenset()

    def pick(self, value: Value, a: Lin, b: Lin) -> None:
        """Note that a register holds one of two expressions."""
        first, second = self.choices_of(a), self.choices_of(b)
        if first and second and len(first | second) <= MOST_CHOICES:
            self.choices[value] = first | second

    def choose(self, test: Test, a: Lin, b: Lin) -> Lin:
        """a if test else b; pointers among them lie in one state space."""
        if isinstance(test, Const):
            return a if test.pattern else b
        if a == b:
            return a
        short = self._short(a, b)
        if short:
            small = self.choose(test, self.truncated(a), self.truncated(b))
            bounds = (min(a.lo, b.lo), max(a.hi, b.hi))
            return self.extended(self._with_bounds(small, bounds), signed=short == "s")
        space = next((value.space for value, c in a.terms if c == 1 and value.space), "")
        if not space and (found := extreme_of(test, a, b)) is not None:
            return self.extreme(found[0], a, b, signed=found[1])
        if is_magnitude(test, a, b):
            return self.magnitude(linear.of(a.terms[0][0]))
        lo, hi = (min(a.lo, b.lo), max(a.hi, b.hi)) if a.exact and b.exact else (0, -1)
        chosen = self.pure(
            opcode("selp", type=f"b{a.bits}"), self._cls(a), self.operand(a), self.operand(b), test, lo=lo, hi=hi
        )
        chosen.space = space
        self.pick(chosen, a, b)
        return linear.of(chosen)

    def extreme(self, which: str, a: Lin, b: Lin, *, signed: bool) -> Lin:
        """The `min` or `max` of a and b."""
        if a == b:
            return a
        if a.is_const:
            a, b = b, a
        if a.exact and b.exact and (signed or (a.lo >= 0 and b.lo >= 0)):
            signed = True
            if a.hi <= b.lo:
                return a if which == "min" else b
            if b.hi <= a.lo:
                return b if which == "min" else a
            short = self._short(a, b)
            pick = min if which == "min" else max
            lo, hi = pick(a.lo, b.lo), pick(a.hi, b.hi)
            if short:
                small = self.extreme(which, self.truncated(a), self.truncated(b), signed=short == "s")
                return self.extended(self._with_bounds(small, (lo, hi)), signed=short == "s")
        else:
            lo, hi = 0, -1
        if a.is_const:
            number = {"min": min, "max": max}[which](unsigned(a.const, a.bits), unsigned(b.const, b.bits))
            return linear.const(number, a.bits)
        letter = "s" if signed else "u"
        extreme = opcode(which, type=f"{letter}{a.bits}")
        return linear.of(self.pure(extreme, self._cls(a), self.int_value(a), self.operand(b), lo=lo, hi=hi))

    def magnitude(self, a: Lin) -> Lin:
        """The absolute value of a; the least number's is itself."""
        if a.exact and a.lo >= 0:
            return a
        if a.exact and a.hi <= 0:
            return self.sub(linear.const(0, a.bits), a)
        least = -(1 << a.bits - 1)
        bounds = (0, max(-a.lo, a.hi)) if a.exact and a.lo > least else (0, -1)
        if self._short(a) == "s" and a.lo > -(1 << 31):
            return self.extended(self._with_bounds(self.magnitude(self.truncated(a)), bounds), signed=True)
        found = self.pure(opcode("abs", type=f"s{a.bits}"), self._cls(a), self.int_value(a))
        return self._with_bounds(linear.of(found), bounds)

    # -- widths below 32 bits -----------------------------------------------------------------------------------

    def exactly(self, a: Lin, width: int, *, signed: bool) -> Lin:
        """A 32-bit expression that holds a `width`-bit integer, with the upper bits made its extension."""
        if width >= a.bits:
            return a
        limit = 1 << (width - 1)
        lo, hi = (-limit, limit - 1) if signed else (0, 2 * limit - 1)
        if a.exact and lo <= a.lo and a.hi <= hi:
            return a
        if a.is_const:
            return linear.const(linear.wrap(a.const, width) if signed else unsigned(a.const, width), a.bits)
        if not signed:
            return self.bitwise("and", a, linear.const(2 * limit - 1, a.bits))
        if width in (8, 16) and a.bits == 32:
            found = bytewise.of_part(a, width // 8)
            moved = bytewise.extended(self, found) if found is not None else None
            if moved is not None:
                return moved
            return linear.of(
                self.pure(opcode("cvt", type="s32", atype=f"s{width}"), B32, self.int_value(a), lo=lo, hi=hi)
            )
        left = self.shift_left(a, linear.const(a.bits - width, a.bits))
        return self._with_bounds(self.shift_right(left, a.bits - width, signed=True), (lo, hi))

    def from_test(self, test: Test, bits: int, *, signed: bool = False) -> Lin:
        """A predicate as 0 or 1 (0 or -1 when sign-extended)."""
        return self.choose(test, linear.const(-1 if signed else 1, bits), linear.const(0, bits))

    def to_test(self, a: Lin) -> Test:
        """The lowest bit of an integer as a predicate."""
        bit = self.bitwise("and", a, linear.const(1, a.bits))
        return self.compare("ne", bit, linear.const(0, a.bits))

    # -- predicates ---------------------------------------------------------------------------------------------

    def logic(self, op: str, a: Test, b: Test) -> Test:
        """a `and`, `or` or `xor` b for predicates."""
        if isinstance(a, Const) and not isinstance(b, Const):
            a, b = b, a
        if isinstance(a, Const) or isinstance(b, Const):
            assert isinstance(b, Const)
            if isinstance(a, Const):
                number = {"and": a.pattern & b.pattern, "or": a.pattern | b.pattern, "xor": a.pattern ^ b.pattern}[op]
                return Const(PRED, number)
            if op == "xor":
                return self.inverted(a) if b.pattern else a
            return a if (op == "and") == bool(b.pattern) else b
        if a is b:
            return FALSE if op == "xor" else a
        first, second = (a, b) if a.id < b.id else (b, a)
        return self.pure(opcode(op, type="pred"), PRED, first, second)


def _depth(a: Lin) -> int:
    return max((v.block.depth for v, _ in a.terms), default=0)


def _is_data(value: Value, depth: int) -> bool:
    """Whether a value comes out of memory, by few steps: no size, whose multiples addresses share."""
    inst = value.inst
    if inst is None or inst.opcode.stem == "ld":
        return inst is not None and not inst.opcode["ss"].startswith("param")
    return depth > 0 and any(type(arg) is Value and arg is not value and _is_data(arg, depth - 1) for arg in inst.args)


def _by_depth(a: Lin) -> list[Lin]:
    """The terms of a (without its constant), one part for each loop depth and each value that steps with a loop."""
    parts: dict[object, list[linear.Term]] = {}
    for term in a.terms:
        value = term[0]
        parts.setdefault(value if value.induction else value.block.depth, []).append(term)
    return [Lin(64, tuple(terms), 0) for terms in parts.values()]


def _product_bounds(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    products = (a * c, a * d, b * c, b * d)
    return min(products), max(products)


def _divide_numbers(a: int, b: int, bits: int, signed: bool, remainder: bool) -> int:
    if not signed:
        a, b = unsigned(a, bits), unsigned(b, bits)
    quotient = abs(a) // abs(b) * (1 if a ^ b >= 0 else -1)
    return a - quotient * b if remainder else quotient


def _known_order(relation: str, a: Lin, b: Lin) -> bool | None:
    """Whether `a relation b` for signed a, b where their bounds or their difference decide it."""
    if a.terms == b.terms:
        return _HOLDS[relation](a.const, b.const)
    if a.hi < b.lo:
        return relation in ("lt", "le", "ne")
    if a.lo > b.hi:
        return relation in ("gt", "ge", "ne")
    if a.hi <= b.lo and relation in ("le", "gt"):
        return relation == "le"
    if a.lo >= b.hi and relation in ("ge", "lt"):
        return relation == "ge"
    return None
