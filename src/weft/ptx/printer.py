"""The canonical text of a module: what `Module.to_ptx` returns.

One statement a line, bodies indented by tabs, labels at the margin, one blank between words and after commas.
Canonical text is a fixed point: parsing it and printing the result gives the same text, and a printed module parses
to an equal one.
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.ptx.ast import (
    Block,
    Directive,
    Function,
    Instruction,
    Label,
    LabelledDirective,
    Module,
    Parameter,
    RegisterDeclaration,
    Section,
    Statement,
    Variable,
)
from weft.ptx.operands import Operand

_ENDED = frozenset({"pragma", "alias"})
"""Directives that end with a semicolon."""


def print_module(module: Module) -> str:
    """The canonical text of a module."""
    printer = Printer()
    printer.module(module)
    return "\n".join(printer.lines) + "\n"


def print_function(function: Function) -> str:
    """The canonical text of one function."""
    printer = Printer()
    printer.function(function)
    return "\n".join(printer.lines) + "\n"


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
        if self.marks is not None and pos >= 0:
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
            if isinstance(item, Function | Section) or type(item) is not type(previous):
                lines.append("")
            self.item(item)
            previous = item

    def item(self, item: Function | Variable | Directive | Section) -> None:
        """One module-level item."""
        self.mark(item.pos)
        if isinstance(item, Function):
            self.function(item)
        elif isinstance(item, Variable):
            self.lines.append(variable_text(item))
        elif isinstance(item, Directive):
            self.lines.append(directive_text(item))
        else:
            self.lines.append(f".section {item.name}")
            self.mark(item.opening)
            self.lines.append("{")
            self.section_lines(item)
            self.mark(item.end)
            self.lines.append("}")

    def section_lines(self, section: Section) -> None:
        """What stands between a section's braces."""
        self.lines += [f"\t{line}" for line in section.lines]

    def function(self, function: Function) -> None:
        """A function: signature, directives, body."""
        lines = self.lines
        self.signature(function)
        for directive in function.directives:
            self.mark(directive.pos)
            lines.append(directive_text(directive))
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
            words.append(_attributes(function.attributes))
        if function.returns:
            words.append(f"({', '.join(map(parameter_text, function.returns))})")
        start = " ".join((*words, function.name))
        if not function.parameters:
            self.lines.append(start + "()")
            return
        self.lines.append(start + "(")
        for parameter in function.parameters:
            self.mark(parameter.pos)
            self.lines.append(f"\t{parameter_text(parameter)},")
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
                if marks is not None and statement.pos >= 0:
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
                elif type(statement) is Block:
                    append(indent + "{")
                    indent += "\t"
                    enclosing.append((rest, statement.end))
                    rest = iter(statement.body)
                    break
                else:
                    append(indent + statement_text(statement))
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


def statement_text(statement: Statement) -> str:
    """The text of a statement that is neither an instruction, a label nor a block, without indentation."""
    if isinstance(statement, RegisterDeclaration):
        return register_text(statement)
    if isinstance(statement, Variable):
        return variable_text(statement)
    if isinstance(statement, LabelledDirective):
        arguments = f" {statement.arguments}" if statement.arguments else ""
        return f"{statement.label}: .{statement.name}{arguments};"
    if isinstance(statement, Directive):
        return directive_text(statement)
    raise TypeError(f"{type(statement).__name__} has no text of its own")


def directive_text(directive: Directive) -> str:
    """A directive's text with its dot, and its semicolon where it takes one."""
    dot = "" if directive.name.startswith("@@") else "."
    arguments = f" {directive.arguments}" if directive.arguments else ""
    return f"{dot}{directive.name}{arguments}{';' if directive.name in _ENDED else ''}"


def register_text(declaration: RegisterDeclaration) -> str:
    """`.reg .v2 .b32 %a, %r<5>;`"""
    names = ", ".join(f"{name}<{count}>" if count else name for name, count in declaration.names)
    vector = f" .{declaration.vector}" if declaration.vector else ""
    return f".reg{vector} .{declaration.type}{' ' if names else ''}{names};"


def variable_text(variable: Variable) -> str:
    """`.visible .global .attribute(.managed) .align 4 .b32 name[3] = {1, 2, 3};`"""
    words = [f".{variable.linkage}"] if variable.linkage else []
    words.append(f".{variable.space}")
    if variable.attributes:
        words.append(_attributes(variable.attributes))
    if variable.align:
        words.append(f".align {variable.align}")
    if variable.vector:
        words.append(f".{variable.vector}")
    words.append(f".{variable.type}")
    count = f"<{variable.count}>" if variable.count else ""
    words.append(f"{variable.name}{count}{_extents(variable.dims)}")
    if variable.initializer:
        words += ["=", variable.initializer]
    return " ".join(words) + ";"


def parameter_text(parameter: Parameter) -> str:
    """`.param .align 8 .b8 name[16]`, `.param .u64 .ptr .global .align 16 name`."""
    words = [f".{parameter.space}"]
    if parameter.align:
        words.append(f".align {parameter.align}")
    if parameter.vector:
        words.append(f".{parameter.vector}")
    words.append(f".{parameter.type}")
    if parameter.pointer is not None:
        words.append(".ptr")
        if parameter.pointer.space:
            words.append(f".{parameter.pointer.space}")
        if parameter.pointer.align:
            words.append(f".align {parameter.pointer.align}")
    words.append(parameter.name + _extents(parameter.dims))
    return " ".join(words)


def _attributes(attributes: tuple[str, ...]) -> str:
    return f".attribute({', '.join(f'.{attribute}' for attribute in attributes)})"


def _extents(dims: tuple[int, ...]) -> str:
    return "".join("[]" if extent < 0 else f"[{extent}]" for extent in dims)
