"""Functions in plain operands: what ptxas takes beside registers, vectors and constants is written out before a run.

- A register plus a number (`st.global.u32 [a], n+1`, PTX manual "Operands"): the sum goes into a register of its own.
  ptxas adds in the register's width, so that the sum wraps there, whatever the instruction then reads of it.
- A special register as an address (`[%laneid+4]`): it goes into a register of its own, too.
- A vector register as a whole in a scalar `mov` (`mov.b64 d, v`) or a call: its elements.

Everything behind this module then meets only operands that each have one row of a register file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.isa.opcode import opcode
from weft.isa.registers import ELEMENTS, SPECIAL_REGISTERS
from weft.isa.types import TYPES
from weft.ptx.ast import (
    Block,
    Function,
    Instruction,
    Module,
    Parameter,
    RegisterDeclaration,
    Statement,
)
from weft.ptx.directive_nodes import CallPrototype
from weft.ptx.names import Names
from weft.ptx.operands import Address, Arguments, Integer, Operand, Register, Symbol, Vector


def plain_function(function: Function) -> Function:
    """The function with plain operands: itself where it has no others."""
    return _Writer(function).written() if _is_odd(function) else function


def plain_module(module: Module, functions: dict[str, Function]) -> Module:
    """The module with these functions in place of its own of the same names."""
    items = [functions.get(item.name, item) if isinstance(item, Function) else item for item in module.items]
    return replace(module, items=items)


def _is_odd(function: Function) -> bool:
    formals = (*function.parameters, *function.returns)
    if any(formal.vector and formal.space == "reg" for formal in formals):
        return True
    for statement in function.walk():
        if isinstance(statement, Instruction):
            for operand in statement.operands:
                if isinstance(operand, Symbol):
                    if operand.offset or operand.zero:
                        return True
                elif isinstance(operand, Address) and str(operand.base) in SPECIAL_REGISTERS:
                    return True
        elif isinstance(statement, RegisterDeclaration) and statement.vector:
            return True
    return False


class _Register:
    """What a name is declared as: a register's type, and its number of elements where it is a vector."""

    def __init__(self, type_: str, vector: str = "") -> None:
        self.type = type_
        self.elements = ELEMENTS[: int(vector[1:])] if vector else ""


class _Writer:
    """Writes one function out; `sums` are the registers that it adds."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.sums: list[RegisterDeclaration] = []

    def written(self) -> Function:
        """The function in plain operands."""
        function, scope = self.function, Names[_Register]()
        for formal in (*function.parameters, *function.returns):
            if formal.space == "reg":
                scope.put(formal.name, _Register(formal.type, formal.vector))
        body = self._body(function.body or [], scope)
        return replace(
            function,
            parameters=_formals(function.parameters),
            returns=_formals(function.returns),
            body=[*self.sums, *body],
        )

    def _body(self, statements: Sequence[Statement], scope: Names[_Register]) -> list[Statement]:
        written: list[Statement] = []
        for statement in statements:
            if isinstance(statement, Block):
                written.append(replace(statement, body=self._body(statement.body, Names(scope))))
            elif isinstance(statement, Instruction):
                written += self._instruction(statement, scope)
            elif isinstance(statement, CallPrototype):
                formals = {"parameters": _formals(statement.parameters), "returns": _formals(statement.returns)}
                written.append(replace(statement, **formals))
            else:
                if isinstance(statement, RegisterDeclaration):
                    for name, count in statement.names:
                        scope.put(name, _Register(statement.type, statement.vector), count)
                written.append(statement)
        return written

    def _instruction(self, instruction: Instruction, scope: Names[_Register]) -> list[Statement]:
        before: list[Statement] = []
        whole = instruction.opcode.stem == "mov" and not instruction.opcode.get("vec")
        operands: list[Operand] = []
        for operand in instruction.operands:
            if isinstance(operand, Symbol) and (operand.offset or operand.zero):
                operand = self._sum(operand, instruction, scope, before)
            elif isinstance(operand, Address) and isinstance(operand.base, Register | Symbol):
                base = operand.base
                if base.name in SPECIAL_REGISTERS:
                    operand = replace(operand, base=self._sum(Symbol(base.name), instruction, scope, before))
            elif isinstance(operand, Register) and whole:
                members = _members(operand, scope)
                operand = Vector(members) if len(members) > 1 else operand
            elif isinstance(operand, Arguments):
                operand = Arguments(tuple(m for element in operand.elements for m in _members(element, scope)))
            operands.append(operand)
        if tuple(operands) == instruction.operands:
            return [instruction]
        return [*before, replace(instruction, operands=tuple(operands))]

    def _sum(
        self, operand: Symbol, instruction: Instruction, scope: Names[_Register], before: list[Statement]
    ) -> Operand:
        """The register that holds a register plus a number, added under the instruction's guard.

        It has 64 bits: an instruction reads as many as it wants of the sum, with zeros above.
        """
        type_ = _summed(operand.name, scope)
        if type_ is None:
            return operand  # The address of a variable, or what no instruction adds.
        bits = TYPES[type_].bits
        sum_, wide = (Register(f"{operand}#{len(self.sums)}{end}") for end in ("", ".wide"))  # No text has such names.
        self.sums.append(RegisterDeclaration(f"b{bits}", ((sum_.name, 0),)))
        self.sums.append(RegisterDeclaration("b64", ((wide.name, 0),)))
        steps = [
            (opcode("mov", type=f"u{bits}"), (sum_, Register(operand.name))),
            (opcode("add", type=f"u{bits}"), (sum_, sum_, Integer(operand.offset))),
            (opcode("cvt", type="u64", atype=f"u{bits}"), (wide, sum_)),
        ]
        before += [replace(instruction, opcode=one, operands=operands) for one, operands in steps]
        return wide


def _summed(name: str, scope: Names[_Register]) -> str | None:
    """The type of a register that a number can be added to; None where the name is that of no such register."""
    declared = scope.find(name)
    special = SPECIAL_REGISTERS.get(name) if declared is None else None
    if declared is not None and not declared.elements:
        type_ = declared.type
    elif special is not None and not special.components:
        type_ = special.type
    else:
        return None
    return type_ if type_[0] in "bus" and TYPES[type_].bits in (16, 32, 64) else None


def _members(operand: Operand, scope: Names[_Register]) -> tuple[Operand, ...]:
    """The elements of a whole vector register; any other operand is its own only one."""
    declared = scope.find(operand.name) if isinstance(operand, Register | Symbol) else None
    if declared is None or not declared.elements:
        return (operand,)
    return tuple(Register(f"{operand}.{element}") for element in declared.elements)


def _formals(formals: Sequence[Parameter]) -> list[Parameter]:
    """Parameters with each vector register as its elements."""
    written: list[Parameter] = []
    for formal in formals:
        if formal.space != "reg" or not formal.vector:
            written.append(formal)
        else:
            elements = ELEMENTS[: int(formal.vector[1:])]
            written += [replace(formal, name=f"{formal.name}.{element}", vector="") for element in elements]
    return written
