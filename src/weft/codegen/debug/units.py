"""Compile units: their functions, the scopes in these, variables, and tables of their names."""

from __future__ import annotations

from math import inf
from typing import Any

from weft.codegen.debug import entries
from weft.codegen.debug.entries import Entry, Value, reference
from weft.codegen.debug.metadata import blocks_around, field, function_around, listed, number, text, true, words
from weft.codegen.debug.notes import REGISTER, Location, Pieces, address_class
from weft.codegen.debug.types import Types, convention, is_unsigned
from weft.codegen.lines import Frame, LineTable, Scope, Subprogram, Variable

_FRAME_BASE = [".b8 156"]
"""DW_OP_call_frame_cfa."""
Lists = list[tuple[str, ...]]
"""The lists of `.debug_loc`, as lines each."""


class Unit:
    """A compile unit: its entries by what they are of.

    `inlined` are the functions, by `function_key`, that have been inlined somewhere, with the variables of each;
    `lists` takes the lists of locations.  Without `full` functions have a name only.
    """

    def __init__(
        self, lines: LineTable, root: Entry, language: str, inlined: dict[Any, list[Any]], lists: Lists, *, full: bool
    ) -> None:
        self._lines = lines
        self.root = root
        self.types = Types(root, language, lines.file, nested=full)
        self._inlined = inlined
        self._lists = lists
        self._full = full
        self._abstract: dict[Any, tuple[Entry, dict[Any, Entry]]] = {}
        self._functions: dict[Any, Entry] = {}
        self.names: dict[str, Entry] = {}
        """The functions and variables of the unit, with the namespaces around them."""

    def _name(self, name: str, prefix: str, entry: Entry) -> None:
        if name:
            self.names[prefix + name] = entry

    # -- functions ----------------------------------------------------------------------------------------------------

    def subprogram(self, function: Subprogram) -> None:
        """Add a function with code."""
        metadata = function.frame.subprogram if function.frame is not None else None
        values = [entries.address(entries.LOW, function.begin), entries.address(entries.HIGH, function.end)]
        if self._full:
            values.append(entries.block(entries.FRAME_BASE, _FRAME_BASE))
        origins: dict[Any, Entry] = {}
        key = function_key(function.frame)
        if function.frame is not None and key in self._inlined:
            abstract, origins = self._abstraction(function.frame)
            values += reference(entries.ORIGIN, abstract)
        else:
            values += self._declared(function.frame, function.name, external=function.external)
        entry = entries.new("subprogram", values)
        outer, prefix = self.types.around(field(metadata, "scope"))
        outer.children.append(entry)
        self._functions.setdefault(metadata, entry)
        if not origins:
            self._name(text(metadata, "name") or function.name, prefix, entry)
        self._scope(function.scope, entry, origins)
        if not origins:
            known = {id(variable.metadata) for variable in _variables(function.scope)}
            rest = [v for v in listed(metadata, "retainedNodes") if v.name == "llvm.di_local_variable"]
            rest = [v for v in rest if id(v) not in known and not blocks_around(field(v, "scope"))]
            entry.children += [self._variable(v, {}) for v in rest]

    def _declared(self, frame: Frame | None, name: str, *, external: bool) -> list[Value]:
        """Names, place and type of a function."""
        metadata = frame.subprogram if frame is not None else None
        own = text(metadata, "name") or name
        if not self._full:
            return [entries.named(entries.NAME, own)]
        linkage = text(metadata, "linkageName")
        values: list[Value] = [entries.named(entries.NAME, own)]
        if linkage and linkage != own:
            values.insert(0, entries.named(entries.LINKAGE_NAME, linkage))
        if metadata is not None:
            values += self.types.declared(metadata)
            values += self.types.result(listed(field(metadata, "type"), "types"))
            values += convention(field(metadata, "type"))
            if "LocalToUnit" not in words(metadata, "subprogramFlags"):
                values.append(entries.flag(entries.EXTERNAL))
        elif frame is not None:
            values += [entries.data(entries.FILE, self._lines.file(frame.file)), entries.data(entries.LINE, frame.line)]
            if external:
                values.append(entries.flag(entries.EXTERNAL))
        return values

    def _abstraction(self, frame: Frame) -> tuple[Entry, dict[Any, Entry]]:
        """The function that was inlined, without code of its own, and its variables and blocks."""
        key = function_key(frame)
        if key not in self._abstract:
            name = frame.function or "(inlined)"
            values = [*self._declared(frame, name, external=False), entries.data(entries.INLINE, 1)]
            entry = entries.new("subprogram", values)
            outer, prefix = self.types.around(field(frame.subprogram, "scope"))
            outer.children.append(entry)
            self._functions[frame.subprogram] = entry
            self._name(text(frame.subprogram, "name") or name, prefix, entry)
            inside: dict[Any, Entry] = {}
            self._abstract[key] = entry, inside
            variables = _ordered([*self._inlined.get(key, ()), *listed(frame.subprogram, "retainedNodes")])
            needed = {field(variable, "scope") for variable in variables}
            for variable in variables:
                self._abstract_variable(variable, entry, inside, needed)
        return self._abstract[key]

    def _abstract_variable(self, variable: Any, entry: Entry, inside: dict[Any, Entry], needed: set[Any]) -> None:
        if variable in inside or variable.name != "llvm.di_local_variable":
            return
        for block in blocks_around(field(variable, "scope")):
            if block not in inside and block not in needed:
                continue
            if block not in inside:
                inside[block] = entries.new("lexical_block")
                entry.children.append(inside[block])
            entry = inside[block]
        inside[variable] = self._variable(variable, {})
        entry.children.append(inside[variable])

    # -- scopes -------------------------------------------------------------------------------------------------------

    def _scope(self, scope: Scope, entry: Entry, origins: dict[Any, Entry]) -> None:
        """Put what is in a scope into its entry."""
        for variable in sorted(scope.variables, key=lambda variable: _position(variable.metadata)):
            found = self._variable(variable.metadata, origins)
            found.values[:0] = self._location(variable)
            entry.children.append(found)
        for inner in scope.inside.values():
            stretch = [entries.address(entries.LOW, inner.begin), entries.address(entries.HIGH, inner.end)]
            if inner.frame is not None and inner.caller is not None:
                abstract, theirs = self._abstraction(inner.frame)
                caller = inner.caller
                values = [
                    *reference(entries.ORIGIN, abstract), *stretch,
                    entries.data(entries.CALL_FILE, self._lines.file(caller.file)),
                    entries.data(entries.CALL_LINE, caller.line),
                    entries.data(entries.CALL_COLUMN, caller.column),
                ]  # fmt: skip
                made = entries.new("inlined", values)
                self._scope(inner, made, theirs)
                entry.children.append(made)
            elif inner.variables:
                origin = origins.get(inner.block)
                made = entries.new("lexical_block", [*stretch, *reference(entries.ORIGIN, origin)])
                self._scope(inner, made, origins)
                entry.children.append(made)
            else:
                self._scope(inner, entry, origins)  # A block without variables says nothing.

    # -- variables ----------------------------------------------------------------------------------------------------

    def _variable(self, metadata: Any, origins: dict[Any, Entry]) -> Entry:
        """The entry of a variable, which refers to that of an inlined function if that has one."""
        found = entries.new("parameter" if number(metadata, "arg") else "variable")
        origin = origins.get(metadata)
        if origin is not None:
            found.values += reference(entries.ORIGIN, origin)
            return found
        if name := text(metadata, "name"):
            found.values.append(entries.named(entries.NAME, name))
        found.values += self.types.declared(metadata)
        found.values += self.types.of(metadata)
        if "Artificial" in words(metadata, "flags"):
            found.values.append(entries.flag(entries.ARTIFICIAL))
        return found

    def _location(self, variable: Variable) -> list[Value]:
        """Where a variable is."""
        of = field(variable.metadata, "type")
        if isinstance(variable.fixed, Pieces):
            return [entries.block(entries.LOCATION, variable.fixed.expression(unsigned=True))]
        if variable.fixed is not None:
            space = entries.data(entries.ADDRESS_CLASS, variable.fixed.space)
            return [space, _fixed(variable.fixed, of)]
        if not variable.ranges:
            return []
        unsigned = is_unsigned(of)
        lines: list[str] = []
        for each in variable.ranges:
            expression = each.location.expression(unsigned=unsigned)
            size = entries.numbers(entries.length(expression).to_bytes(2, "little"))
            lines += [f".b64 {each.begin}", f".b64 {each.end}", size, *expression]
        label = f"$L__debug_loc{len(self._lists)}"
        self._lists.append((f"{label}:", *lines, ".b64 0", ".b64 0"))
        return [entries.section(entries.LOCATION, label)]

    def variable(self, described: Any, symbol: str, space: str) -> None:
        """Add a variable of the module, which an expression describes that is its address."""
        metadata = field(described, "var")
        known = address_class(space)
        operations = _class_of(field(described, "expr"))
        if operations is not None:
            known = operations
        values: list[Value] = []
        name, linkage = text(metadata, "name"), text(metadata, "linkageName")
        if name:
            values.append(entries.named(entries.NAME, name))
        values += self.types.of(metadata)
        if not true(metadata, "isLocalToUnit"):
            values.append(entries.flag(entries.EXTERNAL))
        values += self.types.declared(metadata)
        if not true(metadata, "isDefined"):
            values.append(entries.flag(entries.DECLARATION))
        if bits := number(metadata, "alignInBits"):
            values.append(entries.unsigned(entries.ALIGNMENT, bits // 8))
        place = Location(symbol=symbol, memory=True).expression(unsigned=True)
        values += [entries.data(entries.ADDRESS_CLASS, known), entries.block(entries.LOCATION, place)]
        if linkage:
            values.append(entries.named(entries.LINKAGE_NAME, linkage))
        entry = entries.new("variable", values)
        outer, prefix = self.types.around(field(metadata, "scope"))
        self._functions.get(function_around(field(metadata, "scope")), outer).children.append(entry)
        self._name(name, prefix, entry)


def _fixed(location: Location, of: Any) -> Value:
    """The one location of a variable, or what it always is."""
    if location.constant is None or location.space != REGISTER:
        return entries.block(entries.LOCATION, location.expression(unsigned=True))
    if location.unsigned or is_unsigned(of):
        return entries.unsigned(entries.CONSTANT, location.constant & (1 << 64) - 1)
    return entries.signed(entries.CONSTANT, location.constant)


def _class_of(expression: Any) -> int | None:
    """The address class that the expression of a variable names: `constu N, swap, xderef`."""
    if expression is None:
        return None
    parts = [tuple(part.data for part in operation.data) for operation in expression.operations.data]
    names = [part[0] for part in parts]
    if names[-3:] == ["DW_OP_constu", "DW_OP_swap", "DW_OP_xderef"] and len(parts[-3]) == 2:
        return int(parts[-3][1])
    return None


def function_key(frame: Frame | None) -> Any:
    """What tells a function apart: its metadata, or its name and file."""
    if frame is None:
        return None
    return frame.subprogram if frame.subprogram is not None else (frame.function, frame.file)


def inlined_functions(functions: list[Subprogram]) -> dict[Any, list[Any]]:
    """The functions that have been inlined anywhere, with the variables that are known of each."""
    found: dict[Any, list[Any]] = {}
    todo: list[tuple[Scope, Any]] = [(function.scope, None) for function in functions]
    while todo:
        scope, around = todo.pop()
        if scope.frame is not None:
            around = function_key(scope.frame)
            found.setdefault(around, [])
        if around is not None:
            found[around] += [variable.metadata for variable in scope.variables]
        todo += [(inner, around) for inner in scope.inside.values()]
    return found


def _variables(scope: Scope) -> list[Variable]:
    return [*scope.variables, *(v for inner in scope.inside.values() if inner.frame is None for v in _variables(inner))]


def _ordered(variables: list[Any]) -> list[Any]:
    """Parameters first, in their order."""
    return sorted(variables, key=_position)


def _position(variable: Any) -> float:
    return number(variable, "arg") or inf
