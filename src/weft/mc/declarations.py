"""Declarations, directives and function signatures into a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.mc.stream import StreamWriter
from weft.ptx.body_nodes import Parameter, PointerAttribute, RegisterDeclaration, Variable
from weft.ptx.directive_nodes import Attribute, Directive, LabelledDirective

if TYPE_CHECKING:
    from weft.ptx.ast import Function, Section

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
