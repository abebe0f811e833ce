"""`cp.async.bulk` and `cp.async.bulk.tensor` (TMA), prefetches; sm_90 and up."""

from __future__ import annotations

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, UnitAttr, i1, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.irdl import (
    AtLeast,
    AttrSizedOperandSegments,
    EqAttrConstraint,
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
    CacheEvictionPriority,
    CacheEvictionPriorityAttr,
    PrefetchCacheLevel,
    PrefetchCacheLevelAttr,
    TMALoadMode,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreMode,
    TMAStoreModeAttr,
)
from weft.dialects.nvvm.pointers import (
    BLOCK_OR_CLUSTER,
    CONSTANT,
    GENERIC,
    GENERIC_OR_SHARED,
    GLOBAL,
    LOCAL,
    SHARED,
    SHARED_CLUSTER,
)
from weft.dialects.nvvm.tcgen05_attributes import CTAGroupKindAttr
from weft.dialects.verification import PlainVerifyException, one_of

_TILE_LOAD = TMALoadModeAttr(TMALoadMode.TILE)
_TILE_STORE = TMAStoreModeAttr(TMAStoreMode.TILE)


_IM2COL_MODES = ("im2col", "im2col_w", "im2col_w_128")


def _verify_box(rank: int, mode: str, offsets: int | None = None) -> None:
    """Check the number of coordinates, and of offsets where the operation has them, for a mode of TMA."""
    if not 1 <= rank <= 5:
        raise PlainVerifyException("expects coordinates between 1 to 5 dimension")
    expected = 0
    if mode in _IM2COL_MODES:
        if rank < 3:
            raise PlainVerifyException(f"to use {mode} mode, the tensor has to be at least 3-dimensional")
        expected = rank - 2 if mode == "im2col" else 2
    if mode in ("tile_gather4", "tile_scatter4") and rank != 5:
        name = mode.removeprefix("tile_").capitalize()
        raise PlainVerifyException(f"{name} mode expects 5 coordinates")
    if offsets is not None and offsets != expected:
        raise PlainVerifyException(f" im2col offsets expected {expected} (provided {offsets})")


@irdl_op_definition
class CpAsyncBulkTensorGlobalToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.shared.cluster.global %dst, %desc, %mbar, box[%coordinates]`: TMA load of a box."""

    name = "nvvm.cp.async.bulk.tensor.shared.cluster.global"

    dst_mem = operand_def(BLOCK_OR_CLUSTER)
    tma_descriptor = operand_def(GENERIC)
    coordinates = var_operand_def(i32)
    mbar = operand_def(SHARED)
    im2col_offsets = var_operand_def(i16)
    multicast_mask = opt_operand_def(i16)
    l2_cache_hint = opt_operand_def(i64)
    predicate = opt_operand_def(i1)
    mode = prop_def(TMALoadModeAttr, default_value=_TILE_LOAD)
    is_cta_only = prop_def(BoolAttr, prop_name="isCTAOnly", default_value=BoolAttr.from_bool(False))
    group = opt_prop_def(CTAGroupKindAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$dst_mem `,` $tma_descriptor `,` $mbar `,` `box` `[` $coordinates `]` "
        "(`im2col` `[` $im2col_offsets^ `]`)? (`multicast_mask` `=` $multicast_mask^)? "
        "(`l2_cache_hint` `=` $l2_cache_hint^)? (`predicate` `=` $predicate^)? "
        "attr-dict `:` type($dst_mem) `,` type($tma_descriptor)"
    )

    def verify_(self) -> None:
        """A box of the mode; what only clusters have is refused for the memory of a block."""
        mode = self.mode.data.value
        cta_only = bool(self.is_cta_only.value.data)
        if self.predicate is not None:
            if cta_only:
                raise PlainVerifyException("Predicate is supported only for shared::cluster mode.")
            if mode not in ("tile", "im2col"):
                raise PlainVerifyException("Predicate is supported only for Tile and Im2col modes.")
        elif cta_only:
            if self.dst_mem.type != SHARED:
                raise PlainVerifyException("Shared::cta destination requires address-space 3.")
            if self.multicast_mask is not None:
                raise PlainVerifyException("Multicast is not supported with shared::cta mode.")
            if self.group is not None:
                raise PlainVerifyException("CTAGroup is not supported with shared::cta mode.")
        elif self.dst_mem.type != SHARED_CLUSTER:
            raise PlainVerifyException("Shared::cluster destination requires address-space 7.")
        _verify_box(len(self.coordinates), mode, len(self.im2col_offsets))


@irdl_op_definition
class CpAsyncBulkTensorSharedCTAToGlobalOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.global.shared.cta %desc, %src, box[%coordinates]`: TMA store of a box."""

    name = "nvvm.cp.async.bulk.tensor.global.shared.cta"

    tma_descriptor = operand_def(GENERIC)
    src_mem = operand_def(SHARED)
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
        """A box of the mode; no predicate beside a cache hint."""
        if self.predicate is not None:
            if self.mode.data is not TMAStoreMode.TILE:
                raise PlainVerifyException("Inline-ptx lowering supported only for Tile mode.")
            if self.l2_cache_hint is not None:
                raise PlainVerifyException("Inline-ptx lowering unsupported with L2 cache-hint.")
        _verify_box(len(self.coordinates), self.mode.data.value)


@irdl_op_definition
class CpAsyncBulkTensorReduceOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.reduce %desc, %src, box[%coordinates] {redKind}`: TMA store that combines."""

    name = "nvvm.cp.async.bulk.tensor.reduce"

    tma_descriptor = operand_def(LLVMPointerType)
    src_mem = operand_def(SHARED)
    coordinates = var_operand_def(i32)
    l2_cache_hint = opt_operand_def(i64)
    red_kind = prop_def(TMAReduxKindAttr, prop_name="redKind")
    mode = prop_def(TMAStoreModeAttr, default_value=_TILE_STORE)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (BareType,)
    assembly_format = (
        "$tma_descriptor `,` $src_mem `,` `box` `[` $coordinates `]` (`l2_cache_hint` `=` $l2_cache_hint^)? "
        "attr-dict `:` custom<BareType>(type($tma_descriptor)) `,` custom<BareType>(type($src_mem))"
    )

    def verify_(self) -> None:
        """A box of the mode; scattered rows cannot be combined."""
        if self.mode.data is TMAStoreMode.TILE_SCATTER4:
            raise PlainVerifyException("Scatter mode unsupported for CpAsyncBulkTensorReduceOp")
        _verify_box(len(self.coordinates), self.mode.data.value)


@irdl_op_definition
class CpAsyncBulkTensorPrefetchOp(IRDLOperation):
    """`nvvm.cp.async.bulk.tensor.prefetch %desc, box[%coordinates]`: TMA load into L2 only."""

    name = "nvvm.cp.async.bulk.tensor.prefetch"

    tma_descriptor = operand_def(GENERIC)
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
        """A box of the mode."""
        _verify_box(len(self.coordinates), self.mode.data.value, len(self.im2col_offsets))


@irdl_op_definition
class CpAsyncBulkWaitGroupOp(IRDLOperation):
    """`nvvm.cp.async.bulk.wait_group N {read}`: wait until at most N groups are in flight (have still to read)."""

    name = "nvvm.cp.async.bulk.wait_group"

    group = prop_def(IntegerAttr.constr(EqAttrConstraint(i32), value=AtLeast(0)))
    read = opt_prop_def(UnitAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$group attr-dict"


@irdl_op_definition
class CpAsyncBulkGlobalToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.shared.cluster.global %dst, %src, %mbar, %size`: copy bytes into shared memory."""

    name = "nvvm.cp.async.bulk.shared.cluster.global"

    dst_mem = operand_def(BLOCK_OR_CLUSTER)
    src_mem = operand_def(GLOBAL)
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

    def verify_(self) -> None:
        """A mask of blocks is for the memory of a cluster."""
        if self.multicast_mask is not None and self.dst_mem.type == SHARED:
            raise PlainVerifyException("Multicast is not supported with shared::cta mode.")


@irdl_op_definition
class CpAsyncBulkSharedCTAToSharedClusterOp(IRDLOperation):
    """`nvvm.cp.async.bulk.shared.cluster.shared.cta %dst, %src, %mbar, %size`: copy bytes to another block's memory."""

    name = "nvvm.cp.async.bulk.shared.cluster.shared.cta"

    dst_mem = operand_def(SHARED_CLUSTER)
    src_mem = operand_def(SHARED)
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

    dst_mem = operand_def(GLOBAL)
    src_mem = operand_def(SHARED)
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

    src_mem = operand_def(GLOBAL)
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

    addr = operand_def(one_of(GLOBAL, LOCAL, GENERIC, CONSTANT))
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
        """A cache level or `tensormap`, and of the other options those that go with it and with the address."""
        if self.cache_level is not None and self.tensormap is not None:
            raise VerifyException("cannot specify both tensormap and cache level")
        if self.cache_level is None and self.tensormap is None:
            raise VerifyException("requires specification of either cache level or tensormap")
        if self.tensormap is not None:
            self._verify_tensormap()
        else:
            self._verify_cache_level()

    def _verify_tensormap(self) -> None:
        space = self.addr.type
        if space not in (GENERIC, CONSTANT):
            raise VerifyException("prefetch tensormap requires a generic or constant pointer")
        if self.evict_priority is not None:
            raise VerifyException("prefetch tensormap does not support eviction priority")
        if self.in_param_space is not None and space != GENERIC:
            raise VerifyException("in_param_space can only be specified for a generic pointer")

    def _verify_cache_level(self) -> None:
        space, level, priority = self.addr.type, self.cache_level, self.evict_priority
        if space == CONSTANT:
            raise VerifyException("prefetch to cache level requires a generic, global, or local pointer")
        assert level is not None
        if self.uniform is not None:
            if level.data is not PrefetchCacheLevel.L1:
                raise VerifyException("unsupported cache level, the only supported uniform cache level is L1")
            if space != GENERIC:
                raise VerifyException("prefetch to uniform cache requires a generic pointer")
        if priority is not None:
            if level.data is not PrefetchCacheLevel.L2:
                raise VerifyException("cache eviction priority supported only for cache level L2")
            if space != GLOBAL:
                raise VerifyException("cache eviction priority requires a global pointer")
            if priority.data not in (CacheEvictionPriority.EVICT_LAST, CacheEvictionPriority.EVICT_NORMAL):
                message = "unsupported cache eviction priority, only evict_last and evict_normal are supported"
                raise VerifyException(message)
        if self.predicate is not None:
            raise VerifyException("predicate supported only on prefetch tensormap")


@irdl_op_definition
class MapaOp(IRDLOperation):
    """`nvvm.mapa %a, %b : ptr -> ptr`: the address of the same place in block `b` of the cluster."""

    name = "nvvm.mapa"

    a = operand_def(GENERIC_OR_SHARED)
    b = operand_def(i32)
    res = result_def(one_of(GENERIC, SHARED_CLUSTER))

    assembly_format = "$a `,` $b attr-dict `:` type($a) `->` type($res)"

    def verify_(self) -> None:
        """Of an address of shared memory an address of the cluster's, of a generic address a generic one."""
        if (self.a.type == GENERIC) != (self.res.type == GENERIC):
            raise VerifyException("failed to verify that Valid address-space check(or mapping) for mapa Op")
