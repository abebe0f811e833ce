"""Tile layouts: where the elements of a tile live, in memory and in which threads.

    from weft.layout import S, laneid
    fragment = S[(8, 4, 2, 2) : (4 @ laneid, 1 @ laneid, 2, 1)]
    fragment.apply(3, 11, shape=(8, 16))  # {m: 3, laneid: 14}

Integers and tuples, without PTX: `TileLayout` (shard, replica, offset), `SwizzleLayout`, `ComposeLayout`, and their
notation.
"""

from __future__ import annotations

from weft.errors import LayoutError
from weft.layout.axis import (
    AXES,
    Axis,
    Bank,
    F,
    P,
    Scope,
    TCol,
    Term,
    TLane,
    bx,
    by,
    bz,
    cbx,
    cby,
    cbz,
    laneid,
    m,
    tid_in_wg,
    tx,
    warpid,
    wgid,
    wid_in_wg,
)
from weft.layout.iters import Iter, flatten, split
from weft.layout.notation import R, S, parse, swz
from weft.layout.swizzle import ComposeLayout, Layout, SwizzleLayout, shared_layout
from weft.layout.tile import Grouped, Region, Replica, TileLayout, row_major

__all__ = [
    "AXES",
    "Axis",
    "Bank",
    "ComposeLayout",
    "F",
    "Grouped",
    "Iter",
    "Layout",
    "LayoutError",
    "P",
    "R",
    "Region",
    "Replica",
    "S",
    "Scope",
    "SwizzleLayout",
    "TCol",
    "TLane",
    "Term",
    "TileLayout",
    "bx",
    "by",
    "bz",
    "cbx",
    "cby",
    "cbz",
    "flatten",
    "laneid",
    "m",
    "parse",
    "row_major",
    "shared_layout",
    "split",
    "swz",
    "tid_in_wg",
    "tx",
    "warpid",
    "wgid",
    "wid_in_wg",
]
