"""Structural comparison of two modules, blind to the names of registers and labels, and to debug information.

Each statement of a body becomes a skeleton, its text with the local names taken out, and the names.  Bodies are
aligned by their skeletons; where skeletons agree, the names have to go with each other one to one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.ast import (
    Block,
    Directive,
    Function,
    Instruction,
    Label,
    LabelledDirective,
    Module,
    RegisterDeclaration,
    Statement,
    Variable,
)

_DEBUG = frozenset({"loc", "file", "@@DWARF"})
_NAME = re.compile(r"(?<![\w$.])[%A-Za-z_$][\w$]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: where it is, and the lines that only the one or only the other module has."""

    where: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"@ {self.where}", *(f"- {line}" for line in self.removed), *(f"+ {line}" for line in self.added)]
        return "\n".join(lines)


def diff(old: Module, new: Module) -> list[Change]:
    """Compare two modules: an empty list means that they differ at most in the names of registers and labels.

    Compares headers, variables, function signatures, directives and bodies, and matches functions by name.  Positions,
    comments, `.loc`, `.file`, debug sections and register declarations are ignored.
    """
    changes = diff_outside(old, new) + signature_changes(old, new)
    mine = {function.name: function for function in old.functions}
    theirs = {function.name: function for function in new.functions}
    for name in mine.keys() & theirs.keys() if mine.keys() != theirs.keys() else mine:
        if name in theirs:
            changes += _bodies(mine[name], theirs[name])
    return changes


def diff_outside(old: Module, new: Module) -> list[Change]:
    """The differences outside functions: header and variables."""
    changes = [
        Change(what, (a,), (b,)) for what, a, b in zip(_HEADER, _header(old), _header(new), strict=True) if a != b
    ]
    return changes + _named("variable", _variables(old), _variables(new))


def signature_changes(old: Module, new: Module) -> list[Change]:
    """The differences of functions outside their bodies, and functions that only one module has."""
    mine, theirs = ({f.name: _signature(f) for f in module.functions} for module in (old, new))
    return _named("function", mine, theirs)


_HEADER = ("version", "target", "address size", "directives")


def _header(module: Module) -> tuple[str, ...]:
    directives = (str(i) for i in module.items if isinstance(i, Directive) and i.name not in _DEBUG)
    return (
        f"{module.version[0]}.{module.version[1]}",
        ", ".join(module.targets),
        str(module.address_size),
        " ".join(directives),
    )


def _variables(module: Module) -> dict[str, str]:
    return {variable.name: str(variable) for variable in module.variables}


def _signature(function: Function) -> str:
    """A function without its body, parameters numbered."""
    words = [function.linkage, "entry" if function.kernel else "func", *map(str, function.attributes)]
    numbers: dict[str, str] = {f.name: f"#{i}" for i, f in enumerate((*function.returns, *function.parameters))}
    texts = map(str, (*function.returns, *function.parameters))
    words += [_NAME.sub(lambda name: numbers.get(name.group(), name.group()), text) for text in texts]
    words += [str(directive) for directive in function.directives]
    words += ["declared" if function.body is None else "defined"]
    return " ".join(filter(None, words))


def _named(kind: str, old: dict[str, str], new: dict[str, str]) -> list[Change]:
    changes: list[Change] = []
    for name in dict.fromkeys((*old, *new)):
        a, b = old.get(name), new.get(name)
        if a != b:
            changes.append(Change(f"{kind} {name}", (a,) if a else (), (b,) if b else ()))
    return changes


@dataclass(frozen=True, slots=True)
class _Line:
    """A statement: its text, the text without local names, and those names in order."""

    text: str
    skeleton: str
    names: tuple[str, ...]


def _bodies(old: Function, new: Function) -> list[Change]:
    before, after = _lines(old), _lines(new)
    changes: list[Change] = []
    pairs: dict[str, str] = {}
    back: dict[str, str] = {}
    for same, i, j, k, m in _alignment([line.skeleton for line in before], [line.skeleton for line in after]):
        if not same:
            changes.append(_change(old, i, before[i:j], after[k:m]))
            continue
        for offset in range(j - i):
            a, b = before[i + offset], after[k + offset]
            if not _agree(a.names, b.names, pairs, back):
                changes.append(_change(old, i + offset, [a], [b]))
    return changes


def _change(function: Function, number: int, removed: list[_Line], added: list[_Line]) -> Change:
    where = f"function {function.name}, statement {number + 1}"
    return Change(where, tuple(line.text for line in removed), tuple(line.text for line in added))


def _agree(old: tuple[str, ...], new: tuple[str, ...], pairs: dict[str, str], back: dict[str, str]) -> bool:
    """Whether names go together one to one; a pair that breaks the rule holds from then on, so it is told once."""
    fine = True
    for a, b in zip(old, new, strict=True):
        if pairs.setdefault(a, b) != b or back.setdefault(b, a) != a:
            fine = False
            pairs[a], back[b] = b, a
    return fine


def _alignment(old: list[str], new: list[str]) -> Iterator[tuple[bool, int, int, int, int]]:
    """Runs of equal and of different lines as (equal, start, end in the old, start, end in the new)."""
    start, limit = 0, min(len(old), len(new))
    while start < limit and old[start] == new[start]:
        start += 1
    tail = 0
    while tail < limit - start and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end, last = len(old) - tail, len(new) - tail
    yield True, 0, start, 0, start
    # Matching is quadratic at worst: for long stretches the frequent lines are left out of it.
    matcher = difflib.SequenceMatcher(None, old[start:end], new[start:last], autojunk=max(end, last) - start > 2000)
    for tag, i, j, k, m in matcher.get_opcodes():
        yield tag == "equal", start + i, start + j, start + k, start + m
    yield True, end, len(old), last, len(new)


def _lines(function: Function) -> list[_Line]:
    local = _local_names(function)
    names: list[str] = []

    def take(match: re.Match[str]) -> str:
        name = match.group()
        if name in SPECIAL_REGISTERS or (name[0] != "%" and name not in local):
            return name
        names.append(name)
        return "#"

    lines: list[_Line] = []
    for text in _texts(function):
        names.clear()
        skeleton = _NAME.sub(take, text)
        lines.append(_Line(text, skeleton, tuple(names)))
    return lines


def _local_names(function: Function) -> set[str]:
    """Names that mean nothing outside: labels, parameters, local variables, registers without `%`."""
    names = {p.name for p in (*function.returns, *function.parameters)}
    for statement in function.walk():
        if isinstance(statement, Label | Variable):
            names.add(statement.name)
        elif isinstance(statement, LabelledDirective):
            names.add(statement.label)
        elif isinstance(statement, RegisterDeclaration):
            for name, count in statement.names:
                names.update((f"{name}{i}" for i in range(min(count, 10_000))) if count else (name,))
    return names


def _texts(function: Function) -> Iterator[str]:
    """The statements that count, one text each; a scope's braces have lines of their own."""
    stack: list[Iterator[Statement]] = [iter(function.body or ())]
    while stack:
        for statement in stack[-1]:
            if isinstance(statement, Instruction):
                yield str(statement)[:-1]
            elif isinstance(statement, Label):
                yield f"{statement.name}:"
            elif isinstance(statement, Block):
                yield "{"
                stack.append(iter(statement.body))
                break
            elif not isinstance(statement, RegisterDeclaration) and not (
                isinstance(statement, Directive) and statement.name in _DEBUG
            ):
                yield str(statement)
        else:
            stack.pop()
            if stack:
                yield "}"
