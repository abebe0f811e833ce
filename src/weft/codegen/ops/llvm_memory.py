"""`llvm` memory operations: load, store, alloca, addressof, atomics, fence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import RELAXED, Order, is_rejoined, load, store
from weft.codegen.atomics import exchange_compare, is_one_instruction, read_modify_write
from weft.codegen.constants import constant_of
from weft.codegen.graph import B64
from weft.codegen.lifetimes import shared_places
from weft.codegen.linear import Lin
from weft.codegen.names import ptx_name
from weft.codegen.ops.llvm_data import converted
from weft.codegen.selector import Selector, handles
from weft.codegen.signs import is_read_as_signed
from weft.codegen.types import LOCAL, align_of, padded_size, pointer_space
from weft.dialects import narrow
from weft.dialects.llvm.words import ATOMIC_OPERATIONS
from weft.isa import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects import rows
    from weft.dialects.rows import llvm


def _alignment(op: Operation, type_: Any) -> int:
    return narrow.stated(op, "alignment", align_of(type_))


_ORDERS = ("", "relaxed", "relaxed", "", "acquire", "release", "acq_rel", "seq_cst")
_SCOPES = {
    "": "sys", "block": "cta", "cluster": "cluster", "device": "gpu", "gpu": "gpu", "agent": "gpu",
    "singlethread": "cta",
}  # fmt: skip


def _scope(op: Operation) -> str:
    """The scope of an atomic operation or a fence."""
    given = op.properties.get("syncscope")
    asked = narrow.text(given) if given is not None else ""
    name = _SCOPES.get(asked)
    if name is None:
        raise compile_error(op, f"unknown scope '{asked}'", "use block, cluster or device")
    return name


def _order(op: Operation, name: str = "ordering") -> str:
    return _ORDERS[narrow.stated(op, name, 0)]


def _access(s: Selector, op: Operation) -> Order:
    """How a load or store is ordered; emits the fence that `seq_cst` needs."""
    order = _order(op)
    if not order:
        return {"sem": "volatile"} if op.properties.get("volatile_") is not None else RELAXED
    scope = _scope(op)
    if order == "seq_cst":
        s.emit(opcode("fence", sem="sc", scope=scope))
        order = "acquire" if op.name == "llvm.load" else "release"
    return {"sem": order, "scope": scope}


@handles("llvm.load")
def select_load(s: Selector, op: Operation) -> None:
    """A load."""
    type_ = op.results[0].type
    pointer = op.operands[0]
    order = _access(s, op)
    s.values[op.results[0]] = load(
        s, s.int(pointer), type_, pointer_space(pointer.type), _alignment(op, type_), order=order,
        effect=bool(order), signed=is_read_as_signed(op.results[0]), rejoined=is_rejoined(op.results[0]),
    )  # fmt: skip


@handles("llvm.store")
def select_store(s: Selector, op: Operation) -> None:
    """A store."""
    value, pointer = op.operands
    space, alignment = pointer_space(pointer.type), _alignment(op, value.type)
    store(s, s.int(pointer), s.get(value), value.type, space, alignment, order=_access(s, op))


@handles("llvm.alloca")
def select_alloca(s: Selector, op: rows.llvm.AllocaOp) -> None:
    """A buffer in local memory."""
    count = s.number(op.operands[0], signed=False, low=True)
    type_ = op.elem_type
    if count.is_const:
        s.values[op.results[0]] = _place(s, op, count.const * padded_size(type_))
        return
    whole = s.extended(count, signed=False)
    s.values[op.results[0]] = s.dynamic_buffer(linear.scaled(whole, padded_size(type_)), _alignment_of(op))


def _place(s: Selector, op: rows.llvm.AllocaOp, size: int) -> Lin:
    """Memory for an allocation of so many bytes: that of another, which is never in use at the same time, if it can."""
    region = op.parent_region()
    if region is not None and region not in s.places:
        sizes: dict[Operation, tuple[int, int]] = {}
        for block in region.blocks:
            for one in block.ops:
                if one.name == "llvm.alloca" and (count := constant_of(one.operands[0])) is not None:
                    other = cast("rows.llvm.AllocaOp", one)
                    sizes[one] = count * padded_size(other.elem_type), _alignment_of(other)
        s.places[region] = shared_places(region, sizes)
    place = s.places[region].get(op) if region is not None else None
    if place is None:
        return s.local_buffer(size, _alignment_of(op))
    # An operation that is selected again, in a loop that is unrolled or a function that is inlined, allocates again.
    if place.address is None or op in place.users:
        place.address, place.users = s.local_buffer(place.size, place.alignment), frozenset()
    place.users |= {op}
    return place.address


def _alignment_of(op: rows.llvm.AllocaOp) -> int:
    given = op.alignment
    return given.value.data if given is not None else align_of(op.elem_type)


@handles("llvm.intr.stacksave")
def select_stack_save(s: Selector, op: Operation) -> None:
    """The stack pointer, under which buffers of dynamic size will lie."""
    place = s.value(B64)
    s.emit(opcode("stacksave", type="u64"), place, outs=(place,))
    place.space = LOCAL
    s.values[op.results[0]] = linear.of(place)


@handles("llvm.intr.stackrestore")
def select_stack_restore(s: Selector, op: Operation) -> None:
    """The stack pointer put back: what was allocated since is free."""
    pointer = op.operands[0]
    s.emit(
        opcode("stackrestore", type="u64"),
        s.int_value(converted(s, s.int(pointer), pointer_space(pointer.type), LOCAL)),
    )


@handles("llvm.mlir.addressof")
def select_addressof(s: Selector, op: llvm.MlirAddressofOp) -> None:
    """The address of a global or a function of the module."""
    name = ptx_name(op.global_name.root_reference.data)
    pointer = s.symbol_address(name) or s.function_address(name)
    if pointer is None:
        raise compile_error(op, f"undefined global or function '{name}'")
    s.values[op.results[0]] = pointer


_ATOMICS = {
    "xchg": "assign", "add": "addi", "_and": "andi", "_or": "ori", "_xor": "xori", "max": "maxs", "min": "mins",
    "umax": "maxu", "umin": "minu", "fadd": "addf", "fmax": "maxnumf", "fmin": "minnumf", "fmaximum": "maximumf",
    "fminimum": "minimumf", "uinc_wrap": "inc", "udec_wrap": "dec", "fsub": "subf", "sub": "subi", "nand": "nandi",
    "usub_cond": "subcond", "usub_sat": "subsat",
}  # fmt: skip


@handles("llvm.atomicrmw")
def select_atomic(s: Selector, op: llvm.AtomicrmwOp) -> None:
    """An atomic read-modify-write."""
    pointer, value = op.operands
    number: int = op.bin_op.value.data
    word = ATOMIC_OPERATIONS[number]
    kind = _ATOMICS.get(word)
    if kind is None:
        raise compile_error(op, f"an atomic '{word}' has no lowering")
    result, space, order = op.results[0], pointer_space(pointer.type), _order(op)
    if (
        order in ("acq_rel", "seq_cst")
        and op.syncscope is None
        and not s.module.strict_atomics
        and is_one_instruction(s, kind, value.type, space)
    ):
        # clang writes `atomicAdd` as seq_cst and upstream `memref.atomic_rmw` as acq_rel; both mean a relaxed one,
        # which LLVM 22 makes of every order and scope.
        order = ""
    s.values[result] = read_modify_write(
        s, op, kind, s.int(pointer), s.get(value), value.type, space, used=bool(result.uses),
        order=_qualifiers(s, op, order),
    )  # fmt: skip


def _qualifiers(s: Selector, op: Operation, order: str) -> Order:
    """How an atomic operation is ordered; a relaxed one of any scope is spelled as in the first versions of PTX."""
    if order == "seq_cst":
        s.emit(opcode("fence", sem="sc", scope=_scope(op)))
        order = "acquire"  # The fence releases what came before.
    if order in ("", "relaxed"):
        scope = _scope(op)
        return RELAXED if scope in ("sys", "gpu") else {"sem": "relaxed", "scope": scope}
    return {"sem": order, "scope": _scope(op)}


@handles("llvm.cmpxchg")
def select_compare_exchange(s: Selector, op: Operation) -> None:
    """An atomic compare and exchange: the old value, and whether it was the expected one."""
    pointer, expected, value = op.operands
    orders = {_order(op, "success_ordering"), _order(op, "failure_ordering")}
    strongest = max(orders, key=_ORDERS.index)
    if {"acquire", "release"} <= orders:
        strongest = "acq_rel"
    old, same = exchange_compare(
        s, op, s.int(pointer), s.get(expected), s.get(value), value.type, pointer_space(pointer.type),
        order=_qualifiers(s, op, strongest),
    )  # fmt: skip
    s.values[op.results[0]] = (old, same)


@handles("llvm.fence")
def select_fence(s: Selector, op: Operation) -> None:
    """A fence of a scope."""
    s.emit(opcode("fence", sem="sc" if _order(op) == "seq_cst" else "acq_rel", scope=_scope(op)))
