"""Conversions, approximations and dot products; inline PTX."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, StringAttr, f32, i1, i32
from xdsl.ir import TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from weft.dialects.nvvm.attributes import FPRoundingMode, FPRoundingModeAttr, SaturationMode, SaturationModeAttr

_NO = BoolAttr.from_bool(False)
_NONE_RND = FPRoundingModeAttr(FPRoundingMode.NONE)
_NONE_SAT = SaturationModeAttr(SaturationMode.NONE)


@irdl_op_definition
class RcpApproxFtzF32Op(IRDLOperation):
    """`nvvm.rcp.approx.ftz.f %arg : f32`."""

    name = "nvvm.rcp.approx.ftz.f"

    arg = operand_def(f32)
    res = result_def(f32)

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($res)"


@irdl_op_definition
class ConvertFloatToTF32Op(IRDLOperation):
    """`nvvm.convert.float.to.tf32 %src {rnd, sat, relu}`: an f32 rounded to tf32, as i32 bits."""

    name = "nvvm.convert.float.to.tf32"

    src = operand_def(f32)
    rnd = prop_def(FPRoundingModeAttr, default_value=_NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=_NONE_SAT)
    relu = prop_def(BoolAttr, default_value=_NO)
    res = result_def(i32)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$src attr-dict"


@irdl_op_definition
class ConvertF32x2ToF8x2Op(IRDLOperation):
    """`nvvm.convert.f32x2.to.f8x2 %a, %b {rnd, sat, relu} : i16 (f8T)`: two f32 packed as fp8."""

    name = "nvvm.convert.f32x2.to.f8x2"

    a = operand_def(f32)
    b = operand_def(f32)
    rnd = prop_def(FPRoundingModeAttr, default_value=_NONE_RND)
    sat = prop_def(SaturationModeAttr, default_value=_NONE_SAT)
    relu = prop_def(BoolAttr, default_value=_NO)
    dst_ty = prop_def(TypeAttribute, prop_name="dstTy")
    dst = result_def()

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$a `,` $b attr-dict `:` type($dst) `(` $dstTy `)`"


@irdl_op_definition
class InlinePtxOp(IRDLOperation):
    """`nvvm.inline_ptx "code" ro(...) rw(...) (, predicate = %p)? -> types`: PTX text.

    `$0`, `$1`, ... stand for the operands: the results first."""

    name = "nvvm.inline_ptx"

    read_only_args = var_operand_def()
    read_write_args = var_operand_def()
    predicate = opt_operand_def(i1)
    ptx_code = prop_def(StringAttr, prop_name="ptxCode")
    write_only_args = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$ptxCode (`ro` `(` $read_only_args^ `:` type($read_only_args) `)`)? "
        "(`rw` `(` $read_write_args^ `:` type($read_write_args) `)`)? (`,` `predicate` `=` $predicate^)? attr-dict "
        "(`->` type($write_only_args)^)?"
    )
