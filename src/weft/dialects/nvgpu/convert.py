"""Packed conversions and arithmetic: narrow floats in a word, and two f32 at once.

MLIR 22 has none of these operations; their formats follow those of `nvgpu` and of `nvvm.convert.*`.
"""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import BoolAttr, VectorType, bf16, f16, f32, i32
from xdsl.ir import Attribute, TypeAttribute
from xdsl.irdl import (
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

from weft.dialects.engine.attributes import attr, attr_class
from weft.dialects.verification import one_of

HALVES = VectorType(f16, [2])
BRAINS = VectorType(bf16, [2])
SINGLES = VectorType(f32, [2])
_NEAREST = attr("nvvm.fp_rnd_mode", "rn")

NARROW = ("f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
"""The narrow formats; a scale, `f8E8M0FNU`, goes with bf16 and not with f16."""


def _verify_narrow(element: TypeAttribute, wide: Attribute) -> None:
    name = getattr(element, "name", "")
    if name not in NARROW:
        raise VerifyException(f"expected a packed format of {', '.join(NARROW)}, got '{element}'")
    if wide == HALVES and name == "f8E8M0FNU":
        raise VerifyException("f8E8M0FNU is converted from and to bf16 and f32 only")
    if wide == BRAINS and name != "f8E8M0FNU":
        raise VerifyException(f"{name} is converted from and to f16 and f32 only")


@irdl_op_definition
class CvtFpExtOp(IRDLOperation):
    """`nvgpu.cvt_fpext %in {relu} : i32 (f8E4M3FN) -> vector<2xf16>`: the two narrow floats in the low bits of a word.

    The first of them, in the lowest bits, becomes element 0.  Formats of 8 and 6 bits take a byte each, `f4E2M1FN`
    half a byte.  8-bit formats need sm_89, the others an sm_100a-class target.
    """

    name = "nvgpu.cvt_fpext"

    in_ = operand_def(i32)
    src_type = prop_def(TypeAttribute, prop_name="srcType")
    relu = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    out = result_def(one_of(HALVES, BRAINS, SINGLES))

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$in_ attr-dict `:` type($in_) `(` $srcType `)` `->` type($out)"

    def verify_(self) -> None:
        """A format that the wide type goes with; `relu` is not for scales."""
        _verify_narrow(self.src_type, self.out.type)
        if self.relu.value.data and getattr(self.src_type, "name", "") == "f8E8M0FNU":
            raise VerifyException("relu is not supported for f8E8M0FNU")


@irdl_op_definition
class CvtFpTruncOp(IRDLOperation):
    """`nvgpu.cvt_fptrunc %in {rnd, relu} : vector<2xf32> -> i32 (f8E4M3FN)`: two floats in the low bits of a word.

    Element 0 goes to the lowest bits; the others are zero.  `rnd` is `rn`, for `f8E8M0FNU` `rz` or `rp`; what is out of
    range saturates.  8-bit formats need sm_89, the others an sm_100a-class target.
    """

    name = "nvgpu.cvt_fptrunc"

    in_ = operand_def(one_of(HALVES, BRAINS, SINGLES))
    dst_type = prop_def(TypeAttribute, prop_name="dstTy")
    rnd = prop_def(attr_class("nvvm.fp_rnd_mode"), default_value=_NEAREST)
    relu = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    out = result_def(i32)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$in_ attr-dict `:` type($in_) `->` type($out) `(` $dstTy `)`"

    def verify_(self) -> None:
        """A format that the wide type goes with, and its rounding."""
        _verify_narrow(self.dst_type, self.in_.type)
        name, rounding = getattr(self.dst_type, "name", ""), self.rnd.data.value
        allowed = ("rz", "rp") if name == "f8E8M0FNU" else ("rn",)
        if rounding not in allowed:
            raise VerifyException(f"expected rnd to be {' or '.join(allowed)} for {name}, got {rounding}")
        if self.relu.value.data and name == "f8E8M0FNU":
            raise VerifyException("relu is not supported for f8E8M0FNU")


_ROUNDINGS = ("rn", "rz", "rm", "rp")


class PackedOperation(IRDLOperation, ABC):
    """Arithmetic on two f32 at once, sm_100 and up."""

    rnd = prop_def(attr_class("nvvm.fp_rnd_mode"), default_value=_NEAREST)
    ftz = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    res = result_def(SINGLES)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)

    def verify_(self) -> None:
        """A rounding mode of arithmetic."""
        if self.rnd.data.value not in _ROUNDINGS:
            raise VerifyException(f"expected rnd to be {' or '.join(_ROUNDINGS)}, got {self.rnd.data.value}")


@irdl_op_definition
class FmaPackedF32x2Op(PackedOperation):
    """`nvgpu.fma.packed.f32x2 %a, %b, %c {rnd, ftz} : vector<2xf32>`: `a * b + c`, rounded once."""

    name = "nvgpu.fma.packed.f32x2"

    a = operand_def(SINGLES)
    b = operand_def(SINGLES)
    c = operand_def(SINGLES)

    assembly_format = "$a `,` $b `,` $c attr-dict `:` type($res)"


@irdl_op_definition
class MulPackedF32x2Op(PackedOperation):
    """`nvgpu.mul.packed.f32x2 %a, %b {rnd, ftz} : vector<2xf32>`: `a * b`."""

    name = "nvgpu.mul.packed.f32x2"

    a = operand_def(SINGLES)
    b = operand_def(SINGLES)

    assembly_format = "$a `,` $b attr-dict `:` type($res)"
