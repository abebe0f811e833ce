"""`weft diff`: how two PTX modules differ, names of registers and labels aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from weft.cli import colour, files

if TYPE_CHECKING:
    from weft.ptx.analysis.semantic import SemanticChange
    from weft.ptx.ast import Module
    from weft.ptx.difference import Change

HELP = """Compare two PTX modules, ignoring the names of registers and labels.

Comments, layout, debug information and register declarations are ignored too. The last line is a summary. --semantic
also ignores the order of blocks and of independent instructions, and the type of loads, stores and moves of the same
width; its summary, by kind of change, comes first. Exit status: 0 if the modules are equal, 1 if they differ, 2 on an
error.
"""


@click.command(name="diff", help=HELP)
@click.argument("old", metavar="OLD.ptx")
@click.argument("new", metavar="NEW.ptx")
@click.option("-q", "--brief", is_flag=True, help="Print only the summary.")
@click.option("--semantic", is_flag=True, help="Compare what the kernels compute, by data flow.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(old: str, new: str, brief: bool, semantic: bool, as_json: bool) -> int:
    """Print each difference, then the summary, to stdout."""
    import weft
    from weft.errors import WeftError

    try:
        before, after = (weft.parse(t, filename=name, whole=not semantic) for t, name in map(files.read, (old, new)))
    except (WeftError, OSError) as error:
        return files.trouble(error)
    if semantic:
        return _semantic(before, after, brief, as_json)
    changes = weft.diff(before, after)
    if as_json:
        _print_json(changes)
        return int(bool(changes))
    for change in () if brief else changes:
        click.echo(colour.change(str(change)), color=colour.wanted())
    if changes:
        click.echo(summary(changes))
    return int(bool(changes))


def _semantic(before: Module, after: Module, brief: bool, as_json: bool) -> int:
    from collections import Counter

    from weft.ptx.analysis.semantic import semantic_diff

    changes = semantic_diff(before, after)
    if as_json:
        _print_json(changes)
        return int(bool(changes))
    if changes:
        kinds = Counter(change.kind for change in changes)
        click.echo(", ".join(_counted(count, kind) for kind, count in kinds.most_common()))
    for change in () if brief else changes:
        click.echo(colour.change(str(change)), color=colour.wanted())
    return int(bool(changes))


def _counted(count: int, kind: str) -> str:
    """`2 instructions changed`: the first word of a kind is what is counted."""
    noun, _, what = kind.partition(" ")
    return f"{count} {noun}{'' if count == 1 else 'es' if noun.endswith('ch') else 's'} {what}".rstrip()


def _print_json(changes: Sequence[Change | SemanticChange]) -> None:
    import dataclasses
    import json

    found = {"same": not changes, "changes": [dataclasses.asdict(change) for change in changes]}
    click.echo(json.dumps(found, indent=2))


def summary(changes: list[Change]) -> str:
    """One line: `3 differences (2 lines removed, 4 added): version, function k`."""
    less, more = sum(len(c.removed) for c in changes), sum(len(c.added) for c in changes)
    places = list(dict.fromkeys(change.where.partition(",")[0] for change in changes))
    shown = ", ".join(places[:5]) + (f" and {len(places) - 5} more places" if len(places) > 5 else "")
    count = f"{len(changes)} difference{'' if len(changes) == 1 else 's'}"
    return f"{count} ({less} lines removed, {more} added): {shown}"
