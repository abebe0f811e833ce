"""Statements made from the ISA table: any legal combination of a form, with operands that fit its signature.

Everything about instructions comes from the table, so a statement that ptxas refuses shows an error in the table.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from weft.errors import ToolError
from weft.isa import decode, families
from weft.isa.compiled import CompiledForm, OperandSpec
from weft.isa.form import WORD_SPACES, Slots
from weft.isa.registry import compiled_forms
from weft.isa.target import NEWEST, TARGETS, Version, Window
from weft.isa.types import TYPES
from weft.toolchain import assemble

CLASSES = {"pred": "p", "b8": "c", "b16": "h", "b32": "r", "b64": "rd", "b128": "rq"}
SKIPPED = frozenset({"call", "brx.idx", "alloca"})
"""Stems whose operands name directives or depend on each other; they are tested by hand."""


@dataclass(frozen=True)
class Statement:
    """A statement, the windows of its form, and the opcode's text."""

    text: str
    opcode: str
    windows: tuple[Window, ...]


class Registers:
    """Hands out fresh register names per class, so that no operand is written twice."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}

    def take(self, type_: str) -> str:
        bits = TYPES[type_].bits if type_ in TYPES else 32
        class_ = "pred" if type_ == "pred" else f"b{max(8, bits)}"
        prefix = CLASSES.get(class_, "r")
        self.used[prefix] = self.used.get(prefix, 0) + 1
        return f"%{prefix}{self.used[prefix]}"


def _operand(spec: OperandSpec, slots: Slots, registers: Registers, rng: random.Random) -> str | None:
    if spec.kind == "address":
        return _address(spec, slots, registers, rng)
    if spec.arg.label:
        return "L1"
    if spec.kind == "tuple":
        parts = [_operand(part, slots, registers, rng) for part in spec.rest]
        return None if None in parts else "{" + ", ".join(map(str, parts)) + "}"
    type_, count = spec.type(slots), spec.count(slots)
    if spec.kind == "vector" or count > 1:
        return "{" + ", ".join(registers.take(type_) for _ in range(max(1, count))) + "}"
    if spec.kind == "arguments" or spec.arg.directive:
        return None
    first = _scalar(spec, slots, registers, rng, type_)
    if spec.kind == "pair" and spec.second is not None and (not spec.second_optional or rng.random() < 0.5):
        return f"{first}|{registers.take(spec.second.type(slots) or 'pred')}"
    return first


def _scalar(spec: OperandSpec, slots: Slots, registers: Registers, rng: random.Random, type_: str) -> str | None:
    values = spec.values(slots)
    if not spec.arg.reg and spec.sink(slots):
        return "_"
    if not spec.arg.reg or (spec.arg.imm and values and rng.random() < 0.5):
        if values is None:
            return "1"
        return str(rng.choice(list(islice(values, 64))))
    if not type_ and spec.arg.symbol:
        return None
    return registers.take(type_ or "b32")


def _address(spec: OperandSpec, slots: Slots, registers: Registers, rng: random.Random) -> str | None:
    space = spec.arg.space or ""
    space = slots.get(space, space)
    written = "w" in (spec.arg.access or "r")
    if space == "param::func" and not written:
        return None  # Only behind a call, which ptxas's code generator looks for, or dies of.
    named = {
        "param": "pmem" if written else "kp1",
        "param::entry": "kp1",
        "param::func": "pmem",
        "const": "cmem",
        "local": "lmem",
    }
    base = named.get(space) or registers.take("b32" if space in WORD_SPACES else "b64")
    parts = [_operand(part, slots, registers, rng) for part in spec.rest if not part.optional]
    return None if None in parts else "[" + ", ".join([base, *map(str, parts)]) + "]"


def _slots(form: CompiledForm, rng: random.Random) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for element in form.elements:
        if element.slot:
            absent = element.optional and rng.random() < 0.6
            chosen[element.slot] = "" if absent else rng.choice(element.tokens)
    return chosen


def statement(form: CompiledForm, slots: Slots, rng: random.Random) -> Statement | None:
    """A statement of a form with these slots; None when its operands cannot be made up."""
    registers, parts, present = Registers(), [], set[str]()
    for spec in form.operands:
        required = spec.demanded(slots)
        if required is False or (required is None and rng.random() < 0.5):
            continue
        operand = _operand(spec, slots, registers, rng)
        if operand is None:
            return None
        if spec.optional:
            present.add(spec.name)
        if spec.second is not None and "|" in operand:
            present.add(spec.second.name)
        parts.append(operand)
    opcode = form.spell(slots)
    windows = form.windows(slots, frozenset(present))
    return Statement(f"{opcode} {', '.join(parts)}".strip() + ";", opcode, windows)


def legal_statements(stem: str, wanted: int, rng: random.Random) -> Iterator[Statement]:
    """Up to `wanted` distinct statements per form of a family that the table calls legal."""
    for form in compiled_forms(stem):
        seen: set[str] = set()
        for _ in range(wanted * 40):
            if len(seen) >= wanted:
                break
            slots = _slots(form, rng)
            if not form.windows(slots) or form.spell(slots) in seen or not decode(form.spell(slots)).valid:
                continue
            made = statement(form, slots, rng)
            if made is not None and made.windows:
                seen.add(made.opcode)
                yield made


def covering_statements(form: CompiledForm, rng: random.Random) -> Iterator[Statement]:
    """Legal statements of a form in which each token of each slot stands somewhere, and each that may lack lacks once.

    Some tokens have no legal statement that can be made up; they are left out.
    """
    left = {(e.slot, token) for e in form.elements if e.slot for token in (*e.tokens, *[""] * e.optional)}
    while left:
        slot, token = min(left)
        for _ in range(200):
            slots = {**_slots(form, rng), **_wanted_by_a_row(form, rng), slot: token}
            made = statement(form, slots, rng) if form.windows(slots) and decode(form.spell(slots)).valid else None
            if made is not None and made.windows:
                left -= set(slots.items())
                yield made
                break
        left.discard((slot, token))


def illegal_statements(form: CompiledForm, rng: random.Random) -> Iterator[Statement]:
    """Statements of a form that no target has: each token of each slot stands in some, beside others."""
    places = [(e.slot, token) for e in form.elements if e.slot for token in (*e.tokens, *[""] * e.optional)]
    for slot, token in places * 4:
        slots = {**_slots(form, rng), **_wanted_by_a_row(form, rng), slot: token}
        if not decode(form.spell(slots)).valid and (made := statement(form, slots, rng)) is not None:
            yield made


def _wanted_by_a_row(form: CompiledForm, rng: random.Random) -> dict[str, str]:
    """Tokens that a row of the form wants, drawn now and then: few of many slots come together by chance."""
    if not form.form.rows or rng.random() < 0.2:
        return {}
    wanted = rng.choice(form.form.rows).when.items()
    return {name: rng.choice(tokens.split("|")) for name, tokens in wanted if isinstance(tokens, str)}


def all_stems() -> list[str]:
    """The stems of every family that statements can be made for."""
    return sorted(set(families()) - SKIPPED)


def somewhere(windows: tuple[Window, ...], rng: random.Random) -> tuple[str, Version]:
    """A target and version that one of the windows admits, among those that ptxas can be asked about."""
    window = rng.choice(windows)
    version = window.until or NEWEST
    names = [n for n in TARGETS if window.admits(n, version) and TARGETS[n].number != 101]
    recent = [n for n in names if TARGETS[n].number >= 50]
    return rng.choice(recent or names), version


_REGISTER = re.compile(r"%(rd|rq|fd|p|h|r|f|c)(\d+)\b")
_TYPES = {"p": "pred", "h": "b16", "r": "b32", "rd": "b64", "f": "f32", "fd": "f64", "rq": "b128", "c": "b8"}


def module_of(statements: list[str], target: str, version: Version, *, poison: bool = False) -> tuple[str, int]:
    """A module with one statement a line, and the number of lines before the first.

    With `poison` a last line stops ptxas before code generation, so that its answers are the parser's.
    """
    counts: dict[str, int] = {}
    for text in statements:
        for kind, number in _REGISTER.findall(text):
            counts[kind] = max(counts.get(kind, 0), int(number) + 1)
    registers = " ".join(f".reg .{_TYPES[kind]} %{kind}<{count}>;" for kind, count in sorted(counts.items()))
    head = [
        f".version {version}",
        f".target {target}",
        ".address_size 64" if version >= (2, 3) else "",
        ".extern .shared .align 128 .b8 smem[];",
        ".global .align 128 .b8 gmem[1024];",
        ".const .align 16 .b8 cmem[64];",
        ".visible .entry k(.param .b64 kp0, .param .b32 kp1, .param .align 64 .b8 kp2[128])",
        "{",
        ".local .align 16 .b8 lmem[64];" + (" .param .align 16 .b8 pmem[64];" if version >= (2, 0) else ""),
        registers,
    ]
    tail = ["L1:", *(["add.u32 %poison;"] if poison else []), "ret;", "}", ""]
    return "\n".join([*head, *statements, *tail]), len(head)


_ELSEWHERE = re.compile(r"(?:near|instruction) '([\w.]+)'")
_REFUSED = re.compile(r"\.ptx, line (\d+); (error|fatal)\s*: (.*)")
_BUILT_IN = re.compile(r"<builtin>.*: (.*)")
"""What ptxas says of a text of its own, which it put in the place of some statement."""


def refusals(statements: list[str], target: str, version: Version) -> dict[int, str]:
    """The statements that ptxas's parser refuses, by index, with what it says.

    A fatal one is taken out and asked on.  Where ptxas dies, or refuses a text of its own, both halves are asked, until
    that comes of one statement alone.
    """
    refused: dict[int, str] = {}
    alive = list(range(len(statements)))
    number = TARGETS[target].number
    while alive:
        text, before = module_of([statements[i] for i in alive], target, version, poison=True)
        try:
            assemble(text, target="compute_75" if number < 75 else target.replace("sm_", "compute_"))
        except ToolError as error:
            own = _BUILT_IN.search(error.output)
            if error.crashed or own is not None:
                if len(alive) == 1:
                    return refused | ({alive[0]: own[1]} if own is not None else {})
                for part in (alive[: len(alive) // 2], alive[len(alive) // 2 :]):
                    found = refusals([statements[i] for i in part], target, version)
                    refused |= {part[index]: why for index, why in found.items()}
                break
            fatal = None
            for line, severity, message in _REFUSED.findall(error.output):
                index = int(line) - before - 1
                if 0 <= index < len(alive):
                    refused.setdefault(alive[index], message)
                    ends = severity == "fatal" or "syntax error" in message or "Result discard" in message
                    fatal = index if ends else fatal
            if fatal is None:
                break
            alive = alive[:fatal] + alive[fatal + 1 :] if "discard" in refused[alive[fatal]] else alive[fatal + 1 :]
    return {i: why for i, why in refused.items() if not _said_of_another(why, statements, i, target, version)}


def _said_of_another(why: str, statements: list[str], index: int, target: str, version: Version) -> bool:
    """Whether ptxas, which writes some statements anew, was confused by one before: alone it has nothing to say."""
    named = _ELSEWHERE.search(why)
    if named is None or named[1] in statements[index] or len(statements) == 1:
        return False
    return not refusals([statements[index]], target, version)
