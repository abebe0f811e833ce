"""`weft compile`: MLIR to PTX."""

from __future__ import annotations

import time

import click

from weft.cli import files


@click.command(name="compile", help="Compile the kernels of an MLIR file to PTX.")
@click.argument("source", metavar="FILE.mlir")
@click.option(
    "-t", "--target", default="sm_80", show_default=True, metavar="SM", help="Architecture: sm_80, sm_90a, ..."
)
@click.option("--ptx-version", metavar="V", help="PTX version to write (default: the least that is enough).")
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("--emit", type=click.Choice(["ptx", "cubin"]), default="ptx", show_default=True, help="What to write.")
@click.option("--time", "timed", is_flag=True, help="Print to stderr how long each stage took.")
def command(source: str, target: str, ptx_version: str | None, output: str | None, emit: str, timed: bool) -> None:
    """Read, compile, and only then write."""
    stages: dict[str, float] = {}
    start = time.perf_counter()
    text, name = files.read(source)
    from weft.codegen.compile import compile_mlir
    from weft.isa.target import target as find_target

    stages["imports"] = time.perf_counter() - start
    module = compile_mlir(text, find_target(target), ptx_version, filename=name, timer=stages.__setitem__)
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
