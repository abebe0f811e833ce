"""Counters of a run: instructions, active lanes, bytes, sectors and bank conflicts, in all and by instruction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.ptx.analysis.sources import LineIndex
from weft.sim import traffic
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.memory import PerLane
from weft.sim.space import Space
from weft.sim.watch import End, Watcher

if TYPE_CHECKING:
    from weft.sim.site import Site, Step

_BOTH_WAYS = frozenset({"atom", "red"})
_BARRIERS = frozenset({"bar", "barrier", "barrier.cluster"})
_BULK = ("cp.async.bulk", "cp.reduce.async.bulk", "wgmma")
"""Families whose traffic is counted when it moves, not where its addresses are read."""
_SHOWN = 20


@dataclass(slots=True)
class Traffic:
    """Accesses to one state space: requests of warps, bytes of all their lanes, and what they cost.

    `sectors` are 32-byte sectors of global memory; `wavefronts` passes through the banks of shared memory, of which
    `conflicts` are more than the accesses need.
    """

    requests: int = 0
    loaded: int = 0
    stored: int = 0
    sectors: int = 0
    wavefronts: int = 0
    conflicts: int = 0

    def add(self, other: Traffic) -> None:
        """Count another's accesses as well."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


@dataclass(slots=True)
class LineCount:
    """One instruction: how many warps executed it, with how many lanes in all, and its accesses by state space.

    `lanes` counts the lanes whose guard holds.
    """

    function: str
    line: int
    opcode: str
    family: str
    warps: int = 0
    lanes: int = 0
    spaces: dict[str, Traffic] = field(default_factory=dict[str, Traffic])

    @property
    def active(self) -> float:
        """Lanes a warp, of 32."""
        return self.lanes / self.warps if self.warps else 0.0

    @property
    def cost(self) -> int:
        """What ranks instructions: executions by warps, and the sectors and wavefronts of their accesses."""
        return self.warps + sum(each.sectors + each.wavefronts for each in self.spaces.values())

    def traffic(self, space: str) -> Traffic:
        """The accesses to a space, to be added to."""
        return self.spaces.setdefault(space, Traffic())

    def add(self, other: LineCount) -> None:
        """Count another's executions of the same instruction as well."""
        self.warps += other.warps
        self.lanes += other.lanes
        for name, more in other.spaces.items():
            self.traffic(name).add(more)


@dataclass(slots=True)
class Counters:
    """What a run did, by instruction in text order (`lines`); everything else is summed from them."""

    lines: list[LineCount] = field(default_factory=list[LineCount])

    @property
    def warp_instructions(self) -> int:
        """Instructions executed, counted once a warp."""
        return sum(line.warps for line in self.lines)

    @property
    def active(self) -> float:
        """Lanes that take part in an instruction, of 32, on average."""
        total = self.warp_instructions
        return sum(line.lanes for line in self.lines) / total if total else 0.0

    @property
    def barriers(self) -> int:
        """Arrivals of warps at barriers of the CTA or the cluster."""
        return sum(line.warps for line in self.lines if line.family in _BARRIERS)

    @property
    def families(self) -> dict[str, LineCount]:
        """The counts by instruction family, most executed first."""
        found: dict[str, LineCount] = {}
        for line in self.lines:
            found.setdefault(line.family, LineCount("", 0, line.family, line.family)).add(line)
        return dict(sorted(found.items(), key=lambda item: -item[1].warps))

    @property
    def spaces(self) -> dict[str, Traffic]:
        """The accesses by state space."""
        found: dict[str, Traffic] = {}
        for line in self.lines:
            for name, more in line.spaces.items():
                found.setdefault(name, Traffic()).add(more)
        return found

    def add(self, other: Counters) -> None:
        """Count another part of the same run as well."""
        known = {(line.function, line.line, line.opcode): line for line in self.lines}
        for line in other.lines:
            mine = known.get((line.function, line.line, line.opcode))
            if mine is None:
                self.lines.append(line)
            else:
                mine.add(line)

    def table(self, lines: int = _SHOWN) -> str:
        """The counters as text: families, state spaces, and the `lines` instructions that cost most."""
        blocks = [_families(self), _spaces(self), _hottest(self, lines)]
        return "\n\n".join(block for block in blocks if block)

    def to_json(self) -> dict[str, Any]:
        """The counters as plain dictionaries."""
        return {
            "warp_instructions": self.warp_instructions,
            "active": self.active,
            "barriers": self.barriers,
            "families": {name: {"warps": row.warps, "lanes": row.lanes} for name, row in self.families.items()},
            "spaces": {name: _plain(each) for name, each in self.spaces.items()},
            "lines": [
                {
                    "function": line.function,
                    "line": line.line,
                    "opcode": line.opcode,
                    "warps": line.warps,
                    "lanes": line.lanes,
                    "spaces": {name: _plain(each) for name, each in line.spaces.items()},
                }
                for line in self.lines
            ],
        }

    def __repr__(self) -> str:
        return self.table()


def _plain(one: Traffic) -> dict[str, int]:
    return {each.name: getattr(one, each.name) for each in fields(one)}


# -- as text --------------------------------------------------------------------------------------------------


def _aligned(rows: Iterable[tuple[str, ...]], left: int) -> str:
    """Rows as columns: the first `left` of them to the left, the others to the right."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if number < left else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _families(counters: Counters) -> str:
    head = ("family", "warps", "active lanes")
    rows = [(name, f"{row.warps:,}", f"{row.active:.1f}") for name, row in counters.families.items()]
    total = ("all", f"{counters.warp_instructions:,}", f"{counters.active:.1f}")
    return _aligned([head, *rows, total], 1)


def _spaces(counters: Counters) -> str:
    head = ("space", "requests", "loaded", "stored", "")
    rows = [
        (name, f"{each.requests:,}", f"{each.loaded:,} B", f"{each.stored:,} B", _cost(each))
        for name, each in counters.spaces.items()
    ]
    return _aligned([head, *rows], 1) if rows else ""


def _cost(each: Traffic) -> str:
    if each.sectors:
        return f"{_counted(each.sectors, 'sector')}, {each.sectors / each.requests:.1f} a request"
    if each.wavefronts:
        return f"{_counted(each.wavefronts, 'wavefront')}, {each.conflicts:,} by bank conflicts"
    return ""


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _hottest(counters: Counters, shown: int) -> str:
    chosen = sorted(counters.lines, key=lambda line: -line.cost)[:shown]
    if not chosen:
        return ""
    rows = [("line", "warps", "active lanes", "opcode", "")]
    for line in sorted(chosen, key=lambda line: (line.function, line.line)):
        cost = "; ".join(filter(None, (_cost(each) for each in line.spaces.values())))
        rows.append((str(line.line), f"{line.warps:,}", f"{line.active:.1f}", line.opcode, cost))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    text = [
        f"{a:>{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d:<{widths[3]}}  {e}".rstrip()
        for a, b, c, d, e in rows
    ]
    left = len(counters.lines) - len(chosen)
    return "\n".join([*text, *([f"and {left} more instructions"] if left else [])])


# -- counting -------------------------------------------------------------------------------------------------


class Counting(Watcher):
    """Counts while a kernel runs."""

    def __init__(self) -> None:
        self._rows: dict[int, LineCount] = {}
        self._lines: LineIndex | None = None
        self._last: Lanes | None = None
        self._warps = 0

    def counters(self) -> Counters:
        """What has been counted: the instructions that were executed, in text order."""
        rows = (row for row in self._rows.values() if row.warps)
        return Counters(sorted(rows, key=lambda row: (row.function, row.line)))

    def _row(self, site: Site) -> LineCount:
        key = id(site.instruction)
        row = self._rows.get(key)
        if row is None:
            opcode = site.opcode
            if self._lines is None:
                self._lines = LineIndex(site.machine.module.source)
            line = self._lines.line(site.instruction.pos)
            row = self._rows[key] = LineCount(site.activation.function.name, line, opcode.text, opcode.stem)
        return row

    def _note(self, row: LineCount, lanes: Lanes) -> None:
        if lanes is not self._last:
            self._last = lanes
            self._warps = _warps(lanes)
        row.warps += self._warps
        row.lanes += lanes.count

    def step(self, site: Site, step: Step) -> Step:
        """See `Watcher.step`."""
        row = self._row(site)

        def run(lanes: Lanes) -> None:
            self._note(row, lanes)
            step(lanes)

        return run

    def end(self, site: Site, end: End) -> End:
        """See `Watcher.end`."""
        row = self._row(site)

        def run(lanes: Lanes) -> Any:
            self._note(row, lanes)
            return end(lanes)

        return run

    def access(
        self, site: Site, lanes: Lanes, space: Space, index: Array, where: Array | None, size: int, write: bool
    ) -> None:
        """See `Watcher.access`."""
        if not index.size or site.opcode.stem.startswith(_BULK):
            return
        numbers = lanes.index if where is None else lanes.index[where]
        name = _space_name(site, space)
        count = self._row(site).traffic(name)
        count.requests += traffic.requests(numbers)
        moved = index.size * size
        if write:
            count.stored += moved
        if not write or site.opcode.stem in _BOTH_WAYS:
            count.loaded += moved
        if name == "global":
            count.sectors += traffic.sectors(numbers, index, size)
        elif isinstance(space, PerLane) and name == "shared":
            needed, least = traffic.wavefronts(numbers, index % space.stride, size)
            count.wavefronts += needed
            count.conflicts += needed - least

    def moved(self, site: Site, space: Space, index: Array, size: int, write: bool) -> None:
        """See `Watcher.moved`: bytes and sectors; the wavefronts of asynchronous operations are not known."""
        count = self._row(site).traffic(space.name)
        count.requests += 1
        if write:
            count.stored += index.size * size
        else:
            count.loaded += index.size * size
        if space.name == "global":
            count.sectors += traffic.sectors(np.zeros_like(index), index, size)


def _warps(lanes: Lanes) -> int:
    if lanes.mask is None:
        return (lanes.hi - lanes.lo) // WARP
    return int(np.count_nonzero(lanes.mask.reshape(-1, WARP).any(axis=1)))


def _space_name(site: Site, space: Space) -> str:
    """`param` and `const` share the arena with `global`, and are told apart by the instruction."""
    written = site.opcode.get("ss").partition("::")[0]
    return written if written in ("param", "const") else space.name
