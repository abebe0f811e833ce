"""`weft fmt`: PTX in its canonical form."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="fmt", help="Format PTX.")
@click.argument("source", metavar="FILE.ptx")
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("-i", "--in-place", is_flag=True, help="Write back to FILE.ptx.")
@click.option("--check", is_flag=True, help="Write nothing; status 1 when the file is not formatted.")
def command(source: str, output: str | None, in_place: bool, check: bool) -> int:
    """Read, format, and only then write."""
    if in_place and (output is not None or source == files.STANDARD):
        raise click.UsageError("--in-place goes with a file, and without --output")
    import weft

    text, name = files.read(source)
    formatted = weft.format_text(text, name)
    if check:
        if formatted != text:
            click.echo(f"{name}: not formatted", err=True)
        return int(formatted != text)
    files.write(source if in_place else output, formatted)
    return 0
