"""`ld`, `ldu`: loads from every state space into one register or a vector of registers."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, forbid, need, row
from weft.isa.table import _memory as m

VECTORS = "v2 v4 v8"
LEGAL_WIDTHS = "a vector holds at most 128 bits, or 256 as .v8 of 32-bit or .v4 of 64-bit elements in global memory"


def _too_wide(slots: Slots) -> bool:
    """Vectors that no load has: beyond 128 bits only 256-bit ones exist, and `.v8` only of 32-bit elements."""
    width, vec = m.bits(slots), slots["vec"]
    if not vec or (width <= 128 and vec != "v8"):
        return False
    return not (width == 256 and slots["type"] != "b128" and slots["ss"] in ("", "global"))


_WEAK: dict[str, Any] = {"scope": False, "mmio": False}
_BARE: dict[str, Any] = dict.fromkeys(("cop", "l1_evict", "l2_evict", "cache_hint", "prefetch_size", "vec"), False)
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

_NEEDS: tuple[Row, ...] = (*m.SPACE_NEEDS, *m.SCOPE_NEEDS, *m.CACHE_NEEDS, *m.PREFETCH_SIZE_NEEDS, *m.WIDE_NEEDS)
_RULES = (
    forbid(LEGAL_WIDTHS, where=_too_wide),
    forbid("a cache operator and an eviction priority cannot be combined", cop=True, l1_evict=True),
    forbid(
        ".L2 eviction priorities need a 256-bit vector", l2_evict=True, where=lambda s: m.bits(s) != 256
    ),
)  # fmt: skip
_CACHED = ("l1_evict", "l2_evict", "cache_hint", "prefetch_size")

LD = Family(
    "ld",
    "Load a value or a vector from memory.",
    manual="data-movement-and-conversion-instructions-ld",
    semantics="d = *(type *)a;  sub-word loads sign- or zero-extend to the width of d",
    effects=Effects(memory="r", space="ss"),
    forms=(
        Form(
            "ld{.mmio}{.sem}{.scope}{.ss}{.cop}{.l1_evict}{.l2_evict}{.cache_hint}{.prefetch_size}{.vec}.type "
            "d, [a]{, policy}",
            slots={
                "sem": "weak volatile relaxed acquire",
                "scope": m.SCOPES,
                "ss": f"const global local param param::entry param::func {m.SHARED}",
                "cop": "ca cg cs lu cv",
                "l1_evict": m.L1_EVICTION,
                "l2_evict": m.L2_EVICTION,
                "cache_hint": m.CACHE_HINT,
                "prefetch_size": "L2::64B L2::128B L2::256B",
                "vec": VECTORS,
                "type": f"{m.INTEGER_AND_FLOAT} b128",
            },
            args={
                "d": Arg(count=m.lanes, loose=True),
                "a": Arg(space="ss", unified=True, wide=True),
                "policy": Arg(type="u64", when="cache_hint"),
            },
            rows=(
                row(sem=False, **_WEAK),
                row(sem="weak", **_WEAK, ptx="6.0", sm="70+"),
                row(**_VOLATILE, ss=m.GENERIC_GLOBAL_SHARED),
                row(**_VOLATILE, ss="local", ptx="9.1"),
                row(sem="relaxed|acquire", **_ORDERED, ptx="6.0", sm="70+"),
                row(sem="relaxed", **_MMIO, ptx="8.2", sm="70+"),
                row(sem="acquire", **_MMIO, ptx="9.3", sm="70+"),
            ),
            needs=(*_NEEDS, *m.OLD_NEEDS, need(ss="param::entry|param::func", ptx="8.3")),
            rules=(
                *_RULES,
                *(
                    forbid(
                        f"'.{slot}' is allowed only for global and generic addresses",
                        **{slot: True},
                        where=lambda s: s["ss"] not in ("", "global"),
                    )
                    for slot in _CACHED
                ),
            ),
        ),
        Form(
            "ld.ss{.cop}.nc{.l1_evict}{.l2_evict}{.cache_hint}{.prefetch_size}{.vec}.type d, [a]{, policy}",
            slots={
                "ss": "global",
                "cop": "ca cg cs",
                "nc": "nc",
                "l1_evict": m.L1_EVICTION,
                "l2_evict": m.L2_EVICTION,
                "cache_hint": m.CACHE_HINT,
                "prefetch_size": "L2::64B L2::128B L2::256B",
                "vec": VECTORS,
                "type": f"{m.INTEGER_AND_FLOAT} b128",
            },
            args={
                "d": Arg(count=m.lanes, loose=True),
                "a": Arg(space="global", unified=True, wide=True),
                "policy": Arg(type="u64", when="cache_hint"),
            },
            needs=_NEEDS,
            rules=_RULES,
            ptx="3.1",
            sm="32+",
        ),
    ),
)

LDU = Family(
    "ldu",
    "Load a value that is the same for every thread of the warp from read-only global memory.",
    manual="data-movement-and-conversion-instructions-ldu",
    semantics="d = *(type *)a;  the address is the same in all threads of a warp",
    effects=Effects(memory="r", space="ss"),
    forms=(
        Form(
            "ldu{.ss}{.vec}.type d, [a]",
            slots={"ss": "global", "vec": "v2 v4", "type": f"{m.INTEGER_AND_FLOAT} b128"},
            args={"d": Arg(count=m.lanes, loose=True), "a": Arg(space="ss", unified=True, wide=True)},
            needs=m.WIDE_NEEDS,
            rules=(forbid("a vector holds at most 128 bits", where=lambda s: m.bits(s) > 128),),
            ptx="2.0",
            sm="20+",
        ),
    ),
)

FAMILIES = (LD, LDU)
