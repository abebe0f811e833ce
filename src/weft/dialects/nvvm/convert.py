"""Conversions between f32 or 16-bit floating point and the packed formats of 16, 8, 6 and 4 bits (`cvt`).

`rnd` is the rounding mode, `sat` the saturation, `relu` clamps negative results to zero; `dstTy` and `srcType` name the
element type that packed bytes stand for.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, VectorType, bf16, f16, f32, i8, i16, i32
from xdsl.ir import TypeAttribute
from xdsl.irdl import (
    AnyOf,
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.arith_attributes import FPRoundingMode, FPRoundingModeAttr, SaturationMode, SaturationModeAttr
from weft.dialects.verification import PlainVerifyException

NO = BoolAttr.from_bool(False)
NONE_RND = FPRoundingModeAttr(FPRoundingMode.NONE)
NONE_SAT = SaturationModeAttr(SaturationMode.NONE)
_BYTES = VectorType(i8, [2])
_PACKED = AnyOf((EqAttrConstraint(i16), EqAttrConstraint(_BYTES)))

F8 = ("f8E4M3FN", "f8E5M2")
F6 = ("f6E2M3FN", "f6E3M2FN")
F4 = ("f4E2M1FN",)
SCALE = ("f8E8M0FNU",)


def verify_format(written: TypeAttribute, formats: Sequence[str], direction: str, end: str = ".") -> None:
    """Refuse an element type that a conversion does not have."""
    if getattr(written, "name", "") in formats:
        return
    quoted = [f"'{name}'" for name in formats]
    if len(quoted) == 1:
        subject = f"{quoted[0]} type is"
    elif len(quoted) == 2:
        subject = f"{quoted[0]} and {quoted[1]} types are"
    else:
        subject = f"{', '.join(quoted[:-1])}, and {quoted[-1]} types are"
    raise VerifyException(f"Only {subject} supported for conversions from {direction}{end}")


class Conversion(IRDLOperation, ABC):
    """A pure operation whose properties stand in its dictionary."""

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)


class PairConversion(Conversion, ABC):
    """Two f32 packed, `a` above `b`; `dstTy` is what the packed bits stand for."""

    a = operand_def(f32)
    b = operand_def(f32)
    relu = prop_def(BoolAttr, default_value=NO)
    dst_ty = prop_def(TypeAttribute, prop_name="dstTy")

    assembly_format = "$a `,` $b attr-dict `:` type($dst) `` `(` $dstTy `)`"


class NarrowConversion(Conversion, ABC):
    """A pair of 16-bit floats packed as two bytes; the first element becomes the upper byte."""

    dst_ty = prop_def(TypeAttribute, prop_name="dstTy")
    dst = result_def(_PACKED)

    assembly_format = "$a attr-dict `:` type($a) `->` type($dst) `` `(` $dstTy `)`"


class WideConversion(Conversion, ABC):
    """Two packed elements as a pair of 16-bit floats; `srcType` is what the packed bits stand for."""

    src_type = prop_def(TypeAttribute, prop_name="srcType")

    assembly_format = "$src attr-dict `:` type($src) `` `(` $srcType `)` `->` type($dst)"


@irdl_op_definition
class ConvertFloatToTF32Op(Conversion):
    """`nvvm.convert.float.to.tf32 %src {rnd, sat, relu}`: an f32 rounded to tf32, as i32 bits."""

    name = "nvvm.convert.float.to.tf32"

    src = operand_def(f32)
    rnd = prop_def(FPRoundingModeAttr, default_value=NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=NONE_SAT)
    relu = prop_def(BoolAttr, default_value=NO)
    res = result_def(i32)

    assembly_format = "$src attr-dict"

    def verify_(self) -> None:
        """`rn`, `rz` or `rna`; `relu` is not for `rna`."""
        rounding = self.rnd.data.value
        if rounding not in ("rn", "rz", "rna"):
            raise PlainVerifyException("Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.")
        if rounding == "rna" and self.relu.value.data:
            raise PlainVerifyException("Relu not supported with rna rounding mode.")


@irdl_op_definition
class ConvertF32x2ToF4x2Op(PairConversion):
    """`nvvm.convert.f32x2.to.f4x2 %a, %b {relu} : i8 (f4E2M1FN)`: two f32 as nibbles of a byte, `a` the upper."""

    name = "nvvm.convert.f32x2.to.f4x2"

    dst = result_def(i8)

    def verify_(self) -> None:
        """To `f4E2M1FN` only."""
        verify_format(self.dst_ty, F4, "f32x2 to f4x2")


@irdl_op_definition
class ConvertF32x2ToF6x2Op(PairConversion):
    """`nvvm.convert.f32x2.to.f6x2 %a, %b {relu} : i16 (f6T)`: two f32 packed as fp6, a byte each."""

    name = "nvvm.convert.f32x2.to.f6x2"

    dst = result_def(_PACKED)

    def verify_(self) -> None:
        """To an fp6 type."""
        verify_format(self.dst_ty, F6, "f32x2 to f6x2")


@irdl_op_definition
class ConvertF32x2ToF8x2Op(PairConversion):
    """`nvvm.convert.f32x2.to.f8x2 %a, %b {rnd, sat, relu} : i16 (f8T)`: two f32 packed as fp8."""

    name = "nvvm.convert.f32x2.to.f8x2"

    rnd = prop_def(FPRoundingModeAttr, default_value=NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=NONE_SAT)
    dst = result_def(_PACKED)

    def verify_(self) -> None:
        """`rn` and `satfinite` for e4m3 and e5m2; `rz` or `rp`, without `relu`, for e8m0."""
        verify_format(self.dst_ty, F8 + SCALE, "f32x2 to f8x2", end="")
        if self.dst_ty.name in SCALE:
            _verify_scale_rounding(self.rnd, "f32x2 to 'f8E8M0FNU' type")
            if self.relu.value.data:
                raise VerifyException("relu not supported for conversions to 'f8E8M0FNU' type")
            return
        target = "for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types"
        if self.rnd.data is not FPRoundingMode.RN:
            raise VerifyException(f"Only RN rounding mode is supported {target}")
        if self.sat.data is not SaturationMode.SATFINITE:
            raise VerifyException(f"Only SATFINITE saturation mode is supported {target}")


def _verify_scale_rounding(rounding: FPRoundingModeAttr, direction: str) -> None:
    """`rz` or `rp`, the modes of conversions to e8m0."""
    if rounding.data not in (FPRoundingMode.RZ, FPRoundingMode.RP):
        raise VerifyException(f"Only RZ and RP rounding modes are supported for conversions from {direction}")


@irdl_op_definition
class ConvertF16x2ToF8x2Op(NarrowConversion):
    """`nvvm.convert.f16x2.to.f8x2 %a {relu} : vector<2xf16> -> i16 (f8T)`: the first element into the upper byte."""

    name = "nvvm.convert.f16x2.to.f8x2"

    a = operand_def(VectorType(f16, [2]))
    relu = prop_def(BoolAttr, default_value=NO)

    def verify_(self) -> None:
        """To e4m3 or e5m2."""
        verify_format(self.dst_ty, F8, "f16x2 to f8x2")


@irdl_op_definition
class ConvertBF16x2ToF8x2Op(NarrowConversion):
    """`nvvm.convert.bf16x2.to.f8x2 %a {rnd, sat} : vector<2xbf16> -> i16 (f8E8M0FNU)`: two scales."""

    name = "nvvm.convert.bf16x2.to.f8x2"

    a = operand_def(VectorType(bf16, [2]))
    rnd = prop_def(FPRoundingModeAttr, default_value=NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=NONE_SAT)

    def verify_(self) -> None:
        """To e8m0, with `rz` or `rp`."""
        verify_format(self.dst_ty, SCALE, "bf16x2 to f8x2")
        _verify_scale_rounding(self.rnd, "bf16x2 to f8x2.")


@irdl_op_definition
class ConvertF8x2ToF16x2Op(WideConversion):
    """`nvvm.convert.f8x2.to.f16x2 %src {relu} : vector<2xi8> (f8T) -> vector<2xf16>`."""

    name = "nvvm.convert.f8x2.to.f16x2"

    src = operand_def(_BYTES)
    relu = prop_def(BoolAttr, default_value=NO)
    dst = result_def(VectorType(f16, [2]))

    def verify_(self) -> None:
        """From e4m3 or e5m2."""
        verify_format(self.src_type, F8, "f8x2 to f16x2")


@irdl_op_definition
class ConvertF8x2ToBF16x2Op(WideConversion):
    """`nvvm.convert.f8x2.to.bf16x2 %src : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>`."""

    name = "nvvm.convert.f8x2.to.bf16x2"

    src = operand_def(_BYTES)
    dst = result_def(VectorType(bf16, [2]))

    def verify_(self) -> None:
        """From e8m0."""
        verify_format(self.src_type, SCALE, "f8x2 to bf16x2")


@irdl_op_definition
class ConvertF6x2ToF16x2Op(WideConversion):
    """`nvvm.convert.f6x2.to.f16x2 %src {relu} : vector<2xi8> (f6T) -> vector<2xf16>`."""

    name = "nvvm.convert.f6x2.to.f16x2"

    src = operand_def(_BYTES)
    relu = prop_def(BoolAttr, default_value=NO)
    dst = result_def(VectorType(f16, [2]))

    def verify_(self) -> None:
        """From an fp6 type."""
        verify_format(self.src_type, F6, "f6x2 to f16x2")


@irdl_op_definition
class ConvertF4x2ToF16x2Op(WideConversion):
    """`nvvm.convert.f4x2.to.f16x2 %src {relu} : i8 (f4E2M1FN) -> vector<2xf16>`."""

    name = "nvvm.convert.f4x2.to.f16x2"

    src = operand_def(i8)
    relu = prop_def(BoolAttr, default_value=NO)
    dst = result_def(VectorType(f16, [2]))

    def verify_(self) -> None:
        """From `f4E2M1FN`."""
        verify_format(self.src_type, F4, "f4x2 to f16x2")
