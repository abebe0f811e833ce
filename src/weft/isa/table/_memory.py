"""What the memory instructions share: slots of spaces, orders, scopes and cache hints, and their windows.

Sources: PTX manual, sections "State Spaces", "Memory Consistency Model" and "Cache Eviction Priority Hints"; the
windows are ptxas's answers.
"""

from __future__ import annotations

from weft.isa.form import Arg, Row, Rule, Slots, forbid, need
from weft.isa.table.common import RUBIN
from weft.isa.types import TYPES

SHARED = "shared shared::cta shared::cluster"
SCOPES = "cta cluster gpu sys"
INTEGER_AND_FLOAT = "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64"
"""The types of the scalar loads and stores up to 64 bits."""

L1_EVICTION = "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"
L2_EVICTION = "L2::evict_normal L2::evict_first L2::evict_last"
CACHE_HINT = "L2::cache_hint"
MULTICAST = "multicast::cluster multicast::cluster::32b"
WIDE_MULTICAST = "multicast::cluster::32b"
"""Copies and arrivals for many CTAs of a cluster; the wide one takes a mask of 32 CTAs."""

GENERIC_OR_GLOBAL = "|global"
GENERIC_GLOBAL_SHARED = "|global|shared|shared::cta|shared::cluster"
"""The spaces that threads share: those of the ordered accesses."""


def lanes(slots: Slots) -> int:
    """Elements of a `.v2`, `.v4` or `.v8` operand, 1 without a vector slot."""
    return int(slots["vec"][1:]) if slots.get("vec") else 1


def _mask_type(slots: Slots) -> str:
    return "u32" if slots["multicast"] == WIDE_MULTICAST else "u16"


def _masks(slots: Slots) -> range:
    return range(1 << TYPES[_mask_type(slots)].bits)


CTA_MASK = Arg(type=_mask_type, values=_masks, when="multicast")
"""The mask of CTAs that slot `multicast` demands."""


def bits(slots: Slots) -> int:
    """Bits that one thread accesses: the type times the vector's elements."""
    return TYPES[slots["type"]].bits * lanes(slots)


REPORTS = (
    "mbarrier::report::disabled mbarrier::report::validity::per_16bytes::80000000 "
    "mbarrier::report::validity::per_16bytes::8000 mbarrier::report::validity::per_16bytes::80 "
    "mbarrier::report::validity::per_16bytes::8 mbarrier::report::validity::per_element::ff"
)
"""What the mbarrier of a copy is told of the bytes copied."""

REPORT_NEEDS: tuple[Row, ...] = (need(report=True, **RUBIN), need(multicast=WIDE_MULTICAST, **RUBIN))

SPACE_NEEDS: tuple[Row, ...] = (need(ss="shared::cta", ptx="7.8"), need(ss="shared::cluster", ptx="7.8", sm="90+"))
SCOPE_NEEDS: tuple[Row, ...] = (need(scope="cluster", ptx="7.8", sm="90+"),)
CACHE_NEEDS: tuple[Row, ...] = (need(l1_evict=True, ptx="7.4", sm="70+"), need(cache_hint=True, ptx="7.4", sm="80+"))
PREFETCH_SIZE_NEEDS: tuple[Row, ...] = (
    need(prefetch_size="L2::64B|L2::128B", ptx="7.4", sm="75+"),
    need(prefetch_size="L2::256B", ptx="7.4", sm="80+"),
)
OLD_NEEDS: tuple[Row, ...] = (need(ss="", ptx="2.0", sm="20+"), need(cop=True, ptx="2.0", sm="20+"))
"""Generic addresses and cache operators came with sm_20."""

WIDE_NEEDS: tuple[Row, ...] = (
    need(type="b128", ptx="8.3", sm="70+"),
    need(type="b128", scope="sys", ptx="8.4"),
    need(where=lambda s: bits(s) == 256, ptx="8.8", sm="100+"),
)
"""128-bit scalars and 256-bit vectors."""

ORDER_RULES: tuple[Rule, ...] = (
    forbid("an order needs a scope", where=lambda s: s["sem"] not in ("", "weak"), scope=False),
    forbid("a scope needs an order such as .relaxed", where=lambda s: s["sem"] in ("", "weak"), scope=True),
)
"""An ordered access names its scope, a weak one has none."""
