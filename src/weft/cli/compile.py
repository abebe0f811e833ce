"""`weft compile`: MLIR, or a kernel written in Python, to PTX."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from weft.cli import files
from weft.cli.choice import Choice
from weft.cli.kernels import is_kernel, traced

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


@click.command(name="compile", help="Compile the kernels of an MLIR file, or a kernel written in Python, to PTX.")
@click.argument("source", metavar="FILE.mlir|FILE.py:KERNEL")
@click.option(
    "-t", "--target", default="sm_80", show_default=True, metavar="SM", help="Architecture: sm_80, sm_90a, ..."
)
@click.option("--ptx-version", metavar="V", help="PTX version to write (default: the least that is enough).")
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option(
    "--naming",
    type=Choice(["bits", "classic"]),
    default="bits",
    show_default=True,
    help="Registers of floats: %r and %rd as all others, or %f and %fd.",
)
@click.option(
    "--emit",
    type=Choice(["ptx", "cubin", "mlir"]),
    default="ptx",
    show_default=True,
    help="What to write; mlir is the tile dialect of a Python kernel.",
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=N", help="An option, or a constant size, of a Python kernel."
)
@click.option(
    "--multiple", "multiples", multiple=True, metavar="NAME=N", help="What divides a size of a Python kernel."
)
@click.option("--explain", is_flag=True, help="Print, for each tile copy, what was tried and chosen, and nothing else.")
@click.option("--time", "timed", is_flag=True, help="Print to stderr how long each stage took.")
def command(
    source: str,
    target: str,
    ptx_version: str | None,
    output: str | None,
    naming: str,
    emit: str,
    settings: tuple[str, ...],
    multiples: tuple[str, ...],
    explain: bool,
    timed: bool,
) -> None:
    """Read, compile, and only then write."""
    stages: dict[str, float] = {}
    start = time.perf_counter()
    if is_kernel(source):
        from weft.mlir import print_mlir

        built = traced(source, settings, multiples)
        text, name = print_mlir(built) if emit == "mlir" else built, source
        stages["trace"] = time.perf_counter() - start
    else:
        if settings or multiples:
            raise click.UsageError("--set and --multiple are for kernels written in Python")
        text, name = files.read(source)
    if emit == "mlir":
        files.write(output, str(text))
        return
    if explain:
        files.write(output, _explained(text, target, name) + "\n")
        return
    from weft.codegen.front import compile_module

    module = compile_module(text, target, ptx_version, filename=name, naming=naming, timer=stages.__setitem__)
    stages = {"imports": time.perf_counter() - start - sum(stages.values())} | stages
    start = time.perf_counter()
    ptx = module.to_ptx()
    stages["print"] = time.perf_counter() - start
    if emit == "cubin":
        from weft.toolchain import assemble

        start = time.perf_counter()
        files.write(output, assemble(ptx, target).data)
        stages["ptxas"] = time.perf_counter() - start
    else:
        files.write(output, ptx)
    if timed:
        for stage, seconds in stages.items():
            click.echo(f"{stage:20} {seconds * 1e3:8.1f} ms", err=True)


def _explained(mlir: str | ModuleOp, target: str, name: str) -> str:
    from weft.mlir import parse_mlir
    from weft.transforms.tile_lowering import explain_module

    return explain_module(parse_mlir(mlir, name) if isinstance(mlir, str) else mlir, target)
