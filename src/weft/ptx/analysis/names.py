"""The names of a function body by scope: labels, branch tables and registers, as `{ ... }` nests them."""

from __future__ import annotations

from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.ptx.ast import Block, Function, LabelledDirective, RegisterDeclaration, Statement
from weft.ptx.names import Names, numbered
from weft.ptx.operands import Register


@dataclass(frozen=True, slots=True)
class DeclaredRegister:
    """A virtual register: its name, its type without the dot, and its number of elements (1 for a scalar)."""

    name: str
    type: str
    elements: int = 1

    @property
    def predicate(self) -> bool:
        """Whether it is a predicate: those have a register file of their own."""
        return self.type == "pred"

    @property
    def words(self) -> int:
        """The 32-bit registers that it takes: 0 for a predicate, 1 for 32 bits and fewer, 2 for 64, 4 for 128."""
        known = TYPES.get(self.type)
        return 0 if known is None or self.predicate else -(-known.bits // 32) * self.elements


class Scope:
    """The names that one `{ ... }` declares, and the scope around it.

    `labels` holds the index of the basic block that each label starts, `tables` the labelled directives.  Registers
    are numbered through the whole function in the order of their first use, so that equal names of different scopes
    have different numbers; `registers` is the list of them all, shared by the function's scopes.
    """

    __slots__ = ("_cache", "_declared", "_numbers", "labels", "outer", "registers", "tables")

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.labels: Names[int] = Names(outer.labels if outer else None)
        self.tables: Names[LabelledDirective] = Names(outer.tables if outer else None)
        self.registers: list[DeclaredRegister] = outer.registers if outer else []
        self._declared: Names[tuple[str, int]] = Names()
        self._numbers: dict[str, int] = {}
        self._cache: dict[str, int | None] = {}

    def declare(self, declaration: RegisterDeclaration) -> None:
        """Add the registers of a `.reg` line."""
        elements = int(declaration.vector[1:]) if declaration.vector else 1
        for name, count in declaration.names:
            self._declared.put(name, (declaration.type, elements), count)
        self._cache.clear()

    def register(self, register: Register) -> int | None:
        """The number of a register; None for what is declared nowhere (special registers, mistakes)."""
        try:
            return self._cache[register.name]
        except KeyError:
            pass
        number: int | None = None
        scope: Scope | None = self
        while scope is not None and number is None:
            number = scope._own(register.base)
            scope = scope.outer
        self._cache[register.name] = number
        return number

    def _own(self, name: str) -> int | None:
        """The number of a register of this very scope."""
        found = self._declared.own(name)
        if found is None:
            return None
        if name not in self._declared.singles:  # `%r007` is `%r7`.
            name = "{}{}".format(*numbered(name))
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self.registers)
            self.registers.append(DeclaredRegister(name, *found))
        return number


def scoped_statements(function: Function) -> Iterator[tuple[Scope, Statement]]:
    """Every statement of a body in text order with its scope; `Block` gives way to its contents.

    Declares registers and labelled directives on the way; labels are the caller's.
    """
    outer = Scope()
    for formal in (*function.returns, *function.parameters):
        if formal.space == "reg":
            outer.declare(RegisterDeclaration(formal.type, ((formal.name, 0),), formal.vector))
    stack: list[tuple[Scope, Iterator[Statement]]] = [(outer, iter(function.body or ()))]
    while stack:  # Scopes may nest deeper than Python's stack.
        scope, statements = stack[-1]
        for statement in statements:
            if isinstance(statement, Block):
                stack.append((Scope(scope), iter(statement.body)))
                break
            if isinstance(statement, RegisterDeclaration):
                scope.declare(statement)
            elif isinstance(statement, LabelledDirective):
                scope.tables.put(statement.label, statement)
            yield scope, statement
        else:
            stack.pop()
