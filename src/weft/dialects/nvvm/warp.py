"""Warp-level communication: shuffles, votes, matches, reductions, elections."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, IntegerType, UnitAttr, i1, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.sync_attributes import (
    MatchSyncKindAttr,
    ReduxKindAttr,
    ShflKindAttr,
    VoteSyncKind,
    VoteSyncKindAttr,
)


@irdl_op_definition
class ShflOp(IRDLOperation):
    """`nvvm.shfl.sync kind %thread_mask, %val, %offset, %mask_and_clamp : T -> T` (or `struct<(T, i1)>`)."""

    name = "nvvm.shfl.sync"

    thread_mask = operand_def(i32)
    val = operand_def()
    offset = operand_def(i32)
    mask_and_clamp = operand_def(i32)
    kind = prop_def(ShflKindAttr)
    return_value_and_is_valid = opt_prop_def(UnitAttr)
    res = result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )

    def verify_(self) -> None:
        """With `return_value_and_is_valid` the result is a struct of the value and an i1."""
        if self.return_value_and_is_valid is None:
            return
        result = self.res.type
        if not isinstance(result, LLVMStructType):
            raise VerifyException("expected return type to be a two-element struct")
        if len(result.types) != 2 or result.types.data[1] != i1:
            raise VerifyException("expected second element in the returned struct to be i1")


@irdl_op_definition
class VoteSyncOp(IRDLOperation):
    """`nvvm.vote.sync kind %mask, %pred -> T`: i32 for `ballot`, else i1."""

    name = "nvvm.vote.sync"

    mask = operand_def(i32)
    pred = operand_def(i1)
    kind = prop_def(VoteSyncKindAttr)
    res = result_def(base(IntegerType))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $mask `,` $pred attr-dict `->` type($res)"

    def verify_(self) -> None:
        """The result type goes with the kind."""
        if self.kind.data == VoteSyncKind.BALLOT:
            if self.res.type != i32:
                raise VerifyException("vote.sync 'ballot' returns an i32")
        elif self.res.type != i1:
            raise VerifyException("vote.sync 'any', 'all' and 'uni' returns an i1")


@irdl_op_definition
class MatchSyncOp(IRDLOperation):
    """`nvvm.match.sync kind %thread_mask, %val : T -> U`: which lanes hold the same value."""

    name = "nvvm.match.sync"

    thread_mask = operand_def(i32)
    val = operand_def(base(IntegerType))
    kind = prop_def(MatchSyncKindAttr)
    res = result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"


@irdl_op_definition
class ReduxOp(IRDLOperation):
    """`nvvm.redux.sync kind %val, %mask : T -> T`: combine over the lanes of a mask, sm_80 and up (floats sm_100a)."""

    name = "nvvm.redux.sync"

    val = operand_def()
    mask_and_clamp = operand_def(i32)
    kind = prop_def(ReduxKindAttr)
    abs = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    nan = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    res = result_def()

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        """`abs` and `nan` are for floating point."""
        kind = self.kind.data.value
        is_float = kind in ("fmin", "fmax")
        if not is_float and self.val.type != i32:
            raise VerifyException(f"'{kind}' redux kind unsupported with float type. Only supported type is 'i32'.")
        if not is_float and self.abs.value.data:
            raise VerifyException("abs attribute is supported only for f32 type")
        if not is_float and self.nan.value.data:
            raise VerifyException("nan attribute is supported only for f32 type")


@irdl_op_definition
class ElectSyncOp(IRDLOperation):
    """`nvvm.elect.sync (%mask)? -> i1`: true in one lane of the mask, sm_90 and up."""

    name = "nvvm.elect.sync"

    membermask = opt_operand_def(i32)
    pred = result_def(i1)

    assembly_format = "($membermask^)? attr-dict `->` type(results)"
