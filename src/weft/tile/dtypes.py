"""Element types of tile kernels, under the names that PTX and NumPy users write."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from weft.dataclass import dataclass
from weft.errors import WeftError

if TYPE_CHECKING:
    import numpy as np
    from xdsl.ir import Attribute


@dataclass(frozen=True, slots=True)
class DType:
    """A type of elements and scalars: its width in `bits` and its kind, ``float``, ``int``, ``uint``, ``bool`` or
    ``narrow``.
    """

    name: str
    bits: int
    kind: str

    @property
    def is_float(self) -> bool:
        """Whether it is a floating-point type."""
        return self.kind == "float"

    @property
    def signed(self) -> bool:
        """Whether integers of it are read as signed."""
        return self.kind == "int"

    @property
    def mlir(self) -> Attribute:
        """The MLIR type: integers are signless there."""
        return _mlir(self)

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy type (of `ml_dtypes` for the small floats)."""
        return _numpy(self)

    def __str__(self) -> str:
        return self.name


f64 = DType("f64", 64, "float")
f32 = DType("f32", 32, "float")
f16 = DType("f16", 16, "float")
bf16 = DType("bf16", 16, "float")
e4m3 = DType("e4m3", 8, "float")
e5m2 = DType("e5m2", 8, "float")
e8m0 = DType("e8m0", 8, "float")
"""Powers of two, the scales of blocks; it is only moved."""
e2m3 = DType("e2m3", 8, "narrow")
e3m2 = DType("e3m2", 8, "narrow")
"""Floats of 6 bits, each in the lower bits of a byte: moved, converted, multiplied on sm_120a."""
e2m1x2 = DType("e2m1x2", 8, "narrow")
"""Two floats of 4 bits, the first in the lower bits; it is only moved and multiplied, by `dot_scaled`."""
i64 = DType("i64", 64, "int")
i32 = DType("i32", 32, "int")
i16 = DType("i16", 16, "int")
i8 = DType("i8", 8, "int")
u64 = DType("u64", 64, "uint")
u32 = DType("u32", 32, "uint")
u16 = DType("u16", 16, "uint")
u8 = DType("u8", 8, "uint")
boolean = DType("bool", 1, "bool")
mask = DType("mask", 32, "bool")
"""What comparisons of tiles give: 1 or 0 for each element, in 32 bits."""

DTYPES = (f64, f32, f16, bf16, e4m3, e5m2, e2m3, e3m2, e8m0, e2m1x2, i64, i32, i16, i8, u64, u32, u16, u8, boolean)
_NUMPY = {
    "f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2", "e2m3": "float6_e2m3fn", "e3m2": "float6_e3m2fn", "e8m0": "float8_e8m0fnu",
    "e2m1x2": "float4_e2m1fn_x2",
    "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u64": "uint64",
    "u32": "uint32", "u16": "uint16", "u8": "uint8", "bool": "bool",
}  # fmt: skip
_BY_NAME = {t.name: t for t in DTYPES} | {_NUMPY[t.name]: t for t in DTYPES}


def dtype(given: object) -> DType:
    """The type named by `given`: a `DType`, ``"f16"``, ``"float16"``, or a NumPy type.

    Raises:
        WeftError: the type is unknown.
    """
    if isinstance(given, DType):
        return given
    name = given if isinstance(given, str) else getattr(given, "name", None) or getattr(given, "__name__", str(given))
    found = _BY_NAME.get(str(name))
    if found is None:
        raise WeftError(f"unknown element type {given!r}", hint="one of " + ", ".join(t.name for t in DTYPES))
    return found


def is_dtype(name: str) -> bool:
    """Whether a type has this name."""
    return name in _BY_NAME


@cache
def _mlir(given: DType) -> Attribute:
    from xdsl.dialects import builtin

    floats: dict[str, Attribute] = {
        "f64": builtin.f64,
        "f32": builtin.f32,
        "f16": builtin.f16,
        "bf16": builtin.bf16,
        "e4m3": builtin.Float8E4M3FNType(),
        "e5m2": builtin.Float8E5M2Type(),
        "e8m0": builtin.Float8E8M0FNUType(),
    }
    return floats.get(given.name) or builtin.IntegerType(given.bits)


@cache
def _numpy(given: DType) -> np.dtype[Any]:
    import ml_dtypes
    import numpy as np

    name = "uint8" if given is e2m1x2 else _NUMPY[given.name]
    return np.dtype(getattr(ml_dtypes, name, None) or name)
