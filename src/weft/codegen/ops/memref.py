"""`memref` storage: loads, stores, buffers, globals, sizes, atomics."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Operation, SSAValue

from weft.codegen import linear
from weft.codegen.access import load, space_of, store
from weft.codegen.atomics import read_modify_write, update
from weft.codegen.indices import accessed
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, Unranked, element_address, of_static_type
from weft.codegen.names import ptx_name
from weft.codegen.ops.llvm_blocks import counted
from weft.codegen.ops.memref_unranked import size_along
from weft.codegen.ops.memref_views import dense
from weft.codegen.selector import Selector, handles
from weft.codegen.signs import is_read_as_signed
from weft.codegen.types import (
    DYNAMIC,
    GENERIC,
    SHARED,
    align_of,
    memory_space,
    padded_size,
    scalar,
    static_strides,
)
from weft.dialects import narrow
from weft.dialects.arith.predicates import ATOMIC_KINDS
from weft.dialects.narrow import known_memref
from weft.isa import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects.memref import AllocaOp, AllocOp, AssumeAlignmentOp, GetGlobalOp

    from weft.dialects.rows import memref


@handles("memref.load")
def select_load(s: Selector, op: Operation) -> None:
    """An element."""
    memref = s.memref(op.operands[0])
    type_ = op.results[0].type
    _share_rows(s, op, memref)
    address = element_address(s, memref, indices_of(s, op.operands[1:]), type_)
    signed = is_read_as_signed(op.results[0])
    s.values[op.results[0]] = load(s, address, type_, memref.space, align_of(type_), signed=signed)


def indices_of(s: Selector, operands: Iterable[SSAValue]) -> tuple[Lin, ...]:
    """The indices of an access that is made here: out of bounds its behavior is undefined."""
    return tuple(accessed(s, s.int(operand)) for operand in operands)


_FEW_USES = 8


def _share_rows(s: Selector, op: Operation, memref: MemRef) -> None:
    """Say that other accesses begin with the same row, if another index is not that of this one and a number."""
    indices = op.operands[1:]
    for axis, row in enumerate(indices[:-1]):
        if memref.strides[axis].is_const:
            continue
        others = (use.operation for use in islice(row.uses, _FEW_USES) if use.index == axis + 1)
        if any(
            other.name == op.name
            and other.operands[0] is op.operands[0]
            and any(
                _without_number(theirs) is not _without_number(mine)
                for at, (mine, theirs) in enumerate(zip(indices, other.operands[1:], strict=True))
                if at != axis
            )
            for other in others
        ):
            product = s.mul(s.int(row), memref.strides[axis]).single()
            if product is not None:
                s.rows.setdefault(product, axis)


def _without_number(value: Any) -> Any:
    """The first operand of an addition of a constant, the value itself otherwise."""
    owner = value.owner
    plain = getattr(owner, "name", "") not in ("arith.addi", "arith.subi")
    return value if plain or getattr(owner.operands[1].owner, "name", "") != "arith.constant" else owner.operands[0]


@handles("memref.store")
def select_store(s: Selector, op: Operation) -> None:
    """An element, written."""
    value = op.operands[0]
    memref = s.memref(op.operands[1])
    address = element_address(s, memref, indices_of(s, op.operands[2:]), value.type)
    store(s, address, s.get(value), value.type, memref.space, align_of(value.type))


@handles("memref.alloc", "memref.alloca")
def select_alloc(s: Selector, op: AllocOp | AllocaOp) -> None:
    """A buffer: in shared memory for workgroup memrefs, else one of the thread's own (`memref.alloca`)."""
    type_ = op.memref.type
    if not type_.has_static_shape():
        _dynamic_buffer(s, op, type_)
        return
    size = padded_size(type_.element_type)
    for extent in type_.get_shape():
        size *= extent
    given = op.alignment
    alignment = narrow.number(given) if given is not None else align_of(type_.element_type)
    space = memory_space(type_)
    if space == SHARED:
        base = s.shared_buffer(size, max(alignment, 16))
    elif space == "local" or (op.name == "memref.alloca" and not space):
        base = s.local_buffer(size, alignment)
    else:
        raise compile_error(op, "device code cannot allocate global memory", "pass the buffer as an argument")
    s.values[op.results[0]] = of_static_type(type_, base)


def _dynamic_buffer(s: Selector, op: AllocOp | AllocaOp, type_: MemRefType[Any]) -> None:
    """A buffer of the thread's own whose size is only known as it runs."""
    space = memory_space(type_)
    if op.name != "memref.alloca" or space not in ("", "local"):
        raise compile_error(op, "a buffer needs a static shape", "use gpu.dynamic_shared_memory for dynamic sizes")
    if static_strides(type_)[1] or not isinstance(type_.layout, NoneAttr):
        raise compile_error(op, "a buffer of dynamic size needs the default layout")
    dynamic = iter(op.operands)
    extents = tuple(s.int(next(dynamic)) if e == DYNAMIC else linear.const(e) for e in type_.get_shape())
    size = linear.const(padded_size(type_.element_type))
    for extent in extents:
        size = s.mul(size, extent)
    given = op.properties.get("alignment")
    base = s.dynamic_buffer(size, narrow.number(given) if given is not None else align_of(type_.element_type))
    s.values[op.results[0]] = dense(s, base, extents, type_)


@handles("memref.dealloc")
def select_dealloc(s: Selector, op: Operation) -> None:
    """Nothing: buffers live as long as their block or thread."""


@handles("memref.assume_alignment")
def select_assume(s: Selector, op: AssumeAlignmentOp) -> None:
    """Element 0 of the buffer is aligned."""
    memref = s.memref(op.operands[0])
    base = memref.base.single()
    if base is not None and memref.offset.is_const and memref.offset.const == 0:
        s.alignment[base] = max(s.alignment.get(base, 1), op.alignment.value.data)
    for result in op.results:
        s.values[result] = memref


@handles("memref.get_global")
def select_get_global(s: Selector, op: GetGlobalOp) -> None:
    """A buffer of the module."""
    name = ptx_name(op.name_.root_reference.data)
    base = s.symbol_address(name)
    if base is None:
        raise compile_error(op, f"undefined global '{name}'")
    s.values[op.results[0]] = of_static_type(op.results[0].type, base)


@handles("memref.dim")
def select_dim(s: Selector, op: Operation) -> None:
    """The size of a dimension."""
    from weft.codegen.ops.llvm_data import pick

    source = s.get(op.operands[0])
    if isinstance(source, Unranked):
        s.values[op.results[0]] = size_along(s, source, s.int(op.operands[1]))
        return
    s.values[op.results[0]] = pick(s, s.memref(op.operands[0]).sizes, s.int(op.operands[1]))


@handles("memref.rank")
def select_rank(s: Selector, op: Operation) -> None:
    """The number of dimensions."""
    source = s.get(op.operands[0])
    s.values[op.results[0]] = source.rank if isinstance(source, Unranked) else linear.const(len(source.sizes))


@handles("memref.atomic_rmw")
def select_atomic(s: Selector, op: memref.AtomicRmwOp) -> None:
    """An element combined with a value, atomically."""
    value = op.operands[0]
    memref = s.memref(op.operands[1])
    address = element_address(s, memref, indices_of(s, op.operands[2:]), value.type)
    result, number = op.results[0], narrow.number(op.kind)
    s.values[result] = read_modify_write(
        s, op, ATOMIC_KINDS[number], address, s.get(value), value.type, memref.space, used=result.first_use is not None
    )


@handles("memref.generic_atomic_rmw")
def select_generic_atomic(s: Selector, op: memref.GenericAtomicRmwOp) -> None:
    """An element replaced by what a region makes of it, atomically."""
    memref = s.memref(op.operands[0])
    type_ = op.results[0].type
    if len(op.operands) - 1 != known_memref(op.memref.type).get_num_dims():
        raise compile_error(op, "expects the number of subscripts to be equal to memref rank")  # MLIR does not look.
    address = element_address(s, memref, indices_of(s, op.operands[1:]), type_)
    body = op.regions[0].blocks[0]

    def combine(old: Any) -> Any:
        s.values[body.args[0]] = old
        last = s.select_block(body)
        s.source = op
        return s.get(last.operands[0])

    s.values[op.results[0]] = update(s, op, address, scalar(type_), memref.space, combine)


UNROLLED_ELEMENTS = 256
"""Buffers of at most so many elements are copied without a loop."""


@handles("memref.copy")
def select_copy(s: Selector, op: memref.CopyOp) -> None:
    """Every element copied, one after the other, by each thread that comes here."""
    source, target = (s.memref(v) for v in op.operands)
    type_, kind = op.source.type, op.target.type
    if not isinstance(type_, MemRefType) or not isinstance(kind, MemRefType):
        raise compile_error(op, "weft cannot lower a copy of an unranked memref")
    element = type_.element_type
    shape = type_.get_shape()

    def move(position: tuple[Lin, ...]) -> None:
        value = load(s, element_address(s, source, position, element), element, source.space, align_of(element))
        store(s, element_address(s, target, position, element), value, element, target.space, align_of(element))

    if type_.has_static_shape() and prod(shape) <= UNROLLED_ELEMENTS:
        for position in product(*(range(extent) for extent in shape)):
            move(tuple(map(linear.const, position)))
        return
    total = linear.const(1)
    for size in source.sizes:
        total = s.mul(total, size)

    def place(flat: Lin) -> None:
        position: list[Lin] = []
        for size in reversed(source.sizes[1:]):
            position.append(s.rem(flat, size, signed=False))
            flat = s.div(flat, size, signed=False)
        move((flat, *reversed(position)))

    counted(s, total, place)


@handles("memref.prefetch")
def select_prefetch(s: Selector, op: Operation) -> None:
    """A hint to load a line of global memory."""
    prefetch(s, op, tuple(s.int(v) for v in op.operands[1:]))


def prefetch(s: Selector, op: Operation, indices: tuple[Lin, ...]) -> None:
    """Load the line of an element of the first operand into L2 (locality 0 and 1) or L1."""
    memref = s.memref(op.operands[0])
    address = element_address(s, memref, indices, known_memref(op.operands[0].type).element_type)
    space = space_of(s, address, memref.space)
    if space not in (GENERIC, "global", "local"):
        return
    level = "L2" if narrow.number(op.properties["localityHint"]) < 2 else "L1"
    s.emit(opcode("prefetch", ss=space, level=level), s.address(address))
