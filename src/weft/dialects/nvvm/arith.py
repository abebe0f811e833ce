"""Approximations, dot products and byte permutes; inline PTX."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, StringAttr, VectorType, f32, i1, i8, i16, i32
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

from weft.dialects.nvvm.arith_attributes import DotAccumulateTypeAttr, PermuteModeAttr
from weft.dialects.verification import PlainVerifyException


@irdl_op_definition
class RcpApproxFtzF32Op(IRDLOperation):
    """`nvvm.rcp.approx.ftz.f %arg : f32`."""

    name = "nvvm.rcp.approx.ftz.f"

    arg = operand_def(f32)
    res = result_def(f32)

    traits = traits_def(Pure())
    assembly_format = "$arg attr-dict `:` type($res)"


@irdl_op_definition
class DotAccumulate4WayOp(IRDLOperation):
    """`nvvm.dot.accumulate.4way %a <signed>, %b <signed>, %c : vector<4xi8>, vector<4xi8>`: c plus the dot product."""

    name = "nvvm.dot.accumulate.4way"

    a = operand_def(VectorType(i8, [4]))
    b = operand_def(VectorType(i8, [4]))
    c = operand_def(i32)
    a_type = prop_def(DotAccumulateTypeAttr)
    b_type = prop_def(DotAccumulateTypeAttr)
    res = result_def(i32)

    traits = traits_def(Pure())
    assembly_format = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


@irdl_op_definition
class DotAccumulate2WayOp(IRDLOperation):
    """`nvvm.dot.accumulate.2way %a <signed>, %b <signed>, %c {b_hi} : vector<2xi16>, vector<4xi8>`.

    `b_hi` takes the upper two bytes of `b`, else the lower two.
    """

    name = "nvvm.dot.accumulate.2way"

    a = operand_def(VectorType(i16, [2]))
    b = operand_def(VectorType(i8, [4]))
    c = operand_def(i32)
    a_type = prop_def(DotAccumulateTypeAttr)
    b_type = prop_def(DotAccumulateTypeAttr)
    b_hi = prop_def(BoolAttr)
    res = result_def(i32)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


@irdl_op_definition
class PermuteOp(IRDLOperation):
    """`nvvm.prmt <mode> %selector, %lo (, %hi)? : i32`: bytes of `hi` and `lo` picked by the selector."""

    name = "nvvm.prmt"

    lo = operand_def(i32)
    hi = opt_operand_def(i32)
    selector = operand_def(i32)
    mode = prop_def(PermuteModeAttr)
    res = result_def(i32)

    traits = traits_def(Pure())
    assembly_format = "$mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res)"

    def verify_(self) -> None:
        """`default`, `f4e` and `b4e` pick from two words, the others from one."""
        mode = self.mode.data.value
        if mode in ("default", "f4e", "b4e"):
            if self.hi is None:
                raise PlainVerifyException(f"mode '{mode}' requires 'hi' operand.")
        elif self.hi is not None:
            raise PlainVerifyException(f"mode '{mode}' does not accept 'hi' operand.")


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
