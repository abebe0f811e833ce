"""`weft doctor`: what of the things weft can use is here."""

from __future__ import annotations

import dataclasses
import json

import click


@click.command(name="doctor", help="Check which external tools are installed.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(as_json: bool) -> None:
    """Print a table of findings; a thing that is missing is no error."""
    from weft.toolchain import examine

    findings = list(examine())
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(finding) for finding in findings], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("", "what", "version", "for"):
        table.add_column(title)
    for finding in findings:
        mark = "[green]yes[/]" if finding.present else "[yellow]no[/]"
        table.add_row(mark, finding.name, finding.detail, finding.purpose)
    Console().print(table)
