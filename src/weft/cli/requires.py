"""`weft requires`: which PTX version and targets a module needs."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="requires", help="Say which PTX version a module needs at least, and which targets can run it.")
@click.argument("source", metavar="FILE.ptx")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(source: str, as_json: bool) -> None:
    """Print the answer, then what forces it."""
    import weft
    from weft.isa.target import describe_targets

    text, name = files.read(source)
    need = weft.requires(weft.parse(text, filename=name))
    if as_json:
        import json

        reasons = [
            {"text": reason.text, "line": reason.position.line, "uses": reason.count} for reason in need.forced_by
        ]
        targets = {target: str(version) for target, version in need.targets.items()}
        found = {"version": str(need.version), "targets": targets, "forced_by": reasons, "unknown": need.unknown}
        click.echo(json.dumps(found, indent=2))
        return
    click.echo(f"PTX {need.version} and {describe_targets(frozenset(need.targets))}")
    for reason in need.forced_by:
        click.echo(f"  line {reason.position.line}: {reason}")
    for opcode in need.unknown:
        click.echo(f"  not in the ISA table: {opcode}")
