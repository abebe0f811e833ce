"""A `tile.copy` as a question to the dispatch: what its operands are, where they come from, who comes."""

from __future__ import annotations

from math import gcd
from typing import Any

from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Operation, SSAValue

from weft.dialects.rows import tile
from weft.dialects.tile.memory import (
    boxes_of,
    buffer_type,
    byte_alignment,
    dynamic_terms,
    known_divisors,
    runtime_strides,
)
from weft.errors import CompileError
from weft.isa.target import Target
from weft.transforms.copy_dispatch import Copy, Operand
from weft.transforms.copy_dispatch.request import Box
from weft.transforms.tile_lowering.copy_guards import recorded_guard


def request_of(op: tile.CopyOp | tile.CopyAsyncOp, target: Target, threads: int) -> Copy:
    """What a copy asks of the dispatch, in a block of `threads` threads."""
    dst_box, src_box = boxes_of(op)
    return Copy(
        operand_of(op.dst, dst_box),
        operand_of(op.src, src_box),
        op.scope.data,
        threads,
        target.name,
        variant=op.variant.data if op.variant is not None else None,
        cache=op.cache.data if op.cache is not None else None,
        guard=recorded_guard(op, threads),
        asynchronous=isinstance(op, tile.CopyAsyncOp),
        bounds=known_divisors(op) if op.bounds else None,
    )


def operand_of(buffer: SSAValue, box: Box) -> Operand:
    """A region of a buffer, with what is known of where its storage begins."""
    type = buffer_type(buffer)
    moved: list[tuple[str, int]] = []
    source = buffer
    while isinstance(owner := source.owner, tile.SubviewOp | tile.ReshapeOp):
        if isinstance(owner, tile.ReshapeOp):
            source = owner.source
            continue
        known = iter(owner.divisors.get_values() if owner.divisors is not None else ())
        for _, term in dynamic_terms(owner):
            moved.append((term.axis, next(known, 1) // term.divide * term.stride))
        source = owner.source
    strides: dict[str, int] = {}
    match owner:
        case tile.AllocOp() | tile.ViewOp():
            alignment = byte_alignment(owner)
            if isinstance(owner, tile.ViewOp):
                strides = {name: divisor for name, (_, divisor) in runtime_strides(owner).items()}
        case _:
            raise CompileError("a copy's operand is not an allocation, view or subview")
    divisor = gcd(*(value * strides.get(axis, 1) for axis, value in moved)) if moved else 0
    return Operand(
        type.space.data, str(type.element), type.shape, type.layout, box, alignment, divisor, tuple(strides.items())
    )


def block_size(op: Operation) -> int:
    """Threads of the block of the kernel that an operation is in."""
    function: Any = op
    while function is not None and not function.name.endswith(".func"):
        function = function.parent_op()
    size = function.properties.get("known_block_size") if function is not None else None
    if not isinstance(size, DenseArrayBase):
        raise CompileError("the number of threads in a block is unknown", hint="known_block_size")
    x, y, z = size.get_values()  # pyright: ignore
    return int(x * y * z)  # pyright: ignore
