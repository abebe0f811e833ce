"""Traces as text: machine code by line, with the PTX it came from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from weft.errors import WeftError
from weft.tracing import Trace


def ptx_lines(trace: Trace) -> dict[int, int]:
    """For each span of machine code the line of PTX that it came from; the first, where several."""
    if len(trace.stages) < 2 or trace.stages[-2].name != "ptx":
        return {}
    spans = trace.stages[-2].spans
    found: dict[int, int] = {}
    for start, end in trace.links[-1].edges:
        found[end] = min(spans[start].line, found.get(end, spans[start].line))
    return found


def machine_lines(trace: Trace, numbers: list[int], function: str, with_ptx: bool) -> list[str]:
    """The instructions of a function: address, control fields, live registers, loops as bars, text."""
    sass = trace.stage("sass")
    text, columns = sass.text.splitlines(), sass.columns
    lines, ptx = ptx_lines(trace), trace.stages[-2].text.splitlines() if len(trace.stages) > 1 else []
    found = [f"{function}:"]
    shown = 0
    for number in numbers:
        line = lines.get(number, 0)
        if with_ptx and line and line != shown:
            found.append(f" PTX {line:<5} {ptx[line - 1].strip()}")
            shown = line
        above = text[sass.spans[number].line - 2].strip()
        if above.startswith(".L"):
            found.append(f" {above}")
        found.append(
            f"  {columns['address'][number]:04x}  {columns['control'][number]}  {columns['live'][number][0]:3} "
            f"{'┃' * columns['loop'][number] or ' '} {text[sass.spans[number].line - 1].strip()}"
        )
    return found


def holders(trace: Trace, function: str, number: int) -> list[dict[str, Any]]:
    """What holds the general registers at an instruction: how many, which, and the instructions that wrote them."""
    sass = trace.stage("sass")
    held = trace.held(function, sass.columns["address"][number])
    by_writer: dict[int | None, list[int]] = {}
    for register, writer in held.items():
        by_writer.setdefault(writer, []).append(register)
    at = {sass.columns["address"][n]: n for n, span in enumerate(sass.spans) if span.function == function}
    text, lines = sass.text.splitlines(), ptx_lines(trace)
    ptx = trace.stages[-2].text.splitlines() if lines else []
    groups: dict[str, list[int]] = {}
    for writer, registers in by_writer.items():
        source = at.get(writer) if writer is not None else None
        if source is None:
            what = "set before"
        elif lines.get(source):
            what = f"PTX {lines[source]}: {ptx[lines[source] - 1].strip()}"
        else:
            what = text[sass.spans[source].line - 1].strip()
        groups.setdefault(what, []).extend(registers)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), min(item[1])))
    return [{"what": what, "count": len(r), "registers": list(_runs(sorted(r)))} for what, r in ordered]


def _runs(numbers: list[int]) -> Iterator[str]:
    """`R4-R7` for registers that follow one another."""
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield f"R{run[0]}" if len(run) == 1 else f"R{run[0]}-R{run[-1]}"


def terminal(trace: Trace, first: int, last: int) -> list[str]:
    """Lines `first` to `last` of the PTX with the machine code of each; lines without code say so.

    Raises:
        WeftError: nothing is there.
    """
    ptx, sass = trace.stage("ptx"), trace.stage("sass")
    owned: dict[int, list[int]] = {}
    for number, line in ptx_lines(trace).items():
        owned.setdefault(line, []).append(number)
    statements = {span.line for span in ptx.spans}
    found: list[str] = []
    for line, text in enumerate(ptx.text.splitlines(), 1):
        if not first <= line <= last or not text.strip():
            continue
        numbers = sorted(owned.get(line, []))
        empty = line in statements and not numbers
        found.append(f" PTX {line:<5} {text.strip()}" + ("    (no code)" if empty else ""))
        if numbers:
            found += machine_lines(trace, numbers, sass.spans[numbers[0]].function, with_ptx=False)[1:]
    if not found:
        hint = f"use lines from {min(statements)} to {max(statements)}" if statements else ""
        raise WeftError(f"the PTX has no statements on lines {first} to {last}", hint=hint)
    return found
