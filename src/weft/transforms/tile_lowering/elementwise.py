"""Element-wise functions: on packed words where the tiles agree, element by element elsewhere."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType, VectorType, bf16, f16, f32, i32
from xdsl.ir import Attribute, SSAValue

from weft.dialects.rows import tile
from weft.dialects.tile.arithmetic import COMPARISONS
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.dialects.tile.words import NarrowOp
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import sources, used
from weft.transforms.tile_lowering.words import element_value, packed, packed_word, with_element, word_count

_PACKED = frozenset({"add", "sub", "mul", "max", "min", "neg", "abs", "fma", "exp2", "tanh"})
"""Functions that there are instructions for on two 16-bit floats at once."""


@handles("tile.elementwise")
def lower_elementwise(env: Lowering, op: tile.ElementwiseOp) -> None:
    """Apply a function to every element."""
    function, unsigned = op.function.data, op.unsigned is not None
    dst = buffer_type(op.dst)
    maps = [
        sources(dst.layout, dst.shape, type.layout, type.shape) if isinstance(type := x.type, BufferType) else None
        for x in op.sources
    ]
    if _wordwise(dst, op.sources, maps, function):
        _by_words(env, op, function)
    elif function == "cast" and (found := maps[0]) is not None and _narrows(env, dst, op.sources[0]):
        _narrowed(env, op, found)
    else:
        _by_elements(env, op, function, maps, unsigned=unsigned)
    env.remove(op)


def _narrows(env: Lowering, dst: BufferType, source: SSAValue) -> bool:
    """Whether pairs of f32 become words of f16 or bf16 by one instruction each."""
    type = source.type
    return (
        isinstance(type, BufferType) and type.element == f32 and dst.element in (f16, bf16) and env.target.number >= 80
    )


def _narrowed(env: Lowering, op: tile.ElementwiseOp, found: tuple[int | None, ...]) -> None:
    dst = buffer_type(op.dst)
    words, to = list(env.words(op.sources[0])), "f16" if dst.element == f16 else "bf16"
    for at in range(word_count(dst)):
        pair = [found[place] if place < len(found) else None for place in (2 * at, 2 * at + 1)]
        if pair == [None, None]:
            continue
        low, high = ((None if place is None else words[place]) or env.undefined(f32) for place in pair)
        env.set_word(op.dst, at, env.emit(NarrowOp.of(low, high, to)))


def _wordwise(dst: BufferType, operands: Any, maps: list[Any], function: str) -> bool:
    """Whether the function applies to whole words of two 16-bit floats, or just moves them."""
    same = all(
        x is None or (x == tuple(range(len(x))) and operand.type.element == dst.element)
        for x, operand in zip(maps, operands, strict=True)
    )
    if not same:
        return False
    if function == "copy":
        return True
    return dst.element_bits == 16 and not isinstance(dst.element, IntegerType) and function in _PACKED


def _by_words(env: Lowering, op: tile.ElementwiseOp, function: str) -> None:
    dst = buffer_type(op.dst)
    if function == "copy":
        words = list(env.words(op.sources[0]))
        for at, places in used(dst.layout, dst.shape, packed(dst)).items():
            set_elements(env, op.dst, at, words[at], places)
        return
    vector = VectorType(dst.element, [2])
    constants = [
        env.emit(llvm.BitcastOp.create(operands=[packed_word(env, dst, [x, x])], result_types=[vector]))
        if not isinstance(x.type, BufferType)
        else None
        for x in op.sources
    ]
    for at in range(word_count(dst)):
        operands: list[SSAValue] = []
        for x, constant in zip(op.sources, constants, strict=True):
            if constant is not None:
                operands.append(constant)
                continue
            word = env.words(x)[at]
            word = env.undefined(i32) if word is None else word
            operands.append(env.emit(llvm.BitcastOp.create(operands=[word], result_types=[vector])))
        value = env.arithmetic.apply(function, operands)
        env.set_word(op.dst, at, env.emit(llvm.BitcastOp.create(operands=[value], result_types=[i32])))


def _by_elements(env: Lowering, op: tile.ElementwiseOp, function: str, maps: list[Any], *, unsigned: bool) -> None:
    dst = buffer_type(op.dst)
    snapshot = [list(env.words(x)) if isinstance(x.type, BufferType) else None for x in op.sources]
    each = packed(dst)
    for at in range(word_count(dst)):
        elements: list[SSAValue] = []
        written = False
        for place in range(at * each, at * each + each):
            operands: list[SSAValue] | None = []
            for x, words, found in zip(op.sources, snapshot, maps, strict=True):
                if words is None:
                    operands.append(x)
                    continue
                source = found[place] if place < len(found) else None
                if source is None:
                    operands = None
                    break
                operands.append(element_value(env, buffer_type(x), words, source))
            if operands is None:
                elements.append(_kept(env, op.dst, place))
                continue
            written = True
            elements.append(_apply(env, function, operands, dst.element, unsigned=unsigned))
        if written:
            env.set_word(op.dst, at, packed_word(env, dst, elements))


def _kept(env: Lowering, dst: SSAValue, place: int) -> SSAValue:
    """What a place holds that is not written: of a part of a tile, that of its neighbours."""
    type, words = buffer_type(dst), env.words(dst)
    return element_value(env, type, words, place)


def set_elements(env: Lowering, dst: SSAValue, at: int, word: SSAValue | None, places: tuple[int, ...]) -> None:
    """Write some places of a word of a tile in registers, from a word that holds them."""
    type, old = buffer_type(dst), env.words(dst)[at]
    if word is None:
        return
    if len(places) == packed(type) or old is None:
        env.set_word(dst, at, word)
        return
    given: list[SSAValue | None] = [None] * at + [word]
    for place in places:
        element = element_value(env, type, given, place)
        env.set_word(dst, at, with_element(env, type, env.words(dst), place, element))


def _apply(env: Lowering, function: str, operands: list[SSAValue], result: Attribute, *, unsigned: bool) -> SSAValue:
    """A function of elements; comparisons give 1 or 0."""
    if function == "cast":
        return env.arithmetic.convert(operands[0], result, unsigned=unsigned)
    value = env.arithmetic.apply(function, operands, unsigned=unsigned)
    return env.arithmetic.convert(value, result, unsigned=True) if function in COMPARISONS else value
