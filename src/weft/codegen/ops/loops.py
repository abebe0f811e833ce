"""Counted loops: which are copied whole, which turn several times at once, which stay as they are."""

from __future__ import annotations

from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Block as MlirBlock
from xdsl.ir import Operation, SSAValue

from weft.codegen import linear
from weft.codegen.constants import constant_of
from weft.codegen.graph import B32, B64, BITS, Block, Carried, Const, Induction, Inst, Loop, Value
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.nowrap import SIGNED, UNSIGNED
from weft.codegen.ops.carried import advance, bind, carry, seen_as
from weft.codegen.ops.evolving import Turns, is_computed
from weft.codegen.selector import Selector
from weft.codegen.types import padded_size
from weft.dialects import narrow

if TYPE_CHECKING:
    from weft.dialects.rows import scf as rows

UNROLLED_TRIPS = 16
UNROLLED_OPERATIONS = 400
"""A loop with at most so many iterations is unrolled if its copies, and those of the loops inside, have at most so
many operations together.
"""
UNROLLED_OVER_ARRAYS, ARRAY_BYTES = 1600, 256
"""The same where that leaves only constant places of an array of the thread's own, which then is registers, if it has
at most so many bytes.
"""
TURNS, TURNED_OPERATIONS = 4, 16
"""An innermost loop of at most so many operations makes so many turns at once."""
AGAIN_OPERATIONS = 12
"""ptxas may copy the turns again of a loop that has at most so many."""
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
_PLAIN = ("arith.", "index.", "memref.", "vector.", "affine.", "builtin.", "math.")
_PLAIN_LLVM = frozenset(f"llvm.{name}" for name in (
    "load", "store", "getelementptr", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "trunc", "zext",
    "sext", "icmp", "fcmp", "select", "fadd", "fsub", "fmul", "fdiv", "fneg", "fptrunc", "fpext", "sitofp", "uitofp",
    "fptosi", "fptoui", "bitcast", "extractelement", "insertelement", "extractvalue", "insertvalue", "addrspacecast",
    "mlir.constant", "mlir.undef", "mlir.poison", "mlir.zero", "mlir.addressof", "intr.fma", "intr.fmuladd",
))  # fmt: skip
_FUNCTION = 8
"""Operations that a function counts as."""
_DIVISIONS = ("arith.divf", "llvm.fdiv")
_SHORT = ("math.fma", "math.abs", "math.floor", "math.ceil", "math.ct")
_LONG = frozenset((
    "memref.alloca", "memref.alloc", "memref.dealloc", "memref.copy", "arith.remf",
    "memref.generic_atomic_rmw", "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi",
    "arith.ceildivsi", "arith.ceildivui", "index.divs", "index.divu", "index.rems", "index.remu",
    "vector.contract", "vector.print", "vector.transfer_read", "vector.transfer_write",
))  # fmt: skip
"""Operations whose copies cost more than they save, and those that run once for good."""
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
    elif (trips := _trips(lower, upper, step)) and _short(s, op, trips):
        _unrolled(s, op, [lower.const + i * step.const for i in range(trips)], lower.bits, starts)
    else:
        _loop(s, op, (lower, upper, step), None if isinstance(guard, Const) else guard, starts, signed=signed)


def _trips(lower: Lin, upper: Lin, step: Lin) -> int:
    """The number of iterations, 0 when it is not known."""
    if not (lower.is_const and upper.is_const and step.is_const) or step.const <= 0:
        return 0
    return max(0, -(-(upper.const - lower.const) // step.const))


def _short(s: Selector, op: Operation, trips: int) -> bool:
    if trips > UNROLLED_TRIPS:
        return False
    size = trips * _size(op)
    if size > UNROLLED_OVER_ARRAYS or s.unrolled + size > UNROLLED_IN_ALL:
        return False
    if size > UNROLLED_OPERATIONS and not any(map(_is_own_array, _memories(op))):
        return False
    # What loops inside are copied to is counted with those around, as far as the text says how often they turn.
    if not s.unrolling or _constant_trips(op) != trips:
        s.unrolled += size
    return True


def _size(op: Operation) -> int:
    """The number of operations inside, those of loops that will be unrolled as often as they run.

    Counted to a little more than the limit.
    """
    count = 0
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                count += inner.name not in _FREE
                if inner.regions:
                    count += _constant_trips(inner) * _size(inner)
                if count > UNROLLED_OVER_ARRAYS:
                    return count
    return count


def _memories(op: Operation) -> set[SSAValue]:
    """The memory that a loop loads from and stores to, element by element."""
    found = (inner.operands[inner.name in _STORES] for inner in op.walk() if inner.name in (*_LOADS, *_STORES))
    return {_allocated(pointer) for pointer in islice(found, _MOST_USES)}


def _allocated(pointer: SSAValue) -> SSAValue:
    """The memory that a pointer is computed from."""
    while isinstance(pointer.owner, Operation) and pointer.owner.name in _MOVED:
        pointer = pointer.owner.operands[0]
    return pointer


def _is_own_array(memory: SSAValue) -> bool:
    """Whether it is a small array of the thread's own whose places are all known when loops are unrolled."""
    owner = memory.owner
    if not isinstance(owner, Operation):
        return False
    if owner.name == "memref.alloca" and not owner.operands:
        type_: Any = memory.type
        size = prod(type_.get_shape()) * padded_size(type_.element_type)
    elif owner.name == "llvm.alloca":
        size = (constant_of(owner.operands[0]) or ARRAY_BYTES + 1) * padded_size(owner.properties["elem_type"])
    else:
        return False
    return size <= ARRAY_BYTES and _is_accessed_by_place(memory)


def _is_accessed_by_place(memory: SSAValue) -> bool:
    """Whether memory is only loaded from and stored to, at places that are known when loops are unrolled."""
    for use in memory.uses:
        op = use.operation
        if op.name in _MOVED:
            if use.index or not all(map(_is_counted, op.operands[1:])) or not _is_accessed_by_place(op.results[0]):
                return False
        elif op.name in _WHOLE:
            continue
        elif (
            op.name not in (*_LOADS, *_STORES)
            or use.index != (op.name in _STORES)
            or any(not _is_counted(place) for place in op.operands[use.index + 1 :])
        ):
            return False
    return True


def _is_counted(value: SSAValue) -> bool:
    """Whether a number is known when the loops around are unrolled: made of constants and their counters."""
    owner = value.owner
    if isinstance(owner, Operation):
        computed = owner.name in _SUMS or is_computed(owner)
        return constant_of(value) is not None or (computed and all(map(_is_counted, owner.operands)))
    loop = owner.parent_op()
    if loop is not None and loop.name == "scf.while":  # What constants follow to, if that is copied at all.
        return value.type.name in ("index", "integer_type")
    if loop is None or value is not owner.args[0]:
        return False
    bounds = loop.operands[:3] if loop.name == "scf.for" else ()
    if all(constant_of(bound) is not None for bound in bounds):
        return _constant_trips(loop) > 1
    return all(map(_is_counted, bounds))


def _constant_trips(op: Operation) -> int:
    """How often a loop inside will be copied, as far as its text says; 1 for what stays as it is."""
    if op.name == "scf.for":
        bounds = [constant_of(operand) for operand in op.operands[:3]]
    elif op.name == "affine.for":
        bounds = [_constant_map(op.properties.get(name)) for name in ("lowerBoundMap", "upperBoundMap")]
        bounds.append(narrow.number(op.properties["step"]))
    else:
        return 1
    lower, upper, step = bounds
    if lower is None or upper is None or not step or step < 0:
        return 1
    trips = max(0, -(-(upper - lower) // step))
    return trips if trips <= UNROLLED_TRIPS else 1


def _constant_map(found: Any) -> int | None:
    results = getattr(getattr(found, "data", None), "results", ())
    return getattr(results[0], "value", None) if len(results) == 1 else None


_LOADS = ("memref.load", "affine.load", "llvm.load")
_STORES = ("memref.store", "affine.store", "llvm.store")
_MOVED = ("llvm.getelementptr", "llvm.addrspacecast")
_WHOLE = ("llvm.intr.memset", "llvm.intr.lifetime.start", "llvm.intr.lifetime.end", "llvm.intr.dbg.declare")
"""What is done to all of an array, at places that are known."""
_SUMS = ("arith.addi", "arith.subi", "arith.muli", "arith.index_cast", "arith.minsi", "arith.maxsi", "affine.apply")
_FREE = frozenset((
    "builtin.unrealized_conversion_cast", "llvm.extractvalue", "llvm.insertvalue", "llvm.mlir.constant",
    "arith.constant", "llvm.mlir.poison", "llvm.mlir.undef", "llvm.getelementptr", "llvm.addrspacecast",
    "arith.index_cast", "llvm.sext", "llvm.zext", "llvm.trunc",
))  # fmt: skip


def _copies(s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin]) -> int:
    """How many turns of a loop are made at once: 1 but for small ones that count by one.

    (Those whose steps are larger, by threads that share the work, ptxas unrolls as well by itself.)
    """
    _, _, step = bounds
    size, functions, nested = _turn(op)
    if not size or not step.is_const or step.const != 1:
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
    size = max(copies, 1) * _size(op)
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
            if 1 < period <= MOST_PERIOD and period & period - 1 == 0:
                most = max(most, period)
        elif owner.name in _SUMS and left:
            work += [(inner, left - 1) for inner in owner.results[0].uses]
    return most


def _turn(op: Operation) -> tuple[int, int, bool]:
    """The operations of a turn, 0 where it is not to be copied; the functions among them; whether a loop inside is
    copied whole.
    """
    block = op.regions[0].blocks[0]
    size = functions = 0
    nested = False
    for inner in block.ops:
        if inner is block.last_op:
            break
        # An operation that is not plain (a barrier, an atomic, a call) takes longer than the turn's jump: copies would
        # not pay.
        if (not inner.regions and not _is_plain(inner)) or inner.name in _LONG:
            return 0, 0, False
        if inner.regions:
            trips = _constant_trips(inner)
            if trips < 2 or not _turn(inner)[0]:
                return 0, 0, False
            size += trips * _size(inner)
            nested = True
            continue
        called = inner.name in _DIVISIONS or (inner.name.startswith("math.") and not inner.name.startswith(_SHORT))
        functions += called
        size += _FUNCTION if called else inner.name not in _FREE
    return size, functions, nested


def _is_plain(op: Operation) -> bool:
    if op.name in _PLAIN_LLVM:
        return not narrow.stated(op, "ordering", 0) and "volatile_" not in op.properties
    return op.name.startswith(_PLAIN)


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
    body = op.regions[0].blocks[0]
    s.unrolling += 1
    for count in counts:
        s.values[body.args[0]] = linear.const(count, bits)
        bind(s, body.args[1:], values)
        last = s.select_block(body)
        values = [s.get(operand) for operand in last.operands]
    s.unrolling -= 1
    bind(s, op.results, values)


def _loop(
    s: Selector, op: Operation, bounds: tuple[Lin, Lin, Lin], guard: Test | None, starts: list[Any], *, signed: bool
) -> None:
    """A loop; a small innermost one turns several times at once, and a second loop makes the turns left over."""
    lower, upper, step = bounds
    trips = _trips(lower, upper, step)
    copies = 1 if trips or not signed else _copies(s, op, bounds)
    beside = _beside(op, lower, step, starts)
    if copies == 1:
        turns = _turns_by_bits(s, op, bounds, trips) if trips else 1
        _turning(s, op, bounds, guard, starts, beside, signed=signed, copies=turns)
    else:
        # A first loop makes several turns at once while so many are left, a second one the rest, one by one; ptxas is
        # told to leave that alone, since it cannot see that it turns less than `copies` times.
        ahead = (copies - 1) * step.const
        end = linear.offset(upper, -ahead)  # Where the first loop is entered, this is above its lower bound.
        first = _has_several(s, lower, upper, guard, ahead)
        rolled = _turn(op)[0] > AGAIN_OPERATIONS
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
    _carry_memory(s, loop)
    s.block.items.append(loop)
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
                _is_inside(use.operation, op) for use in islice(operand.uses, _MOST_USES)
            ):
                return False
    return True


def _is_inside(op: Operation | None, loop: Operation) -> bool:
    while op is not None and op is not loop:
        op = op.parent_op()
    return op is loop


def _reached(s: Selector, loop: Loop, below: int | None, stride: Lin, *, small: bool) -> Lin:
    """The counter after a loop, where it was below a number if that is known."""
    entry = loop.carried[0]
    most = 1 << (31 if entry.value.cls == B32 else 62)
    bounded = below is not None and stride.exact and below + stride.hi - 1 < most
    lo, hi = (entry.value.lo, below + stride.hi - 1) if below is not None and bounded else (0, -1)
    entry.result = Value(entry.value.cls, s.block, None, lo, hi)
    return seen_as(s, entry.result, wide=True) if small else linear.of(entry.result)


def _carry_memory(s: Selector, loop: Loop) -> None:
    """Carry in registers what a turn loads where the one before has stored it; the first turn's is loaded before."""
    if isinstance(loop.guard, Const):
        return
    for load, store in s.window.again(loop.body):
        before = s.block
        if loop.guard is not None:  # What is loaded may be there only if the loop runs.
            if loop.setup is None:
                loop.setup = s.child()
            before = loop.setup
            loop.late += load.outs
        found = cast("tuple[Any, ...]", store.args[1] if isinstance(store.args[1], tuple) else (store.args[1],))
        first = tuple(Value(value.cls, before, None, value.lo, value.hi) for value in load.outs)
        loop.carried += [Carried(*entry) for entry in zip(load.outs, first, found, strict=True)]
        (one, *others) = first
        copy = Inst(load.opcode, first, (first if others else one, load.args[1]), load.source)
        for value, old in zip(first, load.outs, strict=True):
            value.inst, old.inst = copy, None
        loop.body.items.remove(load)
        before.items.append(copy)


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
        # A step that is computed in the loop cannot be multiplied in front of it.
        if all(v.block.nested < loop.body.nested for v, _ in step.terms):
            value.induction = Induction(loop, lower, step)
    if lower.is_const and step.is_const:  # It keeps the low bits that are 0 in both, as it may wrap.
        value.maybe = (1 << BITS[value.cls]) - 1 & -_lowest(lower.const | step.const)
    loop.carried.append(Carried(value, s.operand(first)))
    seen = linear.of(value)
    if small and lower.bits == 64:
        with s.at(loop.body):
            seen = s.extended(seen, signed=True)
            wide = seen.single()
            if wide is not None and all(v.block.nested < loop.body.nested for v, _ in step.terms):
                wide.induction = Induction(loop, lower, step, cheap=True)
    elif small and all(v.block.nested < loop.body.nested for v, _ in step.terms):
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
