"""`mma.sp`: warp-wide multiply and accumulate with a sparse matrix A, of which half of the elements are stored, and
`spcompress`, which makes such.
"""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, row
from weft.isa.table import _matrix as m
from weft.isa.table.mma_block_scale import block_scale

_ORDERED = "mma.sp::ordered_metadata"


def selectors(slots: Slots) -> range:
    """The sparsity selectors: which of a quad's threads, or pairs of threads, hold the metadata of A.

    A row of A has two bits of metadata for each stored element, or for each stored pair of 4-bit integers; a quad of
    threads has 128 bits for two rows.  ptxas takes all four selectors for `.f16` with `.f32` sums whatever K is.
    """
    atype, depth = slots["atype"], m.extents(slots["shape"])[2]
    if (atype, slots["dtype"]) == ("f16", "f32"):
        return range(4)
    row_bits = depth * 2 if atype == "tf32" else depth // 2 if atype in ("u4", "s4") else depth
    return range(max(1, 64 // row_bits))


def _accumulators(role: str) -> Arg:
    """The fragment of C or D; unlike those of the dense product, its `.f32` elements are in any 32-bit register."""
    slot = f"{role}type"

    def type_of(slots: Slots) -> str:
        return "b32" if slots[slot] == "f32" and slots["atype"] not in m.FP8.split() else m.register_type(slots[slot])

    return replace(m.fragment(role), type=type_of)


_REORDERED = row(atype="f16|s8|u8", sm="100+")
"""Where a function reorders the matrix and the metadata of `mma.sp`, which ptxas then replaces by the other stem."""


def _args(stem: str) -> dict[str, Arg]:
    reordered = () if stem == _ORDERED else (_REORDERED,)
    a = m.fragment("a", sparse=True)
    return {
        "a": replace(a, called=(*m.CALLED, *reordered)),
        "b": m.fragment("b"),
        **{role: _accumulators(role) for role in "cd"},
        "e": Arg(type="b32", imm=False, lenient="longer predicate", whole=(m.WIDENED,), called=(*m.CALLED, *reordered)),
        "f": Arg(type="b32", reg=False, values=selectors),
    }


def _float(stem: str, rows: tuple[Row, ...], *, kind: bool) -> Form:
    return Form(
        f"{stem}.sync.aligned.shape.alayout.blayout{'{.kind}' if kind else ''}.dtype.atype.btype.ctype "
        "{d}, {a}, {b}, {c}, e, f",
        slots={
            "shape": "m16n8k8 m16n8k16 m16n8k32 m16n8k64",
            "alayout": "row",
            "blayout": "col",
            "dtype": "f16 f32",
            "atype": f"f16 bf16 tf32 {m.FP8_FP6_FP4 if kind else m.FP8}",
            "btype": f"f16 bf16 tf32 {m.FP8_FP6_FP4 if kind else m.FP8}",
            "ctype": "f16 f32",
            **({"kind": "kind::f8f6f4"} if kind else {}),
        },
        args=_args(stem),
        rows=rows,
    )


def _half_rows(ptx: str, fp8: str) -> tuple[Row, ...]:
    """The rows of both stems; they differ in the version that brought them."""
    return (
        *m.rows_of("f16", "f16 f32", shape="m16n8k16|m16n8k32", kind=False, ptx=ptx, sm="80+"),
        row(shape="m16n8k16|m16n8k32", kind=False, **m.of("bf16", "f32"), ptx=ptx, sm="80+"),
        row(shape="m16n8k8|m16n8k16", kind=False, **m.of("tf32", "f32"), ptx=ptx, sm="80+"),
        row(shape="m16n8k64", kind=False, **m.of(m.FP8, "f32"), ptx=fp8, sm="89+"),
    )  # fmt: skip


def _integer(stem: str, ptx: str) -> Form:
    return Form(
        f"{stem}.sync.aligned.shape.alayout.blayout{{.satfinite}}.dtype.atype.btype.ctype "
        "{d}, {a}, {b}, {c}, e, f",
        slots={
            "shape": "m16n8k32 m16n8k64 m16n8k128",
            "alayout": "row",
            "blayout": "col",
            "dtype": "s32",
            "atype": "u8 s8 u4 s4",
            "btype": "u8 s8 u4 s4",
            "ctype": "s32",
        },
        args=_args(stem),
        rows=(
            row(shape="m16n8k32|m16n8k64", atype="u8|s8", btype="u8|s8", ptx=ptx, sm="80+"),
            row(shape="m16n8k64|m16n8k128", atype="u4|s4", btype="u4|s4", ptx=ptx, sm="80+"),
        ),
    )


_MANUAL = "warp-level-matrix-instructions-for-sparse-mma"
_EFFECTS = Effects(collective="warp")
_SEMANTICS = "D = expand(A, metadata e, selector f) * B + C"

MMA_SP = Family(
    "mma.sp",
    "Multiply a sparse matrix by a dense one, both held by a warp as fragments, and add a third.",
    manual=_MANUAL,
    semantics=_SEMANTICS,
    effects=_EFFECTS,
    forms=(_float("mma.sp", _half_rows("7.1", "8.4"), kind=False), _integer("mma.sp", "7.1")),
)

MMA_SP_ORDERED = Family(
    _ORDERED,
    "Like mma.sp, with metadata that lists the stored elements in increasing order.",
    manual=_MANUAL,
    semantics=_SEMANTICS,
    effects=_EFFECTS,
    forms=(
        _float(
            _ORDERED,
            (
                *_half_rows("8.5", "8.5"),
                row(shape="m16n8k64", kind=True, **m.of(m.FP8, "f32"), ptx="8.6", sm="100f+ 120f+"),
                *m.rows_of(m.FP8_FP6_FP4, "f16 f32", shape="m16n8k64", kind=True, ptx="8.7", sm="120f+"),
                row(shape="m16n8k64", kind=False, **m.of(m.FP8, "f16"), ptx="8.7", sm="120f+"),
            ),
            kind=True,
        ),
        _integer(_ORDERED, "8.5"),
        block_scale(sparse=True),
    ),
)  # fmt: skip


def _kept_places(slots: Slots) -> int:
    """Registers with the places of the kept elements, of 2 or 4 bits each."""
    kept = int(slots["num"][1:]) * 32 // int(slots["type"][1:])
    return -(-kept * int(slots["place"][1:]) // 32)


SPCOMPRESS = Family(
    "spcompress",
    "Keep two of every four elements in registers, and record their positions (undocumented).",
    forms=(
        Form(
            "spcompress.num.sp::2:4.type.place {places}, {d}, {a}, b",
            slots={"num": "x1 x2 x4 x8 x16 x32 x64", "type": "b8 b16", "place": "b2 b4"},
            args={
                "places": Arg(type="b32", count=_kept_places, access="w", sink=True, uniform=True),
                "d": Arg(type="b32", count=lambda s: int(s["num"][1:]), access="w", uniform=True),
                "a": Arg(type="b32", count=lambda s: 2 * int(s["num"][1:]), imm=True, uniform=True, whole=True),
                "b": Arg(type="b32", imm=False, lenient="float"),
            },
            ptx="9.4",
            sm="107a",
        ),
    ),
)

FAMILIES = (MMA_SP, MMA_SP_ORDERED, SPCOMPRESS)
