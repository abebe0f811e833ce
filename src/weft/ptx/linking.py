"""Several PTX modules as one, as a linker makes it of what a compiler was given file by file.

What `.extern` declares is what another module defines; `.weak` gives way, the first of several to the others; of
`.common` variables the largest is kept.  Names without linkage belong to their module, and get another name where two
modules use one.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from weft.errors import WeftError
from weft.isa.target import TARGETS, is_architecture
from weft.ptx.ast import Function, Module, Section, Variable
from weft.ptx.directive_nodes import Directive, File, Loc
from weft.ptx.parser import parse
from weft.ptx.renaming import rename

Symbol = Function | Variable
_RANK = {"extern": 0, "common": 1, "weak": 2}


class LinkError(WeftError):
    """Modules that do not make one: two definitions of a name, or two kinds of it."""


def link_modules(modules: Sequence[Module]) -> Module:
    """One module of several, which stay as they are; debug sections are left out.

    The PTX version is the newest of theirs, the target the latest architecture.  What no module defines stays
    `.extern`.

    Raises:
        LinkError: a name is defined twice, or declared in ways that do not agree.
    """
    if not modules:
        raise LinkError("no modules to link", hint="pass at least one module")
    copies = [parse(module.to_ptx(), filename=module.filename) for module in modules]
    if len(copies) == 1:
        return copies[0]
    _agree(copies)
    _rename_private(copies)
    symbols = _resolved(copies)
    merged = Module(
        max(module.version for module in copies),
        (
            _latest(copies),
            *dict.fromkeys(word for module in copies for word in module.targets if _stays(word)),
        ),
        copies[0].address_size,
        _items(copies, symbols),
        filename="<linked>",
    )
    return parse(merged.to_ptx(), filename="<linked>")


def _stays(word: str) -> bool:
    """Whether the module has a word of `.target` of one of them: without debug sections there is no `debug`."""
    return not is_architecture(word) and word != "debug"


def _agree(modules: Sequence[Module]) -> None:
    sizes = {module.address_size or 64 for module in modules}
    if len(sizes) > 1:
        raise LinkError("modules with 32-bit and 64-bit addresses cannot be linked")


def _latest(modules: Sequence[Module]) -> str:
    """The target of the latest architecture; of one number, that with a suffix."""

    def key(name: str) -> tuple[int, str]:
        found = TARGETS.get(name)
        return (found.number, found.suffix) if found is not None else (0, name)

    return max((module.target for module in modules), key=key)


def _symbols(module: Module) -> list[Symbol]:
    return [item for item in module.items if isinstance(item, (Function, Variable))]


def _public(symbol: Symbol) -> bool:
    return bool(symbol.linkage) or (isinstance(symbol, Function) and symbol.kernel)


def _rename_private(modules: Sequence[Module]) -> None:
    """Give names that belong to one module, and that others use too, a number."""
    used: dict[str, set[int]] = {}
    for number, module in enumerate(modules):
        for symbol in _symbols(module):
            used.setdefault(symbol.name, set()).add(number)
    for number, module in enumerate(modules):
        public = {symbol.name for symbol in _symbols(module) if _public(symbol)}
        for name in dict.fromkeys(symbol.name for symbol in _symbols(module)):
            if name in public or len(used[name]) == 1:
                continue
            count, new = number, f"{name}_{number}"
            while new in used:
                count += 1
                new = f"{name}_{count}"
            used[new] = {number}
            rename(module, name, new)


def _defines(symbol: Symbol) -> bool:
    return symbol.linkage != "extern" and not (isinstance(symbol, Function) and not symbol.defined)


def _resolved(modules: Sequence[Module]) -> dict[str, Symbol]:
    """What each name stands for in the end."""
    chosen: dict[str, Symbol] = {}
    for module in modules:
        for symbol in _symbols(module):
            before = chosen.get(symbol.name)
            chosen[symbol.name] = symbol if before is None else _better(before, symbol)
    return chosen


def _better(one: Symbol, other: Symbol) -> Symbol:
    _compatible(one, other)
    if not (_defines(one) and _defines(other)):
        return other if _defines(other) else _larger(one, other) if not _defines(one) else one
    ranks = _RANK.get(one.linkage, 3), _RANK.get(other.linkage, 3)
    if ranks == (3, 3):
        raise LinkError(f"'{one.name}' is defined twice", hint="make one of them .weak to give way to the other")
    if ranks == (1, 1):
        return _larger(one, other)
    return one if ranks[0] >= ranks[1] else other


def _larger(one: Symbol, other: Symbol) -> Symbol:
    if isinstance(one, Variable) and isinstance(other, Variable):
        return max(one, other, key=lambda variable: (variable.dims, variable.align))
    return one


def _compatible(one: Symbol, other: Symbol) -> None:
    """Refuse a function and a variable of one name, and different spaces or parameters."""
    if isinstance(one, Function) and isinstance(other, Function):
        same = [(p.type, p.dims) for p in (*one.returns, *one.parameters)] == [
            (p.type, p.dims) for p in (*other.returns, *other.parameters)
        ]
    elif isinstance(one, Variable) and isinstance(other, Variable):
        same = one.space == other.space
    else:
        same = False
    if not same:
        raise LinkError(f"conflicting declarations of '{one.name}': {_head(one)} and {_head(other)}")


def _head(symbol: Symbol) -> str:
    if isinstance(symbol, Variable):
        return f".{symbol.space} .{symbol.type} {symbol.name}"
    return f"{'.entry' if symbol.kernel else '.func'} {symbol.name} with {len(symbol.parameters)} parameters"


def _items(modules: Sequence[Module], symbols: dict[str, Symbol]) -> list[Function | Variable | Directive | Section]:
    """Declarations of functions, then variables, then what has bodies, so that names come before their uses."""
    files: list[Directive] = []
    declared: list[Function | Variable | Directive | Section] = []
    variables: list[Function | Variable | Directive | Section] = []
    rest: list[Function | Variable | Directive | Section] = []
    for module in modules:
        shift = len(files)
        numbers = {file.number: shift + n + 1 for n, file in enumerate(_files(module))}
        for item in module.items:
            if isinstance(item, File):
                files.append(replace(item, number=numbers[item.number]))
            elif isinstance(item, Function):
                if symbols[item.name] is item:
                    _renumber(item, numbers)
                    rest.append(item)
            elif isinstance(item, Variable):
                if symbols[item.name] is item:
                    variables.append(item)
            elif not isinstance(item, Section):
                rest.append(item)
    for item in rest:
        if isinstance(item, Function) and not item.kernel:
            # ptxas wants a function declared before it is called or its address is taken, and modules may call each
            # other in a circle; a declaration of every function makes any order right.
            head = copy(item)
            head.body = None
            head.directives = [d for d in item.directives if d.name == "noreturn"]
            declared.append(head)
    bodies = [item for item in rest if not isinstance(item, Function) or item.defined]
    return [*files, *declared, *variables, *bodies]


def _files(module: Module) -> list[File]:
    return [item for item in module.items if isinstance(item, File)]


def _renumber(function: Function, numbers: dict[int, int]) -> None:
    """Let `.loc` name files by their numbers in the linked module."""
    for statement in function.walk():
        if isinstance(statement, Loc):
            location = statement.location
            # What is inlined names a label of a debug section, and those are left out.
            statement.location = replace(location, file=numbers.get(location.file, location.file), inlined=None)
