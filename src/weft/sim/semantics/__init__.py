"""What each instruction family does: one function per family, in files named as those of the ISA table.

There are three kinds, by what an instruction can do:

- `alu`: a pure function of arrays.  `add(slots)` returns a function from typed source arrays (one element per lane) to
  the result, or a tuple of results.  It only uses NumPy's functions, so that it can be traced as well as run.
- `step`: binds an instruction at its `Site` and returns what executes it for a set of lanes (memory, collectives).
- `end`: ends a block: branches, barriers, calls.  What it returns says where the lanes go on.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from weft.isa.form import Slots
from weft.sim.arena import ARENA_BASE
from weft.sim.values import Compute

if TYPE_CHECKING:
    from weft.sim.block import Block
    from weft.sim.lanes import Lanes
    from weft.sim.site import Site, Step

Next = "tuple[Block, Lanes] | None"
End = Callable[["Lanes"], "tuple[Block, Lanes] | None"]

_F = TypeVar("_F", bound=Callable[..., Any])

ALU: dict[str, Callable[[Slots], Compute]] = {}
STEPS: dict[str, Callable[[Site], Step]] = {}
ENDS: dict[str, Callable[[Site], End]] = {}


class NotHere(Exception):
    """An `alu` function has no semantics for these slots; the message says which part it lacks."""


class First:
    """A function of several results of which `first` gives the first one alone, faster."""

    def __init__(self, first: Callable[..., Any]) -> None:
        self.first = first


class Placed:
    """A function that depends on where the arena lies: `at` makes it, from the address of byte 0."""

    def __init__(self, at: Callable[[int], Callable[..., Any]]) -> None:
        self.at = at

    def __call__(self, *sources: Any) -> Any:
        """The function for the arena of `weft.run`."""
        return self.at(ARENA_BASE)(*sources)


def alu(*stems: str) -> Callable[[_F], _F]:
    """Register the pure semantics of families."""

    def register(function: _F) -> _F:
        ALU.update(dict.fromkeys(stems, function))
        return function

    return register


def step(*stems: str) -> Callable[[_F], _F]:
    """Register the semantics of families that touch memory or other lanes."""

    def register(function: _F) -> _F:
        STEPS.update(dict.fromkeys(stems, function))
        return function

    return register


def end(*stems: str) -> Callable[[_F], _F]:
    """Register the semantics of families that end a block."""

    def register(function: _F) -> _F:
        ENDS.update(dict.fromkeys(stems, function))
        return function

    return register


@cache
def load_all() -> None:
    """Import every file of semantics."""
    for info in pkgutil.iter_modules(__path__, __name__ + "."):
        importlib.import_module(info.name)
