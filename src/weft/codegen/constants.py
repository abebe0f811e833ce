"""MLIR constants as values of the selector."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DenseIntOrFPElementsAttr, DenseResourceAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute

from weft.codegen import linear
from weft.codegen.graph import B16, B32, B64, PRED, Const
from weft.codegen.types import (
    Scalar,
    UnsupportedTypeError,
    element_types,
    has_wide_elements,
    is_vector,
    lanes_of,
    layout,
    scalar,
)
from weft.dialects.nans import NAMES, nan_pattern
from weft.dialects.strings import text_bytes

_SMALL_FLOATS = {
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
}
_FORMATS = {"f16": ("<e", "<H", 0x7C00), "f32": ("<f", "<I", 0x7F800000), "f64": ("<d", "<Q", 0)}


def float_pattern(value: float, name: str) -> int:
    """The bits of a float of MLIR type `name`, rounded to nearest even; a NaN keeps its own."""
    if value != value and name in NAMES and name != "tf32":
        return nan_pattern(value, name)
    if name == "bf16":
        bits = float_pattern(value, "f32")  # Of which it is the upper half, rounded to nearest even.
        return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    if name in _SMALL_FLOATS:
        return _small_pattern(value, _SMALL_FLOATS[name])
    found = _FORMATS.get("f32" if name == "tf32" else name)
    if found is None:
        raise UnsupportedTypeError(name)
    pack, unpack, infinity = found
    try:
        return struct.unpack(unpack, struct.pack(pack, _real(value, name)))[0]
    except OverflowError:
        sign = 1 << (8 * struct.calcsize(pack) - 1) if value < 0 else 0
        return infinity | sign


def _real(value: float, name: str) -> float:
    """A number as a float that rounds to a format as the number itself does, which a large integer need not."""
    if not isinstance(value, int) or name == "f64":
        return float(value)
    extra = max(0, abs(value).bit_length() - 53)
    head = abs(value) >> extra
    sticky = head << extra != abs(value)
    return math.copysign(math.ldexp(head | sticky, extra), value)


def _small_pattern(value: float, name: str) -> int:
    import ml_dtypes
    import numpy as np

    return int(np.asarray(value, np.float32).astype(getattr(ml_dtypes, name)).view(np.uint8))


def pattern(value: float, kind: Scalar) -> int:
    """The bits of a Python number as a scalar of a type, as they lie in memory."""
    if kind.floating:
        return float_pattern(value, kind.name)
    return int(value) & ((1 << kind.width) - 1)


def number(value: float, kind: Scalar) -> Any:
    """A Python number as a scalar of a type."""
    if kind.kind == "test":
        return Const(PRED, int(value) & 1)
    if kind.kind == "float":
        cls = {16: B16, 32: B32, 64: B64}[kind.width]
        return Const(cls, float_pattern(value, kind.name))
    if kind.kind == "wide":
        return linear.const(int(value)), linear.const(int(value) >> 64)
    bits = 32 if kind.width <= 32 else 64
    if kind.kind == "int" and kind.floating:
        return linear.const(float_pattern(value, kind.name), bits)
    return linear.const(int(value), bits)


def constant(attribute: Attribute, type_: Attribute) -> Any:
    """The value of a constant attribute of a type."""
    if isinstance(attribute, (IntegerAttr, FloatAttr)):
        return number(attribute.value.data, scalar(type_))
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        values: Any = attribute.get_values()
        if is_vector(type_):
            return vector(list(values), type_)
    if type_.name in ("llvm.array", "llvm.struct", "complex"):
        return tuple(part for parts in _members(attribute, type_) for part in parts)  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(attribute, DenseResourceAttr):
        raise UnsupportedTypeError("a constant in a resource")
    raise UnsupportedTypeError(f"the constant {attribute}")


def _members(attribute: Any, type_: Any) -> Iterator[tuple[Any, ...]]:
    """The scalars of each member of a constant aggregate."""
    members = element_types(type_)
    if isinstance(attribute, ArrayAttr):
        entries: list[Any] = list(attribute)  # pyright: ignore[reportUnknownArgumentType]
    elif (text := text_bytes(attribute)) is not None:
        yield from ((linear.const32(byte),) for byte in text)
        return
    elif isinstance(attribute, DenseIntOrFPElementsAttr):
        values: list[Any] = list(attribute.get_values())
        kinds = layout(type_).scalars
        if len(values) == 1:
            values *= len(kinds)
        if any(kind.kind == "packed" for kind in kinds) or len(values) != len(kinds):
            raise UnsupportedTypeError(f"the constant {attribute} of type {type_}")
        yield from ((number(value, kind),) for value, kind in zip(values, kinds, strict=True))
        return
    else:
        raise UnsupportedTypeError(f"the constant {attribute}")
    for member, entry in zip(members, entries, strict=True):
        found = constant(entry, member)
        yield found if isinstance(found, tuple) else (found,)  # pyright: ignore[reportUnknownVariableType]


def vector(values: list[Any], type_: Any) -> tuple[Any, ...]:
    """A constant vector; a single value is repeated."""
    count = 1
    for extent in type_.get_shape():
        count *= extent
    if len(values) == 1:
        values *= count
    if has_wide_elements(type_):
        return tuple(half for v in values for half in (linear.const(int(v)), linear.const(int(v) >> 64)))
    kind = scalar(type_.element_type)
    packed = lanes_of(type_)
    if packed is None:
        return tuple(number(v, kind) for v in values)
    per_lane = 32 // packed.width
    mask = (1 << packed.width) - 1
    patterns = [(float_pattern(v, kind.name) if kind.floating else int(v)) & mask for v in values]
    return tuple(
        Const(B32, sum(p << (i * packed.width) for i, p in enumerate(patterns[at : at + per_lane])))
        for at in range(0, count, per_lane)
    )


def constant_of(value: Any) -> int | None:
    """The number that a value of MLIR is, None for all but constants."""
    owner = value.owner
    if getattr(owner, "name", "") not in ("arith.constant", "llvm.mlir.constant", "index.constant"):
        return None
    found = getattr(getattr(owner.properties.get("value"), "value", None), "data", None)
    return found if isinstance(found, int) else None
