"""Instructions of whole warps, traced: what `weft.sim.semantics.warp` binds them to runs once, on one warp of values.

Code runs them only when all 32 lanes take part; otherwise the lanes leave before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Operand, Sink
from weft.sim import semantics
from weft.sim.bind import is_gated
from weft.sim.lanes import WARP, Lanes
from weft.sim.native import clocks
from weft.sim.native.cells import met
from weft.sim.native.code import NotTraced

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.site import Site

TRACED = frozenset({"shfl", "vote", "match", "redux", "elect.sync", "bar.warp.sync"})


class _Row:
    """A destination: what is assigned to it becomes the register's value."""

    def __init__(self, emitter: Emitter, site: Site, operand: Operand, type_: str) -> None:
        self.emitter, self.site, self.operand, self.type = emitter, site, operand, type_

    def __setitem__(self, key: Any, value: Any) -> None:
        if key != slice(0, WARP):
            raise NotTraced("a part of the lanes")
        if np.ndim(value) and np.shape(value) != (WARP,):
            value = np.broadcast_to(value, (WARP,))
        self.emitter.put(self.site, self.type, self.operand, value, None)


class _Site:
    """A site whose operands are values of code."""

    def __init__(self, emitter: Emitter, site: Site) -> None:
        self._emitter, self._site = emitter, site

    def __getattr__(self, name: str) -> Any:
        return getattr(self._site, name)

    def value(self, operand: Operand, type_: str) -> Any:
        """A source."""
        return self._emitter.source(self._site, type_, operand)

    def read(self, operand: Operand, type_: str) -> Any:
        """What reads a source."""
        value = self.value(operand, type_)
        return lambda lanes: value  # pyright: ignore

    def destination(self, operand: Operand, type_: str) -> Any:
        """What receives a result."""
        return None if isinstance(operand, Sink) else _Row(self._emitter, self._site, operand, type_)


def trace(emitter: Emitter, site: Site) -> None:
    """Write an instruction by running what it is bound to."""
    if not is_gated(site.opcode):  # Others may run with a part of the lanes, or a guard.
        raise NotTraced("lanes that take part")
    stand_in: Any = _Site(emitter, site)
    semantics.STEPS[site.opcode.stem](stand_in)(Lanes(0, WARP))
    if site.opcode.stem == "bar.warp.sync" and emitter.guard is not None:
        if emitter.guard.clocked:
            clocks.declare(emitter.code)
        else:
            emitter.code.declared["met"] = met()
        emitter.code.line("call void @met(ptr %ctx, i64 %warp)")
