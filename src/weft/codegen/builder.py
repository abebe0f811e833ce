"""Building the machine graph: where instructions go, and which are shared.

Pure instructions are hash-consed: an equal one that is already known where it is needed is reused.  A pure instruction
goes before the outermost loop that computes none of its operands, so loop-invariant code never enters the loop.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from weft.codegen.graph import B32, B64, BITS, PRED, Addr, Block, Const, Inst, Not, Value, values_in
from weft.codegen.lifting import lifted
from weft.codegen.literals import taken
from weft.errors import CompileError
from weft.isa.opcode import Opcode, opcode

_PRODUCT = opcode("mul", mode="lo", type="s32")
TOO_LARGE = "process vectors with this many elements in a loop"


def _exact_product(value: Value) -> tuple[Value, Value] | None:
    """The factors of a product of 32 bits that cannot wrap."""
    if value.inst is None or value.inst.opcode is not _PRODUCT:
        return None
    a, b = value.inst.args[1:]
    if not isinstance(a, Value) or not isinstance(b, Value):
        return None
    bounds = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return (a, b) if -(1 << 31) <= min(bounds) and max(bounds) < 1 << 31 else None


class Builder:
    """Appends instructions to a tree of blocks; `source` is the MLIR operation that is being selected."""

    def __init__(self) -> None:
        self.root = Block()
        self.block = self.root
        self.source: Any = None
        self.aligned: dict[Inst, int] = {}
        """Loads and stores of one register at multiples of more bytes than they move, and of how many."""
        self.choices: dict[Value, frozenset[int]] = {}
        """The numbers that registers may hold which loops carry, where they are few."""
        self.apart = False
        """Whether blocks say what they have computed apart from others."""
        self.most_values = sys.maxsize
        """Values of this process, after which the function has become too large."""

    def allow(self, values: int) -> None:
        """Let the function make so many more values at most."""
        self.most_values = Value.made() + values

    def child(self, *, loop: bool = False) -> Block:
        """A new block inside the current one: a branch, or a loop's body."""
        block = Block(self.block, loop=loop)
        block.follows = not loop
        return block

    def grow(self) -> None:
        """Called when the function has made all the values that it was allowed.

        Raises:
            CompileError: it is not allowed more.
        """
        raise CompileError("the function is too large", hint=TOO_LARGE)

    @contextmanager
    def at(self, block: Block) -> Generator[Block]:
        """Build into `block` for a while."""
        saved, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = saved

    # -- instructions -------------------------------------------------------------------------------------------

    def pure(self, opcode: Opcode, cls: str, *args: Any, lo: int = 0, hi: int = -1) -> Value:
        """The result of an instruction without effects: `opcode out, args...`; `lo`, `hi` bound it when known."""
        key = (opcode.text, args)  # A string knows its hash.
        target = self.place(args, key)
        found = known(target, key)
        if found is None and (target.seen or target.parent is not None):
            found = lifted(target, key) or (taken_up(target, key) if self.apart else None)
        if found is None:
            found = Value(cls, target, None, lo, hi)
            found.inst = inst = Inst(opcode, (found,), (found, *args), self.source)
            target.items.append(inst)
            target.known[key] = found
            if found.id > self.most_values:
                self.grow()
        return found

    def pure_many(self, opcode: Opcode, classes: tuple[str, ...], *args: Any) -> tuple[Value, ...]:
        """The results of a pure instruction with a vector destination: `opcode {outs}, args...`."""
        key = (opcode.text, args)  # A string knows its hash.
        target = self.place(args, key)
        found = known(target, key)
        if found is None:
            found = tuple(Value(cls, target) for cls in classes)
            inst = Inst(opcode, found, (found, *args), self.source)
            for value in found:
                value.inst = inst
            target.items.append(inst)
            target.known[key] = found
        return found

    def with_carry(
        self, first: Opcode, second: Opcode, low: tuple[Any, Any], high: tuple[Any, Any]
    ) -> tuple[Value, Value]:
        """The halves of a sum or a difference of 128 bits: `second` reads the carry that `first` writes just before.

        No other instruction with a carry comes between them, since both stay where they are made.
        """
        key = (first.text, low, high)
        target = self.place((*low, *high), key)
        found = known(target, key)
        if found is None:
            found = Value(B64, target), Value(B64, target)
            insts = [Inst(code, (out,), (out, *args), self.source)
                     for code, out, args in zip((first, second), found, (low, high), strict=True)]  # fmt: skip
            insts[1].carry = insts[0]
            for value, inst in zip(found, insts, strict=True):
                value.inst = inst
                target.items.append(inst)
            target.known[key] = found
        return found

    def once(self, key: object, make: Callable[[], Any]) -> Any:
        """What `make` builds, once for a block and those inside: with branches, which `pure` does not share."""
        found = known(self.block, key)
        if found is None:
            found = self.block.known[key] = make()
        return found

    def place(self, args: tuple[Any, ...], key: object) -> Block:
        """Where a pure instruction goes: before the outermost loop that computes none of its operands."""
        target = self.block
        if target.parent is not None and key in target.parent.seen:
            return self.shared_home(target, key, (value for arg in args for value in values_in(arg)))
        if not target.loops:
            return target
        deepest = 0
        for arg in args:
            if type(arg) is Value:
                if arg.block.nested > deepest:
                    deepest = arg.block.nested
            elif type(arg) in _COMPOUND:
                deepest = max(deepest, *(value.block.nested for value in values_in(arg)), 0)
        for body in target.loops:
            if body.nested > deepest:
                assert body.parent
                home = body.parent
                if home.parent is not None and key in home.parent.seen:
                    return self.shared_home(home, key, (value for arg in args for value in values_in(arg)))
                return home
        return target

    def holds(self, test: Any) -> bool:
        """Whether a predicate is true wherever this place is reached."""
        block, left = self.block, MOST_BLOCKS
        while block.parent is not None and left:
            if block.holds is test:
                return True
            block, left = block.parent, left - 1
        return False

    @staticmethod
    def shared_home(block: Block, key: object, values: Iterable[Value]) -> Block:
        """Where to compute an expression: before the branch, if one before it has computed it for itself."""
        if block.parent is None or key not in block.parent.seen:
            return block
        deepest = max((value.block.nested for value in values), default=0)
        while block.parent is not None and key in block.parent.seen and deepest <= block.parent.nested:
            block = block.parent
        return block

    def value(self, cls: str, lo: int = 0, hi: int = -1) -> Value:
        """A fresh value of the current block, to be written by an instruction that `emit` appends."""
        return Value(cls, self.block, None, lo, hi)

    def emit(self, opcode: Opcode, *args: Any, outs: tuple[Value, ...] = (), guard: Value | Not | None = None) -> Inst:
        """Append an instruction with effects; `args` are all its operands in PTX order, `outs` those it writes."""
        inst = Inst(opcode, outs, taken(opcode, args, self.register), self.source, effect=True, guard=guard)
        for value in outs:
            value.inst = inst
            if value.id > self.most_values:
                self.grow()
        self.block.items.append(inst)
        return inst

    def read(self, opcode: Opcode, *args: Any, outs: tuple[Value, ...]) -> None:
        """Append an instruction that must stay where it is but may go when nothing reads its results (a load)."""
        self.emit(opcode, *args, outs=outs).effect = False

    # -- width --------------------------------------------------------------------------------------------------

    def widened(self, value: Value, *, signed: bool) -> Value:
        """The 64-bit value that extends a 32-bit one."""
        if value.lo >= 0:
            signed = False
        # The product is exact as one with a sign.
        if (signed or value.lo >= 0) and (product := _exact_product(value)) is not None:
            letter = "u" if min(one.lo for one in product) >= 0 else "s"
            wide = self.pure(opcode("mul", mode="wide", type=f"{letter}32"), B64, *product, lo=value.lo, hi=value.hi)
        elif signed:
            wide = self.pure(opcode("cvt", type="s64", atype="s32"), B64, value, lo=value.lo, hi=value.hi)
        else:
            lo, hi = (value.lo, value.hi) if value.lo >= 0 else (0, (1 << 32) - 1)
            wide = self.pure(opcode("cvt", type="u64", atype="u32"), B64, value, lo=lo, hi=hi)
        wide.narrow = value
        return wide

    def narrowed(self, value: Value) -> Value:
        """The low 32 bits of a 64-bit value."""
        if value.narrow is not None:
            return value.narrow
        if -(1 << 31) <= value.lo and value.hi < 1 << 31:
            return self.pure(opcode("cvt", type="u32", atype="u64"), B32, value, lo=value.lo, hi=value.hi)
        return self.pure(opcode("cvt", type="u32", atype="u64"), B32, value)

    # -- constants and predicates -------------------------------------------------------------------------------

    def register(self, operand: Value | Const | int, cls: str) -> Value:
        """The operand in a register (for the places where PTX takes no immediate)."""
        if isinstance(operand, Value):
            return operand
        if cls == PRED:
            pattern = operand.pattern if isinstance(operand, Const) else operand
            return self.pure(opcode("setp", cmp="ne", type="s32"), PRED, pattern & 1, 0)
        literal = operand.literal() if isinstance(operand, Const) else operand
        return self.pure(opcode("mov", type=f"b{BITS[cls]}"), cls, literal)

    def inverted(self, test: Value | Const) -> Value | Const:
        """The complement of a predicate."""
        if isinstance(test, Const):
            return Const(PRED, test.pattern ^ 1)
        inst = test.inst
        if inst is not None and inst.opcode is opcode("not", type="pred"):
            return inst.args[1]
        return self.pure(opcode("not", type="pred"), PRED, test)


_COMPOUND = (tuple, Addr, Not)


MOST_BLOCKS = 100
"""Blocks around another in which an expression is looked for; what lies further out is computed again."""


_LONG = frozenset(("div", "rem", "sqrt"))
_SEARCHED = 256


def taken_up(block: Block, key: object) -> Value | None:
    """What a block has computed that comes before on some ways, put before it where all ways come by.

    Only where both may run, as the blocks of one `if` after the other: of two ways apart each keeps its own.
    """
    left = MOST_BLOCKS
    while (above := block.parent) is not None and left:
        found: Any = above.apart.get(key) if block.joined else None
        if found is not None:
            return found if type(found) is Value and _moves_to(found, above, key) else None
        block, left = above, left - 1
    return None


def _moves_to(found: Value, above: Block, key: object) -> bool:
    home, inst = found.block, found.inst
    if inst is None or home.parent is not above or inst.opcode.stem in _LONG or len(home.items) > _SEARCHED:
        return False
    read = (value for arg in inst.args for value in values_in(arg) if value is not found)
    if max((value.block.nested for value in read), default=0) > above.nested or inst not in home.items:
        return False
    home.items.remove(inst)
    above.items.append(inst)
    found.block = above
    above.known[key] = found
    return True


def known(block: Block | None, key: object) -> Any:
    """What holds an expression in a block or around it, None if nothing does."""
    left = MOST_BLOCKS
    while block is not None and left:
        found = block.known.get(key)
        if found is not None:
            return found
        block = block.parent
        left -= 1
    return None
