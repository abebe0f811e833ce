"""`weft registers`: register pressure by line, and who holds what where it is greatest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from weft.cli import traces

if TYPE_CHECKING:
    from weft.tracing import Trace

HELP = f"""Show how many registers are live at each PTX line, and which lines wrote those live at the peak.

The input is {traces.SOURCES}. Live registers are those that nvdisasm finds in the machine code; a line shows the most
that are live at any instruction compiled from it.
"""


@click.command(name="registers", help=HELP)
@click.argument("source", metavar="FILE")
@click.option("-t", "--target", metavar="SM", help="Compile or assemble for this target.")
@click.option("-k", "--kernel", metavar="NAME", help="Only this kernel or function.")
@click.option("--all", "every", is_flag=True, help="Show every line, not only the ten with the most live registers.")
@click.option("--set", "settings", metavar="NAME=N", multiple=True, help="A size of a kernel written in Python.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(
    source: str, target: str | None, kernel: str | None, every: bool, settings: tuple[str, ...], as_json: bool
) -> None:
    """For each kernel its peak, the holders there, and lines."""
    (name,) = traces.targets(target)[:1]
    trace = traces.load(source, name, settings=settings)
    found = [_pressure(trace, one.name, one.registers) for one in traces.chosen(trace, kernel)]
    if as_json:
        click.echo(json.dumps(found, indent=2))
    else:
        for one in found:
            _print(one, every)


def _pressure(trace: Trace, function: str, allocated: int) -> dict[str, Any]:
    from weft.view.traces import holders, ptx_lines

    sass, lines = trace.stage("sass"), ptx_lines(trace)
    numbers = [number for number, span in enumerate(sass.spans) if span.function == function]
    live = {number: sass.columns["live"][number][0] for number in numbers}
    by_line: dict[int, int] = {}
    for number, count in live.items():
        line = lines.get(number, 0)
        by_line[line] = max(count, by_line.get(line, 0))
    peak = max(numbers, key=lambda number: live[number], default=None)
    texts = trace.stage("ptx").text.splitlines() if any(stage.name == "ptx" for stage in trace.stages) else []
    return {
        "kernel": function,
        "target": trace.target,
        "allocated": allocated,
        "peak": live[peak] if peak is not None else 0,
        "peak_address": sass.columns["address"][peak] if peak is not None else 0,
        "peak_line": lines.get(peak, 0) if peak is not None else 0,
        "holders": holders(trace, function, peak) if peak is not None else [],
        "lines": [
            {"line": line, "live": count, "text": texts[line - 1].strip() if 0 < line <= len(texts) else ""}
            for line, count in sorted(by_line.items())
        ],
    }


def _print(found: dict[str, Any], every: bool) -> None:
    most = found["peak"] or 1
    counts = f"{found['allocated']} registers allocated, {found['peak']} live at most"
    click.echo(f"{found['kernel']} for {found['target']}: {counts}")
    click.echo(f"at {found['peak_address']:04x}, from PTX line {found['peak_line']}, they hold what these wrote:")
    for holder in found["holders"]:
        registers = ", ".join(holder["registers"])
        click.echo(f"  {holder['count']:4}  {holder['what']}\n        {registers}")
    lines = found["lines"] if every else sorted(found["lines"], key=lambda one: (-one["live"], one["line"]))[:10]
    click.echo("PTX lines:" if every else "PTX lines with most live registers:")
    for one in sorted(lines, key=lambda one: one["line"]):
        bar = "█" * round(16 * one["live"] / most)
        click.echo(f"  {one['line']:5} {one['live']:4} {bar:16}  {one['text'][:90]}")
