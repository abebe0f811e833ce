"""Changing functions: statements before and after others, blocks split, registers and labels that nobody has.

A pass looks at a function as it is and says what is to change; the changes are made together at the end, in one go over
the body, so a pass costs time linear in the function however many changes it makes, and never trips over its own.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from weft.errors import WeftError
from weft.isa.types import TYPES
from weft.ptx.ast import Block, Function, Instruction, Label, Module, RegisterDeclaration, Section, Statement, Variable
from weft.ptx.directive_nodes import Alias, CallPrototype, TargetList
from weft.ptx.operands import Element, Register, Symbol
from weft.ptx.parser import parse
from weft.ptx.visit import walk

_PREFIXES = {"pred": "%p_", "b16": "%rs_", "b32": "%r_", "f32": "%f_", "b64": "%rd_", "f64": "%fd_", "b128": "%rq_"}


def statements(text: str) -> list[Statement]:
    """The statements of a piece of a body, `"add.u32 %r1, %r1, 1; bra L;"`; identifiers with `%` are registers.

    Raises PtxSyntaxError, with the place in `text`.
    """
    opening = ".version 9.0\n.target sm_90\n.func f() {"
    body = parse(f"{opening}\n{text}\n}}", "<statements>").functions[0].body
    assert body is not None
    for statement in body:
        _forget_places(statement)
    return body


def _forget_places(statement: Statement) -> None:
    for node in walk(statement):
        if hasattr(node, "pos"):
            node.pos = -1  # pyright: ignore[reportAttributeAccessIssue]


def clone(function: Function, name: str) -> Function:
    """A copy of a function under another name, with statements of its own; operands, which cannot change, are shared.

    What the function calls, itself included, the copy calls too. It belongs to no module yet.
    """
    made = copy.copy(function)
    made.name = name
    made.parameters, made.returns = [*map(copy.copy, function.parameters)], [*map(copy.copy, function.returns)]
    made.directives = [*map(copy.copy, function.directives)]
    made.body = None if function.body is None else _copied(function.body)
    return made


def _copied(body: list[Statement]) -> list[Statement]:
    made: list[Statement] = []
    todo = [(body, made)]
    while todo:
        source, target = todo.pop()
        for statement in source:
            twin = copy.copy(statement)
            target.append(twin)
            if isinstance(twin, Block):
                assert isinstance(statement, Block)
                twin.body = []
                todo.append((statement.body, twin.body))
            elif isinstance(twin, CallPrototype):
                twin.parameters, twin.returns = [*map(copy.copy, twin.parameters)], [*map(copy.copy, twin.returns)]
    return made


def names_in(root: Module | Function) -> set[str]:
    """Every identifier that a module or a function declares or mentions, the prefixes of ranges among them."""
    found: set[str] = set()
    roots = [root] if isinstance(root, Function) else [item for item in root.items if not isinstance(item, Section)]
    for node in (node for part in roots for node in walk(part)):
        if isinstance(node, Register):
            found.add(node.base)
        elif isinstance(node, Symbol | Label | Function | Variable):
            found.add(node.name)
        elif isinstance(node, Element):
            found.add(node.array)
        elif isinstance(node, RegisterDeclaration):
            for name, count in node.names:
                found.update((name, *(f"{name}{i}" for i in range(min(count, 100_000)))))
        elif isinstance(node, TargetList):
            found.update((node.label, *node.names))
        elif isinstance(node, CallPrototype):
            found.add(node.label)
        elif isinstance(node, Alias):
            found.update((node.alias, node.target))
        if isinstance(node, Function):
            found.update(parameter.name for parameter in (*node.returns, *node.parameters))
    return found


def fresh_name(root: Module | Function, start: str, *, taken: Iterable[str] = ()) -> str:
    """A name that starts with `start` and that nothing in `root` declares or mentions."""
    used = names_in(root) | set(taken)
    if start not in used:
        return start
    number = 1
    while f"{start}_{number}" in used:
        number += 1
    return f"{start}_{number}"


class Edit:
    """The changes of one pass to one function; see `edit`.

    Statements are told apart by identity: they are those that are in the function's body, nested scopes included.
    """

    def __init__(self, function: Function, module: Module | None = None) -> None:
        self.function = function
        self._used = names_in(function)
        if module is not None:
            self._used |= {item.name for item in module.items if isinstance(item, Function | Variable)}
        self._before: dict[int, list[Statement]] = {}
        self._after: dict[int, list[Statement]] = {}
        self._instead: dict[int, list[Statement]] = {}
        self._kept: dict[int, Statement] = {}
        self._first: list[Statement] = []
        self._declared: dict[str, tuple[str, int]] = {}

    # ---- what is to change ----

    def before(self, statement: Statement, new: str | Statement | Iterable[Statement]) -> None:
        """Put statements before another; those of several calls in the order of the calls. Text is parsed."""
        self._note(statement)
        self._before.setdefault(id(statement), []).extend(_listed(new))

    def after(self, statement: Statement, new: str | Statement | Iterable[Statement]) -> None:
        """Put statements after another; those of several calls in the order of the calls."""
        self._note(statement)
        self._after.setdefault(id(statement), []).extend(_listed(new))

    def replace(self, statement: Statement, new: str | Statement | Iterable[Statement]) -> None:
        """Put statements in the place of another; what is put before and after it stays."""
        self._note(statement)
        self._instead[id(statement)] = _listed(new)

    def remove(self, statement: Statement) -> None:
        """Take a statement away; `apply` raises WeftError for a label that the function still names."""
        self.replace(statement, ())

    def at_start(self, new: str | Statement | Iterable[Statement]) -> None:
        """Put statements at the start of the body, behind its leading declarations."""
        self._first.extend(_listed(new))

    def split(self, statement: Statement, name: str = "$L") -> Label:
        """Begin a new basic block at a statement: the fresh label that is put right before it."""
        label = self.label(name)
        self.before(statement, label)
        return label

    # ---- names that nobody has ----

    def register(self, type_: str) -> Register:
        """A new register of a type (`"b32"`, `"pred"`), declared at the start of the body."""
        if type_ not in TYPES:
            raise WeftError(f"unknown type '{type_}'", hint="such as pred, b32, f32, u64")
        prefix, count = self._declared.get(type_, ("", 0))
        if not prefix:
            start = _PREFIXES.get(type_, f"%{type_}_")
            prefix = start
            while any(name.startswith(prefix) for name in self._used):
                prefix += "_"
            self._used.add(prefix)
        self._declared[type_] = (prefix, count + 1)
        return Register(f"{prefix}{count}")

    def label(self, start: str = "$L") -> Label:
        """A label with a name that the function does not have; it stands nowhere until you put it somewhere."""
        return Label(self.name(start))

    def name(self, start: str) -> str:
        """A name that starts so and that the function does not have."""
        found, number = start, 0
        while found in self._used:
            number += 1
            found = f"{start}_{number}"
        self._used.add(found)
        return found

    # ---- making the changes ----

    def _note(self, statement: Statement) -> None:
        self._kept[id(statement)] = statement  # Or its number could become another's.

    def apply(self) -> None:
        """Make the changes; `with edit(...)` does so at its end. Raises WeftError for statements that are elsewhere."""
        body = self.function.body
        if body is None and not (self._kept or self._first or self._declared):
            return
        if body is None:
            raise WeftError(f"'{self.function.name}' has no body")
        missing = self._kept.keys() - {id(statement) for statement in self.function.walk()}
        if missing:
            raise WeftError(f"{self._kept[missing.pop()]!r} is not in '{self.function.name}'")
        self._check_labels()
        holders = [body, *(statement.body for statement in self.function.walk() if isinstance(statement, Block))]
        for holder in holders:
            if any(id(statement) in self._kept for statement in holder):
                holder[:] = [new for statement in holder for new in self._made(statement)]
        declarations = [RegisterDeclaration(t, ((prefix, count),)) for t, (prefix, count) in self._declared.items()]
        leading = next((i for i, s in enumerate(body) if not isinstance(s, RegisterDeclaration | Variable)), len(body))
        body[leading:leading] = [*declarations, *self._first]
        for done in (self._before, self._after, self._instead, self._kept, self._first, self._declared):
            done.clear()

    def _check_labels(self) -> None:
        """No label is removed that something in the changed function names."""
        gone = {
            label.name
            for key, label in self._kept.items()
            if isinstance(label, Label) and not self._instead.get(key, 1)
        }
        if not gone:
            return
        left = (made for statement in self.function.walk() for made in self._made(statement) if type(made) is not Block)
        for node in (node for statement in (*left, *self._first) for node in walk(statement)):
            names = node.names if isinstance(node, TargetList) else [node.name] if isinstance(node, Symbol) else ()
            for name in gone.intersection(names):
                raise WeftError(f"label '{name}' cannot be removed: a branch targets it")

    def _made(self, statement: Statement) -> Iterable[Statement]:
        key = id(statement)
        return (*self._before.get(key, ()), *self._instead.get(key, (statement,)), *self._after.get(key, ()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.apply()


def edit(function: Function, module: Module | None = None) -> Edit:
    """Change a function: `with edit(kernel) as e: e.before(store, ...)`. Nothing changes when the block raises.

    `module` makes fresh names differ from the module's own variables and functions, too.
    """
    return Edit(function, module)


def _listed(new: str | Statement | Iterable[Statement]) -> list[Statement]:
    if isinstance(new, str):
        return statements(new)
    if isinstance(new, Instruction | Label | RegisterDeclaration | Variable | Block) or not isinstance(new, Iterable):
        return [new]
    return list(new)
