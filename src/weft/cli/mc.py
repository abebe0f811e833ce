"""`weft mc`: the machine layer: families of print bodies, and one instruction through every layer."""

from __future__ import annotations

import json
from typing import Any

import click

JSON = click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")


@click.group(
    name="mc", invoke_without_command=True, help="List the families of print bodies, or explain one instruction."
)
@click.pass_context
@JSON
def command(ctx: click.Context, as_json: bool) -> None:
    """Without a subcommand: the figures of the tables and the members of each family."""
    ctx.obj = as_json
    if ctx.invoked_subcommand is not None:
        return
    from weft.mc.summary import listing

    found = listing()
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    _figures(found)
    for title in ("shape families", "operand families", "load/store labels"):
        click.echo(f"\n{title}")
        for name, members in found[title].items():
            click.echo(
                f"  {name}: {' '.join(members) or '-'}"
                if ":" not in name
                else f"  {name}\n      {' '.join(members) or '-'}"
            )


def _figures(found: dict[str, Any]) -> None:
    click.echo(f"{'':30}{'here':>8}  in the notes")
    for name, row in found["figures"].items():
        click.echo(f"{name:30}{row['here']:8,}  {row['notes']}".rstrip())
    click.echo("\nlargest bodies")
    for row in found["bodies"]:
        click.echo(f"  label {row['label']:3}  {row['opcodes']:5,} opcodes, {row['forms']} forms")


@command.command(help="Trace INSTRUCTION (an opcode, or a statement with operands) from its records to its line.")
@click.argument("instruction")
@JSON
@click.pass_obj
def explain(around: bool, instruction: str, as_json: bool) -> None:
    """Every layer of one instruction; `around` says that the group was given `--json`."""
    from weft.mc.explain import explain as trace

    found = trace(instruction)
    if as_json or around:
        click.echo(json.dumps(found, indent=2))
        return
    mnemonic = found["mnemonic"]
    click.echo(f"form      {found['form']}")
    click.echo(f"opcode    {found['opcode']}")
    click.echo(f"jump      {found['jump']:#010x}: label {found['label']}, flags {found['flags']:#06x}")
    click.echo(f"mnemonic  pool offset {mnemonic['offset']}, tail state {mnemonic['tail']}: {mnemonic['text']}")
    click.echo(f"companion {found['companion']:#010x}: {found['shape family']}; {found['operand family']}")
    if found["load/store label"]:
        from weft.mc.families import LOAD_STORE

        click.echo(f"load/store label {found['load/store label']}: {LOAD_STORE[found['load/store label'] - 1]}")
    click.echo("body")
    for item in found["items"]:
        click.echo(f"  {item['item']:14} {item['writes']:24} {item['from']}".rstrip())
    click.echo("records")
    for row in found["records"]:
        click.echo(f"  {row['kind']:12} {row['type']:9} {row['value']:#018x}  {row['meaning']}".rstrip())
    if found["groups"]:
        click.echo("groups")
        for row in found["groups"]:
            click.echo(f"  {row['group']} of {row['members']}, {row['classes']}, {row['type']}: {row['printed']}")
    click.echo(f"line      {found['line']}")
