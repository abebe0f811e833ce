"""The bits of floating-point formats."""

from __future__ import annotations

from weft.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """A sign, so many bits of exponent and so many of significand behind the point, as IEEE 754 lays them out."""

    exponent: int
    significand: int

    @property
    def width(self) -> int:
        """The bits of all."""
        return 1 + self.exponent + self.significand

    @property
    def bias(self) -> int:
        """What is added to exponents."""
        return (1 << (self.exponent - 1)) - 1

    @property
    def sign(self) -> int:
        """The sign's bit."""
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        """The pattern of infinity: all ones in the exponent. (Formats of less than a byte have numbers there.)"""
        return self.sign - (1 << self.significand)

    @property
    def normal(self) -> int:
        """The pattern of the least normal number."""
        return 1 << self.significand

    @property
    def quiet(self) -> int:
        """The pattern of the first quiet NaN."""
        return self.infinity | 1 << (self.significand - 1)

    @property
    def largest(self) -> float:
        """The largest number of a format without infinities."""
        return (2.0 - 2.0**-self.significand) * 2.0 ** ((1 << self.exponent) - 1 - self.bias)


FORMATS = {"f16": Format(5, 10), "bf16": Format(8, 7), "f32": Format(8, 23), "f64": Format(11, 52)}
SMALL = {"f4E2M1FN": Format(2, 1), "f6E2M3FN": Format(2, 3), "f6E3M2FN": Format(3, 2)}
"""Formats without infinities and NaNs."""
