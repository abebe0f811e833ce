"""What tensor cores round: products of matrices as published measurements describe them, for `mma="hardware"`.

NVIDIA documents none of it.  Measured on hardware, an instruction adds a few products and the accumulator at a time:
the terms are exact, each is cut off (toward zero) at a fixed number of bits below the greatest exponent among them, and
their exact sum is cut off to the accumulator's format; only sums in f16 are rounded to nearest.  Products keep the sum
of their factors' exponents, whatever their significands.

Sources: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7:e330
(2021), for Volta, Turing and Ampere; Xie, Wang, Yang, Yang, "MMA-Sim: bit-accurate reference model of tensor cores and
matrix cores", arXiv:2511.10909 (2025), for all of them; DeepSeek-AI, "DeepSeek-V3 technical report", arXiv:2412.19437
(2024), section 3.5.2, for the accumulators of 8-bit floats on Hopper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from weft.dataclass import dataclass
from weft.isa.target import TARGETS
from weft.sim.float64 import fma64
from weft.sim.lanes import Array
from weft.sim.semantics.convert import round_to

Mma = Literal["exact", "hardware"]
Sum = Callable[[Array, Array, Array], Array]
"""`A B + C` of doubles: batches by rows by K, batches by K by columns, batches by rows by columns; then the same."""

_SINCE = {70: (23, 8), 75: (24, 16), 89: (24, 16), 90: (25, 32)}
"""From an architecture on: the bits below the greatest exponent that terms keep, and the bytes of A that are summed at
once."""
_NARROW = 13
"""Those bits, and the significand's of the accumulator, for 8-bit floats in `mma` on sm_89 and `wgmma` on sm_90."""
_EIGHT = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
_LEAST = {"f16": -14, "e4m3": -6, "e5m2": -14, "e3m2": -2, "e2m3": 0, "e2m1": 0}
"""Exponents of the least normal numbers; -126 of the formats that have the exponents of f32."""
_ZERO = -126
"""The exponent that terms which are zero have."""
_MOST_TERMS = 1 << 21
"""Those that are summed at a time."""


@dataclass(frozen=True, slots=True)
class Core:
    """How an instruction sums: `bits` below the greatest exponent, `step` products at once, bits of the result."""

    bits: int
    step: int
    result: int
    atype: str
    btype: str
    dtype: str

    def sums(self, a: Array, b: Array, c: Array) -> Array:
        """`A B + C`; what is added, and what comes out, has the type of D."""
        out: Array = np.empty(np.broadcast_shapes(c.shape, (*a.shape[:-1], b.shape[-1])))
        flat: Array = out.reshape(-1, *out.shape[-2:])
        each = tuple(np.broadcast_to(m, (*out.shape[:-2], *m.shape[-2:])).reshape(-1, *m.shape[-2:]) for m in (a, b, c))
        count = max(1, _MOST_TERMS // (c.shape[-2] * c.shape[-1] * (self.step + 1)))
        for start in range(0, len(flat), count):
            part = [m[start : start + count] for m in each]
            flat[start : start + count] = self._sums(*part)
        return out

    def _sums(self, a: Array, b: Array, c: Array) -> Array:
        ea, eb = _exponents(a, self.atype), _exponents(b, self.btype)
        for k in range(0, a.shape[2], self.step):
            some = slice(k, k + self.step)
            terms = a[:, :, None, some] * b[:, some].transpose(0, 2, 1)[:, None]
            exponents = ea[:, :, None, some] + eb[:, some].transpose(0, 2, 1)[:, None]
            # The accumulator is one more term of the sum, aligned and cut off like the products.
            terms = np.concatenate([terms, c[..., None]], axis=3)
            exponents = np.concatenate([exponents, _exponents(c, self.dtype)[..., None]], axis=3)
            c = self._rounded(self._fused(terms, exponents))
        return c

    def _fused(self, terms: Array, exponents: Array) -> Array:
        """The sum of terms along the last axis, each cut off below the greatest exponent."""
        top = np.where(terms == 0, _ZERO, exponents).max(axis=3)
        with np.errstate(all="ignore"):
            # Alignment drops bits below, without rounding or a sticky bit: the sums of the integers that are left are
            # exact in f64.
            cut = np.trunc(np.ldexp(terms, (self.bits - top)[..., None]))
            total = np.ldexp(cut.sum(axis=3), top - self.bits)
            finite: Array = np.isfinite(terms)
            normal: Array = np.logical_and.reduce(finite, axis=3)
            plain: Array = np.add.reduce(terms, axis=3)
            return np.where(normal, total, plain)

    def _rounded(self, exact: Array) -> Array:
        if self.dtype == "f16":
            with np.errstate(over="ignore"):
                return round_to(exact, "f16", "rn").astype(np.float64)
        _, exponent = np.frexp(exact)
        unit = np.maximum(exponent - 1, -126) - self.result
        with np.errstate(all="ignore"):
            cut = np.ldexp(np.trunc(np.ldexp(exact, -unit)), unit)
            return np.where(np.isfinite(exact), cut.astype(np.float32).astype(np.float64), exact)


def _exponents(values: Array, type_: str) -> Array:
    """The exponents of elements; those of subnormal ones and of zeros are the least."""
    with np.errstate(all="ignore"):
        return np.maximum(np.frexp(values)[1] - 1, _LEAST.get(type_, -126))


def _chain(a: Array, b: Array, c: Array) -> Array:
    """`A B + C` in doubles, one product after the other."""
    for k in range(a.shape[-1]):
        c = fma64(a[..., :, k, None], b[..., k, None, :], c)
    return c


def core(target: str, stem: str, atype: str, btype: str, dtype: str) -> Sum | None:
    """How an instruction of a family sums on a target; None where nothing is known, or sums are exact."""
    found = TARGETS.get(target)
    if found is None or found.number < min(_SINCE):
        return None
    if dtype == "f64":
        return _chain
    if dtype not in ("f16", "f32"):
        return None
    bits, bytes_ = [known for number, known in _SINCE.items() if number <= found.number][-1]
    size = {"f16": 2, "bf16": 2, "tf32": 4}.get(atype, 1)
    result = 23
    if atype in _EIGHT and ((stem == "wgmma" and found.number == 90) or (stem == "mma" and found.number == 89)):
        bits = result = _NARROW
    return Core(bits, bytes_ // size, result, atype, btype, dtype).sums
