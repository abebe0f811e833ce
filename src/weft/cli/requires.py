"""`weft requires`: which PTX version and targets a module needs, and the way to another target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from weft.cli import files
from weft.cli.options import target_option, version_option
from weft.cli.problems import reported

if TYPE_CHECKING:
    from weft.ptx.requirements import Requirement, Requirements
    from weft.ptx.retarget import Retargeting

HELP = """Show the oldest PTX version that a module needs, and the targets that can run it.

With --retarget, print what keeps the module from that target (status 1) or, if nothing does, the module with .version
and .target changed and everything else untouched.
"""


@click.command(name="requires", help=HELP)
@click.argument("source", metavar="FILE.ptx")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option(
    "--retarget",
    "target",
    callback=target_option,
    metavar="SM",
    help="Move the module to this target, if possible.",
)
@click.option(
    "--ptx-version",
    "version",
    callback=version_option,
    metavar="V",
    help="With --retarget: the PTX version to move to.",
)
@click.option("-o", "--output", metavar="FILE", help="With --retarget: where to write (default: stdout).")
@reported
def command(source: str, as_json: bool, target: str | None, version: str | None, output: str | None) -> int:
    """Print the answer, then what forces it; or retarget."""
    if target is None and (version is not None or output is not None):
        raise click.UsageError("--ptx-version and --output need --retarget")
    if as_json and output is not None:
        raise click.UsageError("--json and --output cannot be combined")
    import weft

    text, name = files.read(source)
    module = weft.parse(text, filename=name, whole=True)
    need = weft.requires(module)
    if target is None:
        _print_json(_needs(need)) if as_json else _print_needs(need)
        return 0
    from weft.ptx.retarget import retarget, rewrite_header

    way = retarget(module, target, version, need)
    if as_json:
        _print_json(_way(way))
    elif way.free:
        files.write(output, rewrite_header(text, way.target, way.version))
    else:
        at = f" at PTX {version}" if version else ""
        _print_obstacles(way, f"{name}: error: the module cannot be moved to {way.target}{at}")
    return int(not way.free)


def _print_json(found: dict[str, Any]) -> None:
    import json

    click.echo(json.dumps(found, indent=2))


def _reason(reason: Requirement) -> dict[str, Any]:
    return {
        "text": reason.text,
        "line": reason.position.line,
        "uses": reason.count,
        "needs": [str(window) for window in reason.windows],
    }


def _needs(need: Requirements) -> dict[str, Any]:
    return {
        "version": str(need.version),
        "targets": {target: str(version) for target, version in need.targets.items()},
        "forced_by": [_reason(reason) for reason in need.forced_by],
        "unknown": list(need.unknown),
        "undeclared": list(need.undeclared),
    }


def _way(way: Retargeting) -> dict[str, Any]:
    return {
        "target": way.target,
        "version": str(way.version),
        "free": way.free,
        "obstacles": [_reason(reason) for reason in way.obstacles],
        "complaints": list(way.complaints),
    }


def _print_needs(need: Requirements) -> None:
    from weft.isa.target import describe_targets

    click.echo(f"PTX {need.version} and {describe_targets(frozenset(need.targets))}")
    for reason in need.forced_by:
        click.echo(f"  line {reason.position.line}: {reason}")
    for opcode in need.unknown:
        click.echo(f"  not in the ISA table: {opcode}")
    for name in need.undeclared:
        click.echo(f"  not declared: {name}")


def _print_obstacles(way: Retargeting, message: str) -> None:
    click.echo(message, err=True)
    for reason in way.obstacles:
        uses = f" ({reason.count} uses)" if reason.count > 1 else ""
        click.echo(f"  line {reason.position.line}: {reason}{uses}", err=True)
    for complaint in way.complaints:
        click.echo(complaint, err=True)
