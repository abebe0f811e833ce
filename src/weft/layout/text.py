"""Tiles in the notation of layouts, as `weft.layout.notation` and Python read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.layout.axis import Term

if TYPE_CHECKING:
    from weft.layout.iters import Run
    from weft.layout.tile import TileLayout


def tile_text(layout: TileLayout) -> str:
    """The notation of a tile."""
    terms = [f"S[{_run_text(layout.shard)}]"]
    if layout.replica:
        terms.append(f"R[{_run_text(layout.replica)}]")
    terms += [repr(Term(value, axis)) for axis, value in layout.offset]
    return " + ".join(terms)


def _run_text(run: Run) -> str:
    extents = [str(extent) for extent, _, _ in run]
    strides = [repr(Term(stride, axis)) for _, stride, axis in run]
    if len(run) == 1:
        return f"{extents[0]}:{strides[0]}"
    return f"({','.join(extents)}):({','.join(strides)})"
