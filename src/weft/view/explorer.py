"""The explorer: traces as one HTML page that needs nothing else, and as text for a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from importlib.resources import files
from typing import Any

from weft.errors import WeftError
from weft.tracing import Stage, Trace
from weft.view.traces import machine_lines, ptx_lines

_REGISTER = re.compile(r"%[\w.]+|\bU?[RP]\d+\b|0x[0-9a-f]+|\$L\w+|\(\.L\w+\)")
_MOST_COMPARED = 20_000


def page(traces: Sequence[Trace], stamp: str = "") -> str:
    """A page for programs or targets, the first shown first; it loads nothing.

    `stamp` makes the page ask the server that it came from whether there is a newer one.
    """
    shown: list[dict[str, Any]] = []
    for trace in traces:
        data: dict[str, Any] = json.loads(trace.to_json())
        if trace is not traces[0]:
            for stage, written in zip(trace.stages, data["stages"], strict=True):
                changed = _changed(traces[0], stage)
                if changed is not None:
                    written["changed"] = changed
        shown.append(data)
    text = json.dumps({"stamp": stamp, "traces": shown}, separators=(",", ":")).replace("<", "\\u003c")
    folder = files("weft.view") / "page"
    parts = {
        "TITLE": escape(f"{traces[0].name} - weft explore"),
        "STYLE": (folder / "explorer.css").read_text("utf-8"),
        "DATA": text,
        "SCRIPT": (folder / "explorer.js").read_text("utf-8"),
    }
    frame = (folder / "explorer.html").read_text("utf-8")
    return re.sub(r"(?<=>)(TITLE|STYLE|DATA|SCRIPT)(?=<)", lambda match: parts[match[1]], frame)


def _changed(first: Trace, stage: Stage) -> list[int] | None:
    """The statements of a stage that the first trace's stage does not have in that place, registers aside."""
    other = next((one for one in first.stages if one.name == stage.name), None)
    if other is None or len(stage.spans) > _MOST_COMPARED:
        return None
    mine, theirs = _plain(stage), _plain(other)
    kept: set[int] = set()
    for start, _, size in SequenceMatcher(None, mine, theirs, autojunk=len(mine) > 2000).get_matching_blocks():
        kept.update(range(start, start + size))
    return [number for number in range(len(mine)) if number not in kept]


def _plain(stage: Stage) -> list[str]:
    lines = stage.text.splitlines()
    return [_REGISTER.sub("r", lines[span.line - 1].strip()) for span in stage.spans]


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
