"""`weft.run`: launch a kernel on the CPU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from weft.errors import position_at
from weft.ptx.ast import Function, Module
from weft.sim.arguments import Arguments
from weft.sim.batch import Extent, Launch
from weft.sim.counters import Counters, Counting
from weft.sim.faults import SimulationError
from weft.sim.machine import Machine
from weft.sim.memory import Arena
from weft.sim.program import Program
from weft.sim.trace import Event, Trace, Tracing

BATCH_LANES = 16_384
"""Lanes that run together: more do not fit the caches, fewer leave NumPy's dispatch uncovered."""

Async = Literal["eager", "lazy", "random"]
Check = Literal["strict", "fast"]


@dataclass(frozen=True, slots=True)
class Result:
    """What a run did: thread-instructions by family, and bytes loaded and stored by state space.

    `global` counts all of the arena: global, constant and parameter memory.  `counters` and `trace` are there when they
    were asked for.
    """

    instructions: Counter[str] = field(default_factory=Counter[str])
    bytes_loaded: dict[str, int] = field(default_factory=dict[str, int])
    bytes_stored: dict[str, int] = field(default_factory=dict[str, int])
    counters: Counters | None = None
    trace: list[Event] | None = None

    @property
    def thread_instructions(self) -> int:
        """Instructions executed, counted once for each thread."""
        return self.instructions.total()


def run(
    module: Module,
    kernel: str,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Sequence[Any],
    *,
    cluster: int | Sequence[int] | None = None,
    shared_bytes: int = 0,
    async_: Async = "eager",
    check: Check = "strict",
    seed: int = 0,
    counters: bool = False,
    trace: Trace | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Result:
    """Run a kernel of a module on the CPU; `args` arrays are changed in place.

    `grid` and `block` are up to three extents, in CTAs and threads; `cluster` CTAs per cluster; `shared_bytes` the
    dynamic shared memory.  An argument is a NumPy array for a 64-bit pointer parameter, a number for any other.

    `async_` says when asynchronous copies complete: at once (`eager`), as late as the ISA allows (`lazy`), or at random
    moments of a `seed`.  `check="strict"` also finds reads of unwritten registers and shared memory; `"fast"` leaves
    those checks out.  `counters` also counts by instruction (active lanes, sectors, bank conflicts), `trace` keeps what
    each warp executes.  `progress` is called with the CTAs that are done and their number.

    Raises `UnsupportedInstruction` before anything is executed when the kernel may reach an instruction that the
    simulator does not have, `KernelFault` when the kernel does something illegal, `SimulationError` for a launch that
    does not fit the kernel.
    """
    function = _find(module, kernel)
    arena = Arena()
    try:
        launch = _launch(function, grid, block, cluster, shared_bytes)
        arguments = Arguments(function, args, arena)
    except SimulationError as error:
        raise _at(error, module, function) from None
    program = Program(module, function, arena)
    ctas = _batch(launch)
    arena.build()
    counting, tracing = Counting() if counters else None, Tracing(trace) if trace is not None else None
    machine = Machine(
        program,
        launch,
        ctas,
        arguments.places,
        strict=check == "strict",
        async_=async_,
        seed=seed,
        watchers=[watcher for watcher in (counting, tracing) if watcher is not None],
    )
    arguments.copy_in()
    program.initialise()
    order = launch.order()
    try:
        for first in range(0, launch.ctas, ctas):
            machine.run(first, order)
            if progress is not None:
                progress(min(first + ctas, launch.ctas), launch.ctas)
    finally:
        arguments.copy_out()
    return _result(machine, counting, tracing)


def _find(module: Module, name: str) -> Function:
    for function in module.kernels:
        if function.name == name and function.body is not None:
            return function
    known = ", ".join(f.name for f in module.kernels) or "no kernels"
    raise SimulationError(f"the module has no kernel '{name}'", hint=f"it has {known}")


def _at(error: SimulationError, module: Module, function: Function) -> SimulationError:
    """The error of a launch, with the line of its kernel."""
    if module.source is not None and function.pos >= 0:
        error.position = position_at(module.source, function.pos, module.filename)
    return error


def _extent(value: int | Sequence[int], what: str) -> Extent:
    parts = (value,) if isinstance(value, int) else tuple(int(v) for v in value)
    if not 1 <= len(parts) <= 3 or min(parts) < 1:
        raise SimulationError(f"the {what} {value!r} is not one to three positive extents")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


def _launch(
    function: Function,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    cluster: int | Sequence[int] | None,
    shared_bytes: int,
) -> Launch:
    """The launch, checked against the kernel's directives."""
    directives = {d.name: d.arguments for d in function.directives}
    blocks, threads = _extent(grid, "grid"), _extent(block, "block")
    count = threads[0] * threads[1] * threads[2]
    if count > 1024:
        raise SimulationError(f"a block of {count} threads is too large", hint="a CTA has at most 1024 threads")
    if "reqntid" in directives and (need := _triple(directives["reqntid"])) != threads:
        raise SimulationError(f"kernel '{function.name}' needs a block of {need}, not {threads}")
    if "maxntid" in directives:
        x, y, z = _triple(directives["maxntid"])
        if count > x * y * z:
            raise SimulationError(f"kernel '{function.name}' takes at most {x * y * z} threads, not {count}")
    wanted = _triple(directives["reqnctapercluster"]) if "reqnctapercluster" in directives else None
    size = _extent(cluster, "cluster") if cluster is not None else wanted or (1, 1, 1)
    if any(g % c for g, c in zip(blocks, size, strict=True)):
        raise SimulationError(f"the grid {blocks} is not a multiple of the cluster {size}")
    return Launch(blocks, threads, size, cluster is not None or wanted is not None, shared_bytes)


def _triple(text: str) -> Extent:
    return _extent([int(part) for part in text.split(",")], "directive")


def _batch(launch: Launch) -> int:
    """CTAs that run together: whole clusters, of about equal number in every batch."""
    lanes = launch.warps * 32
    most = max(1, BATCH_LANES // lanes)
    cluster = launch.cluster_ctas
    most = max(cluster, most // cluster * cluster)
    batches = -(-launch.ctas // most)
    even = -(-launch.ctas // batches)
    return min(most, -(-even // cluster) * cluster)


def _result(machine: Machine, counting: Counting | None, tracing: Tracing | None) -> Result:
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
    )
