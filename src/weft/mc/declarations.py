"""Declarations, directives and function signatures in a stream."""

from __future__ import annotations

from weft.mc.stream import StreamReader, StreamWriter
from weft.ptx.ast import (
    Attribute,
    Directive,
    Function,
    LabelledDirective,
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

Declaration = RegisterDeclaration | Variable | LabelledDirective

REGISTERS, VARIABLE, LABELLED, DIRECTIVE, SECTION, FUNCTION = range(6)
"""What an entry of a stream is: its first number."""


class DeclarationWriter(StreamWriter):
    """Writes entries; positions are written for module-level items only, statements have a column of their own."""

    def declaration(self, declaration: Declaration) -> None:
        """A declaration without its position."""
        if isinstance(declaration, Variable):
            self.variable(declaration)
        elif isinstance(declaration, RegisterDeclaration):
            self.numbers.append(REGISTERS)
            self.text(declaration.type)
            self.text(declaration.vector)
            self.items(declaration.names, self._register)
        else:
            self.numbers.append(LABELLED)
            for text in (declaration.label, declaration.name, declaration.arguments):
                self.text(text)

    def _register(self, pair: tuple[str, int]) -> None:
        self.text(pair[0])
        self.number(pair[1])

    def variable(self, variable: Variable) -> None:
        """A variable without its position."""
        self.numbers.append(VARIABLE)
        for text in (variable.space, variable.type, variable.name, variable.vector, variable.linkage):
            self.text(text)
        self.text("" if variable.initializer is None else str(variable.initializer))
        self.number(variable.align)
        self.number(variable.count)
        self.items(variable.dims, self.number)
        self.items(variable.attributes, self._attribute)

    def _attribute(self, attribute: Attribute) -> None:
        self.text(str(attribute))

    def directive(self, directive: Directive) -> None:
        """A directive with its position."""
        self.numbers.append(DIRECTIVE)
        self.text(directive.name)
        self.text(directive.arguments)
        self.number(directive.pos)

    def section(self, section: Section) -> None:
        """A debug section with its positions and the number of its lines, which have a column of their own."""
        self.numbers.append(SECTION)
        self.text(section.name)
        self.number(len(section.lines))
        for pos in (section.pos, section.opening, section.end):
            self.number(pos)

    def parameter(self, parameter: Parameter) -> None:
        """A parameter with its position."""
        for text in (parameter.type, parameter.name, parameter.vector, parameter.space):
            self.text(text)
        self.number(parameter.align)
        self.items(parameter.dims, self.number)
        self.items([] if parameter.pointer is None else [parameter.pointer], self._pointer)
        self.number(parameter.pos)

    def _pointer(self, pointer: PointerAttribute) -> None:
        self.text(pointer.space)
        self.number(pointer.align)

    def function(self, function: Function, statements: int, operands: int) -> None:
        """A function's signature and the sizes of its body: words and operands, -1 words for a declaration."""
        self.numbers.append(FUNCTION)
        self.text(function.name)
        self.text(function.linkage)
        self.number(function.kernel)
        self.items(function.attributes, self._attribute)
        self.items(function.parameters, self.parameter)
        self.items(function.returns, self.parameter)
        self.items(function.directives, self.directive)
        for number in (function.pos, function.opening, function.end, statements, operands):
            self.number(number)


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
