"""`weft.run`: launch a kernel on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from operator import index
from typing import Any

from weft.checked import checked
from weft.dataclass import dataclass
from weft.ptx.ast import Module
from weft.sim.engines import Engine
from weft.sim.faults import SimulationError
from weft.sim.findings import Report, chosen
from weft.sim.prepare import RESIDENT, Async, Check, Options, Prepared, check_numbers
from weft.sim.result import Result
from weft.sim.runs import carry_out, explore
from weft.sim.tensor_core import Mma
from weft.sim.trace import Trace
from weft.sim.watch import Watcher


@dataclass(frozen=True, slots=True)
class Arrays:
    """A kernel of a module whose arguments are arrays: each run starts from what they hold."""

    module: Module
    arguments: Sequence[Any]
    earlier: Sequence[Any] = ()
    lasting: bool = False

    def ready(self, options: Options, watchers: Sequence[Watcher] = ()) -> Prepared:
        """See `weft.sim.runs.Scene`."""
        return Prepared(self.module, options, self.arguments, watchers, earlier=self.earlier)


@checked
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
    earlier: Sequence[Any] = (),
    schedules: int | None = None,
    counters: bool = False,
    trace: Trace | None = None,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
    chunks: int | None = None,
    engine: Engine = "auto",
) -> Result:
    """Run a kernel of a module on the CPU; arrays among the arguments are changed in place.

    Args:
        module: the module.
        kernel: the name of the kernel.
        grid: CTAs of the grid along up to three dimensions.
        block: threads of a CTA along up to three dimensions.
        args: one for each parameter: a NumPy array for a 64-bit pointer, a `weft.TensorMap` for 128 bytes or a pointer
            to them, else a number.
        cluster: CTAs of a cluster along up to three dimensions.
        shared_bytes: bytes of dynamic shared memory.
        async_: when asynchronous copies complete: as late as the ISA allows (`lazy`), at once (`eager`), or at random
            (`random`).
        check: `strict` also finds races and reads of unwritten registers and shared memory; `fast` does not.
        seed: for `async_="random"` and `schedules`.
        changes: the most changes in a random schedule.
        resident: the number of threads whose CTAs run at the same time, and so may wait for each other.
        max_steps: stop with a fault of kind `limit` after so many steps (blocks of instructions that threads execute
            together).
        timeout: stop with a fault of kind `limit` after so many seconds.
        checks: only these checks: `races`, `proxy`, `uninitialised`, `asynchronous`, `registers`, `copies`, `limits`.
        report: `first` stops at the first finding; `all` continues where possible, and puts all of them into
            `Result.findings`.
        suppress: lines, functions or variables of which nothing is reported.
        registers: registers per thread (`weft.assemble` counts them); a CTA that needs more than a multiprocessor has
            is a fault.
        mma: `exact` rounds products of matrices once; `hardware` as tensor cores do (`weft.sim.tensor_core`).
        earlier: arrays that the previous grid may still write to until `griddepcontrol.wait`, as under programmatic
            dependent launch.
        schedules: how many schedules to try, all but the last at random on copies of the arguments.  A fault's `seed`
            and `changes` reproduce it.  By default, short strict runs of kernels whose threads look at what others
            write try more schedules, in which one CTA, or one warp, runs after the other; 1 disables them.
        counters: count executions, active lanes, sectors and bank conflicts of each instruction.
        trace: what to record of the instructions that each warp executes.
        progress: called with the number of CTAs that are done and that of all.
        executor: runs CTAs in parallel, each chunk on a copy of the memory (see `weft.sim.spread`).
        chunks: into how many parts to divide the CTAs; by default the number of workers.
        engine: `numpy`; `native`, which compiles the kernel for this processor (`weft[native]`) and finds the same; or
            `auto`, which compiles where that pays.  Compiled code takes runs without counters and traces; it leaves to
            NumPy strict runs that barriers alone do not order, and anything that may be a fault.

    Raises:
        UnsupportedInstruction: the kernel may reach an instruction that the simulator lacks; nothing has been
            executed.
        KernelFault: the kernel does something illegal.
        SimulationError: the launch does not match the kernel, or the grid cannot be divided.
    """
    check_numbers(
        resident=resident,
        timeout=timeout,
        max_steps=max_steps,
        schedules=schedules,
        chunks=chunks,
        seed=seed,
    )
    options = Options(
        *(kernel, grid, block, cluster, shared_bytes, async_, check, index(seed), resident, max_steps, timeout),
        *(chosen(checks) if checks is not None else None, report, tuple(suppress), registers, mma, changes),
        engine=engine,
    )
    scene = Arrays(module, args, tuple(earlier))
    explored = explore(scene, options, range(seed, seed + (schedules or 1) - 1))
    if executor is None:
        return carry_out(
            *(scene, options),
            others=schedules is None,
            counters=counters,
            trace=trace,
            progress=progress,
            explored=explored,
        )
    from weft.sim.spread import spread

    if trace is not None:
        raise SimulationError("tracing needs the whole grid in one process", hint="run without an executor")
    return spread(
        module, replace(options, engine="numpy"), args, executor, chunks, counters=counters, progress=progress
    )
