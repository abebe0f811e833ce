"""Every predicate of `arith.cmpf`, `llvm.fcmp`, `arith.cmpi` and `llvm.icmp`, of every width, on values at the edges."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import weft
from tests.codegen.test_floats import ORDERED

PREDICATES = ["ord", "uno", *(order + name for order in "ou" for name in ORDERED)]
INTEGERS = ["eq", "ne", *(sign + name for sign in "su" for name in ("lt", "le", "gt", "ge"))]
TYPES = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
}
KERNEL = """gpu.module @m {{ gpu.func @k(%a: memref<{n}x{type}>, %b: memref<{n}x{type}>, %d: memref<{count}x{n}xi8>) kernel {{
  %i = gpu.thread_id x
  %x = memref.load %a[%i] : memref<{n}x{type}>
  %y = memref.load %b[%i] : memref<{n}x{type}>
{body}
  gpu.return }} }}"""
ONE = """  %p{k} = {compare} {type}
  %e{k} = arith.extui %p{k} : i1 to i8
  %c{k} = arith.constant {k} : index
  memref.store %e{k}, %d[%c{k}, %i] : memref<{count}x{n}xi8>"""


def expected(name: str, x: Any, y: Any) -> Any:
    if x.dtype.kind == "f":
        unordered = np.isnan(x) | np.isnan(y)
        if name in ("ord", "uno"):
            return unordered if name == "uno" else ~unordered
        return np.where(unordered, name[0] == "u", ORDERED[name[1:]](x, y))
    if name[0] == "u":
        x, y = x.view(f"u{x.itemsize}"), y.view(f"u{y.itemsize}")
    return ORDERED[name[-2:]](x, y)


def values(dtype: Any) -> list[Any]:
    if np.dtype(dtype).kind == "f":
        return [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, np.finfo(dtype).tiny]
    limits = np.iinfo(dtype)
    return [0, 1, -1, 2, limits.min, limits.min + 1, limits.max - 1, limits.max]


@pytest.mark.sample(5)
@pytest.mark.parametrize("dialect", ["arith.cmp", "llvm.cmp"])
@pytest.mark.parametrize("type_", TYPES)
def test_predicates(type_: str, dialect: str) -> None:
    dtype = TYPES[type_]
    pairs = list(product(values(dtype), repeat=2))
    x, y = (np.array(side, dtype) for side in zip(*pairs, strict=True))
    names = PREDICATES if type_[0] == "f" else INTEGERS
    letter = "f" if type_[0] == "f" else "i"
    compare = f"arith.cmp{letter} {{}}, %x, %y :" if dialect[0] == "a" else f'llvm.{letter}cmp "{{}}" %x, %y :'
    shape = {"n": len(x), "count": len(names), "type": type_}
    body = "\n".join(ONE.format(k=k, compare=compare.format(name), **shape) for k, name in enumerate(names))
    result = np.full((len(names), len(x)), 7, np.int8)
    weft.run(
        weft.compile(KERNEL.format(body=body, **shape), "sm_90", bare_pointers=True),
        "k",
        grid=(1,),
        block=(len(x),),
        args=[x, y, result],
    )
    for name, row in zip(names, result, strict=True):
        assert row.tolist() == expected(name, x, y).astype(int).tolist(), name
