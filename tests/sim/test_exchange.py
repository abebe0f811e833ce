"""Atomics of lanes that meet, against Python that takes one turn after the other."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest

from weft.sim import semantics
from weft.sim.semantics.atomic import combination, exchange
from weft.sim.types import DTYPES

semantics.load_all()
WHOLE: dict[str, Callable[..., int]] = {
    "add": lambda old, b: old + b, "min": min, "max": max, "and": lambda old, b: old & b, "or": lambda old, b: old | b,
    "xor": lambda old, b: old ^ b, "exch": lambda old, b: b, "cas": lambda old, b, c: c if old == b else old,
    "inc": lambda old, b: 0 if old >= b else old + 1, "dec": lambda old, b: b if old == 0 or old > b else old - 1,
}  # fmt: skip
REAL: Any = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
CASES = [
    *(("add", type_) for type_ in ("u32", "s32", "u64", "f16", "f16x2", "bf16", "bf16x2", "f32", "f64")),
    *((op, type_) for op in ("min", "max") for type_ in ("u32", "s32", "u64", "s64", "f16", "f16x2", "bf16", "bf16x2")),
    *((op, type_) for op in ("and", "or", "xor", "exch", "cas") for type_ in ("b32", "b64")),
    ("cas", "b16"), ("inc", "u32"), ("dec", "u32"),
]  # fmt: skip


def turn(op: str, type_: str, old: Any, given: list[Any]) -> Any:
    """The new value of a cell; vectors of two halves are two cells."""
    element = type_.removesuffix("x2")
    if element in REAL:
        if op in ("exch", "cas"):
            return WHOLE[op](old, *given)
        return REAL[element](WHOLE[op](REAL[element](old), REAL[element](given[0])))
    return WHOLE[op](old, *given)


def numbers(rng: random.Random, dtype: Any, each: Any, count: int, *, positive: bool) -> Any:
    """So many cells of elements that often are alike."""
    some = np.array([rng.choice([0, 1, 2, 3, 5, 8, -4, -1]) for _ in range(count)])
    return (np.abs(some) if positive else some).astype(each).view(dtype)


@pytest.mark.parametrize("cells", [1, 3, 40])
def test_lanes_that_meet_take_turns(cells: int) -> None:
    """All operations of the table, of lanes that all meet, of some that do, and of few; each gets what the one before left."""
    for op, type_ in CASES:
        rng, dtype = random.Random(f"{cells} {op} {type_}"), DTYPES[type_]
        element = type_.removesuffix("x2")
        each, parts = (
            (REAL[element], dtype.itemsize // np.dtype(REAL[element]).itemsize) if element in REAL else (dtype, 1)
        )

        lanes, positive = 64, np.dtype(each).kind == "u" or op in ("inc", "dec")
        memory = numbers(rng, dtype, each, 48 * parts, positive=positive)
        index = np.array([rng.randrange(cells) for _ in range(lanes)]) * dtype.itemsize
        values = [numbers(rng, dtype, each, lanes * parts, positive=positive) for _ in range(2 if op == "cas" else 1)]
        want, olds = memory.view(each).reshape(48, parts).tolist(), list[list[Any]]()
        for lane, at in enumerate((index // dtype.itemsize).tolist()):
            olds.append(want[at])
            given = [value.view(each).reshape(lanes, parts)[lane].tolist() for value in values]
            want[at] = [turn(op, type_, old, list(column)) for old, *column in zip(want[at], *given, strict=True)]
        wide = np.array(want).astype(np.int64 if np.dtype(each).kind in "iu" else np.float64)
        space = SimpleNamespace(view=memory.view, loaded=0, stored=5)
        with np.errstate(all="ignore"):
            old = exchange(cast(Any, space), index, values, combination(op, type_), dtype)
        assert (old.view(each) == np.array(olds).reshape(-1).astype(each)).all(), (op, type_)
        assert (memory.view(each) == wide.reshape(-1).astype(each)).all(), (op, type_)
        assert (space.loaded, space.stored) == (lanes * dtype.itemsize, 5 + lanes * dtype.itemsize)
