"""`suld`, `sust`, `sured`, `suq`: reads, writes and reductions of surfaces, and questions about them."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row
from weft.isa.table import _memory as m

_COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4}


def coordinates(slots: Slots) -> int:
    """Coordinates of a surface access: arrays have their index first; three become four."""
    return _COORDINATES[slots["geom"]]


def _longer(slots: Slots) -> str:
    """ptxas takes vectors of any length for scalars, and of other vectors that of theirs."""
    return "" if slots["vec"] else "longer"


_GEOMETRY = {"geom": "1d 2d 3d a1d a2d", "clamp": "trap clamp zero"}
_COORDINATE = Arg(type="u32", count=coordinates, lenient="scalar longer predicates")
_HANDLE = Arg(space="surface")
_NEEDS = (
    need(clamp="clamp|zero", ptx="2.0"),
    need(cop=True, ptx="2.0", sm="20+"),
    need(geom="3d|a1d|a2d", ptx="3.0", sm="20+"),
)
_WIDTH = forbid("a vector holds at most 128 bits", where=lambda s: m.bits(s) > 128)

SULD = Family(
    "suld",
    "Load unformatted bytes from a surface.",
    manual="surface-instructions-suld",
    leading="b p",
    semantics="d = surface a at byte x and row y, ...;  out of bounds: trap, the nearest element, or zero",
    effects=Effects(memory="r", space="surface"),
    forms=(
        Form(
            "suld.format.geom{.cop}{.vec}.type.clamp d, [a, c]",
            slots={**_GEOMETRY, "format": "b", "cop": "ca cg cs cv", "vec": "v2 v4", "type": "b8 b16 b32 b64"},
            args={"d": Arg(count=m.lanes, loose=True, lenient=_longer), "c": _COORDINATE, "a": _HANDLE},
            needs=_NEEDS,
            rules=(_WIDTH,),
            ptx="1.5",
        ),
    ),
)

SUST = Family(
    "sust",
    "Store to a surface, as unformatted bytes or converted to its format.",
    manual="surface-instructions-sust",
    leading="b p",
    semantics="surface a at (x, y, ...) = b",
    effects=Effects(memory="w", space="surface"),
    forms=(
        Form(
            "sust.format.geom{.cop}{.vec}.type.clamp [a, c], b",
            slots={**_GEOMETRY, "format": "b p", "cop": "wb cg cs wt", "vec": "v2 v4", "type": "b8 b16 b32 b64"},
            args={
                "b": Arg(count=m.lanes, loose=True, lenient=lambda s: f"scalar predicates {_longer(s)}"),
                "c": _COORDINATE,
                "a": _HANDLE,
            },
            rows=(row(format="b"), row(format="p", type="b32")),
            needs=(
                *_NEEDS,
                need(format="p", ptx="2.0", sm="20+"),
                need(format="p", geom="a1d|a2d", ptx="4.1", sm="30+"),
            ),
            rules=(_WIDTH,),
            ptx="1.5",
        ),
    ),
)

SURED = Family(
    "sured",
    "Reduce a value into an element of a surface.",
    manual="surface-instructions-sured",
    leading="b p",
    semantics="surface a at (x, y, ...) = op(it, b)",
    effects=Effects(memory="rw", space="surface"),
    forms=(
        Form(
            "sured.format.op.geom.type.clamp [a, c], b",
            slots={
                "format": "b p",
                "op": "add min max and or",
                "geom": "1d 2d 3d",
                "type": "u32 s32 u64 s64 b32 b64",
                "clamp": "trap clamp zero",
            },
            args={"b": Arg(loose=True), "c": _COORDINATE, "a": _HANDLE},
            rows=(
                row(format="b", op="add", type="u32|s32|u64"),
                row(format="b", op="min|max", type="u32|s32|u64|s64"),
                row(format="b", op="and|or", type="b32"),
                row(format="p", op="add|and|or", type="b32"),
                row(format="p", op="min|max", type="b32|b64"),
            ),
            needs=(need(geom="3d", ptx="3.0"), need(op="min|max", type="u64|s64|b64", ptx="8.1")),
            ptx="2.0",
            sm="20+",
        ),
    ),
)

SUQ = Family(
    "suq",
    "Query a property of a surface.",
    manual="surface-instructions-suq",
    semantics="d = property of a",
    effects=Effects(memory="r", space="surface"),
    forms=(
        Form(
            "suq.query.type d, [a]",
            slots={
                "query": "width height depth channel_data_type channel_order array_size memory_layout",
                "type": "b32",
            },
            args={"a": _HANDLE},
            needs=(
                need(query="channel_data_type|channel_order", ptx="2.1"),
                need(query="array_size", ptx="4.1"),
                need(query="memory_layout", ptx="4.2"),
            ),
            ptx="1.5",
        ),
    ),
)

FAMILIES = (SULD, SUST, SURED, SUQ)
