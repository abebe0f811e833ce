"""Inline PTX: text with numbered operands, parsed here so that every instruction of it is checked like any other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from xdsl.ir import Operation

from weft.codegen.builder import Builder
from weft.codegen.graph import Const, Inst, Value
from weft.errors import PtxSyntaxError, counted
from weft.isa.opcode import decode
from weft.mlir import compile_error
from weft.ptx.ast import Block, Guard, Instruction, Label, Statement
from weft.ptx.operands import Address, Arguments, Negated, Operand, Pair, Register, Symbol, Vector

_PLACE = "%weft_asm_"
_SKIP = "$weft_asm_skip"
_NUMBERED = re.compile(r"\$\$|\$(\d+)|\$\{(\d+)(?::[cr])?\}")


_NO_OPCODE = decode("")


class Asm(Inst):
    """Statements of inline PTX, of `text`; `places` maps the register names that stand for operands to these."""

    __slots__ = ("places", "statements", "text")

    def __init__(
        self,
        text: str,
        statements: list[Statement],
        places: dict[str, Value | Const | int],
        outs: tuple[Value, ...],
        source: Any,
    ) -> None:
        super().__init__(_NO_OPCODE, outs, tuple(places.values()), source, effect=True)
        self.text = text
        self.statements = statements
        self.places = places


def parse(
    op: Operation,
    text: str,
    operands: Sequence[Value | Const | int],
    outs: tuple[Value, ...],
    guard: Value | None = None,
) -> Asm:
    """The statements of `text`, where `$0`, `$1`... (or `${0}`) stand for the operands and `$$` for a dollar.

    With a `guard` none of them is executed where it is false.  Raises CompileError, at the operation's place, when the
    text is not PTX.
    """
    import weft

    def place(match: re.Match[str]) -> str:
        number = match[1] or match[2]
        if number is None:
            return "$"
        if int(number) >= len(operands):
            raise compile_error(
                op,
                f"operand ${number} does not exist",
                f"the PTX has {counted(len(operands), 'operand')}, numbered from $0",
            )
        return f"{_PLACE}{number}"

    body = _NUMBERED.sub(place, text)
    try:
        module = weft.parse(f".version 9.0\n.target sm_90a\n.address_size 64\n.entry k() {{\n{body}\n}}\n")
    except PtxSyntaxError as error:
        raise compile_error(op, f"cannot parse the PTX: {error.message}", error.hint) from None
    if len(module.items) != 1:
        raise compile_error(op, "cannot parse the PTX: unmatched '}'")
    statements = module.functions[0].body or []
    places = {f"{_PLACE}{number}": operand for number, operand in enumerate(operands)}
    if guard is not None:
        name = f"{_PLACE}{len(operands)}"
        places[name] = guard
        statements = _guarded(statements, name)
    return Asm(text, statements, places, outs, op)


def _guarded(statements: list[Statement], name: str) -> list[Statement]:
    """The statements where the predicate `name` holds: one plain instruction under it, else a jump around them all."""
    register = Register(name)
    (first, *rest) = statements or [None]
    if isinstance(first, Instruction) and first.guard is None and not rest:
        return [Instruction(first.opcode, first.operands, Guard(register, False))]
    skip = Instruction(decode("bra"), (Symbol(_SKIP),), Guard(register, True))
    return [skip, *statements, Label(_SKIP)]


def append(s: Builder, op: Operation, text: str, outs: tuple[Value, ...], *inputs: Value | Const | int) -> None:
    """Append statements of our own that need names or types which registers do not have; `$0`... as in `parse`."""
    asm = parse(op, text, [*outs, *inputs], outs)
    for value in outs:
        value.inst = asm
    s.block.items.append(asm)


class Substitution:
    """Puts operands in the place of the names that stand for them."""

    def __init__(self, places: dict[str, Operand]) -> None:
        self._places = places

    def statement(self, statement: Statement) -> Statement:
        """The statement with its operands in place."""
        if isinstance(statement, Block):
            return Block([self.statement(inner) for inner in statement.body])
        if not isinstance(statement, Instruction):
            return replace(statement, pos=-1)
        guard = statement.guard
        if guard is not None:
            register = self.operand(guard.register)
            assert isinstance(register, Register)
            guard = Guard(register, guard.negated)
        return Instruction(statement.opcode, tuple(map(self.operand, statement.operands)), guard)

    def operand(self, operand: Operand) -> Operand:
        """The operand with names replaced."""
        match operand:
            case Register():
                return self._places.get(operand.name, operand)
            case Address():
                rest = tuple(map(self.operand, operand.rest))
                return replace(operand, base=self.operand(operand.base), rest=rest)
            case Vector() | Arguments():
                return type(operand)(tuple(map(self.operand, operand.elements)))
            case Pair():
                return Pair(self.operand(operand.first), self.operand(operand.second))
            case Negated():
                return replace(operand, operand=self.operand(operand.operand))
            case _:
                return operand


def instructions(statements: list[Statement]) -> list[Instruction]:
    """Every instruction, nested ones included."""
    found: list[Instruction] = []
    for statement in statements:
        if isinstance(statement, Instruction):
            found.append(statement)
        elif isinstance(statement, Block):
            found += instructions(statement.body)
    return found
