"""Memrefs of any rank: upstream's pair of a rank and a pointer to the descriptor, made only where it is needed."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.access import generic, load, load_places, store
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, Unranked, from_scalars
from weft.codegen.ops.llvm_data import pick
from weft.codegen.selector import Selector
from weft.codegen.types import GENERIC, LOCAL, is_unranked, memory_space, memref_pointer
from weft.errors import CompileError

_WORD = 8
"""The bytes of a member of a descriptor."""


def without_rank(memref: MemRef) -> Unranked:
    """A buffer seen without its rank."""
    return Unranked(linear.const(len(memref.sizes)), None, memref)


def descriptor(s: Selector, value: Unranked) -> Lin:
    """The generic address of the descriptor."""
    from xdsl.dialects.builtin import i64

    if value.place is not None:
        return value.place
    assert value.known is not None
    words = value.known.scalars()
    buffer = s.local_buffer(_WORD * len(words), _WORD)
    for index, word in enumerate(words):
        whole = s.extended(generic(s, word), signed=False) if index < 2 else word
        store(s, linear.offset(buffer, _WORD * index), whole, i64, LOCAL, _WORD)
    return generic(s, buffer)


def ranked(s: Selector, value: Unranked, type_: Any) -> MemRef:
    """The buffer with the rank that a type says; raises CompileError if it is known to have another."""
    from weft.codegen.records import places

    rank = len(type_.get_shape())
    if value.known is not None:
        if len(value.known.sizes) != rank:
            raise CompileError(f"a buffer of rank {len(value.known.sizes)} cannot be cast to {type_}")
        return value.known
    assert value.place is not None
    return from_scalars(type_, tuple(load_places(s, value.place, places(type_), GENERIC, _WORD)))


def size_along(s: Selector, value: Unranked, axis: Lin) -> Lin:
    """The size of a dimension."""
    from xdsl.dialects.builtin import i64

    if value.known is not None:
        return pick(s, value.known.sizes, axis)
    assert value.place is not None
    return load(s, s.add(linear.offset(value.place, 3 * _WORD), linear.scaled(axis, _WORD)), i64, GENERIC, _WORD)


def first_pointer(s: Selector, operand: Any) -> MemRef:
    """A buffer of which only the pointer counts, whatever its rank."""
    value = s.get(operand)
    if not is_unranked(operand.type):
        return value
    if value.known is not None:
        return value.known
    kind = memref_pointer(operand.type)
    (base,) = load_places(s, linear.offset(value.place, _WORD), ((0, kind),), GENERIC, _WORD)
    return MemRef(base, linear.const(0), (), (), memory_space(operand.type))
