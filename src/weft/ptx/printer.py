"""The canonical text of a module: what `Module.to_ptx` returns.

One statement a line, bodies indented by tabs, labels at the margin, one blank between words and after commas.
Canonical text is a fixed point: parsing it and printing the result gives the same text, and a printed module parses
to an equal one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from weft.ptx.body_nodes import Instruction, Label, RegisterDeclaration, Variable
from weft.ptx.directive_nodes import Loc, attributes_text
from weft.ptx.operands import Operand

if TYPE_CHECKING:
    from weft.ptx.ast import Block, Directive, Function, Module, Section, Statement


def print_module(module: Module) -> str:
    """The canonical text of a module."""
    printer = Printer()
    printer.module(module)
    return "\n".join(printer.lines) + "\n"


def print_function(function: Function) -> str:
    """The canonical text of one function."""
    return item_text(function) + "\n"


def item_text(item: Function | Section) -> str:
    """The text of a function or a section, without a newline at its end."""
    printer = Printer()
    printer.item(item)
    return "\n".join(printer.lines)


def block_text(block: Block) -> str:
    """The text of a nested scope, its braces at the margin."""
    printer = Printer()
    printer.body([block])
    return "\n".join(line.removeprefix("\t") for line in printer.lines)


class Printer:
    """Collects the lines of a module's canonical text.

    `marks` takes, for each printed thing that has a place in the source, the number of its first line and its
    offset; the formatter puts comments back by them.  Operand texts are kept by the identity of the operand tuples,
    which the parser shares.
    """

    def __init__(self, marks: list[tuple[int, int]] | None = None) -> None:
        self.lines: list[str] = []
        self.marks = marks
        self.texts: dict[int, str] = {}
        self.operand_texts: dict[int, str] = {}

    def mark(self, pos: int) -> None:
        """Note that the next line comes from an offset of the source."""
        if self.marks is not None and pos != -1:
            self.marks.append((len(self.lines), pos))

    def module(self, module: Module) -> None:
        """Header and items, with a blank line between groups."""
        lines = self.lines
        if module.banner:
            lines += [f"//{line}" for line in module.banner]
            lines.append("")
        lines.append(f".version {module.version[0]}.{module.version[1]}")
        lines.append(f".target {', '.join(module.targets)}")
        if module.address_size is not None:
            lines.append(f".address_size {module.address_size}")
        previous: object = None
        for item in module.items:
            if item.holder or type(item) is not type(previous):
                lines.append("")
            self.item(item)
            previous = item

    def item(self, item: Function | Variable | Directive | Section) -> None:
        """One module-level item."""
        self.mark(item.pos)
        if item.holder == "function":
            self.function(cast("Function", item))
        elif item.holder:
            self.section(cast("Section", item))
        else:
            self.lines.append(str(item))

    def section(self, section: Section) -> None:
        """A debug section."""
        self.lines.append(f".section {section.name}")
        self.mark(section.opening)
        self.lines.append("{")
        self.section_lines(section)
        self.mark(section.end)
        self.lines.append("}")

    def section_lines(self, section: Section) -> None:
        """What is between a section's braces."""
        self.lines += [f"\t{line}" for line in section.lines]

    def function(self, function: Function) -> None:
        """A function: signature, directives, body."""
        lines = self.lines
        self.signature(function)
        for directive in function.directives:
            self.mark(directive.pos)
            lines.append(str(directive))
        if function.body is None:
            lines[-1] += ";"
            return
        self.mark(function.opening)
        lines.append("{")
        self.body(function.body)
        self.mark(function.end)
        lines.append("}")

    def signature(self, function: Function) -> None:
        """`.visible .entry name(` and its parameters, one a line; `()` when there are none."""
        words = [f".{function.linkage}"] if function.linkage else []
        words.append(".entry" if function.kernel else ".func")
        if function.attributes:
            words.append(attributes_text(function.attributes))
        if function.returns:
            words.append(f"({', '.join(map(str, function.returns))})")
        start = " ".join((*words, function.name))
        if not function.parameters:
            self.lines.append(start + "()")
            return
        self.lines.append(start + "(")
        for parameter in function.parameters:
            self.mark(parameter.pos)
            self.lines.append(f"\t{parameter},")
        self.lines[-1] = self.lines[-1][:-1]
        self.lines.append(")")

    def body(self, body: list[Statement]) -> None:
        """The statements of a body, its leading declarations set off by a blank line; nested scopes are indented."""
        lines, texts, marks = self.lines, self.texts, self.marks
        append = lines.append
        indent = "\t"
        declared = _leading_declarations(body)
        enclosing: list[tuple[Iterator[Statement], int]] = []
        rest = iter(body)
        while True:
            for statement in rest:
                if marks is not None and statement.pos != -1:
                    marks.append((len(lines), statement.pos))
                if type(statement) is Instruction:
                    operands = statement.operands
                    text = texts.get(id(operands))
                    if text is None:
                        text = texts[id(operands)] = self.operand_list(operands)
                    if statement.guard is None:
                        append(f"{indent}{statement.opcode.text}{text};")
                    else:
                        append(f"{indent}{statement.guard} {statement.opcode.text}{text};")
                elif type(statement) is Label:
                    append(statement.name + ":")
                elif type(statement) is Loc:
                    location = statement.location
                    text = texts.get(id(location))
                    if text is None:
                        text = texts[id(location)] = f".loc {location}"
                    append(indent + text)
                elif statement.holder:
                    scope = cast("Block", statement)
                    append(indent + "{")
                    indent += "\t"
                    enclosing.append((rest, scope.end))
                    rest = iter(scope.body)
                    break
                else:
                    append(indent + str(statement))
                    if not enclosing and declared:
                        declared -= 1
                        if not declared:
                            append("")
            else:
                if not enclosing:
                    return
                rest, end = enclosing.pop()
                indent = indent[:-1]
                self.mark(end)
                append(indent + "}")

    def operand_list(self, operands: tuple[Operand, ...]) -> str:
        """The operands' text with a blank before it, or an empty text."""
        if not operands:
            return ""
        texts = self.operand_texts
        parts: list[str] = []
        for operand in operands:
            text = texts.get(id(operand))
            if text is None:
                text = texts[id(operand)] = str(operand)
            parts.append(text)
        return " " + ", ".join(parts)


def _leading_declarations(body: list[Statement]) -> int:
    """How many declarations a body starts with; 0 when nothing else follows them."""
    for count, statement in enumerate(body):
        if not isinstance(statement, RegisterDeclaration | Variable):
            return count
    return 0
