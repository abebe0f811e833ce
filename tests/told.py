"""Files of inputs, each with all that is told of it: `python -m tests.told FILE...` writes what is told now.

A line that begins with `==` says where the inputs behind it stand; an input is a line, in which `⏎` begins a new one. What
is told of it follows, each on a line that begins with two blanks: `line:column-end severity code: message | hint`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from weft.errors import Diagnostic, Position

Judge = Callable[[str, str], list[str]]
"""What is told of an input, by where it stands and its text."""


class Told(NamedTuple):
    """An input, where it stands, and what is told of it."""

    place: str
    text: str
    said: tuple[str, ...]

    @property
    def source(self) -> str:
        """The input with its new lines."""
        return self.text.replace("⏎", "\n")


def read(path: Path) -> Iterator[Told]:
    """The inputs of a file."""
    place, text, said = "", "", list[str]()
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("  "):
            said.append(line[2:])
            continue
        if text:
            yield Told(place, text, tuple(said))
        place = line[3:] if line.startswith("== ") else place
        text, said = "" if line.startswith(("== ", "# ")) else line, []


def groups(path: Path, size: int = 30) -> list[list[Told]]:
    """The inputs of a file, a few for each test."""
    every = list(read(path))
    return [every[start : start + size] for start in range(0, len(every), size)]


def differing(some: Iterable[Told], judge: Judge) -> str:
    """The inputs of which something else is told, with that."""
    now = [(one, tuple(judge(one.place, one.source))) for one in some]
    return "\n".join("\n  ".join((one.text, *said)) for one, said in now if said != one.said)


def told(found: Diagnostic, before: int = 0) -> str:
    """A finding as a line; `before` are the lines that stand before the input."""
    kind = f"{found.severity.value} {found.code}"
    near = f" (see {found.related.line - before}:{found.related.column})" if found.related is not None else ""
    allowed = f" [{' '.join(found.allowed)}]" if found.allowed else ""
    rest = f"{found.message}{f' | {found.hint}' if found.hint else ''}{allowed}{near}".replace("\n", "⏎")
    return f"{place_of(found.position, before)}-{found.end_column} {kind}: {rest}"


def place_of(position: Position, before: int = 0) -> str:
    return f"{position.line - before}:{position.column}"


def write(path: Path, judge: Judge) -> None:
    """Write what is told now; comments and the order stay."""
    lines: list[str] = []
    place = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        lines.append(line)
        place = line[3:] if line.startswith("== ") else place
        if line and not line.startswith(("== ", "# ")):
            lines += [f"  {one}" for one in judge(place, Told(place, line, ()).source)]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        file = Path(name)
        write(file, import_module(f"tests.{file.parent.name}.test_{file.stem}").judge)
