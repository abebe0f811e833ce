"""A PTX module as a tree: its functions, their labelled blocks, and the statements in them.

The lines are made one by one and without recursion: a module may be large and its scopes may nest deeply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

import click

from weft.ptx.analysis.summary import declaration
from weft.ptx.ast import Block, Function, Label, Module, Section, Statement

_CHUNK = 2000


class Node(NamedTuple):
    """A line of the tree and what hangs below it."""

    text: str
    children: Iterable[Node] = ()


def tree_lines(module: Module) -> Iterator[str]:
    """The lines of a module's tree, styled for a terminal."""
    version = ".".join(map(str, module.version))
    yield f"{_bold(module.filename)}: PTX {version} for {', '.join(module.targets)}"
    stack: list[tuple[Iterator[tuple[Node, bool]], str]] = [(_with_last(map(_item, module.items)), "")]
    while stack:
        nodes, indent = stack[-1]
        found = next(nodes, None)
        if found is None:
            stack.pop()
            continue
        node, last = found
        yield f"{indent}{'└── ' if last else '├── '}{node.text}"
        stack.append((_with_last(node.children), indent + ("    " if last else "│   ")))


def print_tree(module: Module) -> None:
    """Print the tree of a module to stdout, many lines at a time."""
    lines = tree_lines(module)
    while chunk := list(islice(lines, _CHUNK)):
        click.echo("\n".join(chunk))


def _with_last(nodes: Iterable[Node]) -> Iterator[tuple[Node, bool]]:
    """Each node, and whether it is the last."""
    before: Node | None = None
    for node in nodes:
        if before is not None:
            yield before, False
        before = node
    if before is not None:
        yield before, True


def _bold(text: str) -> str:
    return click.style(text, bold=True)


def _item(item: Statement | Function | Section) -> Node:
    if isinstance(item, Function):
        kind = "kernel" if item.kernel else "function"
        return Node(_bold(f"{kind} {item.name}") + ("" if item.body is not None else " (declared only)"), _parts(item))
    if isinstance(item, Section):
        return Node(f".section {item.name}: {len(item.lines)} lines")
    return Node(_statement(item))


def _parts(function: Function) -> Iterator[Node]:
    for role, parameters in (("parameter", function.parameters), ("returns", function.returns)):
        for parameter in parameters:
            yield Node(f"{role} {declaration(parameter)}")
    for directive in function.directives:
        yield Node(_statement(directive))
    yield from _statements(function.body or ())


def _statements(statements: Sequence[Statement]) -> Iterator[Node]:
    """Statements; those after a label hang below the label."""
    starts = [n for n, statement in enumerate(statements) if isinstance(statement, Label)]
    yield from map(_inner, statements[: starts[0]] if starts else statements)
    for start, end in pairwise([*starts, len(statements)]):
        label = statements[start]
        assert isinstance(label, Label)
        yield Node(click.style(label.name, fg="cyan"), map(_inner, statements[start + 1 : end]))


def _inner(statement: Statement) -> Node:
    if isinstance(statement, Block):
        return Node("{ }", _statements(statement.body))
    return Node(_statement(statement))


def _statement(statement: Statement) -> str:
    return str(statement).rstrip(";")
