"""Which changes are tried: drawn of all that could be made; and the sources with calls where they would be."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from typing import NamedTuple

from tests.mutation.changes import changes

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
READ_AS_TEXT = ("tile/kernels/",)
"""Sources that weft reads itself: nothing can be put into them."""


class Drawn(NamedTuple):
    """A change: the number `index` of those of its file."""

    file: str
    index: int
    line: int
    what: str

    def text(self) -> str:
        """The file with it."""
        tree = ast.parse((SOURCES / self.file).read_text(encoding="utf-8"))
        changes(tree)[self.index].apply()
        return ast.unparse(tree)

    @property
    def name(self) -> str:
        """Where it is and what it does."""
        return f"src/{self.file}:{self.line}: {self.what}"


def drawn(count: int, seed: str, only: str) -> list[Drawn]:
    """So many changes of all that could be made."""
    found: list[Drawn] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if re.search(only, file):
            possible = changes(ast.parse(path.read_text(encoding="utf-8")))
            found += [Drawn(file, index, change.line, change.what) for index, change in enumerate(possible)]
    return random.Random(seed).sample(found, min(count, len(found)))


def watched(file: str, some: dict[int, int]) -> str:
    """A file that says when it comes to one of these lines, by the change's number; lines that an import runs do not."""
    tree = ast.parse((SOURCES / file).read_text(encoding="utf-8"))
    places: list[tuple[int, int, int, list[ast.stmt], ast.stmt]] = []
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in ast.walk(function):
            for _, body in ast.iter_fields(node):
                if isinstance(body, list):
                    statements = [part for part in body if isinstance(part, ast.stmt)]
                    places += [(s.end_lineno - s.lineno, s.lineno, s.end_lineno, body, s) for s in statements]  # type: ignore[operator,misc]
    for change, line in some.items():
        around = [place for place in places if place[1] <= line <= place[2]]
        if around:
            *_, body, statement = min(around, key=lambda place: place[0])
            body.insert(body.index(statement), ast.parse(f"__reached__({change})").body[0])
    import_ = ast.parse("from tests.mutation.watch import reached as __reached__").body[0]
    future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body]
    tree.body.insert(future.index(True) + 1 if True in future else 0, import_)
    return ast.unparse(ast.fix_missing_locations(tree))
