"""`setp`, `set`, `testp`: comparisons into predicates and words, and tests of floats.

Slot `cmp` is the comparison, `boolop` what joins its result with predicate `c`.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.form import Arg, Family, Form, Rule, Slots, demand, need, row
from weft.isa.table.common import BRAINS, FTZ, HALVES, RUBIN

_EQUAL = "eq|ne"
_ORDERED = f"{_EQUAL}|lt|le|gt|ge"
_UNSIGNED = f"{_ORDERED}|lo|ls|hi|hs"
_FLOATING = f"{_ORDERED}|equ|neu|ltu|leu|gtu|geu|num|nan"
_COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"

_WORDS = "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"
_BY_TYPE = {
    "b16|b32|b64": _EQUAL,
    "u16|u32|u64": _UNSIGNED,
    "s16|s32|s64": _ORDERED,
    f"f32|f64|{HALVES}|{BRAINS}": _FLOATING,
}
_WITH_COMPLEMENT = f"{_WORDS}|f16x2|bf16x2".replace("|", " ")
_WITHOUT_COMPLEMENT = "f16 bf16"


def _comparisons(slot: str) -> Iterator[Rule]:
    """One rule per kind of compared type (in slot `slot`): the comparisons it has."""
    for types, comparisons in _BY_TYPE.items():
        named = f".{types.replace('|', ', .')} compare with .{comparisons.replace('|', ', .')}"
        yield demand(named, {slot: types}, {"cmp": comparisons})


def _joined(slot: str) -> Arg:
    """The predicate joined with the result: a literal too, unless .bf16 is compared."""

    def values(slots: Slots) -> tuple[int, ...] | None:
        return () if slots[slot] in ("bf16", "bf16x2") else None

    return Arg(type="pred", imm=True, values=values)


def _setp(types: str, results: str, boolop: bool) -> Form:
    return Form(
        f"setp.cmp{'.boolop' * boolop}{{.ftz}}.type {results}, a, b{', !c' * boolop}",
        slots={"cmp": _COMPARISONS, "boolop": "and or xor", "type": types},
        args={"p": Arg(type="pred", sink=True), "q": Arg(type="pred", sink=True), "c": _joined("type")},
        needs=(FTZ, need(type=HALVES, ptx="4.2", sm="53+"), need(type=BRAINS, ptx="7.8", sm="90+")),
        rules=(
            *_comparisons("type"),
            demand(".ftz is allowed only for .f32, .f16 and .f16x2", {"ftz": True}, {"type": f"f32|{HALVES}"}),
        ),
    )


SETP = Family(
    "setp",
    "Compare two values, optionally join the result with a predicate, and write it and its complement to predicates.",
    manual="comparison-and-selection-instructions-setp",
    semantics="t = a cmp b; p = t boolop c; q = !t boolop c (packed types: p from the low half, q from the high)",
    forms=tuple(
        _setp(types, results, boolop)
        for types, results in ((_WITH_COMPLEMENT, "p{|q}"), (_WITHOUT_COMPLEMENT, "p"))
        for boolop in (False, True)
    ),
)


def _set(boolop: bool) -> Form:
    return Form(
        f"set.cmp{'.boolop' * boolop}{{.ftz}}.type.stype d, a, b{', !c' * boolop}",
        slots={
            "cmp": _COMPARISONS,
            "boolop": "and or xor",
            "type": "u16 u32 s16 s32 f16 f16x2 bf16 bf16x2 f32",
            "stype": f"{_WORDS}|{HALVES}|{BRAINS}".replace("|", " "),
        },
        args={"a": Arg(type="stype"), "b": Arg(type="stype"), "c": _joined("stype")},
        rows=(
            row(type="u32|s32|f32", stype=_WORDS),
            row(type="f16", stype=f"{_WORDS}|f16", ptx="4.2", sm="53+"),
            row(type="f16x2", stype="f16x2", ptx="4.2", sm="53+"),
            row(type="u16|u32|s16|s32", stype="f16", ptx="6.5", sm="53+"),
            row(type="u32|s32", stype="f16x2", ptx="6.5", sm="53+"),
            row(type="bf16", stype=f"{_WORDS}|f16|bf16", ptx="7.8", sm="90+"),
            row(type="u16|u32|s16|s32", stype="bf16", ptx="7.8", sm="90+"),
            row(type="u32|s32|bf16x2", stype="bf16x2", ptx="7.8", sm="90+"),
        ),
        needs=(FTZ,),
        rules=(
            *_comparisons("stype"),
            demand(".ftz is allowed only for .f32, .f16 and .f16x2 sources", {"ftz": True}, {"stype": f"f32|{HALVES}"}),
            demand(".ftz is not allowed for .bf16 results", {"ftz": True}, {"type": "u16|u32|s16|s32|f32|f16|f16x2"}),
        ),
    )


SET = Family(
    "set",
    "Compare two values and write all ones (1.0 for float results) or zero.",
    manual="comparison-and-selection-instructions-set",
    semantics="t = a cmp b boolop c; d = t ? (1.0 or 0xFF..FF) : 0",
    forms=(
        _set(False),
        _set(True),
        Form(
            "set.cmp.type d, a, b",
            slots={"cmp": _UNSIGNED.replace("|", " "), "type": "u16x2 s16x2 u8x4 s8x4"},
            rows=(row(type="u16x2|u8x4", **RUBIN), row(type="s16x2|s8x4", cmp=_ORDERED, **RUBIN)),
        ),
    ),
)

TESTP = Family(
    "testp",
    "Test whether a float is finite, infinite, a number, NaN, normal or subnormal.",
    manual="floating-point-instructions-testp",
    forms=(
        Form(
            "testp.op.type p, a",
            slots={"op": "finite infinite number notanumber normal subnormal", "type": "f32 f64"},
            ptx="2.0",
            sm="20+",
            omissible="op",
        ),
    ),
)

FAMILIES = (SETP, SET, TESTP)
