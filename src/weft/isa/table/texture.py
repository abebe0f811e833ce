"""`tex`, `tld4`, `txq`: reads through the texture unit, and questions about a texture or a sampler."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row

_COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "cube": 4, "2dms": 4}
_DIMENSIONS = {"1d": 1, "a1d": 1, "2d": 2, "a2d": 2, "2dms": 2, "a2dms": 2}


def coordinates(slots: Slots) -> int:
    """Coordinates of a texture that is no array; three-dimensional ones are padded to four."""
    return _COORDINATES[slots["geom"]]


def gradients(slots: Slots) -> int:
    """Components of a gradient, and of a texel offset: one for each dimension, four from three on."""
    return _DIMENSIONS.get(slots["geom"], 4)


def _offset_leniency(slots: Slots) -> str:
    """After three-dimensional coordinates a register is a depth to compare with for ptxas, of which there is none."""
    return "literal longer" if slots["geom"] == "3d" else "scalar longer"


def _texel(slots: Slots) -> str:
    """The type of what is read; ptxas moves packed halves by their width."""
    return "b32" if slots["dtype"] == "f16x2" else slots["dtype"]


def _gradient_leniency(slots: Slots) -> str:
    return "shorter" if slots["geom"] == "acube" else ""


def _texels(slots: Slots) -> int:
    return int(slots["vec"][1:])


_HANDLE = Arg(type="b64", space="texture")
_INDEX = Arg(type="u32", lenient="longer", whole=lambda slots: slots["geom"] == "a2dms")
_FLAT = ("c", "1d 2d 3d cube 2dms")
_ARRAYS = (("{i, x}", "a1d"), ("{i, x, y, z}", "a2d acube"), ("{sample, i, x, y}", "a2dms"))
_LEVELS = {"": "base", ", lod": "level", ", {dpdx}, {dpdy}": "grad"}
"""The operands that choose the mip level, and the modifier that goes with them."""


def _moved(tail: str) -> Callable[[Slots], bool]:
    """Whether ptxas moves coordinates and gradients to registers of its own: those of three dimensions, and all before
    a depth to compare with.
    """
    return lambda slots: (
        slots.get("mip") == "grad"
        and (slots["geom"] in ("3d", "cube", "acube") or tail.endswith("f"))
        and not (slots["geom"] == "cube" and tail == ", ignored, f")
    )


def _args(slot: str, tail: str) -> dict[str, Arg]:
    """Operands of a texture read; `slot` holds the type of the coordinates, `tail` is what follows them."""
    moved = _moved(tail)
    gradient = Arg(type="f32", count=gradients, imm=True, lenient=_gradient_leniency, whole=moved)

    def offset(slots: Slots) -> str:
        compared = slots.get("mip") == "grad" and slots.get("ctype") == "f32" and not tail.endswith("f")
        depth = compared and slots["geom"] not in ("3d", "cube", "acube")  # Then a scalar is what is compared.
        return _offset_leniency(slots).replace("scalar", "literal" if depth else "scalar")

    def unnumbered(slots: Slots) -> tuple[int, ...] | None:
        return () if tail.endswith("f") and slots.get("mip") == "grad" else None

    return {
        "d": Arg(type=_texel, count=_texels, whole=lambda slots: slots["dtype"] == "f16x2"),
        "a": _HANDLE,
        "sampler": Arg(type="b64", imm=False),
        "c": Arg(type=slot, count=coordinates, lenient="scalar longer", whole=moved),
        "i": _INDEX,
        **{axis: Arg(type=slot, whole=moved) for axis in ("x", "y", "z")},
        "sample": Arg(type="b32", lenient="predicate longer"),
        "lod": Arg(type=slot, lenient="longer"),
        "dpdx": gradient,
        "dpdy": gradient,
        "e": Arg(
            type=lambda slots: "b32" if _moved("")(slots) else "u32", count=gradients, lenient=offset, whole=moved
        ),
        "ignored": Arg(type="u32", lenient="present", values=unnumbered),
        "f": Arg(type="f32"),
    }


_TEX_SLOTS = {"vec": "v2 v4", "dtype": "u32 s32 f32 f16 f16x2", "ctype": "s32 f32"}
_TEX_ROWS = (
    row(vec="v4", dtype="u32|s32|f32"),
    row(vec="v4", dtype="f16", ptx="4.2", sm="53+"),
    row(vec="v2", dtype="f16x2", ptx="4.2", sm="53+"),
)
_GEOMETRY_NEEDS = (
    need(mip=True, ptx="3.1", sm="20+"),
    need(geom="a1d|a2d", ptx="2.3"),
    need(geom="cube", ptx="3.0"),
    need(geom="acube", ptx="3.0", sm="20+"),
    need(geom="2dms|a2dms", ptx="3.2", sm="30+"),
    need(mip="grad", geom="cube|acube", ptx="4.3"),
)
_PREDICATE = need(has="p", ptx="7.1", sm="60+")
_TEX_RULES = (
    forbid("cube textures have float coordinates", geom="cube|acube", ctype="s32"),
    forbid("multisampled textures have integer coordinates", geom="2dms|a2dms", ctype="f32"),
    forbid("multisampled textures have no mip levels", geom="2dms|a2dms", mip="level|grad"),
)
_OFFSET_RULES = (forbid("cube textures take no texel offset", geom="cube|acube"),)
_COMPARE_RULES = (
    forbid("a depth comparison needs float coordinates", ctype="s32"),
    forbid("three-dimensional textures have no depth comparison", geom="3d"),
)
_IGNORED_RULES = (
    forbid("a texel offset must be a vector", where=lambda slots: slots["geom"] not in ("cube", "acube")),
)
_TAILS = (
    ("", ()),
    (", e", _OFFSET_RULES),
    (", f", _COMPARE_RULES),
    (", e, f", (*_OFFSET_RULES, *_COMPARE_RULES)),
    (", ignored", _IGNORED_RULES),
    (", ignored, f", (*_IGNORED_RULES, *_COMPARE_RULES)),
)
"""What follows the coordinates: a texel offset, a depth to compare with, both or neither.

ptxas lets a scalar stand where a cube texture, which has none, would have its offset.
"""


_TAIL: dict[str, Any] = {"ptx": "4.3", "sm": "30+"}
"""Where offsets and comparisons exist."""

_GATHER: dict[str, Any] = {"ptx": "2.2", "sm": "20+"}


def _tex_forms() -> tuple[Form, ...]:
    """One form for each kind of coordinates, of mip level and of tail."""
    forms: list[Form] = []
    for coords, geometries in (_FLAT, *_ARRAYS):
        for level, mip in _LEVELS.items():
            word = "{.mip}" if mip == "base" else ".mip"
            slots = {"mip": mip, "geom": geometries, **_TEX_SLOTS}
            forms += [
                Form(
                    f"tex{word}.geom.vec.dtype.ctype d{{|p}}, [a{{, sampler}}, {coords}]{level}{tail}",
                    slots=slots,
                    args=_args("ctype", tail),
                    rows=_TEX_ROWS,
                    needs=(_PREDICATE, *_GEOMETRY_NEEDS),
                    rules=(*_TEX_RULES, *rules),
                    **(_TAIL if tail else {}),
                )
                for tail, rules in _TAILS
            ]
    return tuple(forms)


TEX = Family(
    "tex",
    "Read and filter a texture at a point.",
    manual="texture-instructions-tex",
    leading="base level grad",
    semantics="d = texture a at the coordinates, filtered;  e: offset in texels;  f: compare the depth with f\n"
    "p = whether all texels were resident",
    effects=Effects(memory="r", space="texture"),
    forms=_tex_forms(),
)

_TLD4_SLOTS = {"comp": "r g b a", "vec": "v4", "dtype": "u32 s32 f32", "ctype": "f32"}

TLD4 = Family(
    "tld4",
    "Read one component of the four texels that a bilinear filter would use.",
    manual="texture-instructions-tld4",
    semantics="d = component comp of the four texels around the point",
    effects=Effects(memory="r", space="texture"),
    forms=tuple(
        Form(
            f"tld4.comp.geom.vec.dtype.ctype d{{|p}}, [a{{, sampler}}, {coords}]{tail}",
            slots={"geom": geometries, **_TLD4_SLOTS},
            args=_args("ctype", tail),
            needs=(_PREDICATE, need(geom="a2d|cube|acube", **_TAIL)),
            rules=rules,
            **(_TAIL if tail else _GATHER),
        )
        for coords, geometries in (("c", "2d cube"), ("{i, x, y, z}", "a2d acube"))
        for tail, rules in _TAILS
    ),
)

_TEXTURE_QUERIES = (
    "width height depth channel_data_type channel_order normalized_coords force_unnormalized_coords array_size "
    "num_mipmap_levels num_samples filter_mode addr_mode_0 addr_mode_1 addr_mode_2"
)

TXQ = Family(
    "txq",
    "Query a property of a texture or a sampler.",
    manual="texture-instructions-txq",
    leading="level",
    semantics="d = property of a (of mip level lod)",
    effects=Effects(memory="r", space="texture"),
    forms=(
        Form(
            "txq.query.type d, [a]",
            slots={"query": _TEXTURE_QUERIES, "type": "b32"},
            args={"a": _HANDLE},
            needs=(
                need(query="channel_data_type|channel_order", ptx="2.1"),
                need(query="array_size", ptx="4.1"),
                need(query="num_mipmap_levels", ptx="4.1", sm="20+"),
                need(query="num_samples", ptx="4.1", sm="30+"),
            ),
            ptx="1.5",
        ),
        Form(
            "txq.level.query.type d, [a], lod",
            slots={"level": "level", "query": "width height depth", "type": "b32"},
            args={"a": _HANDLE, "lod": Arg(type="u32", lenient="longer")},
            **_TAIL,
        ),
    ),
)

FAMILIES = (TEX, TLD4, TXQ)
