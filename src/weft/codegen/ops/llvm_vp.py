"""Vector-predicated intrinsics of `llvm`: lanes whose mask is false, or beyond the explicit length, do not count.

What they give is undefined, so arithmetic is done in every lane; memory and reductions look at the lanes.
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.combine import combine_scalars
from weft.codegen.constants import number
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.memrefs import byte_offset
from weft.codegen.ops.applied import Applied
from weft.codegen.ops.arith_int import choose_scalar
from weft.codegen.ops.llvm_intrinsics import REDUCTIONS
from weft.codegen.ops.vector_memory import guarded_load, guarded_store
from weft.codegen.selector import Selector, handler_of, handles
from weft.codegen.types import padded_size, pointer_space, scalar
from weft.codegen.vectors import elements, pack
from weft.dialects import narrow
from weft.dialects.narrow import known_vector

_PREFIX = "llvm.intr.vp."
_PLAIN = (
    "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "and", "or", "xor", "shl", "lshr", "ashr", "fadd", "fsub",
    "fmul", "fdiv", "frem", "fneg", "sext", "zext", "trunc", "fptosi", "fptoui", "sitofp", "uitofp", "fptrunc",
    "fpext", "inttoptr", "ptrtoint",
)  # fmt: skip
_OPERATIONS = {
    **{f"{_PREFIX}{name}": f"llvm.{name}" for name in _PLAIN},
    **{f"{_PREFIX}{name}": f"llvm.intr.{name}" for name in ("fma", "fmuladd", "smax", "smin", "umax", "umin")},
    f"{_PREFIX}select": "llvm.select",
}


@handles(*_OPERATIONS)
def select_everywhere(s: Selector, op: Operation) -> None:
    """The operation without the mask and the length, in every lane."""
    name = _OPERATIONS[op.name]
    count = 3 if name == "llvm.select" else len(op.operands) - 2
    handler = handler_of(name)
    assert handler is not None
    handler(s, Applied(name, op.operands[:count], op.results, op.properties, op.attributes, op.location))


def _active(s: Selector, mask: Any, length: Any) -> list[Test]:
    """Whether each lane counts."""
    end = s.number(length, signed=False)
    return [
        s.logic("and", test, s.compare("lt", linear.const(lane, end.bits), end, signed=False))
        for lane, test in enumerate(s.get(mask))
    ]


@handles(f"{_PREFIX}merge")
def select_merge(s: Selector, op: Operation) -> None:
    """The first vector in the lanes that count, the second in the others."""
    mask, first, second, length = op.operands
    a, b = (elements(s, s.get(v), v.type) for v in (first, second))
    rows = zip(_active(s, mask, length), a, b, strict=True)
    s.values[op.results[0]] = pack(s, [choose_scalar(s, test, x, y) for test, x, y in rows], op.results[0].type)


@handles(*(f"{_PREFIX}reduce.{name}" for name in REDUCTIONS))
def select_reduction(s: Selector, op: Operation) -> None:
    """The start value combined with the lanes that count, in order."""
    start, source, mask, length = op.operands
    name, kind = REDUCTIONS[op.name.rpartition(".")[2]], scalar(known_vector(source.type).element_type)
    total = s.get(start)
    parts = elements(s, s.get(source), source.type)
    for test, part in zip(_active(s, mask, length), parts, strict=True):
        total = choose_scalar(s, test, combine_scalars(s, op, name, total, part, kind), total)
    s.values[op.results[0]] = total


def _places(s: Selector, pointer: Any, stride: Lin | None, type_: Any) -> list[Lin]:
    """The address of each lane, `stride` bytes apart."""
    base, (count,) = s.int(pointer), type_.get_shape()
    step = stride if stride is not None else linear.const(padded_size(type_.element_type))
    return [byte_offset(s, base, step, lane) for lane in range(count)]


@handles(f"{_PREFIX}load", "llvm.intr.experimental.vp.strided.load")
def select_load(s: Selector, op: Operation) -> None:
    """The lanes that count, from memory."""
    pointer, *stride, mask, length = op.operands
    type_, space = known_vector(op.results[0].type), pointer_space(pointer.type)
    step = s.extended(s.number(stride[0], signed=True, low=True), signed=True) if stride else None
    out: list[Any] = []
    for test, place in zip(_active(s, mask, length), _places(s, pointer, step, type_), strict=True):
        other = number(0, scalar(type_.element_type))
        out.append(guarded_load(s, test, place, type_.element_type, space, other))
    s.values[op.results[0]] = pack(s, out, type_)


@handles(f"{_PREFIX}store", "llvm.intr.experimental.vp.strided.store")
def select_store(s: Selector, op: Operation) -> None:
    """The lanes that count, written."""
    value, pointer, *stride, mask, length = op.operands
    step = s.extended(s.number(stride[0], signed=True, low=True), signed=True) if stride else None
    type_ = known_vector(value.type)
    places = _places(s, pointer, step, type_)
    parts = elements(s, s.get(value), type_)
    for test, place, part in zip(_active(s, mask, length), places, parts, strict=True):
        guarded_store(s, test, place, part, type_.element_type, pointer_space(pointer.type))


@handles("llvm.intr.get.active.lane.mask")
def select_lanes(s: Selector, op: Operation) -> None:
    """Which lanes, counted on from a base, lie below an end."""
    base, end = (s.number(v, signed=False) for v in op.operands)
    (count,) = known_vector(op.results[0].type).get_shape()
    left = s.sub(end, base)
    some = s.compare("lt", base, end, signed=False)
    s.values[op.results[0]] = tuple(
        s.logic("and", some, s.compare("lt", linear.const(lane, left.bits), left, signed=False))
        for lane in range(count)
    )


@handles("llvm.intr.vector.extract")
def select_part(s: Selector, op: Operation) -> None:
    """Neighbouring elements of a vector."""
    source, result = op.operands[0], op.results[0]
    start, (count,) = narrow.number(op.properties["pos"]), known_vector(result.type).get_shape()
    s.values[result] = pack(s, elements(s, s.get(source), source.type)[start : start + count], result.type)


@handles("llvm.intr.vector.insert")
def select_put(s: Selector, op: Operation) -> None:
    """A vector with neighbouring elements replaced."""
    dest, source = op.operands
    start = narrow.number(op.properties["pos"])
    old, new = (elements(s, s.get(v), v.type) for v in (dest, source))
    s.values[op.results[0]] = pack(s, (*old[:start], *new, *old[start + len(new) :]), op.results[0].type)
