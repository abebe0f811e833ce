"""`vector` under masks: gathers, scatters, compressed and expanded rows, and `vector.mask` around another operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import floats, linear
from weft.codegen.combine import combine_scalars
from weft.codegen.constants import number
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef, byte_offset, element_address
from weft.codegen.ops.arith_int import choose_scalar
from weft.codegen.ops.vector import combining_kind
from weft.codegen.ops.vector_memory import guarded_load, guarded_store
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, is_vector, padded_size, scalar
from weft.codegen.vectors import elements, pack
from weft.dialects.narrow import known_vector
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import vector


def _places(s: Selector, op: vector.GatherOp | vector.ScatterOp, type_: Any) -> tuple[MemRef, list[Lin]]:
    """The buffer of a gather or scatter, and the address of each element: its index counts from the offsets."""
    memref = s.memref(op.operands[0])
    rank = len(memref.sizes)
    element = type_.element_type
    base = element_address(s, memref, tuple(s.int(v) for v in op.operands[1 : 1 + rank]), element)
    indices = op.operands[1 + rank]
    kind = scalar(known_vector(indices.type).element_type)
    found: list[Lin] = []
    for part in elements(s, s.get(indices), indices.type):
        index = s.extended(s.exactly(part, kind.width, signed=True), signed=True)
        if memref.strides:
            index = s.mul(index, memref.strides[-1])
        found.append(byte_offset(s, base, index, padded_size(element)))
    return memref, found


@handles("vector.gather")
def select_gather(s: Selector, op: vector.GatherOp) -> None:
    """Elements at indices where the mask is true, the others from a vector."""
    memref, places = _places(s, op, known_vector(op.results[0].type))
    _load_all(s, op, memref, places)


@handles("vector.scatter")
def select_scatter(s: Selector, op: vector.ScatterOp) -> None:
    """Elements written at indices where the mask is true, in order."""
    memref, places = _places(s, op, op.operands[-1].type)
    _store_all(s, op, memref, places)


def _load_all(s: Selector, op: Operation, memref: MemRef, places: Sequence[Lin]) -> None:
    """The elements at places where the mask is true, the others from a vector."""
    type_ = known_vector(op.results[0].type)
    mask, passthru = op.operands[-2:]
    others = elements(s, s.get(passthru), type_)
    out = [
        guarded_load(s, test, place, type_.element_type, memref.space, other)
        for test, place, other in zip(s.get(mask), places, others, strict=True)
    ]
    s.values[op.results[0]] = pack(s, out, type_)


def _store_all(s: Selector, op: Operation, memref: MemRef, places: Sequence[Lin]) -> None:
    """The elements of a vector, written to places where the mask is true."""
    mask, value = op.operands[-2:]
    parts = elements(s, s.get(value), value.type)
    for test, place, part in zip(s.get(mask), places, parts, strict=True):
        guarded_store(s, test, place, part, known_vector(value.type).element_type, memref.space)


def _running(s: Selector, op: Operation, tests: tuple[Any, ...], element: Any) -> tuple[MemRef, list[Lin]]:
    """The buffer, and for each element the address after those before it whose mask is true."""
    memref = s.memref(op.operands[0])
    indices = [s.int(v) for v in op.operands[1 : 1 + len(memref.sizes)]]
    found: list[Lin] = []
    for test in tests:
        found.append(element_address(s, memref, tuple(indices), element))
        step = s.extended(s.from_test(test, 32), signed=False)
        indices[-1] = linear.of(s.int_value(s.add(indices[-1], step)))
    return memref, found


@handles("vector.expandload")
def select_expand(s: Selector, op: vector.ExpandloadOp) -> None:
    """The next element of a row for each true bit of the mask, the others from a vector."""
    element = known_vector(op.results[0].type).element_type
    memref, places = _running(s, op, s.get(op.operands[-2]), element)
    _load_all(s, op, memref, places)


@handles("vector.compressstore")
def select_compress(s: Selector, op: vector.CompressstoreOp) -> None:
    """The elements whose mask is true, written next to each other."""
    mask, value = op.operands[-2:]
    memref, places = _running(s, op, s.get(mask), known_vector(value.type).element_type)
    _store_all(s, op, memref, places)


# -- vector.mask --------------------------------------------------------------------------------------------------


@handles("vector.mask")
def select_mask(s: Selector, op: vector.MaskOp) -> None:
    """An operation of which only the elements under the mask count; results elsewhere come from the pass-through."""
    (block,) = op.regions[0].blocks
    inner, last = None, block.last_op
    assert last is not None
    for operation in block.ops:
        if operation is not last:
            inner = operation
    tests = s.get(op.operands[0])
    if inner is None:
        values = [s.get(v) for v in last.operands]
    elif inner.name in ("vector.transfer_read", "vector.transfer_write"):
        s.mask = tests
        s.select(inner)
        values = [s.get(v) for v in last.operands]
    elif inner.name == "vector.reduction":
        values = [_reduction(s, inner, tests)]
    elif inner.name == "vector.multi_reduction":
        s.mask = tests
        s.select(inner)
        values = [s.get(v) for v in last.operands]
    else:
        raise compile_error(inner, "weft cannot lower this operation under a mask")
    s.source = op
    s.mask = None
    for result, value in zip(op.results, values, strict=True):
        s.values[result] = _passed(s, op, tests, value, result)


def _passed(s: Selector, op: Operation, tests: Any, value: Any, result: Any) -> Any:
    if len(op.operands) < 2 or not is_vector(result.type):
        return value
    a, b = (elements(s, v, result.type) for v in (value, s.get(op.operands[1])))
    return pack(s, [choose_scalar(s, t, x, y) for t, x, y in zip(tests, a, b, strict=True)], result.type)


_NEUTRAL: dict[str, float] = {
    "add": 0, "mul": 1, "and": -1, "or": 0, "xor": 0, "maxnumf": float("nan"), "minnumf": float("nan"),
    "maximumf": float("-inf"), "minimumf": float("inf"), "maxui": 0, "minui": -1,
}  # fmt: skip
"""What leaves any value as it is."""
_LARGEST = {"f8E4M3FN": 0x7E, "f6E2M3FN": 0x1F, "f6E3M2FN": 0x1F, "f4E2M1FN": 7}
"""The largest numbers of formats without infinities."""


def _neutral(name: str, kind: Scalar) -> Any:
    if name in ("maxsi", "minsi"):
        limit = 1 << (kind.width - 1)
        return number(-limit if name == "maxsi" else limit - 1, kind)
    if name in ("maximumf", "minimumf", "maxnumf", "minnumf") and kind.name in _LARGEST:
        largest = _LARGEST[kind.name]
        return linear.const32(largest if name.startswith("min") else largest | floats.sign_of(kind))
    value = -0.0 if name == "add" and kind.floating else _NEUTRAL[name]
    return number(value, kind)


def _reduction(s: Selector, op: Operation, tests: Any) -> Any:
    """The elements under the mask combined, in order, after the accumulator."""
    source = op.operands[0]
    name, kind = combining_kind(op), scalar(known_vector(source.type).element_type)
    total = s.get(op.operands[1]) if len(op.operands) > 1 else _neutral(name, kind)
    for test, part in zip(tests, elements(s, s.get(source), source.type), strict=True):
        total = choose_scalar(s, test, combine_scalars(s, op, name, total, part, kind), total)
    return total
