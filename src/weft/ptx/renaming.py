"""Renaming what a module, a function or a block declares, everywhere it is meant and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from weft.errors import WeftError, meant, near_names
from weft.isa.registers import SPECIAL_REGISTERS
from weft.ptx.ast import (
    Block,
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    RegisterDeclaration,
    Section,
    Statement,
    Variable,
)
from weft.ptx.directive_nodes import Alias, CallPrototype, Loc, TargetList
from weft.ptx.lexical import IDENTIFIER
from weft.ptx.names import Names, numbered
from weft.ptx.operands import Element, Operand, Register, Symbol
from weft.ptx.values import AddressByte, GenericAddress, Value, ValueList
from weft.ptx.visit import replaced, walk

_IDENTIFIER = re.compile(IDENTIFIER, re.ASCII)
_IN_DEBUG_DATA = re.compile(r"(?<![\w$.%])[A-Za-z_$%][\w$]*+")
_Change = Callable[[str], str]


def declared_names(scope: Module | Function | Block) -> Names[str]:
    """What a module, a function or a block declares itself; inner scopes have names of their own.

    Each name is `register`, `variable`, `parameter`, `function`, `label` or `table` (a directive with a label).
    """
    names: Names[str] = Names()
    if isinstance(scope, Module):
        for item in scope.items:
            if isinstance(item, Function):
                names.put(item.name, "function")
            elif isinstance(item, Variable):
                names.put(item.name, "variable", item.count)
            elif isinstance(item, Alias):
                names.put(item.alias, "function")
        return names
    if isinstance(scope, Function):
        for parameter in (*scope.returns, *scope.parameters):
            names.put(parameter.name, "register" if parameter.space == "reg" else "parameter")
    for statement in scope.body or ():
        if isinstance(statement, RegisterDeclaration):
            for name, count in statement.names:
                names.put(name, "register", count)
        elif isinstance(statement, Variable):
            names.put(statement.name, "variable", statement.count)
        elif isinstance(statement, Label):
            names.put(statement.name, "label")
        elif isinstance(statement, TargetList | CallPrototype):
            names.put(statement.label, "table")
    return names


def rename(module: Module, old: str, new: str, *, scope: Function | Block | None = None) -> int:
    """Rename what `scope` declares (the module, when it is None); returns how many places have changed.

    Registers, labels, variables, parameters, functions and directives with labels alike. All that means the same thing
    is renamed: uses in inner blocks that do not declare the name anew, initial values, aliases, lists of targets, the
    debug sections' labels. A range is renamed by its prefix (`"%r"` for `%r<8>`); one register of a range gets a
    declaration of its own.

    Raises WeftError when `old` is not declared in `scope` itself, when `new` is no identifier or is taken there, and
    when the new name would be captured: where an inner block declares it, or where it already means something else.
    """
    return _Renaming(module, scope or module, old, new).run()


class _Renaming:
    def __init__(self, module: Module, scope: Module | Function | Block, old: str, new: str) -> None:
        self.module, self.scope, self.old, self.new = module, scope, old, new
        self.own = declared_names(scope)
        if old not in self.own.singles and old not in self.own.ranges and self.own.own(old) is None:
            raise self._unknown()
        self.kind = self.own.singles.get(old) or (self.own.ranges[old][0] if old in self.own.ranges else "register")
        self.count = 0 if old in self.own.singles else self.own.ranges.get(old, ("", 0))[1]
        self.single_of_range = not self.count and old not in self.own.singles
        self.changed = 0
        if _IDENTIFIER.fullmatch(new) is None or new.partition(".")[0] in SPECIAL_REGISTERS:
            raise WeftError(
                f"'{new}' cannot be the name of a {self.kind}",
                hint="use letters, digits, _ and $, with an optional leading %",
            )
        if new.startswith("%") and self.kind in ("label", "table"):
            raise WeftError(f"'{new}' cannot be the name of a {self.kind}", hint="% marks registers")

    def run(self) -> int:
        if self.old == self.new:
            return 0
        if not self._free(self.own):
            raise WeftError(f"'{self.new}' is already declared there", hint="use fresh_name for an unused name")
        places = list(self._scopes())
        for names, statements in places:
            self._check(names, statements)
        for names, statements in places:
            for statement in statements:
                self._statement(statement, names)
        self._declaration()
        if self.kind in ("label", "function", "variable", "table"):
            self._debug_sections()
        return self.changed

    # ---- which names are meant ----

    def _unknown(self) -> WeftError:
        where = "the module" if isinstance(self.scope, Module) else "this scope itself"
        hint = meant(near_names(self.old, [*self.own.singles, *self.own.ranges]))
        return WeftError(f"{where} does not declare '{self.old}'", hint=hint)

    def _meant(self, name: str) -> bool:
        """Whether a name, looked up in the scope itself, is one of those to be renamed: `%r07` is `%r7` of `%r<8>`."""
        if self.count:
            return self._in_range(name, self.old)
        return name == self.old or (self.single_of_range and numbered(name) == numbered(self.old))

    def _in_range(self, name: str, prefix: str) -> bool:
        found, number = numbered(name)
        return found == prefix and 0 <= number < self.count

    def _taken(self, name: str) -> bool:
        """Whether a name is one of the new ones."""
        return self._in_range(name, self.new) if self.count else name == self.new

    def _renamed(self, name: str) -> str:
        if not self._meant(name):
            return name
        return self.new + name[len(self.old) :] if self.count else self.new

    def _free(self, names: Names[str]) -> bool:
        if self.count:
            return self.new not in names.ranges and not any(map(self._taken, names.singles))
        return names.own(self.new) is None

    # ---- where they may be ----

    def _scopes(self) -> Iterator[tuple[tuple[Names[str], ...], list[Statement]]]:
        """Each scope inside, with the names that the scopes between it and the renaming's declare."""
        todo: list[tuple[tuple[Names[str], ...], Function | Block]] = []
        if isinstance(self.scope, Module):
            todo += [((declared_names(f),), f) for f in self.module.functions if f.body is not None]
        else:
            todo.append(((), self.scope))
        while todo:
            names, holder = todo.pop()
            body = holder.body or []
            yield names, body
            for statement in body:
                if isinstance(statement, Block):
                    todo.append(((*names, declared_names(statement)), statement))

    def _hidden(self, names: tuple[Names[str], ...], name: str) -> bool:
        return any(scope.own(name) is not None for scope in names)

    def _check(self, names: tuple[Names[str], ...], statements: list[Statement]) -> None:
        for used in dict.fromkeys(name for statement in statements for name in _names(statement)):
            if self._meant(used) and not self._hidden(names, used) and self._hidden(names, self._renamed(used)):
                raise WeftError(
                    f"cannot rename '{used}': a block that uses it already declares '{self._renamed(used)}'",
                    hint="use fresh_name for an unused name",
                )
            if self._taken(used) and not self._hidden(names, used) and self.own.own(used) is None:
                raise WeftError(f"'{used}' has a different meaning in this scope", hint="it would be captured")

    # ---- the change ----

    def _statement(self, statement: Statement, names: tuple[Names[str], ...]) -> None:
        def change(name: str) -> str:
            base, dot, member = name.partition(".")
            if not self._meant(base) or self._hidden(names, base):
                return name
            return self._renamed(base) + dot + member

        if _rename_in(statement, change):
            self.changed += 1

    def _declaration(self) -> None:
        scope = self.scope
        if isinstance(scope, Module):
            for item in scope.items:
                if isinstance(item, Function | Variable) and item.name == self.old:
                    item.name = self.new
                    self.changed += 1
                if isinstance(item, Variable):
                    self.changed += _rename_in(item, self._renamed)
                elif isinstance(item, Alias):
                    alias, target = self._renamed(item.alias), self._renamed(item.target)
                    self.changed += (alias, target) != (item.alias, item.target)
                    item.alias, item.target = alias, target
            return
        if isinstance(scope, Function):
            for parameter in (*scope.returns, *scope.parameters):
                if parameter.name == self.old:
                    parameter.name = self.new
                    self.changed += 1
        for index, statement in enumerate(scope.body or ()):
            if self._declare(statement):
                self.changed += 1
                return
            if self.single_of_range and isinstance(statement, RegisterDeclaration) and self._holds(statement):
                assert scope.body is not None
                scope.body.insert(index + 1, RegisterDeclaration(statement.type, ((self.new, 0),), statement.vector))
                self.changed += 1
                return

    def _holds(self, declaration: RegisterDeclaration) -> bool:
        names: Names[bool] = Names()
        for name, count in declaration.names:
            names.put(name, True, count)
        return names.own(self.old) is not None

    def _declare(self, statement: Statement) -> bool:
        if isinstance(statement, RegisterDeclaration):
            if any(name == self.old and bool(count) == bool(self.count) for name, count in statement.names):
                statement.names = tuple(
                    (self.new if name == self.old and bool(count) == bool(self.count) else name, count)
                    for name, count in statement.names
                )
                return True
        elif isinstance(statement, Variable | Label):
            if statement.name == self.old:
                statement.name = self.new
                return True
        elif isinstance(statement, TargetList | CallPrototype) and statement.label == self.old:
            statement.label = self.new
            return True
        return False

    def _debug_sections(self) -> None:
        def change(match: re.Match[str]) -> str:
            return self._renamed(match.group())

        for item in self.module.items:
            if isinstance(item, Section) and f"{self.old}:" not in item.lines:
                known = {line: _IN_DEBUG_DATA.sub(change, line) for line in set(item.lines) if self.old in line}
                if known:
                    item.lines = tuple(known.get(line, line) for line in item.lines)
                    self.changed += sum(line != new for line, new in known.items())


def _in_operand(operand: Operand, change: _Change) -> Operand:
    def one(part: Operand) -> Operand:
        if isinstance(part, Register):
            name = change(part.name)
            return part if name == part.name else Register(name)
        if isinstance(part, Symbol):
            name = change(part.name)
            return part if name == part.name else Symbol(name, part.offset, part.zero)
        if isinstance(part, Element):
            name = change(part.array)
            return part if name == part.array else Element(name, part.index)
        return part

    return replaced(operand, one)


def _in_value(value: Value, change: _Change) -> Value:
    if isinstance(value, ValueList):
        text = str(value)
        if not any(character.isalpha() for character in text):  # The many that hold numbers only.
            return value
        return ValueList(_in_value(element, change) for element in value)
    if isinstance(value, GenericAddress):
        return GenericAddress(replace(value.symbol, name=change(value.symbol.name)))
    if isinstance(value, AddressByte):
        address = _in_value(value.address, change)
        assert isinstance(address, Symbol | GenericAddress)
        return AddressByte(value.mask, address)
    return replace(value, name=change(value.name)) if isinstance(value, Symbol) else value


def _rename_in(statement: Statement, change: _Change) -> bool:
    """Change the names that a statement uses (not those it declares); whether there was one."""
    if isinstance(statement, Instruction):
        operands = tuple([_in_operand(operand, change) for operand in statement.operands])
        guard = statement.guard
        if guard is not None and (name := change(guard.register.name)) != guard.register.name:
            guard = Guard(Register(name), guard.negated)
        if guard is statement.guard and operands == statement.operands:
            return False
        statement.operands, statement.guard = operands, guard
        return True
    if isinstance(statement, Variable) and statement.initializer is not None:
        value = _in_value(statement.initializer, change)
        changed = value != statement.initializer
        statement.initializer = value
        return changed
    if isinstance(statement, TargetList):
        targets = tuple(replace(target, name=change(target.name)) for target in statement.targets)
        changed = targets != statement.targets
        statement.targets = targets
        return changed
    return False


def _names(statement: Statement) -> Iterator[str]:
    """The names that a statement uses, registers without their members."""
    if isinstance(statement, Block | Loc):
        return
    for node in walk(statement):
        if isinstance(node, Register):
            yield node.base
        elif isinstance(node, Symbol):
            yield node.name
        elif isinstance(node, Element):
            yield node.array
    if isinstance(statement, TargetList):
        yield from statement.names
