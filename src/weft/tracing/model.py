"""A kernel at every stage of its compilation, and what came of what.

Everything that shows kernels (`weft explore`, notebooks, editors) reads this, and its JSON is the interface for
others: `docs/trace.schema.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, field, replace
from operator import add
from typing import TYPE_CHECKING, Any

from weft.dataclass import dataclass
from weft.errors import JsonError

if TYPE_CHECKING:
    from weft.sim.counters import Counters

VERSION = 1
"""Of the JSON; raised when something changes its meaning."""


@dataclass(frozen=True, slots=True)
class Span:
    """One statement of a stage: the lines of the stage's text that it takes, from 1, and the function it is in."""

    line: int
    end: int
    function: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """One form of the program: `name` (`source`, `mlir`, `ttir`, `ptx`, `sass`...), language, text, statements.

    `columns` hold a value for each span: `control`, `stall`, `waits` (spans waited for), `live` (registers by class),
    `loop` (how many loops are around it) for machine code, `diagnostics` for PTX.
    """

    name: str
    language: str
    text: str = field(repr=False)
    spans: tuple[Span, ...] = field(repr=False)
    columns: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]], repr=False)


@dataclass(frozen=True, slots=True)
class Links:
    """What came of what, from one stage to the next: pairs of numbers of spans."""

    source: int
    target: int
    edges: tuple[tuple[int, int], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Kernel:
    """The resources of one kernel, and its occupancy where the threads of a block and the target are known.

    `shared_bytes` are static; `live` is the most registers live at once; `occupancy` has `blocks`, `warps`,
    `most_warps`, `limits`, `limited_by`, and `next`: the registers with which one more block would fit.
    """

    name: str
    registers: int
    live: int
    shared_bytes: int = 0
    spill_bytes: int = 0
    stack_bytes: int = 0
    threads: int = 0
    occupancy: dict[str, Any] | None = None


@dataclass(frozen=True)
class Trace:
    """The stages of a program for one target, in order, and the links between neighbouring ones."""

    name: str
    target: str
    stages: tuple[Stage, ...]
    links: tuple[Links, ...]
    kernels: tuple[Kernel, ...] = ()
    cubin: bytes = field(default=b"", repr=False, compare=False)
    """The machine code itself, where it is still at hand; not in the JSON."""

    def held(self, function: str, address: int) -> dict[int, int | None]:
        """The general registers live at an address: by number, the address of the instruction that wrote it.

        None stands for what was written before the function. Asks nvdisasm; {} for a trace without its cubin.
        """
        from weft.tracing.pressure import ranges

        found = ranges(self.cubin).get(function, {}) if self.cubin else {}
        return found[address].registers if address in found else {}

    def stage(self, name: str) -> Stage:
        """The stage with a name.  Raises KeyError if there is none."""
        for stage in self.stages:
            if stage.name == name:
                return stage
        raise KeyError(f"the stages are {', '.join(stage.name for stage in self.stages)}")

    def related(self, name: str, spans: Iterable[int]) -> dict[str, tuple[int, ...]]:
        """The spans in every stage that those in one stage come from or become, by following the links in both
        directions.
        """
        start = self.stages.index(self.stage(name))
        found = {start: set(spans)}
        for step in (1, -1):
            number = start
            while 0 <= number + step < len(self.stages):
                links = [one for one in self.links if {one.source, one.target} == {number, number + step}]
                found[number + step] = {
                    pair[step == 1] for one in links for pair in one.edges if pair[step == -1] in found[number]
                }
                number += step
        return {self.stages[number].name: tuple(sorted(found[number])) for number in sorted(found)}

    def counted(self, counters: Counters) -> Trace:
        """The trace with the counts of a run of its PTX, as columns of the PTX (0 where nothing ran).

        `executed` counts warps, `active` the average of lanes per warp, `sectors` those of 32 bytes, and `conflicts`
        passes through the banks of shared memory beyond those needed.  The run must be of the stage's text:
        `weft.run(weft.parse(stage.text), ...)`.
        """
        stage = self.stage("ptx")
        found: dict[tuple[str, int], list[int]] = {}
        for one in counters.lines:
            sums = found.setdefault((one.function, one.line), [0, 0, 0, 0])
            spaces = one.spaces.values()
            more = (one.warps, one.lanes, sum(s.sectors for s in spaces), sum(s.conflicts for s in spaces))
            sums[:] = map(add, sums, more)
        rows = [found.get((span.function, span.line), [0, 0, 0, 0]) for span in stage.spans]
        columns: dict[str, list[Any]] = {
            "executed": [row[0] for row in rows],
            "active": [round(row[1] / row[0], 2) if row[0] else 0.0 for row in rows],
            "sectors": [row[2] for row in rows],
            "conflicts": [row[3] for row in rows],
        }
        wide = replace(stage, columns=stage.columns | columns)
        return replace(self, stages=tuple(wide if one is stage else one for one in self.stages))

    def to_json(self) -> str:
        """The trace as JSON (`docs/trace.schema.json`)."""
        stages = [
            {**asdict(stage), "spans": [[span.line, span.end, span.function] for span in stage.spans]}
            for stage in self.stages
        ]
        links = [{"source": one.source, "target": one.target, "edges": one.edges} for one in self.links]
        kernels = [asdict(kernel) for kernel in self.kernels]
        facts = {"version": VERSION, "name": self.name, "target": self.target}
        return json.dumps({**facts, "stages": stages, "links": links, "kernels": kernels}, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> Trace:
        """Load a trace from its JSON.  Raises JsonError if the text is not a trace, or is of another version."""
        try:
            data: dict[str, Any] = json.loads(text)
            if data.get("version") != VERSION:
                raise JsonError(f"this trace has version {data.get('version')}, not {VERSION}")
            stages = tuple(
                Stage(one["name"], one["language"], one["text"], tuple(Span(*s) for s in one["spans"]), one["columns"])
                for one in data["stages"]
            )
            links = tuple(
                Links(one["source"], one["target"], tuple((a, b) for a, b in one["edges"])) for one in data["links"]
            )
            kernels = tuple(Kernel(**kernel) for kernel in data["kernels"])
            return Trace(data["name"], data["target"], stages, links, kernels)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise JsonError(f"this is not a trace: {error}") from None

    def _repr_html_(self) -> str:
        from html import escape

        from weft.tracing.page import page

        shown = escape(page([self]), quote=True)
        return f'<iframe style="width:100%;height:640px;border:0" srcdoc="{shown}"></iframe>'
