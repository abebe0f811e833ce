"""Declarations, directives and function signatures out of a stream, as `weft.mc.declarations` wrote them."""

from __future__ import annotations

from weft.mc.declarations import DIRECTIVE, LABELLED, REGISTERS, VARIABLE, Declaration
from weft.mc.stream import StreamReader
from weft.ptx.ast import (
    Attribute,
    Directive,
    Function,
    Parameter,
    PointerAttribute,
    RegisterDeclaration,
    Section,
    Variable,
)
from weft.ptx.directives import read_attribute, read_directive, read_labelled
from weft.ptx.initializers import read_initializer
from weft.ptx.lexical import Cursor
from weft.ptx.values import Value


class DeclarationReader(StreamReader):
    """Reads entries; `kind` has been read before an entry's method is called."""

    def declaration(self) -> Declaration:
        """A declaration of any kind; raises ValueError for another entry."""
        kind = self.raw()
        if kind == VARIABLE:
            return self.variable()
        if kind == REGISTERS:
            type_, vector = self.text(), self.text()
            return RegisterDeclaration(type_, tuple(self.items(self._register)), vector)
        if kind == LABELLED:
            return read_labelled(self.text(), self.text(), self.text())
        raise ValueError("no declaration")

    def _register(self) -> tuple[str, int]:
        return self.text(), self.number()

    def variable(self) -> Variable:
        """A variable."""
        space, type_, name, vector, linkage, initializer = self.texts(6)
        align, count = self.integers(2)
        dims, attributes = tuple(self.items(self.number)), tuple(self.items(self._attribute))
        value = _initializer(initializer) if initializer else None
        return Variable(space, type_, name, align, vector, dims, value, linkage, attributes, count)

    def directive(self) -> Directive:
        """A directive."""
        return read_directive(self.text(), self.text(), self.number())

    def _attribute(self) -> Attribute:
        return read_attribute(self.text())

    def _counted_directive(self) -> Directive:
        if self.raw() != DIRECTIVE:
            raise ValueError("no directive")
        return self.directive()

    def section(self) -> tuple[Section, int]:
        """A debug section without its lines, and the number of its lines."""
        name, count = self.text(), self.natural()
        return Section(name, (), *self.integers(3)), count

    def parameter(self) -> Parameter:
        """A parameter."""
        type_, name, vector, space = self.texts(4)
        align, dims = self.number(), tuple(self.items(self.number))
        pointers = self.items(self._pointer)
        return Parameter(type_, name, align, dims, vector, space, pointers[0] if pointers else None, self.number())

    def _pointer(self) -> PointerAttribute:
        return PointerAttribute(self.text(), self.number())

    def function(self) -> tuple[Function, int, int]:
        """A function without its body, and the sizes of its body."""
        (name, linkage), kernel = self.texts(2), bool(self.number())
        attributes = tuple(self.items(self._attribute))
        parameters, returns = self.items(self.parameter), self.items(self.parameter)
        directives = self.items(self._counted_directive)
        pos, opening, end, statements, operands = self.integers(5)
        made = Function(name, kernel, parameters, returns, linkage, directives, None, attributes, pos, opening, end)
        return made, statements, operands


def _initializer(text: str) -> Value:
    """The initial value of a normalised text; raises PtxSyntaxError when it is none."""
    cursor = Cursor(text)
    value = read_initializer(cursor)
    if cursor.token:
        cursor.fail("the end of the value")
    return value
