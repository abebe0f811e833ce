"""`cp.async`: asynchronous copies of 4, 8 or 16 bytes from global to shared memory, sm_80 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, BoolAttr, IntegerAttr, i1, i32
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
)

from weft.dialects.nvvm.memory_attributes import LoadCacheModifierAttr, LoadCacheModifierKind
from weft.dialects.nvvm.pointers import GENERIC_OR_SHARED, GLOBAL, SHARED
from weft.dialects.verification import Described, PlainVerifyException

_BIT = Described(IntegerAttr.constr(EqAttrConstraint(i1)), "1-bit signless integer attribute")


@irdl_op_definition
class CpAsyncOp(IRDLOperation):
    """`nvvm.cp.async.shared.global %dst, %src, size, cache = ca|cg (, %cpSize)?`: copy `size` bytes.

    With `cp_size` only that many bytes are read; the rest of the destination is zeroed.
    """

    name = "nvvm.cp.async.shared.global"

    dst = operand_def(SHARED)
    src = operand_def(GLOBAL)
    cp_size = opt_operand_def(i32)
    size = prop_def(IntegerAttr[I32])
    modifier = prop_def(LoadCacheModifierAttr)

    assembly_format = "$dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cp_size^)? attr-dict `:` type(operands)"

    def verify_(self) -> None:
        """Only 4, 8 and 16 bytes; `.cg` only 16."""
        size, modifier = self.size.value.data, self.modifier.data
        if modifier not in (LoadCacheModifierKind.CA, LoadCacheModifierKind.CG):
            raise PlainVerifyException("Only CG and CA cache modifiers are supported.")
        if size not in (4, 8, 16):
            raise PlainVerifyException("expected byte size to be either 4, 8 or 16.")
        if modifier == LoadCacheModifierKind.CG and size != 16:
            raise PlainVerifyException("CG cache modifier is only support for 16 bytes copy.")


@irdl_op_definition
class CpAsyncWaitGroupOp(IRDLOperation):
    """`nvvm.cp.async.wait.group N`: wait until at most N groups are in flight."""

    name = "nvvm.cp.async.wait.group"

    n = prop_def(IntegerAttr[I32])

    assembly_format = "$n attr-dict"


@irdl_op_definition
class CpAsyncMBarrierArriveOp(IRDLOperation):
    """`nvvm.cp.async.mbarrier.arrive %addr`: the barrier is arrived at when the thread's copies are done."""

    name = "nvvm.cp.async.mbarrier.arrive"

    addr = operand_def(GENERIC_OR_SHARED)
    noinc = prop_def(_BIT, default_value=BoolAttr.from_bool(False))

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr attr-dict `:` type(operands)"
