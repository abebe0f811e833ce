"""Functions in plain operands: what ptxas takes beside registers, vectors and constants is written out before a run.

- A register plus a number (`st.global.u32 [a], n+1`, PTX manual "Operands"): the sum goes into a register of its own.
  ptxas adds in the register's width, so that the sum wraps there, whatever the instruction then reads of it.
- A special register as an address (`[%laneid+4]`): it goes into a register of its own, too.
- An element of an array (`mov.u64 d, table[n+1]`, `ld.shared.u32 d, sh[2]`): its address.  ptxas counts in elements of
  the scalar type, also where the array has several extents or vectors, and by the low 32 bits of a register.
- A vector register as a whole in a scalar `mov` (`mov.b64 d, v`) or a call: its elements.

Everything behind this module then meets only operands that each have one row of a register file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weft.isa.opcode import Opcode, opcode
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
    Variable,
)
from weft.ptx.directive_nodes import CallPrototype
from weft.ptx.names import Names
from weft.ptx.operands import Address, Arguments, Element, Expression, Integer, Operand, Register, Symbol, Vector


def plain_function(function: Function, variables: Mapping[str, Variable]) -> Function:
    """The function with plain operands: itself where it has no others; `variables` are those of its module."""
    return _Writer(function, variables).written() if _is_odd(function) else function


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
            if any(_is_sum(operand) for operand in statement.operands):
                return True
        elif isinstance(statement, RegisterDeclaration) and statement.vector:
            return True
    return False


def _is_sum(operand: Operand) -> bool:
    """Whether an operand may be more than one register or number: a name with an offset, an element, `[%laneid]`."""
    if isinstance(operand, Symbol):
        return bool(operand.offset or operand.zero)
    return isinstance(operand, Element) or (isinstance(operand, Address) and str(operand.base) in SPECIAL_REGISTERS)


class _Name:
    """What a name is declared as: a type, a register's elements where it is a vector, and whether it is a register."""

    def __init__(self, type_: str, vector: str = "", *, register: bool = True) -> None:
        self.type = type_
        self.elements = ELEMENTS[: int(vector[1:])] if vector and register else ""
        self.register = register


class _Writer:
    """Writes one function out; `sums` are the registers that it adds."""

    def __init__(self, function: Function, variables: Mapping[str, Variable]) -> None:
        self.function = function
        self.variables = variables
        self.sums: list[RegisterDeclaration] = []

    def written(self) -> Function:
        """The function in plain operands."""
        function, scope = self.function, Names[_Name]()
        for formal in (*function.parameters, *function.returns):
            scope.put(formal.name, _Name(formal.type, formal.vector, register=formal.space == "reg"))
        body = self._body(function.body or [], scope)
        return replace(
            function,
            parameters=_formals(function.parameters),
            returns=_formals(function.returns),
            body=[*self.sums, *body],
        )

    def _body(self, statements: Sequence[Statement], scope: Names[_Name]) -> list[Statement]:
        # A stack of its own: programs may nest scopes deeper than Python calls.
        body: list[Statement] = []
        scopes = [(iter(statements), scope, body)]
        while scopes:
            rest, scope, written = scopes[-1]
            inner = next((block for statement in rest if (block := self._statement(statement, scope, written))), None)
            if inner is None:
                scopes.pop()
            else:
                within: list[Statement] = []
                written.append(replace(inner, body=within))
                scopes.append((iter(inner.body), Names(scope), within))
        return body

    def _statement(self, statement: Statement, scope: Names[_Name], written: list[Statement]) -> Block | None:
        """Writes one statement; a `{ ... }` is the caller's, to whom it returns."""
        if isinstance(statement, Block):
            return statement
        if isinstance(statement, Instruction):
            written += self._instruction(statement, scope)
            return None
        if isinstance(statement, CallPrototype):
            formals = {"parameters": _formals(statement.parameters), "returns": _formals(statement.returns)}
            written.append(replace(statement, **formals))
            return None
        if isinstance(statement, RegisterDeclaration):
            for name, count in statement.names:
                scope.put(name, _Name(statement.type, statement.vector), count)
        elif isinstance(statement, Variable):
            scope.put(statement.name, _Name(statement.type, register=False), statement.count)
        written.append(statement)
        return None

    def _instruction(self, instruction: Instruction, scope: Names[_Name]) -> list[Statement]:
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
            elif isinstance(operand, Element):
                operand = self._element(operand, instruction, scope, before)
            elif isinstance(operand, Register) and whole:
                members = _members(operand, scope)
                operand = Vector(members) if len(members) > 1 else operand
            elif isinstance(operand, Arguments):
                operand = Arguments(tuple(m for element in operand.elements for m in _members(element, scope)))
            operands.append(operand)
        if tuple(operands) == instruction.operands:
            return [instruction]
        return [*before, replace(instruction, operands=tuple(operands))]

    def _sum(self, operand: Symbol, instruction: Instruction, scope: Names[_Name], before: list[Statement]) -> Operand:
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

    def _element(
        self, operand: Element, instruction: Instruction, scope: Names[_Name], before: list[Statement]
    ) -> Operand:
        """The address of an array's element, as `mov` and `cvta` take it or in the brackets of other instructions."""
        declared = scope.find(operand.array) or self.variables.get(operand.array)
        if declared is None:
            return operand
        size, index = TYPES[declared.type].bits // 8, operand.index
        bare = instruction.opcode.stem in ("mov", "cvta")
        if isinstance(index, Integer | Expression):
            offset = int(index.value or 0) * size
            return Symbol(operand.array, offset) if bare else Address(Symbol(operand.array), offset)
        if isinstance(index, Symbol):
            index = self._sum(index, instruction, scope, before)
        known = scope.find(index.name) if isinstance(index, Register) else None
        narrow = known is not None and TYPES[known.type].bits == 16
        number, place = (Register(f"{operand}#{len(self.sums)}{end}") for end in ("", ".place"))
        self.sums += [RegisterDeclaration("b64", ((register.name, 0),)) for register in (number, place)]
        steps: list[tuple[Opcode, tuple[Operand, ...]]] = [
            (opcode("cvt", type="u64", atype="u16" if narrow else "u32"), (number, index)),
            (opcode("mov", type="u64"), (place, Symbol(operand.array))),
            (opcode("mad", mode="lo", type="u64"), (place, number, Integer(size), place)),
        ]
        before += [replace(instruction, opcode=one, operands=operands) for one, operands in steps]
        return place if bare else Address(place)


def _summed(name: str, scope: Names[_Name]) -> str | None:
    """The type of a register that a number can be added to; None where the name is that of no such register."""
    declared = scope.find(name)
    special = SPECIAL_REGISTERS.get(name) if declared is None else None
    if declared is not None and declared.register and not declared.elements:
        type_ = declared.type
    elif declared is None and special is not None and not special.components:
        type_ = special.type
    else:
        return None
    return type_ if type_[0] in "bus" and TYPES[type_].bits in (16, 32, 64) else None


def _members(operand: Operand, scope: Names[_Name]) -> tuple[Operand, ...]:
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
