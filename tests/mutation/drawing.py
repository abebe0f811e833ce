"""Which changes are tried: drawn of all that could be made; and the sources with calls where they would be."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.mutation.changes import changes

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
READ_AS_TEXT = ("tile/kernels/",)
"""Sources that weft reads itself: nothing can be put into them."""


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
    def name(self) -> str:
        """Where it is and what it does."""
        return f"src/{self.file}:{self.line}: {self.what}"


def drawn(count: int, seed: str, only: str) -> list[Drawn]:
    """So many changes of all that could be made: the same ones but for those of lines that were edited since."""
    found: list[Drawn] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if re.search(only, file):
            possible = changes(ast.parse(path.read_text(encoding="utf-8")))
            found += [Drawn(file, index, change.line, change.what) for index, change in enumerate(possible)]
    return sorted(found, key=lambda change: hashlib.sha256(f"{seed} {change.place} {change.name}".encode()).digest())[
        :count
    ]


MOST_USERS = 60
"""What more functions name is known to all: who runs them says nothing."""


def _named(node: ast.AST) -> set[str]:
    """The names in a piece of source."""
    found = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return found | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef]:
    return (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef))


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
        for function in _functions(tree):
            for name in _named(function):
                found.functions[name].add((file, function.lineno))
        for node in tree.body:
            defined, inside = frozenset(_defined(node)), tuple((file, inner.lineno) for inner in _functions(node))
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


def _inside(tree: ast.Module) -> list[tuple[int, int, int, list[ast.stmt], ast.stmt]]:
    """The statements of functions: how many lines each has, its first and its last, and where it stands."""
    places: list[tuple[int, int, int, list[ast.stmt], ast.stmt]] = []
    for function in _functions(tree):
        for node in ast.walk(function):
            for _, body in ast.iter_fields(node):
                if isinstance(body, list):
                    statements = [part for part in body if isinstance(part, ast.stmt)]
                    places += [(s.end_lineno - s.lineno, s.lineno, s.end_lineno, body, s) for s in statements]  # type: ignore[operator,misc]
    return places


def of_imports(some: Iterable[Drawn]) -> set[int]:
    """Those of lines that an import runs."""
    lines: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for number, change in enumerate(some):
        lines[change.file][number] = change.line
    found: set[int] = set()
    for file, of_file in lines.items():
        places = _inside(ast.parse((SOURCES / file).read_text(encoding="utf-8")))
        found |= {n for n, line in of_file.items() if not any(first <= line <= last for _, first, last, *_ in places)}
    return found


def watched(some: list[Drawn]) -> dict[str, str]:
    """Files that say when they come to one of these changes, by its number; of what an import runs, to its users."""
    trees: dict[str, ast.Module] = {}
    inserted: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    read = [n for n, change in enumerate(some) if not any(part in change.file for part in READ_AS_TEXT)]
    imported = of_imports(some)
    for number in read:
        file, line = some[number].file, some[number].line
        for place in users(file, line) if number in imported else [(file, line)]:
            if not any(part in place[0] for part in READ_AS_TEXT):
                inserted[place].add(number)
    for file in sorted({file for file, _ in inserted}):
        tree = trees[file] = ast.parse((SOURCES / file).read_text(encoding="utf-8"))
        places = _inside(tree)
        starts = {function.lineno: function.body for function in _functions(tree)}
        for (_, line), numbers in [each for each in inserted.items() if each[0][0] == file]:
            around = [place for place in places if place[1] <= line <= place[2]]
            for number in sorted(numbers):
                call = ast.parse(f"__reached__({number})").body[0]
                if number in imported:
                    starts[line].insert(0, call)
                elif around:
                    *_, body, statement = min(around, key=lambda place: place[0])
                    body.insert(body.index(statement), call)
        import_ = ast.parse("from tests.mutation.watch import reached as __reached__").body[0]
        future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body]
        tree.body.insert(future.index(True) + 1 if True in future else 0, import_)
    return {file: ast.unparse(ast.fix_missing_locations(tree)) for file, tree in trees.items()}
