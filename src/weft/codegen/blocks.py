"""Bytes moved from one place in memory to another, by the widest accesses that the alignment allows."""

from __future__ import annotations

from weft.codegen import linear
from weft.codegen.graph import B32, B64, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.isa import opcode


def chunks(size: int, alignment: int) -> list[tuple[int, int]]:
    """Offset and width of the accesses that cover `size` bytes, the widest that the alignment allows first."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < size:
        width = min(8, alignment)
        while width > size - at or at % width:
            width //= 2
        found.append((at, width))
        at += width
    return found


def chunk_type(width: int) -> str:
    """The type of the access that moves so many bytes."""
    return f"b{8 * width}" if width >= 4 else f"u{8 * width}"


def load_chunk(s: Selector, address: Lin, space: str, width: int) -> Value:
    """So many bytes in a register."""
    value = s.value(B64 if width == 8 else B32)
    s.read(opcode("ld", ss=space, type=chunk_type(width)), value, s.address(address), outs=(value,))
    return value


def move_block(s: Selector, to: tuple[Lin, str], start: tuple[Lin, str], size: int, alignment: int) -> None:
    """Copy `size` bytes between two addresses, each with its state space; everything is read before it is written."""
    parts = chunks(size, alignment)
    words = [load_chunk(s, linear.offset(start[0], at), start[1], width) for at, width in parts]
    for (at, width), word in zip(parts, words, strict=True):
        s.emit(opcode("st", ss=to[1], type=chunk_type(width)), s.address(linear.offset(to[0], at)), word)
