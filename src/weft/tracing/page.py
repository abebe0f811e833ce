"""The explorer: traces as one HTML page that needs nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weft.tracing.model import Stage, Trace

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
    folder = files("weft.tracing") / "explorer"
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
