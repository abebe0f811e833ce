"""`wmma`: warp-wide multiply and accumulate on fragments whose layout only the `wmma` loads and stores know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, forbid, need, row
from weft.isa.table import _matrix as m

SHAPES = "m16n16k16 m8n32k16 m32n8k16 m16n16k8 m8n8k4 m8n8k32 m8n8k128"
HALF_SHAPES = "m16n16k16|m8n32k16|m32n8k16"
"""Shapes of the half and 8-bit types; the others belong to one multiplicand type each."""

_MANUAL = "warp-level-matrix-instructions-wmma-"
_SPACES = "global shared shared::cta"
_SHARED_CTA = need(ss="shared::cta", ptx="7.8")


def _registers(role: str, shape: str, element: str) -> int:
    """Registers per thread of a fragment; every `.f16` multiplicand is held twice, in eight registers."""
    if element == "f16" and role in "ab":
        return 8
    return m.fragment_registers(*m.tile(role, shape), m.element_bits(element, ""))


def _register_type(element: str) -> str:
    """The type of the registers that hold elements of `.element`: small integers stand in integer registers."""
    return "s32" if element in ("s8", "u8", "s4", "u4", "b1") else m.register_type(element)


_FRAGMENT = Arg(
    type=lambda slots: _register_type(slots["type"]),
    count=lambda slots: _registers(slots["matrix"], slots["shape"], slots["type"]),
)


def _word(slots: Slots) -> str:
    return "b64" if slots["type"] == "f64" else "b32"


_STORED = replace(_FRAGMENT, type=_word, access="r", imm=True, whole=True, called=True)
"""A fragment that is stored: ptxas moves its registers by their width."""


def _multiplicand_rows() -> tuple[Row, ...]:
    """Where each multiplicand type and its shapes exist; sub-byte types have one layout for each matrix."""
    matrix: dict[str, Any] = {"matrix": "a|b"}
    fixed: tuple[dict[str, Any], ...] = ({"matrix": "a", "layout": "row"}, {"matrix": "b", "layout": "col"})
    return (
        row(**matrix, type="f16", shape=HALF_SHAPES, ptx="6.3", sm="70+"),
        row(**matrix, type="s8|u8", shape=HALF_SHAPES, ptx="6.3", sm="75+"),
        row(**matrix, type="bf16", shape=HALF_SHAPES, ptx="7.0", sm="80+"),
        row(**matrix, type="tf32", shape="m16n16k8", ptx="7.0", sm="80+"),
        row(**matrix, type="f64", shape="m8n8k4", ptx="7.0", sm="80+"),
        *(
            row(type=types, shape=shape, **only, ptx="6.3", sm="75+")
            for types, shape in (("s4|u4", "m8n8k32"), ("b1", "m8n8k128"))
            for only in fixed
        ),
    )


_OLD: dict[str, Any] = {"ptx": "6.0", "until": "6.2", "sm": "70+"}
"""The first versions had no `.aligned`, one type of multiplicands and, in the very first, one shape."""

_OLD_SHAPES = (row(shape="m16n16k16"), row(shape=HALF_SHAPES, ptx="6.1"))


def _accumulator_rows(matrix: str) -> tuple[Row, ...]:
    return (
        row(matrix=matrix, type="f16|f32", shape=HALF_SHAPES, ptx="6.3", sm="70+"),
        row(matrix=matrix, type="s32", shape=f"{HALF_SHAPES}|m8n8k32|m8n8k128", ptx="6.3", sm="75+"),
        row(matrix=matrix, type="f32", shape="m16n16k8", ptx="7.0", sm="80+"),
        row(matrix=matrix, type="f64", shape="m8n8k4", ptx="7.0", sm="80+"),
    )


LOAD = Family(
    "wmma.load",
    "Load a matrix from memory into the fragments of a warp.",
    manual=_MANUAL + "load",
    leading="a b c",
    effects=Effects(memory="r", space="ss", collective="warp"),
    forms=(
        Form(
            "wmma.load.matrix.sync.aligned.layout.shape{.ss}.type {r}, [p]{, stride}",
            slots={
                "matrix": "a b c",
                "layout": "row col",
                "shape": SHAPES,
                "ss": _SPACES,
                "type": "f16 bf16 tf32 f32 f64 s8 u8 s4 u4 b1 s32",
            },
            args={"r": replace(_FRAGMENT, called=True), "p": Arg(space="ss", narrow=False), "stride": Arg(type="u32")},
            rows=(*_multiplicand_rows(), *_accumulator_rows("c")),
            needs=(_SHARED_CTA,),
        ),
        Form(
            "wmma.load.matrix.sync.layout.shape{.ss}.type {r}, [p]{, stride}",
            slots={
                "matrix": "a b c",
                "layout": "row col",
                "shape": HALF_SHAPES.replace("|", " "),
                "ss": "global shared",
                "type": "f16 f32",
            },
            args={"r": replace(_FRAGMENT, called=True), "p": Arg(space="ss", narrow=False), "stride": Arg(type="u32")},
            rows=_OLD_SHAPES,
            rules=(forbid("multiplicands are .f16", matrix="a|b", type="f32"),),
            **_OLD,
        ),
    ),
)

STORE = Family(
    "wmma.store",
    "Store the result fragments of a warp to memory.",
    manual=_MANUAL + "store",
    leading="d",
    effects=Effects(memory="w", space="ss", collective="warp"),
    forms=(
        Form(
            "wmma.store.matrix.sync.aligned.layout.shape{.ss}.type [p], {r}{, stride}",
            slots={"matrix": "d", "layout": "row col", "shape": SHAPES, "ss": _SPACES, "type": "f16 f32 f64 s32"},
            args={
                "p": Arg(space="ss", access="w", narrow=False),
                "r": _STORED,
                "stride": Arg(type="u32"),
            },
            rows=_accumulator_rows("d"),
            needs=(_SHARED_CTA,),
        ),
        Form(
            "wmma.store.matrix.sync.layout.shape{.ss}.type [p], {r}{, stride}",
            slots={
                "matrix": "d",
                "layout": "row col",
                "shape": HALF_SHAPES.replace("|", " "),
                "ss": "global shared",
                "type": "f16 f32",
            },
            args={
                "p": Arg(space="ss", access="w", narrow=False),
                "r": _STORED,
                "stride": Arg(type="u32"),
            },
            rows=_OLD_SHAPES,
            **_OLD,
        ),
    ),
)


def _operand(role: str, element: str = "") -> Arg:
    """Fragment `role`; its element type is `element` or the token of the slot `atype`, `btype`, `ctype` or `dtype`."""

    def type_of(slots: Slots) -> str:
        return element or slots[f"{role}type"]

    return Arg(
        type=lambda slots: _register_type(type_of(slots)),
        count=lambda slots: _registers(role, slots["shape"], type_of(slots)),
        imm=False,
        lenient=lambda slots: "predicates literals" if slots.get("atype") in ("s4", "u4") else "predicates",
        called=m.CALLED if role != "d" else False,
    )


_LAYOUTS = {"alayout": "row col", "blayout": "row col"}
_TYPED = {role: _operand(role) for role in "abcd"}
_EIGHT_LANES = "70 72 75"
"""Targets that multiply in groups of eight lanes, for which ptxas writes the instruction anew."""

_WIDENED = (row(ctype="f16", dtype="f32", sm=_EIGHT_LANES),)
_OLDEST = (row(sm="70 72"),)
_HALVES = {
    **{role: replace(_operand(role, "f16"), strict=_OLDEST) for role in "ab"},
    "c": replace(_operand("c"), type="b32", whole=_WIDENED, called=_WIDENED),
    "d": replace(_operand("d"), whole=_OLDEST),
}
_SCALAR = (row(atype="s8|u8", sm="72 75"),)
_SMALL = {role: replace(_operand(role), whole=_SCALAR, called=(*m.CALLED, *_SCALAR)) for role in "ab"}
_INTEGERS = {**_TYPED, **_SMALL}
_SAME_TYPES = forbid("A and B have the same type", where=lambda s: s["atype"] != s["btype"])

_HALF = Form(
    "wmma.mma.sync.aligned.alayout.blayout.shape.dtype.ctype{.satfinite} {d}, {a}, {b}, {c}",
    slots={**_LAYOUTS, "shape": SHAPES, "dtype": "f16 f32", "ctype": "f16 f32"},
    args={**_TYPED, **_HALVES},
    rows=(
        row(shape=HALF_SHAPES, satfinite=False, ptx="6.3", sm="70+"),
        row(shape=HALF_SHAPES, satfinite=True, ptx="6.3", sm="70+", until="6.4"),
    ),
)

_OLD_HALF = Form(
    "wmma.mma.sync.alayout.blayout.shape.dtype.ctype{.satfinite} {d}, {a}, {b}, {c}",
    slots={**_LAYOUTS, "shape": HALF_SHAPES.replace("|", " "), "dtype": "f16 f32", "ctype": "f16 f32"},
    args={**_TYPED, **_HALVES},
    rows=_OLD_SHAPES,
    **_OLD,
)

_FLOAT = Form(
    "wmma.mma.sync.aligned.alayout.blayout.shape{.rnd}.dtype.atype.btype.ctype {d}, {a}, {b}, {c}",
    slots={
        **_LAYOUTS,
        "shape": SHAPES,
        "rnd": "rn rz rm rp",
        "dtype": "f32 f64",
        "atype": "bf16 tf32 f64",
        "btype": "bf16 tf32 f64",
        "ctype": "f32 f64",
    },
    args=_TYPED,
    rows=(
        row(rnd=False, shape=HALF_SHAPES, **m.of("bf16", "f32"), ptx="7.0", sm="80+"),
        row(rnd=False, shape="m16n16k8", **m.of("tf32", "f32"), ptx="7.0", sm="80+"),
        row(shape="m8n8k4", **m.of("f64", "f64"), ptx="7.0", sm="80+"),
    ),
    rules=(_SAME_TYPES,),
)

_INTEGER = Form(
    "wmma.mma.sync.aligned.alayout.blayout.shape.dtype.atype.btype.ctype{.satfinite} {d}, {a}, {b}, {c}",
    slots={**_LAYOUTS, "shape": SHAPES, "dtype": "s32", "atype": "s8 u8 s4 u4", "btype": "s8 u8 s4 u4", "ctype": "s32"},
    args=_INTEGERS,
    rows=(
        row(shape=HALF_SHAPES, atype="s8|u8", ptx="6.3", sm="75+"),
        row(shape="m8n8k32", alayout="row", blayout="col", atype="s4|u4", ptx="6.3", sm="75+"),
    ),
    rules=(_SAME_TYPES,),
)

_BIT = Form(
    "wmma.mma.bitop.popc.sync.aligned.alayout.blayout.shape.dtype.atype.btype.ctype {d}, {a}, {b}, {c}",
    slots={
        "bitop": "xor and",
        "alayout": "row",
        "blayout": "col",
        "shape": "m8n8k128",
        "dtype": "s32",
        "atype": "b1",
        "btype": "b1",
        "ctype": "s32",
    },
    args=_INTEGERS,
    rows=(row(bitop="xor", ptx="6.3", sm="75+"), row(bitop="and", ptx="7.1", sm="80+")),
)

MMA = Family(
    "wmma.mma",
    "Multiply two matrices that a warp holds as wmma fragments and add a third.",
    manual=_MANUAL + "mma",
    semantics="D = A * B + C",
    effects=Effects(collective="warp"),
    forms=(_HALF, _FLOAT, _INTEGER, _BIT, _OLD_HALF),
)

FAMILIES = (LOAD, STORE, MMA)
