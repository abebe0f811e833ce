"""`weft sass`: machine code with its control fields, live registers and the PTX it came from."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from weft.cli import traces

if TYPE_CHECKING:
    from weft.tracing import Trace

HELP = f"""Show SASS: addresses, control fields, live registers, instructions.

The input is {traces.SOURCES}. Control fields are written B--2---:R1:W0:-:S04: barriers waited for, barrier set when
operands have been read, barrier set when results have been written, yield, stall cycles.
"""


@click.command(name="sass", help=HELP)
@click.argument("source", metavar="FILE")
@click.option("-t", "--target", metavar="SM", help="Compile or assemble for this target.")
@click.option("-k", "--kernel", metavar="NAME", help="Only this kernel or function.")
@click.option("--ptx", "with_ptx", is_flag=True, help="Show the PTX that each instruction came from.")
@click.option("--mix", is_flag=True, help="Count instructions instead, in each loop and outside of loops.")
@click.option("--set", "settings", metavar="NAME=N", multiple=True, help="A size of a kernel written in Python.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def command(
    source: str,
    target: str | None,
    kernel: str | None,
    with_ptx: bool,
    mix: bool,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print every instruction, or counts."""
    (name,) = traces.targets(target)[:1]
    trace = traces.load(source, name, settings=settings)
    functions = [one.name for one in traces.chosen(trace, kernel)]
    if mix:
        found = {function: _mix(trace, function) for function in functions}
        click.echo(json.dumps(found, indent=2)) if as_json else _print_mix(found)
    elif as_json:
        click.echo(json.dumps([row for function in functions for row in _rows(trace, function)], indent=2))
    else:
        for function in functions:
            for line in _listing(trace, function, with_ptx):
                click.echo(line)


def _numbers(trace: Trace, function: str) -> list[int]:
    return [number for number, span in enumerate(trace.stage("sass").spans) if span.function == function]


def _rows(trace: Trace, function: str) -> list[dict[str, Any]]:
    from weft.view.traces import ptx_lines

    sass, lines = trace.stage("sass"), ptx_lines(trace)
    text = sass.text.splitlines()
    return [
        {
            "function": function,
            "text": text[sass.spans[number].line - 1].strip(),
            "ptx_line": lines.get(number),
            **{name: values[number] for name, values in sass.columns.items()},
        }
        for number in _numbers(trace, function)
    ]


def _listing(trace: Trace, function: str, with_ptx: bool) -> list[str]:
    from weft.view.traces import machine_lines

    return machine_lines(trace, _numbers(trace, function), function, with_ptx)


def _mix(trace: Trace, function: str) -> list[dict[str, Any]]:
    """The instructions by how many loops are around them, in runs: a run is a loop, or what is between loops."""
    sass = trace.stage("sass")
    text = sass.text.splitlines()
    runs: list[dict[str, Any]] = []
    for number in _numbers(trace, function):
        depth, address = sass.columns["loop"][number], sass.columns["address"][number]
        words = text[sass.spans[number].line - 1].split()
        opcode = words[words[0].startswith("@")]
        if not runs or runs[-1]["loops"] != depth:
            runs.append({"loops": depth, "first": address, "counts": Counter[str](), "stalls": 0})
        runs[-1]["counts"][opcode.partition(".")[0]] += 1
        runs[-1]["last"] = address
        runs[-1]["stalls"] += sass.columns["stall"][number]
    return [run | {"counts": dict(run["counts"].most_common())} for run in runs]


def _print_mix(found: dict[str, list[dict[str, Any]]]) -> None:
    for function, runs in found.items():
        click.echo(f"{function}:")
        for run in runs:
            where = f"{run['first']:04x}-{run['last']:04x}"
            depth = "outside loops" if not run["loops"] else f"in {run['loops']} loop{'s' if run['loops'] > 1 else ''}"
            total = sum(run["counts"].values())
            click.echo(f"  {where}  {depth}, {total} instructions, {run['stalls']} cycles of stalls")
            click.echo("    " + ", ".join(f"{name} {count}" for name, count in run["counts"].items()))
