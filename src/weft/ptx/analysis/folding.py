"""Instructions with the constants, copies and sums of addresses in place of registers that only carry them.

Compilers differ in whether `255` stands in a `sub` or in a register that a `mov` has set, and whether an offset is
added before a load or written in its address.  Here it stands where it is used, wherever that says the same: the
register is written once, without a guard, and read in the scope in which it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from weft.ptx.analysis.access import plan, registers
from weft.ptx.analysis.flow import ControlFlow
from weft.ptx.analysis.names import Scope
from weft.ptx.ast import Instruction
from weft.ptx.operands import Address, Float, Integer, Operand, Pair, Register, Vector
from weft.ptx.reader import SINK

_WIDE = frozenset({"s64", "u64", "b64", "s32", "u32", "b32"})


class Folded(NamedTuple):
    """The instructions of a function in text order, None for those that only make what is written elsewhere now.

    `reads` and `writes` are the numbers of the registers of each.
    """

    instructions: list[Instruction | None]
    reads: list[list[int]]
    writes: list[list[int]]


def folded(flow: ControlFlow) -> Folded:
    """A function with what registers carry in their place.

    Results beside others that nothing reads (`d|p`, `{a, b}`) are thrown away.
    """
    places = list(zip(flow.instructions, flow.scopes, strict=True))
    reads, writes = map(list, zip(*[_numbers(*place) for place in places], strict=True)) if places else ([], [])
    carried = _carried(flow, reads, writes)
    made: list[Instruction | None] = []
    for index, (original, scope) in enumerate(places):
        instruction = _rewritten(original, scope, carried)
        if instruction is not original:
            reads[index], writes[index] = _numbers(instruction, scope)
        made.append(instruction)
    used = {number for numbers in reads for number in numbers}
    # Only now is it known what is still read: a register that is folded into some of its readers stays for the others.
    for index, (original, scope) in enumerate(places):
        instruction, written = made[index], _single(original, scope)
        if written in carried and written not in used and carried[written][1] is original:
            made[index], reads[index], writes[index] = None, [], []
        elif instruction is not None and (simple := _without_unread(instruction, scope, used)) is not instruction:
            made[index] = simple
            writes[index] = [number for number in writes[index] if number in used]
    return Folded(made, reads, writes)


def _numbers(instruction: Instruction, scope: Scope) -> tuple[list[int], list[int]]:
    """The numbers of the registers that an instruction reads and writes."""
    number = scope.register
    read, written = registers(instruction)
    return [n for r in read if (n := number(r)) is not None], [n for r in written if (n := number(r)) is not None]


def _without_unread(instruction: Instruction, scope: Scope, used: set[int]) -> Instruction:
    """An instruction without the results beside others that nothing reads."""
    first = instruction.operands[0] if instruction.operands else None

    def is_unread(operand: Operand) -> bool:
        number = scope.register(operand) if isinstance(operand, Register) and not operand.member else None
        return number is not None and number not in used

    if isinstance(first, Pair) and is_unread(first.second):
        first = first.first
    elif isinstance(first, Vector) and plan(instruction).access[0] == "w" and any(map(is_unread, first.elements)):
        first = Vector(tuple([SINK if is_unread(element) else element for element in first.elements]))
    else:
        return instruction
    return Instruction(instruction.opcode, (first, *instruction.operands[1:]), instruction.guard, instruction.pos)


_Carried = dict[int, tuple[Scope, Instruction]]
"""The instruction that sets a register to a constant, another register, or one and a number; and its scope."""


def _single(instruction: Instruction, scope: Scope) -> int:
    """The number of the register that an instruction writes first; -1 without one."""
    first = instruction.operands[0] if instruction.operands else None
    number = scope.register(first) if isinstance(first, Register) else None
    return -1 if number is None else number


def _carried(flow: ControlFlow, reads: list[list[int]], writes: list[list[int]]) -> _Carried:
    count = Counter(number for numbers in writes for number in numbers)
    found: _Carried = {}
    read: set[int] = set()
    for index, instruction in enumerate(flow.instructions):
        if instruction.opcode.stem in ("mov", "add") and instruction.guard is None:
            scope = flow.scopes[index]
            number = _single(instruction, scope)
            # Set once, and above every read: in a loop, one further up would see the value of the turn before.
            if number >= 0 and count[number] == 1 and number not in read and _carries(instruction, scope, count):
                found[number] = (scope, instruction)
        read.update(reads[index])
    return found


def _carries(instruction: Instruction, scope: Scope, writes: Counter[int]) -> bool:
    """Whether an instruction is `mov d, constant`, `mov d, a` or `add d, a, number`, of an `a` that is set once."""
    stem, operands = instruction.opcode.stem, instruction.operands
    if stem == "mov" and len(operands) == 2:
        return isinstance(operands[1], Integer | Float) or _is_set_once(operands[1], scope, writes)
    if stem != "add" or len(operands) != 3 or instruction.opcode.get("type") not in _WIDE:
        return False
    return isinstance(operands[2], Integer) and _is_set_once(operands[1], scope, writes)


def _is_set_once(operand: Operand, scope: Scope, writes: Counter[int]) -> bool:
    number = scope.register(operand) if isinstance(operand, Register) and not operand.member else None
    return number is not None and writes[number] == 1


def _rewritten(instruction: Instruction, scope: Scope, carried: _Carried) -> Instruction:
    access = plan(instruction).access

    def source(operand: Operand, stems: tuple[str, ...]) -> Instruction | None:
        number = scope.register(operand) if isinstance(operand, Register) else None
        found = None if number is None else carried.get(number)
        return found[1] if found is not None and found[0] is scope and found[1].opcode.stem in stems else None

    operands = tuple([_taken(operand, how, source) for operand, how in zip(instruction.operands, access, strict=True)])
    if operands == instruction.operands:
        return instruction
    return Instruction(instruction.opcode, operands, instruction.guard, instruction.pos)


def _taken(operand: Operand, access: str, source: Callable[[Operand, tuple[str, ...]], Instruction | None]) -> Operand:
    """An operand with what its registers carry."""
    if isinstance(operand, Address):
        base, offset = operand.base, operand.offset
        while (setting := source(base, ("mov", "add"))) is not None:
            following = setting.operands[1]
            if not isinstance(following, Register):
                break
            base = following
            moved = setting.operands[-1]
            offset += moved.value if isinstance(moved, Integer) else 0
        return operand if base is operand.base else Address(base, offset, operand.rest, operand.unified)
    if access != "r":
        return operand
    if isinstance(operand, Vector):
        return Vector(tuple([_taken(element, access, source) for element in operand.elements]))
    while (setting := source(operand, ("mov",))) is not None:
        operand = setting.operands[1]
    return operand
