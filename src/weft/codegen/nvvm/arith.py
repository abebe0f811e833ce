"""Approximations and conversions to small floats."""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import B16, B32
from weft.codegen.ops.arith_cast import to_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout


@handles("nvvm.rcp.approx.ftz.f")
def select_rcp(s: Selector, op: Any) -> None:
    """1 / x, approximately."""
    s.values[op.results[0]] = s.pure("rcp.approx.ftz.f32", B32, s.register(s.get(op.operands[0]), B32))


def _modes(op: Any) -> dict[str, Any]:
    slots: dict[str, Any] = {}
    rounding = op.properties["rnd"].data.value
    if rounding != "none":
        slots["rnd"] = rounding
    saturation = op.properties["sat"].data.value
    if saturation != "none":
        slots["sat"] = saturation
    if op.properties["relu"].value.data:
        slots["relu"] = True
    return slots


@handles("nvvm.convert.float.to.tf32")
def select_tf32(s: Selector, op: Any) -> None:
    """An f32 rounded to tf32."""
    modes = _modes(op)
    text = ".".join(["cvt", *(str(k if v is True else v) for k, v in modes.items()), "tf32.f32"])
    out = s.pure(text, B32, s.register(s.get(op.operands[0]), B32))
    s.values[op.results[0]] = s.wrapped(out, layout(op.results[0].type).scalars[0])


_F8 = {"f8E4M3FN": "e4m3x2", "f8E5M2": "e5m2x2", "f8E8M0FNU": "ue8m0x2"}


@handles("nvvm.convert.f32x2.to.f8x2")
def select_f8x2(s: Selector, op: Any) -> None:
    """Two f32 as two packed 8-bit floats; the first operand goes into the upper byte."""
    modes = _modes(op)
    target = _F8[op.properties["dstTy"].name]
    text = ".".join(["cvt", *(str(k if v is True else v) for k, v in modes.items()), target, "f32"])
    a, b = (s.register(s.get(v), B32) for v in op.operands)
    packed = s.pure(text, B16, a, b)
    result = op.results[0]
    kinds = layout(result.type).scalars
    bits = to_bits(s, packed, Scalar("float", B16, 16, "f16"))
    if len(kinds) == 1:
        s.values[result] = s.unflatten(result.type, (bits,))
    else:
        s.values[result] = (bits, s.shift_right(bits, 8, signed=False))
