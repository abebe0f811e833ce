"""`weft isa`: the instruction set, from its table."""

from __future__ import annotations

from typing import Any

import click

from weft.cli.options import checked_target, target_option

HELP = """Print the manual page of NAME, or list what matches NAME.

NAME is an instruction (ldmatrix), an opcode with modifiers, the start of a name (tcgen05), a pattern (cp.*.tensor), a
special register (%clusterid), a directive (.maxntid), or an operation of nvvm or nvgpu (nvgpu.ldmatrix); without NAME,
all instructions are listed. --target lists what a target supports, --diff what only one of two supports.
"""


@click.command(name="isa", help=HELP)
@click.argument("name", required=False)
@click.option(
    "-t",
    "--target",
    callback=target_option,
    metavar="SM",
    help="List what this target supports, restricted to NAME if given.",
)
@click.option("--diff", "targets", metavar="SM SM", nargs=2, help="List what only one of two targets supports.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(name: str | None, target: str | None, targets: tuple[str, str] | None, as_json: bool) -> int:
    """Look NAME up; status 1 when there is no such thing."""
    from weft.view import catalog, manual

    if targets and (name is not None or target is not None):
        raise click.UsageError("--diff takes two targets, and neither NAME nor --target")
    found: dict[str, Any]
    if targets:
        first, second = (checked_target(one, "--diff") or one for one in targets)
        found = catalog.difference(first, second)
    elif target is not None:
        found = catalog.of_target(target, name)
    elif name is not None:
        found = catalog.look_up(name)
    else:
        found = {"matches": manual.listing()}
    if as_json:
        import json

        click.echo(json.dumps(found if name or target or targets else found["matches"], indent=2))
    elif "only" in found:
        _print_difference(found["only"])
    elif "matches" in found:
        manual.print_listing(found["matches"])
    else:
        manual.print_page(found)
    return 0


def _print_difference(only: dict[str, list[str]]) -> None:
    for sign, (target, names) in zip("-+", only.items(), strict=True):
        click.echo(f"{sign}{sign}{sign} only {target}: {len(names)}")
        for name in names:
            click.echo(f"{sign} {name}")
