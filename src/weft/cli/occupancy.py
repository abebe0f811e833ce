"""`weft occupancy`: how many blocks a multiprocessor holds at once, and what keeps it from holding more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from weft.cli import traces

if TYPE_CHECKING:
    from weft.tracing import Kernel

HELP = f"""Show how many blocks of each kernel fit a multiprocessor at once, and what limits them.

The input is {traces.SOURCES}; or give --target, --threads and --registers and no file. "next" is the number of
registers at which one more block would fit.
"""


@click.command(name="occupancy", help=HELP)
@click.argument("source", metavar="FILE", required=False)
@click.option("-t", "--target", metavar="SM[,SM...]", help="One or several targets.")
@click.option("-k", "--kernel", metavar="NAME", help="Only this kernel.")
@click.option("--threads", metavar="N", type=click.IntRange(1, 1024), help="Threads of a block.")
@click.option(
    "--dynamic-shared",
    metavar="BYTES",
    type=click.IntRange(0),
    default=0,
    help="Dynamic shared memory that a launch adds.",
)
@click.option("--registers", metavar="N", type=click.IntRange(0, 255), help="Without FILE: registers of a thread.")
@click.option("--shared", metavar="BYTES", type=click.IntRange(0), help="Without FILE: shared memory of a block.")
@click.option("--set", "settings", metavar="NAME=N", multiple=True, help="A size of a kernel written in Python.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(
    source: str | None,
    target: str | None,
    kernel: str | None,
    threads: int | None,
    dynamic_shared: int,
    registers: int | None,
    shared: int | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """One row for each kernel and target."""
    rows: list[dict[str, Any]] = []
    if source is None:
        if registers is None or threads is None or target is None:
            raise click.UsageError("give FILE, or --target, --threads and --registers")
        for name in filter(None, traces.targets(target)):
            rows.append(_calculated(name, threads, registers, (shared or 0) + dynamic_shared))
    else:
        if registers is not None or shared is not None:
            raise click.UsageError("--registers and --shared are for use without FILE")
        for name in traces.targets(target):
            found = traces.load(source, name, threads=threads, dynamic=dynamic_shared, settings=settings)
            rows += [_row(found.target, one) for one in traces.chosen(found, kernel)]
    click.echo(json.dumps(rows, indent=2)) if as_json else _print(rows)


def _calculated(target: str, threads: int, registers: int, shared: int) -> dict[str, Any]:
    from weft.tracing.occupancy import occupancy, registers_for

    found = occupancy(target, threads, registers, shared)
    return {
        "kernel": "", "target": target, "threads": threads, "registers": registers, "shared_bytes": shared,
        "blocks": found.blocks, "warps": found.warps, "most_warps": found.most_warps,
        "limited_by": list(found.limited_by), "limits": found.limits,
        "next": registers_for(target, threads, shared, found.blocks + 1),
    }  # fmt: skip


def _row(target: str, kernel: Kernel) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kernel": kernel.name, "target": target, "threads": kernel.threads, "registers": kernel.registers,
        "shared_bytes": kernel.shared_bytes,
    }  # fmt: skip
    known = kernel.occupancy or {}
    return row | {name: known.get(name) for name in ("blocks", "warps", "most_warps", "limited_by", "limits", "next")}


_COLUMNS = ("kernel", "target", "threads", "registers", "shared", "blocks", "warps", "next", "limited by")
_LEFT = ("kernel", "target", "limited by")


def _print(rows: list[dict[str, Any]]) -> None:
    """A table as wide as it is: what limits stands last, and terminals may wrap it."""
    cells = [_COLUMNS, *(_cells(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(_COLUMNS))]
    for row in cells:
        parts = [
            cell.ljust(width) if name in _LEFT else cell.rjust(width)
            for cell, width, name in zip(row, widths, _COLUMNS, strict=True)
        ]
        click.echo("  ".join(parts).rstrip())
    if any(row["blocks"] is None and not row["threads"] for row in rows):
        click.echo("hint: the number of threads per block is unknown: give --threads", err=True)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    known = row["blocks"] is not None
    warps = f"{row['warps']} of {row['most_warps']} ({row['warps'] / row['most_warps']:.0%})" if known else "unknown"
    blocks = str(row["blocks"]) if known else "unknown"
    counts = (str(row["threads"] or "?"), str(row["registers"]), str(row["shared_bytes"]), blocks, warps)
    return (row["kernel"], row["target"], *counts, str(row["next"] or "-"), ", ".join(row["limited_by"] or ()))
