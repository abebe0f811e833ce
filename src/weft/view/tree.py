"""A PTX module as a tree: its functions, their labelled blocks, and the statements in them."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.tree import Tree

from weft.ptx.analysis.summary import declaration
from weft.ptx.ast import Block, Function, Instruction, Label, Module, Section, Statement
from weft.ptx.printer import statement_text


def module_tree(module: Module) -> Tree:
    """The tree of a module, ready to print with rich."""
    version = ".".join(map(str, module.version))
    root = Tree(f"[bold]{escape(module.filename)}[/]: PTX {version} for {escape(', '.join(module.targets))}")
    for item in module.items:
        if isinstance(item, Function):
            _add_function(root, item)
        elif isinstance(item, Section):
            root.add(escape(f".section {item.name}: {len(item.lines)} lines"))
        else:
            root.add(escape(_statement(item)))
    return root


def print_tree(module: Module) -> None:
    """Print the tree of a module."""
    Console(highlight=False).print(module_tree(module), soft_wrap=True)


def _add_function(root: Tree, function: Function) -> None:
    kind = "kernel" if function.kernel else "function"
    node = root.add(f"[bold]{kind} {escape(function.name)}[/]{'' if function.body is not None else ' (declared only)'}")
    for role, parameters in (("parameter", function.parameters), ("returns", function.returns)):
        for parameter in parameters:
            node.add(escape(f"{role} {declaration(parameter)}"))
    for directive in function.directives:
        node.add(escape(_statement(directive)))
    _add_statements(node, function.body or ())


def _add_statements(node: Tree, statements: Iterable[Statement]) -> None:
    """Statements under a node; those after a label go under the label."""
    place = node
    for statement in statements:
        if isinstance(statement, Label):
            place = node.add(f"[cyan]{escape(statement.name)}[/]")
        elif isinstance(statement, Block):
            _add_statements(place.add("{ }"), statement.body)
        else:
            place.add(escape(_statement(statement)))


def _statement(statement: Statement) -> str:
    if isinstance(statement, Instruction):
        guard = f"{statement.guard} " if statement.guard else ""
        return f"{guard}{statement.opcode} {', '.join(map(str, statement.operands))}".rstrip()
    return statement_text(statement).rstrip(";")
