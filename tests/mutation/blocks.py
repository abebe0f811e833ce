"""The blocks of the sources: bodies of functions, and of branches and loops in them. The watched sources mark each that runs."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
READ_AS_TEXT = ("tile/kernels/",)
"""Sources that weft reads itself: nothing can be put into them."""


class Block(NamedTuple):
    """Statements that run together, the line of the function's `def` whose body they are, or 0, and a name that stays while
    the text of the outermost function around them does.
    """

    file: str
    first: int
    last: int
    function: int
    name: str


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those in a piece of source."""
    return (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))


def outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions in a piece of source that no other function holds."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        else:
            yield from outermost(child)


def _bodies(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[list[ast.stmt], int]]:
    for node in ast.walk(function):
        for name, body in ast.iter_fields(node):
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt) and not isinstance(node, ast.ClassDef):
                own = name == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                yield body, node.lineno if own else 0  # type: ignore[attr-defined]


@cache
def _trees() -> tuple[dict[str, ast.Module], list[tuple[Block, list[ast.stmt]]]]:
    trees: dict[str, ast.Module] = {}
    found: list[tuple[Block, list[ast.stmt]]] = []
    for path in sorted(SOURCES.rglob("*.py")):
        file = path.relative_to(SOURCES).as_posix()
        if not any(part in file for part in READ_AS_TEXT):
            trees[file] = tree = ast.parse(path.read_text(encoding="utf-8"))
            alike: Counter[str] = Counter()
            for whole in outermost(tree):
                text = hashlib.sha256(ast.unparse(whole).encode()).hexdigest()[:16]
                for body, function in _bodies(whole):
                    name = f"{file} {text} {alike[text]}"
                    found.append((Block(file, body[0].lineno, body[-1].end_lineno or 0, function, name), body))
                    alike[text] += 1
    return trees, found


def blocks() -> list[Block]:
    """Those of all files."""
    return [block for block, _ in _trees()[1]]


def watched(numbers: dict[str, int]) -> dict[str, str]:
    """All files, with a mark in each block, by the blocks' names. This changes the trees: a process asks once."""
    trees, found = _trees()
    marked: set[str] = set()
    for block, body in found:
        marked.add(block.file)
        told = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        body.insert(1 if told else 0, ast.parse(f"__probes__[{numbers[block.name]}] = 1").body[0])
    texts: dict[str, str] = {}
    for file in marked:
        tree = trees[file]
        future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body]
        import_ = ast.parse("from tests.mutation.probes import probes as __probes__").body[0]
        tree.body.insert(future.index(True) + 1 if True in future else 0, import_)
        texts[file] = ast.unparse(ast.fix_missing_locations(tree))
    return texts
