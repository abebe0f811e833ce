"""Combining two values by a named operation, as reductions over vectors, warps and blocks do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats, wide
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, is_vector, layout
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


def combine_all(s: Selector, op: Operation, name: str, parts: Sequence[Any], kind: Scalar) -> None:
    """The result of an operation: all parts combined, in order."""
    total, *rest = parts
    for part in rest:
        total = combine_scalars(s, op, name, total, part, kind)
    s.values[op.results[0]] = total
