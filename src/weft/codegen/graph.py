"""The machine graph: instructions over single-assignment values, in a tree of structured blocks.

A `Value` is one virtual register.  An `Inst` is one PTX instruction whose operands are values, immediates, vectors
(tuples) and addresses, in PTX order.  A `Block` holds instructions and structured statements (`Loop`, `While`, `If`)
in execution order; function bodies with unstructured control flow are a list of `Block`s with `Jump` terminators.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from weft.dataclass import dataclass
from weft.isa.opcode import Opcode
from weft.ptx.operands import Arguments, Float, Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

# Register classes, named as in `weft.isa.registers`.
PRED, B16, B32, B64, B128 = "pred", "b16", "b32", "b64", "b128"

BITS = {PRED: 1, B16: 16, B32: 32, B64: 64, B128: 128}
_BOUNDS = {cls: (-1 << (bits - 1), (1 << (bits - 1)) - 1) for cls, bits in BITS.items()}


class Value:
    """A virtual register of class `cls`, written once (or, for a loop's carried value, once an iteration).

    `lo` and `hi` bound the value read as a signed integer.  `narrow` is the 32-bit value that this 64-bit one extends
    (by sign if `lo` is negative, else by zeros).  `space` marks a pointer into a state space; `generic` is then the
    same pointer as a generic address.  `induction` describes values that a loop advances by a fixed amount.
    `sum` is the expression that it was made to hold.  `bytes` is where its bytes come from, `maybe` the bits that may
    be set, `form` the bit fields that it is made of, each once somebody has asked (`weft.codegen.bytewise`,
    `bitfields`).  `register` and `merged` belong to register assignment.
    """

    __slots__ = (
        "block",
        "bytes",
        "cls",
        "form",
        "generic",
        "hi",
        "id",
        "induction",
        "inst",
        "lo",
        "maybe",
        "merged",
        "narrow",
        "register",
        "space",
        "sum",
    )

    _count = 0

    def __init__(self, cls: str, block: Block, inst: Inst | None = None, lo: int = 0, hi: int = -1) -> None:
        Value._count += 1
        self.id = Value._count
        self.cls = cls
        self.block = block
        self.inst = inst
        if hi < lo:
            lo, hi = _BOUNDS[cls]
        self.lo = lo
        self.hi = hi
        self.narrow: Value | None = None
        self.space = ""
        self.generic: Value | None = None
        self.induction: Induction | None = None
        self.bytes: Any = None
        self.maybe: int | None = None
        self.form: Any = None
        self.register: Any = None
        self.merged: Value | None = None
        self.sum: Any = None

    @classmethod
    def made(cls) -> int:
        """The number of the last value that was made."""
        return Value._count

    def __repr__(self) -> str:
        return f"<{self.cls} v{self.id}>"


@dataclass(frozen=True, slots=True)
class Induction:
    """A value that `loop` starts at `start` and advances by `step` (both `Lin`) every iteration.

    One of 32 bits does so without wrapping where it is read signed (1), unsigned (2) or either way, as `kept` says.
    Multiples of a `cheap` one cost an instruction: only itself and products with what is not known are worth registers.
    """

    loop: Loop
    start: Any
    step: Any
    kept: int = 3
    cheap: bool = False


@dataclass(frozen=True, slots=True)
class Addr:
    """A memory operand: a register, a symbol or an integer, plus a byte offset, plus what follows a comma."""

    base: Value | Symbol | int
    offset: int = 0
    rest: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Const:
    """A constant that is not an integer: a bit pattern of a register class (floats, packed lanes, predicates)."""

    cls: str
    pattern: int

    def literal(self) -> Float | int:
        """The operand: `0f3F800000` for 32 bits, `0d...` for 64, an integer for the rest."""
        if self.cls == B32:
            return Float(0.0, f"0f{self.pattern:08X}")
        if self.cls == B64:
            return Float(0.0, f"0d{self.pattern:016X}")
        return self.pattern


@dataclass(frozen=True, slots=True)
class PairOut:
    """`d|p`: a destination and the predicate that goes with it."""

    first: Value
    second: Value


@dataclass(frozen=True, slots=True)
class Not:
    """A predicate read negated."""

    value: Value


class Inst:
    """One instruction: opcode, operands in PTX order (`outs` among them), and the MLIR operation it comes from.

    `effect` keeps it alive although nothing reads its results.  `carry` is the one just before it whose carry it reads,
    and `ties` pairs each result that the instruction also
    reads (accumulators in place) with what it holds before.
    """

    __slots__ = ("args", "carry", "effect", "guard", "live", "opcode", "outs", "source", "ties")

    def __init__(
        self,
        opcode: Opcode,
        outs: tuple[Value, ...],
        args: tuple[Any, ...],
        source: Any = None,
        *,
        effect: bool = False,
        guard: Value | Not | None = None,
    ) -> None:
        self.opcode = opcode
        self.outs = outs
        self.args = args
        self.source = source
        self.effect = effect
        self.guard = guard
        self.live = False
        self.carry: Inst | None = None
        self.ties: tuple[tuple[Value, Any], ...] = ()

    def __repr__(self) -> str:
        return f"{self.opcode} {self.args}"


class Block:
    """A sequence of statements with one entry.

    `loops` holds the bodies of the loops around (and including) the block, outermost first; `nested` is its depth in
    the tree of blocks; `known` maps expressions to the values that hold them here and in every block below; `seen`
    has what branches inside the block have computed for themselves, and `lifted` counts what this block, a side of a
    branch, has lost to the code before it.  `selected` counts the branches inside that became selections.
    `apart` has what blocks of a graph right under this one compute, each for itself; one that several ways
    lead to is `joined`.  What `holds` is a predicate that is true wherever the block runs.
    `indices` has what accesses in the block say of theirs (`weft.codegen.indices`).  A block that
    `follows` is entered where its parent has got to; `memory` is what memory holds then (`weft.codegen.window`).  One
    is `crowded` behind an item, among as many as have been `looked` at, that writes many registers
    (`weft.codegen.lifting`).
    """

    __slots__ = (
        "apart",
        "crowded",
        "follows",
        "holds",
        "indices",
        "items",
        "joined",
        "known",
        "lifted",
        "looked",
        "loops",
        "memory",
        "nested",
        "parent",
        "seen",
        "selected",
    )

    def __init__(self, parent: Block | None = None, *, loop: bool = False) -> None:
        self.items: list[Item] = []
        self.known: dict[Any, Any] = {}
        self.seen: dict[Any, Any] = {}
        self.indices: dict[Any, tuple[int, bool]] = {}
        self.apart: dict[Any, Any] = {}
        self.joined = False
        self.selected = 0
        self.lifted = 0
        self.crowded = False
        self.looked = 0
        self.follows = False
        self.holds: Value | None = None
        self.memory: Any = None
        self.parent = parent
        self.nested = parent.nested + 1 if parent else 0
        outer = parent.loops if parent else ()
        self.loops: tuple[Block, ...] = (*outer, self) if loop else outer

    @property
    def depth(self) -> int:
        """The number of loops around the block."""
        return len(self.loops)


@dataclass(slots=True)
class Carried:
    """A value that a loop carries: its register, its value on entry, its value for the next iteration.

    `result` is what it is called after the loop.
    """

    value: Value
    start: Any
    next: Any = None
    result: Value | None = None


@dataclass(slots=True)
class Loop:
    """A bottom-tested loop: skipped if `guard` is false, repeated while `again` is true.

    `guard` None means that the first iteration always runs.  `setup` is what runs once after the guard: the pure
    instructions that the loop leaves alone, and the starts of `steps`, the carried values that hold sums of terms, by
    their terms, and of the `late` ones.  A `rolled` one is not to be unrolled by ptxas.  It may go on where `before`
    has stopped, another loop of the same body.  `counter` is its counter as users see it.  `source` is the operation
    that its branches come from.
    """

    body: Block
    carried: list[Carried] = field(default_factory=list[Carried])
    guard: Any = None
    again: Any = None
    rolled: bool = False
    setup: Block | None = None
    steps: dict[Any, Value] = field(default_factory=dict[Any, Value])
    late: list[Value] = field(default_factory=list[Value])
    before: Loop | None = None
    counter: Value | None = None
    source: Any = None

    def entered(self) -> tuple[list[Carried], list[Carried]]:
        """What is carried, by where it starts: before the guard, and after the setup."""
        if self.setup is None:
            return self.carried, []
        # What another loop goes on from is there even if this one does not run.
        read = {entry.value for entry in self.carried if entry.result is not None}
        late = {*self.steps.values(), *self.late} - read
        return (
            [entry for entry in self.carried if entry.value not in late],
            [entry for entry in self.carried if entry.value in late],
        )


@dataclass(slots=True)
class While:
    """A loop with its test in the middle: `before`, leave unless `test`, `after`, repeat.

    `results` are the values after the loop and what they are when it is left.
    """

    before: Block
    after: Block
    test: Any = None
    carried: list[Carried] = field(default_factory=list[Carried])
    results: list[Merge] = field(default_factory=list["Merge"])
    source: Any = None


@dataclass(slots=True)
class Merge:
    """A value that is `values[i]` when the i-th branch was taken."""

    value: Value
    values: list[Any]


@dataclass(slots=True)
class If:
    """Two branches and the values they merge into; `leaves` is the one of them that leaves the `While` around."""

    test: Any
    then: Block
    otherwise: Block
    merges: list[Merge] = field(default_factory=list[Merge])
    leaves: int | None = None
    source: Any = None


@dataclass(slots=True)
class Edge:
    """A jump to a basic block with the copies that its arguments need.

    They may be done `early`, before the branch, where the other way reads nothing of what they write.
    """

    target: Basic
    copies: list[tuple[Value, Any]] = field(default_factory=list[tuple[Value, Any]])
    early: bool = False


@dataclass(slots=True)
class Basic:
    """A basic block of unstructured control flow.

    The terminator is: `edges` empty, nothing (the body ended with `ret` or `exit`); one edge, a jump; several, `tests`
    pick the first edge whose test is true, and the last edge is taken when none is.  With a `table`, `tests` are
    whether a number lies beyond it, where the last edge is taken, and the number: the place of its edge's in the table.
    ptxas is not to unroll the loop that a `rolled` one begins.
    """

    block: Block
    edges: list[Edge] = field(default_factory=list[Edge])
    tests: list[Any] = field(default_factory=list[Any])
    label: str = ""
    source: Any = None
    rolled: bool = False
    table: list[int] | None = None


@dataclass(slots=True)
class Graph:
    """Unstructured control flow: basic blocks, the entry first.

    `around` is the block around them all where they are a part of a function only.
    """

    blocks: list[Basic]
    around: Block | None = None


Item = Inst | Loop | While | If | Graph


def values_in(operand: Any) -> Sequence[Value]:
    """Every value that an operand reads or writes."""
    kind = cast("type[Any]", type(operand))
    if kind is Value:
        return (operand,)
    if kind is tuple:
        return [value for element in operand for value in values_in(element)]
    if kind is Addr:
        base = (operand.base,) if type(operand.base) is Value else ()
        return (*base, *values_in(operand.rest)) if operand.rest else base
    if kind is Not:
        return (operand.value,)
    if kind is Arguments:
        return values_in(operand.elements)
    if kind is PairOut:
        return (operand.first, operand.second)
    return ()
