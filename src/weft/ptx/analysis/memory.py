"""Traffic by state space: how many loads, stores, atomics and copies a function has, and how much they move.

Spaces, directions and sizes come from the ISA table: an instruction's effects, the slots that name its spaces, and the
types of its operands.
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.dataclass import dataclass
from weft.isa.form import Slots
from weft.isa.opcode import Opcode
from weft.isa.types import TYPES
from weft.ptx.analysis.access import Plan, plan
from weft.ptx.ast import Function, Instruction
from weft.ptx.operands import Integer, Operand, Pair, Vector
from weft.ptx.signature import Bound

_SIZES = frozenset({"size", "cp_size"})


@dataclass(frozen=True, slots=True)
class Traffic:
    """The accesses of one kind to one space.

    `kind` is `load`, `store`, `atomic` (gives the old value back), `reduction` (does not), `copy` or `barrier` (on an
    mbarrier object); `space` is a state space or `generic`, for copies where the bytes go; `source` is where a copy's
    bytes come from, else empty.  `bytes` is what one thread moves when it runs each of the `instructions` once; those
    whose size the text does not tell (a size in a register, a tensor's box, a matrix descriptor) are `unsized`.
    """

    kind: str
    space: str
    source: str
    instructions: int
    bytes: int
    unsized: int

    @property
    def way(self) -> str:
        """The space, for copies both of them: `global -> shared`."""
        return f"{self.source} -> {self.space}" if self.source else self.space


def traffic(function: Function | Iterable[Instruction]) -> list[Traffic]:
    """The traffic of a function's (or any) instructions, a row for each kind and space, in the order they first come.

    Calls count nothing: what a callee moves is its own.
    """
    instructions = function.instructions() if isinstance(function, Function) else function
    found: dict[tuple[str, str, str], list[int]] = {}
    for instruction in instructions:
        row = access_of(instruction.opcode)
        if row is not None:
            size = 0 if row[0] == "barrier" else access_bytes(instruction)
            counts = found.setdefault(row, [0, 0, 0])
            counts[0] += 1
            counts[1] += size or 0
            counts[2] += size is None
    return [Traffic(*row, *counts) for row, counts in found.items()]


def access_of(opcode: Opcode) -> tuple[str, str, str] | None:
    """The kind of an opcode's access to memory, the space, and for copies the source's; None when it has none."""
    effects = opcode.effects
    slots = opcode.slots
    if not effects.memory or effects.control or not opcode.variants:
        return None
    operands = opcode.variants[0].compiled.operands
    if effects.volatile and not effects.barrier and not any(spec.kind == "address" for spec in operands):
        return None  # It manages memory, as the stack's instructions do, and moves nothing.
    if effects.space == "dst":
        return "copy", space_name(slots["dst"]), space_name(slots.get("src", ""))
    space = space_name(slots.get(effects.space, effects.space))
    if effects.barrier or opcode.stem.startswith("mbarrier."):
        return "barrier", space, ""
    if effects.memory == "rw":
        returns = any("w" in (spec.arg.access or "r") for spec in operands if spec.kind != "address")
        return ("atomic" if returns else "reduction"), space, ""
    return ("load" if effects.memory == "r" else "store"), space, ""


def space_name(token: str) -> str:
    """A state space as the manual's table names it; a sub-space keeps its name where it is another memory."""
    base, _, inner = token.partition("::")
    return (token if inner == "cluster" else base) or "generic"


def access_bytes(instruction: Instruction) -> int | None:
    """The bytes that one thread moves when it runs an instruction; None when the text does not tell."""
    access = plan(instruction)
    for bound, operand in zip(access.bound, instruction.operands, strict=False):
        if bound.spec.name in _SIZES:
            return operand.value if isinstance(operand, Integer) else None
    if not any(bound.spec.kind == "address" for bound in access.bound):
        return None
    data = _data(instruction.opcode, access)
    if data is None:
        return None
    bound, operand = access.bound[data], instruction.operands[data]
    return _operand_bytes(bound, operand)


def _data(opcode: Opcode, access: Plan) -> int | None:
    """The place of the operand that holds what is moved: what a load or an atomic writes, what a store reads."""
    effects = opcode.effects
    if effects.barrier or effects.space == "dst" or opcode.stem.startswith("mbarrier."):
        return None
    plain = [
        (index, bound.spec.arg.access or "r")
        for index, bound in enumerate(access.bound)
        if bound.spec.kind != "address" and not bound.spec.optional
    ]
    written = [index for index, way in plain if "w" in way]
    if written:
        return written[0]
    return plain[0][0] if plain and "w" in effects.memory else None


def _operand_bytes(bound: Bound, operand: Operand) -> int | None:
    first = operand.first if isinstance(operand, Pair) else operand
    count = len(first.elements) if isinstance(first, Vector) else max(1, bound.spec.count(bound.slots))
    return _type_bytes(bound.type, bound.slots, count)


def _type_bytes(name: str, slots: Slots, count: int) -> int | None:
    known = TYPES.get(name) or TYPES.get(slots.get("type", ""))
    return None if known is None else known.bits * count // 8
