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
    """Run a kernel of a module on the CPU; `args` arrays are changed in place.

    `grid` and `block` are up to three extents, in CTAs and threads; `cluster` CTAs per cluster; `shared_bytes` the
    dynamic shared memory.  An argument is a NumPy array for a 64-bit pointer parameter, a number for any other,
    a `weft.TensorMap` for 128 bytes or a pointer to them.

    `async_` says when asynchronous copies complete: as late as the ISA allows (`lazy`), at once (`eager`), or at random
    moments of a `seed`.  `check="strict"` also finds reads of unwritten registers and shared memory, and races;
    `"fast"` leaves those checks out.  CTAs of `resident` threads run together, and may wait for each other.  `counters`
    also counts by instruction (active lanes, sectors, bank conflicts), `trace` keeps what each warp executes.
    A run that takes more than `max_steps` steps (blocks of instructions that threads execute together) or `timeout`
    seconds is stopped with a fault of kind `limit` that says where each warp is.
    `checks` names those to make (None: all of `races`, `proxy`, `uninitialised`, `asynchronous`,
    `registers`, `copies`, `limits`).  With
    `report="all"` the run goes on where it can, and all that it finds is in the result's `findings`; `suppress` leaves
    out what concerns lines, functions or variables.  `registers` are those of a thread (`weft.assemble` counts them):
    a CTA that needs more than a multiprocessor has is refused.  `schedules` runs the kernel so many times more, on
    copies of the arguments, with `async_="random"` and the seeds from `seed` on; the `seed` of a fault says which one
    found it, and its `changes` how few changes of the schedule it takes: warps that are held back while others run
    ahead; `changes` limits them.  By default a short strict run of a kernel that looks at what others change is
    followed by two on copies of its memory, in which CTAs come one after the other; `schedules=1` leaves them out.
    `mma="hardware"` rounds products of matrices as tensor cores have been measured to do (`weft.sim.tensor_core`)
    instead of once.  `earlier` are arrays that the grid before may still write, as one that is launched with
    programmatic serialization finds them: they are its own until `griddepcontrol.wait`.  `progress` is called with the
    CTAs that are done and their number.

    `engine` says what executes: `numpy`, or `native`, which compiles the kernel for this processor (`weft[native]`)
    and finds the same.  It is there for runs without counters and traces, strict ones where barriers
    alone order what threads do; others, and what may be wrong, run in NumPy.  `auto` compiles where that pays.

    With an `executor` the CTAs are shared out in `chunks` (as many as it has workers), each run on a copy of the
    memory; `weft.sim.spread` says how what they write is put together.

    Raises `UnsupportedInstruction` before anything is executed when the kernel may reach an instruction that the
    simulator does not have, `KernelFault` when the kernel does something illegal, `SimulationError` for a launch that
    does not fit the kernel, or a grid that cannot be shared out.
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
