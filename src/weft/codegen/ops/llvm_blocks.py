"""Bytes copied and filled: `llvm.intr.memcpy`, `memmove`, `memset`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen import linear
from weft.codegen.access import alignment_of, space_of
from weft.codegen.blocks import chunk_type, chunks, load_chunk, move_block
from weft.codegen.graph import B64, Carried, Const, If, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.memrefs import byte_offset
from weft.codegen.selector import Selector, handles
from weft.codegen.types import element_bits, element_types, is_vector, pointer_space, size_of
from weft.dialects import narrow
from weft.isa import opcode
from weft.mlir import compile_error

UNROLLED_BYTES = 128
"""Blocks of at most so many bytes are moved without a loop."""


def _length(s: Selector, op: Operation) -> Lin:
    """The number of bytes: an operand, or an attribute of the `inline` forms."""
    given = op.properties.get("len")
    if given is not None:
        return linear.const(narrow.number(given))
    return s.extended(s.number(op.operands[2], signed=False, low=True), signed=False)


def _stated(op: Operation, index: int) -> int:
    """The alignment that the argument's attributes state."""
    found = narrow.dictionaries(op, "arg_attrs")
    given = found[index].get("llvm.align") if found else None
    return 1 if given is None else narrow.number(given)


def _unit(pointer: SSAValue) -> int:
    """The bytes of the smallest scalar in an allocation that a pointer is to; 8 of anything else.

    ptxas keeps an array in registers whose elements are stored one by one, as they are loaded.
    """
    while isinstance(pointer.owner, Operation) and pointer.owner.name in ("llvm.getelementptr", "llvm.addrspacecast"):
        pointer = pointer.owner.operands[0]
    if not isinstance(pointer.owner, Operation) or pointer.owner.name != "llvm.alloca":
        return 8
    return _smallest(pointer.owner.properties["elem_type"])


def _smallest(type_: Any) -> int:
    """The bytes of the smallest member of a type."""
    if type_.name == "llvm.array":
        return _smallest(type_.type)
    if type_.name == "llvm.struct":
        return min(map(_smallest, element_types(type_)), default=8)
    return max(1, element_bits(type_) // 8 if is_vector(type_) else size_of(type_))


@handles("llvm.intr.memcpy", "llvm.intr.memcpy.inline", "llvm.intr.memmove")
def select_copy(s: Selector, op: Operation) -> None:
    """Bytes copied; `memmove` allows the blocks to overlap."""
    target, source = op.operands[:2]
    to, start = s.int(target), s.int(source)
    spaces = (space_of(s, to, pointer_space(target.type)), space_of(s, start, pointer_space(source.type)))
    length = _length(s, op)
    if length.is_const and length.const <= UNROLLED_BYTES:
        alignment = min(alignment_of(s, to, _stated(op, 0)), alignment_of(s, start, _stated(op, 1)))
        alignment = min(alignment, *map(_unit, op.operands[:2]))
        move_block(s, (to, spaces[0]), (start, spaces[1]), length.const, alignment)
        return

    def move(at: Lin) -> None:
        byte = load_chunk(s, byte_offset(s, start, at, 1), spaces[1], 1)
        s.emit(opcode("st", ss=spaces[0], type="u8"), s.address(byte_offset(s, to, at, 1)), byte)

    if op.name != "llvm.intr.memmove":
        counted(s, length, move)
        return
    if to.bits != start.bits:
        raise compile_error(op, "memmove between state spaces has no lowering", "use memcpy")
    backwards = s.compare("gt", to, start, signed=False)
    branch = If(backwards, s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        counted(s, length, lambda at: move(s.sub(linear.offset(length, -1), at)))
    with s.at(branch.otherwise):
        counted(s, length, move)
    if isinstance(backwards, Const):
        s.block.items += (branch.then if backwards.pattern else branch.otherwise).items
    else:
        s.block.items.append(branch)


@handles("llvm.intr.memset", "llvm.intr.memset.inline")
def select_fill(s: Selector, op: Operation) -> None:
    """Bytes filled with one value."""
    target = op.operands[0]
    to, byte = s.int(target), s.exactly(s.int(op.operands[1]), 8, signed=False)
    space = space_of(s, to, pointer_space(target.type))
    length = _length(s, op)
    if length.is_const and length.const <= UNROLLED_BYTES:
        word = s.mul(byte, linear.const32(0x01010101))
        for at, width in chunks(length.const, min(alignment_of(s, to, _stated(op, 0)), _unit(target))):
            if width == 8:
                wide = s.extended(word, signed=False)
                operand = s.operand(s.bitwise("or", wide, s.shift_left(wide, linear.const(32))))
            else:
                operand = s.operand(word if width == 4 else s.exactly(word, 8 * width, signed=False))
            s.emit(opcode("st", ss=space, type=chunk_type(width)), s.address(linear.offset(to, at)), operand)
        return
    value = s.operand(byte)
    counted(s, length, lambda at: _put(s, byte_offset(s, to, at, 1), space, value))


def _put(s: Selector, address: Lin, space: str, value: Value | int) -> None:
    s.emit(opcode("st", ss=space, type="u8"), s.address(address), value)


def counted(s: Selector, length: Lin, apply: Callable[[Lin], None]) -> None:
    """A loop over 0 ... length - 1."""
    guard = s.compare("ne", length, linear.const(0))
    if isinstance(guard, Const) and not guard.pattern:
        return
    loop = Loop(s.child(loop=True), guard=None if isinstance(guard, Const) else guard, source=s.source)
    counter = Value(B64, loop.body)
    end = linear.of(s.int_value(length))
    loop.carried.append(Carried(counter, 0))
    with s.at(loop.body):
        apply(linear.of(counter))
        following = linear.offset(linear.of(counter), 1)
        loop.carried[0].next = s.operand(following)
        loop.again = s.compare("ne", following, end)
    s.block.items.append(loop)
