"""A launch made ready: the kernel found, checked against the launch, and bound to the registers of a batch of CTAs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import index
from typing import Any, Literal

import numpy as np

from weft.collecting import paused
from weft.dataclass import dataclass
from weft.errors import nearest, position_at
from weft.isa.limits import CTA_THREADS
from weft.ptx.ast import Function, Module
from weft.ptx.directive_nodes import FunctionDirective
from weft.sim.arena import Arena
from weft.sim.arguments import Arguments
from weft.sim.batch import Extent, Launch
from weft.sim.budget import Budget
from weft.sim.doubts import Doubts
from weft.sim.earlier import buffers
from weft.sim.engines import Engine, is_compiled, may_compile, suspect, threads
from weft.sim.faults import KernelFault, SimulationError, choose
from weft.sim.findings import Findings, Report, chosen
from weft.sim.kept import Bound, give, key_of, snapshot, take
from weft.sim.lanes import Array
from weft.sim.limits import check_launch, check_memory, check_registers
from weft.sim.machine import Machine
from weft.sim.program import Program
from weft.sim.registers import Place
from weft.sim.tensor_core import Mma
from weft.sim.textures import Surface
from weft.sim.watch import Watcher
from weft.sim.witness import Witness

RESIDENT = 16_384
"""Threads that run together: more do not fit the caches, fewer leave NumPy's dispatch uncovered."""
WIDER = 2
"""How many times as many run together in compiled code, which goes from CTA to CTA, unless their number is given."""

Async = Literal["eager", "lazy", "random"]
Check = Literal["strict", "fast"]


@dataclass(frozen=True, slots=True)
class Options:
    """What `weft.run` is told besides the module and the arguments."""

    kernel: str
    grid: int | Sequence[int]
    block: int | Sequence[int]
    cluster: int | Sequence[int] | None = None
    shared_bytes: int = 0
    async_: Async = "lazy"
    check: Check = "strict"
    seed: int | Sequence[int] = 0
    resident: int = RESIDENT
    max_steps: int | None = None
    timeout: float | None = None
    checks: frozenset[str] | None = None
    report: Report = "first"
    suppress: tuple[int | str, ...] = ()
    registers: int | None = None
    mma: Mma = "exact"
    changes: int | None = None
    deferred: bool = False
    witness: Witness | None = None
    doubts: Doubts | None = None
    engine: Engine = "auto"
    behind: bool = False  # Whether grids before the launch may still run.

    @property
    def bound(self) -> Options:
        """What binding a kernel depends on: the options without those that each run of it may have its own of."""
        return replace(self, seed=0, changes=None, max_steps=None, timeout=None, report="first", suppress=())


class Prepared:
    """A launch whose CTAs can be run, all or some of them.

    `ctas` is how many of them will run at most (None: the grid), `earlier` the arrays that the grid before may write.
    """

    def __init__(
        self,
        module: Module,
        options: Options,
        args: Sequence[Any],
        watchers: Sequence[Watcher] = (),
        ctas: int | None = None,
        earlier: Sequence[Any] = (),
    ) -> None:
        choose(options.async_, Async, "async_")
        choose(options.check, Check, "check")
        choose(options.report, Report, "report")
        choose(options.mma, Mma, "mma")
        choose(options.engine, Engine, "engine")
        findings = Findings(chosen(options.checks), options.report, options.suppress)
        if earlier and options.check == "strict":
            options = replace(options, engine="numpy", behind=True)
        self.module = module
        self.function = find_kernel(module, options.kernel)
        arena = Arena()
        try:
            self.launch = launch_of(self.function, options)
            if "limits" in findings.checks:
                check_launch(module, self.function, self.launch)
                check_registers(self.function, self.launch, options.registers)
            self.arguments = Arguments(self.function, args, arena)
        except SimulationError as error:
            raise located(error, module, self.function) from None
        self.batch = batch_of(self.launch, self.launch.ctas if ctas is None else ctas, options.resident)
        self._key = None
        if not watchers and options.witness is None and options.doubts is None and not self.arguments.handles.things:
            self._key = key_of(module, repr((options.bound, threads())), arena, self.batch)
        bound = None if self._key is None else take(self._key, module)
        budget = Budget(options.max_steps, options.timeout)
        if bound is None:
            bound = self._bind(arena, options, watchers)
        else:
            bound.machine.restart(options.seed)
            self.arguments.arena = bound.arena
        self._bound = bound
        self.batch = bound.machine.batch.ctas
        self.arena, self.program, self.machine = bound.arena, bound.program, bound.machine
        _check_names(self.machine, options.suppress)
        self.machine.budget = budget
        if self.machine.schedule is not None:
            self.machine.schedule.changes = options.changes
        self.machine.findings = findings
        spans = self.arguments.spans(earlier)
        self.machine.follow([buffers(spans, self.arena.extent)] if spans else ())
        self.arguments.copy_in()
        self.program.initialise()

    def _bind(self, arena: Arena, options: Options, watchers: Sequence[Watcher]) -> Bound:
        """Bind the kernel to registers and memory."""
        try:
            program = Program(self.module, self.function, arena, self.arguments.handles)
            if "limits" in chosen(options.checks):
                check_memory(program, self.launch)
        except SimulationError as error:
            raise located(error, self.module, self.function) from None
        arena.build()
        machine = machine_of(program, self.launch, self.batch, self.arguments.places, options, watchers)
        return Bound(self.module, snapshot(self.module, program.functions.values()), program, machine)

    @property
    def storable(self) -> int:
        """The bytes of memory of the launch."""
        return self.arena.bytes.nbytes

    def save(self) -> Callable[[], None]:
        """Keep what memory holds now; what is given back restores it."""
        memory, others = self.arena.bytes.copy(), saved(self.program)

        def undo() -> None:
            self.arena.bytes[:] = memory
            others()

        return undo

    def left(self) -> list[Array]:
        """What memory holds."""
        return [self.arena.bytes.copy()]

    def left_alike(self, others: Sequence[list[Array]], fault: KernelFault) -> bool:
        """Whether memory holds what other runs have left in it."""
        return all(np.array_equal(self.arena.bytes, other[0]) for other in others)

    def finish(self) -> None:
        """The arrays get what the kernel has left in their buffers."""
        native = self.machine.native
        self.arguments.copy_out(() if native is None else native.untouched())

    def release(self) -> None:
        """The launch has ended well, and its result is taken: the next one like it need not bind the kernel again."""
        if self._key is not None:
            give(self._key, self._bound)

    def drop(self) -> None:
        """It is not used again: nothing is kept."""

    def execute(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Run all CTAs."""
        self.execute_some(0, self.launch.ctas, progress)

    def execute_some(self, first: int, last: int, progress: Callable[[int, int], None] | None = None) -> None:
        """Run the CTAs from number `first` to `last` of the launch's order."""
        order = self.launch.order()[:last]
        self.machine.budget.start()
        for start in range(first, last, self.batch):
            self.machine.run(start, order)
            if progress is not None:
                progress(min(start + self.batch, last), last)


def _check_names(machine: Machine, suppress: Sequence[int | str]) -> None:
    """What findings are suppressed of are functions and variables that the kernel has.  Raises SimulationError."""
    names = [name for name in suppress if isinstance(name, str)]
    if not names:
        return
    known = {activation.function.name for activation in machine.activations}
    for activation in machine.activations:
        for inner in {id(scope): scope for _, scope in activation.items}.values():
            known.update(name for scope in inner.outwards() for name in scope.places)
    for name in names:
        if name not in known:
            raise SimulationError(
                f"suppress: the kernel has no function or variable '{name}'", hint=nearest(name, known)
            )


def saved(program: Program) -> Callable[[], None]:
    """Keep what a program changes besides global memory: surfaces, the heap, and the text it prints."""
    surfaces = [(thing.array, thing.array.copy()) for thing in program.handles.known() if isinstance(thing, Surface)]
    runtime = program.runtime.save()

    def undo() -> None:
        runtime()
        for array, before in surfaces:
            array[...] = before

    return undo


def machine_of(
    program: Program,
    launch: Launch,
    batch: int,
    places: dict[str, Place],
    options: Options,
    watchers: Sequence[Watcher],
) -> Machine:
    """A program bound to the registers of a batch of CTAs; `places` are those of its parameters.

    Kernels that ask for the work of clusters that have not started find some in small grids too: half of them wait.
    """
    clusters = launch.ctas // launch.cluster_ctas
    if program.asks and options.resident == RESIDENT and batch >= launch.ctas and clusters > 1:
        batch = -(-clusters // 2) * launch.cluster_ctas

    def machine(native: bool) -> Machine:
        wide = native and options.resident == RESIDENT
        return Machine(
            program,
            launch,
            batch_of(launch, launch.ctas, WIDER * RESIDENT) if wide else batch,
            places,
            strict=options.check == "strict",
            async_=options.async_,
            seed=options.seed,
            watchers=watchers,
            mma=options.mma,
            checks=chosen(options.checks),
            deferred=options.deferred,
            witness=options.witness,
            doubts=options.doubts,
            behind=options.behind,
            native=native,
            may_compile=may_compile(options),
        )

    with paused():
        made = machine(is_compiled(options, watchers, program, launch, -(-launch.ctas // batch)))
        if made.native is None or not made.native.unfit:
            return made
        suspect(program, strict=made.strict)
        return machine(native=False)


def find_kernel(module: Module, name: str) -> Function:
    """The kernel of a name.  Raises SimulationError, with the kernels that there are."""
    for function in module.kernels:
        if function.name == name and function.body is not None:
            return function
    known = ", ".join(f.name for f in module.kernels) or "no kernels"
    raise SimulationError(f"the module has no kernel '{name}'", hint=f"it has {known}")


def located(error: SimulationError, module: Module, function: Function) -> SimulationError:
    """The error of a launch, with the line of its kernel."""
    if module.source is not None and function.pos >= 0 and not error.position.line:
        error.position = position_at(module.source, function.pos, module.filename)
    return error


MOST_SCHEDULES = 10_000


def check_numbers(*, seed: int, **limits: float | None) -> None:
    """Refuse a seed below 0 and limits that are no positive numbers.  Raises SimulationError."""
    if seed < 0:
        raise SimulationError(f"seed={seed} is below 0", hint="use any other number")
    for name, number in limits.items():
        if number is not None and not number > 0:
            raise SimulationError(f"{name}={number} is not a positive number", hint="omit it for no limit")
        if name == "schedules" and number is not None and number > MOST_SCHEDULES:
            raise SimulationError(f"schedules={number} is too many", hint=f"{MOST_SCHEDULES:,} at most")


def extents_of(given: int | Sequence[int]) -> tuple[int, ...]:
    """Extents as plain integers; of one number, that."""
    return tuple(map(index, given if isinstance(given, (tuple, list)) else np.atleast_1d(np.asarray(given)).tolist()))


def _extent(value: int | Sequence[int], what: str) -> Extent:
    parts = extents_of(value)
    if not 1 <= len(parts) <= 3 or min(parts) < 1:
        raise SimulationError(f"the {what} {value!r} must be one to three positive extents", hint="as in 4 or (16, 16)")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


_DIRECTIVE = "its directives require this"


def launch_of(function: Function, options: Options) -> Launch:
    """The launch, checked against the kernel's directives."""
    directives = {d.name: d.values for d in function.directives if isinstance(d, FunctionDirective)}
    blocks, threads = _extent(options.grid, "grid"), _extent(options.block, "block")
    count = threads[0] * threads[1] * threads[2]
    if count > CTA_THREADS:
        raise SimulationError(
            f"a block of {count} threads is too large", hint=f"a CTA has at most {CTA_THREADS} threads"
        )
    if "reqntid" in directives and (need := _extent(directives["reqntid"], "directive")) != threads:
        raise SimulationError(f"kernel '{function.name}' needs a block of {need}, not {threads}", hint=_DIRECTIVE)
    if "maxntid" in directives:
        x, y, z = _extent(directives["maxntid"], "directive")
        if count > x * y * z:
            raise SimulationError(
                f"kernel '{function.name}' takes at most {x * y * z} threads, not {count}", hint=_DIRECTIVE
            )
    if options.shared_bytes < 0:
        raise SimulationError(f"invalid size of dynamic shared memory: {options.shared_bytes}", hint="use 0 or more")
    wanted = _extent(directives["reqnctapercluster"], "directive") if "reqnctapercluster" in directives else None
    size = _extent(options.cluster, "cluster") if options.cluster is not None else wanted or (1, 1, 1)
    if any(g % c for g, c in zip(blocks, size, strict=True)):
        message = f"the grid {blocks} is not a multiple of the cluster {size}"
        raise SimulationError(message, hint="make the grid a multiple of the cluster")
    return Launch(blocks, threads, size, options.cluster is not None or wanted is not None, options.shared_bytes)


def batch_of(launch: Launch, ctas: int, resident: int) -> int:
    """CTAs that run together, `resident` threads at most: whole clusters, about as many in every batch."""
    lanes = launch.warps * 32
    most = max(1, resident // lanes)
    cluster = launch.cluster_ctas
    most = max(cluster, most // cluster * cluster)
    batches = -(-ctas // most)
    even = -(-ctas // batches)
    return min(most, -(-even // cluster) * cluster)
