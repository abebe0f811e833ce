"""`min`, `max`, `abs`, `neg`, `copysign`: magnitudes and signs."""

from __future__ import annotations

from weft.isa.form import Family, Form, demand, need, row
from weft.isa.table.common import BRAINS, BYTES, FTZ, HALVES, INTEGERS

_PAIRED = demand(".abs needs .xorsign", {"abs": True}, {"xorsign": True})
_PAIRED_BACK = demand(".xorsign needs .abs", {"xorsign": True}, {"abs": True})


def _extremum(stem: str, word: str) -> Family:
    return Family(
        stem,
        f"Select the {word} of two values, or of three floats.",
        manual=f"integer-arithmetic-instructions-{stem}",
        semantics=f"d = {stem}(a, b)",
        forms=(
            Form(
                f"{stem}{{.relu}}.type d, a, b",
                slots={"type": f"{INTEGERS} u16x2 s16x2 u8x4 s8x4"},
                rows=(
                    row(type=INTEGERS.replace(" ", "|"), relu=False),
                    row(type="u16x2|s16x2", relu=False, ptx="8.0", sm="90+"),
                    row(type="s32|s16x2", relu=True, ptx="8.0", sm="90+"),
                    row(type="u8x4", relu=False, ptx="9.2", sm=BYTES),
                    row(type="s8x4", ptx="9.2", sm=BYTES),
                ),
            ),
            Form(
                f"{stem}{{.ftz}}{{.NaN}}{{.xorsign}}{{.abs}}.type d, a, b",
                slots={"type": "f16 f16x2 bf16 bf16x2 f32 f64"},
                rows=(
                    row(type="f32"),
                    row(type="f64", ftz=False, NaN=False, xorsign=False, abs=False),
                    row(type=HALVES, ptx="7.0", sm="80+"),
                    row(type=BRAINS, ftz=False, ptx="7.0", sm="80+"),
                ),
                needs=(FTZ, need(NaN=True, ptx="7.0", sm="80+"), need(xorsign=True, ptx="7.2", sm="86+")),
                rules=(_PAIRED, _PAIRED_BACK),
            ),
            Form(f"{stem}{{.ftz}}{{.NaN}}{{.abs}}.type d, a, b, c", slots={"type": "f32"}, ptx="8.8", sm="100+"),
        ),
    )


MIN = _extremum("min", "smaller")
MAX = _extremum("max", "larger")


def _sign(stem: str, summary: str, semantics: str, integers: str, halves: str) -> Family:
    """`halves` is the PTX version of the 16-bit IEEE forms."""
    return Family(
        stem,
        summary,
        manual=f"integer-arithmetic-instructions-{stem}",
        semantics=semantics,
        forms=(
            Form(f"{stem}.type d, a", slots={"type": integers}, needs=(need(type="s8x4", ptx="9.2", sm=BYTES),)),
            Form(
                f"{stem}{{.ftz}}.type d, a",
                slots={"type": "f16 f16x2 bf16 bf16x2 f32 f64"},
                rows=(
                    row(type="f32"),
                    row(type="f64", ftz=False),
                    row(type=HALVES, ptx=halves, sm="53+"),
                    row(type=BRAINS, ftz=False, ptx="7.0", sm="80+"),
                ),
                needs=(FTZ,),
            ),
        ),
    )


ABS = _sign("abs", "The absolute value.", "d = |a|", "s16 s32 s64", "6.5")
NEG = _sign("neg", "The arithmetic negation.", "d = -a", "s16 s32 s64 s8x4", "6.0")

COPYSIGN = Family(
    "copysign",
    "Combine the magnitude of the second float with the sign of the first.",
    manual="floating-point-instructions-copysign",
    semantics="d = |b| with the sign bit of a",
    forms=(Form("copysign.type d, a, b", slots={"type": "f32 f64"}, ptx="2.0", sm="20+"),),
)

FAMILIES = (MIN, MAX, ABS, NEG, COPYSIGN)
