"""Pass pipelines in MLIR's textual form, read into trees.

`builtin.module(gpu.module(convert-nvgpu-to-nvvm),canonicalize{test-option=1})`: passes run on the operation that their
anchor names; `any` anchors on every operation. Without an outer anchor the pipeline runs on the module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.dataclass import dataclass
from weft.errors import WeftError

_NAME = re.compile(r"\s*([A-Za-z_][\w.\-]*)\s*")


@dataclass(frozen=True, slots=True)
class PassText:
    """One pass: its name and what is in its braces, braces included."""

    name: str
    options: str = ""


@dataclass(frozen=True, slots=True)
class Anchored:
    """Passes that run on each operation of a name that is directly nested in the operation around them."""

    anchor: str
    steps: Sequence[PassText | Anchored]


def read_pipeline(text: str) -> Sequence[PassText | Anchored]:
    """The steps of a pipeline on a module; an outermost `builtin.module(...)` is the module itself.

    Raises:
        WeftError: the text is no pipeline.
    """
    if not text.strip():
        return ()
    steps, end = _steps(text, 0)
    if end != len(text):
        raise _malformed(text, end, "expected ',' or the end")
    match steps:
        case [Anchored(anchor=("builtin.module" | "any"), steps=inner)]:
            return inner
        case _:
            return steps


def _steps(text: str, start: int) -> tuple[list[PassText | Anchored], int]:
    steps: list[PassText | Anchored] = []
    while True:
        step, start = _step(text, start)
        steps.append(step)
        if not text.startswith(",", start):
            return steps, start
        start += 1


def _step(text: str, start: int) -> tuple[PassText | Anchored, int]:
    name = _NAME.match(text, start)
    if name is None:
        raise _malformed(text, start, "expected the name of a pass or an operation")
    end = name.end()
    if text.startswith("(", end):
        steps, end = _steps(text, end + 1)
        if not text.startswith(")", end):
            raise _malformed(text, end, "expected ')'")
        return Anchored(name[1], steps), _space(text, end + 1)
    if text.startswith("{", end):
        close = _closing_brace(text, end)
        return PassText(name[1], text[end : close + 1]), _space(text, close + 1)
    return PassText(name[1]), end


def _closing_brace(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if not depth:
            return index
    raise _malformed(text, start, "unclosed '{'")


def _space(text: str, start: int) -> int:
    return len(text) - len(text[start:].lstrip())


def _malformed(text: str, offset: int, reason: str) -> WeftError:
    return WeftError(f"invalid pass pipeline {text!r}: {reason} at column {offset + 1}")
