"""Tiles in registers as SSA values: words, and the elements packed in them.

Elements of 32 and 64 bits have a word each (`f32`, `i32`, `f64`, `i64`); smaller ones share words of type `i32`, the
first in the lowest bits.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, IntegerType, VectorType, i32
from xdsl.ir import Attribute, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.tile.types import BufferType

if TYPE_CHECKING:
    from weft.transforms.tile_lowering.lowering import Lowering


def packed(type: BufferType) -> int:
    """Elements in a word."""
    return max(1, 32 // type.element_bits)


def word_count(type: BufferType) -> int:
    """Words of a thread's storage."""
    each = packed(type)
    return -(-type.span // each)


def word_type(type: BufferType) -> Attribute:
    """The type of a word."""
    return type.element if type.element_bits >= 32 else i32


def element_value(env: Lowering, type: BufferType, words: list[SSAValue | None], place: int) -> SSAValue:
    """The element in a place."""
    each = packed(type)
    word = words[place // each]
    if word is None:
        return env.undefined(type.element)
    if each == 1:
        return word
    vector = VectorType(_element(type), [each])
    unpacked = env.emit(llvm.BitcastOp.create(operands=[word], result_types=[vector]))
    index = env.constant(place % each)
    element = env.emit(new("llvm.extractelement", unpacked, index, results=[_element(type)]))
    if _element(type) == type.element:
        return element
    return env.emit(llvm.BitcastOp.create(operands=[element], result_types=[type.element]))


def _element(type: BufferType) -> Attribute:
    """The element type as vectors of it are handled: floats of 8 bits and less are integers there."""
    return type.element if type.element_bits >= 16 else IntegerType(type.element_bits)


def packed_word(env: Lowering, type: BufferType, elements: list[SSAValue]) -> SSAValue:
    """The word of some elements (all of a word)."""
    each = packed(type)
    if each == 1:
        return elements[0]
    kind = _element(type)
    vector = VectorType(kind, [each])
    value = env.undefined(vector)
    for at, element in enumerate(elements):
        if element.type != kind:
            element = env.emit(llvm.BitcastOp.create(operands=[element], result_types=[kind]))
        value = env.emit(
            llvm.InsertElementOp.create(operands=[value, element, env.constant(at)], result_types=[vector])
        )
    return env.emit(llvm.BitcastOp.create(operands=[value], result_types=[i32]))


def with_element(
    env: Lowering, type: BufferType, words: list[SSAValue | None], place: int, element: SSAValue
) -> SSAValue:
    """The word of a place with its element replaced."""
    each = packed(type)
    if each == 1:
        return element
    kind = _element(type)
    vector = VectorType(kind, [each])
    word = words[place // each]
    if word is None:
        value = env.undefined(vector)
    else:
        value = env.emit(llvm.BitcastOp.create(operands=[word], result_types=[vector]))
    if element.type != kind:
        element = env.emit(llvm.BitcastOp.create(operands=[element], result_types=[kind]))
    index = env.constant(place % each)
    value = env.emit(llvm.InsertElementOp.create(operands=[value, element, index], result_types=[vector]))
    return env.emit(llvm.BitcastOp.create(operands=[value], result_types=[i32]))


@cache
def integer(value: int, bits: int = 32) -> Attribute:
    """An integer as an attribute; making one costs more than an operation does, so each is made once."""
    return IntegerAttr(value, IntegerType(bits))


@cache
def indices(*values: int, bits: int = 32) -> Attribute:
    """An array of integers as an attribute, each made once."""
    return DenseArrayBase.from_list(IntegerType(bits), values)
