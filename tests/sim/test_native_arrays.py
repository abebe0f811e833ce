"""Arrays that write code do what NumPy's do: every kind of operation, of all types, with the extremes among the operands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.sim.test_native_forms import Batch
from weft.sim.float64 import fma64
from weft.sim.lanes import Array
from weft.sim.native.code import Code, NotTraced
from weft.sim.native.traced import Traced
from weft.sim.rounding import fma32
from weft.sim.semantics.bits import count_ones

INTEGERS = [np.dtype(f"{sign}{size}") for sign in "ui" for size in (1, 2, 4, 8)]
FLOATS = [np.dtype(f"f{size}") for size in (2, 4, 8)]
BOOL = np.dtype(np.bool_)
Function = Callable[..., Any]


def values(dtype: np.dtype[Any], seed: int) -> Array:
    """One for each lane: extremes first, and neighbours of zero and of one."""
    rng = np.random.default_rng(seed)
    if dtype == BOOL:
        return rng.integers(0, 2, 32).astype(bool)
    if dtype.kind == "f":
        small = np.finfo(dtype).smallest_subnormal
        edges = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, small, -small, 0.5, 1.5, 2.5, -2.5, np.finfo(dtype).max]
        return np.array([*edges, *rng.uniform(-100, 100, 32 - len(edges))], dtype)
    info = np.iinfo(dtype)
    edges = [info.min, info.max, 0, 1, info.max - 1, info.min + 1, info.max // 2, 2, 3, 7, 8, 9]
    return np.array([*edges, *rng.integers(info.min, info.max, 32 - len(edges), dtype, endpoint=True)], dtype)


def _pairs(lanes: Array) -> Any:
    """Two elements in each lane, from one."""
    return np.stack([lanes, lanes[::-1]], axis=-1)


def operations() -> Iterator[tuple[str, Function, list[np.dtype[Any]]]]:
    """A name, a function, and the types of its arguments."""
    words = INTEGERS[2], INTEGERS[6]
    for of in (*INTEGERS, *FLOATS, BOOL):
        for to in (*INTEGERS, *FLOATS, BOOL):
            if not (of.kind == "f" and to.kind in "ui"):  # What does not fit is undefined.
                yield f"{of} as {to}", lambda a, to=to: a.astype(to), [of]
            if of.itemsize == to.itemsize and (of == to or BOOL != to):
                yield f"{of} viewed as {to}", lambda a, to=to: a.view(to), [of]
    for dtype in (*INTEGERS, *FLOATS):
        two = [dtype, dtype]
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "minimum", "maximum"):
            if dtype.kind != "f" or name not in ("minimum", "maximum"):
                yield f"{name} of {dtype}", getattr(np, name), two
        yield f"sum, difference and product of {dtype}", lambda a, b: (a + b, a - b, a * b), two
        yield f"negated {dtype}", lambda a: -a, [dtype]
        yield f"size of {dtype}", np.abs, [dtype]
        yield f"clipped {dtype}", lambda a: np.clip(a, a.dtype.type(2), a.dtype.type(9)), [dtype]
        yield f"chosen {dtype}", lambda p, a, b: np.where(p, a, b), [BOOL, *two]
        yield f"a number or {dtype}", lambda p, a: np.where(p, a, a.dtype.type(3)), [BOOL, dtype]
        yield f"lanes of {dtype}", lambda a, n: np.take_along_axis(a, n.astype(np.int64) & 31, 0), [dtype, words[0]]
        yield f"zeros like {dtype}", lambda a: a + np.zeros_like(a), [dtype]
    for dtype in INTEGERS:
        yield f"bits of {dtype}", lambda a, b: (a & b, a | b, a ^ b, ~a), [dtype, dtype]
        width = 8 * dtype.itemsize
        for by in (0, 1, width - 1, width, width + 1 if width < 64 else 64):
            shift = dtype.type(by)
            yield f"{dtype} shifted by {by}", lambda a, by=shift: (a << by, a >> by), [dtype]
        yield f"{dtype} shifted", lambda a, b: (a << (b & 127), a >> (b & 127)), [dtype, dtype]
        if dtype.itemsize > 1:
            yield f"bytes of {dtype}", lambda a: a.byteswap(), [dtype]
        yield f"ones of {dtype}", lambda a: count_ones(a.view(f"u{a.dtype.itemsize}")), [dtype]
        yield f"sum of a pair of {dtype}", lambda a: _pairs(a).sum(axis=1), [dtype]
        yield f"sum of another pair of {dtype}", lambda a: _pairs(a).sum(axis=-1), [dtype]
        yield f"both of {dtype}", lambda a: np.bitwise_and.reduce(_pairs(a), axis=1), [dtype]
    for dtype in FLOATS:
        yield f"quotient of {dtype}", lambda a, b: a / b, [dtype, dtype]
        yield f"what {dtype} is", lambda a: (np.isnan(a), np.isinf(a), np.isfinite(a), np.signbit(a)), [dtype]
        yield f"sign of {dtype}", np.copysign, [dtype, dtype]
        yield f"integers of {dtype}", lambda a: (np.floor(a), np.ceil(a), np.trunc(a), np.rint(a)), [dtype]
        yield f"root of {dtype}", lambda a: np.sqrt(np.abs(a)), [dtype]
    yield "products added to floats, rounded once", fma32, [FLOATS[1]] * 3
    yield "products added to doubles", lambda a, b, c: (fma64(a, b, c), fma64(a, b, c, "rn")), [FLOATS[2]] * 3
    yield "predicates", lambda p, q: (p & q, p | q, p ^ q, ~p, p + q, p * q, np.logical_xor(p, q)), [BOOL, BOOL]
    yield (
        "negated predicates",
        lambda p, q: (np.logical_not(p), np.logical_and(p, q), np.logical_or(p, q)),
        [BOOL, BOOL],
    )
    yield "any of a pair", lambda a: _pairs(a == 1).any(axis=1), [words[0]]
    yield "halves of words", lambda a: a.view(np.uint16).reshape(32, 2)[:, 1], [words[0]]
    yield "halves put together", lambda a: _pairs(a.astype(np.uint16)).view(np.uint32).reshape(32), [words[0]]
    yield "lanes in another order", lambda a: a[np.arange(32) ^ 5], [words[1]]
    yield "three in a row", lambda a, b: np.stack([a, b, a + b], axis=1)[:, 2], [words[0], words[0]]
    yield "three rows", lambda a, b: np.stack([a, b, a + b])[1], [words[0], words[0]]
    yield "one for all", lambda a: a + np.broadcast_to(np.uint32(7), (32,)), [words[0]]
    yield "rows of one", lambda a: np.broadcast_to(a.reshape(32, 1), (32, 2)).sum(axis=1), [words[0]]
    yield (
        "bits of lanes",
        lambda p: (
            np.packbits(p.reshape(4, 8), axis=1, bitorder="little").view(np.uint8).reshape(-1)[np.arange(32) // 8]
        ),
        [BOOL],
    )


def test_operations_do_what_those_of_numpy_do() -> None:
    batch, names = Batch(), set[str]()
    for seed, (name, function, dtypes) in enumerate(operations()):
        names.add(name)
        batch.add(name, function, [values(dtype, seed + n) for n, dtype in enumerate(dtypes)])
    assert len(batch.wanted) >= len(names)
    assert batch.missing == []
    assert batch.check() == []
    of_halves = ("ceil", "floor", "maximum", "minimum", "rint", "sqrt", "trunc")
    of_floats = [(name, 3 * char) for name in ("maximum", "minimum") for char in "fd"] + [("nextafter", "fff")]
    left = {(name, "eee" if "m" in name else "ee") for name in of_halves} | set(of_floats)
    assert batch.code.loops.keys() == left, "what machines have instructions for is code, without a call of NumPy"


REFUSED: dict[str, Function] = {
    "a decision": lambda a: 1 if a[0:32].any(axis=0) else 0,
    "a number": lambda a: int(a),
    "one lane": lambda a: a[3],
    "a sum over lanes": lambda a: a.sum(axis=0),
    "an odd reduction": lambda a: np.add.reduce(np.stack([a, a, a], axis=1), axis=1),
    "a sum of floats": lambda a: np.add.reduce(np.stack([a, a], axis=1).astype(np.float32), axis=1),
    "bits of booleans": lambda a: (a == 1).view(np.uint16),
    "bits the other way round": lambda a: np.packbits((a == 1).reshape(4, 8), axis=1, bitorder="big"),
    "bits of numbers": lambda a: np.packbits(a.view(np.uint8).reshape(16, 8), axis=1, bitorder="little"),
    "parts of bytes": lambda a: np.packbits((a == 1).reshape(8, 4), axis=1, bitorder="little"),
    "sorting": lambda a: np.sort(a),
    "a running sum": lambda a: np.add.accumulate(a),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_code_cannot_say_is_refused(what: str) -> None:
    """Rather than written wrongly: such instructions stay NumPy's."""
    with pytest.raises(NotTraced):
        REFUSED[what](Traced(Code(), "%a", np.dtype(np.uint32)))
