"""`and`, `or`, `xor`, `not`, `cnot`, `lop3`: bitwise logic on words and predicates."""

from __future__ import annotations

from weft.isa.form import Arg, Family, Form

_WORDS = "b16 b32 b64"
_SOURCE = Arg(imm=True)


def _binary(stem: str, sign: str) -> Family:
    return Family(
        stem,
        f"Bitwise {stem} of two words or predicates.",
        manual=f"logic-and-shift-instructions-{stem}",
        semantics=f"d = a {sign} b",
        forms=(
            Form(f"{stem}.type d, a, b", slots={"type": _WORDS}),
            Form(f"{stem}.type d, !a, !b", slots={"type": "pred"}, args={"a": _SOURCE, "b": _SOURCE}),
        ),
    )


AND, OR, XOR = _binary("and", "&"), _binary("or", "|"), _binary("xor", "^")

NOT = Family(
    "not",
    "Bitwise complement of a word or predicate.",
    manual="logic-and-shift-instructions-not",
    semantics="d = ~a",
    forms=(
        Form("not.type d, a", slots={"type": _WORDS}),
        Form("not.type d, !a", slots={"type": "pred"}, args={"a": _SOURCE}),
    ),
)

CNOT = Family(
    "cnot",
    "Logical negation: 1 for zero, 0 for all else.",
    manual="logic-and-shift-instructions-cnot",
    semantics="d = (a == 0) ? 1 : 0",
    forms=(Form("cnot.type d, a", slots={"type": _WORDS}),),
)

_TABLE = Arg(type="u32", reg=False)
_RESULT = Arg(sink=True)

LOP3 = Family(
    "lop3",
    "Compute any logical function of three words, given as an 8-bit truth table, and optionally test it for zero.",
    manual="logic-and-shift-instructions-lop3",
    semantics="d = F(a, b, c) with F the table immLut = F(0xF0, 0xCC, 0xAA); p = (d != 0) BoolOp q",
    forms=(
        Form(
            "lop3.type d, a, b, c, immLut",
            slots={"type": "b32"},
            args={"d": _RESULT, "immLut": _TABLE},
            ptx="4.3",
            sm="50+",
        ),
        Form(
            "lop3.boolop.type d|p, a, b, c, immLut, !q",
            slots={"boolop": "or and", "type": "b32"},
            args={"d": _RESULT, "immLut": _TABLE, "q": Arg(access="r", imm=True)},
            ptx="8.2",
            sm="70+",
        ),
    ),
)

FAMILIES = (AND, OR, XOR, NOT, CNOT, LOP3)
