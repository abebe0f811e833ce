"""Scalars that no access moves whole, for their address or their size (the three bytes of an i24): moved in pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.codegen import bytewise, linear
from weft.codegen.blocks import chunk_type, chunks
from weft.codegen.graph import B32, B64, Addr
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar
from weft.isa import opcode


def load_pieces(s: Selector, slots: Mapping[str, str], place: Addr, kind: Scalar, width: int, *, effect: bool) -> Any:
    """The scalar at a place, read at most `width` bytes at a time; `slots` are those of `ld` without the type."""
    whole = linear.const(0, 64 if kind.cls == B64 else 32)
    for at, size in chunks(kind.moved, min(width, 4)):
        piece = s.value(B32, 0, (1 << 8 * size) - 1 if size < 4 else -1)
        move = s.emit if effect else s.read
        move(opcode("ld", **slots, type=chunk_type(size)), piece, Addr(place.base, place.offset + at), outs=(piece,))
        bits = linear.of(piece)
        if kind.cls == B64:
            bits = s.extended(bits, signed=False)
        whole = s.bitwise("or", whole, s.shift_left(bits, linear.const32(8 * at))) if at else bits
    return from_bits(s, whole, kind) if kind.kind != "int" else s.wrapped(s.int_value(whole), kind)


def store_pieces(s: Selector, slots: Mapping[str, str], place: Addr, scalar: Any, kind: Scalar, width: int) -> None:
    """Put a scalar at a place, at most `width` bytes at a time."""
    whole: Lin = to_bits(s, scalar, kind)
    found = bytewise.of_part(whole, whole.bits // 8)
    found = bytewise.of_value(s.int_value(whole)) if found is None else found
    for at, size in chunks(kind.moved, min(width, 4)):
        whole_half = bytewise.register16(found[at : at + size])
        piece = whole_half or s.operand(bytewise.word(s, found[at : at + size]))
        type_ = "b16" if whole_half else chunk_type(size)
        s.emit(opcode("st", **slots, type=type_), Addr(place.base, place.offset + at), piece)
