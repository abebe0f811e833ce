"""Statements changed in one place: a modifier, an operand's class, count or kind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from weft.isa.registry import compiled_forms

_REGISTER = re.compile(r"%(rd|rq|fd|p|h|r|f|c)\d+")


def split(text: str) -> tuple[str, list[str]]:
    """The opcode of a statement and its operands."""
    opcode, _, operands = text.rstrip(";").partition(" ")
    parts, depth, start = [], 0, 0
    for index, char in enumerate(operands):
        depth += (char in "{[(") - (char in "}])")
        if char == "," and depth == 0:
            parts.append(operands[start:index].strip())
            start = index + 1
    return opcode, [*parts, operands[start:].strip()] if operands else []


def joined(opcode: str, operands: list[str]) -> str:
    """The statement of an opcode and its operands."""
    return f"{opcode} {', '.join(operands)}".strip() + ";"


def tokens(stem: str) -> list[str]:
    """The modifiers of a family, those of any of its forms."""
    return sorted({token for form in compiled_forms(stem) for e in form.elements for token in e.tokens})


def replace_token(text: str, stem: str, rng: random.Random) -> str:
    """Another modifier of the family in place of one."""
    opcode, operands = split(text)
    parts = opcode[len(stem) :].split(".")[1:]
    if not parts:
        return text
    parts[rng.randrange(len(parts))] = rng.choice(tokens(stem))
    return joined(".".join([stem, *parts]), operands)


def drop_token(text: str, stem: str, rng: random.Random) -> str:
    """One modifier fewer."""
    opcode, operands = split(text)
    parts = opcode[len(stem) :].split(".")[1:]
    if parts:
        del parts[rng.randrange(len(parts))]
    return joined(".".join([stem, *parts]), operands)


def drop_operand(text: str, stem: str, rng: random.Random) -> str:
    """One operand fewer."""
    opcode, operands = split(text)
    if operands:
        del operands[rng.randrange(len(operands))]
    return joined(opcode, operands)


def add_operand(text: str, stem: str, rng: random.Random) -> str:
    """One operand more."""
    opcode, operands = split(text)
    return joined(opcode, [*operands, rng.choice(["%r98", "%rd98", "%p98", "1", "{%r97, %r98}"])])


def change_class(text: str, stem: str, rng: random.Random) -> str:
    """A register of another class in place of one."""
    places = list(_REGISTER.finditer(text))
    if not places:
        return text
    place = rng.choice(places)
    other = rng.choice(["p", "h", "r", "rd", "f", "fd", "rq", "c"])
    return f"{text[: place.start()]}%{other}99{text[place.end() :]}"


def make_immediate(text: str, stem: str, rng: random.Random) -> str:
    """A literal in place of an operand."""
    opcode, operands = split(text)
    if not operands:
        return text
    operands[rng.randrange(len(operands))] = rng.choice(["0", "1", "7", "-1", "64", "1.0", "0f3F800000"])
    return joined(opcode, operands)


def change_width(text: str, stem: str, rng: random.Random) -> str:
    """A vector with one element more or fewer."""
    opcode, operands = split(text)
    vectors = [i for i, operand in enumerate(operands) if operand.startswith("{")]
    if not vectors:
        return text
    index = rng.choice(vectors)
    elements = operands[index].strip("{}").split(", ")
    elements = elements[:-1] if rng.random() < 0.5 and len(elements) > 1 else [*elements, elements[0]]
    operands[index] = "{" + ", ".join(elements) + "}"
    return joined(opcode, operands)


MUTATIONS: tuple[Callable[[str, str, random.Random], str], ...] = (
    replace_token,
    replace_token,
    drop_token,
    drop_operand,
    add_operand,
    change_class,
    change_class,
    make_immediate,
    change_width,
)
