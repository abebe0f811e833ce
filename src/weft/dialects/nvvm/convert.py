"""Checks of conversions (`cvt`) between f32 or 16-bit floats and the packed formats of 8, 6 and 4 bits.

`rnd` is the rounding mode, `sat` the saturation, `relu` clamps negative results to zero; `dstTy` and `srcType` name the
element type that packed bytes stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

_SCALE = ("f8E8M0FNU",)
_FORMATS = {"f8": ("f8E4M3FN", "f8E5M2"), "f6": ("f6E2M3FN", "f6E3M2FN"), "f4": ("f4E2M1FN",)}
"""The formats of a width; scales go with bf16, and with f32 too."""


def _direction(op: Operation) -> tuple[str, str]:
    source, _, target = op.name.removeprefix("nvvm.convert.").partition(".to.")
    return source, target


def formats(op: Operation) -> None:
    """The packed format is one that the conversion has."""
    source, target = _direction(op)
    written = getattr(op.properties.get("dstTy", op.properties.get("srcType")), "name", "")
    narrow = min(source, target, key=lambda name: int(name.strip("b")[1:].partition("x")[0]))
    allowed = _SCALE if "bf16x2" in (source, target) else _FORMATS[narrow[:2]]
    if (source, target) == ("f32x2", "f8x2"):
        allowed += _SCALE
    if written in allowed:
        return
    quoted = [f"'{name}'" for name in allowed]
    if len(quoted) < 3:
        subject = " and ".join(quoted) + (" type is" if len(quoted) == 1 else " types are")
    else:
        subject = f"{', '.join(quoted[:-1])}, and {quoted[-1]} types are"
    end = "" if len(quoted) == 3 else "."
    raise VerifyException(f"Only {subject} supported for conversions from {source} to {target}{end}")


def tf32(op: nvvm.ConvertFloatToTf32Op) -> None:
    """`rn`, `rz` or `rna`; `relu` is not for `rna`."""
    if op.rnd.data not in ("rn", "rz", "rna"):
        raise PlainVerifyException("Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.")
    if op.rnd.data == "rna" and op.relu.value.data:
        raise PlainVerifyException("Relu not supported with rna rounding mode.")


def to_bytes(op: nvvm.ConvertF32X2ToF8X2Op) -> None:
    """Of two f32: `rn` and `satfinite` for e4m3 and e5m2; as scales, without `relu`, for e8m0."""
    if op.dst_ty.name in _SCALE:
        _verify_scale(op, "f32x2 to 'f8E8M0FNU' type")
        if op.relu.value.data:
            raise VerifyException("relu not supported for conversions to 'f8E8M0FNU' type")
        return
    target = "for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types"
    if op.rnd.data != "rn":
        raise VerifyException(f"Only RN rounding mode is supported {target}")
    if op.sat.data != "satfinite":
        raise VerifyException(f"Only SATFINITE saturation mode is supported {target}")


def scales(op: nvvm.ConvertBf16X2ToF8X2Op) -> None:
    """`rz` or `rp`, the modes of conversions to e8m0."""
    _verify_scale(op, "bf16x2 to f8x2.")


def _verify_scale(op: nvvm.ConvertF32X2ToF8X2Op | nvvm.ConvertBf16X2ToF8X2Op, direction: str) -> None:
    if op.rnd.data not in ("rz", "rp"):
        raise VerifyException(f"Only RZ and RP rounding modes are supported for conversions from {direction}")


def random(op: nvvm.ConvertF32X2ToF16X2Op | nvvm.ConvertF32X2ToBf16X2Op) -> None:
    """`rs` needs random bits, `rn` and `rz` take none, and there are no others."""
    mode = op.rnd.data
    if mode not in ("rn", "rz", "rs"):
        target = _direction(op)[1]
        message = f"Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to {target}."
        raise VerifyException(message)
    if mode == "rs" and op.random_bits is None:
        raise VerifyException("random_bits is required for RS rounding mode.")
    if mode != "rs" and op.random_bits is not None:
        raise VerifyException("random_bits not supported for RN and RZ rounding modes.")
