"""`add`, `sub`, `mul`, `fma` of packed operands of unlike types: exact in doubles, rounded once to the result's type.

The sum of a product and an addend is rounded to odd in between, which the last rounding does not see.  In `e2m1p4` each
value is in the low four bits of a byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.sim.lanes import Array
from weft.sim.narrow import FORMATS
from weft.sim.rounding import odd_sum
from weft.sim.semantics.convert import round_to
from weft.sim.values import PACKED, Compute, flush, join, split, widen


def _difference(a: Array, b: Array) -> Array:
    return odd_sum(a, -b)


def _fused(a: Array, b: Array, c: Array) -> Array:
    return odd_sum(a * b, c)


_OPERATIONS: dict[str, Callable[..., Array]] = {"add": odd_sum, "sub": _difference, "mul": np.multiply, "fma": _fused}


def is_mixed(slots: Slots) -> bool:
    """Whether the operands are packed and their types are written one by one."""
    return bool(slots.get("atype")) and slots["type"].endswith(("x2", "x4"))


def _reader(type_: str, ftz: bool) -> Callable[[Any], Array]:
    """What gives the elements of words as doubles: words by elements."""
    if type_ in PACKED:
        element = PACKED[type_][0]

        def halves(words: Any) -> Array:
            values = widen(split(words, type_), element)
            return (flush(values) if ftz and element == "f32" else values).astype(np.float64)

        return halves
    name = type_.removesuffix("x4").removesuffix("p4")
    format_ = FORMATS[name]
    step = 4 if type_ == "e2m1x4" else 8
    shifts = step * np.arange(4, dtype=np.uint32)

    def codes(words: Any) -> Array:
        apart = np.atleast_1d(words).astype(np.uint32)[:, None] >> shifts
        return format_.decode(apart & np.uint32((1 << format_.bits) - 1))

    return codes


def _writer(slots: Slots) -> Callable[[Array], Array]:
    """What rounds doubles to words of the result."""
    type_, mode = slots["type"], slots.get("rnd") or "rn"
    if type_ in PACKED:
        element = PACKED[type_][0]
        return lambda values: join(round_to(values, element, mode), type_)
    format_, finite = FORMATS[type_[:-2]], bool(slots.get("satfinite"))
    shifts = 8 * np.arange(4, dtype=np.uint32)

    def pack(values: Array) -> Array:
        return np.bitwise_or.reduce(format_.encode(values, mode, finite).astype(np.uint32) << shifts, axis=1)

    return pack


def mixed(name: str, slots: Slots) -> Compute:
    """The operation `name` of packed operands."""
    type_, ftz = slots["type"], bool(slots.get("ftz"))
    types = [slots["atype"], slots.get("btype") or type_, slots.get("ctype") or type_]
    readers = [_reader(source, ftz) for source in types]
    write, operation = _writer(slots), _OPERATIONS[name]

    def run(*sources: Array) -> Array:
        return write(operation(*(read(source) for read, source in zip(readers, sources, strict=False))))

    return run
