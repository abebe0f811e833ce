"""Looking on while a kernel runs: what counters and traces hook into.

Watchers are asked when instructions are bound; a kernel that nobody watches runs the same code as if there were none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from weft.sim.lanes import Array, Lanes
from weft.sim.memory import Part
from weft.sim.space import Space

if TYPE_CHECKING:
    from weft.sim.block import Block
    from weft.sim.site import Pointer, Site, Step

End = Callable[[Lanes], "tuple[Block, Lanes] | None"]


class Watcher:
    """Sees the instructions of a run and their accesses to memory; by itself it does nothing with them."""

    def step(self, site: Site, step: Step) -> Step:
        """What executes an instruction, looked at: it is called with the lanes whose guard holds."""
        return step

    def end(self, site: Site, end: End) -> End:
        """The same for an instruction that ends a block."""
        return end

    def access(
        self, site: Site, lanes: Lanes, space: Space, index: Array, where: Array | None, size: int, write: bool
    ) -> None:
        """Lanes (of them those at `where`, if it is given) access `size` bytes at byte indices of a space."""

    def moved(self, site: Site, space: Space, index: Array, size: int, write: bool) -> None:
        """An asynchronous operation has read or written pieces of `size` bytes at byte indices of a space."""

    def reduce(self, site: Site, space: Space, index: Array, values: list[Array], op: str, type_: str) -> None:
        """An atomic updates elements of a type at byte indices of a space with an operation of the ISA."""

    def pointer(self, site: Site, pointer: Pointer) -> Pointer:
        """An address operand whose accesses are reported to `access`."""

        def watched(lanes: Lanes, size: int, write: bool) -> Iterable[Part]:
            for space, index, where in pointer(lanes, size, write):
                self.access(site, lanes, space, index, where, size, write)
                yield space, index, where

        return watched
