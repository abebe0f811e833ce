"""Registers of floats spelled and declared as such: `weft.isa.registers.Naming.CLASSIC`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from weft.codegen.asm import Substitution
from weft.isa.registers import CLASSES, F32, F64, Naming, RegisterClass, register_name
from weft.ptx.ast import Block, Function, Instruction, Module, RegisterDeclaration, Statement
from weft.ptx.emit import register_declarations
from weft.ptx.operands import Operand, Pair, Register, Vector

_VIEWS: dict[str, RegisterClass] = {"b32": F32, "b64": F64}
_STORAGE = {c.declaration: c for c in CLASSES if c.declaration}


def classic(module: Module) -> Module:
    """The module with `%f` and `%fd` for the registers that hold nothing but floats."""
    items = [_function(item) if isinstance(item, Function) and item.body else item for item in module.items]
    return replace(module, items=items)


def _function(function: Function) -> Function:
    body = function.body or []
    declared = [s for s in body if isinstance(s, RegisterDeclaration) and s.type in _STORAGE]
    types = _types(body)
    counts: dict[RegisterClass, int] = {}
    places: dict[str, Operand] = {}
    for declaration in declared:
        ((prefix, count),) = declaration.names
        if not count:
            continue
        for number in range(count):
            old = f"{prefix}{number}"
            view = _VIEWS.get(declaration.type)
            floating = view is not None and _is_float(types.get(old, set()), view.name)
            found = view if view is not None and floating else _STORAGE[declaration.type]
            places[old] = Register(register_name(found, counts.get(found, 0), Naming.CLASSIC))
            counts[found] = counts.get(found, 0) + 1
    put = Substitution(places)
    kept = [s for s in body if not (s in declared and s.names[0][1])] if declared else body
    lines: list[Statement] = [*register_declarations(counts, Naming.CLASSIC)]
    at = body.index(declared[0]) if declared else 0
    renamed = [s if isinstance(s, RegisterDeclaration) else put.statement(s) for s in kept]
    return replace(function, body=[*renamed[:at], *lines, *renamed[at:]])


def _is_float(types: set[str], name: str) -> bool:
    """Whether registers read and written as these types hold floats: bits are of any type."""
    return name in types and types <= {name, f"b{name[1:]}"}


def _types(statements: Iterable[Statement]) -> dict[str, set[str]]:
    """The types that each register is read and written as."""
    found: dict[str, set[str]] = {}
    for instruction in _instructions(statements):
        variants = instruction.opcode.variants
        specs = variants[0].compiled.operands if variants else ()
        specs = list(takewhile(lambda spec: not spec.optional, specs))  # Beyond one, places cannot be told apart.
        for index, operand in enumerate(instruction.operands):
            type_ = specs[index].type(variants[0].slots) if index < len(specs) else ""
            for name, direct in _registers(operand):
                found.setdefault(name, set()).add(type_ if direct else "")
    return found


def _instructions(statements: Iterable[Statement]) -> Iterator[Instruction]:
    for statement in statements:
        if isinstance(statement, Instruction):
            yield statement
        elif isinstance(statement, Block):
            yield from _instructions(statement.body)


def _registers(operand: Operand) -> Iterator[tuple[str, bool]]:
    """The registers of an operand, and whether they are of the operand's type, as parts of addresses are not."""
    match operand:
        case Register():
            yield operand.name, True
        case Vector():
            for element in operand.elements:
                yield from _registers(element)
        case Pair():
            yield from _registers(operand.first)
            yield from ((name, False) for name, _ in _registers(operand.second))
        case _:
            yield from ((name, False) for name in _names(operand))


def _names(operand: object) -> Iterator[str]:
    """Every register inside an operand."""
    if isinstance(operand, Register):
        yield operand.name
    elif isinstance(operand, tuple):
        for part in operand:  # pyright: ignore[reportUnknownVariableType]
            yield from _names(part)  # pyright: ignore[reportUnknownArgumentType]
    elif hasattr(operand, "__dataclass_fields__"):
        for name in operand.__dataclass_fields__:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
            yield from _names(getattr(operand, name))  # pyright: ignore[reportUnknownArgumentType]
