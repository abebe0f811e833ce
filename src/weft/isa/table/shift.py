"""`shl`, `shr`, `shf`, `prmt`: shifts and byte permutation."""

from __future__ import annotations

from weft.isa.form import Arg, Family, Form
from weft.isa.table.common import INTEGERS

_AMOUNT = Arg(type="u32")

SHL = Family(
    "shl",
    "Shift left, filling with zeros; amounts past the width count as the width.",
    manual="logic-and-shift-instructions-shl",
    semantics="d = a << b",
    forms=(Form("shl.type d, a, b", slots={"type": "b16 b32 b64"}, args={"b": _AMOUNT}),),
)

SHR = Family(
    "shr",
    "Shift right, filling with the sign for signed types and with zeros for the others.",
    manual="logic-and-shift-instructions-shr",
    semantics="d = a >> b",
    forms=(Form("shr.type d, a, b", slots={"type": f"b16 b32 b64 {INTEGERS}"}, args={"b": _AMOUNT}),),
)

SHF = Family(
    "shf",
    "Shift the 64-bit pair of two words and keep the high (.l) or the low (.r) word.",
    manual="logic-and-shift-instructions-shf",
    leading="l r",
    semantics="n = min(c, 32) (.clamp) or c & 31 (.wrap); d = high([b,a] << n) (.l) or low([b,a] >> n) (.r)",
    forms=(
        Form(
            "shf.dir.mode.type d, a, b, c",
            slots={"dir": "l r", "mode": "clamp wrap", "type": "b32"},
            args={"c": _AMOUNT},
            ptx="3.1",
            sm="32+",
        ),
    ),
)

PRMT = Family(
    "prmt",
    "Select four bytes from two words, each by a 4-bit selector or by a fixed pattern.",
    manual="data-movement-and-conversion-instructions-prmt",
    semantics="d.byte[i] = [b,a].byte[c.nibble[i] & 7], or its sign bit replicated when c.nibble[i] & 8",
    forms=(
        Form(
            "prmt.type{.mode} d, a, b, c",
            slots={"type": "b32", "mode": "f4e b4e rc8 ecl ecr rc16"},
            ptx="2.0",
            sm="20+",
        ),
    ),
)

FAMILIES = (SHL, SHR, SHF, PRMT)
