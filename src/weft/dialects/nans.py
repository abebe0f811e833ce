"""NaNs with their bits: xDSL keeps a float as a Python number, and loses which NaN it is on the way to bytes and back.

Here a NaN of any type is the f64 NaN with the same sign whose fraction begins with the bits of the type's own.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.dialects import builtin
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr

_FRACTIONS = {
    "f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52), "tf32": (8, 10), "f8E5M2": (5, 2),
    "f8E4M3": (4, 3), "f8E3M4": (3, 4),
}  # fmt: skip
"""The bits of the exponent and of the fraction of the types that have many NaNs."""
_SIGNED = {"f8E4M3FN": (1 << 7, 0x7F)}
"""The bit of the sign and the rest, of the type that has two."""
_ONLY = {"f8E5M2FNUZ": 0x80, "f8E4M3FNUZ": 0x80, "f8E4M3B11FNUZ": 0x80, "f8E8M0FNU": 0xFF}
"""The NaN of the types that have one."""
NAMES = (*_FRACTIONS, *_SIGNED, *_ONLY)
_TYPES = (
    "BFloat16Type", "Float16Type", "Float32Type", "Float64Type", "FloatTF32Type", "ReducedPrecisionFloatType",
)  # fmt: skip
_F64 = 52


def nan_pattern(value: float, name: str) -> int:
    """The bits of a NaN as one of the MLIR type `name`, which has NaNs."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    negative = bits >> 63
    if name in _ONLY:
        return _ONLY[name]
    if name in _SIGNED:
        sign, rest = _SIGNED[name]
        return rest | sign * negative
    exponent, fraction = _FRACTIONS[name]
    kept = (bits & (1 << _F64) - 1) >> _F64 - fraction
    return (negative << exponent | (1 << exponent) - 1) << fraction | (kept or 1 << fraction - 1)


def nan_of_pattern(bits: int, name: str) -> float:
    """The NaN with these bits."""
    if name in _ONLY:
        return math.nan
    if name in _SIGNED:
        return math.copysign(math.nan, -1.0 if bits & _SIGNED[name][0] else 1.0)
    exponent, fraction = _FRACTIONS[name]
    kept = (bits & (1 << fraction) - 1) << _F64 - fraction
    wide = (bits >> exponent + fraction) << 63 | 0x7FF << _F64 | kept
    return struct.unpack("<d", struct.pack("<Q", wide))[0]


def _install_on(cls: Any) -> None:
    pack, unpack = cls.pack, cls.unpack

    def pack_exactly(self: Any, values: Sequence[float]) -> bytes:
        if all(v == v for v in values) or self.name not in NAMES:
            return pack(self, values)
        found: bytes = pack(self, [0.0 if v != v else v for v in values])
        data, size = bytearray(found), self.compile_time_size
        for i, value in enumerate(values):
            if value != value:
                data[i * size : (i + 1) * size] = nan_pattern(value, self.name).to_bytes(size, "little")
        return bytes(data)

    def unpack_exactly(self: Any, buffer: Any, num: int, /) -> tuple[float, ...]:
        values: tuple[float, ...] = unpack(self, buffer, num)
        if self.name not in NAMES or all(v == v for v in values):
            return values
        data, size = bytes(buffer), self.compile_time_size
        return tuple(
            value
            if value == value
            else nan_of_pattern(int.from_bytes(data[i * size : (i + 1) * size], "little"), self.name)
            for i, value in enumerate(values)
        )

    def iter_unpack_exactly(self: Any, buffer: Any, /) -> Iterator[float]:
        return iter(unpack_exactly(self, buffer, len(memoryview(buffer)) // self.compile_time_size))

    cls.pack, cls.unpack, cls.iter_unpack = pack_exactly, unpack_exactly, iter_unpack_exactly


def _is_splat(self: DenseIntOrFPElementsAttr[Any]) -> bool:
    """Whether all elements have the same bits: NaN is not equal to itself, and 0 is to -0."""
    data = self.data.data
    count = math.prod(self.get_shape())
    return count > 0 and data == data[: len(data) // count] * count


def install() -> None:
    """Make xDSL's float types keep NaNs, and its dense attributes tell elements apart by their bits."""
    for name in _TYPES:
        _install_on(getattr(builtin, name))
    cast("Any", DenseIntOrFPElementsAttr).is_splat = _is_splat
