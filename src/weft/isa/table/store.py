"""`st`: stores to every writable state space from one register or a vector of registers."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row
from weft.isa.table import _memory as m

_PLAIN: dict[str, Any] = {"scope": False, "mmio": False}
_BARE: dict[str, Any] = dict.fromkeys(("cop", "l1_evict", "l2_evict", "cache_hint", "vec"), False)
_MMIO: dict[str, Any] = {"mmio": True, "scope": "sys", "ss": m.GENERIC_OR_GLOBAL, **_BARE}
_ORDERED: dict[str, Any] = {"mmio": False, "scope": True, "ss": m.GENERIC_GLOBAL_SHARED, "cop": False}
_VOLATILE: dict[str, Any] = {
    "sem": "volatile",
    "scope": False,
    "mmio": False,
    "cop": False,
    "l1_evict": False,
    "cache_hint": False,
}


def _too_wide(slots: Slots) -> bool:
    """Vectors that no store has: beyond 128 bits only 256-bit ones to global memory exist."""
    width = m.bits(slots)
    if not slots["vec"] or width <= 128:
        return False
    return not (width == 256 and slots["type"] != "b128" and slots["ss"] in ("", "global"))


ST = Family(
    "st",
    "Store a value or a vector to memory.",
    manual="data-movement-and-conversion-instructions-st",
    semantics="*(type *)a = b",
    effects=Effects(memory="w", space="ss"),
    forms=(
        Form(
            "st{.mmio}{.sem}{.scope}{.ss}{.cop}{.l1_evict}{.l2_evict}{.cache_hint}{.vec}.type [a], b{, policy}",
            slots={
                "sem": "weak volatile relaxed release",
                "scope": m.SCOPES,
                "ss": f"global local param param::func {m.SHARED}",
                "cop": "wb cg cs wt",
                "l1_evict": m.L1_EVICTION,
                "l2_evict": m.L2_EVICTION,
                "cache_hint": m.CACHE_HINT,
                "vec": "v2 v4 v8",
                "type": f"{m.INTEGER_AND_FLOAT} b128",
            },
            args={
                "a": Arg(space="ss", access="w", wide=True),
                "b": Arg(count=m.lanes, loose=True, lenient="predicates"),
                "policy": Arg(type="u64", when="cache_hint"),
            },
            rows=(
                row(sem=False, **_PLAIN),
                row(sem="weak", **_PLAIN, ptx="6.0", sm="70+"),
                row(**_VOLATILE, ss=m.GENERIC_GLOBAL_SHARED),
                row(**_VOLATILE, ss="local", ptx="9.1"),
                row(sem="relaxed|release", **_ORDERED, ptx="6.0", sm="70+"),
                row(sem="relaxed", **_MMIO, ptx="8.2", sm="70+"),
                row(sem="release", **_MMIO, ptx="9.3", sm="70+"),
            ),
            needs=(
                *m.SPACE_NEEDS,
                *m.SCOPE_NEEDS,
                *m.CACHE_NEEDS,
                *m.WIDE_NEEDS,
                *m.OLD_NEEDS,
                need(ss="param::func", ptx="8.3"),
            ),
            rules=(
                forbid("a vector holds at most 128 bits, or 256 in global memory", where=_too_wide),
                forbid("a cache operator and an eviction priority cannot be combined", cop=True, l1_evict=True),
                forbid(
                    ".L2 eviction priorities need a 256-bit vector", l2_evict=True, where=lambda s: m.bits(s) != 256
                ),
                *(
                    forbid(
                        f"'.{slot}' is allowed only for global and generic addresses",
                        **{slot: True},
                        where=lambda s: s["ss"] not in ("", "global"),
                    )
                    for slot in ("l1_evict", "l2_evict", "cache_hint")
                ),
            ),
        ),
    ),
)

FAMILIES = (ST,)
