"""Conversions: copies between registers whose elements change threads, by way of shared memory.

What each thread holds elsewhere is a move, a transpose within a warp is `movmatrix`; all else is stored to scratch
memory of the scope and loaded again.  Of the swizzles of the scratch, the one with the fewest wavefronts is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i8, i32
from xdsl.ir import Operation, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.llvm.pointers import element_pointer
from weft.dialects.rows import tile
from weft.dialects.tile.memory import address, boxes_of, buffer_type, copy, view
from weft.dialects.tile.types import LOCAL, SHARED, BufferType
from weft.layout import Layout, SwizzleLayout, row_major
from weft.layout.conflicts import totals
from weft.mlir.walking import operations_in
from weft.transforms.copy_dispatch import Copy, CopyError, Operand, dispatch
from weft.transforms.copy_dispatch.checks import all_active
from weft.transforms.copy_dispatch.wavefronts import accesses
from weft.transforms.tile_lowering.copies import within_threads
from weft.transforms.tile_lowering.copy_guards import record_guards
from weft.transforms.tile_lowering.copy_request import request_of
from weft.transforms.tile_lowering.words import integer

if TYPE_CHECKING:
    from weft.isa.target import Target

ALIGNMENT = 1024
_GROUPS = {"warp": 32, "warpgroup": 128}


class Conversion(NamedTuple):
    """A conversion through shared memory: the copy into it, the copy out of it, and why it is none in registers."""

    store: Copy
    load: Copy
    reason: str

    @property
    def bytes(self) -> int:
        """Bytes of scratch memory of one instance of the scope, whole repeats of its swizzle."""
        held = prod(self.store.dst.shape) * self.store.dst.bits // 8
        return -(-held // ALIGNMENT) * ALIGNMENT


def conversion_of(op: Operation, target: Target, threads: int) -> Conversion | None:
    """How a copy between registers goes through shared memory; None where it need not, or cannot.

    It cannot where not all threads of the scope come, or one thread copies for itself.
    """
    if not isinstance(op, tile.CopyOp) or op.variant is not None or not _between_registers(op):
        return None
    if op.scope.data not in ("warp", "warpgroup", "cta") or within_threads(op):
        return None
    copy = request_of(op, target, threads)
    try:
        dispatch(copy)
    except CopyError as failure:
        return _planned(copy, _reason(failure)) if all_active(copy) is None else None
    return None


def _between_registers(op: tile.CopyOp) -> bool:
    return buffer_type(op.dst).space.data == buffer_type(op.src).space.data == LOCAL


def _reason(failure: CopyError) -> str:
    """Why registers alone do not do, out of the dispatch's table."""
    (line,) = [each for each in failure.message.splitlines() if each.strip().startswith("registers")]
    return line.split(": ", 1)[1].removesuffix(": copy through shared memory")


@lru_cache(maxsize=256)
def _planned(copy: Copy, reason: str) -> Conversion | None:
    best: tuple[int, Conversion] | None = None
    for layout in _candidates(copy.src.extents, copy.src.bits):
        scratch = Operand.of(SHARED, copy.src.element, copy.src.extents, layout, alignment=ALIGNMENT)
        store = Copy(scratch, copy.src, copy.scope, copy.threads, copy.target, guard=copy.guard)
        load = Copy(copy.dst, scratch, copy.scope, copy.threads, copy.target, guard=copy.guard)
        try:
            cost = _cost(store, "dst") + _cost(load, "src")
        except CopyError:
            continue
        if best is None or cost < best[0]:
            best = cost, Conversion(store, load, reason)
    return None if best is None else best[1]


def _candidates(shape: tuple[int, ...], bits: int) -> Iterator[Layout]:
    """Row-major memory, plain and with swizzles of chunks of 4, 8 and 16 bytes."""
    yield row_major(shape)
    size, row = prod(shape), shape[-1]
    for chunk in (16, 8, 4):
        per = (chunk * 8 // bits).bit_length() - 1
        for length in (1, 2, 3):
            distance = max(length, row.bit_length() - 1 - per)
            if per >= 0 and size % (1 << per + length + distance) == 0:
                yield SwizzleLayout(per, length, distance) @ row_major(shape)


def _cost(copy: Copy, side: str) -> int:
    """Wavefronts, and a unit for each instruction."""
    plan = dispatch(copy)
    return len(plan.instructions) + sum(totals(each).wavefronts for each in accesses(plan, copy, side))


def lower_conversions(function: Operation, target: Target, threads: int) -> None:
    """Replace conversions by two copies each, around a barrier; scratch memory is shared by those of a scope."""
    between = [op for op in operations_in(function.regions) if isinstance(op, tile.CopyOp) and _between_registers(op)]
    if not between:
        return
    record_guards(function, threads)
    found: list[tuple[Any, Conversion]] = []
    for op in between:
        conversion = conversion_of(op, target, threads)
        if conversion is not None:
            found.append((op, conversion))
    scratch: dict[str, tuple[int, SSAValue]] = {}
    for scope in dict.fromkeys(op.scope.data for op, _ in found):
        size = max(conversion.bytes for op, conversion in found if op.scope.data == scope)
        scratch[scope] = size, _allocated(function, size * max(1, threads // _GROUPS.get(scope, threads)))
    for op, conversion in found:
        _replace(op, conversion, *scratch[op.scope.data])


def _allocated(function: Operation, size: int) -> SSAValue:
    block = function.regions[0].blocks[0]
    op = new("tile.alloc", results=[BufferType.of((size,), i8, SHARED, row_major((size,)))], alignment=ALIGNMENT)
    op.location = function.location
    first = block.first_op
    assert first is not None
    block.insert_ops_before([op], first)
    return op.results[0]


def _replace(op: tile.CopyOp, conversion: Conversion, size: int, scratch: SSAValue) -> None:
    scope = op.scope.data
    made: list[Operation] = []

    def add(one: Operation) -> SSAValue:
        one.location = op.location
        made.append(one)
        return one.results[0] if one.results else scratch

    pointer = add(address(scratch))
    if scope in _GROUPS:
        wide = add(new("gpu.thread_id", results=[IndexType()], dimension="x"))
        thread = add(arith.IndexCastOp.create(operands=[wide], result_types=[i32]))
        group = add(arith.ConstantOp.create(properties={"value": integer(_GROUPS[scope])}, result_types=[i32]))
        number = add(arith.DivUIOp.create(operands=[thread, group], result_types=[i32]))
        stride = add(arith.ConstantOp.create(properties={"value": integer(size)}, result_types=[i32]))
        no_flags = {"overflowFlags": arith.IntegerOverflowAttr("none")}
        by = add(arith.MuliOp.create(operands=[number, stride], result_types=[i32], properties=no_flags))
        pointer = add(element_pointer(pointer, by, i8))
    element = buffer_type(op.src).element
    held = conversion.store.dst
    seen = add(view(pointer, BufferType.of(held.shape, element, SHARED, held.layout), alignment=ALIGNMENT))
    add(new("tile.sync", scope=scope))
    add(copy("copy", seen, op.src, scope, src_region=boxes_of(op)[1]))
    add(new("tile.sync", scope=scope))
    add(copy("copy", op.dst, seen, scope, dst_region=boxes_of(op)[0]))
    block = op.parent
    assert block is not None
    block.insert_ops_before(made, op)
    op.detach()
    op.erase()


def explain_conversion(conversion: Conversion) -> str:
    """What a conversion does, in the form in which other copies are explained."""
    from weft.transforms.copy_dispatch.explain import explain

    title = f"conversion of registers through {conversion.bytes} bytes of shared memory: {conversion.reason}"
    return "\n".join([title, explain(conversion.store), explain(conversion.load)])
