"""How long the turns of loops are, and how many of them the text says that there are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import prod
from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.ops.evolving import is_computed
from weft.codegen.types import padded_size
from weft.dialects import narrow

UNROLLED_TRIPS = 16
UNROLLED_OPERATIONS = 400
"""A loop with at most so many iterations is unrolled if its copies, and those of the loops inside, have at most so
many operations together.
"""
UNROLLED_OVER_ARRAYS, ARRAY_BYTES = 1600, 256
"""The same where that leaves only constant places of an array of the thread's own, which then is registers, if it has
at most so many bytes.
"""
_MOST_USES = 32
_PLAIN = ("arith.", "index.", "memref.", "vector.", "affine.", "builtin.", "math.")
_PLAIN_LLVM = frozenset(f"llvm.{name}" for name in (
    "load", "store", "getelementptr", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "trunc", "zext",
    "sext", "icmp", "fcmp", "select", "fadd", "fsub", "fmul", "fdiv", "fneg", "fptrunc", "fpext", "sitofp", "uitofp",
    "fptosi", "fptoui", "bitcast", "extractelement", "insertelement", "extractvalue", "insertvalue", "addrspacecast",
    "mlir.constant", "mlir.undef", "mlir.poison", "mlir.zero", "mlir.addressof", "shufflevector", "intr.fma",
    "intr.fmuladd", "intr.fabs", "intr.maximum", "intr.minimum", "intr.maxnum", "intr.minnum", "intr.smax", "intr.smin",
    "intr.umax", "intr.umin", "intr.abs", "intr.ctpop", "intr.ctlz", "intr.cttz", "intr.masked.load",
    "intr.masked.store", *(f"intr.vector.reduce.{name}" for name in (
        "add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin", "fadd", "fmul", "fmax", "fmin", "fmaximum",
        "fminimum",
    )),
))  # fmt: skip
_FUNCTIONS_LLVM = frozenset(f"llvm.intr.{name}" for name in (
    "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sqrt", "pow", "powi",
))  # fmt: skip
_FUNCTION = 8
"""Operations that a function counts as."""
_DIVISIONS = ("arith.divf", "llvm.fdiv")
_SHORT = ("math.fma", "math.abs", "math.floor", "math.ceil", "math.ct")
_LONG = frozenset((
    "memref.alloca", "memref.alloc", "memref.dealloc", "memref.copy", "arith.remf",
    "memref.generic_atomic_rmw", "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
    "arith.ceildivsi", "arith.ceildivui", "index.divs", "index.divu", "index.rems", "index.remu",
    "vector.contract", "vector.print", "vector.transfer_read", "vector.transfer_write",
))  # fmt: skip
"""Operations whose copies cost more than they save, and those that run once for good."""


def size_of(op: Operation) -> int:
    """The number of operations inside, those of loops that will be unrolled as often as they run.

    Counted to a little more than the limit.
    """
    count = 0
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                count += inner.name not in _FREE
                if inner.regions:
                    count += constant_trips(inner) * size_of(inner)
                if count > UNROLLED_OVER_ARRAYS:
                    return count
    return count


def memories(op: Operation) -> set[SSAValue]:
    """The memory that a loop loads from and stores to, element by element."""
    found = (inner.operands[inner.name in _STORES] for inner in op.walk() if inner.name in (*_LOADS, *_STORES))
    return {_allocated(pointer) for pointer in islice(found, _MOST_USES)}


def _allocated(pointer: SSAValue) -> SSAValue:
    """The memory that a pointer is computed from."""
    while isinstance(pointer.owner, Operation) and pointer.owner.name in _MOVED:
        pointer = pointer.owner.operands[0]
    return pointer


def is_own_array(memory: SSAValue) -> bool:
    """Whether it is a small array of the thread's own whose places are all known when loops are unrolled."""
    owner = memory.owner
    if not isinstance(owner, Operation):
        return False
    if owner.name == "memref.alloca" and not owner.operands:
        type_: Any = memory.type
        size = prod(type_.get_shape()) * padded_size(type_.element_type)
    elif owner.name == "llvm.alloca":
        size = (constant_of(owner.operands[0]) or ARRAY_BYTES + 1) * padded_size(owner.properties["elem_type"])
    else:
        return False
    return size <= ARRAY_BYTES and _is_accessed_by_place(memory)


def _is_accessed_by_place(memory: SSAValue) -> bool:
    """Whether memory is only loaded from and stored to, at places that are known when loops are unrolled."""
    for use in memory.uses:
        op = use.operation
        if op.name in _MOVED:
            if use.index or not all(map(_is_counted, op.operands[1:])) or not _is_accessed_by_place(op.results[0]):
                return False
        elif op.name in _WHOLE:
            continue
        elif (
            op.name not in (*_LOADS, *_STORES)
            or use.index != (op.name in _STORES)
            or any(not _is_counted(place) for place in op.operands[use.index + 1 :])
        ):
            return False
    return True


def _is_counted(value: SSAValue) -> bool:
    """Whether a number is known when the loops around are unrolled: made of constants and their counters."""
    owner = value.owner
    if isinstance(owner, Operation):
        computed = owner.name in SUMS or is_computed(owner)
        return constant_of(value) is not None or (computed and all(map(_is_counted, owner.operands)))
    loop = owner.parent_op()
    if loop is not None and loop.name == "scf.while":  # What constants follow to, if that is copied at all.
        return value.type.name in ("index", "integer_type")
    if loop is None or value is not owner.args[0]:
        return False
    bounds = loop.operands[:3] if loop.name == "scf.for" else ()
    if all(constant_of(bound) is not None for bound in bounds):
        return constant_trips(loop) > 1
    return all(map(_is_counted, bounds))


def constant_trips(op: Operation) -> int:
    """How often a loop inside will be copied, as far as its text says; 1 for what stays as it is."""
    if op.name == "scf.for":
        bounds = [constant_of(operand) for operand in op.operands[:3]]
    elif op.name == "affine.for":
        bounds = [_constant_map(op.properties.get(name)) for name in ("lowerBoundMap", "upperBoundMap")]
        bounds.append(narrow.number(op.properties["step"]))
    else:
        return 1
    lower, upper, step = bounds
    if lower is None or upper is None or step is None or step < 1:
        return 1
    trips = max(0, -(-(upper - lower) // step))
    return trips if trips <= UNROLLED_TRIPS else 1


def _constant_map(found: Any) -> int | None:
    results = getattr(getattr(found, "data", None), "results", ())
    return getattr(results[0], "value", None) if len(results) == 1 else None


_LOADS = ("memref.load", "affine.load", "llvm.load")
_STORES = ("memref.store", "affine.store", "llvm.store")
_MOVED = ("llvm.getelementptr", "llvm.addrspacecast")
_WHOLE = ("llvm.intr.memset", "llvm.intr.lifetime.start", "llvm.intr.lifetime.end", "llvm.intr.dbg.declare")
"""What is done to all of an array, at places that are known."""
SUMS = ("arith.addi", "arith.subi", "arith.muli", "arith.index_cast", "arith.minsi", "arith.maxsi", "affine.apply")
_FREE = frozenset((
    "builtin.unrealized_conversion_cast", "llvm.extractvalue", "llvm.insertvalue", "llvm.mlir.constant",
    "arith.constant", "llvm.mlir.poison", "llvm.mlir.undef", "llvm.getelementptr", "llvm.addrspacecast",
    "arith.index_cast", "llvm.sext", "llvm.zext", "llvm.trunc",
))  # fmt: skip


def turn_of(op: Operation) -> tuple[int, int, bool]:
    """The operations of a turn, 0 where it is not to be copied; the functions among them; whether a loop inside is
    copied whole.
    """
    block = op.regions[0].blocks[0]
    size = functions = 0
    nested = False
    for inner in block.ops:
        if inner is block.last_op:
            break
        # An operation that is not plain (a barrier, an atomic, a call) takes longer than the turn's jump: copies would
        # not pay.
        if (not inner.regions and not _is_plain(inner)) or inner.name in _LONG:
            return 0, 0, False
        if inner.regions:
            trips = constant_trips(inner)
            if trips < 2 or not turn_of(inner)[0]:
                return 0, 0, False
            size += trips * size_of(inner)
            nested = True
            continue
        called = _is_function(inner)
        functions += called
        size += _FUNCTION if called else inner.name not in _FREE
    return size, functions, nested


def length_of(op: Operation) -> int:
    """About how many instructions a turn takes: an operation on vectors is as many as these have elements."""
    return sum(_elements(inner) * (_FUNCTION if _is_function(inner) else 1) for inner in _counting(op))


def _counting(op: Operation) -> Iterator[Operation]:
    return (inner for inner in op.walk() if inner is not op and inner.name not in _FREE and inner.next_op is not None)


def _elements(op: Operation) -> int:
    values = [*op.results, *op.operands]
    return max((prod(found.get_shape()) for value in values if (found := narrow.vector(value.type))), default=1)


def _is_function(op: Operation) -> bool:
    """Whether an operation takes some instructions."""
    if op.name in _DIVISIONS or op.name in _FUNCTIONS_LLVM:
        return True
    return op.name.startswith("math.") and not op.name.startswith(_SHORT)


def _is_plain(op: Operation) -> bool:
    if op.name in _PLAIN_LLVM or op.name in _FUNCTIONS_LLVM:
        return not narrow.stated(op, "ordering", 0) and "volatile_" not in op.properties
    return op.name.startswith(_PLAIN)
