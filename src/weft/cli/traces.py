"""What the commands that show machine code share: their input, their target, their kernel."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import files, kernels

if TYPE_CHECKING:
    from weft.tracing import Kernel, Trace

SOURCES = (
    "FILE.mlir, .ptx, .cubin, a library with PTX, a directory of Triton's cache or CuTe's dumps, or file.py:kernel"
)


def targets(given: str | None) -> list[str | None]:
    """The targets of `sm_80,sm_90a`, each checked; [None] without any."""
    from weft.cli.options import checked_target

    return [checked_target(one.strip()) for one in given.split(",") if one.strip()] if given else [None]


def load(
    source: str, target: str | None, *, threads: int | None = None, dynamic: int = 0, settings: tuple[str, ...] = ()
) -> Trace:
    """The trace of an argument: a path, `-`, or a kernel written in Python."""
    from weft.tracing import trace

    if kernels.is_kernel(source):
        from weft.codegen.front import compile_module

        if target is None:
            raise click.UsageError("a kernel written in Python needs --target")
        module = compile_module(kernels.traced(source, settings, (), target), target, filename=source, debug="lines")
        return trace(module, threads=threads, dynamic_shared=dynamic)
    kernels.refuse_file(source)
    if source == files.STANDARD:
        data = sys.stdin.buffer.read()
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            path = Path(folder, files.shown(source))
            path.write_bytes(data)
            return trace(path, target, threads=threads, dynamic_shared=dynamic)
    return trace(source if "\n" not in source else Path(source), target, threads=threads, dynamic_shared=dynamic)


def chosen(trace: Trace, name: str | None) -> list[Kernel]:
    """The kernels of a trace whose names have `name` in them; all without one."""
    from weft.errors import Position, WeftError

    found = [one for one in trace.kernels if name is None or name == one.name]
    found = found or [one for one in trace.kernels if name is not None and name in one.name]
    if not trace.kernels:
        raise WeftError("no kernels in this file", Position(file=trace.name))
    if not found:
        known = ", ".join(one.name for one in trace.kernels)
        raise WeftError(f"no kernel named '{name}'", Position(file=trace.name), f"expected one of {known}")
    return found
