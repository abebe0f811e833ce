"""`weft.run`: launch a kernel on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from copy import deepcopy
from dataclasses import replace
from typing import Any

from weft.ptx.ast import Module
from weft.sim.budget import Budget
from weft.sim.counters import Counting
from weft.sim.faults import KernelFault, SimulationError
from weft.sim.findings import Report, chosen, merged_findings
from weft.sim.lanes import Array
from weft.sim.prepare import RESIDENT, Async, Check, Options, Prepared
from weft.sim.result import Result, result_of
from weft.sim.schedules import Turns, matters
from weft.sim.tensor_core import Mma
from weft.sim.trace import Trace, Tracing

FEW = (0, 1, 2, 3, 5, 8)
"""Numbers of changes of a random schedule that are tried to find a fault again."""
SMALL = 3000
"""Steps of a run that is short enough to be followed by others, in which CTAs come one after the other."""
MORE_STEPS = 1000
"""Steps of each of these runs besides twice those of the first; then it ends."""
MOST_BYTES = 64 << 20
"""Bytes of memory that are kept for them at most."""


def run(
    module: Module,
    kernel: str,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    args: Sequence[Any],
    *,
    cluster: int | Sequence[int] | None = None,
    shared_bytes: int = 0,
    async_: Async = "lazy",
    check: Check = "strict",
    seed: int = 0,
    changes: int | None = None,
    resident: int = RESIDENT,
    max_steps: int | None = None,
    timeout: float | None = None,
    checks: Iterable[str] | None = None,
    report: Report = "first",
    suppress: Sequence[int | str] = (),
    registers: int | None = None,
    mma: Mma = "exact",
    schedules: int | None = None,
    counters: bool = False,
    trace: Trace | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
    chunks: int | None = None,
) -> Result:
    """Run a kernel of a module on the CPU; `args` arrays are changed in place.

    `grid` and `block` are up to three extents, in CTAs and threads; `cluster` CTAs per cluster; `shared_bytes` the
    dynamic shared memory.  An argument is a NumPy array for a 64-bit pointer parameter, a number for any other,
    a `weft.TensorMap` for 128 bytes or a pointer to them.

    `async_` says when asynchronous copies complete: as late as the ISA allows (`lazy`), at once (`eager`), or at random
    moments of a `seed`.  `check="strict"` also finds reads of unwritten registers and shared memory, and races;
    `"fast"` leaves those checks out.  CTAs of `resident` threads run together, and may wait for each other.  `counters`
    also counts by instruction (active lanes, sectors, bank conflicts), `trace` keeps what each warp executes.
    A run that takes more than `max_steps` steps (blocks of instructions that threads execute together) or `timeout`
    seconds is stopped with a fault of kind `limit` that says where each warp stands.
    `checks` names those to make (None: all of `races`, `proxy`, `uninitialised`, `asynchronous`, `limits`).  With
    `report="all"` the run goes on where it can, and all that it finds is in the result's `findings`; `suppress` leaves
    out what concerns lines, functions or variables.  `registers` are those of a thread (`weft.assemble` counts them):
    a CTA that needs more than a multiprocessor has is refused.  `schedules` runs the kernel so many times more, on
    copies of the arguments, with `async_="random"` and the seeds from `seed` on; the `seed` of a fault says which one
    found it, and its `changes` how few changes of the schedule it takes: warps that are held back while others run
    ahead; `changes` limits them.  By default a short strict run of a kernel that looks at what others change is
    followed by two on copies of its memory, in which CTAs come one after the other; `schedules=1` leaves them out.
    `mma="hardware"` rounds products of matrices as tensor cores have been measured to do (`weft.sim.tensor_core`)
    instead of once.  `progress` is called with the CTAs that are done and their number.

    With an `executor` the CTAs are shared out in `chunks` (as many as it has workers), each run on a copy of the
    memory; `weft.sim.spread` says how what they write is put together.

    Raises `UnsupportedInstruction` before anything is executed when the kernel may reach an instruction that the
    simulator does not have, `KernelFault` when the kernel does something illegal, `SimulationError` for a launch that
    does not fit the kernel, or a grid that cannot be shared out.
    """
    options = Options(
        *(kernel, grid, block, cluster, shared_bytes, async_, check, seed, resident, max_steps, timeout),
        *(chosen(checks) if checks is not None else None, report, tuple(suppress), registers, mma, changes),
    )
    explored = _explore(module, options, args, schedules - 1) if schedules is not None and schedules > 1 else []
    if executor is not None:
        from weft.sim.spread import spread

        if trace is not None:
            raise SimulationError("a trace needs the whole grid in one process", hint="leave the executor out")
        return spread(module, options, args, executor, chunks, counters=counters, progress=progress)
    counting, tracing = Counting() if counters else None, Tracing(trace) if trace is not None else None
    watchers = [watcher for watcher in (counting, tracing) if watcher is not None]
    prepared = Prepared(module, options, args, watchers)
    memory = prepared.memory() if schedules is None and not watchers and _in_turns(prepared) else None
    try:
        prepared.execute(0, prepared.launch.ctas, progress)
    except KernelFault as fault:
        again = _deferred(module, options, args, fault) if not watchers else None
        if again is not None:
            prepared = again
        else:
            prepared.machine.findings.end(fault)
    finally:
        prepared.arguments.copy_out()
    result = result_of(prepared.machine, counting, tracing)
    if memory is not None and prepared.machine.steps <= SMALL:
        _take_turns(prepared, memory)
    prepared.release()
    found = prepared.machine.findings.found
    return replace(result, findings=merged_findings([found, *explored])) if found or explored else result


def _deferred(module: Module, options: Options, args: Sequence[Any], fault: KernelFault) -> Prepared | None:
    """The run made again, where loads of unwritten bytes are no faults unless they are used; None if that faults."""
    if fault.kind != "uninitialised-memory" or options.report == "all":
        return None
    prepared = Prepared(module, replace(options, deferred=True), args)
    try:
        prepared.execute(0, prepared.launch.ctas)
    except KernelFault:
        return None
    return prepared


def _in_turns(prepared: Prepared) -> bool:
    """Whether other orders of a launch's CTAs are worth a look, and can be afforded."""
    machine = prepared.machine
    return (
        machine.clocks is not None
        and machine.schedule is None
        and prepared.arena.bytes.nbytes <= MOST_BYTES
        and matters(prepared.program)
    )


def _take_turns(prepared: Prepared, memory: Array) -> None:
    """Run a launch again from what its memory was: one CTA after the other, then the last ones first."""
    machine = prepared.machine
    budget, steps = machine.budget, machine.steps
    output = list(prepared.program.runtime.output)
    for backwards in (False, True):
        prepared.again(memory)
        machine.schedule = Turns(machine, backwards=backwards)
        machine.budget = Budget(MORE_STEPS + 2 * steps)
        try:
            prepared.execute(0, prepared.launch.ctas)
        except KernelFault as fault:
            if fault.kind != "limit":
                order = "the last one first" if backwards else "the first one first"
                fault.hint += f"{'; ' if fault.hint else ''}shows when CTAs run one after the other, {order}"
                machine.findings.end(fault)
        finally:
            machine.schedule, machine.budget = None, budget
    prepared.program.runtime.output[:] = output


def _explore(module: Module, options: Options, args: Sequence[Any], count: int) -> list[list[KernelFault]]:
    """Run a kernel with so many seeds, on copies of its arguments; what each run has found."""
    found: list[list[KernelFault]] = []
    first = options.seed if isinstance(options.seed, int) else 0
    for seed in range(first, first + count):
        prepared = Prepared(module, replace(options, async_="random", seed=seed), deepcopy(args))
        findings = prepared.machine.findings
        try:
            prepared.execute(0, prepared.launch.ctas)
            prepared.release()
        except KernelFault as fault:
            fault.seed, fault.changes = seed, _least(module, options, args, seed, fault)
            changes = "" if fault.changes is None else f", changes={fault.changes}"
            fault.hint += f"{'; ' if fault.hint else ''}found with async_='random', seed={seed}{changes}"
            findings.end(fault)
        for fault in findings.found:
            fault.seed = seed
        found.append(findings.found)
    return found


def _least(module: Module, options: Options, args: Sequence[Any], seed: int, fault: KernelFault) -> int | None:
    """With how few changes of its schedule a random run finds a fault again; None when it takes more."""
    for changes in FEW if options.report == "first" else ():
        random = replace(options, async_="random", seed=seed, changes=changes)
        prepared = Prepared(module, random, deepcopy(args))
        try:
            prepared.execute(0, prepared.launch.ctas)
        except KernelFault as again:
            if (again.kind, again.position.line) == (fault.kind, fault.position.line):
                return changes
    return None
