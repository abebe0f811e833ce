"""`div`, `rem`, `rcp`, `sqrt`, `rsqrt`: quotients, reciprocals and roots.

Slot `rnd` holds how the result is rounded: an IEEE mode, `approx` (fast), or `full` (fast, full range; div only).
Up to PTX 1.3 the floating-point forms carried no rounding modifier.
"""

from __future__ import annotations

from weft.isa.form import Arg, Family, Form, need, row
from weft.isa.table.common import FTZ, INTEGERS, ROUNDINGS

_ROUNDED = (
    row(rnd=ROUNDINGS.replace(" ", "|"), type="f32", sm="20+"),
    row(rnd="rn", type="f64", ftz=False),
    row(rnd="rz|rm|rp", type="f64", ftz=False, sm="20+"),
)
_DIRECTED = Arg(whole=lambda slots: slots["type"] == "f64" and slots["rnd"] in ("rz", "rm", "rp"))
_FAST = row(rnd="approx", type="f32", ptx="1.4")

DIV = Family(
    "div",
    "Divide one value by another.",
    manual="integer-arithmetic-instructions-div",
    leading="full",
    semantics="d = a / b",
    forms=(
        Form("div.type d, a, b", slots={"type": INTEGERS}),
        Form(
            "div.rnd{.ftz}.type d, a, b",
            slots={"rnd": f"approx full {ROUNDINGS}", "type": "f32 f64"},
            args={"a": _DIRECTED, "b": _DIRECTED},
            rows=(*_ROUNDED, _FAST, row(rnd="full", type="f32", ptx="1.4")),
            needs=(FTZ,),
        ),
        Form("div.type d, a, b", slots={"type": "f32 f64"}, until="1.3"),
    ),
)

REM = Family(
    "rem",
    "Compute the remainder of an integer division.",
    manual="integer-arithmetic-instructions-rem",
    semantics="d = a % b",
    forms=(Form("rem.type d, a, b", slots={"type": INTEGERS}),),
)

RCP = Family(
    "rcp",
    "Compute the reciprocal of a float.",
    manual="floating-point-instructions-rcp",
    semantics="d = 1 / a",
    forms=(
        Form(
            "rcp.rnd{.ftz}.type d, a",
            slots={"rnd": f"approx {ROUNDINGS}", "type": "f32 f64"},
            args={"a": _DIRECTED},
            rows=(
                *_ROUNDED,
                _FAST,
                row(rnd="approx", type="f64", ftz=True, ptx="2.1", sm="20+"),
                row(rnd="rn", type="f64", ftz=True),
                row(rnd="rz|rm|rp", type="f64", ftz=True, sm="20+"),
            ),
            needs=(FTZ, need(type="f64", rnd="rn", ptx="1.4")),
        ),
        Form("rcp.type d, a", slots={"type": "f32"}, until="1.3"),
    ),
)

SQRT = Family(
    "sqrt",
    "Compute the square root of a float.",
    manual="floating-point-instructions-sqrt",
    semantics="d = sqrt(a)",
    forms=(
        Form(
            "sqrt.rnd{.ftz}.type d, a",
            slots={"rnd": f"approx {ROUNDINGS}", "type": "f32 f64"},
            args={"a": _DIRECTED},
            rows=(*_ROUNDED, _FAST),
            needs=(FTZ,),
        ),
        Form("sqrt.type d, a", slots={"type": "f32 f64"}, until="1.3"),
    ),
)

RSQRT = Family(
    "rsqrt",
    "Approximate the reciprocal of the square root of a float.",
    manual="floating-point-instructions-rsqrt",
    semantics="d = 1 / sqrt(a)",
    forms=(
        Form(
            "rsqrt.rnd{.ftz}.type d, a",
            slots={"rnd": "approx", "type": "f32 f64"},
            rows=(
                row(type="f32", ptx="1.4"),
                row(type="f64", ftz=False, ptx="1.4"),
                row(type="f64", ftz=True, ptx="4.0", sm="20+"),
            ),
        ),
        Form("rsqrt.type d, a", slots={"type": "f32 f64"}, until="1.3"),
    ),
)

FAMILIES = (DIV, REM, RCP, SQRT, RSQRT)
