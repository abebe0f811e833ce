"""`setp`, `set`, `testp`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.isa.types import TYPES
from weft.sim.abstract import asarray, contiguous
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, First, alu
from weft.sim.types import DTYPES
from weft.sim.values import PACKED, Call, choose, element_type, flush, split, widen

_ORDERED: dict[str, Any] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}
_BOOL: dict[str, Any] = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def _unordered(a: Array, b: Array) -> Array:
    return np.isnan(a) | np.isnan(b)


def comparison(cmp: str, type_: str, ftz: bool) -> Compute:
    """The comparison of elements of a type: a function of two arrays to booleans."""
    if TYPES[type_].kind in "bus":
        return _ORDERED[cmp]
    compare: Call = _float_comparison(cmp)
    if type_ not in ("bf16", "f16") and not ftz:
        return compare

    def prepared(a: Array, b: Array) -> Array:
        sources = [flush(asarray(x)) if ftz else x for x in (a, b)]
        return compare(*(widen(x, type_) for x in sources))

    return prepared


def _float_comparison(cmp: str) -> Compute:
    if cmp == "num":
        return lambda a, b: ~_unordered(a, b)
    if cmp == "nan":
        return _unordered
    if cmp.endswith("u") and cmp[:-1] in _ORDERED:
        ordered = _ORDERED[cmp[:-1]]
        return lambda a, b: ordered(a, b) | _unordered(a, b)
    if cmp == "ne":  # Ordered, unlike NumPy's.
        return lambda a, b: np.not_equal(a, b) & ~_unordered(a, b)
    return _ORDERED[cmp]


@alu("setp")
def setp(slots: Slots) -> Compute:
    """`t = a cmp b; p = t boolop c; q = !t boolop c`; packed types give `p` of the low half and `q` of the high."""
    type_ = slots["type"]
    compare: Call = comparison(slots["cmp"], element_type(type_), bool(slots["ftz"]))
    join = _BOOL.get(slots.get("boolop", ""))
    if type_ in PACKED:
        return _packed_setp(type_, compare, join)
    if join is None:
        return _Both(compare)

    return _Joined(compare, join)


class _Both(First):
    """A comparison that gives the predicate and its complement."""

    def __call__(self, a: Array, b: Array) -> Any:
        t = self.first(a, b)
        return t, np.logical_not(t)


class _Joined(First):
    """The same, each joined with a predicate."""

    def __init__(self, compare: Any, join: Any) -> None:

        def first(a: Array, b: Array, c: Any) -> Any:
            return join(compare(a, b), c)

        super().__init__(first)
        self.compare = compare
        self.join = join

    def __call__(self, a: Array, b: Array, c: Any) -> Any:
        t = self.compare(a, b)
        return self.join(t, c), self.join(np.logical_not(t), c)


def _packed_setp(type_: str, compare: Any, join: Any) -> Compute:
    def run(a: Array, b: Array, c: Any = None) -> Any:
        t = compare(split(a, type_), split(b, type_))
        low, high = t[:, 0], t[:, 1]
        return (low, high) if join is None else (join(low, c), join(high, c))

    return run


@alu("set")
def set_(slots: Slots) -> Compute:
    """`t = a cmp b boolop c; d = t ? (1.0 or all ones) : 0`."""
    type_ = slots["type"]
    stype = slots["stype"] or type_
    compare: Call = comparison(slots["cmp"], element_type(stype), bool(slots["ftz"]))
    join = _BOOL.get(slots.get("boolop", ""))
    true = _true(type_)
    dtype = DTYPES[element_type(type_)]

    def run(a: Array, b: Array, c: Any = None) -> Array:
        if stype not in PACKED:
            t = compare(a, b)
            return choose(t if join is None else join(t, c), true, dtype.type(0))
        t = compare(split(a, stype), split(b, stype))
        if join is not None:
            t = join(t, asarray(c).reshape(-1, 1))
        if type_ in PACKED:
            return contiguous(choose(t, true, dtype.type(0))).view(DTYPES[type_]).reshape(-1)
        halves = choose(t, np.uint32(0xFFFF), np.uint32(0))
        return (halves[:, 0] | (halves[:, 1] << np.uint32(16))).astype(dtype)

    return run


def _true(type_: str) -> Any:
    element = element_type(type_)
    if element == "bf16":
        return np.uint16(0x3F80)
    dtype = DTYPES[element]
    return dtype.type(1) if dtype.kind == "f" else np.array(-1).astype(dtype)[()]


@alu("testp")
def testp(slots: Slots) -> Compute:
    """Whether a float is finite, infinite, a number, not a number, normal, or subnormal."""
    tiny = np.finfo(DTYPES[slots["type"]]).tiny
    tests: dict[str, Callable[[Array], Array]] = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "number": lambda a: ~np.isnan(a),
        "notanumber": np.isnan,
        "normal": lambda a: np.isfinite(a) & (np.abs(a) >= tiny),
        "subnormal": lambda a: (np.abs(a) < tiny) & (a != 0),
    }
    return tests[slots["op"]]
