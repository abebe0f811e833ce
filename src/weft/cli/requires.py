"""`weft requires`: which PTX version and targets a module needs."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="requires", help="Say which PTX version a module needs at least, and which targets can run it.")
@click.argument("source", metavar="FILE.ptx")
def command(source: str) -> None:
    """Parse and print the answer in one line."""
    import weft

    text, name = files.read(source)
    click.echo(str(weft.requires(weft.parse(text, filename=name))))
