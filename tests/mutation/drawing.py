"""Which changes are tried: drawn of all that could be made; and who uses what an import makes."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.mutation.blocks import SOURCES
from tests.mutation.changes import changes
from tests.mutation.comparing import functions

_CHANGES = Path(changes.__code__.co_filename).read_bytes()
"""What says which changes there are."""


class Drawn(NamedTuple):
    """A change: the number `place` of those of its file."""

    file: str
    place: int
    line: int
    what: str

    def text(self) -> str:
        """The file with it."""
        tree = ast.parse((SOURCES / self.file).read_text(encoding="utf-8"))
        changes(tree)[self.place].apply()
        return ast.unparse(tree)

    @property
    def is_text(self) -> bool:
        """Whether it changes a text, or a word of one with many lines."""
        return self.what[0] in "'\""

    @property
    def name(self) -> str:
        """Where it is and what it does."""
        return f"src/{self.file}:{self.line}: {self.what}"


def drawn(count: int, seed: str, only: str, kept: Path) -> list[Drawn]:
    """So many changes of all that could be made: the same ones but for those of lines that were edited since."""
    known = json.loads(kept.read_text()) if kept.exists() else {}
    held: dict[str, list[Any]] = {}
    found: list[Drawn] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file, text = path.relative_to(SOURCES).as_posix(), path.read_text(encoding="utf-8")
        digest = hashlib.sha256(_CHANGES + text.encode()).hexdigest()
        if known.get(file, [""])[0] != digest:
            known[file] = [digest, [(change.line, change.what) for change in changes(ast.parse(text))]]
        held[file] = known[file]
        if re.search(only, file):
            found += [Drawn(file, index, line, what) for index, (line, what) in enumerate(held[file][1])]
    kept.write_text(json.dumps(held))
    return sorted(found, key=lambda change: hashlib.sha256(f"{seed} {change.place} {change.name}".encode()).digest())[
        :count
    ]


MOST_USERS = 60
"""What more functions name is known to all: who runs them says nothing."""


def _named(node: ast.AST) -> set[str]:
    """The names in a piece of source."""
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


class _Statement(NamedTuple):
    """What an import runs: where it stands, what it defines, and the functions in it."""

    file: str
    first: int
    last: int
    defined: frozenset[str]
    functions: tuple[tuple[str, int], ...]


class _Index(NamedTuple):
    """The statements of all files, and by name: what is made of it by an import, and the functions that name it."""

    statements: list[_Statement]
    made: defaultdict[str, set[str]]
    functions: defaultdict[str, set[tuple[str, int]]]


@cache
def _index() -> _Index:
    found = _Index([], defaultdict(set), defaultdict(set))
    for path in sorted(SOURCES.rglob("*.py")):
        file, tree = path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        for function in functions(tree):
            for name in _named(function):
                found.functions[name].add((file, function.lineno))
        for node in tree.body:
            defined, inside = frozenset(_defined(node)), tuple((file, inner.lineno) for inner in functions(node))
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            found.statements.append(_Statement(file, first, node.end_lineno or 0, defined, inside))
            if not isinstance(node, ast.ClassDef | ast.FunctionDef):
                for name in _named(node):
                    found.made[name] |= defined
    return found


def _defined(node: ast.stmt) -> set[str]:
    """The names that a statement gives a meaning to; one that calls something gives it to what it names."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Expr | ast.For):
        return _named(node)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def defined(file: str, line: int) -> set[str]:
    """The names that the statement of an import on a line gives a meaning to."""
    around = [each for each in _index().statements if each.file == file and each.first <= line <= each.last]
    return {name for each in around for name in each.defined}


def users(file: str, line: int) -> list[tuple[str, int]]:
    """The functions that use what a statement of an import defines, by the names: those of its class, and whoever names it
    or what is made of it; where they are many, those of the file.
    """
    index = _index()
    around = [each for each in index.statements if each.file == file and each.first <= line <= each.last]
    found = {function for each in around for function in each.functions}
    names = {name for each in around for name in each.defined}
    for _ in range(3):
        names |= {made for name in names for made in index.made[name]}
    found |= {function for name in names for function in index.functions[name]}
    return sorted(found if len(found) <= MOST_USERS else {each for each in found if each[0] == file})
