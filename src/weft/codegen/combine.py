"""Combining two values by a named operation: reductions over vectors, warps and blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats, linear, wide
from weft.codegen.access import load, store
from weft.codegen.graph import B32, Carried, If, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.warp import moved
from weft.codegen.selector import Selector
from weft.codegen.types import SHARED, Scalar, align_of, is_vector, layout, padded_size
from weft.isa import opcode
from weft.mlir import compile_error

_FLOAT = {
    "add": "add", "mul": "mul", "minnumf": "minnum", "maxnumf": "maxnum", "minimumf": "minimum", "maximumf": "maximum",
}  # fmt: skip
_LOGIC = {
    "and": "and", "or": "or", "xor": "xor", "add": "xor", "mul": "and", "minui": "and", "maxui": "or", "minsi": "or",
    "maxsi": "and",
}  # fmt: skip
"""What the operations are on one bit, of which true is -1 where it has a sign."""
_INTEGER = {"minui": ("min", False), "minsi": ("min", True), "maxui": ("max", False), "maxsi": ("max", True)}

_RING = {"add": wide.add, "mul": wide.multiply, **{name: wide.bitwise(name) for name in ("and", "or", "xor")}}
"""The operations on two registers that give the same lower bits whatever is above."""


def combine_scalars(s: Selector, op: Operation, name: str, a: Any, b: Any, kind: Scalar) -> Any:
    """a combined with b; names are those of `gpu.all_reduce` and of `vector.reduction`."""
    if kind.floating or (kind.kind == "packed" and kind.name in ("f16", "bf16")):
        if name in _FLOAT:
            return floats.binary(s, _FLOAT[name], a, b, kind)
    elif kind.kind == "test":
        return s.logic(_LOGIC[name], a, b)
    elif kind.kind == "wide":
        if name in _RING:
            return _RING[name](s, a, b)
        if name in _INTEGER:
            which, signed = _INTEGER[name]
            a, b = (wide.exactly(s, x, kind.width, signed=signed) for x in (a, b))
            return wide.choose(s, wide.compare(s, "lt" if which == "min" else "gt", a, b, signed=signed), a, b)
    elif kind.kind == "int":
        if name == "add":
            return s.add(a, b)
        if name == "mul":
            return s.mul(a, b)
        if name in ("and", "or", "xor"):
            return s.bitwise(name, a, b)
        if name in _INTEGER:
            which, signed = _INTEGER[name]
            a, b = (s.exactly(x, kind.width, signed=signed) for x in (a, b))
            return s.extreme(which, a, b, signed=signed)
    raise compile_error(op, f"'{name}' of {kind.name} has no lowering")


def combine(s: Selector, op: Operation, name: str, a: Any, b: Any, type_: Any) -> Any:
    """a combined with b, element by element for vectors."""
    kinds = layout(type_).scalars
    if kinds[0].kind == "packed" and kinds[0].name not in ("f16", "bf16"):
        from weft.codegen.vectors import elements, pack

        assert is_vector(type_)
        kind = layout(type_.element_type).scalars[0]
        pairs = zip(elements(s, a, type_), elements(s, b, type_), strict=True)
        return pack(s, [combine_scalars(s, op, name, x, y, kind) for x, y in pairs], type_)
    out = tuple(
        combine_scalars(s, op, name, x, y, kind) for x, y, kind in zip(s.flatten(a), s.flatten(b), kinds, strict=True)
    )
    return s.unflatten(type_, out)


Combine = Callable[[Any, Any], Any]


def all_reduce(s: Selector, op: Operation, value: Any, merge: Combine) -> Any:
    """The value combined by `merge` over all threads of the block, in every thread.

    Each warp combines by shuffles; lane 0 of each puts its result into shared memory; every thread then combines
    those of all warps.
    """
    from weft.codegen.ops.gpu import linear_thread, position

    type_ = op.operands[0].type
    threads = 1
    for extent in s.block_size or (0,):
        threads *= extent
    thread = linear_thread(s)
    if threads and threads % 32 == 0:
        total = _whole_warp(s, type_, value, merge)
        warps = linear.const(threads // 32, 32)
    else:
        x, y, z = (position(s, "ntid", axis) for axis in range(3))
        present = s.mul(s.mul(x, y), z)
        # The block may end inside a warp: lanes that do not exist have nothing to give, and shuffles from them would be
        # undefined.
        first = s.bitwise("and", thread, linear.const(-32, 32))
        lanes = s.extreme("min", s.sub(present, first), linear.const(32, 32), signed=True)
        total = _part_of_warp(s, type_, value, merge, lanes)
        warps = s.shift_right(linear.offset(present, 31), 5, signed=False)
    if warps.is_const and warps.const == 1 and threads:
        return total if threads == 32 else _from_first(s, type_, total, (1 << threads) - 1)
    size = padded_size(type_)
    base = s.shared_buffer(size * (warps.const if warps.is_const else 32), max(align_of(type_), 4))
    warp = s.shift_right(thread, 5, signed=False)
    lane = s.bitwise("and", thread, linear.const(31, 32))
    branch = If(s.compare("eq", lane, linear.const(0, 32), signed=True), s.child(), s.child(), source=s.source)
    # Before the stores, too: the same memory may still be read for an earlier reduction by slower warps.
    s.emit(opcode("bar", action="sync"), 0)
    with s.at(branch.then):
        store(s, s.add(base, linear.scaled(warp, size)), total, type_, SHARED, align_of(type_))
    s.block.items.append(branch)
    s.emit(opcode("bar", action="sync"), 0)
    if warps.is_const:
        found: Any = None
        for index in range(warps.const):
            part = load(s, linear.offset(base, index * size), type_, SHARED, align_of(type_))
            found = part if found is None else merge(found, part)
        return found
    return _over_warps(s, type_, base, warps, merge)


def _from_first(s: Selector, type_: Any, total: Any, lanes: int) -> Any:
    """What lane 0 holds, in all `lanes` (a mask)."""
    parts, _ = moved(s, s.flatten(total), layout(type_).scalars, "idx", linear.const(0, 32), lanes=lanes)
    return s.unflatten(type_, tuple(parts))


def _over_warps(s: Selector, type_: Any, base: Lin, warps: Lin, merge: Combine) -> Any:
    """The results of all warps combined, when their number is not known."""
    size = padded_size(type_)
    kinds = layout(type_).scalars
    first = s.flatten(load(s, base, type_, SHARED, align_of(type_)))
    loop = Loop(s.child(loop=True), guard=s.compare("gt", warps, linear.const(1, 32), signed=True), source=s.source)
    count = linear.of(s.int_value(warps))
    index = Value(B32, loop.body)
    loop.carried.append(Carried(index, 1))
    inside: list[Any] = []
    after: list[Any] = []
    for scalar, kind in zip(first, kinds, strict=True):
        value, result = Value(kind.cls, loop.body), Value(kind.cls, s.block)
        loop.carried.append(Carried(value, s.as_operand(scalar), result=result))
        inside.append(s.wrapped(value, kind))
        after.append(s.wrapped(result, kind))
    with s.at(loop.body):
        here = s.add(base, linear.scaled(linear.of(index), size))
        part = load(s, here, type_, SHARED, align_of(type_))
        merged = merge(s.unflatten(type_, tuple(inside)), part)
        for entry, scalar in zip(loop.carried[1:], s.flatten(merged), strict=True):
            entry.next = s.as_operand(scalar)
        following = linear.offset(linear.of(index), 1)
        loop.carried[0].next = s.operand(following)
        loop.again = s.compare("lt", following, count, signed=True)
    s.block.items.append(loop)
    return s.unflatten(type_, tuple(after))


def _whole_warp(s: Selector, type_: Any, value: Any, merge: Combine) -> Any:
    """The value combined over the 32 lanes, in all of them."""
    total = value
    for step in (16, 8, 4, 2, 1):
        parts, _ = moved(s, s.flatten(total), layout(type_).scalars, "bfly", linear.const(step, 32))
        total = merge(total, s.unflatten(type_, tuple(parts)))
    return total


def _part_of_warp(s: Selector, type_: Any, value: Any, merge: Combine, lanes: Lin) -> Any:
    """The value combined over the lanes that exist, in lane 0; others hold what is of no use."""
    from weft.codegen.ops.arith_int import choose_scalar

    lanes = linear.of(s.int_value(lanes)) if lanes.terms else lanes
    ones = s.shift_right(linear.const(-1, 32), s.sub(linear.const(32, 32), lanes), signed=False)
    mask = s.operand(ones)
    last = s.add(lanes, linear.const(-1, 32))  # A lane that does not exist is not even read: its value is undefined.
    total = value
    for step in (1, 2, 4, 8, 16):
        kinds = layout(type_).scalars
        parts, there = moved(s, s.flatten(total), kinds, "down", linear.const(step, 32), clamp=last, lanes=mask)
        merged = merge(total, s.unflatten(type_, tuple(parts)))
        chosen = [choose_scalar(s, there, x, y) for x, y in zip(s.flatten(merged), s.flatten(total), strict=True)]
        total = s.unflatten(type_, tuple(chosen))
    return total


def combine_all(s: Selector, op: Operation, name: str, parts: Sequence[Any], kind: Scalar) -> None:
    """The result of an operation: all parts combined, in order."""
    total, *rest = parts
    for part in rest:
        total = combine_scalars(s, op, name, total, part, kind)
    s.values[op.results[0]] = total
