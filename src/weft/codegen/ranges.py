"""Bounds of the integers that a loop carries, found before its body is selected.

A stage index that flips between 0 and 1, or counts modulo a constant, is kept in 32 bits when its bounds are known.
They are the fixed point of evaluating what the loop yields, starting from the first iteration's bounds.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Block, OpResult, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.limits import BINARY, Bounds, by_name
from weft.codegen.linear import Lin
from weft.dialects.arith.predicates import INTEGER_PREDICATES

_LIMIT = 1 << 31
_ROUNDS = 4
_DEPTH = 12


def carried_bounds(
    body: Block, starts: list[Any], known: dict[SSAValue, Any], fixed: dict[SSAValue, Bounds]
) -> dict[SSAValue, Bounds]:
    """Bounds of the carried arguments of a loop's `body` that are integers which stay within 32 bits.

    `starts` are their values on entry, `known` the values selected so far and `fixed` the bounds of the loop counter.
    """
    arguments: list[SSAValue] = list(body.args[len(body.args) - len(starts) :])
    last = body.last_op
    yields: list[SSAValue] = list(last.operands) if last is not None else []
    bounds: dict[SSAValue, Bounds] = {}
    for argument, start in zip(arguments, starts, strict=True):
        # Values of 32 bits are skipped: the point is to keep in 32 bits what its type would put into 64.
        if isinstance(start, Lin) and start.bits == 64 and start.exact and _fits((start.lo, start.hi)):
            bounds[argument] = (start.lo, start.hi)
    next_of = dict(zip(arguments, yields, strict=True))
    # Bounds grow from those of the first turn until a turn stays within them.  One that still grows after a few rounds
    # may grow for ever, and is dropped; each drop can unsettle another argument, hence the further rounds.
    for round_ in range(_ROUNDS + len(arguments)):
        if not bounds:
            break
        changed: dict[SSAValue, Bounds | None] = {}
        for argument, (lo, hi) in bounds.items():
            # Each round assumes the bounds of all arguments together: only when no argument changes are they an
            # invariant of the loop.
            found = _Evaluation(body, known, fixed | bounds).of(next_of[argument], _DEPTH)
            if found is None or not _fits(found):
                changed[argument] = None
            elif found[0] < lo or found[1] > hi:
                joined = (min(lo, found[0]), max(hi, found[1]))
                changed[argument] = None if round_ >= _ROUNDS else joined
        if not changed:
            return bounds
        for argument, joined in changed.items():
            if joined is None:
                del bounds[argument]
            else:
                bounds[argument] = joined
    return {}


def _fits(bounds: Bounds) -> bool:
    return -_LIMIT <= bounds[0] and bounds[1] < _LIMIT


def _holds(type_: Attribute, bounds: Bounds) -> bool:
    """Whether an integer type has all numbers within these bounds, read as signed."""
    if not isinstance(type_, IntegerType):
        return isinstance(type_, IndexType)
    limit = 1 << (type_.bitwidth - 1)
    return -limit <= bounds[0] and bounds[1] < limit


class _Evaluation:
    """Evaluates bounds backwards from a value, to a limited depth; None is unknown."""

    def __init__(self, body: Block, known: dict[SSAValue, Any], assumed: dict[SSAValue, Bounds]) -> None:
        self._body = body
        self._known = known
        self._assumed = assumed

    def of(self, value: SSAValue, depth: int) -> Bounds | None:
        # Bounds are those of the exact result.  A narrow integer wraps where this leaves its type, as an `index_cast`
        # to i8 or a product of i8 does, and bounds by the wide one would be wrong.
        found = self._exact(value, depth)
        return found if found and _holds(value.type, found) else None

    def _exact(self, value: SSAValue, depth: int) -> Bounds | None:
        if value in self._assumed:
            return self._assumed[value]
        held = self._known.get(value)
        # What is selected inside the loop belongs to an earlier copy of its body, and to that copy's turn.
        if isinstance(held, Lin) and not self._inside(value):
            return (held.lo, held.hi) if held.exact else None
        if not depth or not isinstance(value, OpResult):
            return None
        op: Any = value.op
        if (number := constant_of(value)) is not None:
            return number, number
        if op.name in ("builtin.unrealized_conversion_cast", "arith.index_cast", "arith.extsi"):
            return self.of(op.operands[0], depth - 1)
        if op.name == "scf.if":
            ends = [region.blocks[0].last_op.operands[value.index] for region in op.regions]
            return self._join([self.of(end, depth - 1) for end in ends])
        if op.name == "arith.select":
            return self._join([self.of(end, depth - 1) for end in op.operands[1:]])
        rule = _BINARY.get(op.name)
        if rule is None:
            return None
        a = self.of(op.operands[0], depth - 1)
        b = self.of(op.operands[1], depth - 1)
        # A mask or an unsigned modulus bounds the result whatever the other operand is; anything else needs both.
        if b is None or (a is None and not op.name.endswith(("remui", "urem", "andi", "and"))):
            return None
        result = rule(a or (-1 << 62, 1 << 62), b)
        return result if result and _fits(result) else None

    def _inside(self, value: SSAValue) -> bool:
        """Whether the value is computed in the loop: what is known of it then belongs to an earlier unrolled copy."""
        block = value.owner if isinstance(value.owner, Block) else value.owner.parent
        while block is not None and block is not self._body:
            around = block.parent_op()
            block = around.parent if around is not None else None
        return block is not None

    @staticmethod
    def _join(parts: list[Bounds | None]) -> Bounds | None:
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        return min(lo for lo, _ in found), max(hi for _, hi in found)


def _xor(a: Bounds, b: Bounds) -> Bounds | None:
    # Without sign bits, the result has no bit above the highest of the operands.
    if a[0] < 0 or b[0] < 0:
        return None
    return 0, (1 << max(a[1], b[1]).bit_length()) - 1


def _signed_remainder(a: Bounds, b: Bounds) -> Bounds | None:
    return BINARY["arith.remui"](a, b) if a[0] >= 0 else None


_KNOWN = "arith.addi llvm.add arith.subi llvm.sub arith.muli llvm.mul arith.andi llvm.and arith.remui llvm.urem"
_BINARY = {name: BINARY[name] for name in _KNOWN.split()} | by_name({
    "arith.xori llvm.xor arith.ori llvm.or": _xor,
    "arith.remsi llvm.srem": _signed_remainder,
})  # fmt: skip


# -- carried constants ----------------------------------------------------------------------------------------

MOST_CHOICES = 16
"""Numbers that a carried integer may be, beyond which it counts as any."""


def carried_choices(body: Block, starts: list[frozenset[int] | None]) -> dict[SSAValue, frozenset[int]]:
    """The numbers that carried integers may be, where each turn picks one of some constants (a state).

    `starts` are those that they may be on entry, empty where they are not known.  The states are those that turns
    reach: what is chosen in states that none reaches does not count.
    """
    arguments: list[SSAValue] = list(body.args[len(body.args) - len(starts) :])
    last = body.last_op
    yields: list[SSAValue] = list(last.operands) if last is not None else []
    entry = {one: start for one, start in zip(arguments, starts, strict=True) if start}
    following = dict(zip(arguments, yields, strict=True))
    known = dict(entry)
    changed = True
    while changed:
        changed = False
        for argument, numbers in list(known.items()):
            picked = _picks(following[argument], body, known, _DEPTH)
            if picked is None or len(picked | numbers) > MOST_CHOICES:  # What was concluded from it does not hold.
                del entry[argument]
                known, changed = dict(entry), True
                break
            if picked - numbers:
                known[argument], changed = numbers | picked, True
    return known


def _picks(value: SSAValue, body: Block, known: dict[SSAValue, frozenset[int]], depth: int) -> frozenset[int] | None:
    """The numbers that a value may be where the loop's arguments are what is known of them; None if it may be any."""
    if value.owner is body:
        return known.get(value)
    if not depth or not isinstance(value, OpResult):
        return None
    op: Any = value.op
    if (number := constant_of(value)) is not None:
        return frozenset((number,))
    if op.name in ("arith.select", "llvm.select"):
        ends = op.operands[1:]
    elif op.name in ("scf.if", "scf.index_switch"):
        ends = [region.blocks[0].last_op.operands[value.index] for region in op.regions]
    else:
        return None
    each = [known] * len(ends) if op.name == "scf.index_switch" else _divided(op.operands[0], body, known)
    found = [_picks(end, body, some, depth - 1) for end, some in zip(ends, each, strict=True) if some is not None]
    return None if None in found else frozenset(number for some in found for number in some or ())


def _divided(
    test: SSAValue, body: Block, known: dict[SSAValue, frozenset[int]]
) -> list[dict[SSAValue, frozenset[int]] | None]:
    """What is known where a comparison of an argument with a number holds and where it does not; None for never."""
    op: Any = test.owner
    if not isinstance(test, OpResult) or op.name not in ("arith.cmpi", "llvm.icmp"):
        return [known, known]
    index: int = op.properties["predicate"].value.data
    relation, number = INTEGER_PREDICATES[index], constant_of(op.operands[1])
    argument: SSAValue = op.operands[0]
    some = known.get(argument) if argument.owner is body else None
    if relation not in ("eq", "ne") or number is None or some is None:
        return [known, known]
    parts = (some & {number}, some - {number})
    # An empty part means that no reached state takes this way: what it yields does not count, which is how a state
    # machine's dead transitions drop out.
    ways = [{**known, argument: part} if part else None for part in parts]
    return ways if relation == "eq" else ways[::-1]
