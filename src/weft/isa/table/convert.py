"""`cvt`, `cvt.pack`: conversions between numeric types.

Slots: `type` is the result's type and `atype` the source's; `rnd` rounds to a float (`rn`...) or to an integral value
(`rni`...).  The narrow formats are always packed, two or four in a register; `scaled` names the format of a scale
operand: one for both elements (`n1`) or one each (`n2`); `pzo` turns minus zero into zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weft.isa.form import Arg, Family, Form, Row, Slots, forbid, need, row
from weft.isa.table.common import FTZ, INTEGERS, ROUNDINGS, RUBIN, Since
from weft.isa.types import TYPES

_INTEGERS = f"u8 s8 {INTEGERS}"
_WHOLE = "rni rzi rmi rpi"
_ANY_ROUNDING = f"{ROUNDINGS}|".replace(" ", "|")
_ROUNDED = ROUNDINGS.replace(" ", "|")
_TO_WHOLE = _WHOLE.replace(" ", "|")
_INTEGER = _INTEGERS.replace(" ", "|")

_BRAIN: Since = {"ptx": "7.8", "sm": "90+"}
_STOCHASTIC: Since = {"ptx": "8.7", "sm": "100a 103a 107a"}
_NARROW = "100f+ 120f+"
_SIX_BIT_FIXED = "100a+ 120a+"


def _holds(slots: Slots) -> bool:
    """Whether an integer result's range has every value of an integer source."""
    to, source = TYPES[slots["type"]], TYPES[slots["atype"]]
    if source.kind == to.kind:
        return source.bits <= to.bits
    return source.kind == "u" and to.kind == "s" and source.bits < to.bits


_BETWEEN_INTEGERS = Form(
    "cvt{.sat}.type.atype d, a",
    slots={"type": _INTEGERS, "atype": _INTEGERS},
    args={"d": Arg(wider=True), "a": Arg(type="atype", wider=True, special=True)},
    rules=(forbid(".sat has nothing to clip", sat=True, where=_holds),),
)


def _numbers() -> Iterator[Row]:
    """Between integers and f16, f32 and f64."""
    yield row(type=_INTEGER, atype="f16|f32|f64", rnd=_TO_WHOLE)
    yield row(type="f16|f32|f64", atype=_INTEGER, rnd=_ROUNDED)
    for same in ("f16", "f32", "f64"):
        yield row(type=same, atype=same, rnd=f"{_TO_WHOLE}|")
    yield row(type="f32|f64", atype="f16", rnd=False)
    yield row(type="f64", atype="f32", rnd=False)
    yield row(type="f16", atype="f32|f64", rnd=_ROUNDED)
    yield row(type="f32", atype="f64", rnd=_ROUNDED)


def _brains() -> Iterator[Row]:
    """To and from bf16, which never saturates."""
    yield row(type="bf16", atype="f32", rnd=_ROUNDED, sat=False, ptx="7.0", sm="80+")
    yield row(type="f32", atype="bf16", rnd=_ANY_ROUNDING, sat=False, ftz=False, ptx="7.1", sm="80+")
    yield row(type="f32", atype="bf16", rnd=_ANY_ROUNDING, sat=False, ftz=True, **_BRAIN)
    yield row(type="f16|f64", atype="bf16", rnd=_ANY_ROUNDING, sat=False, **_BRAIN)
    yield row(type="bf16", atype="f16", rnd=_ANY_ROUNDING, sat=False, **_BRAIN)
    yield row(type="bf16", atype="f64", rnd=_ROUNDED, sat=False, **_BRAIN)
    yield row(type="bf16", atype="bf16", rnd=f"{_TO_WHOLE}|", sat=False, **_BRAIN)
    yield row(type="bf16", atype=_INTEGER, rnd=_ROUNDED, sat=False, **_BRAIN)
    yield row(type=_INTEGER, atype="bf16", rnd=_TO_WHOLE, sat=False, **_BRAIN)


def _no_single(slots: Slots) -> bool:
    return "f32" not in (slots["type"], slots["atype"])


def _scalar(types: str, rows: Iterator[Row], wider: bool) -> Form:
    return Form(
        "cvt{.rnd}{.ftz}{.sat}.type.atype d, a",
        slots={"rnd": f"{_WHOLE} {ROUNDINGS}", "type": types, "atype": types},
        args={"d": Arg(wider=wider), "a": Arg(type="atype", wider=wider)},
        rows=tuple(rows),
        needs=(
            FTZ,
            need(ftz=True, type="u64|s64", ptx="1.5"),
            need(ftz=True, atype="u8|s8", ptx="1.5"),
            need(ftz=True, type="f64", atype="f32", ptx="1.5"),
        ),
        rules=(forbid(".ftz needs .f32 on one side", ftz=True, where=_no_single),),
    )


_FINITE = need(satfinite=True, ptx="8.1")
_NO_MINUS_ZERO = need(pzo=True, **RUBIN)


def _from_single(half: str, wider: bool) -> Iterator[Form]:
    """To one half and to two, clamped to be positive or finite."""
    slots = {"rnd": "rn rz", "atype": "f32"}
    source = Arg(type="atype", wider=wider)
    yield Form(
        "cvt.rnd{.relu}{.satfinite}{.pzo}.type.atype d, a",
        slots={**slots, "rnd": ROUNDINGS, "type": half},
        args={"d": Arg(wider=wider), "a": source},
        rows=(
            row(relu=True, rnd="rn|rz", ptx="7.0", sm="80+"),
            row(relu=False, satfinite=True, rnd="rn|rz", type="f16", sm="70+"),
            row(relu=False, satfinite=True, rnd="rn|rz", type="bf16", sm="80+"),
            row(relu=False, satfinite=False, pzo=True),
        ),
        needs=(_FINITE, _NO_MINUS_ZERO),
    )
    yield Form(
        "cvt.rnd{.relu}{.satfinite}{.pzo}.type.atype d, a, b",
        slots={**slots, "type": f"{half}x2"},
        args={"d": Arg(wider=wider), "a": source, "b": source},
        needs=(_FINITE, _NO_MINUS_ZERO),
        ptx="7.0",
        sm="80+",
    )
    yield Form(
        "cvt.rnd{.relu}{.satfinite}.type.atype d, a, b, rbits",
        slots={**slots, "rnd": "rs", "type": f"{half}x2"},
        args={"d": Arg(wider=wider), "a": source, "b": source, "rbits": Arg(type="u32", imm=False)},
        **_STOCHASTIC,
    )


_TO_TF32 = Form(
    "cvt.rnd{.satfinite}{.relu}{.pzo}.type.atype d, a",
    slots={"rnd": "rn rz rna", "type": "tf32", "atype": "f32"},
    args={"a": Arg(type="atype")},
    rows=(
        row(rnd="rna", relu=False, pzo=False, ptx="7.0", sm="80+"),
        row(rnd="rn|rz", satfinite=False, ptx="7.8", sm="90+"),
        row(rnd="rn|rz", satfinite=True, ptx="8.6", sm="100+"),
    ),
    needs=(_FINITE, _NO_MINUS_ZERO),
)

_TO_FOUR = Form(
    "cvt.rnd{.relu}.satfinite.type.atype d, {a}, rbits",
    slots={"rnd": "rs", "satfinite": "satfinite", "type": "e4m3x4 e5m2x4 e3m2x4 e2m3x4 e2m1x4", "atype": "f32"},
    args={"a": Arg(type="atype", count=4, imm=True), "rbits": Arg(type="u32", imm=False)},
    **_STOCHASTIC,
)

_EIGHT = "e4m3x2|e5m2x2"
_SIX_AND_FOUR = "e3m2x2|e2m3x2|e2m1x2"
_FLOATING = f"{_EIGHT}|{_SIX_AND_FOUR}"
_N1, _N2 = "scaled::n1::ue8m0", "scaled::n2::ue8m0"


def _eight_bits(**when: Any) -> tuple[Row, Row]:
    """The 8-bit formats came to sm_90 first, to sm_89 three versions later."""
    return row(**when, ptx="7.8", sm="90+"), row(**when, ptx="8.1", sm="89")


def _to_narrow() -> Iterator[Row]:
    yield from _eight_bits(type=_EIGHT, atype="f32|f16x2", rnd="rn", scaled=False)
    yield row(type=_EIGHT, atype="bf16x2", rnd="rn", scaled=False, ptx="9.1", sm=_NARROW)
    yield row(type=_SIX_AND_FOUR, atype="f32", rnd="rn", scaled=False, ptx="8.6", sm=_NARROW)
    yield row(type=_SIX_AND_FOUR, atype="f16x2|bf16x2", rnd="rn", scaled=False, ptx="9.1", sm=_NARROW)
    yield row(type=_FLOATING, scaled=f"{_N1}|", **RUBIN)
    yield row(type="s2f6x2", atype="f32|bf16x2", rnd="rn", scaled=f"{_N2}|", ptx="9.1", sm=_SIX_BIT_FIXED)
    yield row(type="s2f6x2", atype="f32|bf16x2", rnd="rz", scaled=f"{_N2}|", ptx="9.4", sm="107a")


def _to_unsigned() -> Iterator[Row]:
    """The scale formats, which have no sign."""
    yield row(type="ue8m0x2", atype="f32|bf16x2", rnd="rz|rp", scaled=False, ptx="8.6", sm=_NARROW)
    yield row(type="ue5m3x2", scaled=False, **RUBIN)
    yield row(type="ue5m3x2", rnd="rn|rz", scaled=_N1, **RUBIN)


def _from_narrow() -> Iterator[Row]:
    yield from _eight_bits(type="f16x2", atype=_EIGHT, satfinite=False, scaled=False)
    yield row(type="f16x2", atype=_SIX_AND_FOUR, satfinite=False, scaled=False, ptx="8.6", sm=_NARROW)
    yield row(type="bf16x2", atype=_FLOATING, ptx="9.2", sm=_NARROW)
    yield row(type="bf16x2", atype="s2f6x2", ptx="9.1", sm=_SIX_BIT_FIXED)
    yield row(type="bf16x2", atype="ue8m0x2", relu=False, satfinite=False, scaled=False, ptx="8.6", sm=_NARROW)
    yield row(type="f16x2", atype="ue5m3x2", relu=False, satfinite=False, scaled=False, **RUBIN)
    yield row(type="bf16x2", atype="ue5m3x2", relu=False, **RUBIN)


def _scale_type(slots: Slots) -> str:
    """One scale byte, or one for each element."""
    return "ue8m0" if slots["scaled"] == _N1 else "ue8m0x2"


_SCALE = Arg(type=_scale_type, when="scaled", imm=False)
_SOURCE = Arg(type="atype")


def _narrowing(atypes: str, sources: str) -> Iterator[Form]:
    """Two singles, or the two halves of one register, into a packed narrow format."""
    args = {**dict.fromkeys("ab", _SOURCE), "scale": _SCALE}
    yield Form(
        f"cvt.rnd.satfinite{{.relu}}{{.pzo}}{{.scaled}}.type.atype d, {sources}{{, scale}}",
        slots={
            "rnd": "rn rz",
            "satfinite": "satfinite",
            "scaled": f"{_N1} {_N2}",
            "type": f"{_FLOATING}|s2f6x2".replace("|", " "),
            "atype": atypes,
        },
        args=args,
        rows=tuple(_to_narrow()),
        needs=(_NO_MINUS_ZERO,),
        rules=(forbid(".s2f6x2 has no .pzo", type="s2f6x2", pzo=True),),
    )
    yield Form(
        f"cvt.rnd{{.satfinite}}{{.scaled}}.type.atype d, {sources}{{, scale}}",
        slots={"rnd": "rn rz rp", "scaled": _N1, "type": "ue8m0x2 ue5m3x2", "atype": atypes},
        args=args,
        rows=tuple(_to_unsigned()),
    )


_WIDENING = Form(
    "cvt.rnd{.satfinite}{.relu}{.scaled}.type.atype d, a{, scale}",
    slots={
        "rnd": "rn",
        "scaled": _N2,
        "type": "f16x2 bf16x2",
        "atype": f"{_FLOATING}|s2f6x2|ue8m0x2|ue5m3x2".replace("|", " "),
    },
    args={"a": Arg(type="atype"), "scale": _SCALE},
    rows=tuple(_from_narrow()),
)

CVT = Family(
    "cvt",
    "Convert a value from one type to another; narrow formats are packed, two or four per register.",
    manual="data-movement-and-conversion-instructions-cvt",
    semantics="d = convert(a)",
    forms=(
        _BETWEEN_INTEGERS,
        _scalar(f"{_INTEGERS} f16 f32 f64", _numbers(), wider=True),
        _scalar(f"{_INTEGERS} f16 bf16 f32 f64", _brains(), wider=False),
        *_from_single("f16", wider=True),
        *_from_single("bf16", wider=False),
        _TO_TF32,
        *_narrowing("f32", "a, b"),
        *_narrowing("f16x2 bf16x2", "a"),
        _TO_FOUR,
        _WIDENING,
    ),
)

_PACK_SLOTS = {"atype": "s32"}
_PACKED = Arg(type="atype", wider=True)
_PACK_ARGS = {"d": Arg(type="u32", wider=True), "a": _PACKED, "b": _PACKED, "c": Arg(type="b32", loose=True)}

CVT_PACK = Family(
    "cvt.pack",
    "Convert two integers with saturation and pack them; results of 8 bits or fewer are appended to earlier ones.",
    manual="data-movement-and-conversion-instructions-cvt-pack",
    semantics="d = [c << 2n,] saturate(a) << n, saturate(b), with n the bits of the type",
    forms=(
        Form(
            "cvt.pack.sat.type.atype d, a, b",
            slots={"type": "u16 s16", **_PACK_SLOTS},
            args=_PACK_ARGS,
            ptx="6.5",
            sm="75+",
        ),
        Form(
            "cvt.pack.sat.type.atype.ctype d, a, b, c",
            slots={"type": "u8 s8 u4 s4 u2 s2", **_PACK_SLOTS, "ctype": "b32"},
            args=_PACK_ARGS,
            ptx="6.5",
            sm="75+",
        ),
    ),
)

FAMILIES = (CVT, CVT_PACK)
