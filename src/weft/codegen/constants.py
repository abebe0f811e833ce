"""MLIR constants as values of the selector."""

from __future__ import annotations

import struct
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, DenseResourceAttr, FloatAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute

from weft.codegen import linear
from weft.codegen.graph import B16, B32, B64, PRED, Const
from weft.codegen.types import Scalar, UnsupportedTypeError, lanes_of, scalar

_SMALL_FLOATS = {
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
}


def float_pattern(value: float, name: str) -> int:
    """The bits of a float of MLIR type `name`, rounded to nearest even."""
    if name == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    with np.errstate(over="ignore"):
        if name in ("f32", "tf32"):
            return int(np.float32(value).view(np.uint32))
        if name == "f16":
            return int(np.float16(value).view(np.uint16))
        if name == "bf16":
            return int(np.asarray(value, np.float32).astype(ml_dtypes.bfloat16).view(np.uint16))
        if name in _SMALL_FLOATS:
            return int(np.asarray(value, np.float32).astype(_SMALL_FLOATS[name]).view(np.uint8))
    raise UnsupportedTypeError(name)


def number(value: float, kind: Scalar) -> Any:
    """A Python number as a scalar of a type."""
    if kind.kind == "test":
        return Const(PRED, int(value) & 1)
    if kind.kind == "float":
        cls = {16: B16, 32: B32, 64: B64}[kind.width]
        return Const(cls, float_pattern(value, kind.name))
    bits = 32 if kind.width <= 32 else 64
    if kind.kind == "int" and kind.name[0] == "f":
        return linear.const(float_pattern(value, kind.name), bits)
    return linear.const(int(value), bits)


def constant(attribute: Attribute, type_: Attribute) -> Any:
    """The value of a constant attribute of a type."""
    if isinstance(attribute, (IntegerAttr, FloatAttr)):
        return number(attribute.value.data, scalar(type_))
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        values: Any = attribute.get_values()
        if isinstance(type_, VectorType):
            return vector(list(values), type_)
    if isinstance(attribute, DenseResourceAttr):
        raise UnsupportedTypeError("a constant in a resource")
    raise UnsupportedTypeError(f"the constant {attribute}")


def vector(values: list[Any], type_: VectorType[Any]) -> tuple[Any, ...]:
    """A constant vector; a single value is repeated."""
    count = 1
    for extent in type_.get_shape():
        count *= extent
    if len(values) == 1:
        values *= count
    kind = scalar(type_.element_type)
    packed = lanes_of(type_)
    if packed is None:
        return tuple(number(v, kind) for v in values)
    per_lane = 32 // packed.width
    mask = (1 << packed.width) - 1
    patterns = [
        (float_pattern(v, kind.name) if kind.name[0] in "fb" else int(v)) & mask for v in values
    ]
    return tuple(
        Const(B32, sum(p << (i * packed.width) for i, p in enumerate(patterns[at : at + per_lane])))
        for at in range(0, count, per_lane)
    )
