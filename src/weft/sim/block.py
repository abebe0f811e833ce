"""Basic blocks of a bound function: the steps that lanes execute together, and where they go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.lanes import Lanes
    from weft.sim.program import Activation
    from weft.sim.registers import Row
    from weft.sim.semantics import End

Code = Callable[["Lanes"], "tuple[Block, Lanes] | None"]
"""Runs compiled blocks for lanes; where all of them go on, None when that has been seen to."""


class Block:
    """Instructions with one entry and one end.

    `order` says which of several waiting blocks runs first (less is earlier).  `gate` is set when the block starts with
    a warp collective: lanes may enter only with all lanes that the collective names.  `polls` marks blocks that look at
    memory other threads change.  `lanes_run` counts lanes that entered.

    `starts` are the numbers of the steps at which instructions begin that do not end the block, and `plain` those of
    them that nothing watches; `ways` says where it leads when that is all that its end does.  `code` runs the block,
    and those that follow, where it was compiled.
    """

    __slots__ = (
        "activation",
        "code",
        "end",
        "gate",
        "lanes_run",
        "order",
        "plain",
        "polls",
        "sites",
        "starts",
        "steps",
        "ways",
    )

    def __init__(self, activation: Activation, order: int) -> None:
        self.activation = activation
        self.order = order
        self.sites: list[Site] = []
        self.steps: list[Step] = []
        self.end: End = _no_end
        self.gate: Gate | None = None
        self.polls = False
        self.lanes_run = 0
        self.starts: list[int] = []
        self.plain: list[bool] = []
        self.ways: Ways | None = None
        self.code: Code | None = None

    @property
    def first(self) -> Site:
        """The first instruction, for messages."""
        return self.sites[0]


def _no_end(lanes: object) -> None:
    raise AssertionError("the block has no end")


class Ways(NamedTuple):
    """Where a block leads: to `taken` by all lanes or, with a guard, by those where it holds, and to `other`."""

    taken: Block
    other: Block | None = None
    guard: Row | None = None
    negated: bool = False


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
