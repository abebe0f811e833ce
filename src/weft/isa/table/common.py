"""Type lists, target sets and row groups that several scalar families share.

Alternatives in rows are written `a|b`, lists of slot tokens with blanks; the names below give both spellings.
"""

from __future__ import annotations

from typing import TypedDict

from weft.isa.form import Row, Slots, need, row
from weft.isa.types import TYPES


class Since(TypedDict):
    """A window as keyword arguments of `row`, `need` and `Form`: the least PTX version and the targets."""

    ptx: str
    sm: str


INTEGERS = "u16 u32 u64 s16 s32 s64"
"""The integer types that arithmetic takes."""

CARRYING = "u32 s32 u64 s64"
"""The types of arithmetic with carry-out."""

HALVES = "f16|f16x2"
BRAINS = "bf16|bf16x2"

BYTES = "107f 107a 120f+"
"""Targets of arithmetic on four packed bytes (`.u8x4`, `.s8x4`)."""

RUBIN: Since = {"ptx": "9.4", "sm": "107f 107a"}
"""The window of what sm_107 brought: mixed packed arithmetic, more conversions."""

LAYOUTS: Since = {"ptx": "9.3", "sm": "90+"}
"""The window of what came with the layouts of mbarriers."""

FOURS: Since = {"ptx": "9.4", "sm": "100a 103a"}
"""The window of arithmetic on four packed narrow floats."""

FOUR_RESULTS = "e4m3x4 e5m2x4"
FOUR_SOURCES = f"{FOUR_RESULTS} e2m1x4 e2m1p4x4 e3m2x4 e2m3x4 ue8m0x4"
"""What arithmetic on four packed narrow floats gives and takes; in `e2m1p4` each value is padded to a byte."""

FLOATS = "f16 f16x2 bf16 bf16x2 f32 f32x2 f64"
"""The types of add, sub, mul and fma in floating point."""

ROUNDINGS = "rn rz rm rp"

FTZ = need(ftz=True, ptx="1.4")
"""`.ftz` appeared in PTX 1.4."""

DIRECTED = (need(type="f32", rnd="rm|rp", sm="20+"), need(type="f64", rnd="rm|rp", sm="13+"))
"""Where rounding to minus or plus infinity exists for the single and double precision types."""

SUM_ROWS: tuple[Row, ...] = (
    row(type="f32"),
    row(type="f64", ftz=False, sat=False),
    row(type="f32x2", sat=False, ptx="8.6", sm="100+"),
    row(type=HALVES, rnd="|rn", ptx="4.2", sm="53+"),
    row(type=BRAINS, rnd="|rn", ftz=False, sat=False, ptx="7.8", sm="90+"),
)
"""The legal combinations of floating-point add, sub and mul."""

NARROWED_ROWS: tuple[Row, ...] = (row(type="bf16x2", ftz=False), row(type="f16x2", ftz=True))
"""Packed singles added or multiplied into packed halves: .f16x2 always flushes subnormals, .bf16x2 never."""

SUM_NEEDS: tuple[Row, ...] = (FTZ, *DIRECTED)


def doubled(slots: Slots) -> str:
    """The integer type twice as wide as slot `type`: u16 gives u32."""
    name = slots["type"]
    return f"{name[0]}{2 * TYPES[name].bits}"
