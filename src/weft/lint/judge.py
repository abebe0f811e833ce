"""The PTX of one statement in a function of its own, and what the verifier says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from weft.dataclass import dataclass
from weft.errors import Diagnostic, Severity, position_at
from weft.isa.opcode import Opcode
from weft.isa.target import NEWEST, TARGETS, Version, describe_targets
from weft.lint.statements import Statement
from weft.lint.template import Mapped
from weft.ptx.ast import Block, Instruction, Module
from weft.ptx.ast import Statement as PtxStatement
from weft.ptx.parser import parse
from weft.ptx.verifier import verify

REGISTERS = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64", "q": "b128", "b": "pred"}
"""The type of the register that each letter stands for."""
_HEADER = f".version {NEWEST}\n.target sm_90a\n.address_size 64\n.entry f()\n{{\n"
_PREFERRED = ("sm_90a", "sm_100a", "sm_120a", "sm_103a", "sm_80", "sm_90", "sm_100", "sm_120")
_NAME = re.compile(r"[%$\w]+")
_REG = re.compile(r"\.reg\b\s*((?:\.\w+\s*)+)([^;]*);")


class Found(NamedTuple):
    """One finding: its place in the C++ text as two offsets."""

    start: int
    end: int
    code: str
    message: str
    severity: Severity = Severity.ERROR
    hint: str = ""
    allowed: tuple[str, ...] = ()
    token: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A statement's PTX: the instructions, nested ones included, and their offset in the PTX text of `mapped`."""

    module: Module
    shift: int
    instructions: tuple[Instruction, ...]


def kinds_of(statement: Statement) -> list[str]:
    """What each operand is: the type of its register, `constant`, or nothing for a constraint that nvcc lacks."""
    return [
        "constant" if operand.letters == "n" else REGISTERS.get(operand.letters, "") for operand in statement.operands
    ]


def declared_registers(text: str) -> Iterator[tuple[str, str]]:
    """The type and name of each register that a PTX text declares, by its look; `r<4>` as it is written."""
    for match in _REG.finditer(text):
        for name in match[2].split(","):
            if name.strip():
                yield match[1].strip(), name.strip()


def open_braces(text: str) -> tuple[int, int]:
    """How many `}` come before their `{`, and how many `{` stay open; comments are looked at as text."""
    least = depth = 0
    for sign in re.findall(r"[{}]", text):
        depth += 1 if sign == "{" else -1
        least = min(least, depth)
    return -least, depth - least


def wrap(statement: Statement, mapped: Mapped, outside: dict[str, str]) -> tuple[str, int]:
    """The statement's PTX as the text of a module, and how many characters stand before it there.

    `outside` are registers that other statements declare, by name.
    """
    text = mapped.text
    kinds: dict[str, list[str]] = {}
    for number, kind in enumerate(kinds_of(statement)):
        kinds.setdefault(kind, []).append(f"%{number}")
    declared = [f".reg .{kind} {', '.join(names)};" for kind, names in kinds.items() if kind not in ("", "constant")]
    own = {name.partition("<")[0] for _, name in declared_registers(text)}
    names = set(_NAME.findall(text)) - own
    declared += [f".reg {type_} {name};" for name, type_ in outside.items() if _is_used(name, names)]
    missing, left = open_braces(text)
    front = _HEADER + " ".join(declared) + "\n{" + "{" * missing + "\n"
    return f"{front}{text}\n{'}' * left}}}\n}}\n", len(front)


def _is_used(declared: str, names: set[str]) -> bool:
    """Whether a register, or one of a range such as `r<4>`, is among some names."""
    base, _, count = declared.partition("<")
    return base in names or (bool(count) and any(name.rstrip("0123456789") == base for name in names))


def parsed(text: str, shift: int) -> Judged:
    """A wrapped statement as a module; raises PtxSyntaxError."""
    module = parse(text)
    return Judged(module, shift, tuple(_instructions(module)))


def _instructions(module: Module) -> Iterator[Instruction]:
    stack: list[Iterator[PtxStatement]] = [iter(function.body or []) for function in reversed(module.functions)]
    while stack:
        for statement in stack[-1]:
            if isinstance(statement, Instruction):
                yield statement
            elif isinstance(statement, Block):
                stack.append(iter(statement.body))
                break
        else:
            stack.pop()


# -- targets --------------------------------------------------------------------------------------------------

_TARGETS_OF: dict[Opcode, frozenset[str]] = {}


def _targets_of(opcode: Opcode) -> frozenset[str]:
    """The targets that have an opcode at the newest PTX version; all for one that the table does not know."""
    found = _TARGETS_OF.get(opcode)
    if found is None:
        if len(_TARGETS_OF) > 100_000:
            _TARGETS_OF.clear()
        windows = opcode.windows
        names = (name for name in TARGETS if any(window.admits(name, NEWEST) for window in windows))
        found = _TARGETS_OF[opcode] = frozenset(names if windows else TARGETS)
    return found


def _ordered(names: frozenset[str]) -> list[str]:
    return [name for name in _PREFERRED if name in names] + [
        name for name in reversed(TARGETS) if name in names and name not in _PREFERRED
    ]


def judge(statement: Statement, judged: Judged, target: str | None) -> tuple[list[Diagnostic], str]:
    """What the verifier says at `target`, or where it says least: at some target that has all the instructions."""
    constants = {f"%{number}" for number, kind in enumerate(kinds_of(statement)) if kind == "constant"}
    if target is not None:
        return verify(judged.module, target, NEWEST, constants=constants), target
    possible = frozenset(TARGETS)
    for instruction in judged.instructions:
        here = _targets_of(instruction.opcode)
        if not possible & here:
            return [_nowhere(judged, instruction, possible)], ""
        possible &= here
    best: list[Diagnostic] | None = None
    chosen = ""
    for name in _ordered(possible):
        found = verify(judged.module, name, NEWEST, constants=constants)
        if best is None or len(found) < len(best):
            best, chosen = found, name
        if not any(one.code == "window" for one in found):
            break
    return best or [], chosen


def _nowhere(judged: Judged, instruction: Instruction, others: frozenset[str]) -> Diagnostic:
    opcode = instruction.opcode
    only = describe_targets(_targets_of(opcode))
    if not _targets_of(opcode):
        message = f"no target supports '{opcode.text}' in PTX {Version(*NEWEST)}"
    else:
        message = f"'{opcode.text}' needs {only}, but the instructions before it need {describe_targets(others)}"
    place = position_at(judged.module.source or "", instruction.pos)
    return Diagnostic("window", message, position=place, token=opcode.written, hint="no target supports all of them")
