"""Warp-level communication: shuffles, votes, matches, reductions, elections."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, UnitAttr, f32, i1, i32, i64
from xdsl.dialects.llvm import LLVMStructType
from xdsl.irdl import (
    AnyOf,
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.sync_attributes import (
    MatchSyncKind,
    MatchSyncKindAttr,
    ReduxKindAttr,
    ShflKindAttr,
    VoteSyncKind,
    VoteSyncKindAttr,
)
from weft.dialects.verification import Described, one_of

_WORD = one_of(i32, f32)
_STRUCT = Described(LLVMStructType, "LLVM struct type")
_MASK_AND_AGREEMENT = LLVMStructType.from_type_list([i32, i1])


@irdl_op_definition
class ShflOp(IRDLOperation):
    """`nvvm.shfl.sync kind %thread_mask, %val, %offset, %mask_and_clamp : T -> T` (or `struct<(T, i1)>`)."""

    name = "nvvm.shfl.sync"

    thread_mask = operand_def(i32)
    val = operand_def(_WORD)
    offset = operand_def(i32)
    mask_and_clamp = operand_def(i32)
    kind = prop_def(ShflKindAttr)
    return_value_and_is_valid = opt_prop_def(UnitAttr)
    res = result_def(
        AnyOf((EqAttrConstraint(i32), EqAttrConstraint(f32), Described(LLVMStructType, "LLVM struct type")))
    )

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )

    def verify_(self) -> None:
        """The result has the type of the value; with `return_value_and_is_valid` it is a struct of that and an i1."""
        result, value = self.res.type, self.val.type
        if self.return_value_and_is_valid is None:
            if isinstance(result, LLVMStructType):
                raise VerifyException(
                    '"return_value_and_is_valid" attribute must be specified when the return type is a struct type'
                )
            if result != value:
                raise VerifyException(f"expected return type to be of type '{value}' but got '{result}' instead")
            return
        if not isinstance(result, LLVMStructType) or len(result.types) != 2:
            raise VerifyException("expected return type to be a two-element struct")
        for place, expected, found in zip(("first", "second"), (value, i1), result.types, strict=True):
            if found != expected:
                raise VerifyException(
                    f"expected {place} element in the returned struct to be of type '{expected}' "
                    f"but got '{found}' instead"
                )


@irdl_op_definition
class VoteSyncOp(IRDLOperation):
    """`nvvm.vote.sync kind %mask, %pred -> T`: i32 for `ballot`, else i1."""

    name = "nvvm.vote.sync"

    mask = operand_def(i32)
    pred = operand_def(i1)
    kind = prop_def(VoteSyncKindAttr)
    res = result_def(one_of(i32, i1))

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
    val = operand_def(one_of(i32, i64))
    kind = prop_def(MatchSyncKindAttr)
    res = result_def(AnyOf((EqAttrConstraint(i32), _STRUCT)))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        """`any` gives a mask, `all` also whether all lanes agree."""
        if self.kind.data is MatchSyncKind.ANY:
            if self.res.type != i32:
                raise VerifyException("match.sync 'any' returns an i32")
        elif self.res.type != _MASK_AND_AGREEMENT:
            raise VerifyException(
                "match.sync 'all' returns a two element struct with first element as i32 and second element as i1"
            )


@irdl_op_definition
class ReduxOp(IRDLOperation):
    """`nvvm.redux.sync kind %val, %mask : T -> T`: combine over the lanes of a mask, sm_80 and up (floats sm_100a)."""

    name = "nvvm.redux.sync"

    val = operand_def(_WORD)
    mask_and_clamp = operand_def(i32)
    kind = prop_def(ReduxKindAttr)
    abs = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    nan = prop_def(BoolAttr, default_value=BoolAttr.from_bool(False))
    res = result_def(_WORD)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        """The type goes with the kind; `abs` and `nan` are for floating point."""
        kind, found = self.kind.data.value, self.val.type
        if self.res.type != found:
            raise VerifyException("failed to verify that all of {res, val} have same type")
        for name, given in (("abs", self.abs), ("nan", self.nan)):
            if found != f32 and given.value.data:
                raise VerifyException(f"{name} attribute is supported only for f32 type")
        expected = f32 if kind in ("fmin", "fmax") else i32
        if found != expected:
            raise VerifyException(
                f"'{kind}' redux kind unsupported with '{found}' type. Only supported type is '{expected}'."
            )


@irdl_op_definition
class ElectSyncOp(IRDLOperation):
    """`nvvm.elect.sync (%mask)? -> i1`: true in one lane of the mask, sm_90 and up."""

    name = "nvvm.elect.sync"

    membermask = opt_operand_def(i32)
    pred = result_def(i1)

    assembly_format = "($membermask^)? attr-dict `->` type(results)"
