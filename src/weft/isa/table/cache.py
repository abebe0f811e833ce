"""`prefetch`, `prefetchu`, `discard`, `applypriority`, `createpolicy`: what the caches should keep or fetch."""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.form import Arg, Effects, Family, Form
from weft.isa.table.bulk import SIZE
from weft.isa.table.common import RUBIN

_HINT = Effects(volatile=True)
_LINE = Arg(type="u32", reg=False, values=(128,))

PREFETCH = Family(
    "prefetch",
    "Bring the cache line of an address, or a tensor map, into a cache.",
    manual="data-movement-and-conversion-instructions-prefetch-prefetchu",
    effects=_HINT,
    forms=(
        Form(
            "prefetch{.ss}.level [a]",
            slots={"ss": "global local", "level": "L1 L2"},
            args={"a": Arg(space="ss", wide=True)},
            ptx="2.0",
            sm="20+",
        ),
        Form(
            "prefetch{.ss}.level [a]",
            slots={"ss": "global", "level": "L2::evict_last L2::evict_normal"},
            args={"a": Arg(space="ss", wide=True)},
            ptx="7.4",
            sm="80+",
        ),
        Form(
            "prefetch{.ss}.level.valid_addr [a]",
            slots={"ss": "global", "level": "L1::32B"},
            args={"a": Arg(space="ss", wide=True)},
            ptx="9.4",
            sm="90+",
        ),
        Form(
            "prefetch{.ss}.tensormap [a]",
            slots={"ss": "const param", "tensormap": "tensormap"},
            args={"a": Arg(space="ss", narrow=False)},
            ptx="8.0",
            sm="90+",
        ),
    ),
)

PREFETCHU = Family(
    "prefetchu",
    "Bring the cache line of a generic address into the uniform cache.",
    manual="data-movement-and-conversion-instructions-prefetch-prefetchu",
    effects=_HINT,
    forms=(
        Form(
            "prefetchu.level [a]",
            slots={"level": "L1"},
            args={"a": Arg(within="global", wide=True)},
            ptx="2.0",
            sm="20+",
        ),
    ),
)

DISCARD = Family(
    "discard",
    "Drop 128 bytes from L2 without writing them back; they are undefined afterwards.",
    manual="data-movement-and-conversion-instructions-discard",
    effects=Effects(memory="w", space="global"),
    forms=(
        Form(
            "discard{.ss}.level [a], size",
            slots={"ss": "global", "level": "L2"},
            args={"a": Arg(space="ss", access="w", wide=True), "size": _LINE},
            ptx="7.4",
            sm="80+",
        ),
    ),
)

APPLYPRIORITY = Family(
    "applypriority",
    "Reset 128 bytes in L2, or a range of bytes with .async.bulk, to the normal eviction priority.",
    manual="data-movement-and-conversion-instructions-applypriority",
    effects=_HINT,
    leading="async bulk",
    forms=(
        Form(
            "applypriority{.ss}.level [a], size",
            slots={"ss": "global", "level": "L2::evict_normal"},
            args={"a": Arg(space="ss", wide=True), "size": _LINE},
            ptx="7.4",
            sm="80+",
        ),
        Form(
            "applypriority.async.bulk{.ss}.completion_mechanism.level [a], size",
            slots={"ss": "global", "completion_mechanism": "bulk_group", "level": "L2::evict_normal"},
            args={"a": Arg(space="ss"), "size": SIZE},
            **RUBIN,
        ),
    ),
)

_PRIORITIES = {
    "primary": "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
    "secondary": "L2::evict_first L2::evict_unchanged",
    "type": "b64",
}


class Fractions:
    """The numbers above 0 up to 1; iterating gives some of them."""

    def __contains__(self, value: float) -> bool:
        return 0.0 < value <= 1.0

    def __iter__(self) -> Iterator[float]:
        return iter((1.0, 0.5, 0.125))

    def __str__(self) -> str:
        return "above 0.0, to 1.0"


_POLICY = Arg(type="u64")

CREATEPOLICY = Family(
    "createpolicy",
    "Create the 64-bit cache policy that .L2::cache_hint takes.",
    manual="data-movement-and-conversion-instructions-createpolicy",
    leading="fractional range cvt",
    semantics="fractional: the fraction of accesses that gets the primary priority (default 1)\n"
    "range: the first primary_size bytes from a get the primary, those to total_size the secondary priority",
    forms=(
        Form(
            "createpolicy.kind{.ss}.primary{.secondary}.type d, [a], primary_size, total_size",
            slots={"kind": "range", "ss": "global", **_PRIORITIES},
            args={
                "d": _POLICY,
                "a": Arg(space="ss", narrow=False),
                "primary_size": Arg(type="u32"),
                "total_size": Arg(type="u32"),
            },
            ptx="7.4",
            sm="80+",
        ),
        Form(
            "createpolicy.kind.primary{.secondary}.type d{, fraction}",
            slots={"kind": "fractional", **_PRIORITIES},
            args={"d": _POLICY, "fraction": Arg(type="f32", values=Fractions())},
            ptx="7.4",
            sm="80+",
        ),
        Form(
            "createpolicy.kind.level.type d, access_property",
            slots={"kind": "cvt", "level": "L2", "type": "b64"},
            args={"d": _POLICY, "access_property": _POLICY},
            ptx="7.4",
            sm="80+",
        ),
    ),
)

FAMILIES = (PREFETCH, PREFETCHU, DISCARD, APPLYPRIORITY, CREATEPOLICY)
