"""`ldmatrix`, `stmatrix`, `movmatrix`: warp-wide copies of 8x8, 8x16, 16x8 and 16x16 matrices."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, Slots, need, row

NARROW = "100f+ 120f+"
"""Targets of the 8-bit shapes and of the 6- and 4-bit formats."""


def _in_shared(slots: Slots) -> bool:
    return bool(slots["ss"])


_READ = Arg(space="shared", narrow=_in_shared)
_WRITTEN = Arg(space="shared", access="w", narrow=_in_shared)


def _registers(slots: Slots) -> int:
    """32-bit registers per thread: one per matrix, two per 16x16 matrix."""
    return int(slots["num"][1:]) * (2 if slots["shape"] == "m16n16" else 1)


_SHARED_CTA = need(ss="shared::cta", ptx="7.8")

LDMATRIX = Family(
    "ldmatrix",
    "Collectively load one or more matrices from shared memory for mma.",
    manual="warp-level-matrix-instructions-ldmatrix",
    semantics="""\
row i of matrix j: the 16 bytes at the address of lane 8 * j + i (m16n16: lane 16 * j + i)
m8n8:   register j of lane l holds the elements (l/4, 2*(l%4)) and (l/4, 2*(l%4)+1) of matrix j (.trans: its transpose)
m8n16:  register j holds the bytes (l/4, 4*(l%4)) to (l/4, 4*(l%4)+3) of matrix j
m16n16: registers 2*j and 2*j+1 hold the bytes (4*(l%4), c) to (4*(l%4)+3, c) of matrix j, c = l/4 and l/4 + 8
.b6x16_p32 and .b4x16_p64: 16 elements of 6 or 4 bits and padding are a row; each becomes a byte""",
    effects=Effects(memory="r", space="shared", collective="warp"),
    forms=(
        Form(
            "ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type {r}, [p]",
            slots={"shape": "m8n8 m16n16", "num": "x1 x2 x4", "ss": "shared shared::cta", "type": "b16 b8"},
            args={"r": Arg(type="b32", count=_registers, lenient="predicate"), "p": _READ},
            rows=(
                row(shape="m8n8", type="b16", ptx="6.5", sm="75+"),
                row(shape="m16n16", type="b8", num="x1|x2", trans=True, ptx="8.6", sm=NARROW),
            ),
            needs=(_SHARED_CTA,),
        ),
        Form(
            "ldmatrix.sync.aligned.shape.num{.trans}{.ss}.dst_fmt.src_fmt {r}, [p]",
            slots={
                "shape": "m8n16 m16n16",
                "num": "x1 x2 x4",
                "ss": "shared shared::cta",
                "dst_fmt": "b8x16",
                "src_fmt": "b6x16_p32 b4x16_p64",
            },
            args={"r": Arg(type="b32", count=_registers, lenient="predicate"), "p": _READ},
            rows=(
                row(shape="m8n16", trans=False, ptx="8.6", sm=NARROW),
                row(shape="m16n16", num="x1|x2", trans=True, ptx="8.6", sm=NARROW),
            ),
            needs=(_SHARED_CTA,),
        ),
    ),
)

STMATRIX = Family(
    "stmatrix",
    "Collectively store one or more matrices to shared memory.",
    manual="warp-level-matrix-instructions-stmatrix",
    semantics="""\
row i of matrix j: the 16 bytes at the address of lane 8 * j + i
m8n8:  register j of lane l holds the elements (l/4, 2*(l%4)) and (l/4, 2*(l%4)+1) of matrix j (.trans: its transpose)
m16n8: register j holds the bytes (2*(l%4)+p%2, l/4 + 8*(p/2)) of matrix j as it lies in memory, p = 0 to 3""",
    effects=Effects(memory="w", space="shared", collective="warp"),
    forms=(
        Form(
            "stmatrix.sync.aligned.shape.num{.trans}{.ss}.type [p], {r}",
            slots={"shape": "m8n8 m16n8", "num": "x1 x2 x4", "ss": "shared shared::cta", "type": "b16 b8"},
            args={"r": Arg(type="b32", count=_registers, access="r", imm=True), "p": _WRITTEN},
            rows=(
                row(shape="m8n8", type="b16", ptx="7.8", sm="90+"),
                row(shape="m16n8", type="b8", trans=True, ptx="8.6", sm=NARROW),
            ),
        ),
    ),
)

MOVMATRIX = Family(
    "movmatrix",
    "Transpose an 8x8 matrix in registers across a warp.",
    manual="warp-level-matrix-instructions-movmatrix",
    semantics="lane l holds the elements (l/4, 2*(l%4)) and (l/4, 2*(l%4)+1) of the matrix in a, of its transpose in d",
    effects=Effects(collective="warp"),
    forms=(
        Form(
            "movmatrix.sync.aligned.shape.trans.type d, a",
            slots={"shape": "m8n8", "type": "b16"},
            args={"d": Arg(type="b32", lenient="predicate"), "a": Arg(type="b32", imm=False, lenient="predicate")},
            ptx="7.8",
            sm="75+",
        ),
    ),
)

FAMILIES = (LDMATRIX, STMATRIX, MOVMATRIX)
