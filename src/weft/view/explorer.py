"""Traces in a terminal: lines of PTX with the machine code of each."""

from __future__ import annotations

from weft.errors import WeftError
from weft.tracing import Trace
from weft.view.traces import machine_lines, ptx_lines


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
