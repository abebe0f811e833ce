"""Integers that addresses are made of: sums, multiples, and the place of an element under a swizzle."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32, i64
from xdsl.ir import SSAValue

from weft.layout import SwizzleLayout
from weft.transforms.tile_lowering.lowering import Lowering

_NO_OVERFLOW_FLAGS = {"overflowFlags": arith.IntegerOverflowAttr("none")}


def plus(env: Lowering, a: SSAValue, b: SSAValue) -> SSAValue:
    """The sum of two integers of one type."""
    return env.emit(arith.AddiOp.create(operands=[a, b], result_types=[a.type], properties=_NO_OVERFLOW_FLAGS))


def times(env: Lowering, a: SSAValue, b: SSAValue) -> SSAValue:
    """The product of two integers of one type."""
    return env.emit(arith.MuliOp.create(operands=[a, b], result_types=[a.type], properties=_NO_OVERFLOW_FLAGS))


def multiple(env: Lowering, value: SSAValue, factor: int) -> SSAValue:
    """A constant times an integer."""
    return value if factor == 1 else times(env, value, env.constant(factor, 64 if value.type == i64 else 32))


def wide_product(env: Lowering, a: SSAValue, b: SSAValue) -> SSAValue:
    """The product (i64) of two integers of 32 or 64 bits."""
    return times(env, _wide(env, a), _wide(env, b))


def _wide(env: Lowering, value: SSAValue) -> SSAValue:
    if value.type == i64:
        return value
    return env.emit(arith.ExtSIOp.create(operands=[value], result_types=[i64]))


def swizzled(env: Lowering, element: SSAValue, swizzle: SwizzleLayout) -> SSAValue:
    """Where an element (i32) goes under a swizzle."""
    shift = env.constant(swizzle.atom_len)
    mask = env.constant(((1 << swizzle.swizzle_len) - 1) << swizzle.per_element)
    if swizzle.inner:
        moved = env.emit(arith.ShRUIOp.create(operands=[element, shift], result_types=[i32]))
        moved = env.emit(arith.AndIOp.create(operands=[moved, mask], result_types=[i32]))
    else:
        moved = env.emit(arith.AndIOp.create(operands=[element, mask], result_types=[i32]))
        moved = env.emit(
            arith.ShLIOp.create(operands=[moved, shift], result_types=[i32], properties=_NO_OVERFLOW_FLAGS)
        )
    return env.emit(arith.XOrIOp.create(operands=[element, moved], result_types=[i32]))
