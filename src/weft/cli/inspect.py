"""`weft inspect`: what is in a PTX module."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="inspect", help="Show a module's kernels, parameters, resources and instruction mix.")
@click.argument("source", metavar="FILE.ptx")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(source: str, as_json: bool) -> None:
    """Parse, summarise, print."""
    import weft
    from weft.view import summary

    text, name = files.read(source)
    found = summary.summarize(weft.parse(text, filename=name))
    if as_json:
        import dataclasses
        import json

        click.echo(json.dumps(dataclasses.asdict(found), indent=2))
    else:
        summary.print_summary(found)
