"""What decides whether an instruction is legal: its opcode and the classes of its operands.

Real modules repeat few combinations of these, so each is checked once (`Legal`).  A rule may look at nothing of an
operand that is not in its class: an operand's name, and where it is declared, for instance, are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import compress
from operator import not_

from weft.ptx.ast import Instruction
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Symbol,
    Vector,
)
from weft.ptx.verifier.context import Scope, number

_CHUNK = 2048  # Instructions whose keys are held at a time.
_MOST_KEYS = 200_000  # Constant expressions may differ without bound.

Key = tuple[object, ...]
"""An opcode as it is written, the class of the guard, the classes of the operands."""

Legal = set[Key]
"""The combinations that are legal and give rise to no finding, at one target and version."""

_LEGAL: dict[object, Legal] = {}
_LITERALS = (Integer, Float, Expression)


def legal_at(*where: object) -> Legal:
    """What is known to be legal somewhere (target, version, texture mode); shared by all modules of the process."""
    known = _LEGAL.setdefault(where, set())
    if len(known) > _MOST_KEYS:
        known.clear()
    return known


def unknown(legal: Legal, scope: Scope, instructions: list[Instruction]) -> Iterator[tuple[Instruction, Key]]:
    """The instructions of one scope that are not known to be legal, each with its key.

    Nearly all loops here run in C, as this is where verifying spends its time.
    """
    scope.expand()
    of, contains = scope.classes.__getitem__, legal.__contains__
    for start in range(0, len(instructions), _CHUNK):
        chunk = instructions[start : start + _CHUNK]
        _classify(scope, chunk)
        keys: list[Key] = [(i.opcode.written, of(id(i.guard)), *map(of, map(id, i.operands))) for i in chunk]
        yield from compress(zip(chunk, keys, strict=True), map(not_, map(contains, keys)))


def key_of(scope: Scope, instruction: Instruction) -> Key:
    """What decides about one instruction."""
    guard = instruction.guard
    own = None if guard is None else deciding(scope, guard.register, literal_class)
    return (instruction.opcode.written, own, *[deciding(scope, o, literal_class) for o in instruction.operands])


def _classify(scope: Scope, instructions: list[Instruction]) -> None:
    """Note the classes of all operands and guards of some instructions; by identity, as they are shared."""
    classes, names = scope.classes, scope.known
    for instruction in instructions:
        for operand in instruction.operands:
            if id(operand) not in classes:
                declared = names.get(operand.name) if type(operand) is Register else None
                classes[id(operand)] = deciding(scope, operand, literal_class) if declared is None else declared.key
        guard = instruction.guard
        if id(guard) not in classes:
            classes[id(guard)] = None if guard is None else deciding(scope, guard.register, literal_class)


def literal_class(literal: Integer | Float | Expression) -> object:
    """What decides about a literal where any value will do: its sign, its width in bits, and how it is spelled."""
    if isinstance(literal, Integer):
        value = literal.value
        bits = value.bit_length() if value >= 0 else -1 - (~value).bit_length()
        return number(("integer", bits, literal.text[:2] if literal.text[:1] == "0" else "", literal.text[-1:] in "uU"))
    if isinstance(literal, Float) and literal.text[:1] == "0" and literal.text[1:2] in "fFdD":
        return literal.text[:2]
    return literal


def exactly(literal: Integer | Float | Expression) -> object:
    """The class of a literal where its value counts."""
    return literal


def deciding(scope: Scope, operand: Operand, literal: Callable[[Integer | Float | Expression], object]) -> object:
    """The class of an operand: declarations stand for names, `literal` says what stands for a literal."""
    if isinstance(operand, Register):
        declared = scope.find(operand.name)
        if declared is not None:
            return declared.key
        base = scope.find(operand.base) if operand.member else None
        return operand if base is None else number((operand.member, base.key))
    if isinstance(operand, _LITERALS):
        return literal(operand)
    if isinstance(operand, Address):
        rest = [deciding(scope, part, literal) for part in operand.rest]
        moved = operand.offset != 0 or operand.zero
        return number(("address", operand.unified, moved, deciding(scope, operand.base, literal), *rest))
    if isinstance(operand, (Vector, Arguments)):
        elements = operand.elements
        repeats = len(set(map(id, elements))) < len(elements)  # equal registers of one text are one object
        return number((type(operand), repeats, *[deciding(scope, element, literal) for element in elements]))
    if isinstance(operand, Symbol):
        declared = scope.find(operand.name)
        moved = operand.offset != 0 or operand.zero
        return operand if declared is None else number(("symbol", moved, declared.key))
    if isinstance(operand, Element):
        declared = scope.find(operand.array)
        return operand if declared is None else ("element", declared.key, deciding(scope, operand.index, literal))
    if isinstance(operand, Pair):
        return number(("pair", deciding(scope, operand.first, literal), deciding(scope, operand.second, literal)))
    if isinstance(operand, Negated):
        return number((operand.operator, deciding(scope, operand.operand, literal)))
    return operand
