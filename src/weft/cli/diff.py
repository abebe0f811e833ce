"""`weft diff`: how two PTX modules differ, names of registers and labels aside."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(
    name="diff", help="Show how two PTX modules differ, whatever their registers are called; status 1 if they do."
)
@click.argument("old", metavar="OLD.ptx")
@click.argument("new", metavar="NEW.ptx")
def command(old: str, new: str) -> int:
    """Print each difference to stdout."""
    import weft

    modules = [weft.parse(text, filename=name) for text, name in map(files.read, (old, new))]
    changes = weft.diff(*modules)
    for change in changes:
        click.echo(str(change))
    return int(bool(changes))
