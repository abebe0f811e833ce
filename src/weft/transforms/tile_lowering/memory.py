"""Buffers in memory: allocation, views, regions, single elements; and the waits and barriers around copies."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Operation, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type, dynamic_terms
from weft.dialects.tile.types import LOCAL, SHARED
from weft.errors import CompileError
from weft.layout import ComposeLayout, Layout, SwizzleLayout, TileLayout, m, split
from weft.layout.iters import Run
from weft.transforms.tile_lowering.integers import multiple, plus, swizzled, wide_product
from weft.transforms.tile_lowering.lowering import Lowering, Place, handles
from weft.transforms.tile_lowering.shared import shared_pointer

if TYPE_CHECKING:
    from collections.abc import Sequence


@handles("tile.alloc")
def lower_alloc(env: Lowering, op: tile.AllocOp) -> None:
    """Registers, or a part of the function's shared memory."""
    pointer = None
    if buffer_type(op.buffer).space.data == SHARED:
        pointer = env.once(("shared", op), lambda: shared_pointer(env, env.shared.offsets[op]))
    env.bind_alloc(op, pointer)
    env.remove(op)


@handles("tile.view")
def lower_view(env: Lowering, op: tile.ViewOp) -> None:
    """A pointer with its strides."""
    env.bind_view(op)
    env.remove(op)


@handles("tile.address")
def lower_address(env: Lowering, op: tile.AddressOp) -> None:
    """The pointer to a tile's storage, or to one of its elements."""
    pointer = _element_pointer(env, op.buffer, op.indices) if op.indices else env.pointer(op.buffer)
    env.replace(op, [pointer])


@handles("tile.subview")
def lower_subview(env: Lowering, op: tile.SubviewOp) -> None:
    """The same storage; what run-time offsets are worth is added to the pointer."""
    if buffer_type(op.source).space.data == LOCAL:
        env.bind_alias(op)
        env.remove(op)
        return
    source = env.places[op.source]
    offset, divisor = source.offset, source.divisor
    strides = source.strides
    pointer = source.pointer
    values = op.divisors.get_values() if op.divisors is not None and len(op.divisors) else (1,) * len(op.offsets)
    for (value, term), factor in zip(dynamic_terms(op), values, strict=True):
        steps = _divided(env, value, term.divide)
        if term.axis in strides:
            stride, known = strides[term.axis]
            product = wide_product(env, multiple(env, steps, term.stride), stride)
            pointer = env.advanced(pointer, product, buffer_type(op.source))
            divisor = gcd(divisor, factor // term.divide * known * term.stride)
            continue
        moved = multiple(env, steps, term.stride)
        offset = moved if offset is None else plus(env, offset, moved)
        divisor = gcd(divisor, factor // term.divide * term.stride)
    env.places[op.buffer] = Place(pointer, offset, strides, source.alignment, divisor)
    env.remove(op)


@handles("tile.reshape")
def lower_reshape(env: Lowering, op: tile.ReshapeOp) -> None:
    """The same words, or the same place."""
    if buffer_type(op.source).space.data == LOCAL:
        env.bind_alias(op)
    else:
        env.places[op.buffer] = env.places[op.source]
    env.remove(op)


def _divided(env: Lowering, value: SSAValue, by: int) -> SSAValue:
    if by == 1:
        return value
    return env.emit(arith.DivUIOp.create(operands=[value, env.constant(by)], result_types=[value.type]))


# -- single elements ----------------------------------------------------------------------------------------------


def _element_pointer(env: Lowering, buffer: SSAValue, indices: Sequence[SSAValue]) -> SSAValue:
    """The pointer to one element of a buffer in memory."""
    type = buffer_type(buffer)
    place = env.places[buffer]
    if place.strides:
        raise CompileError("an element of a view with run-time strides cannot be accessed: index the tensor itself")
    layout, swizzle = _parts(type.layout)
    run = layout.canonicalize().group(type.shape).groups
    total = place.offset
    constant = layout.offset_on(m)
    for index, iters in zip(indices, run, strict=True):
        known = _known(index)
        if known is not None:
            constant += sum(
                d * each.stride for d, each in zip(split(known, [x.extent for x in iters]), iters, strict=True)
            )
            continue
        for term in _terms(env, index, iters):
            total = term if total is None else plus(env, total, term)
    if total is None:
        total = env.constant(constant)
    elif constant:
        total = plus(env, total, env.constant(constant))
    if swizzle is not None and swizzle.swizzle_len:
        total = swizzled(env, total, swizzle)
    return env.advanced(place.pointer, total, type)


def _known(index: SSAValue) -> int | None:
    """The number that an index is, if it is a constant."""
    owner = index.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    return None


def _terms(env: Lowering, index: SSAValue, iters: Run) -> list[SSAValue]:
    """What each digit of an index contributes to the element's place."""
    terms: list[SSAValue] = []
    rest = index
    for at in range(len(iters) - 1, -1, -1):
        each = iters[at]
        digit = rest
        if at:
            digit = env.emit(arith.RemUIOp.create(operands=[rest, env.constant(each.extent)], result_types=[i32]))
            rest = _divided(env, rest, each.extent)
        terms.append(multiple(env, digit, each.stride))
    return terms


def _parts(layout: Layout) -> tuple[TileLayout, SwizzleLayout | None]:
    if isinstance(layout, ComposeLayout):
        return layout.tile_layout, layout.swizzle
    assert isinstance(layout, TileLayout)
    return layout, None


@handles("tile.load")
def lower_load(env: Lowering, op: tile.LoadOp) -> None:
    """One element."""
    pointer = _element_pointer(env, op.buffer, op.indices)
    made = new("llvm.load", pointer, results=[op.element.type], ordering=0)
    env.replace(op, [env.emit(made)])


@handles("tile.store")
def lower_store(env: Lowering, op: tile.StoreOp) -> None:
    """One element."""
    pointer = _element_pointer(env, op.buffer, op.indices)
    env.add(new("llvm.store", op.element, pointer, ordering=0))
    env.remove(op)


# -- waiting ------------------------------------------------------------------------------------------------------


@handles("tile.async_commit")
def lower_commit(env: Lowering, op: Operation) -> None:
    """`cp.async.commit_group`."""
    env.add(new("nvvm.cp.async.commit.group"))
    env.remove(op)


@handles("tile.async_wait")
def lower_wait(env: Lowering, op: tile.AsyncWaitOp) -> None:
    """`cp.async.wait_group`."""
    env.add(new("nvvm.cp.async.wait.group", n=op.groups))
    env.remove(op)


@handles("tile.sync")
def lower_sync(env: Lowering, op: tile.SyncOp) -> None:
    """The block's barrier; a warp's; a barrier of its own number for each warpgroup."""
    scope = op.scope.data
    if scope == "cta":
        env.add(new("nvvm.barrier0"))
    elif scope == "warp":
        env.add(new("nvvm.bar.warp.sync", env.constant(-1)))
    else:
        one = env.constant(1)
        number = plus(env, env.thread("wgid"), one)
        env.add(new("nvvm.barrier", number, env.constant(128)))
    env.remove(op)
