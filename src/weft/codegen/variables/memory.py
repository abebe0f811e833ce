"""Which memory is variables: what is only loaded and stored, part by part, where values can be passed on."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import FixedBitwidthType, MemRefType, ModuleOp, i1, i8
from xdsl.ir import Attribute, Operation, Region, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.types import (
    UnsupportedTypeError,
    element_bits,
    element_types,
    is_vector,
    padded_size,
    repeated_type,
    size_of,
    struct_offsets,
)
from weft.codegen.variables.copies import expand, length_of
from weft.dataclass import dataclass
from weft.dialects import narrow
from weft.mlir.walking import operations_in

LOADS = frozenset(("memref.load", "affine.load", "llvm.load"))
STORES = frozenset(("memref.store", "affine.store", "llvm.store"))
BRANCHES = frozenset(("scf.if", "scf.index_switch", "affine.if"))
LOOPS = frozenset(("scf.for", "scf.while", "affine.for"))
JUMPS = frozenset(("cf.br", "llvm.br", "cf.cond_br", "llvm.cond_br", "cf.switch", "llvm.switch"))
"""Terminators that can pass on more values."""
_MARKS = frozenset(("llvm.intr.lifetime.start", "llvm.intr.lifetime.end"))
_DECLARED = "llvm.intr.dbg.declare"
_MOST_PARTS = 64
"""The most variables that one allocation is taken apart to."""
_DYNAMIC_INDEX = -(1 << 31)


class Variable:
    """Memory that holds one value of a type at a time."""

    __slots__ = ("type",)

    def __init__(self, type_: Attribute) -> None:
        self.type = type_


class Memory:
    """The variables of a region: the variable of each load and store; what begins holding nothing where; what goes."""

    def __init__(self) -> None:
        self.accessed: dict[Operation, Variable] = {}
        self.allocated: dict[Operation, list[Variable]] = {}
        self.erased: list[Operation] = []
        """What computes addresses, and marks: operations are behind those that they read."""


def find(module: ModuleOp, *, declared: bool) -> dict[Region, Memory]:
    """The variables of a module, by the region that allocates them; copies of structures become those of members."""
    found: dict[Region, Memory] = {}
    operations = operations_in(module.regions)
    for op in operations:
        if op.name == "llvm.alloca" and op.parent_region() is not None:
            _expand_copies(op, declared=declared)
    for op in operations:
        region = op.parent_region()
        if op.name not in ("memref.alloca", "llvm.alloca") or region is None:
            continue
        memory = found.setdefault(region, Memory())
        if op.name == "memref.alloca":
            _of_memref(op, region, memory)
        else:
            _of_pointer(op, region, memory, declared=declared)
    return {region: memory for region, memory in found.items() if memory.allocated and _passes_on(region)}


def _passes_on(region: Region) -> bool:
    """Whether all blocks can pass on values to those that follow them."""
    ends = (block.last_op for block in region.blocks)
    return all(end is not None and (not end.successors or end.name in JUMPS) for end in ends)


def _is_inside(op: Operation, region: Region) -> bool:
    """Whether an operation is in a region, with only structured operations in between."""
    while op.parent_region() is not region:
        above = op.parent_op()
        if above is None or (above.name not in BRANCHES and above.name not in LOOPS):
            return False
        op = above
    return True


# -- memref -----------------------------------------------------------------------------------------------------


def _of_memref(op: Operation, region: Region, memory: Memory) -> None:
    """Memory of one element."""
    kind = op.results[0].type
    if op.operands or not isinstance(kind, MemRefType) or any(extent != 1 for extent in kind.get_shape()):
        return
    users: list[Operation] = []
    for use in op.results[0].uses:
        user = use.operation
        reads, writes = user.name in LOADS and use.index == 0, user.name in STORES and use.index == 1
        if not (reads or writes) or not _is_inside(user, region):
            return
        users.append(user)
    variable = Variable(cast("MemRefType[Attribute]", kind).element_type)
    memory.allocated[op] = [variable]
    memory.accessed |= dict.fromkeys(users, variable)


# -- pointers ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Access:
    """A load or store of so many bytes at an offset."""

    op: Operation
    offset: int
    size: int
    type: Attribute


def _expand_copies(op: Operation, *, declared: bool) -> None:
    """Make loads and stores of the copies and fills of what an operation allocates, if nothing else is in their way."""
    region = op.parent_region()
    assert region is not None
    type_: Any = op.properties["elem_type"]
    if type_.name != "llvm.struct" or constant_of(op.operands[0]) != 1:
        return
    try:
        found = _accesses(op, region, declared=declared)
        for copy, offset in found.copies if found is not None else ():
            if copy.parent is not None:  # One from this memory to itself is there twice.
                expand(copy, type_, offset)
    except UnsupportedTypeError:
        return


@dataclass(slots=True)
class _Uses:
    """What is done with memory: accesses, operations that only make addresses, and copies with where they begin."""

    accesses: list[_Access]
    addresses: list[Operation]
    copies: list[tuple[Operation, int]]


def _of_pointer(op: Operation, region: Region, memory: Memory, *, declared: bool) -> None:
    """Memory behind a pointer, each part of which is accessed as one."""
    if constant_of(op.operands[0]) is None:
        return
    try:
        found = _accesses(op, region, declared=declared)
        parts = _parts(found.accesses) if found is not None and not found.copies else None
    except UnsupportedTypeError:  # Selection says so where it is used.
        return
    if found is None or parts is None:
        return
    memory.allocated[op] = list(parts.values())
    memory.accessed |= {access.op: parts[access.offset] for access in found.accesses}
    memory.erased += found.addresses


def _accesses(op: Operation, region: Region, *, declared: bool) -> _Uses | None:
    """What is done with what an operation allocates, None if its address goes elsewhere."""
    found = _Uses([], [], [])
    work: list[tuple[SSAValue, int]] = [(op.results[0], 0)]
    while work:
        pointer, offset = work.pop()
        for use in pointer.uses:
            user = use.operation
            if not _is_inside(user, region):
                return None
            if (type_ := _accessed(user, use.index)) is not None:
                found.accesses.append(_Access(user, offset, size_of(type_), type_))
            elif user.name in _MARKS or (user.name == _DECLARED and not declared):
                found.addresses.append(user)
            elif length_of(user) is not None:
                found.copies.append((user, offset))
            elif (moved := _moved(user, use.index)) is not None:
                found.addresses.append(user)
                work.append((user.results[0], offset + moved))
            else:
                return None
    return found


def _accessed(op: Operation, index: int) -> Attribute | None:
    """The type that a plain access through a pointer has, None of anything else."""
    if op.name == "llvm.load":
        type_ = op.results[0].type
    elif op.name == "llvm.store" and index == 1:
        type_ = op.operands[0].type
    else:
        return None
    return None if "volatile_" in op.properties or narrow.stated(op, "ordering", 0) else type_


def _moved(op: Operation, index: int) -> int | None:
    """By how many bytes the address that an operation makes lies behind its first operand, None if it is not known."""
    if op.name == "llvm.addrspacecast":
        return 0
    if op.name != "llvm.getelementptr" or index or is_vector(op.results[0].type):
        return None
    constants = narrow.numbers(op.properties["rawConstantIndices"])
    dynamic = iter(op.operands[1:])
    indices = [constant_of(next(dynamic)) if one == _DYNAMIC_INDEX else one for one in constants]
    return _distance(op.properties["elem_type"], indices)


def _distance(type_: Any, indices: list[int | None]) -> int | None:
    offset = 0
    for position, index in enumerate(indices):
        if index is None:
            return None
        if position == 0:
            offset += index * padded_size(type_)
        elif type_.name == "llvm.struct":
            offset += struct_offsets(type_)[index]
            type_ = element_types(type_)[index]
        else:
            type_ = repeated_type(type_)
            offset += index * padded_size(type_)
    return offset


def _parts(accesses: list[_Access]) -> dict[int, Variable] | None:
    """The variables by their offsets, None if accesses overlap in part or see one as types without a conversion."""
    at: dict[int, list[_Access]] = {}
    for access in accesses:
        at.setdefault(access.offset, []).append(access)
    if len(at) > _MOST_PARTS or any(len({access.size for access in part}) > 1 for part in at.values()):
        return None
    if any(at[first][0].size > second - first for first, second in pairwise(sorted(at))):
        return None
    parts: dict[int, Variable] = {}
    for offset, part in at.items():
        types = dict.fromkeys(access.type for access in part)
        first = next(iter(types))
        if len(types) > 1 and not all(_is_whole(type_) for type_ in types):
            return None
        parts[offset] = Variable(i1 if all(map(_is_truth, part)) else first)
    return parts


def _is_truth(access: _Access) -> bool:
    """Whether an access is of a byte that is 0 or 1, as far as this one says."""
    if access.type != i8:
        return False
    stored: Any = access.op.operands[0].owner
    if access.op.name == "llvm.load":
        return True
    extended = getattr(stored, "name", "") == "llvm.zext" and stored.operands[0].type == i1
    return extended or constant_of(access.op.operands[0]) in (0, 1)


def _is_whole(type_: Any) -> bool:
    """Whether a value is bits that LLVM's conversions take, as many as its memory has."""
    if type_.name == "llvm.ptr":
        return size_of(type_) == 8
    if is_vector(type_):
        return size_of(type_) * 8 == element_bits(type_) * prod(type_.get_shape())
    return isinstance(type_, FixedBitwidthType) and type_.bitwidth == 8 * size_of(type_)
