"""`weft run`: a kernel on the CPU."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TextIO

import click

from weft.cli import files, kernels
from weft.cli.choice import choice
from weft.cli.options import target_option
from weft.cli.problems import reported

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from weft.ptx.ast import Module
    from weft.sim import KernelFault, Trace
    from weft.sim.result import Result

HELP = """Run a kernel of a PTX module (or of MLIR, which is compiled first) on the CPU.

Each --arg is one parameter, in order: u32=1024, f32=2.5, f32[1024]=arange, f16[64,64]=normal, bf16[8,8]=@a.npy,
u8[4]=1,2,3,4, @a.npy, same(0) for the array of argument 0 again, memref:f32[8,8]=zeros for a memref of compiled MLIR,
tensormap[64,64;128B]:f16[256,256]=normal for a tensor map. Contents are arange, zeros, ones, full(X), random, normal,
numbers, or a .npy file.

A fault stops the kernel: weft reports the line, thread and address, and exits with status 1.
"""
MOST_SHARED = 1 << 20
"""Bytes of dynamic shared memory: more than any block of any target has."""
_PATIENCE = 1.0
"""Seconds after which a run counts as long, and shows how far it is."""


def _extent(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    if value is None:
        return None
    try:
        parts = tuple(int(part) for part in value.replace("x", ",").split(","))
    except ValueError:
        parts = ()
    if not 1 <= len(parts) <= 3 or min(parts) < 1:
        raise click.BadParameter(f"{value!r} is not one to three positive numbers, as in 4 or 16,16", ctx, param)
    return parts


def _checks(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str] | None:
    if value is None:
        return None
    from weft.sim.faults import SimulationError
    from weft.sim.findings import chosen

    try:
        return sorted(chosen([name for name in value.split(",") if name]))
    except SimulationError as error:
        raise click.BadParameter(f"{error.message.removeprefix('checks: ')}: {error.hint}", ctx, param) from None


def _registers(ctx: click.Context, param: click.Parameter, value: str | None) -> int | str | None:
    if value is None or value == "ptxas":
        return value
    if not value.isdigit() or not 1 <= int(value) <= 255:
        raise click.BadParameter(f"{value!r} is neither 'ptxas' nor a number from 1 to 255", ctx, param)
    return int(value)


def _outputs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    for value in values:
        number, equals, name = value.partition("=")
        if not equals or not number.isdigit() or not name:
            raise click.BadParameter(f"{value!r} is not N=FILE.npy", ctx, param)
        found.append((int(number), name))
    return found


@click.command(name="run", help=HELP)
@click.argument("source", metavar="FILE.ptx|FILE.mlir|FILE.py:KERNEL")
@click.option("-k", "--kernel", metavar="NAME", help="The kernel (needed only if there are several).")
@click.option(
    "-g", "--grid", callback=_extent, metavar="X[,Y[,Z]]", default="1", show_default=True, help="CTAs of the grid."
)
@click.option(
    "-b",
    "--block",
    callback=_extent,
    metavar="X[,Y[,Z]]",
    help="Threads of a CTA (default: what .reqntid says, or 32).",
)
@click.option("-a", "--arg", "arguments", multiple=True, metavar="ARG", help="An argument, as described above.")
@click.option(
    "-o",
    "--out",
    "outputs",
    callback=_outputs,
    multiple=True,
    metavar="N=FILE.npy",
    help="Write array argument N to FILE.npy after the run.",
)
@click.option("--cluster", callback=_extent, metavar="X[,Y[,Z]]", help="CTAs of a cluster.")
@click.option(
    "--shared-bytes",
    type=click.IntRange(0, MOST_SHARED),
    default=0,
    metavar="N",
    help="Bytes of dynamic shared memory.",
)
@choice("--async", "eager lazy random", "When asynchronous copies complete.", name="async_", default="lazy")
@choice("--check", "strict fast", "strict: look for hazards such as races and unwritten reads; fast: do not.")
@choice(
    "--engine",
    "auto numpy native",
    "How to execute: with NumPy, or compiled for this processor.",
)
@choice("--mma", "exact hardware", "How matrix products round: once, or as tensor cores were measured to.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    show_default=True,
    help="For random contents and --async random.",
)
@click.option(
    "--checks",
    callback=_checks,
    metavar="A,B",
    help="Only these checks: races, proxy, uninitialised, asynchronous, registers, copies, limits.",
)
@click.option(
    "--suppress",
    multiple=True,
    metavar="LINE|NAME",
    help="Do not report findings about a line, a function or a variable.",
)
@click.option(
    "--registers", callback=_registers, metavar="N|ptxas", help="Registers per thread, or ptxas to let it count them."
)
@choice("--report", "first all", "Stop at the first finding, or continue.")
@choice("--format", "text json sarif github", "How findings are printed.", name="format_")
@click.option(
    "--schedules", type=click.IntRange(1), metavar="N", help="Number of schedules to try, all but one at random."
)
@click.option("--changes", type=click.IntRange(0), metavar="N", help="Maximum number of changes in a random schedule.")
@click.option("--max-steps", type=click.IntRange(1), metavar="N", help="Stop after N steps.")
@click.option("--timeout", type=click.FloatRange(0), metavar="SECONDS", help="Stop after this time.")
@click.option(
    "--resident",
    type=click.IntRange(1),
    metavar="N",
    default=16384,
    show_default=True,
    help="Number of threads simulated at a time.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    show_default=True,
    help="Number of processes that share the CTAs, at most one per processor.",
)
@click.option(
    "--counters", "counted", is_flag=True, help="Show instructions, active lanes, sectors and bank conflicts."
)
@click.option("--trace", "trace", metavar="FILE.jsonl", help="Write what each warp executes, one JSON object a line.")
@click.option("--trace-warp", "warps", type=int, multiple=True, metavar="W", help="Only these warps of a CTA.")
@click.option("--trace-line", "lines", type=int, multiple=True, metavar="L", help="Only these lines of the PTX.")
@click.option("--trace-values", "values", is_flag=True, help="Include the registers that instructions write.")
@click.option(
    "-t",
    "--target",
    callback=target_option,
    default="sm_80",
    show_default=True,
    metavar="SM",
    help="Target to compile MLIR for.",
)
@click.option("--set", "settings", metavar="NAME=N", multiple=True, help="A size of a kernel written in Python.")
@click.option("--json", "as_json", is_flag=True, help="Print findings and errors as JSON, as --format json does.")
@reported
def command(
    source: str,
    kernel: str | None,
    grid: tuple[int, ...],
    block: tuple[int, ...] | None,
    arguments: tuple[str, ...],
    outputs: list[tuple[int, str]],
    cluster: tuple[int, ...] | None,
    shared_bytes: int,
    async_: Any,
    check: Any,
    engine: Any,
    mma: Any,
    seed: int,
    checks: list[str] | None,
    suppress: tuple[str, ...],
    registers: int | str | None,
    report: Any,
    format_: str,
    schedules: int | None,
    changes: int | None,
    max_steps: int | None,
    timeout: float | None,
    resident: int,
    jobs: int,
    counted: bool,
    trace: str | None,
    warps: tuple[int, ...],
    lines: tuple[int, ...],
    values: bool,
    target: str,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Read, run, write or show the arrays."""
    format_ = "json" if as_json else format_
    if trace is None and (warps or lines or values):
        raise click.UsageError("--trace-warp, --trace-line and --trace-values need --trace")
    import weft
    from weft.cli import arrays

    module = _module(source, target, settings)
    chosen = _kernel(module, kernel)
    given = _given(arguments, outputs, seed)
    before = [None if (array := arrays.array_of(values)) is None else array.copy() for values in given]
    if registers == "ptxas":
        registers = weft.assemble(module).kernel(chosen).registers
    start = time.perf_counter()
    with (
        _reported(format_),
        _progress(chosen) as step,
        _tracing(trace, warps, lines, values) as tracing,
        _executor(jobs) as executor,
    ):
        result = weft.run(
            module,
            chosen,
            grid,
            block or _block(module, chosen),
            [value for values in given for value in values],
            cluster=cluster,
            shared_bytes=shared_bytes,
            async_=async_,
            check=check,
            mma=mma,
            engine=engine,
            seed=seed,
            changes=changes,
            resident=resident,
            checks=checks,
            report=report,
            suppress=[int(name) if name.isdigit() else name for name in suppress],
            registers=registers if isinstance(registers, int) else None,
            schedules=schedules,
            max_steps=max_steps,
            timeout=timeout,
            counters=counted,
            trace=tracing,
            progress=step,
            executor=executor,
        )
    seconds = time.perf_counter() - start
    wrong = _found(result, format_)
    _save(outputs, given)
    if wrong:
        return 1
    if format_ == "text":
        if not outputs:
            _show(before, given)
        if result.counters is not None:
            click.echo(result.counters.table())
        click.echo(f"{result.thread_instructions} thread-instructions in {seconds * 1e3:.0f} ms", err=True)
    return 0


def _given(arguments: tuple[str, ...], outputs: list[tuple[int, str]], seed: int) -> list[list[Any]]:
    """The values of each argument, of which those that are written to files are arrays."""
    import numpy as np

    from weft.cli import arrays

    random = np.random.default_rng(seed)
    given: list[list[Any]] = []
    for argument in arguments:
        given.append(arrays.parse(argument, given, random))
    for number, _ in outputs:
        if number >= len(given) or arrays.array_of(given[number]) is None:
            raise click.UsageError(f"--out {number}=...: argument {number} is not an array")
    return given


def _found(result: Result, format_: str) -> bool:
    """Print what a run found and what the kernel printed; whether it is wrong."""
    from weft.errors import Severity

    wrong = any(fault.severity is Severity.ERROR for fault in result.findings)
    if result.findings or format_ != "text":
        _print(format_, result.findings)
    if format_ == "text" and not wrong:
        click.echo(result.output, nl=False)
    return wrong


def _save(outputs: list[tuple[int, str]], given: list[list[Any]]) -> None:
    """Write the arrays that the user asked for."""
    from weft.cli import arrays

    for number, output in outputs:
        array = arrays.array_of(given[number])
        assert array is not None
        arrays.save(output, array)


def _module(source: str, target: str, settings: tuple[str, ...]) -> Module:
    """The PTX of a file, of MLIR that is compiled first, or of a kernel written in Python."""
    import weft

    if kernels.is_kernel(source):
        return weft.compile(kernels.traced(source, settings, (), target), target=target, filename=source)
    kernels.refuse_file(source)
    if settings:
        raise click.UsageError("--set is for kernels written in Python")
    text, name = files.read(source)
    if name.endswith(".mlir"):
        compiled = weft.compile(text, target=target, filename=name, debug="lines")
        return weft.parse(compiled.to_ptx(), filename=f"PTX of {name}")  # So that faults have a line, and its source.
    return weft.parse(text, filename=name)


def _print(format_: str, found: Sequence[KernelFault]) -> None:
    """Print findings as `weft verify` prints its own."""
    from weft.errors import Diagnostic
    from weft.report import render
    from weft.report.formats import Code
    from weft.sim.faults import FAULT_KINDS, hint_of

    listed = [
        Diagnostic(one.kind, one.message, one.severity, one.position, hint=one.hint, related=one.other, facts=one.facts)
        for one in found
    ]
    codes = {kind: Code(meaning, meaning, hint_of(kind), "") for kind, meaning in FAULT_KINDS.items()}
    click.echo(render(format_, listed, codes, 1), nl=False)


@contextmanager
def _reported(format_: str) -> Generator[None]:
    """Print a fault that ends the run in a format that programs read."""
    from weft.sim import KernelFault

    try:
        yield
    except KernelFault as fault:
        if format_ == "text":
            raise
        _print(format_, [fault])
        raise click.exceptions.Exit(1) from None


def _kernel(module: Module, name: str | None) -> str:
    """The kernel of a name, of which a part of the C++ one will do; the only one where none is given."""
    from weft.errors import Position, WeftError
    from weft.ptx.analysis import demangle

    kernels = [function.name for function in module.kernels]
    if name in kernels:
        return name
    found = [k for k in kernels if name is None or name in k or name in (demangle(k) or "")]
    if len(found) == 1:
        return found[0]
    if not kernels:
        raise WeftError("no kernels in this file", Position(file=module.filename))
    listed = ", ".join(kernels)
    if name is None or found:
        asked = "which kernel? name one with --kernel" if name is None else f"several kernels match '{name}'"
        raise WeftError(asked, Position(file=module.filename), f"the module has {', '.join(found) or listed}")
    raise WeftError(f"no kernel named '{name}'", Position(file=module.filename), f"the module has {listed}")


def _block(module: Module, name: str) -> tuple[int, ...]:
    """The block that the kernel asks for, else one warp."""
    from weft.ptx.directive_nodes import FunctionDirective

    for function in module.kernels:
        for directive in function.directives if function.name == name else ():
            if isinstance(directive, FunctionDirective) and directive.name == "reqntid":
                return directive.values
    return (32,)


@contextmanager
def _progress(kernel: str) -> Generator[Callable[[int, int], None] | None]:
    """A progress bar on stderr for runs that take long, on a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("CTAs"))
    bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, transient=True)
    task = bar.add_task(kernel, total=None)
    started = time.monotonic()

    def step(done: int, total: int) -> None:
        if not bar.live.is_started and time.monotonic() - started > _PATIENCE:
            bar.start()
        bar.update(task, completed=done, total=total)

    try:
        yield step
    finally:
        bar.stop()


def _executor(jobs: int) -> AbstractContextManager[Executor | None]:
    """Processes that share the CTAs: no more than there are processors for this one."""
    import os

    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = min(jobs, there)
    if jobs == 1:
        return nullcontext()
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(jobs)


@contextmanager
def _tracing(name: str | None, warps: Sequence[int], lines: Sequence[int], values: bool) -> Generator[Trace | None]:
    """What writes the trace to a file: line by line, as a trace may be longer than memory."""
    if name is None:
        yield None
        return
    import json
    import sys

    from weft.sim import Event, Trace

    with ExitStack() as opened:
        written: list[TextIO] = [sys.stdout] if name == files.STANDARD else []

        def sink(event: Event) -> None:
            if not written:  # A run that fails before its first instruction leaves no file.
                written.append(opened.enter_context(open(name, "w", encoding="utf-8")))
            written[0].write(json.dumps(event.to_json()) + "\n")

        yield Trace(warps=warps or None, lines=lines or None, values=values, sink=sink)
        if not written:
            opened.enter_context(open(name, "w", encoding="utf-8"))


def _show(before: list[Any], given: list[list[Any]]) -> None:
    """Each array that the kernel may have changed."""
    import numpy as np

    from weft.cli import arrays

    seen: set[int] = set()
    for number, (old, values) in enumerate(zip(before, given, strict=True)):
        array = arrays.array_of(values)
        if array is None or id(array) in seen:
            continue
        seen.add(id(array))
        word = f"V{array.itemsize}"
        changed = int(np.count_nonzero(old.reshape(-1).view(word) != array.reshape(-1).view(word)))
        what = f"{changed} of {array.size} elements changed" if changed else "unchanged"
        click.echo(f"{number}: {arrays.summary(array)} ({what})")
