"""Conversions of f32 that can round stochastically, by bits that the caller gives (`cvt.rs`, sm_100a and sm_103a)."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import BoolAttr, VectorType, bf16, f16, f32, i8, i16, i32
from xdsl.ir import SSAValue, TypeAttribute
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.arith_attributes import FPRoundingModeAttr, SaturationModeAttr
from weft.dialects.nvvm.convert import F4, F6, F8, NO, NONE_RND, NONE_SAT, Conversion, verify_format


def _verify_rounding(rounding: FPRoundingModeAttr, bits: SSAValue | None, target: str) -> None:
    """`rs` needs random bits, `rn` and `rz` take none, and there are no others."""
    mode = rounding.data.value
    if mode not in ("rn", "rz", "rs"):
        message = f"Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to {target}."
        raise VerifyException(message)
    if mode == "rs" and bits is None:
        raise VerifyException("random_bits is required for RS rounding mode.")
    if mode != "rs" and bits is not None:
        raise VerifyException("random_bits not supported for RN and RZ rounding modes.")


class PairConversion(Conversion, ABC):
    """Two f32 as a pair of 16-bit floats, rounded by `random_bits` where `rnd` says so."""

    src_hi = operand_def(f32)
    src_lo = operand_def(f32)
    random_bits = opt_operand_def(i32)
    rnd = prop_def(FPRoundingModeAttr, default_value=NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=NONE_SAT)
    relu = prop_def(BoolAttr, default_value=NO)

    assembly_format = "$src_hi `,` $src_lo (`,` $random_bits^)? attr-dict `:` type($dst)"


class FourConversion(Conversion, ABC):
    """Four f32 packed, rounded by `rbits`; `dstTy` is what the packed bits stand for."""

    src = operand_def(VectorType(f32, [4]))
    rbits = operand_def(i32)
    relu = prop_def(BoolAttr, default_value=NO)
    dst_ty = prop_def(TypeAttribute, prop_name="dstTy")

    assembly_format = "$src `,` $rbits attr-dict `:` type($src) `->` type($dst) `` `(` $dstTy `)`"


@irdl_op_definition
class ConvertF32x2ToF16x2Op(PairConversion):
    """`nvvm.convert.f32x2.to.f16x2 %src_hi, %src_lo (, %random_bits)? {rnd, sat, relu} : vector<2xf16>`."""

    name = "nvvm.convert.f32x2.to.f16x2"

    dst = result_def(VectorType(f16, [2]))

    def verify_(self) -> None:
        """The rounding mode and the random bits go together."""
        _verify_rounding(self.rnd, self.random_bits, "f16x2")


@irdl_op_definition
class ConvertF32x2ToBF16x2Op(PairConversion):
    """`nvvm.convert.f32x2.to.bf16x2 %src_hi, %src_lo (, %random_bits)? {rnd, sat, relu} : vector<2xbf16>`."""

    name = "nvvm.convert.f32x2.to.bf16x2"

    dst = result_def(VectorType(bf16, [2]))

    def verify_(self) -> None:
        """The rounding mode and the random bits go together."""
        _verify_rounding(self.rnd, self.random_bits, "bf16x2")


@irdl_op_definition
class ConvertF32x4ToF8x4Op(FourConversion):
    """`nvvm.convert.f32x4.to.f8x4 %src, %rbits {relu} : vector<4xf32> -> vector<4xi8> (f8T)`."""

    name = "nvvm.convert.f32x4.to.f8x4"

    dst = result_def(VectorType(i8, [4]))

    def verify_(self) -> None:
        """To e4m3 or e5m2."""
        verify_format(self.dst_ty, F8, "f32x4 to f8x4")


@irdl_op_definition
class ConvertF32x4ToF6x4Op(FourConversion):
    """`nvvm.convert.f32x4.to.f6x4 %src, %rbits {relu} : vector<4xf32> -> vector<4xi8> (f6T)`."""

    name = "nvvm.convert.f32x4.to.f6x4"

    dst = result_def(VectorType(i8, [4]))

    def verify_(self) -> None:
        """To an fp6 type."""
        verify_format(self.dst_ty, F6, "f32x4 to f6x4")


@irdl_op_definition
class ConvertF32x4ToF4x4Op(FourConversion):
    """`nvvm.convert.f32x4.to.f4x4 %src, %rbits {relu} : vector<4xf32> -> i16 (f4E2M1FN)`."""

    name = "nvvm.convert.f32x4.to.f4x4"

    dst = result_def(i16)

    def verify_(self) -> None:
        """To `f4E2M1FN`."""
        verify_format(self.dst_ty, F4, "f32x4 to f4x4")
