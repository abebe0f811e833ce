"""Reductions of tiles in registers: a thread's own elements, then its neighbours' by shuffles."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, i32
from xdsl.ir import SSAValue

from weft.dialects.nvvm.sync_attributes import ShflKind, ShflKindAttr
from weft.dialects.nvvm.warp import ShflOp
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.layout import TileLayout
from weft.transforms.tile_lowering.elementwise import apply
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import combined, exchanges
from weft.transforms.tile_lowering.words import element_value, packed, packed_word, word_count


@handles("tile.reduce")
def lower_reduce(env: Lowering, op: Any) -> None:
    """Combine in each thread, as a tree, then across lanes by butterflies."""
    src, dst = buffer_type(op.src), buffer_type(op.dst)
    dimension, function = op.dimension.value.data, op.function.data
    assert isinstance(src.layout, TileLayout)
    assert isinstance(dst.layout, TileLayout)
    groups = combined(src.layout, src.shape, dst.layout, dimension)
    steps = [
        each.stride << bit
        for each in exchanges(src.layout, src.shape, dimension)
        for bit in range(each.extent.bit_length() - 1)
    ]
    words = env.words(op.src)
    results: list[SSAValue] = []
    for places in groups:
        if not places:
            results.append(env.undefined(dst.element))
            continue
        value = _tree(env, function, [element_value(env, src, words, place) for place in places], src)
        for step in steps:
            other = _exchanged(env, value, step)
            value = apply(env, function, [value, other], src.element)
        results.append(value)
    each = packed(dst)
    results += [env.undefined(dst.element)] * (word_count(dst) * each - len(results))
    env.set_words(op.dst, [packed_word(env, dst, results[at : at + each]) for at in range(0, len(results), each)])
    env.remove(op)


def _tree(env: Lowering, function: str, values: list[SSAValue], src: BufferType) -> SSAValue:
    """Neighbours combined pairwise: as short a chain of dependent operations as there is."""
    while len(values) > 1:
        pairs = [apply(env, function, [values[at], values[at + 1]], src.element) for at in range(0, len(values) - 1, 2)]
        values = pairs + ([values[-1]] if len(values) % 2 else [])
    return values[0]


def _exchanged(env: Lowering, value: SSAValue, step: int) -> SSAValue:
    """The value of the lane whose number differs in one bit."""
    kind = value.type
    bits = getattr(kind, "bitwidth", 32)
    if bits == 64:
        return _exchanged_halves(env, value, step)
    word = value
    if bits < 32:
        half = IntegerType(bits)
        raw = value if kind == half else env.emit(llvm.BitcastOp.create(operands=[value], result_types=[half]))
        word = env.emit(llvm.ZExtOp.create(operands=[raw], result_types=[i32]))
    moved = _shuffle(env, word, step)
    if bits == 32:
        return moved
    half = IntegerType(bits)
    cut = env.emit(llvm.TruncOp.create(operands=[moved], result_types=[half]))
    return cut if kind == half else env.emit(llvm.BitcastOp.create(operands=[cut], result_types=[kind]))


def _exchanged_halves(env: Lowering, value: SSAValue, step: int) -> SSAValue:
    from xdsl.dialects.builtin import VectorType

    vector = VectorType(i32, [2])
    halves = env.emit(llvm.BitcastOp.create(operands=[value], result_types=[vector]))
    result = env.undefined(vector)
    from weft.dialects.llvm.extra import ExtractElementOp

    for at in range(2):
        index = env.constant(at)
        half = env.emit(ExtractElementOp.create(operands=[halves, index], result_types=[i32]))
        result = env.emit(
            llvm.InsertElementOp.create(operands=[result, _shuffle(env, half, step), index], result_types=[vector])
        )
    return env.emit(llvm.BitcastOp.create(operands=[result], result_types=[value.type]))


def _shuffle(env: Lowering, word: SSAValue, step: int) -> SSAValue:
    return env.emit(
        ShflOp.create(
            operands=[env.constant(-1), word, env.constant(step), env.constant(31)],
            properties={"kind": ShflKindAttr(ShflKind.BFLY)},
            result_types=[word.type],
        )
    )
