"""`weft opt`: run passes over MLIR text."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="opt", help="Run passes over an MLIR file and print it; without -p, only check it.")
@click.argument("source", metavar="FILE.mlir", required=False)
@click.option("-p", "--passes", default="", metavar="PASSES", help="Such as 'canonicalize,cse'.")
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("--list", "listed", is_flag=True, help="List the passes and leave.")
def command(source: str | None, passes: str, output: str | None, listed: bool) -> None:
    """Read, transform, verify, and only then write."""
    from weft import transforms

    if listed:
        for name in sorted(transforms.available_passes()):
            click.echo(name)
        return
    if source is None:
        raise click.UsageError("Missing argument 'FILE.mlir'.")
    text, name = files.read(source)
    result = transforms.run(text, passes, filename=name)
    files.write(output, result if result.endswith("\n") else result + "\n")
