"""Block-scaled `mma.sync`: multiplicands whose rows and columns carry a scale for every block along K."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Form, Row, Slots, row
from weft.isa.table import _matrix as m

_SCALE = Arg(type="b32", count=1, imm=False, lenient="longer predicate")
"""The register with a matrix's scales, or with the metadata; it may be in braces, as CUTLASS writes it."""


def _byte_ids(slots: Slots) -> tuple[int, ...]:
    """Where a thread's scales may start in its scale register: any byte, a half, or the whole of it."""
    vector = slots["scale_vec"] or {"kind::mxf8f6f4": "scale_vec::1X"}.get(slots["kind"], "scale_vec::2X")
    return {"scale_vec::1X": (0, 1, 2, 3), "scale_vec::2X": (0, 2)}.get(vector, (0,))


def _rows(fp8_shape: str, fp4_shape: str, fp4_targets: str) -> tuple[Row, ...]:
    fp8: dict[str, Any] = {"kind": "kind::mxf8f6f4", "shape": fp8_shape, "stype": "ue8m0"}
    fp4: dict[str, Any] = {"shape": fp4_shape, **m.of("e2m1", "f32")}
    return (
        row(**fp8, scale_vec="|scale_vec::1X", ptx="8.7", sm="120f+"),
        row(**fp4, kind="kind::mxf4", scale_vec="|scale_vec::2X", stype="ue8m0", ptx="8.7", sm=fp4_targets),
        row(**fp4, kind="kind::mxf4nvf4", scale_vec="scale_vec::2X", stype="ue8m0", ptx="8.7", sm=fp4_targets),
        row(**fp4, kind="kind::mxf4nvf4", scale_vec="scale_vec::4X", stype="ue4m3", ptx="8.7", sm=fp4_targets),
        row(**fp4, kind="kind::mxf4nvf4", scale_vec="scale_vec::4X", stype="ue8m0", ptx="9.1", sm=fp4_targets),
    )


def block_scale(*, sparse: bool) -> Form:
    """The block-scaled form of `mma` (or of `mma.sp::ordered_metadata`, with a `sparse` A twice as deep)."""
    stem = "mma.sp::ordered_metadata" if sparse else "mma"
    fragments = {role: m.fragment(role, sparse=sparse and role == "a") for role in "abcd"}
    metadata = {"e": _SCALE, "f": Arg(type="b32", reg=False, values=range(1))} if sparse else {}
    selectors = {
        f"{what}_{matrix}": Arg(type="b16", imm=True, values=values)
        for matrix, threads in (("a", range(2)), ("b", range(4)))  # Pairs of a quad hold scales of A, single ones of B.
        for what, values in (("byte_id", _byte_ids), ("thread_id", threads))
    }
    return Form(
        f"{stem}.sync.aligned.shape.alayout.blayout.kind.block_scale{{.scale_vec}}.dtype.atype.btype.ctype.stype "
        f"{{d}}, {{a}}, {{b}}, {{c}}, {'e, f, ' if sparse else ''}"
        "scale_a, {byte_id_a, thread_id_a}, scale_b, {byte_id_b, thread_id_b}",
        slots={
            "shape": "m16n8k64 m16n8k128" if sparse else "m16n8k32 m16n8k64",
            "alayout": "row",
            "blayout": "col",
            "kind": "kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4",
            "scale_vec": "scale_vec::1X scale_vec::2X scale_vec::4X",
            "dtype": "f32",
            "atype": m.FP8_FP6_FP4,
            "btype": m.FP8_FP6_FP4,
            "ctype": "f32",
            "stype": "ue8m0 ue4m3",
        },
        args=fragments | metadata | selectors | {"scale_a": _SCALE, "scale_b": _SCALE},
        rows=_rows("m16n8k64", "m16n8k128", "120a 121a") if sparse else _rows("m16n8k32", "m16n8k64", "120f+"),
    )
