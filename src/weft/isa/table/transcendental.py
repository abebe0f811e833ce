"""`sin`, `cos`, `lg2`, `ex2`, `tanh`: fast approximations of transcendental functions."""

from __future__ import annotations

from weft.isa.form import Family, Form, row
from weft.isa.table.common import BRAINS, HALVES


def _approximation(stem: str, summary: str, semantics: str) -> Family:
    return Family(
        stem,
        summary,
        manual=f"floating-point-instructions-{stem}",
        semantics=semantics,
        forms=(
            Form(f"{stem}.approx{{.ftz}}.type d, a", slots={"type": "f32"}, ptx="1.4"),
            Form(f"{stem}.type d, a", slots={"type": "f32"}, until="1.3"),
        ),
    )


SIN = _approximation("sin", "Approximate the sine of an angle in radians.", "d = sin(a)")
COS = _approximation("cos", "Approximate the cosine of an angle in radians.", "d = cos(a)")
LG2 = _approximation("lg2", "Approximate the base-2 logarithm.", "d = log2(a)")

EX2 = Family(
    "ex2",
    "Approximate a power of 2.",
    manual="floating-point-instructions-ex2",
    semantics="d = 2 ** a",
    forms=(
        Form(
            "ex2.approx{.ftz}.type d, a",
            slots={"type": "f16 f16x2 bf16 bf16x2 f32"},
            rows=(
                row(type="f32", ptx="1.4"),
                row(type=HALVES, ftz=False, ptx="7.0", sm="75+"),
                row(type=BRAINS, ftz=True, ptx="7.8", sm="90+"),
            ),
        ),
        Form("ex2.type d, a", slots={"type": "f32"}, until="1.3"),
    ),
)

TANH = Family(
    "tanh",
    "Approximate the hyperbolic tangent.",
    manual="floating-point-instructions-tanh",
    semantics="d = tanh(a)",
    forms=(
        Form(
            "tanh.approx.type d, a",
            slots={"type": "f16 f16x2 bf16 bf16x2 f32"},
            rows=(row(type=f"{HALVES}|f32", ptx="7.0", sm="75+"), row(type=BRAINS, ptx="7.8", sm="90+")),
        ),
    ),
)

FAMILIES = (SIN, COS, LG2, EX2, TANH)
