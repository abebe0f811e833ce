"""`selp`, `slct`: choose one of two values by a predicate or by a sign."""

from __future__ import annotations

from weft.isa.form import Arg, Family, Form, row
from weft.isa.table.common import INTEGERS

_TYPES = f"b16 b32 b64 {INTEGERS} f32 f64"

SELP = Family(
    "selp",
    "Choose one of two values by a predicate.",
    manual="comparison-and-selection-instructions-selp",
    semantics="d = c ? a : b",
    forms=(Form("selp.type d, a, b, !c", slots={"type": _TYPES}, args={"c": Arg(imm=True)}),),
)

SLCT = Family(
    "slct",
    "Choose one of two values by the sign of a third.",
    manual="comparison-and-selection-instructions-slct",
    semantics="d = (c >= 0) ? a : b",
    forms=(
        Form(
            "slct{.ftz}.type.ctype d, a, b, c",
            slots={"type": _TYPES, "ctype": "s32 f32"},
            args={"c": Arg(type="ctype")},
            rows=(row(ftz=False), row(ftz=True, ctype="f32", ptx="1.4")),
        ),
    ),
)

FAMILIES = (SELP, SLCT)
