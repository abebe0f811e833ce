"""Combining two values by a named operation: reductions over vectors, warps and blocks."""

from __future__ import annotations

from typing import Any

from weft.codegen import floats, linear
from weft.codegen.access import load, store
from weft.codegen.graph import If
from weft.codegen.selector import Selector
from weft.codegen.types import SHARED, Scalar, align_of, is_vector, layout, padded_size
from weft.mlir import compile_error

_FLOAT = {
    "add": "add", "mul": "mul", "minnumf": "minnum", "maxnumf": "maxnum", "minimumf": "minimum", "maximumf": "maximum",
}  # fmt: skip
_INTEGER = {"minui": ("min", False), "minsi": ("min", True), "maxui": ("max", False), "maxsi": ("max", True)}


def combine_scalars(s: Selector, op: Any, name: str, a: Any, b: Any, kind: Scalar) -> Any:
    """a combined with b; names are those of `gpu.all_reduce` and of `vector.reduction`."""
    if kind.kind == "float" or (kind.kind == "packed" and kind.name in ("f16", "bf16")):
        if name in _FLOAT:
            return floats.binary(s, _FLOAT[name], a, b, kind)
    elif kind.kind == "test" and name in ("and", "or", "xor"):
        return s.logic(name, a, b)
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


def combine(s: Selector, op: Any, name: str, a: Any, b: Any, type_: Any) -> Any:
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


def all_reduce(s: Selector, op: Any, name: str, value: Any) -> Any:
    """The value combined over all threads of the block, in every thread.

    Each warp combines by shuffles; lane 0 of each puts its result into shared memory; every thread then combines
    those of all warps.  The block must have a known size that is a multiple of 32.
    """
    from weft.codegen.ops.gpu import linear_thread
    from weft.codegen.ops.warp import shuffled

    type_ = op.operands[0].type
    kinds = layout(type_).scalars
    threads = 1
    for extent in s.block_size or (0,):
        threads *= extent
    if threads == 0 or threads % 32:
        raise compile_error(
            op, "a reduction over the block needs a known block size that is a multiple of 32", "set known_block_size"
        )
    total = value
    for step in (16, 8, 4, 2, 1):
        parts, _ = shuffled(s, s.flatten(total), kinds, "bfly", linear.const(step, 32), linear.const(32, 32))
        total = combine(s, op, name, total, s.unflatten(type_, tuple(parts)), type_)
    warps = threads // 32
    if warps == 1:
        return total
    size = padded_size(type_)
    base = s.shared_buffer(size * warps, max(align_of(type_), 4))
    thread = linear_thread(s)
    warp = s.shift_right(thread, 5, signed=False)
    lane = s.bitwise("and", thread, linear.const(31, 32))
    branch = If(s.compare("eq", lane, linear.const(0, 32), signed=True), s.child(), s.child())
    s.emit("bar.sync", 0)
    with s.at(branch.then):
        store(s, s.add(base, linear.scaled(warp, size)), total, type_, SHARED, align_of(type_))
    s.block.items.append(branch)
    s.emit("bar.sync", 0)
    found: Any = None
    for index in range(warps):
        part = load(s, linear.offset(base, index * size), type_, SHARED, align_of(type_))
        found = part if found is None else combine(s, op, name, found, part, type_)
    return found
