"""Integers that addresses are made of, evaluated: quotients out of products, places under swizzles, wide products."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import add, and_, floordiv, lshift, mul, rshift, xor
from typing import Any

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Block, Operation, SSAValue

from weft.layout import SwizzleLayout
from weft.transforms.copy_dispatch.plan import Digit, Sum
from weft.transforms.tile_lowering import integers
from weft.transforms.tile_lowering.copy_addresses import possible_bits

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "arith.addi": add, "arith.muli": mul, "arith.divui": floordiv, "arith.shrui": rshift, "arith.shli": lshift,
    "arith.andi": and_, "arith.xori": xor,
}  # fmt: skip


class Emitter:
    """Where operations are emitted to, and what they are worth."""

    def __init__(self, **given: int) -> None:
        self.block = Block(arg_types=[i32] * len(given))
        self.given = dict(zip(self.block.args, given.values(), strict=True))
        self.emitted: list[str] = []

    def emit(self, op: Operation) -> SSAValue:
        self.emitted.append(op.name)
        return op.results[0]

    def constant(self, value: int, bits: int = 32) -> SSAValue:
        kind = i64 if bits == 64 else i32
        return arith.ConstantOp(IntegerAttr(value, kind)).result

    def value(self, of: SSAValue) -> int:
        if of in self.given:
            return self.given[of]
        op = of.owner
        if isinstance(op, arith.ConstantOp):
            assert isinstance(op.value, IntegerAttr)
            return op.value.value.data
        assert isinstance(op, Operation)
        numbers = [self.value(operand) for operand in op.operands]
        return numbers[0] if op.name == "arith.extsi" else OPERATIONS[op.name](*numbers)


TREES: dict[str, tuple[Callable[[Any, Any, int], Any], int]] = {
    "a value": (lambda e, x, by: x, 1),
    "a constant": (lambda e, x, by: e.constant(5 * by), 0),
    "a product": (lambda e, x, by: integers.multiple(e, x, 3 * by), 0),
    "a product with a value": (lambda e, x, by: integers.times(e, e.constant(by), x), 0),
    "a product by less": (lambda e, x, by: integers.multiple(e, x, 3), 1),
    "a sum": (lambda e, x, by: integers.plus(e, integers.multiple(e, x, by), e.constant(7 * by)), 0),
    "a sum of sums": (lambda e, x, by: integers.plus(e, e.constant(by), integers.plus(
        e, integers.multiple(e, x, 2 * by), integers.multiple(e, x, 4 * by))), 0),
    "a sum with a value": (lambda e, x, by: integers.plus(e, integers.multiple(e, x, 2 * by), x), 1),
    "a sum with a product by less": (lambda e, x, by: integers.plus(e, integers.multiple(e, x, 3), e.constant(by)), 1),
    "a product of a sum": (lambda e, x, by: integers.multiple(e, integers.plus(e, x, x), by), 0),
}  # fmt: skip
"""Multiples of a number, made of a value that is one; and how many shifts their quotients need."""


@pytest.mark.parametrize("name", TREES)
def test_quotients_of_multiples(name: str) -> None:
    """Factors are divided where they can be, and values by a shift."""
    make, shifts = TREES[name]
    for by, x in product((1, 2, 4, 8, 16, 32), (0, 32, 96)):
        env: Any = Emitter(x=x)
        tree = make(env, env.block.args[0], by)
        wanted = env.value(tree)
        env.emitted.clear()
        found = integers.divided(env, tree, by)
        assert env.value(found) == wanted // by
        assert env.emitted.count("arith.shrui") == (shifts if by > 1 else 0)
        if by == 1 and name == "a value":
            assert found is tree


@pytest.mark.parametrize("inner", [True, False])
@pytest.mark.parametrize(("unit", "bits", "distance"), [(3, 3, 3), (2, 2, 3), (0, 1, 1), (1, 3, 4), (4, 1, 3)])
def test_places_under_a_swizzle(unit: int, bits: int, distance: int, inner: bool) -> None:
    swizzle = SwizzleLayout(unit, bits, distance, inner)
    for element in (0, 1, 63, 64, 341, 682, 1023, *(1 << at for at in range(12))):
        env: Any = Emitter(x=element)
        assert env.value(integers.swizzled(env, env.block.args[0], swizzle)) == swizzle.place(element)


def test_products_of_strides_are_wide() -> None:
    env: Any = Emitter(x=-3, y=70_000)
    x, y = env.block.args
    for a, b in ((x, y), (env.constant(-3, 64), y), (x, env.constant(70_000, 64))):
        found = integers.wide_product(env, a, b)
        assert (found.type, env.value(found)) == (i64, -210_000)
    assert integers.multiple(env, x, 1) is x
    assert integers.multiple(env, env.constant(5, 64), 3).type == i64


def test_possible_bits_are_all_that_are_set_in_any_thread() -> None:
    """And no more, where no term is negative and none carries."""
    digits = [Digit("tx"), Digit("laneid", 4), Digit("laneid", 1, 4), Digit("warpid"), Digit("tid_in_wg", 32, 2)]
    digits += [Digit("laneid", 16, 2), Digit("laneid", 32), Digit(Sum(((1, Digit("laneid")),), 3), 2, 4)]
    for (first, second), factors, constant in product(
        product(digits, digits), ((1, 64), (8, 1), (-2, 1), (0, 3)), (0, 5)
    ):
        sum = Sum(tuple(zip(factors, (first, second), strict=True)), constant)
        values = [sum.value(thread) for thread in (*range(0, 256, 15), 31, 32, 127, 128)]
        bits = possible_bits(sum, 256)
        assert all(value & ~bits & 0xFFFFFFFF == 0 for value in values), sum
    for digit, factor, exact in (
        (Digit("tx"), 1, 255), (Digit("laneid"), 4, 124), (Digit("laneid", 4), 16, 112), (Digit("warpid"), 1, 7),
        (Digit("wgid"), 1, 1), (Digit("wid_in_wg"), 2, 6), (Digit("laneid", 2, 2), 32, 32), (Digit("laneid", 32), 8, 0),
        (Digit("laneid", 16), 3, 3), (Digit("tid_in_wg"), 1, 127), (Digit("laneid"), 0, 0), (Digit("tx", 64, 4), 1, 3),
    ):  # fmt: skip
        assert possible_bits(Sum(((factor, digit),), 0), 256) == exact, digit
        assert possible_bits(Sum(((factor, digit),), 1 << 20), 256) == exact | 1 << 20, digit
