"""A function as what it computes: instructions joined by the values that flow between them, without names.

Registers give way to the instructions that define what is read (reaching definitions), labels to the blocks that they
start, parameters to their numbers; `bra` without a guard is a way and no instruction, and loads, stores and moves lose
what of their type does not matter.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate

from weft.dataclass import dataclass
from weft.ptx.analysis.access import registers
from weft.ptx.analysis.flow import ControlFlow, cfg
from weft.ptx.analysis.folding import folded
from weft.ptx.analysis.live import members
from weft.ptx.analysis.names import Scope
from weft.ptx.ast import Function, Instruction
from weft.ptx.operands import Register

ENTRY = -1
"""What defines a register that nothing has written."""

_AT_ENTRY = frozenset({ENTRY})
_NOTHING = frozenset[int]()

_NAME = re.compile(r"(?<![\w$.])[%A-Za-z_$][\w$]*", re.ASCII)
_BITS = re.compile(r"(?<![\w$.%])0[fFdDxX]([0-9A-Fa-f]+)U?\b", re.ASCII)
_UNTYPED = {
    "f32": "b32",
    "u32": "b32",
    "f64": "b64",
    "u64": "b64",
    "s64": "b64",
    "f16": "b16",
    "u16": "b16",
    "u8": "b8",
}
_COMMUTES = frozenset({"add", "and", "or", "xor", "min", "max", "mul24", "mulhi"})
_SIGNED = {"s32": "b32", "s16": "b16", "s8": "b8"}


@dataclass(frozen=True, slots=True)
class Node:
    """An instruction: its text, its text without names, where what it reads comes from, its block.

    `uses` holds, for each register that it reads, the nodes that may have written it. `ordered` says that its place
    among others like it in the block matters; `loads`, that its place among those does.
    """

    text: str
    label: str
    uses: tuple[frozenset[int], ...]
    block: int
    ordered: bool
    loads: bool


@dataclass(frozen=True, eq=False)
class Meaning:
    """The nodes of a function in text order, and the blocks that follow each block (the taken one first)."""

    nodes: tuple[Node, ...]
    ways: tuple[tuple[int, ...], ...]


def meaning(function: Function) -> Meaning:
    """What a function computes."""
    flow = cfg(function)
    names = {p.name: f"#{i}" for i, p in enumerate((*function.returns, *function.parameters))}
    made, reads, writes = folded(flow)
    pairs = zip(made, writes, strict=True)
    kept = [instruction is not None and (bool(written) or not _is_way(instruction)) for instruction, written in pairs]
    number = {index: n for n, index in enumerate(i for i, keep in enumerate(kept) if keep)}
    uses = _definitions(flow, reads, writes, number)
    written = {n: writes[index] for index, n in number.items()}
    nodes: list[Node] = []
    for block in flow.blocks:
        for index in range(block.start, block.end):
            instruction, original, scope = made[index], flow.instructions[index], flow.scopes[index]
            if instruction is not None and kept[index]:
                node = _node(original, instruction, scope, names, uses[index], block.index, function.kernel)
                results = _results(instruction, reads[index], uses[index], written)
                nodes.append(replace(node, label=f"{node.label}{results}"))
    return Meaning(tuple(nodes), _ways(flow, {node.block for node in nodes}))


def _is_way(instruction: Instruction) -> bool:
    return instruction.guard is None and instruction.opcode.stem == "bra"


def _node(
    original: Instruction,
    instruction: Instruction,
    scope: Scope,
    names: dict[str, str],
    uses: tuple[frozenset[int], ...],
    block: int,
    kernel: bool,
) -> Node:
    opcode = instruction.opcode
    effects = opcode.effects
    constant = kernel and opcode.stem == "ld" and opcode.get("ss").startswith("param")  # Nothing writes parameters.
    writes = "w" in effects.memory or effects.volatile or effects.barrier or bool(effects.collective)
    ordered = bool(writes or effects.control)
    return Node(
        str(original).removesuffix(";"),
        _label(instruction, scope, names),
        _in_any_order(instruction, uses),
        block,
        ordered,
        effects.memory == "r" and not ordered and not constant,
    )


def _in_any_order(instruction: Instruction, uses: tuple[frozenset[int], ...]) -> tuple[frozenset[int], ...]:
    """What an instruction reads; of two registers whose order does not matter, both in both places."""
    if not _commutes(instruction, len(uses)):
        return uses
    first = 0 if instruction.guard is None else 1
    both = uses[first] | uses[first + 1]
    return (*uses[:first], both, both, *uses[first + 2 :])


def _commutes(instruction: Instruction, count: int) -> bool:
    """Whether the order of the first two registers does not matter, of so many that an instruction reads."""
    operands, opcode = instruction.operands, instruction.opcode
    commutes = opcode.stem in _COMMUTES or (opcode.stem in ("mul", "mad") and not opcode.get("sat"))
    commutes = commutes or opcode.stem == "fma" or (opcode.stem == "setp" and opcode.get("cmp") in ("eq", "ne"))
    if not commutes or len(operands) < 3 or not all(isinstance(o, Register) for o in operands[1:3]):
        return False
    return count >= 2 + (instruction.guard is not None)  # Else one of the two is a special register.


def _results(
    instruction: Instruction, reads: list[int], uses: tuple[frozenset[int], ...], written: dict[int, list[int]]
) -> str:
    """Which results of others an instruction reads, as far as they are not the first: two of a vector are not alike."""
    taken = [
        sorted({written[node].index(register) for node in nodes - _AT_ENTRY})
        for register, nodes in zip(reads, uses, strict=True)
    ]
    if _commutes(instruction, len(uses)):
        first = 0 if instruction.guard is None else 1
        taken[first : first + 2] = sorted(taken[first : first + 2])
    return f" {taken}" if any(map(any, taken)) else ""


def _label(instruction: Instruction, scope: Scope, names: dict[str, str]) -> str:
    """The text of an instruction without the names that it could do without."""
    if instruction.opcode.stem == "bra":
        return "branch"  # Which way is taken says `Meaning.ways`.

    def take(match: re.Match[str]) -> str:
        name = match.group()
        if scope.register(Register(name)) is not None:
            return "%"
        if scope.labels.find(name) is not None or scope.tables.find(name) is not None:
            return "@"
        return names.get(name, name)

    guard = "" if instruction.guard is None else "@!% " if instruction.guard.negated else "@% "
    operands = ", ".join(map(str, instruction.operands))
    operands = _BITS.sub(lambda match: str(int(match[1][:32], 16)), _NAME.sub(take, operands))
    return f"{guard}{_untyped(instruction, scope)} {operands}"


def _untyped(instruction: Instruction, scope: Scope) -> str:
    """The opcode, with `.b32` for `.f32` where bits are only moved; a load's sign matters if it widens.

    The low half of a sum or product, and equality, are the same with and without a sign.
    """
    opcode = instruction.opcode
    stem, type_ = opcode.stem, opcode.get("type")
    head = opcode.text.removesuffix(type_)
    same = stem in ("add", "sub", "neg", "selp") or (stem == "redux" and opcode.get("op") == "add")
    same = same or (stem in ("mul", "mad") and opcode.get("mode") == "lo")
    compares = stem in ("setp", "set") and [slot for slot, token in opcode.slots.items() if token] == ["cmp", "type"]
    same = same or (compares and opcode.get("cmp") in ("eq", "ne"))
    if same and not opcode.get("sat") and type_[:1] in ("u", "s") and type_[1:] in ("16", "32", "64"):
        return f"{head}b{type_[1:]}"
    if stem == "selp" and type_ in ("f32", "f64"):
        return f"{head}b{type_[1:]}"
    if stem not in ("ld", "ldu", "st", "mov"):
        return opcode.text
    if type_ in _SIGNED and stem in ("ld", "ldu"):
        widths = {_bits(scope, register) for register in registers(instruction)[1]}
        return f"{head}{_SIGNED[type_]}" if widths == {int(type_[1:])} else opcode.text
    return f"{head}{_SIGNED.get(type_) or _UNTYPED.get(type_, type_)}"


def _bits(scope: Scope, register: Register) -> int:
    number = scope.register(register)
    digits = "" if number is None else scope.registers[number].type.lstrip("busf")
    return int(digits) if digits.isdecimal() else 0


def _definitions(
    flow: ControlFlow, reads: list[list[int]], writes: list[list[int]], number: dict[int, int]
) -> list[tuple[frozenset[int], ...]]:
    """For each instruction, and each register that it reads, the numbers of those that may have written it.

    A guarded write leaves what was there where the guard is false.
    """
    guarded = [instruction.guard is not None for instruction in flow.instructions]
    writers: dict[int, list[int]] = {}
    for index, written in enumerate(writes):
        for register in dict.fromkeys(written):
            writers.setdefault(register, []).append(number[index])
    starts = dict(zip(writers, accumulate(map(len, writers.values()), initial=0), strict=False))
    entering = _reaching(flow, writes, guarded, writers, starts)
    uses: list[tuple[frozenset[int], ...]] = []
    for block in flow.blocks:
        now: dict[int, frozenset[int]] = {}
        for index in range(block.start, block.end):
            for register in (*reads[index], *(writes[index] if guarded[index] else ())):
                if register not in now:
                    nodes = writers.get(register, ())
                    here = entering[block.index] >> starts.get(register, 0) & ((1 << len(nodes)) - 1)
                    now[register] = frozenset(members(here, nodes)) or _AT_ENTRY
            uses.append(tuple(map(now.__getitem__, reads[index])))
            for register in writes[index]:
                now[register] = (now[register] if guarded[index] else _NOTHING) | {number[index]}
    return uses


def _reaching(
    flow: ControlFlow,
    writes: list[list[int]],
    guarded: list[bool],
    writers: dict[int, list[int]],
    starts: dict[int, int],
) -> list[int]:
    """The definitions that reach the start of each block: a bit for each, side by side for each register."""
    every = {register: ((1 << len(nodes)) - 1) << starts[register] for register, nodes in writers.items()}
    following = dict(starts)
    made: list[int] = []
    kept: list[int] = []
    for block in flow.blocks:
        now, gone = 0, 0
        for index in range(block.start, block.end):
            for register in dict.fromkeys(writes[index]):
                if not guarded[index]:
                    gone |= every[register]
                    now &= ~every[register]
                now |= 1 << following[register]
                following[register] += 1
        made.append(now)
        kept.append(~gone)
    entering = [0] * len(flow.blocks)
    waiting = dict.fromkeys(flow.order)
    while waiting:
        at = next(iter(waiting))
        del waiting[at]
        leaving = made[at] | (entering[at] & kept[at])
        for target in flow.successors[at]:
            if leaving & ~entering[target]:
                entering[target] |= leaving
                waiting[target] = None
    return entering


def _ways(flow: ControlFlow, filled: set[int]) -> tuple[tuple[int, ...], ...]:
    """The blocks after each block, through those without a node; of a guarded branch, first where it is true."""
    taken: list[list[int]] = [[] for _ in flow.blocks]
    others: list[list[int]] = [[] for _ in flow.blocks]
    for edge in flow.edges:
        (taken if edge.kind == "taken" else others)[edge.source].append(edge.target)
    direct: list[tuple[int, ...]] = []
    for block in flow.blocks:
        guard = flow.instructions[block.end - 1].guard if block.end > block.start else None
        first, second = taken[block.index], others[block.index]
        direct.append((*second, *first) if guard is not None and guard.negated else (*first, *second))
    return tuple(tuple(_through(target, direct, filled) for target in targets) for targets in direct)


def _through(block: int, direct: list[tuple[int, ...]], filled: set[int]) -> int:
    seen: set[int] = set()
    while block not in filled and block not in seen and len(direct[block]) == 1:
        seen.add(block)
        block = direct[block][0]
    return block
