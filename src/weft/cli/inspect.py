"""`weft inspect`: what is in a PTX module."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="inspect", help="Show a module's kernels, parameters, resources and instruction mix.")
@click.argument("source", metavar="FILE.ptx")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--tree", "as_tree", is_flag=True, help="Print every statement as a tree instead.")
def command(source: str, as_json: bool, as_tree: bool) -> None:
    """Parse, summarise, print."""
    if as_json and as_tree:
        raise click.UsageError("--json and --tree exclude each other")
    import weft

    text, name = files.read(source)
    module = weft.parse(text, filename=name)
    if as_tree:
        from weft.view.tree import print_tree

        print_tree(module)
        return
    from weft.view import summary

    found = summary.summarize(module)
    if as_json:
        import dataclasses
        import json

        click.echo(json.dumps(dataclasses.asdict(found), indent=2))
    else:
        summary.print_summary(found)
