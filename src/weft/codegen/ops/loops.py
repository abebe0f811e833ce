"""Counted loops: which are copied whole, which turn several times at once, which stay as they are."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from xdsl.ir import Block as MlirBlock
from xdsl.ir import Operation, SSAValue

from weft.codegen import linear
from weft.codegen.constants import constant_of
from weft.codegen.graph import B32, B64, BITS, Block, Carried, Const, If, Induction, Loop, Value
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.nowrap import SIGNED, UNSIGNED
from weft.codegen.ops.carried import advance, bind, carry, seen_as
from weft.codegen.ops.evolving import Turns
from weft.codegen.ops.loop_memory import move_memory
from weft.codegen.ops.loop_sizes import (
    SUMS,
    UNROLLED_OPERATIONS,
    UNROLLED_OVER_ARRAYS,
    UNROLLED_TRIPS,
    constant_trips,
    is_own_array,
    length_of,
    memories,
    size_of,
    turn_of,
)
from weft.codegen.ops.merging import merge_branches
from weft.codegen.ops.unswitching import test_of_turns, turns_once
from weft.codegen.selector import Selector

if TYPE_CHECKING:
    from weft.dialects.rows import scf as rows

TURNS, TURNED_OPERATIONS = 4, 16
"""An innermost loop of at most so many operations makes so many turns at once."""
AGAIN_OPERATIONS = 12
"""ptxas may copy the turns again of a loop that has at most so many."""
COPIED_BY_PTXAS = 2000
"""Operations that ptxas copies all turns of a loop to, where it knows how often that turns."""
TURNS_WITH_FUNCTIONS, OPERATIONS_WITH_FUNCTIONS = 2, 40
"""The same of loops with elementary functions, which ptxas leaves as they are."""
NESTED_OPERATIONS = 72
"""The same of loops around others that are copied whole, with the operations of all their turns."""
MOST_PERIOD, COPIED_FOR_BITS = 4, 100
"""Loops whose low bits of the counter are read copy at most so many turns, if these have at most so many operations."""
_ADDITIONS = ("arith.addi", "llvm.add", "index.add")
_SUMMED = 3
"""Operations in a row through which a counter is followed."""
_REMAINDERS = ("arith.andi", "arith.remui", "arith.remsi")
_MOST_USES = 32
UNROLLED_IN_ALL = 6000
"""Operations of a function that loops are unrolled to at most; the loops behind stay loops."""


def counted_loop(s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin], starts: list[Any], *, signed: bool) -> None:
    """The loop of `op`'s only region over (lower, upper, step), carrying `starts` to `op`'s results.

    Unrolled if short, else bottom-tested with a guard where it may not run at all.
    """
    lower, upper, step = bounds
    guard: Test | None = s.compare("lt", lower, upper, signed=signed)
    if isinstance(guard, Value) and s.holds(guard):  # As in a loop within another of the same bounds.
        guard = None
    # The loop never runs: its results are what it starts with.
    if isinstance(guard, Const) and not guard.pattern:
        bind(s, op.results, starts)
    elif turns_once(lower, upper, step, signed=signed):
        _once(s, op, lower, guard, starts)
    elif (test := test_of_turns(s, op)) is not None:
        branch = If(test, s.child(), s.child(), source=s.source)
        branch.then.holds = test
        with s.at(branch.then):
            counted_loop(s, op, bounds, starts, signed=signed)
        s.source = op
        merge_branches(s, branch, op.results, [[], []])
    elif (trips := _trips(lower, upper, step)) and _short(s, op, trips):
        _unrolled(s, op, [lower.const + i * step.const for i in range(trips)], lower.bits, starts)
    else:
        _loop(s, op, (lower, upper, step), None if isinstance(guard, Const) else guard, starts, signed=signed)


def _once(s: Selector, op: Operation, lower: Lin, guard: Test | None, starts: list[Any]) -> None:
    """A loop's only turn, under its guard if it has one."""
    if not isinstance(guard, Value):
        bind(s, op.results, _turn_of(s, op, lower, starts))
        return
    branch = If(guard, s.child(), s.child(), source=s.source)
    branch.then.holds = guard
    with s.at(branch.then):
        values = _turn_of(s, op, lower, starts)
    s.source = op
    merge_branches(s, branch, op.results, [values, starts])


def _turn_of(s: Selector, op: Operation, count: Lin, values: list[Any]) -> list[Any]:
    """What a turn makes of the values that a loop carries."""
    body = op.regions[0].blocks[0]
    s.values[body.args[0]] = count
    bind(s, body.args[1:], values)
    last = s.select_block(body)
    return [s.get(operand) for operand in last.operands]


def _trips(lower: Lin, upper: Lin, step: Lin) -> int:
    """The number of iterations, 0 when it is not known."""
    if not (lower.is_const and upper.is_const and step.is_const) or step.const <= 0:
        return 0
    return max(0, -(-(upper.const - lower.const) // step.const))


def _short(s: Selector, op: Operation, trips: int) -> bool:
    if trips > UNROLLED_TRIPS:
        return False
    size = trips * size_of(op)
    if size > UNROLLED_OVER_ARRAYS or s.unrolled + size > UNROLLED_IN_ALL:
        return False
    if size > UNROLLED_OPERATIONS and not any(map(is_own_array, memories(op))):
        return False
    # What loops inside are copied to is counted with those around, as far as the text says how often they turn.
    if not s.unrolling or constant_trips(op) != trips:
        s.unrolled += size
    return True


def _copies(s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin]) -> int:
    """How many turns of a loop are made at once: 1 but for small ones that count by one, or a number of times.

    (Others whose steps are larger, by threads that share the work, ptxas unrolls as well by itself.)
    """
    _, _, step = bounds
    size, functions, nested = turn_of(op)
    if not size or not step.is_const or (step.const != 1 and not _trips(*bounds)):
        return 1
    copies = TURNS if size <= TURNED_OPERATIONS else 1
    several = functions > 1 or size > AGAIN_OPERATIONS  # A single one is short enough for all turns.
    if (functions and several and size <= OPERATIONS_WITH_FUNCTIONS) or (
        nested and TURNED_OPERATIONS < size <= NESTED_OPERATIONS
    ):
        copies = TURNS_WITH_FUNCTIONS
    if s.unrolling or s.unrolled + copies * size > UNROLLED_IN_ALL:
        return 1
    s.unrolled += copies * size
    return copies


def _turns_by_bits(s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin], trips: int) -> int:
    """How many turns to copy of a loop of a known count, so that the low bits of its counter that it reads are known.

    ptxas copies such a loop's turns by itself, but does not know then what these bits are.
    """
    lower, _, step = bounds
    copies = _period(op) // step.const if step.const in (1, 2) else 1
    while copies > 1 and (trips % copies or lower.const % (copies * step.const)):
        copies //= 2
    size = max(copies, 1) * size_of(op)
    if copies < 2 or s.unrolling or size > COPIED_FOR_BITS or s.unrolled + size > UNROLLED_IN_ALL:
        return 1
    s.unrolled += size
    return copies


def _period(op: Operation) -> int:
    """The largest power of two, up to `MOST_PERIOD`, by which a remainder of a loop's counter is taken; 1 for none."""
    most, work = 1, [(use, _SUMMED) for use in op.regions[0].blocks[0].args[0].uses]
    while work:
        use, left = work.pop()
        owner: Any = use.operation
        if owner.name in _REMAINDERS and (number := constant_of(owner.operands[1])) is not None:
            period = number + 1 if owner.name == "arith.andi" else number
            if period <= MOST_PERIOD and period & period - 1 == 0:
                most = max(most, period)
        elif owner.name in SUMS and left:
            work += [(inner, left - 1) for inner in owner.results[0].uses]
    return most


def unrolled_while(s: Selector, op: rows.WhileOp) -> bool:
    """Copy the regions of an `scf.while` that turns as often as constants say, if it is short."""
    trips = Turns(s, op).count(UNROLLED_TRIPS)
    if not trips or not _short(s, op, trips):
        return False
    before, after = (region.blocks[0] for region in op.regions)
    values = [s.get(operand) for operand in op.operands]
    s.unrolling += 1
    for turn in range(trips + 1):
        bind(s, before.args, values)
        condition = s.select_block(before)
        values = [s.get(operand) for operand in condition.operands[1:]]
        if turn < trips:
            bind(s, after.args, values)
            last = s.select_block(after)
            values = [s.get(operand) for operand in last.operands]
    s.unrolling -= 1
    bind(s, op.results, values)
    return True


def _unrolled(s: Selector, op: Operation, counts: list[int], bits: int, values: list[Any]) -> None:
    s.unrolling += 1
    for count in counts:
        values = _turn_of(s, op, linear.const(count, bits), values)
    s.unrolling -= 1
    bind(s, op.results, values)


def _loop(
    s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin], guard: Test | None, starts: list[Any], *, signed: bool
) -> None:
    """A loop; a small innermost one turns several times at once, and a second loop makes the turns left over."""
    lower, upper, step = bounds
    trips = _trips(lower, upper, step)
    alone = not signed or (trips and trips * length_of(op) <= COPIED_BY_PTXAS)
    copies = 1 if alone else _copies(s, op, bounds)
    beside = _beside(op, lower, step, starts)
    if copies == 1 or (trips and trips % copies == 0):
        turns = _turns_by_bits(s, op, bounds, trips) if trips and copies == 1 else copies
        rolled = copies > 1 and turn_of(op)[0] > AGAIN_OPERATIONS
        _turning(s, op, bounds, guard, starts, beside, signed=signed, copies=turns, rolled=rolled)
    else:
        # A first loop makes several turns at once while so many are left, a second one the rest, one by one; ptxas is
        # told to leave that alone, since it cannot see that it turns less than `copies` times.
        ahead = (copies - 1) * step.const
        end = linear.offset(upper, -ahead)  # Where the first loop is entered, this is above its lower bound.
        first = _has_several(s, lower, upper, guard, ahead)
        rolled = turn_of(op)[0] > AGAIN_OPERATIONS
        most = upper.hi - ahead if upper.exact else None
        reached, starts, before = _turning(
            s, op, (lower, end, step), first, starts, beside, signed=True, copies=copies, rolled=rolled, below=most
        )
        left = s.compare("lt", reached, upper, signed=True)
        _turning(s, op, (reached, upper, step), left, starts, beside, signed=True, rolled=True, before=before)


def _has_several(s: Selector, lower: Lin, upper: Lin, guard: Test | None, ahead: int) -> Test:
    """Whether a loop turns more than so many times; it turns at all where the guard holds."""
    limit = 1 << lower.bits - 2
    if -limit <= lower.lo <= lower.hi < limit:  # The lower bound and the turns ahead of it do not wrap.
        return s.compare("lt", linear.offset(lower, ahead), upper, signed=True)
    several = s.compare("gt", s.sub(upper, lower), linear.const(ahead, lower.bits), signed=False)
    return several if guard is None else s.logic("and", guard, several)


def _beside(op: Operation, lower: Lin, step: Lin, starts: list[Any]) -> list[tuple[SSAValue, int, int]]:
    """What a loop carries that counts beside its counter n: k n + c, all of them numbers, in the value's own width."""
    body: MlirBlock = op.regions[0].blocks[0]
    last = body.last_op
    if last is None or not lower.is_const or not step.is_const or step.const <= 0:
        return []
    found: list[tuple[SSAValue, int, int]] = []
    for argument, start, following in zip(body.args[1:], starts, last.operands, strict=True):
        addition: Any = following.owner
        if not isinstance(start, Lin) or not start.is_const or start.bits > lower.bits:
            continue
        if getattr(addition, "name", "") not in _ADDITIONS or addition.operands[0] is not argument:
            continue
        by = constant_of(addition.operands[1])
        if by is not None and by % step.const == 0 and _is_whole(argument.type):
            times = by // step.const
            found.append((argument, times, start.const - times * lower.const))
    return found


def _is_whole(type_: Any) -> bool:
    """Whether an integer fills its register."""
    return type_.name == "index" or (type_.name == "integer_type" and type_.width.data in (32, 64))


def _count_beside(s: Selector, beside: list[tuple[SSAValue, int, int]], counter: Lin) -> None:
    for argument, times, first in beside:
        own: Any = s.get(argument)
        here = s.truncated(counter) if own.bits < counter.bits else counter
        s.values[argument] = linear.offset(linear.scaled(here, times), first)


def _turning(
    s: Selector,
    op: Operation,
    bounds: tuple[Lin, Lin, Lin],
    guard: Test | Const | None,
    starts: list[Any],
    beside: list[tuple[SSAValue, int, int]],
    *,
    signed: bool,
    copies: int = 1,
    rolled: bool = False,
    below: int | None = None,
    before: Loop | None = None,
) -> tuple[Lin, list[Any], Loop]:
    """A loop with so many copies of its body; its counter after it, the results, which `op`'s are bound to, and itself.

    Its counter is below a number, if one is given; it may go on where another has stopped.
    """
    body: MlirBlock = op.regions[0].blocks[0]
    lower, upper, step = bounds
    setup = s.child() if isinstance(guard, Value) and copies == 1 and not rolled and _owns_memory(op) else None
    loop = Loop(Block(setup or s.block, loop=True), guard=guard, rolled=rolled, setup=setup, source=s.source)
    stride = linear.scaled(step, copies)
    below = upper.hi if below is None and upper.exact else below
    loop.body.holds = guard if isinstance(guard, Value) else None
    loop.before = before
    counter, following = _counter(s, loop, (lower, upper, stride), below, signed=signed)
    loop.counter = counter.single()
    fixed = {body.args[0]: (counter.lo, counter.hi)} if counter.exact else {}
    results = carry(s, loop.body, loop.carried, body, body.args[1:], starts, fixed)
    with s.at(loop.body):
        s.unrolling += copies > 1
        last = body.last_op
        for copy in range(copies):
            if copy:
                assert last is not None
                bind(s, body.args[1:], [s.get(operand) for operand in last.operands])
            s.values[body.args[0]] = linear.add(counter, step, copy)
            _count_beside(s, beside, linear.add(counter, step, copy))
            last = s.select_block(body)
        assert last is not None
        s.unrolling -= copies > 1
        s.source = op
        advance(s, loop.carried[1 : 1 + results.count], last.operands)
        small = loop.carried[0].value.cls == B32
        after = following(s)
        loop.carried[0].next = s.operand(after)
        end = s.truncated(upper) if small else upper
        loop.again = s.compare("lt", after, end, signed=signed)
    s.step_alone(loop)
    _finish_steps(loop)
    behind = move_memory(s, loop)
    s.block.items += [loop, *behind]
    if setup is not None:
        s.block.seen.update(setup.known)
    found = results.after(s)
    bind(s, op.results, found)
    return _reached(s, loop, below, stride, small=small and lower.bits == 64), found, loop


def _owns_memory(op: Operation) -> bool:
    """Whether nothing outside of a loop uses the memory that it uses: then its addresses are its own."""
    for inner in op.regions[0].blocks[0].ops:
        for operand in inner.operands:
            if operand.type.name == "memref" and not all(
                op.is_ancestor(use.operation) for use in islice(operand.uses, _MOST_USES)
            ):
                return False
    return True


def _reached(s: Selector, loop: Loop, below: int | None, stride: Lin, *, small: bool) -> Lin:
    """The counter after a loop, where it was below a number if that is known."""
    entry = loop.carried[0]
    most = 1 << (31 if entry.value.cls == B32 else 62)
    bounded = below is not None and stride.exact and below + stride.hi - 1 < most
    lo, hi = (entry.value.lo, below + stride.hi - 1) if below is not None and bounded else (0, -1)
    entry.result = Value(entry.value.cls, s.block, None, lo, hi)
    return seen_as(s, entry.result, wide=True) if small else linear.of(entry.result)


def _finish_steps(loop: Loop) -> None:
    """Append the additions of the values that step with the loop."""
    steps = set(loop.steps.values())
    loop.body.items += [c.next.inst for c in loop.carried if c.value in steps]


def _lowest(bits: int) -> int:
    """The lowest bit that is set in a number, 1 of 0."""
    return bits & -bits or 1


def _counter(
    s: Selector, loop: Loop, bounds: tuple[Lin, Lin, Lin], below: int | None, *, signed: bool
) -> tuple[Lin, Any]:
    """The loop counter as its users see it, and a function that gives its next value (in the counter's own width).

    In every turn it is below a number, if that is known.
    """
    lower, upper, step = bounds
    lo, hi = lower.lo, max(lower.lo, -1 if below is None else below - 1)
    # The counter stays in [lower, upper) only if it cannot wrap before the test: an unsigned one must start at 0 or
    # above.
    known = lower.exact and below is not None and step.exact and step.lo >= 0 and (signed or lo >= 0)
    # The last addition goes past the upper bound by up to a step, and must not wrap in 32 bits.
    fits = known and lo >= -(1 << 31) and upper.exact and upper.hi - 1 + step.hi < 1 << 31
    small = lower.bits == 32 or fits
    value = Value(B32 if small else B64, loop.body, None, lo if known else 0, hi if known else -1)
    if small:
        first, by = s.truncated(lower), s.truncated(step)
    else:
        first, by = lower, step
        value.induction = Induction(loop, lower, step)
    if lower.is_const and step.is_const:  # It keeps the low bits that are 0 in both, as it may wrap.
        value.maybe = (1 << BITS[value.cls]) - 1 & -_lowest(lower.const | step.const)
    loop.carried.append(Carried(value, s.operand(first)))
    seen = linear.of(value)
    if small and lower.bits == 64:
        with s.at(loop.body):
            seen = s.extended(seen, signed=True)
            wide = seen.single()
            assert wide is not None
            wide.induction = Induction(loop, lower, step, cheap=True)
    elif small:
        _note_extensions(s, loop, value, (lower, step), signed=signed)

    def following(s: Selector) -> Lin:
        return linear.add(linear.of(value), by)

    return seen, following


def _note_extensions(s: Selector, loop: Loop, value: Value, starts: tuple[Lin, Lin], *, signed: bool) -> None:
    """Say how a counter of 32 bits, which does not wrap in a turn as it is compared, advances when it is extended."""
    lower, step = starts
    kept = SIGNED if signed else UNSIGNED
    if signed and lower.exact and lower.lo >= 0:
        kept |= UNSIGNED
    value.induction = Induction(loop, lower, step, kept, cheap=True)
    for way in (SIGNED, UNSIGNED):
        if kept & way:
            first, by = (s.extended(one, signed=way == SIGNED) for one in (lower, step))
            with s.at(loop.body):
                wide = s.widened(value, signed=way == SIGNED)
            wide.induction = Induction(loop, first, by, cheap=True)
