"""`weft isa`: the manual page of an instruction, from the ISA table."""

from __future__ import annotations

import click


@click.command(
    name="isa",
    help="Print the manual page of an instruction, an opcode or an operation of nvvm; without NAME, list the families.",
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(name: str | None, as_json: bool) -> None:
    """Look NAME up: a family's stem, an opcode with modifiers, which is then explained, or an operation of `nvvm`."""
    from weft.view import manual

    if as_json:
        import json

        click.echo(json.dumps(manual.listing() if name is None else manual.page(name), indent=2))
        return
    manual.print_listing() if name is None else manual.print_page(name)
