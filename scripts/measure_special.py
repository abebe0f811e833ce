"""The special functions of libdevice beside nvcc's: errors against 200 bits, and lengths, for `measure_math`."""

# mpmath has no types.
# pyright: basic

from __future__ import annotations

from typing import Any

import check_singles
import numpy as np
from derive_special import erfcx_slow
from minimax import mp

import weft
from weft.codegen import compile_module
from weft.ptx.ast import Module
from weft.sim import run

POINTS = 1024
DTYPES: dict[str, Any] = {"f32": np.float32, "f64": np.float64}


def kernel(name: str, kind: str) -> Module:
    """A kernel that calls the function (none for an empty name) on each element."""
    full = f"__nv_{name}{'f' if kind == 'f32' else ''}"
    call = f"%r = llvm.call @{full}(%x) : ({kind}) -> {kind}" if name else f"%r = llvm.freeze %x : {kind}"
    return compile_module(
        f"""llvm.func @{full}({kind}) -> {kind}
      llvm.func @k(%m: !llvm.ptr, %o: !llvm.ptr) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %p = llvm.getelementptr %m[%t] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}
        %po = llvm.getelementptr %o[%t] : (!llvm.ptr, i32) -> !llvm.ptr, {kind}
        %x = llvm.load %p : !llvm.ptr -> {kind}
        {call}
        llvm.store %r, %po : {kind}, !llvm.ptr
        llvm.return }}""",
        "sm_80",
    )


def _erfcinv(q: Any) -> Any:
    if q > 1:
        return -_erfcinv(2 - q)
    z = mp.erfinv(1 - q) if q > 0.01 else mp.sqrt(-mp.log(q))
    for _ in range(60):
        left = mp.erfc(z)
        step = (mp.log(left) - mp.log(q)) * left * mp.sqrt(mp.pi) / 2 * mp.exp(z * z)
        z += step
        if abs(step) < mp.mpf(10) ** -38 * abs(z):
            break
    return z


def _erfinv(y: Any) -> Any:
    return mp.sign(y) * _erfcinv(1 - abs(y)) if abs(y) > 0.5 else mp.erfinv(y)


def _erfcx(x: Any) -> Any:
    return erfcx_slow((x - 4) / (x + 4)) / (1 + 2 * x) if x > 50 else mp.erfc(x) * mp.exp(x * x)


def _lgamma(x: Any) -> Any:
    return mp.log(abs(mp.gamma(x)))


Range = tuple[float, float]
FUNCTIONS: dict[str, tuple[Any, Range, Range, int, int]] = {
    "cyl_bessel_i0": (lambda x: mp.besseli(0, x), (-88, 88), (-700, 700), 6, 6),
    "cyl_bessel_i1": (lambda x: mp.besseli(1, x), (-88, 88), (-700, 700), 6, 6),
    "erfcinv": (_erfcinv, (0, 2), (0, 2), 4, 6),
    "erfcx": (_erfcx, (-9, 9.3), (-26, 26), 4, 4),
    "erfinv": (_erfinv, (-1, 1), (-1, 1), 2, 5),
    "j0": (lambda x: mp.besselj(0, x), (-8, 8), (-8, 8), 9, 7),
    "j1": (lambda x: mp.besselj(1, x), (-8, 8), (-8, 8), 9, 7),
    "lgamma": (_lgamma, (-2.2, 40), (-2.2, 160), 6, 4),
    "normcdf": (lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, (-14, 6), (-38, 8), 5, 5),
    "normcdfinv": (lambda p: -mp.sqrt(2) * _erfcinv(2 * p), (0, 1), (0, 1), 5, 8),
    "tgamma": (mp.gamma, (-37, 35), (-170, 171), 11, 8),
    "y0": (lambda x: mp.bessely(0, x), (0.001, 8), (0.001, 8), 9, 7),
    "y1": (lambda x: mp.bessely(1, x), (0.001, 8), (0.001, 8), 9, 7),
}
"""By name: the exact function, where it is tried in f32 and in f64, and CUDA's bounds."""


def arguments(low: float, high: float, kind: str) -> np.ndarray:
    """Numbers of the range: evenly, near 0, and near the ends of a narrow one."""
    random = np.random.default_rng(3)
    tiny = 120 if kind == "f32" else 900
    x = random.uniform(low, high, POINTS)
    x[: POINTS // 4] = 2.0 ** random.uniform(-tiny, 1, POINTS // 4) * (1 if low >= 0 else random.choice([-1, 1]))
    if high - low <= 2:
        x[POINTS // 4 : POINTS // 2] = high - 2.0 ** random.uniform(-23 if kind == "f32" else -52, 0, POINTS // 4)
    return np.clip(x, low, high).astype(DTYPES[kind])


def error(name: str, kind: str) -> float:
    """The largest error in units in the last place of the exact result."""
    function, single, double, *_ = FUNCTIONS[name]
    x = arguments(*(single if kind == "f32" else double), kind)
    found = np.zeros_like(x)
    for first in range(0, POINTS, 1024):
        run(kernel(name, kind), "k", 1, 1024, [x[first : first + 1024].copy(), found[first : first + 1024]])
    worst = 0.0
    for a, b in zip(x, found, strict=True):
        if not np.isfinite(b) or (name in ("tgamma", "lgamma") and a <= 0 and a == np.floor(a)):
            continue
        wanted = function(mp.mpf(float(a)))
        unit = mp.mpf(float(np.spacing(np.abs(DTYPES[kind](float(wanted))))))
        worst = max(worst, float(abs(mp.mpf(float(b)) - wanted) / unit))
    return worst


def length(name: str, kind: str) -> int:
    """SASS instructions for sm_80."""
    return weft.disassemble(weft.assemble(kernel(name, kind)))["k"].count


def table(theirs: dict[tuple[str, str], int]) -> str:
    """Rows for all of them; `theirs` has nvcc's lengths."""
    heads = [f"CUDA ulp | {head} SASS | libdevice" for head in ("f32 ulp | apart | of | f32", "f64 ulp | f64")]
    rows = [f"| function | {heads[0]} | {heads[1]} |", "|---" * 11 + "|"]
    for name, (*_, single, double) in FUNCTIONS.items():
        found = check_singles.recorded(name) or check_singles.worst(name, 22)
        errors = f"{found.ulp:.2f} | {found.apart} | {found.of}", f"{error(name, 'f64'):.2f}"
        cells = [
            f"{bound} | {measured} | {length(name, kind) - length('', kind)} | {theirs[name, kind]}"
            for kind, bound, measured in (("f32", single, errors[0]), ("f64", double, errors[1]))
        ]
        rows.append(f"| {name} | {cells[0]} | {cells[1]} |")
    return "\n".join(rows)
