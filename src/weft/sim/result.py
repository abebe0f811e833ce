"""What a run gives back."""

from __future__ import annotations

from collections import Counter
from dataclasses import field

from weft.dataclass import dataclass
from weft.sim.counters import Counters, Counting
from weft.sim.faults import KernelFault
from weft.sim.machine import Machine
from weft.sim.trace import Event, Tracing


@dataclass(frozen=True, slots=True)
class Result:
    """What a run did.

    Attributes:
        instructions: thread-instructions by family.
        bytes_loaded: bytes loaded, by state space; `global` includes constant and parameter memory.
        bytes_stored: bytes stored, by state space.
        counters: counts of each instruction, if asked for.
        trace: what each warp executed, if asked for.
        output: what the kernel printed.
        findings: what was found without ending the run.
    """

    instructions: Counter[str] = field(default_factory=Counter[str])
    bytes_loaded: dict[str, int] = field(default_factory=dict[str, int])
    bytes_stored: dict[str, int] = field(default_factory=dict[str, int])
    counters: Counters | None = None
    trace: list[Event] | None = None
    output: str = ""
    findings: tuple[KernelFault, ...] = ()

    @property
    def thread_instructions(self) -> int:
        """Instructions executed, counted once for each thread."""
        return self.instructions.total()


def result_of(machine: Machine, counting: Counting | None = None, tracing: Tracing | None = None) -> Result:
    """What a machine has done so far."""
    instructions: Counter[str] = Counter()
    for activation in machine.activations:
        for block in activation.every_block():
            for site in block.sites:
                if block.lanes_run:
                    instructions[site.opcode.stem] += block.lanes_run
    memory = machine.memory
    spaces = {space.name: space for space in (memory.arena, memory.shared, memory.local)}
    return Result(
        instructions,
        {name: space.loaded for name, space in spaces.items()},
        {name: space.stored for name, space in spaces.items()},
        counting and counting.counters(),
        tracing and tracing.events,
        "".join(machine.program.runtime.output),
    )


def merged(parts: list[Result]) -> Result:
    """The result of a run from those of its parts."""
    instructions: Counter[str] = Counter()
    loaded: Counter[str] = Counter()
    stored: Counter[str] = Counter()
    counters: Counters | None = None
    for part in parts:
        instructions.update(part.instructions)
        loaded.update(part.bytes_loaded)
        stored.update(part.bytes_stored)
        if part.counters is not None:
            counters = Counters() if counters is None else counters
            counters.add(part.counters)
    output = "".join(part.output for part in parts)
    return Result(instructions, dict(loaded), dict(stored), counters, output=output)
