"""`add`, `sub`, `addc`, `subc`: sums and differences of integers and floats, with and without carry."""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.form import Arg, Effects, Family, Form, Row, row
from weft.isa.table.common import (
    BYTES,
    CARRYING,
    FLOATS,
    FOUR_RESULTS,
    FOUR_SOURCES,
    FOURS,
    INTEGERS,
    NARROWED_ROWS,
    ROUNDINGS,
    RUBIN,
    SUM_NEEDS,
    SUM_ROWS,
)

_PLAIN = row(type=INTEGERS.replace(" ", "|"), sat=False)
_SATURATED = row(type="s32", sat=True)
_BYTES = row(type="u8x4|s8x4", ptx="9.2", sm=BYTES)


def _integer(stem: str, extra_types: str, *extra_rows: Row) -> Form:
    return Form(
        f"{stem}{{.sat}}.type d, a, b",
        slots={"type": f"{INTEGERS} {extra_types} u8x4 s8x4"},
        rows=(_PLAIN, _SATURATED, *extra_rows, _BYTES),
    )


def _carry_out(stem: str, ptx: str) -> Form:
    return Form(
        f"{stem}.cc.type d, a, b",
        slots={"type": CARRYING},
        effects=Effects(carry="w"),
        rows=(row(type="u32|s32", ptx=ptx), row(type="u64|s64", ptx="4.3", sm="20+")),
    )


def _carry_in(stem: str, ptx: str) -> tuple[Form, Form]:
    return (
        Form(
            f"{stem}{{.sat}}.type d, a, b",
            slots={"type": INTEGERS},
            effects=Effects(carry="r"),
            rows=(row(sat=False, ptx=ptx), row(sat=True, type="s32", ptx=ptx)),
        ),
        Form(
            f"{stem}.cc.type d, a, b",
            slots={"type": CARRYING},
            effects=Effects(carry="rw"),
            rows=(row(type="u32|s32", ptx=ptx), row(type="u64|s64", ptx="4.3", sm="20+")),
        ),
    )


def _floating(stem: str) -> Form:
    return Form(
        f"{stem}{{.rnd}}{{.ftz}}{{.sat}}.type d, a, b",
        slots={"rnd": ROUNDINGS, "type": FLOATS},
        rows=SUM_ROWS,
        needs=SUM_NEEDS,
    )


_ANY_LENGTH = Arg(lenient="longer")


def _mixed(stem: str) -> Iterator[Form]:
    """Sources of other types than the result: halves that are widened, results that are narrowed, narrow floats."""
    source = {"a": Arg(type="atype")}
    sources = {"a": Arg(type="atype"), "b": Arg(type="btype")}
    yield Form(
        f"{stem}{{.rnd}}{{.sat}}.type.atype d, a, b",
        slots={"rnd": ROUNDINGS, "type": "f32", "atype": "f16 bf16"},
        args=source,
        ptx="8.6",
        sm="100+",
    )
    yield Form(
        f"{stem}{{.rnd}}.type.atype.btype d, a, b",
        slots={"rnd": ROUNDINGS, "type": "f32x2", "atype": "f16x2 bf16x2", "btype": "f32x2"},
        args=sources,
        **RUBIN,
    )
    yield Form(
        f"{stem}{{.rnd}}{{.ftz}}.type.atype.btype d, a, b",
        slots={"rnd": "rz", "type": "f16x2 bf16x2", "atype": "f32x2", "btype": "f32x2"},
        args=sources,
        rows=NARROWED_ROWS,
        **RUBIN,
    )
    yield Form(
        f"{stem}{{.rnd}}{{.satfinite}}.type.atype d, a, b",
        slots={"rnd": "rn", "type": FOUR_RESULTS, "atype": FOUR_SOURCES},
        args={"d": _ANY_LENGTH, "a": Arg(type="atype", lenient="longer"), "b": _ANY_LENGTH},
        **FOURS,
    )


ADD = Family(
    "add",
    "Add two values: integers, floats, or packed vectors of them.",
    manual="integer-arithmetic-instructions-add",
    semantics="d = a + b",
    forms=(
        _integer(
            "add",
            "u16x2 s16x2",
            row(type="u16x2|s16x2", sat=False, ptx="8.0", sm="90+"),
            row(type="u32|u16x2|s16x2", sat=True, ptx="9.2", sm=BYTES),
        ),
        _carry_out("add", "1.2"),
        _floating("add"),
        *_mixed("add"),
    ),
)

SUB = Family(
    "sub",
    "Subtract one value from another: integers, floats, or packed vectors of them.",
    manual="integer-arithmetic-instructions-sub",
    semantics="d = a - b",
    forms=(_integer("sub", ""), _carry_out("sub", "1.3"), _floating("sub"), *_mixed("sub")),
)

ADDC = Family(
    "addc",
    "Add two integers and the carry bit.",
    manual="extended-precision-arithmetic-instructions-addc",
    semantics="d = a + b + CC.CF",
    forms=_carry_in("addc", "1.2"),
)

SUBC = Family(
    "subc",
    "Subtract an integer and the borrow bit from another.",
    manual="extended-precision-arithmetic-instructions-subc",
    semantics="d = a - (b + CC.CF)",
    forms=_carry_in("subc", "1.3"),
)

FAMILIES = (ADD, SUB, ADDC, SUBC)
