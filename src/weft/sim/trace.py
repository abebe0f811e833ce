"""The trace of a run: which warp executed which instruction in which order, with which lanes and, if asked, results."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.ptx.analysis.sources import LineIndex
from weft.sim.definite import uses_of
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.registers import Row
from weft.sim.watch import End, Watcher

if TYPE_CHECKING:
    from weft.sim.site import Site, Step

_BIT = np.uint32(1) << np.arange(WARP, dtype=np.uint32)


@dataclass(frozen=True, slots=True)
class Event:
    """One instruction of one warp.

    `step` numbers what ran together (CTAs run in batches), `cta` is the index of the CTA in the grid, `mask` has a bit
    for each lane that took part.  `values` gives each register that was written as a list of 32 words (None for lanes
    that did not take part); it is None where it was not asked for, and empty where an instruction writes none.
    """

    step: int
    cta: tuple[int, int, int]
    warp: int
    line: int
    opcode: str
    mask: int
    values: dict[str, list[int | None]] | None = None

    def to_json(self) -> dict[str, Any]:
        """The event as a plain dictionary."""
        found: dict[str, Any] = {
            "step": self.step,
            "cta": list(self.cta),
            "warp": self.warp,
            "line": self.line,
            "opcode": self.opcode,
            "mask": f"{self.mask:#010x}",
        }
        return found if self.values is None else found | {"values": self.values}


@dataclass(frozen=True, slots=True)
class Trace:
    """What to trace: CTAs by index in the grid, warps of a CTA, lines of the text (None: all of them).

    `values` also keeps what instructions write.  Events go to `sink` as they happen; without one they are collected in
    the result, and no more than `limit` of them.
    """

    ctas: Collection[tuple[int, int, int]] | None = None
    warps: Collection[int] | None = None
    lines: Collection[int] | None = None
    values: bool = False
    limit: int | None = 1_000_000
    sink: Callable[[Event], None] | None = None


class Tracing(Watcher):
    """Writes the trace while a kernel runs."""

    def __init__(self, wanted: Trace) -> None:
        self.wanted = wanted
        self.events: list[Event] = []
        self._lines: LineIndex | None = None
        self._steps = 0

    def step(self, site: Site, step: Step) -> Step:
        """See `Watcher.step`."""
        line = self._line(site)
        if self._skips(line):
            return step
        rows = uses_of(site).writes if self.wanted.values else None

        def run(lanes: Lanes) -> None:
            step(lanes)
            self._emit(site, line, lanes, rows)

        return run

    def end(self, site: Site, end: End) -> End:
        """See `Watcher.end`."""
        line = self._line(site)
        if self._skips(line):
            return end

        def run(lanes: Lanes) -> Any:
            self._emit(site, line, lanes, [] if self.wanted.values else None)
            return end(lanes)

        return run

    def _line(self, site: Site) -> int:
        if self._lines is None:
            self._lines = LineIndex(site.machine.module.source)
        return self._lines.line(site.instruction.pos)

    def _skips(self, line: int) -> bool:
        return self.wanted.lines is not None and line not in self.wanted.lines

    def _emit(self, site: Site, line: int, lanes: Lanes, rows: list[Row] | None) -> None:
        wanted, batch = self.wanted, site.machine.batch
        self._steps += 1
        for first in _warps(lanes).tolist():
            warp = int(batch.warp[first])
            if wanted.warps is not None and warp not in wanted.warps:
                continue
            here = slice(first - lanes.lo, first - lanes.lo + WARP)
            active = np.ones(WARP, np.bool_) if lanes.mask is None else lanes.mask[here]
            cta = batch.thread(first).cta
            if wanted.ctas is not None and cta not in wanted.ctas:
                continue
            mask = int(_BIT[active].sum())
            values = None if rows is None else {row.name: _words(row, first, active) for row in rows}
            self._keep(Event(self._steps, cta, warp, line, site.opcode.text, mask, values))

    def _keep(self, event: Event) -> None:
        if self.wanted.sink is not None:
            self.wanted.sink(event)
        elif self.wanted.limit is None or len(self.events) < self.wanted.limit:
            self.events.append(event)


def _warps(lanes: Lanes) -> Array:
    """The first lane of each warp of a set."""
    first = np.arange(lanes.lo, lanes.hi, WARP)
    return first if lanes.mask is None else first[lanes.mask.reshape(-1, WARP).any(axis=1)]


def _words(row: Row, first: int, active: Array) -> list[int | None]:
    if row.bits == 128:
        low, high = row.array[:, first : first + WARP].tolist()
        words = [a | b << 64 for a, b in zip(low, high, strict=True)]
    else:
        words = [int(word) for word in row.array[first : first + WARP].tolist()]
    return [word if here else None for word, here in zip(words, active.tolist(), strict=True)]
