"""`cp.async.bulk` and `cp.async.bulk.tensor` (TMA), prefetches; sm_90 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import I32, BoolAttr, IntegerAttr, UnitAttr, i1, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import BareType
from weft.dialects.nvvm.memory_attributes import (
    CacheEvictionPriorityAttr,
    PrefetchCacheLevelAttr,
    TMALoadMode,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreMode,
    TMAStoreModeAttr,
)
from weft.dialects.nvvm.pointers import SHARED

_TILE_LOAD = TMALoadModeAttr(TMALoadMode.TILE)
_TILE_STORE = TMAStoreModeAttr(TMAStoreMode.TILE)


def _verify_rank(rank: int) -> None:
    if not 1 <= rank <= 5:
        raise VerifyException("expected coordinates between 1 to 5 dimension")


@irdl_op_definition
class CpAsyncBulkTensorGlobalToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.shared.cluster.global %dst, %desc, %mbar, box[%coordinates]`: TMA load of a box."""

    name = "nvvm.cp.async.bulk.tensor.shared.cluster.global"

    dst_mem = operand_def(LLVMPointerType)
    tma_descriptor = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    mbar = operand_def(SHARED)
    im2col_offsets = var_operand_def(i16)
    multicast_mask = opt_operand_def(i16)
    l2_cache_hint = opt_operand_def(i64)
    predicate = opt_operand_def(i1)
    mode = prop_def(TMALoadModeAttr, default_value=_TILE_LOAD)
    is_cta_only = prop_def(BoolAttr, prop_name="isCTAOnly", default_value=BoolAttr.from_bool(False))

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$dst_mem `,` $tma_descriptor `,` $mbar `,` `box` `[` $coordinates `]` "
        "(`im2col` `[` $im2col_offsets^ `]`)? (`multicast_mask` `=` $multicast_mask^)? "
        "(`l2_cache_hint` `=` $l2_cache_hint^)? (`predicate` `=` $predicate^)? "
        "attr-dict `:` type($dst_mem) `,` type($tma_descriptor)"
    )

    def verify_(self) -> None:
        """1 to 5 coordinates."""
        _verify_rank(len(self.coordinates))


@irdl_op_definition
class CpAsyncBulkTensorSharedCTAToGlobalOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.global.shared.cta %desc, %src, box[%coordinates]`: TMA store of a box."""

    name = "nvvm.cp.async.bulk.tensor.global.shared.cta"

    tma_descriptor = operand_def(LLVMPointerType)
    src_mem = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)
    predicate = opt_operand_def(i1)
    mode = prop_def(TMAStoreModeAttr, default_value=_TILE_STORE)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (BareType,)
    assembly_format = (
        "$tma_descriptor `,` $src_mem `,` `box` `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? "
        "(`,` `predicate` `=` $predicate^)? attr-dict `:` type($tma_descriptor) `,` custom<BareType>(type($src_mem))"
    )

    def verify_(self) -> None:
        """1 to 5 coordinates."""
        _verify_rank(len(self.coordinates))


@irdl_op_definition
class CpAsyncBulkTensorReduceOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.reduce %desc, %src, box[%coordinates] {redKind}`: TMA store that combines."""

    name = "nvvm.cp.async.bulk.tensor.reduce"

    tma_descriptor = operand_def(LLVMPointerType)
    src_mem = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)
    red_kind = prop_def(TMAReduxKindAttr, prop_name="redKind")
    mode = prop_def(TMAStoreModeAttr, default_value=_TILE_STORE)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (BareType,)
    assembly_format = (
        "$tma_descriptor `,` $src_mem `,` `box` `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? "
        "attr-dict `:` type($tma_descriptor) `,` custom<BareType>(type($src_mem))"
    )

    def verify_(self) -> None:
        """1 to 5 coordinates."""
        _verify_rank(len(self.coordinates))


@irdl_op_definition
class CpAsyncBulkTensorPrefetchOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.prefetch %desc, box[%coordinates]`: TMA load into L2 only."""

    name = "nvvm.cp.async.bulk.tensor.prefetch"

    tma_descriptor = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    im2col_offsets = var_operand_def(i16)
    l2_cache_hint = opt_operand_def(i64)
    mode = prop_def(TMALoadModeAttr, default_value=_TILE_LOAD)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$tma_descriptor `,` `box` `[` $coordinates `]` (`im2col` `[` $im2col_offsets^ `]`)? "
        "(`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:` type($tma_descriptor)"
    )

    def verify_(self) -> None:
        """1 to 5 coordinates."""
        _verify_rank(len(self.coordinates))


@irdl_op_definition
class CpAsyncBulkCommitGroupOp(IRDLOperation):
    """`nvvm.cp.async.bulk.commit.group`: the bulk stores issued so far form a group."""

    name = "nvvm.cp.async.bulk.commit.group"

    assembly_format = "attr-dict"


@irdl_op_definition
class CpAsyncBulkWaitGroupOp(IRDLOperation):
    """`nvvm.cp.async.bulk.wait_group N {read}`: wait until at most N groups are in flight (have still to read)."""

    name = "nvvm.cp.async.bulk.wait_group"

    group = prop_def(IntegerAttr[I32])
    read = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$group attr-dict"


@irdl_op_definition
class CpAsyncBulkGlobalToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.shared.cluster.global %dst, %src, %mbar, %size`: copy bytes into shared memory."""

    name = "nvvm.cp.async.bulk.shared.cluster.global"

    dst_mem = operand_def(LLVMPointerType)
    src_mem = operand_def(LLVMPointerType)
    mbar = operand_def(SHARED)
    size = operand_def(i32)
    multicast_mask = opt_operand_def(i16)
    l2_cache_hint = opt_operand_def(i64)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (BareType,)
    assembly_format = (
        "$dst_mem `,` $src_mem `,` $mbar `,` $size (`multicast_mask` `=` $multicast_mask^)? "
        "(`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:` type($dst_mem) `,` custom<BareType>(type($src_mem))"
    )


@irdl_op_definition
class CpAsyncBulkSharedCTAToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.shared.cluster.shared.cta %dst, %src, %mbar, %size`: copy bytes to another block's memory."""

    name = "nvvm.cp.async.bulk.shared.cluster.shared.cta"

    dst_mem = operand_def(LLVMPointerType)
    src_mem = operand_def(LLVMPointerType)
    mbar = operand_def(SHARED)
    size = operand_def(i32)

    custom_directives = (BareType,)
    assembly_format = (
        "$dst_mem `,` $src_mem `,` $mbar `,` $size attr-dict `:` "
        "custom<BareType>(type($dst_mem)) `,` custom<BareType>(type($src_mem))"
    )


@irdl_op_definition
class CpAsyncBulkSharedCTAToGlobalOp(IRDLOperation):
    """`nvvm.cp.async.bulk.global.shared.cta %dst, %src, %size`: copy bytes out of shared memory."""

    name = "nvvm.cp.async.bulk.global.shared.cta"

    dst_mem = operand_def(LLVMPointerType)
    src_mem = operand_def(LLVMPointerType)
    size = operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)
    byte_mask = opt_operand_def(i16)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (BareType,)
    assembly_format = (
        "$dst_mem `,` $src_mem `,` $size (`l2_cache_hint` `=` $l2_cache_hint^)? (`byte_mask` `=` $byte_mask^)? "
        "attr-dict `:` custom<BareType>(type($dst_mem)) `,` custom<BareType>(type($src_mem))"
    )


@irdl_op_definition
class CpAsyncBulkPrefetchOp(IRDLOperation):
    """`nvvm.cp.async.bulk.prefetch %src, %size`: bring bytes into L2."""

    name = "nvvm.cp.async.bulk.prefetch"

    src_mem = operand_def(LLVMPointerType)
    size = operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)

    custom_directives = (BareType,)
    assembly_format = (
        "$src_mem `,` $size (`l2_cache_hint` `=` $l2_cache_hint^)? attr-dict `:` custom<BareType>(type($src_mem))"
    )


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """`nvvm.prefetch (level = L1|L2 ,)? (tensormap ,)? %addr (, predicate = %p)?`."""

    name = "nvvm.prefetch"

    addr = operand_def(LLVMPointerType)
    predicate = opt_operand_def(i1)
    cache_level = opt_prop_def(PrefetchCacheLevelAttr, prop_name="cacheLevel")
    evict_priority = opt_prop_def(CacheEvictionPriorityAttr, prop_name="evictPriority")
    tensormap = opt_prop_def(UnitAttr)
    uniform = opt_prop_def(UnitAttr)
    in_param_space = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "(`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? "
        "(`tensormap` $tensormap^ (`in_param_space` $in_param_space^)? `,`)? "
        "(`evict_priority` `=` $evictPriority^ `,`)? $addr (`,` `predicate` `=` $predicate^)? "
        "attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        """Exactly one of a cache level and `tensormap`."""
        if (self.cache_level is None) == (self.tensormap is None):
            raise VerifyException("expected either cache level or tensormap, but not both and not neither")


@irdl_op_definition
class MapaOp(IRDLOperation):
    """`nvvm.mapa %a, %b : ptr -> ptr`: the address of the same place in block `b` of the cluster."""

    name = "nvvm.mapa"

    a = operand_def(LLVMPointerType)
    b = operand_def(i32)
    res = result_def(LLVMPointerType)

    assembly_format = "$a `,` $b attr-dict `:` type($a) `->` type($res)"
