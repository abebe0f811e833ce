"""Going through a syntax tree: the parts of a node, and every node below it.

Statements (instructions, labels, declarations, directives, blocks), functions and the module itself are mutable;
operands, guards, values and locations are not, as the parser shares them between statements. So a pass changes a
statement in place or puts another in its place (`weft.ptx.edit`), and gives an instruction new operands
(`replace_operands`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, overload

from weft.ptx.ast import (
    Block,
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    Parameter,
    RegisterDeclaration,
    Section,
    Variable,
)
from weft.ptx.debug_nodes import Data, LabelSum
from weft.ptx.directive_nodes import Alias, CallPrototype, DwarfLine, File, Loc, Pragma, SourceLocation, TargetList
from weft.ptx.expressions import Binary, Cast, Conditional, Parenthesised, Unary
from weft.ptx.node import Node
from weft.ptx.operands import Address, Arguments, Element, Expression, Negated, Operand, Pair, Register, Vector
from weft.ptx.values import AddressByte, Field, GenericAddress, ValueList

N = TypeVar("N")


def _some(*nodes: Node | None) -> Iterable[Node]:
    return [node for node in nodes if node is not None]


_PARTS: dict[type[Any], Callable[[Any], Iterable[Node]]] = {
    Module: lambda n: n.items,
    Function: lambda n: (*n.returns, *n.parameters, *n.attributes, *n.directives, *(n.body or ())),
    Block: lambda n: n.body,
    Section: lambda n: n.items,
    Instruction: lambda n: (*_some(n.guard), *n.operands),
    Guard: lambda n: (n.register,),
    Variable: lambda n: (*n.attributes, *_some(n.initializer)),
    Parameter: lambda n: _some(n.pointer),
    Loc: lambda n: (n.location,),
    SourceLocation: lambda n: _some(n.inlined),
    TargetList: lambda n: n.targets,
    CallPrototype: lambda n: (*n.returns, *n.parameters, *n.directives),
    Data: lambda n: n.values,
    LabelSum: lambda n: (n.operand,),
    ValueList: lambda n: n.elements,
    GenericAddress: lambda n: (n.symbol,),
    AddressByte: lambda n: (n.mask, n.address),
    Field: lambda n: (n.value,),
    Negated: lambda n: (n.operand,),
    Pair: lambda n: (n.first, n.second),
    Vector: lambda n: n.elements,
    Arguments: lambda n: n.elements,
    Address: lambda n: (n.base, *n.rest),
    Element: lambda n: (n.index,),
    Expression: lambda n: (n.tree,),
    Unary: lambda n: (n.operand,),
    Cast: lambda n: (n.operand,),
    Binary: lambda n: (n.left, n.right),
    Conditional: lambda n: (n.condition, n.then, n.otherwise),
    Parenthesised: lambda n: (n.inner,),
}
"""What has parts, and which, in the order of the text."""

_HOLDERS = (Module, Function, Block)
_HELD: frozenset[type[Any]] = frozenset(
    {Module, Function, Block, Section, Instruction, Label, RegisterDeclaration, Variable}
    | {Loc, File, Pragma, Alias, DwarfLine, TargetList, CallPrototype}
)
"""What is in modules, functions and blocks and nowhere else (but `Pragma` and `FunctionDirective`)."""


def children(node: Node) -> Iterable[Node]:
    """The nodes that a node is made of, in the order of the text."""
    parts = _PARTS.get(type(node))
    if parts is None:  # Functions and sections from bytes are of other classes until they are looked at.
        kind = next((kind for kind in (Function, Section) if isinstance(node, kind)), None)
        parts = _PARTS[kind] if kind else None
    return () if parts is None else parts(node)


@overload
def walk(root: Node) -> Iterator[Node]: ...
@overload
def walk(root: Node, *kinds: type[N]) -> Iterator[N]: ...
def walk(root: Node, *kinds: type[Any]) -> Iterator[Any]:
    """A node and every node below it in the order of the text, or those of them that are of the given classes.

    `walk(module, Instruction)` is as quick as `function.instructions()`: operands are not looked at for statements'
    sake. Lists may be changed behind the node that was given last, not before it.
    """
    shallow = bool(kinds) and _HELD.issuperset(kinds)
    if not kinds or isinstance(root, kinds):
        yield root
    stack = [iter(children(root))]
    while stack:  # Scopes and expressions may nest deeper than Python's stack.
        for node in stack[-1]:
            if not kinds or isinstance(node, kinds):
                yield node
            if not shallow or isinstance(node, _HOLDERS) or (Label in kinds and isinstance(node, Section)):
                stack.append(iter(children(node)))
                break
        else:
            stack.pop()


def replaced(operand: Operand, change: Callable[[Operand], Operand]) -> Operand:
    """An operand with `change` done to each operand inside it, innermost first, and then to itself.

    The operand itself comes back where nothing has changed.
    """
    made: Operand = operand
    if isinstance(operand, Vector | Arguments):
        elements = tuple([replaced(element, change) for element in operand.elements])
        if any(new is not old for new, old in zip(elements, operand.elements, strict=True)):
            made = type(operand)(elements)
    elif isinstance(operand, Address):
        base, rest = replaced(operand.base, change), tuple([replaced(part, change) for part in operand.rest])
        if base is not operand.base or any(new is not old for new, old in zip(rest, operand.rest, strict=True)):
            made = Address(base, operand.offset, rest, operand.unified, operand.zero)
    elif isinstance(operand, Pair):
        first, second = replaced(operand.first, change), replaced(operand.second, change)
        if first is not operand.first or second is not operand.second:
            made = Pair(first, second)
    elif isinstance(operand, Negated):
        inner = replaced(operand.operand, change)
        made = operand if inner is operand.operand else Negated(inner, operand.operator)
    elif isinstance(operand, Element):
        index = replaced(operand.index, change)
        made = operand if index is operand.index else Element(operand.array, index)
    return change(made)


def replace_operands(root: Module | Function | Block | Instruction, change: Callable[[Operand], Operand]) -> int:
    """Give every instruction below `root` the operands that `change` makes of its own; returns how many changed.

    `change` sees each operand, and each operand inside it first, and returns it or another. A guard's register must
    stay a register: TypeError otherwise.
    """
    count = 0
    known: dict[int, Operand] = {}  # By identity: the parser shares operands, and the tree keeps them alive.
    kept: list[Operand] = []
    for instruction in walk(root, Instruction):
        before = instruction.operands
        operands: list[Operand] = []
        for operand in before:
            made = known.get(id(operand))
            if made is None:
                made = known[id(operand)] = replaced(operand, change)
                kept.append(operand)
            operands.append(made)
        guard = instruction.guard
        if guard is not None:
            register = change(guard.register)
            if not isinstance(register, Register):
                raise TypeError(f"a guard must be a register, not {register!r}")
            guard = guard if register is guard.register else Guard(register, guard.negated)
        if guard is not instruction.guard or any(new is not old for new, old in zip(operands, before, strict=True)):
            instruction.operands, instruction.guard = tuple(operands), guard
            count += 1
    return count
