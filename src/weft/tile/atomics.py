"""Atomic operations on single elements of tensors and of tiles in shared memory.

They are relaxed: what they do to one element is done at a time, nothing is said about other accesses.  Each gives the
element's value from before.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, i1, i64

from weft.dialects.engine.making import new
from weft.dialects.llvm.words import ATOMIC_OPERATIONS, ORDERINGS
from weft.tile.buffers import Buffer
from weft.tile.regions import Region, indexed
from weft.tile.scalars import Scalar, scalar
from weft.tile.tensors import Tensor
from weft.tile.trace import current, error

_NAMES = {
    "add": ("add", "add", "fadd"), "max": ("max", "umax", "fmax"), "min": ("min", "umin", "fmin"),
    "and": ("_and", "_and", ""), "or": ("_or", "_or", ""), "xor": ("_xor", "_xor", ""),
    "exchange": ("xchg", "xchg", "xchg"),
}  # fmt: skip
"""The operations of `llvm.atomicrmw` on signed and unsigned integers and on floats."""


def _pointer(buffer: Any, index: Any) -> Any:
    if not isinstance(buffer, Tensor | Buffer):
        raise error(f"{buffer!r} is neither a tensor nor a tile", "atomic_add(tensor, (i, j), value)")
    found = indexed(buffer, buffer.shape, index)
    if isinstance(found, Region):
        raise error("an atomic operation needs a single element", "index every dimension")
    return buffer.element_pointer(found)


def _modify(name: str, buffer: Any, index: Any, value: Any) -> Scalar:
    pointer = _pointer(buffer, index)
    kind = buffer.dtype
    operation = _NAMES[name][2 if kind.is_float else int(not kind.signed)]
    if not operation:
        raise error(f"no atomic '{name}' exists for {kind}", "use integers")
    op = new(
        "llvm.atomicrmw",
        pointer,
        scalar(value, kind).value,
        results=[kind.mlir],
        bin_op=ATOMIC_OPERATIONS.index(operation),
        ordering=ORDERINGS.index("monotonic"),
    )
    return Scalar(current().value(op), kind)


def atomic_add(buffer: Any, index: Any, value: Any) -> Scalar:
    """Add a value to an element, and return the old one (`atom.add`)."""
    return _modify("add", buffer, index, value)


def atomic_max(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by the larger of it and a value, and return the old one (`atom.max`)."""
    return _modify("max", buffer, index, value)


def atomic_min(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by the smaller of it and a value, and return the old one (`atom.min`)."""
    return _modify("min", buffer, index, value)


def atomic_and(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by its bitwise and with a value, and return the old one (`atom.and`)."""
    return _modify("and", buffer, index, value)


def atomic_or(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by its bitwise or with a value, and return the old one (`atom.or`)."""
    return _modify("or", buffer, index, value)


def atomic_xor(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by its bitwise exclusive or with a value, and return the old one (`atom.xor`)."""
    return _modify("xor", buffer, index, value)


def atomic_exchange(buffer: Any, index: Any, value: Any) -> Scalar:
    """Replace an element by a value, and return the old one (`atom.exch`)."""
    return _modify("exchange", buffer, index, value)


def atomic_compare_exchange(buffer: Any, index: Any, expected: Any, value: Any) -> Scalar:
    """Replace an element by a value if it equals the expected one, and return the old one (`atom.cas`)."""
    pointer = _pointer(buffer, index)
    kind = buffer.dtype
    if kind.is_float:
        raise error(f"no atomic compare-and-exchange exists for {kind}", "use integers")
    op = new(
        "llvm.cmpxchg",
        pointer,
        scalar(expected, kind).value,
        scalar(value, kind).value,
        results=[llvm.LLVMStructType.from_type_list([kind.mlir, i1])],
        success_ordering=ORDERINGS.index("monotonic"),
        failure_ordering=ORDERINGS.index("monotonic"),
    )
    pair = current().value(op)
    first = {"position": DenseArrayBase.from_list(i64, [0])}
    old = llvm.ExtractValueOp.create(operands=[pair], properties=first, result_types=[kind.mlir])
    return Scalar(current().value(old), kind)
