"""Functions of any number of arguments, as LLVM makes them for NVPTX.

One parameter more points to the arguments without names.  They lie in the caller's own memory, as the members of a
structure would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Operation

from weft.codegen import linear
from weft.codegen.access import alignment_of, generic, load, space_of, store, store_places
from weft.codegen.blocks import move_block
from weft.codegen.linear import Lin
from weft.codegen.records import record
from weft.codegen.selector import Selector, handles
from weft.codegen.types import LOCAL, align_of, pointer_space
from weft.mlir import compile_error
from weft.ptx.ast import Parameter

Argument = tuple[Any, Attribute]


def unnamed(s: Selector, arguments: Sequence[Argument], copied: Mapping[int, Parameter], first: int) -> Argument:
    """The argument that points to those from `first` on; what `copied` declares is there by value."""
    buffer, end, alignment = list[tuple[int, int]](), 0, 1
    for index, (_, type_) in enumerate(arguments[first:], first):
        if index in copied:
            size, aligned = copied[index].dims[0], align_of(type_)
        else:
            found = record([type_])
            size, aligned = found.size, found.alignment
        end = -(-end // aligned) * aligned
        buffer.append((end, aligned))
        end, alignment = end + size, max(alignment, aligned)
    if not buffer:
        return linear.const(0), i64
    address = s.local_buffer(end, alignment)
    for index, (offset, aligned) in enumerate(buffer, first):
        value, type_ = arguments[index]
        place = linear.offset(address, offset)
        if index in copied:
            start = (value, space_of(s, value, pointer_space(type_)))
            move_block(s, (place, LOCAL), start, copied[index].dims[0], min(aligned, alignment_of(s, value, aligned)))
        else:
            store_places(s, place, s.flatten(value), record([type_]).places, LOCAL, aligned)
    return generic(s, address), i64


@handles("llvm.intr.vastart")
def select_start(s: Selector, op: Operation) -> None:
    """Make a list point to the arguments without names."""
    if s.unnamed is None:
        raise compile_error(op, "the function is not variadic")
    _put(s, op.operands[0], linear.of(s.unnamed))


@handles("llvm.intr.vacopy")
def select_copy(s: Selector, op: Operation) -> None:
    """Make a list point to what another does."""
    to, start = op.operands
    _put(s, to, load(s, s.int(start), i64, pointer_space(start.type), 8))


def _put(s: Selector, list_: Any, place: Lin) -> None:
    store(s, s.int(list_), place, i64, pointer_space(list_.type), 8)
