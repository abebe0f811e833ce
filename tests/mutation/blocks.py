"""The blocks of the sources: bodies of functions, and of branches and loops in them. The watched sources mark each that runs."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.mutation.changes import changes
from tests.mutation.compared import NONE
from tests.mutation.comparing import Compared, bodies, outermost

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
_CHANGES = hashlib.sha256(Path(changes.__code__.co_filename).read_bytes()).hexdigest()[:8]
"""What says which changes there are."""
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
                for body, function in bodies(whole):
                    name = f"{file} {text} {alike[text]}"
                    found.append((Block(file, body[0].lineno, body[-1].end_lineno or 0, function, name), body))
                    alike[text] += 1
    return trees, found


def blocks() -> list[Block]:
    """Those of all files."""
    return [block for block, _ in _trees()[1]]


@cache
def _compared() -> dict[str, Compared]:
    return {file: Compared(tree) for file, tree in _trees()[0].items()}


def names_in(file: str, one: Compared) -> list[str]:
    """The names of the changes that could be made of a file, which stay as those of blocks do; none outside of functions."""
    return [told.name and f"{file} {told.name} {_CHANGES}" for told in one.told]


def names_of_changes() -> dict[str, list[str]]:
    """Those of each file."""
    return {file: names_in(file, one) for file, one in _compared().items()}


def watched(numbers: dict[str, int]) -> dict[str, str]:
    """All files, with a mark in each block, and of each change that would give another value, by their names. This changes
    the trees: a process asks once.
    """
    those = {file: [numbers.get(name, NONE) for name in names] for file, names in names_of_changes().items()}
    for block, body in _trees()[1]:
        told = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        body.insert(1 if told else 0, ast.parse(f"__compared__.marks[{numbers[block.name]}] = 1").body[0])
    return {file: one.text(those[file]) for file, one in _compared().items()}
