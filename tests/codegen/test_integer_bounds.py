"""Every operation on integers, at all pairs of two short ranges at the edges of its width: what it gives, and its bounds."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.codegen.test_linear import MASK, decide, evaluate, signed
from weft.codegen import linear
from weft.codegen.graph import B32, B64, Const, Value
from weft.codegen.integers import Integers
from weft.codegen.linear import Lin

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


TIGHT = {
    "add": (Integers.add, operator.add),
    "sub": (Integers.sub, operator.sub),
    "mul": (Integers.mul, operator.mul),
    "min": (lambda s, a, b: s.extreme("min", a, b, signed=True), min),
    "max": (lambda s, a, b: s.extreme("max", a, b, signed=True), max),
    "div": (lambda s, a, b: s.div(a, b, signed=True), _quotient),
}
"""Operations whose bounds are the least and the greatest result where none of them is beyond the width."""
OTHERS = {
    "rem": (lambda s, a, b: s.rem(a, b, signed=True), lambda a, b: a - _quotient(a, b) * b),
    "and": (lambda s, a, b: s.bitwise("and", a, b), operator.and_),
    "or": (lambda s, a, b: s.bitwise("or", a, b), operator.or_),
    "xor": (lambda s, a, b: s.bitwise("xor", a, b), operator.xor),
}
UNSIGNED = {
    "umin": (lambda s, a, b: s.extreme("min", a, b, signed=False), min),
    "umax": (lambda s, a, b: s.extreme("max", a, b, signed=False), max),
    "udiv": (lambda s, a, b: s.div(a, b, signed=False), operator.floordiv),
    "urem": (lambda s, a, b: s.rem(a, b, signed=False), operator.mod),
    "umulh": (lambda s, a, b: s.mul_high(a, b, signed=False), None),
}


def _edges(bits: int) -> list[int]:
    """Where short ranges begin: around zero, where bytes and halves end, and at both ends of the width."""
    near = [0, 1, -2, -9, 5, 30, 126, 254, 32766, 65534, 1 << 20]
    ends = [(1 << 31) - 4, -(1 << 31), -(1 << 31) + 1]
    return near + ends + ([(1 << 32) - 2, 1 << 40, (1 << 63) - 4, -(1 << 63)] if bits == 64 else [])


class Drawn:
    """Two registers of short ranges, or one and a constant, and all the pairs that they may be."""

    def __init__(self, bits: int, random_: random.Random) -> None:
        self.bits, self.s = bits, Integers()
        self.sides: list[tuple[Lin, Value | None, range]] = []
        for side in range(2):
            low = random_.choice(_edges(bits))
            count = random_.choice([1, 2, 4]) if side and random_.random() < 0.4 else 4
            values = range(low, low + count)
            if side and count == 1:
                self.sides.append((linear.const(low, bits), None, values))
            else:
                value = Value(B32 if bits == 32 else B64, self.s.root, None, low, low + count - 1)
                self.sides.append((linear.of(value), value, values))

    def pairs(self) -> Iterator[tuple[int, int, dict[Value, int]]]:
        """The numbers, and what the registers hold then."""
        (_, first, some), (_, second, others) = self.sides
        for a in some:
            for b in others:
                yield a, b, {v: n & MASK[self.bits] for v, n in ((first, a), (second, b)) if v is not None}


def _holds(
    drawn: Drawn, found: Lin, exact: Callable[[int, int], int], name: str, *, unsigned: bool = False
) -> set[int]:
    """All results, as they are without an end, after they were found to be right."""
    bits, results = drawn.bits, set[int]()
    register = drawn.s.operand(found)
    for a, b, env in drawn.pairs():
        given = (a & MASK[bits], b & MASK[bits]) if unsigned else (a, b)
        decide(drawn.s.root, env)
        result = exact(*given)
        results.add(result)
        assert evaluate(register, env) & MASK[bits] == result & MASK[bits], (name, bits, a, b)
        assert not found.exact or found.lo <= signed(result, bits) <= found.hi, (name, bits, a, b, found.lo, found.hi)
    return results


def _cases(many: int) -> Iterator[random.Random]:
    return (random.Random(number) for number in range(many))


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", [*TIGHT, *OTHERS])
def test_signed_operations(name: str, bits: int) -> None:
    function, exact = (TIGHT | OTHERS)[name]
    for random_ in _cases(60):
        drawn = Drawn(bits, random_)
        (a, _, some), (b, _, others) = drawn.sides
        limit = 1 << (bits - 1)
        if name in ("div", "rem") and (0 in others or (-limit in some and -1 in others)):
            continue
        found: Any = function(drawn.s, a, b)
        results = _holds(drawn, found, exact, name)
        if name in TIGHT and -limit <= min(results) and max(results) < limit and found.exact:
            known = name != "div" or (some[0] >= 0 and others[0] > 0) or found.is_const
            assert not known or (found.lo, found.hi) == (min(results), max(results)), (name, some, others)
        if name == "rem" and some[0] >= 0 and others[0] > 0 and found.exact and not found.is_const:
            assert (found.lo, found.hi) == (0, min(some[-1], others[-1] - 1)) or found.hi < others[-1], (some, others)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", UNSIGNED)
def test_unsigned_operations(name: str, bits: int) -> None:
    function, exact = UNSIGNED[name]
    for random_ in _cases(60):
        drawn = Drawn(bits, random_)
        (a, _, _), (b, _, others) = drawn.sides
        if 0 not in others or "min" in name or "max" in name:
            right = exact or (lambda a, b, bits=bits: a * b >> bits)
            _holds(drawn, function(drawn.s, a, b), right, name, unsigned=True)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("arithmetic", [False, True])
def test_shifts(arithmetic: bool, bits: int) -> None:
    """By numbers, and by what registers hold, up to the width and beyond it."""
    for random_ in _cases(60):
        drawn, amount = Drawn(bits, random_), random_.choice([0, 1, 3, 8, 16, 24, bits - 1, bits, bits + 3])
        a = drawn.sides[0][0]
        found = drawn.s.shift_right(a, amount, signed=arithmetic)
        _holds(drawn, found, lambda a, _, n=amount: a >> n, "shr", unsigned=not arithmetic)
        low, high = drawn.sides[0][2][0], drawn.sides[0][2][-1]
        if not found.is_const and 0 < amount < bits:
            moved = (low >> amount, high >> amount) if arithmetic or low >= 0 else (0, (1 << (bits - amount)) - 1)
            # Of 32 bits it may be a field, which is known by its bits.
            field = (min(moved[0], 0), (1 << max(moved[1], 0).bit_length()) - 1) if bits == 32 else moved
            assert field[0] <= found.lo and found.hi <= max(moved[1], field[1]), (amount, low, high)
        left = drawn.s.shift_left(a, linear.const(amount, bits))
        _holds(drawn, left, lambda a, _, n=amount: a << n, "shl")


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("relation", RELATIONS)
def test_comparisons_and_choices(relation: str, bits: int) -> None:
    for random_ in _cases(80):
        drawn, arithmetic = Drawn(bits, random_), random_.random() < 0.5
        (a, _, some), (b, _, others) = drawn.sides
        if random_.random() < 0.2:
            a, b = b, a
            drawn.sides.reverse()
        test = drawn.s.compare(relation, a, b, signed=arithmetic)
        chosen = drawn.s.choose(test, a, b)
        number = drawn.s.from_test(test, bits, signed=arithmetic)
        known: set[bool] = set()
        for x, y, env in drawn.pairs():
            given = (x, y) if arithmetic else (x & MASK[bits], y & MASK[bits])
            right = RELATIONS[relation](*given)
            known.add(right)
            found = test.pattern if isinstance(test, Const) else evaluate(test, env)
            assert bool(found & 1) == right, (relation, arithmetic, some, others)
        _holds(drawn, chosen, lambda x, y, s=arithmetic: _chosen(relation, x, y, bits, signed_=s), "choose")
        right = -1 if arithmetic else 1
        _holds(
            drawn, number, lambda x, y, s=arithmetic, r=right: r * _test(relation, x, y, bits, signed_=s), "from_test"
        )
        # Ranges that lie on both sides of where signs change have no order that a bound could tell.
        apart = arithmetic or (some[0] >= 0 and others[0] >= 0)
        assert not apart or len(known) > 1 or isinstance(test, Const), (relation, some, others)


def _test(relation: str, a: int, b: int, bits: int, *, signed_: bool) -> bool:
    return RELATIONS[relation](*((a, b) if signed_ else (a & MASK[bits], b & MASK[bits])))


def _chosen(relation: str, a: int, b: int, bits: int, *, signed_: bool) -> int:
    return a if _test(relation, a, b, bits, signed_=signed_) else b


@pytest.mark.parametrize("width", [1, 4, 8, 16, 24, 31])
@pytest.mark.parametrize("arithmetic", [False, True])
@pytest.mark.parametrize("bits", [32, 64])
def test_narrow_integers_are_extended(width: int, arithmetic: bool, bits: int) -> None:
    for random_ in _cases(25):
        drawn = Drawn(bits, random_)
        found = drawn.s.exactly(drawn.sides[0][0], width, signed=arithmetic)
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if arithmetic else (0, (1 << width) - 1)
        assert not found.exact or (low <= found.lo and found.hi <= high)

        def exact(a: int, _: int) -> int:
            return linear.wrap(a, width) if arithmetic else a & ((1 << width) - 1)

        _holds(drawn, found, exact, "exactly")


def test_predicates() -> None:
    """Every table of truth, of registers and of constants."""
    for op, exact in (("and", operator.and_), ("or", operator.or_), ("xor", operator.xor)):
        for known in ((), (0,), (1,), (0, 1)):
            for a in (0, 1):
                for b in (0, 1):
                    s = Integers()
                    inputs = [Value("pred", s.root) for _ in range(2)]
                    env: dict[Value, int] = dict(zip(inputs, (a, b), strict=True))
                    sides = [Const("pred", n) if i in known else v for i, (v, n) in enumerate(env.items())]
                    found = s.logic(op, *sides)
                    assert (found.pattern if isinstance(found, Const) else evaluate(found, env)) & 1 == exact(a, b)
                    same = s.logic(op, inputs[0], inputs[0])
                    assert (same.pattern if isinstance(same, Const) else env[same]) & 1 == exact(a, a)
