"""Text in the width of the terminal."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

import click


def bold(text: str) -> str:
    """The text in bold, where that can be shown."""
    return click.style(text, bold=True)


def wrapped(text: str, indent: int = 0) -> str:
    """Lines of text that go on below their beginnings, as wide as the terminal."""
    margin, width = " " * indent, shutil.get_terminal_size().columns
    lines = (textwrap.fill(line, width, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False)
             for line in text.split("\n"))  # fmt: skip
    return "\n".join(lines)


def table(rows: Sequence[tuple[str, str]], indent: int, gap: int) -> Iterator[str]:
    """Names in a column, their values in the next: by hand, as a table of a library costs more than the analyses."""
    column = max((len(name) for name, _ in rows), default=0) + gap
    width = max(20, shutil.get_terminal_size().columns - indent - column)
    for name, value in rows:
        for line in value.split("\n"):
            for part in textwrap.wrap(line, width, break_on_hyphens=False):
                yield f"{' ' * indent}{name}{' ' * (column - len(name))}{part}"
                name = ""
