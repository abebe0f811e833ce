"""Zeros, denormals, infinities, NaNs and the ends of the range: what C's Annex F says, as the C library keeps it.

Every function of libdevice that C has too gets all pairs of such values.  What kind of value a result is, and its sign,
must be the same; errors are judged elsewhere.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.codegen.libdevice_cases import CASES, DTYPES, Case
from weft.codegen import compile_module
from weft.sim import run

CTYPES: dict[str, Any] = {"f": ctypes.c_float, "d": ctypes.c_double, "i": ctypes.c_int, "l": ctypes.c_longlong}
INTEGERS = [0, 1, -1, 2, -2, 3, 31, 127, -149, -150, -1074, -1075, 1024, 2**31 - 1, -(2**31)]


def specials(kind: str) -> np.ndarray:
    """The ends of the range of a type, ties, and numbers in between."""
    if kind in "il":
        return np.array(INTEGERS, DTYPES[kind])
    dtype = np.dtype(DTYPES[kind])
    info = np.finfo(dtype)
    least, normal, most, bits = (float(x) for x in (info.smallest_subnormal, info.tiny, info.max, info.nmant))
    sizes = [
        0,
        least,
        3 * least,
        normal - least,
        normal,
        2 * normal,
        float(info.eps) / 2,
        0.25,
        0.5,
        1,
        1.5,
        2,
        2.5,
        3,
        4,
    ]
    sizes += [33, 2.0**bits, 2.0 ** (bits + 1), 2.0 ** (bits + 1) + 2, 2.0**32, 1e30, most / 2, most, np.inf]
    ones = [np.nextafter(dtype.type(1), dtype.type(end)) for end in (0, 2)]
    found = np.array([*sizes, *ones], dtype)
    return np.concatenate([found, -found, np.array([np.nan], dtype)])


def grid(case: Case) -> list[np.ndarray]:
    """All combinations, in a multiple of a CTA's threads; of three operands every third value."""
    step = {1: 1, 2: 1}.get(len(case.operands), 3)
    columns = list(zip(*product(*(specials(kind)[::step].tolist() for kind in case.operands)), strict=True))
    size = -(-len(columns[0]) // 256) * 256
    return [np.resize(np.array(c, DTYPES[kind]), size) for c, kind in zip(columns, case.operands, strict=True)]


def kinds(x: np.ndarray) -> np.ndarray:
    """NaN, infinity, number or zero, with the sign; integers as they are."""
    if x.dtype.kind != "f":
        return x
    kind = np.where(np.isinf(x), 3, np.where(x == 0, 1, 2)) * np.where(np.signbit(x), -1, 1)
    return np.where(np.isnan(x), 4, kind)


@cache
def library() -> ctypes.CDLL:
    return ctypes.CDLL(ctypes.util.find_library("m") or "libm.so.6")


def function(case: Case) -> Any:
    """The C library's, or None."""
    if any(kind not in CTYPES for kind in case.operands + case.result) or case.stored:
        return None
    found = getattr(library(), case.name, None)
    if found is not None:
        found.restype = CTYPES[case.result]
        found.argtypes = [CTYPES[kind] for kind in case.operands]
    return found


def is_open(case: Case, operands: list[np.ndarray]) -> np.ndarray:
    """Where C leaves the result open: which of two zeros is the larger, integers out of range."""
    x = operands[0]
    if case.name.startswith(("fmin", "fmax")):
        return (x == 0) & (operands[1] == 0)
    return ~(np.abs(x) < 2.0**63) if case.result == "l" else np.zeros(len(x), bool)


NAMES = [
    name
    for name, case in CASES.items()
    if any(k in "fd" for k in case.operands) and name != "isinff" and function(case)
]
"""(C's `isinf` says the sign too.)"""


def results(case: Case, operands: list[np.ndarray]) -> np.ndarray:
    out = np.zeros(len(operands[0]), DTYPES[case.result])
    run(compile_module(case.mlir(), "sm_80"), "k", len(out) // 256, 256, [*operands, out], check="fast")
    return out


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NAMES)
def test_annex_f(name: str) -> None:
    case = CASES[name]
    operands = grid(case)
    found, c = results(case, operands), function(case)
    wanted = np.array([c(*row) for row in zip(*(o.tolist() for o in operands), strict=True)], DTYPES[case.result])
    differs = np.flatnonzero((kinds(found) != kinds(wanted)) & ~is_open(case, operands))
    assert not [(*(o[i].item() for o in operands), found[i].item(), wanted[i].item()) for i in differs[:8]]
