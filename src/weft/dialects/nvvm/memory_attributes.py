"""Attributes of copies and prefetches of `nvvm`, one enum and one class each, spelled as in MLIR 22."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import OpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import AngleBrackets, Keyword


class LoadCacheModifierKind(StrEnum):
    """Cache operators of loads."""

    CA = "ca"
    CG = "cg"
    CS = "cs"
    LU = "lu"
    CV = "cv"


@irdl_attr_definition
class LoadCacheModifierAttr(Keyword, EnumAttribute[LoadCacheModifierKind], OpaqueSyntaxAttribute):
    """`#nvvm<load_cache_modifier ca>`."""

    name = "nvvm.load_cache_modifier"


class TMALoadMode(StrEnum):
    """How a TMA load walks the tensor."""

    TILE = "tile"
    IM2COL = "im2col"
    IM2COL_W = "im2col_w"
    IM2COL_W_128 = "im2col_w_128"
    TILE_GATHER4 = "tile_gather4"


@irdl_attr_definition
class TMALoadModeAttr(AngleBrackets, EnumAttribute[TMALoadMode]):
    """`#nvvm.tma_load_mode<tile>`."""

    name = "nvvm.tma_load_mode"


class TMAStoreMode(StrEnum):
    """How a TMA store walks the tensor."""

    TILE = "tile"
    IM2COL = "im2col"
    TILE_SCATTER4 = "tile_scatter4"


@irdl_attr_definition
class TMAStoreModeAttr(AngleBrackets, EnumAttribute[TMAStoreMode]):
    """`#nvvm.tma_store_mode<tile>`."""

    name = "nvvm.tma_store_mode"


class TMAReduxKind(StrEnum):
    """The combining operation of a TMA reduction."""

    ADD = "add"
    MAX = "max"
    MIN = "min"
    INC = "inc"
    DEC = "dec"
    AND = "and"
    OR = "or"
    XOR = "xor"


@irdl_attr_definition
class TMAReduxKindAttr(AngleBrackets, EnumAttribute[TMAReduxKind]):
    """`#nvvm.tma_redux_kind<add>`."""

    name = "nvvm.tma_redux_kind"


class PrefetchCacheLevel(StrEnum):
    """The cache of `prefetch`."""

    L1 = "L1"
    L2 = "L2"


@irdl_attr_definition
class PrefetchCacheLevelAttr(Keyword, EnumAttribute[PrefetchCacheLevel], OpaqueSyntaxAttribute):
    """`#nvvm<prefetch_cache_level L1>`."""

    name = "nvvm.prefetch_cache_level"


class CacheEvictionPriority(StrEnum):
    """Eviction priorities of `prefetch`."""

    EVICT_NORMAL = "evict_normal"
    EVICT_FIRST = "evict_first"
    EVICT_LAST = "evict_last"
    EVICT_UNCHANGED = "evict_unchanged"
    NO_ALLOCATE = "no_allocate"


@irdl_attr_definition
class CacheEvictionPriorityAttr(Keyword, EnumAttribute[CacheEvictionPriority], OpaqueSyntaxAttribute):
    """`#nvvm<cache_eviction_priority evict_normal>`."""

    name = "nvvm.cache_eviction_priority"
