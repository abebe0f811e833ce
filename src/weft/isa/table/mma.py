"""`mma.sync`: warp-wide matrix multiply and accumulate on fragments in registers, dense operands."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Effects, Family, Form, forbid, row
from weft.isa.table import _matrix as m
from weft.isa.table.mma_block_scale import block_scale

FRAGMENTS = {role: m.fragment(role) for role in "abcd"}


_ROW_COL: dict[str, Any] = {"alayout": "row", "blayout": "col", "kind": False}
_KIND: dict[str, Any] = {"alayout": "row", "blayout": "col", "kind": True}

_FLOAT = Form(
    "mma.sync.aligned.shape.alayout.blayout{.kind}{.rnd}.dtype.atype.btype.ctype {d}, {a}, {b}, {c}",
    slots={
        "shape": "m8n8k4 m16n8k4 m16n8k8 m16n8k16 m16n8k32",
        "alayout": "row col",
        "blayout": "row col",
        "kind": "kind::f8f6f4",
        "rnd": "rn rz rm rp",
        "dtype": "f16 f32 f64",
        "atype": f"f16 bf16 tf32 f64 {m.FP8_FP6_FP4}",
        "btype": f"f16 bf16 tf32 f64 {m.FP8_FP6_FP4}",
        "ctype": "f16 f32 f64",
    },
    args=FRAGMENTS,
    rows=(
        row(shape="m8n8k4", kind=False, **m.of("f16", "f16"), ptx="6.4", sm="70+"),
        row(shape="m8n8k4", kind=False, **m.of("f16", "f16 f32", "f32"), ptx="6.4", sm="70+"),
        *m.rows_of("f16", "f16 f32", shape="m16n8k8", **_ROW_COL, ptx="6.5", sm="75+"),
        *m.rows_of("f16", "f16 f32", shape="m16n8k16", **_ROW_COL, ptx="7.0", sm="80+"),
        row(shape="m16n8k8|m16n8k16", **_ROW_COL, **m.of("bf16", "f32"), ptx="7.0", sm="80+"),
        row(shape="m16n8k4|m16n8k8", **_ROW_COL, **m.of("tf32", "f32"), ptx="7.0", sm="80+"),
        row(shape="m8n8k4", **_ROW_COL, **m.of("f64", "f64"), ptx="7.0", sm="80+"),
        row(shape="m16n8k4|m16n8k8|m16n8k16", **_ROW_COL, **m.of("f64", "f64"), ptx="7.8", sm="90+"),
        row(shape="m16n8k32", **_ROW_COL, **m.of(m.FP8, "f32"), ptx="8.4", sm="89+"),
        *m.rows_of(m.FP8, "f16 f32", shape="m16n8k16|m16n8k32", **_ROW_COL, ptx="8.7", sm="89+"),
        row(shape="m16n8k32", **_KIND, **m.of(m.FP8, "f32"), ptx="8.6", sm="100f+ 120f+"),
        *m.rows_of(m.FP8, "f16 f32", shape="m16n8k16|m16n8k32", **_KIND, ptx="8.7", sm="100f+ 120f+"),
        *m.rows_of(m.FP8_FP6_FP4, "f16 f32", shape="m16n8k32", **_KIND, ptx="8.7", sm="120f+"),
    ),
    rules=(forbid("only products of .f64 take a rounding mode", rnd=True, dtype="f16|f32"),),
)  # fmt: skip

_INTEGER = Form(
    "mma.sync.aligned.shape.alayout.blayout{.satfinite}.dtype.atype.btype.ctype {d}, {a}, {b}, {c}",
    slots={
        "shape": "m8n8k16 m8n8k32 m16n8k16 m16n8k32 m16n8k64",
        "alayout": "row",
        "blayout": "col",
        "dtype": "s32",
        "atype": "u8 s8 u4 s4",
        "btype": "u8 s8 u4 s4",
        "ctype": "s32",
    },
    args=FRAGMENTS,
    rows=(
        row(shape="m8n8k16", atype="u8|s8", btype="u8|s8", ptx="6.5", sm="75+"),
        row(shape="m8n8k32", atype="u4|s4", btype="u4|s4", ptx="6.5", sm="75+"),
        row(shape="m16n8k16|m16n8k32", atype="u8|s8", btype="u8|s8", ptx="7.0", sm="80+"),
        row(shape="m16n8k32|m16n8k64", atype="u4|s4", btype="u4|s4", ptx="7.0", sm="80+"),
    ),
)

_BIT = Form(
    "mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype.bitop.popc {d}, {a}, {b}, {c}",
    slots={
        "shape": "m8n8k128 m16n8k128 m16n8k256",
        "alayout": "row",
        "blayout": "col",
        "dtype": "s32",
        "atype": "b1",
        "btype": "b1",
        "ctype": "s32",
        "bitop": "xor and",
    },
    args=FRAGMENTS,
    rows=(
        row(shape="m8n8k128", bitop="xor", ptx="7.0", sm="75+"),
        row(shape="m16n8k128|m16n8k256", bitop="xor", ptx="7.0", sm="80+"),
        row(bitop="and", ptx="7.1", sm="80+"),
    ),
)

MMA = Family(
    "mma",
    "Multiply two matrices that a warp holds as fragments, and add a third.",
    manual="warp-level-matrix-instructions-mma",
    semantics="D = A * B + C;  with .xor.popc and .and.popc: D = popc(A op B) + C",
    effects=Effects(collective="warp"),
    forms=(_FLOAT, _INTEGER, _BIT, block_scale(sparse=False)),
)

FAMILIES = (MMA,)
