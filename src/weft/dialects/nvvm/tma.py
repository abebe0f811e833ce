"""`cp.async.bulk` and `cp.async.bulk.tensor` (TMA), prefetches; sm_90 and up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.pointers import CONSTANT, GENERIC, GLOBAL, SHARED, SHARED_CLUSTER
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

_IM2COL_MODES = ("im2col", "im2col_w", "im2col_w_128")


def _verify_box(rank: int, mode: str, offsets: int | None = None) -> None:
    """Check the number of coordinates, and of offsets where the operation has them, for a mode of TMA."""
    if mode == "tile_scatter4" and rank != 5:  # Upstream asks this first, of gathered rows last.
        raise PlainVerifyException("Scatter4 mode expects 5 coordinates")
    if not 1 <= rank <= 5:
        raise PlainVerifyException("expects coordinates between 1 to 5 dimension")
    expected = 0
    if mode in _IM2COL_MODES:
        if rank < 3:
            raise PlainVerifyException(f"to use {mode} mode, the tensor has to be at least 3-dimensional")
        expected = rank - 2 if mode == "im2col" else 2
    if mode == "tile_gather4" and rank != 5:
        raise PlainVerifyException("Gather4 mode expects 5 coordinates")
    if offsets is not None and offsets != expected:
        raise PlainVerifyException(f" im2col offsets expected {expected} (provided {offsets})")


def load(op: nvvm.CpAsyncBulkTensorSharedClusterGlobalOp) -> None:
    """A box of the mode; what only clusters have is refused for the memory of a block."""
    mode = op.mode.data.value
    cta_only = bool(op.is_cta_only.value.data)
    if op.predicate is not None:
        if cta_only:
            raise PlainVerifyException("Predicate is supported only for shared::cluster mode.")
        if mode not in ("tile", "im2col"):
            raise PlainVerifyException("Predicate is supported only for Tile and Im2col modes.")
    elif cta_only:
        if op.dst_mem.type != SHARED:
            raise PlainVerifyException("Shared::cta destination requires address-space 3.")
        if op.multicast_mask is not None:
            raise PlainVerifyException("Multicast is not supported with shared::cta mode.")
        if op.group is not None:
            raise PlainVerifyException("CTAGroup is not supported with shared::cta mode.")
    elif op.dst_mem.type != SHARED_CLUSTER:
        raise PlainVerifyException("Shared::cluster destination requires address-space 7.")
    _verify_box(len(op.coordinates), mode, len(op.im2col_offsets))


def store(op: nvvm.CpAsyncBulkTensorGlobalSharedCtaOp) -> None:
    """A box of the mode; no predicate beside a cache hint."""
    if op.predicate is not None:
        if op.mode.data != "tile":
            raise PlainVerifyException("Inline-ptx lowering supported only for Tile mode.")
        if op.l2_cache_hint is not None:
            raise PlainVerifyException("Inline-ptx lowering unsupported with L2 cache-hint.")
    _verify_box(len(op.coordinates), str(op.mode.data))


def reduce(op: nvvm.CpAsyncBulkTensorReduceOp) -> None:
    """A box of the mode; scattered rows cannot be combined."""
    if op.mode.data == "tile_scatter4":
        raise PlainVerifyException("Scatter mode unsupported for CpAsyncBulkTensorReduceOp")
    _verify_box(len(op.coordinates), str(op.mode.data))


def box(op: nvvm.CpAsyncBulkTensorPrefetchOp) -> None:
    """A box of the mode."""
    _verify_box(len(op.coordinates), op.mode.data.value, len(op.im2col_offsets))


def multicast(op: nvvm.CpAsyncBulkSharedClusterGlobalOp) -> None:
    """A mask of blocks is for the memory of a cluster."""
    if op.multicast_mask is not None and op.dst_mem.type == SHARED:
        raise PlainVerifyException("Multicast is not supported with shared::cta mode.")


def prefetch(op: nvvm.PrefetchOp) -> None:
    """A cache level or `tensormap`, and of the other options those that go with it and with the address."""
    if op.cache_level is not None and op.tensormap is not None:
        raise VerifyException("cannot specify both tensormap and cache level")
    if op.cache_level is None and op.tensormap is None:
        raise VerifyException("requires specification of either cache level or tensormap")
    if op.tensormap is not None:
        _verify_tensormap(op)
    else:
        _verify_cache_level(op)


def _verify_tensormap(op: nvvm.PrefetchOp) -> None:
    space = op.addr.type
    if space not in (GENERIC, CONSTANT):
        raise VerifyException("prefetch tensormap requires a generic or constant pointer")
    if op.evict_priority is not None:
        raise VerifyException("prefetch tensormap does not support eviction priority")
    if op.in_param_space is not None and space != GENERIC:
        raise VerifyException("in_param_space can only be specified for a generic pointer")


def _verify_cache_level(op: nvvm.PrefetchOp) -> None:
    space, level, priority = op.addr.type, op.cache_level, op.evict_priority
    if space == CONSTANT:
        raise VerifyException("prefetch to cache level requires a generic, global, or local pointer")
    assert level is not None
    if op.uniform is not None:
        if level.data != "L1":
            raise VerifyException("unsupported cache level, the only supported uniform cache level is L1")
        if space != GENERIC:
            raise VerifyException("prefetch to uniform cache requires a generic pointer")
    if priority is not None:
        if level.data != "L2":
            raise VerifyException("cache eviction priority supported only for cache level L2")
        if space != GLOBAL:
            raise VerifyException("cache eviction priority requires a global pointer")
        if priority.data not in ("evict_last", "evict_normal"):
            message = "unsupported cache eviction priority, only evict_last and evict_normal are supported"
            raise VerifyException(message)
    if op.predicate is not None:
        raise VerifyException("predicate supported only on prefetch tensormap")


def mapa(op: nvvm.MapaOp) -> None:
    """Of an address of shared memory an address of the cluster's, of a generic address a generic one."""
    if (op.a.type == GENERIC) != (op.res.type == GENERIC):
        raise VerifyException("failed to verify that Valid address-space check(or mapping) for mapa Op")
