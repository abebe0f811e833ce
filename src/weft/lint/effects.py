"""What a statement tells the compiler beside what its instructions do: outputs, `volatile`, clobbers, declarations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from weft.errors import Severity
from weft.lint.judge import Found, Judged, declared_registers
from weft.lint.statements import Statement
from weft.lint.template import Mapped
from weft.ptx.analysis.access import registers
from weft.ptx.ast import Instruction
from weft.ptx.operands import Address

_LABEL = re.compile(r"(?:^|(?<=[;{}\s]))([A-Za-z$_][\w$]*):(?!:)")
_NAME = re.compile(r"[%$\w]+")
_NUMBERED = re.compile(r"%\d+")
_CONSTANT_SPACES = ("const", "param", "param::entry", "param::func")


class Writing:
    """Where the parts of a statement stand: what findings about whole statements point at."""

    def __init__(self, statement: Statement, mapped: Mapped) -> None:
        self.statement = statement
        self.mapped = mapped

    def keyword(self) -> tuple[int, int]:
        """The word `asm`."""
        return self.statement.start, self.statement.start + 3

    def operand(self, number: int) -> tuple[int, int]:
        """The constraint of an operand."""
        operand = self.statement.operands[number]
        return operand.start, operand.start + len(operand.constraint) + 2

    def part(self, start: int, end: int) -> tuple[int, int]:
        """A part of the template's PTX."""
        return self.mapped.source(start), self.mapped.source_end(end)


def check_operands(writing: Writing, judged: Judged, referred: set[int]) -> Iterator[Found]:
    """Operands that nothing refers to, outputs never written or read first, inputs that are written."""
    statement = writing.statement
    written: set[str] = set()
    whole: set[str] = set()
    read_first: set[str] = set()
    for instruction in judged.instructions:
        reads, writes = registers(instruction)
        read_first |= {register.name for register in reads} - written
        written |= {register.base for register in writes}
        if instruction.guard is None:
            whole |= {register.name for register in writes}
    branching = any(i.opcode.effects.control in ("branch", "call") for i in judged.instructions)
    for number, operand in enumerate(statement.operands):
        name, place = f"%{number}", writing.operand(number)
        if number not in referred:
            if not operand.constraint.startswith("+"):
                message = f"the template does not use operand %{number}"
                yield Found(*place, "unused", message, Severity.WARNING, "remove it, or use it in the template")
            continue
        if number >= len(statement.outputs):
            if name in written:
                message = f"the statement writes the input {name}"
                hint = f'make it an output, "+{operand.letters}"'
                yield Found(*place, "direction", message, Severity.ERROR, hint)
        elif name not in written:
            message = f"the statement never writes its output {name}"
            yield Found(*place, "direction", message, Severity.WARNING, f'make it an input, "{operand.letters}"')
        elif operand.constraint.startswith("=") and name in read_first and not branching:
            message = f'the statement reads {name} before writing it, but its constraint is "{operand.constraint}"'
            yield Found(*place, "direction", message, Severity.ERROR, f'write "+{operand.letters}"')


def check_declarations(writing: Writing, elsewhere: set[str]) -> Iterator[Found]:
    """Registers and labels that are declared outside braces, and registers that nothing uses."""
    text = writing.mapped.text
    counted = Counter(_NAME.findall(text))
    for match in re.finditer(r"\.reg\b", text):
        outside = text.count("{", 0, match.start()) <= text.count("}", 0, match.start())
        end = text.find(";", match.start())
        end = end if end != -1 else len(text)
        for _, name in declared_registers(text[match.start() : end + 1]):
            base = name.partition("<")[0].strip()
            start = text.find(base, match.start(), end)
            place = writing.part(start, start + len(base))
            if outside:
                message = f"register '{base}' is declared outside braces: a second copy of the statement redeclares it"
                hint = "put the statement's PTX into { }"
                yield Found(*place, "scope", message, Severity.WARNING, hint, token=base)
            if "<" not in name and counted[base] == 1 and base not in elsewhere:
                message = f"register '{base}' is declared but never used"
                yield Found(*place, "unused", message, Severity.WARNING, "remove the declaration", token=base)


def check_labels(writing: Writing, template: str) -> Iterator[Found]:
    """Labels outside braces that are the same in every copy of the statement."""
    text = writing.mapped.text
    for match in _LABEL.finditer(text):
        before = text[: match.start()]
        if before.count("{") > before.count("}") or f"{match[1][:-1]}%=" in template:
            continue
        message = f"label '{match[1]}' is outside braces: a second copy of the statement defines it again"
        yield Found(
            *writing.part(match.start(1), match.end(1)),
            "scope",
            message,
            Severity.WARNING,
            "put the statement's PTX into { }",
            token=match[1],
        )


def check_ordering(writing: Writing, judged: Judged) -> Iterator[Found]:
    """`volatile` and the memory clobber, where the instructions do what the compiler does not know of."""
    statement = writing.statement
    clobbers = statement.orders_memory
    volatile = statement.volatile or not statement.outputs  # Without outputs a statement is volatile by itself.
    place = writing.keyword()
    storing = next((i for i in judged.instructions if _orders(i)), None)
    reading = next((i for i in judged.instructions if _reads_what_changes(i)), None)
    if not volatile and not clobbers:
        culprit = storing or reading
        if culprit is not None:
            message = f"{_does(culprit)}, but the asm statement is not volatile, so it may be removed, merged or moved"
            yield Found(*place, "volatile", message, Severity.WARNING, "write asm volatile")
    if storing is not None and not clobbers:
        severity = Severity.NOTE if statement.volatile else Severity.WARNING
        message = f"{_does(storing)}, but the asm statement does not clobber memory"
        hint = 'add the clobber "memory": loads and stores may be moved across the statement'
        yield Found(*place, "clobber", message, severity, hint)


def _orders(instruction: Instruction) -> bool:
    effects = instruction.opcode.effects
    return "w" in effects.memory or effects.barrier


def _reads_what_changes(instruction: Instruction) -> bool:
    """Whether what an instruction reads may be different the next time."""
    opcode = instruction.opcode
    if opcode.effects.volatile:
        return True
    if any(isinstance(o, Address) for o in instruction.operands) and "r" in opcode.effects.memory:
        constant = opcode.get("ss") in _CONSTANT_SPACES or bool(opcode.get("nc"))
        return not constant and opcode.stem in ("ld", "ldu", "atom", "multimem.ld_reduce")
    return any(getattr(o, "name", "") in _VOLATILE for o in instruction.operands)


_VOLATILE = {"%clock", "%clock64", "%clock_hi", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi"}


def _does(instruction: Instruction) -> str:
    effects, stem = instruction.opcode.effects, instruction.opcode.stem
    if "w" in effects.memory:
        return f"'{stem}' writes memory"
    if effects.barrier:
        return f"'{stem}' orders memory accesses"
    return f"'{stem}' reads {'memory' if effects.memory else 'what changes'}"
