"""The 8-, 6- and 4-bit formats: codes from doubles, in every rounding mode, and doubles from codes.

Sources: PTX manual, "Alternate Floating-Point Data Formats" and "cvt"; `ue8m0` and `ue5m3` as `cuda_fp8.h` has them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from weft.dataclass import dataclass
from weft.sim.lanes import Array


@dataclass(frozen=True)
class Format:
    """A float format: `mantissa` bits, the exponent of its least normal number, its greatest finite code.

    `sign` is the bit of the sign, 0 when there is none; `nan` the code of NaN, None when there is none (NaN then
    becomes the greatest number); `inf` that of infinity.  `bits` is the room that a code takes in a packed type.
    """

    mantissa: int
    least: int
    top: int
    sign: int
    nan: int | None = None
    inf: int | None = None
    bits: int = 8

    @cached_property
    def values(self) -> Array:
        """The double of every code."""
        magnitude = self.sign or 1 << self.bits
        low = np.arange(magnitude)
        field, fraction = low >> self.mantissa, low & ((1 << self.mantissa) - 1)
        whole = np.where(field > 0, fraction + (1 << self.mantissa), fraction).astype(np.float64)
        values = np.ldexp(whole, np.maximum(field, 1) - 1 + self.least - self.mantissa)
        values[self.top + 1 :] = np.nan
        if self.inf is not None:
            values[self.inf] = np.inf
        return np.concatenate([values, -values]) if self.sign else values

    @property
    def limit(self) -> float:
        """The greatest finite value."""
        return float(self.values[self.top])

    def encode(self, x: Array, mode: str, finite: bool, random: tuple[Array, int] | None = None) -> Array:
        """Codes of doubles in rounding mode `rn`, `rz`, `rp` or `rs`; `finite` clamps what is too large.

        `random` are the random bits of `rs` and their number; they are added below the last bit that is kept.
        """
        magnitude = np.abs(x)
        exponent = np.where(magnitude > 0, np.maximum(np.frexp(magnitude)[1] - 1, self.least), self.least)
        scaled = np.ldexp(magnitude, self.mantissa - exponent)
        down = np.floor(scaled)
        rest = scaled - down
        if mode == "rn":
            up = (rest > 0.5) | ((rest == 0.5) & (down % 2 == 1))
        elif mode == "rp":
            up = (rest > 0) & (x > 0)
        elif mode == "rs":
            assert random is not None
            bits, count = random
            up = np.floor(rest * 2.0**count) + bits >= 2.0**count
        else:
            up = np.zeros(x.shape, np.bool_)
        with np.errstate(invalid="ignore"):
            code = (exponent - self.least) * (1 << self.mantissa) + (down + up)
        over = self.top if finite else self.inf if self.inf is not None else self.nan
        assert over is not None
        code = np.where(~(code <= self.top), over, code)
        if self.sign:
            code = np.where(np.signbit(x), code + self.sign, code)
        return np.where(np.isnan(x), self.top if self.nan is None else self.nan, code).astype(np.uint8)

    def decode(self, codes: Array) -> Array:
        """Doubles of codes."""
        return np.take(self.values, codes & codes.dtype.type(len(self.values) - 1))


class PowersOfTwo:
    """`ue8m0`: powers of two from 2**-127 to 2**127, without sign or zero; 0xFF is NaN."""

    bits = 8

    def encode(self, x: Array, mode: str, finite: bool, random: tuple[Array, int] | None = None) -> Array:
        """Codes of the magnitudes of doubles, rounded down (`rz`) or up (`rp`)."""
        fraction, exponent = np.frexp(np.abs(x))
        field = exponent - 1 + 127
        if mode == "rp":
            field = np.where(fraction > 0.5, field + 1, field)
        field = np.clip(np.where((x == 0), 0, np.where(np.isinf(x), 255, field)), 0, 254 if finite else 255)
        return np.where(np.isnan(x), 255, field).astype(np.uint8)

    def decode(self, codes: Array) -> Array:
        """Doubles of codes."""
        return np.where(codes == 255, np.nan, np.ldexp(1.0, codes.astype(np.int64) - 127))


class Fixed:
    """`s2f6`: two's complement with six bits of fraction; what does not fit is clamped, and NaN the greatest number."""

    bits = 8

    def encode(self, x: Array, mode: str, finite: bool, random: tuple[Array, int] | None = None) -> Array:
        """Codes of doubles, rounded to nearest even or towards zero."""
        whole = np.rint(x * 64) if mode == "rn" else np.trunc(x * 64)
        return np.clip(np.where(np.isnan(x), 127, whole), -128, 127).astype(np.int8).view(np.uint8)

    def decode(self, codes: Array) -> Array:
        """Doubles of codes."""
        return codes.astype(np.uint8).view(np.int8).astype(np.float64) / 64


FORMATS: dict[str, Format | PowersOfTwo | Fixed] = {
    "e4m3": Format(3, -6, 0x7E, 0x80, nan=0x7F),
    "e5m2": Format(2, -14, 0x7B, 0x80, nan=0x7F, inf=0x7C),
    "e3m2": Format(2, -2, 0x1F, 0x20),
    "e2m3": Format(3, 0, 0x1F, 0x20),
    "e2m1": Format(1, 0, 0x07, 0x08, bits=4),
    "ue5m3": Format(3, -14, 0xFE, 0, nan=0xFF),
    "ue8m0": PowersOfTwo(),
    "s2f6": Fixed(),
}
"""The narrow formats by name."""

UNSIGNED = frozenset({"ue5m3", "ue8m0"})
"""Those that have no sign: they take the magnitude."""
