"""Floating-point numbers as mlir-opt spells them: `1.500000e+00` where six digits are enough, else what LLVM prints."""

from __future__ import annotations

import math
from fractions import Fraction

from xdsl.dialects.builtin import AnyFloat

_PRECISION = {
    "f128": 113, "f80": 64, "f64": 53, "f32": 24, "f16": 11, "tf32": 11, "bf16": 8, "f8E3M4": 5, "f8E4M3": 4,
    "f8E4M3FN": 4, "f8E4M3FNUZ": 4, "f8E4M3B11FNUZ": 4, "f6E2M3FN": 4, "f8E5M2": 3, "f8E5M2FNUZ": 3, "f6E3M2FN": 3,
    "f4E2M1FN": 2, "f8E8M0FNU": 1,
}  # fmt: skip
"""Bits of the significand."""
_SHORT = 6
"""Digits that are tried first."""
_WIDER_THAN_A_DOUBLE = {"f80", "f128"}
_MOST_ZEROS = 3
"""Zeros that are written out behind or in front of the digits; with more, the exponent is."""


def float_text(value: float, kind: AnyFloat) -> str:
    """A number of a type; in hexadecimal what has no decimal spelling: infinities, NaN, numbers without a fraction."""
    if math.isnan(value) or math.isinf(value):
        return _bits(value, kind)
    wide = kind.name in _WIDER_THAN_A_DOUBLE
    digits, exponent = _digits(value, _SHORT)
    short = f"{_sign(value)}{digits[0]}.{digits[1:]:0<{_SHORT}}e{exponent + len(digits) - 1:+03d}"
    held = Fraction(short) if wide else kind.unpack(kind.pack([float(short)]), 1)[0]
    if held == (Fraction(value) if wide else value):
        return short
    exact = _decimal(value, 2 + _PRECISION[kind.name] * 59 // 196)
    if "." in exact:
        return exact
    return f"{exact}.0" if wide else _bits(value, kind)


def _bits(value: float, kind: AnyFloat) -> str:
    return f"0x{int.from_bytes(kind.pack((value,)), 'little'):X}"


def _sign(value: float) -> str:
    return "-" if math.copysign(1, value) < 0 else ""


def _digits(value: float, precision: int) -> tuple[str, int]:
    """At most `precision` decimal digits of a number, and the power of ten of the last one, rounded as LLVM rounds.

    LLVM first cuts the digits to the bits that the precision needs, and then rounds what is left half up.
    """
    numerator, denominator = abs(value).as_integer_ratio()
    places = denominator.bit_length() - 1
    number, exponent = numerator * 5**places, -places
    spare = number.bit_length() - (precision * 196 + 58) // 59
    if spare > 0:
        number //= 10 ** (spare * 59 // 196)
        exponent += spare * 59 // 196
    extra = len(str(number)) - precision
    if extra > 0:
        number = (number // 10 ** (extra - 1) + 5) // 10
        exponent += extra
    text = str(number)
    digits = text.rstrip("0") or "0"
    return digits, exponent + len(text) - len(digits) if number else 0


def _decimal(value: float, precision: int) -> str:
    """A number in at most `precision` digits, as LLVM's `APFloat::toString` arranges them."""
    digits, exponent = _digits(value, precision)
    count = len(digits)
    leading = exponent + count - 1
    if exponent >= 0:
        scientific = exponent > _MOST_ZEROS or count + exponent > precision
    else:
        scientific = -leading > _MOST_ZEROS
    if scientific:
        return f"{_sign(value)}{digits[0]}.{digits[1:] or '0'}E{leading:+d}"
    if exponent >= 0:
        return _sign(value) + digits + "0" * exponent
    if leading >= 0:
        return f"{_sign(value)}{digits[: leading + 1]}.{digits[leading + 1 :]}"
    return f"{_sign(value)}0.{'0' * (-leading - 1)}{digits}"
