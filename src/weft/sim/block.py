"""Basic blocks of a bound function: the steps that lanes execute together, and where they go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.program import Activation
    from weft.sim.semantics import End


class Block:
    """Instructions with one entry and one end.

    `order` says which of several waiting blocks runs first (less is earlier).  `gate` is set when the block starts with
    a warp collective: lanes may enter only with all lanes that the collective names.  `polls` marks blocks that look at
    memory other threads change.  `lanes_run` counts lanes that entered.
    """

    __slots__ = ("activation", "end", "gate", "lanes_run", "order", "polls", "sites", "steps")

    def __init__(self, activation: Activation, order: int) -> None:
        self.activation = activation
        self.order = order
        self.sites: list[Site] = []
        self.steps: list[Step] = []
        self.end: End = _no_end
        self.gate: Gate | None = None
        self.polls = False
        self.lanes_run = 0

    @property
    def first(self) -> Site:
        """The first instruction, for messages."""
        return self.sites[0]


def _no_end(lanes: object) -> None:
    raise AssertionError("the block has no end")


class Gate:
    """The condition on which lanes may execute a warp collective.

    `mask` is the row of membermasks, or one mask for all lanes; None when the whole warp must take part, or with
    `warpgroup` all four warps of the warpgroup.
    """

    __slots__ = ("mask", "site", "warpgroup")

    def __init__(self, site: Site, mask: object) -> None:
        self.site = site
        self.mask = mask
        self.warpgroup = site.opcode.effects.collective == "warpgroup"
