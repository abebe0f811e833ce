"""`mul`, `mad`, `madc`, `fma`, `clmad`, the 24-bit products, `sad`, and the dot products `dp4a` and `dp2a`."""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row
from weft.isa.table.common import (
    BRAINS,
    CARRYING,
    DIRECTED,
    FLOATS,
    FOUR_RESULTS,
    FOUR_SOURCES,
    FOURS,
    FTZ,
    HALVES,
    INTEGERS,
    NARROWED_ROWS,
    ROUNDINGS,
    RUBIN,
    SUM_NEEDS,
    SUM_ROWS,
    doubled,
)

_NARROW = "u16|u32|s16|s32"
_BEFORE_FERMI = "10 11 12 13"


def _product(slots: Slots) -> str:
    """The type of a product and of its addend: twice as wide with `.wide`."""
    return doubled(slots) if slots["mode"] == "wide" else slots["type"]


_FACTORS = {"a": Arg(type="atype"), "b": Arg(type="btype")}
_FOURS = {"d": Arg(lenient="longer"), **{name: replace(arg, lenient="longer") for name, arg in _FACTORS.items()}}
_FOUR_FACTORS = {"rnd": "rn", "type": FOUR_RESULTS, "atype": FOUR_SOURCES, "btype": FOUR_SOURCES}

MUL = Family(
    "mul",
    "Multiply two values; an integer product keeps its low half, its high half, or all bits.",
    manual="integer-arithmetic-instructions-mul",
    leading="lo hi wide",
    semantics="t = a * b; d = t (.wide), t[2n-1:n] (.hi) or t[n-1:0] (.lo)",
    forms=(
        Form(
            "mul.mode.type d, a, b",
            slots={"mode": "hi lo wide", "type": INTEGERS},
            args={"d": Arg(type=_product)},
            rows=(row(mode="hi|lo"), row(mode="wide", type=_NARROW)),
        ),
        Form(
            "mul{.rnd}{.ftz}{.sat}.type d, a, b",
            slots={"rnd": ROUNDINGS, "type": FLOATS},
            rows=SUM_ROWS,
            needs=SUM_NEEDS,
        ),
        Form(
            "mul.type.atype.btype d, a, b",
            slots={"type": "f16x2 bf16x2", "atype": "f16x2 bf16x2", "btype": "f16x2 bf16x2"},
            args=_FACTORS,
            rows=(row(type="f16x2", atype="f16x2", btype="bf16x2"), row(type="bf16x2", atype="bf16x2", btype="f16x2")),
            **RUBIN,
        ),
        Form(
            "mul.rnd{.ftz}.type.atype.btype d, a, b",
            slots={"rnd": "rz", "type": "f16x2 bf16x2", "atype": "f32x2", "btype": "f32x2"},
            args=_FACTORS,
            rows=NARROWED_ROWS,
            **RUBIN,
        ),
        Form(
            "mul{.rnd}{.satfinite}.type.atype.btype d, a, b",
            slots=_FOUR_FACTORS,
            args=_FOURS,
            **FOURS,
        ),
    ),
)

MAD = Family(
    "mad",
    "Multiply two values and add a third.",
    manual="integer-arithmetic-instructions-mad",
    leading="lo hi wide",
    semantics="t = a * b; d = t (.wide), t[2n-1:n] (.hi) or t[n-1:0] (.lo), plus c",
    forms=(
        Form(
            "mad.mode{.sat}.type d, a, b, c",
            slots={"mode": "hi lo wide", "type": INTEGERS},
            args={"d": Arg(type=_product), "c": Arg(type=_product)},
            rows=(
                row(mode="hi|lo", sat=False),
                row(mode="wide", sat=False, type=_NARROW),
                row(mode="hi", sat=True, type="s32"),
            ),
        ),
        Form(
            "mad.mode.cc.type d, a, b, c",
            slots={"mode": "hi lo", "type": CARRYING},
            effects=Effects(carry="w"),
            rows=(row(type="u32|s32", ptx="3.0", sm="20+"), row(type="u64|s64", ptx="4.3", sm="20+")),
        ),
        Form(
            "mad{.rnd}{.ftz}{.sat}.type d, a, b, c",
            slots={"rnd": ROUNDINGS, "type": "f32 f64"},
            rows=(
                row(type="f32", rnd=True, sm="20+"),
                row(type="f64", rnd=True, ftz=False, sat=False),
                row(type="f32", rnd=False, sm=_BEFORE_FERMI),
                row(type="f32", rnd=False, until="3.1"),
                row(type="f64", rnd=False, ftz=False, sat=False, until="1.3"),
            ),
            needs=SUM_NEEDS,
        ),
    ),
)

MADC = Family(
    "madc",
    "Multiply two integers, add a third and the carry bit.",
    manual="extended-precision-arithmetic-instructions-madc",
    leading="lo hi",
    semantics="t = a * b; d = t.hi or t.lo, plus c plus CC.CF",
    effects=Effects(carry="r"),
    forms=(
        Form(
            "madc.mode{.sat}.type d, a, b, c",
            slots={"mode": "hi lo", "type": INTEGERS},
            rows=(row(sat=False, ptx="3.0", sm="20+"), row(sat=True, mode="hi", type="s32", ptx="3.0", sm="20+")),
        ),
        Form(
            "madc.mode.cc.type d, a, b, c",
            slots={"mode": "hi lo", "type": CARRYING},
            effects=Effects(carry="rw"),
            rows=(row(type="u32|s32", ptx="3.0", sm="20+"), row(type="u64|s64", ptx="4.3", sm="20+")),
        ),
    ),
)

FMA = Family(
    "fma",
    "Multiply two floats and add a third with a single rounding.",
    manual="floating-point-instructions-fma",
    semantics="d = a * b + c",
    forms=(
        Form(
            "fma.rnd{.ftz}{.sat}{.oob}{.relu}.type d, a, b, c",
            slots={"rnd": ROUNDINGS, "type": FLOATS},
            rows=(
                row(type="f32", oob=False, relu=False, ptx="2.0", sm="20+"),
                row(type="f64", ftz=False, sat=False, oob=False, relu=False, ptx="1.4"),
                row(type="f32x2", sat=False, oob=False, relu=False, ptx="8.6", sm="100+"),
                row(type=HALVES, rnd="rn", relu=False, ptx="4.2", sm="53+"),
                row(type=HALVES, rnd="rn", sat=False, relu=True, ptx="7.0", sm="80+"),
                row(type=BRAINS, ftz=False, sat=False, ptx="7.0", sm="80+"),
            ),
            needs=(FTZ, *DIRECTED, need(oob=True, ptx="8.1", sm="90+")),
            rules=(forbid(".oob cannot be combined with .ftz", oob=True, ftz=True),),
        ),
        Form(
            "fma.rnd{.sat}.type.atype d, a, b, c",
            slots={"rnd": ROUNDINGS, "type": "f32", "atype": "f16 bf16"},
            args={"a": Arg(type="atype"), "b": Arg(type="atype")},
            ptx="8.6",
            sm="100+",
        ),
        Form(
            "fma.rnd.type.atype.btype.ctype d, a, b, c",
            slots={"rnd": ROUNDINGS, "type": "f32x2", "atype": "f16x2 bf16x2", "btype": "f32x2", "ctype": "f32x2"},
            args=_FACTORS,
            **RUBIN,
        ),
        Form(
            "fma{.rnd}{.satfinite}.type.atype.btype d, a, b, c",
            slots=_FOUR_FACTORS,
            args={**_FOURS, "c": Arg(lenient="longer")},
            **FOURS,
        ),
    ),
)

CLMAD = Family(
    "clmad",
    "Multiply two integers without carries and add (exclusive or) a third to half of the product.",
    manual="integer-arithmetic-instructions-clmad",
    leading="lo hi",
    semantics="t = xor(a << i for each one bit i of b); d = t.hi or t.lo, xor c",
    forms=(Form("clmad.mode.type d, a, b, c", slots={"mode": "lo hi", "type": "u64 s64"}, ptx="9.3", sm="80+"),),
)

MUL24 = Family(
    "mul24",
    "Multiply the low 24 bits of two integers; keep the low or high 32 bits of the 48-bit product.",
    manual="integer-arithmetic-instructions-mul24",
    leading="lo hi",
    forms=(Form("mul24.mode.type d, a, b", slots={"mode": "hi lo", "type": "u32 s32"}),),
)

MAD24 = Family(
    "mad24",
    "Multiply the low 24 bits of two integers and add a third.",
    manual="integer-arithmetic-instructions-mad24",
    leading="lo hi",
    forms=(
        Form(
            "mad24.mode{.sat}.type d, a, b, c",
            slots={"mode": "hi lo", "type": "u32 s32"},
            rows=(row(sat=False), row(sat=True, mode="hi", type="s32")),
        ),
    ),
)

SAD = Family(
    "sad",
    "Add the absolute difference of two integers to a third.",
    manual="integer-arithmetic-instructions-sad",
    semantics="d = c + abs(a - b)",
    forms=(Form("sad.type d, a, b, c", slots={"type": INTEGERS}),),
)


def _accumulator(slots: Slots) -> str:
    """Dot products accumulate in u32 when both sources are unsigned, else in s32."""
    return "u32" if slots["atype"] == slots["btype"] == "u32" else "s32"


_DOT = {"d": Arg(type=_accumulator), "a": Arg(type="atype"), "b": Arg(type="btype"), "c": Arg(type=_accumulator)}

DP4A = Family(
    "dp4a",
    "Add the dot product of two vectors of four bytes to an integer.",
    manual="integer-arithmetic-instructions-dp4a",
    semantics="d = c + sum(a.byte[i] * b.byte[i] for i in 0..3)",
    forms=(
        Form(
            "dp4a.atype.btype d, a, b, c",
            slots={"atype": "u32 s32", "btype": "u32 s32"},
            args=_DOT,
            ptx="5.0",
            sm="61+",
        ),
    ),
)

DP2A = Family(
    "dp2a",
    "Add the dot product of two half-words and two bytes (the low or the high pair) to an integer.",
    manual="integer-arithmetic-instructions-dp2a",
    leading="lo hi",
    semantics="d = c + sum(a.half[i] * b.byte[i + (2 if .hi else 0)] for i in 0..1)",
    forms=(
        Form(
            "dp2a.mode.atype.btype d, a, b, c",
            slots={"mode": "lo hi", "atype": "u32 s32", "btype": "u32 s32"},
            args=_DOT,
            ptx="5.0",
            sm="61+",
        ),
    ),
)

FAMILIES = (MUL, MAD, MADC, FMA, CLMAD, MUL24, MAD24, SAD, DP4A, DP2A)
