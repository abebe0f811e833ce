"""What lanes of one warp tell each other by an instruction with which several of them update one place.

They do so in turns: each comes after those before it, and knows what these have released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import WARP, Array, numbers

if TYPE_CHECKING:
    from weft.sim.clocks import Clocks

CROWD = 1024
"""Pairs of a warp and a place that are looked at; where there are more none is."""


def in_turn(clocks: Clocks, places: Array, lanes: Array | slice, *, acquire: bool, release: bool) -> None:
    """Lanes update places in turns; those that do not acquire know of the others at their next fence."""
    rows, who = clocks.row_of_lane[lanes], numbers(lanes, len(places))
    order = np.lexsort((who, places, rows))
    same = (rows[order][1:] == rows[order][:-1]) & (places[order][1:] == places[order][:-1])
    if not same.any():
        return
    told = np.full(len(places), clocks.now) if release else clocks.released(who)
    if not told.any():
        return
    starts = np.flatnonzero(np.concatenate([[True], ~same]))
    groups = [group for group in np.split(order, starts[1:]) if len(group) > 1]
    if len(groups) > CROWD:
        return
    for group in groups:
        mine = who[group]
        before = clocks.met_by(mine) if release else np.zeros((len(mine), WARP), np.uint32)
        before[np.arange(len(mine)), mine % WARP] = told[group]
        clocks.meet_in_turn(mine[1:], np.maximum.accumulate(before)[:-1], at_once=acquire)
