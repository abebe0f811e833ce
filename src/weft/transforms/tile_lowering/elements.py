"""Tiles in registers, element by element: reading and writing a thread's own, filling, coordinates."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.transforms.tile_lowering.elementwise import set_elements
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import coordinate, used
from weft.transforms.tile_lowering.words import element_value, packed, packed_word, with_element


@handles("tile.extract")
def lower_extract(env: Lowering, op: tile.ExtractOp) -> None:
    """A thread's own element."""
    env.replace(op, [element_value(env, buffer_type(op.buffer), env.words(op.buffer), op.index.value.data)])


@handles("tile.insert")
def lower_insert(env: Lowering, op: tile.InsertOp) -> None:
    """Write a thread's own element."""
    type, place = buffer_type(op.buffer), op.index.value.data
    word = with_element(env, type, env.words(op.buffer), place, op.element)
    env.set_word(op.buffer, place // packed(type), word)
    env.remove(op)


@handles("tile.fill")
def lower_fill(env: Lowering, op: tile.FillOp) -> None:
    """The same value in every place."""
    type = buffer_type(op.dst)
    word = packed_word(env, type, [op.element] * packed(type))
    for at, places in used(type.layout, type.shape, packed(type)).items():
        set_elements(env, op.dst, at, word, places)
    env.remove(op)


@handles("tile.iota")
def lower_iota(env: Lowering, op: tile.IotaOp) -> None:
    """Coordinates: what the thread contributes, computed once, plus a constant for each place."""
    type = buffer_type(op.dst)
    found = coordinate(type.layout, type.shape, op.dimension.value.data)
    base = env.once(("coordinate", found.digits), lambda: _thread_part(env, found.digits))
    for place, constant in enumerate(found.places):
        if constant is not None:
            env.set_word(op.dst, place, _plus(env, base, constant))
    env.remove(op)


def _plus(env: Lowering, base: SSAValue, constant: int) -> SSAValue:
    if not constant:
        return base
    flags = {"overflowFlags": arith.IntegerOverflowAttr("none")}
    return env.emit(arith.AddiOp.create(operands=[base, env.constant(constant)], result_types=[i32], properties=flags))


def _thread_part(env: Lowering, digits: tuple[tuple[Any, int, int, int], ...]) -> SSAValue:
    total: SSAValue | None = None
    flags = {"overflowFlags": arith.IntegerOverflowAttr("none")}
    for axis, stride, extent, weight in digits:
        value = env.thread(axis.name)
        if stride > 1:
            value = env.emit(arith.DivUIOp.create(operands=[value, env.constant(stride)], result_types=[i32]))
        value = env.emit(arith.RemUIOp.create(operands=[value, env.constant(extent)], result_types=[i32]))
        if weight > 1:
            value = env.emit(
                arith.MuliOp.create(operands=[value, env.constant(weight)], result_types=[i32], properties=flags)
            )
        total = (
            value
            if total is None
            else env.emit(arith.AddiOp.create(operands=[total, value], result_types=[i32], properties=flags))
        )
    return env.constant(0) if total is None else total
