"""Integers that addresses are made of: sums, multiples, and the place of an element under a swizzle."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32, i64
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


def divided(env: Lowering, value: SSAValue, by: int) -> SSAValue:
    """A number that is not negative by a power of two that divides it: out of a product, if it can be."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return env.constant(owner.value.value.data // by)
    if isinstance(owner, arith.MuliOp):
        for at, factor in enumerate(owner.operands):
            made = factor.owner
            if isinstance(made, arith.ConstantOp) and isinstance(made.value, IntegerAttr):
                known = made.value.value.data
                if known % by == 0:
                    return multiple(env, owner.operands[1 - at], known // by)
    if isinstance(owner, arith.AddiOp) and all(_divides(x, by) for x in owner.operands):
        return plus(env, *(divided(env, x, by) for x in owner.operands))
    shift = env.constant(by.bit_length() - 1)
    return env.emit(arith.ShRUIOp.create(operands=[value, shift], result_types=[value.type])) if by > 1 else value


def _divides(value: SSAValue, by: int) -> bool:
    """Whether a constant, or a product with one, is a multiple of a number."""
    owner = value.owner
    if isinstance(owner, arith.AddiOp):
        return all(_divides(x, by) for x in owner.operands)
    found = owner.operands if isinstance(owner, arith.MuliOp) else [value]
    return any(
        isinstance(x.owner, arith.ConstantOp)
        and isinstance(x.owner.value, IntegerAttr)
        and x.owner.value.value.data % by == 0
        for x in found
    )


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
