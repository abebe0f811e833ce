"""Numbers of f80 and f128 as bytes, which xDSL does not write: the nearest of Python's numbers stands for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from xdsl.dialects import builtin

_FRACTIONS = {"f80": 63, "f128": 112}
"""The bits of the fraction; in f80 the bit before it is written too."""
_BIAS = 16383
_ALL = 0x7FFF


def pattern(value: float, name: str) -> int:
    """The bits of a number."""
    fraction = _FRACTIONS[name]
    explicit = name == "f80"
    sign = int(math.copysign(1, value) < 0)
    if math.isnan(value) or math.isinf(value):
        exponent, rest = _ALL, 1 << fraction - 1 if math.isnan(value) else 0
    elif value == 0:
        exponent, rest, explicit = 0, 0, False
    else:
        mantissa, power = math.frexp(abs(value))
        exponent = power - 1 + _BIAS
        rest = int(Fraction(mantissa) * (1 << fraction + 1)) - (1 << fraction)
    if name == "f80":
        return (sign << 15 | exponent) << 64 | int(explicit) << 63 | rest
    return (sign << 15 | exponent) << fraction | rest


def number(bits: int, name: str) -> float:
    """The number with these bits, or the nearest of Python's."""
    fraction = _FRACTIONS[name]
    shift = 64 if name == "f80" else fraction
    sign, exponent = -1.0 if bits >> shift + 15 else 1.0, bits >> shift & _ALL
    rest = bits & (1 << fraction) - 1
    if exponent == _ALL:
        return math.copysign(math.nan if rest else math.inf, sign)
    whole = bool(bits >> 63 & 1) if name == "f80" else exponent > 0
    scaled = Fraction(rest + (int(whole) << fraction)) * Fraction(2) ** (max(exponent, 1) - _BIAS - fraction)
    try:
        return sign * float(scaled)
    except OverflowError:
        return math.copysign(math.inf, sign)


def _install_on(cls: Any) -> None:
    def compile_time_size(self: Any) -> int:
        return 10 if self.name == "f80" else 16

    def pack(self: Any, values: Sequence[float]) -> bytes:
        return b"".join(pattern(value, self.name).to_bytes(self.compile_time_size, "little") for value in values)

    def unpack(self: Any, buffer: Any, num: int, /) -> tuple[float, ...]:
        data, size = bytes(buffer), self.compile_time_size
        return tuple(number(int.from_bytes(data[i * size : (i + 1) * size], "little"), self.name) for i in range(num))

    def iter_unpack(self: Any, buffer: Any, /) -> Iterator[float]:
        return iter(unpack(self, buffer, len(memoryview(buffer)) // self.compile_time_size))

    cls.compile_time_size = property(compile_time_size)
    cls.pack, cls.unpack, cls.iter_unpack = pack, unpack, iter_unpack


def install() -> None:
    """Make xDSL's classes of these types write and read bytes."""
    _install_on(builtin.Float80Type)
    _install_on(builtin.Float128Type)
