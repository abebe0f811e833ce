"""Structured control flow: `scf.for`, `scf.if`, `scf.while`, `scf.index_switch`, `scf.execute_region`."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block as MlirBlock
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, B64, Block, Carried, Const, If, Induction, Inst, Loop, Merge, Value, While
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.provenance import agreed, common_space, in_one_space, space_of_scalar
from weft.codegen.ranges import carried_bounds
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout
from weft.isa import opcode

UNROLLED_TRIPS = 16
UNROLLED_OPERATIONS = 400
"""A loop with at most so many iterations is unrolled if its copies, and those of the loops inside, have at most so
many operations together.
"""
UNROLLED_IN_ALL = 6000
"""Operations of a function that loops are unrolled to at most; the loops behind stay loops."""

SELECTED_INSTRUCTIONS = 6
"""Branches of at most so many pure instructions become selections."""


# -- for --------------------------------------------------------------------------------------------------------


@handles("scf.for")
def select_for(s: Selector, op: Any) -> None:
    """A counted loop from a lower bound to an upper bound."""
    lower, upper, step = (s.int(operand) for operand in op.operands[:3])
    starts = [s.get(operand) for operand in op.operands[3:]]
    counted_loop(s, op, (lower, upper, step), starts, signed="unsignedCmp" not in op.properties)


def counted_loop(s: Selector, op: Any, bounds: tuple[Lin, Lin, Lin], starts: list[Any], *, signed: bool) -> None:
    """The loop of `op`'s only region over (lower, upper, step), carrying `starts` to `op`'s results.

    Unrolled if short, else bottom-tested with a guard where it may not run at all.
    """
    lower, upper, step = bounds
    guard = s.compare("lt", lower, upper, signed=signed)
    if isinstance(guard, Const) and not guard.pattern:
        _bind(s, op.results, starts)
    elif (trips := _trips(lower, upper, step)) and _short(s, op, trips):
        _unrolled(s, op, [lower.const + i * step.const for i in range(trips)], lower.bits, starts)
    else:
        _loop(s, op, (lower, upper, step), None if isinstance(guard, Const) else guard, starts, signed=signed)


def _bind(s: Selector, names: Any, values: list[Any]) -> None:
    for name, value in zip(names, values, strict=True):
        s.values[name] = value


def _trips(lower: Lin, upper: Lin, step: Lin) -> int:
    """The number of iterations, 0 when it is not known."""
    if not (lower.is_const and upper.is_const and step.is_const) or step.const <= 0:
        return 0
    return max(0, -(-(upper.const - lower.const) // step.const))


def _short(s: Selector, op: Operation, trips: int) -> bool:
    if trips > UNROLLED_TRIPS:
        return False
    size = trips * _size(op)
    if size > UNROLLED_OPERATIONS or s.unrolled + size > UNROLLED_IN_ALL:
        return False
    if not s.unrolling:  # Those of the loops inside are counted with it.
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
                if count > UNROLLED_OPERATIONS:
                    return count
    return count


def _constant_trips(op: Any) -> int:
    """How often a loop inside will be copied, as far as its text says; 1 for what stays as it is."""
    if op.name == "scf.for":
        bounds = [_constant(operand) for operand in op.operands[:3]]
    elif op.name == "affine.for":
        bounds = [_constant_map(op.properties.get(name)) for name in ("lowerBoundMap", "upperBoundMap")]
        bounds.append(op.properties["step"].value.data)
    else:
        return 1
    lower, upper, step = bounds
    if lower is None or upper is None or not step or step < 0:
        return 1
    trips = max(0, -(-(upper - lower) // step))
    return trips if trips <= UNROLLED_TRIPS else 1


def _constant(value: Any) -> int | None:
    owner = value.owner
    if getattr(owner, "name", "") not in ("arith.constant", "llvm.mlir.constant", "index.constant"):
        return None
    found = owner.properties.get("value")
    return getattr(getattr(found, "value", None), "data", None)


def _constant_map(found: Any) -> int | None:
    results = getattr(getattr(found, "data", None), "results", ())
    return getattr(results[0], "value", None) if len(results) == 1 else None


_FREE = frozenset((
    "builtin.unrealized_conversion_cast", "llvm.extractvalue", "llvm.insertvalue", "llvm.mlir.constant",
    "arith.constant", "llvm.mlir.poison", "llvm.mlir.undef", "llvm.getelementptr", "llvm.addrspacecast",
    "arith.index_cast",
))  # fmt: skip


def _unrolled(s: Selector, op: Any, counts: list[int], bits: int, values: list[Any]) -> None:
    body = op.regions[0].blocks[0]
    s.unrolling += 1
    for count in counts:
        s.values[body.args[0]] = linear.const(count, bits)
        _bind(s, body.args[1:], values)
        last = s.select_block(body)
        values = [s.get(operand) for operand in last.operands]
    s.unrolling -= 1
    _bind(s, op.results, values)


def _loop(
    s: Selector, op: Any, bounds: tuple[Lin, Lin, Lin], guard: Test | None, starts: list[Any], *, signed: bool
) -> None:
    body: MlirBlock = op.regions[0].blocks[0]
    lower, upper, step = bounds
    loop = Loop(s.child(loop=True), guard=guard)
    counter, following = _counter(s, loop, lower, upper, step, signed=signed)
    s.values[body.args[0]] = counter
    fixed = {body.args[0]: (counter.lo, counter.hi)} if counter.exact else {}
    results = _carry(s, loop.body, loop.carried, body, body.args[1:], starts, fixed)
    with s.at(loop.body):
        last = s.select_block(body)
        s.source = op
        _advance(s, loop.carried[1 : 1 + results.count], last.operands)
        small = loop.carried[0].value.cls == B32
        after = following(s)
        loop.carried[0].next = s.operand(after)
        end = s.truncated(upper) if small else upper
        loop.again = s.compare("lt", after, end, signed=signed)
    _finish_steps(loop)
    s.block.items.append(loop)
    _bind(s, op.results, results.after(s))


def _finish_steps(loop: Loop) -> None:
    """Append the additions of the values that step with the loop."""
    steps = set(loop.steps.values())
    loop.body.items += [c.next.inst for c in loop.carried if c.value in steps]


def _counter(s: Selector, loop: Loop, lower: Lin, upper: Lin, step: Lin, *, signed: bool) -> tuple[Lin, Any]:
    """The loop counter as its users see it, and a function that gives its next value (in the counter's own width)."""
    lo, hi = lower.lo, max(lower.lo, upper.hi - 1)
    known = lower.exact and upper.exact and step.exact and step.lo >= 0 and (signed or lo >= 0)
    fits = known and lo >= -(1 << 31) and upper.hi + step.hi < 1 << 31
    small = lower.bits == 32 or fits
    value = Value(B32 if small else B64, loop.body, None, lo if known else 0, hi if known else -1)
    if small:
        first, by = s.truncated(lower), s.truncated(step)
    else:
        first, by = lower, step
        if all(v.block.nested < loop.body.nested for v, _ in step.terms):
            value.induction = Induction(loop, lower, step)
    loop.carried.append(Carried(value, s.operand(first)))
    seen = linear.of(value)
    if small and lower.bits == 64:
        with s.at(loop.body):
            seen = s.extended(seen, signed=True)

    def following(s: Selector) -> Lin:
        return linear.add(linear.of(value), by)

    return seen, following


class _Results:
    """The user's carried values of a loop: how many scalars they are, and what they are called after it."""

    def __init__(self, types: list[Any], names: list[tuple[Any, bool]]) -> None:
        self._types = types
        self._names = names

    @property
    def count(self) -> int:
        """The number of scalars."""
        return len(self._names)

    def after(self, s: Selector) -> list[Any]:
        """The values after the loop."""
        return _regrouped(s, self._types, [_seen(s, value, wide=wide) for value, wide in self._names])


def _seen(s: Selector, value: Any, *, wide: bool) -> Any:
    """A carried register as the scalar it holds; `wide` ones hold the low half of a 64-bit integer."""
    if not wide:
        return value
    return s.extended(linear.of(value), signed=True)


def _regrouped(s: Selector, types: list[Any], scalars: list[Any]) -> list[Any]:
    """Values of these types from their scalars in a row."""
    values: list[Any] = []
    at = 0
    for type_ in types:
        found = layout(type_)
        kinds = found.scalars
        if len(kinds) == 1 and not found.composite:
            scalar = scalars[at]
            values.append(s.wrapped(scalar, kinds[0]) if isinstance(scalar, (Value, Const)) else scalar)
            at += 1
            continue
        part = tuple(
            s.wrapped(scalar, kind) if isinstance(scalar, (Value, Const)) else scalar
            for scalar, kind in zip(scalars[at : at + len(kinds)], kinds, strict=True)
        )
        values.append(s.unflatten(type_, part))
        at += len(kinds)
    return values


def _carry(
    s: Selector, block: Block, carried: list[Carried], mlir: MlirBlock, arguments: Any, starts: list[Any], fixed: Any
) -> _Results:
    """Make registers for a loop's arguments, bind the arguments to them, and name what they are after the loop."""
    types = [argument.type for argument in arguments]
    small = carried_bounds(mlir, starts, s.values, fixed) if starts and fixed is not None else {}
    names: list[tuple[Any, bool]] = []
    inside: list[tuple[Value, bool]] = []
    for argument, start in zip(arguments, starts, strict=True):
        bounds = small.get(argument)
        space = _carried_space(s, argument, start)
        for scalar, kind in zip(s.flatten(start), layout(argument.type).scalars, strict=True):
            first = s.truncated(scalar) if bounds else agreed(s, scalar, kind, space)
            cls = s.cls_of(first, kind)
            lo, hi = bounds or (0, -1)
            value, result = Value(cls, block, None, lo, hi), Value(cls, s.block, None, lo, hi)
            _keep_pointer(first, value, result)
            carried.append(Carried(value, s.as_operand(first), result=result))
            names.append((result, bounds is not None))
            inside.append((value, bounds is not None))
    with s.at(block):
        seen = [_seen(s, value, wide=wide) for value, wide in inside]
    _bind(s, arguments, _regrouped(s, types, seen))
    return _Results(types, names)


def _carried_space(s: Selector, argument: Any, start: Any) -> str:
    """The state space that a carried pointer is known to stay in."""
    if not any(space_of_scalar(scalar) for scalar in s.flatten(start)):
        return ""
    return common_space(s, argument)


def _keep_pointer(scalar: Any, *values: Value) -> None:
    """A pointer that is carried or merged stays in the state space that it is known to point into."""
    if isinstance(scalar, Lin) and scalar.bits == 64:
        for value in values:
            value.space = space_of_scalar(scalar)


def _advance(s: Selector, carried: list[Carried], operands: Any) -> None:
    """Set what the next iteration gets from the operands of the terminator."""
    scalars = [scalar for operand in operands for scalar in s.flatten(s.get(operand))]
    kinds = [kind for operand in operands for kind in layout(operand.type).scalars]
    for entry, scalar, kind in zip(carried, scalars, kinds, strict=True):
        if isinstance(scalar, Lin) and scalar.bits == 64 and entry.value.cls == B32:
            scalar = s.truncated(scalar)
        entry.next = s.as_operand(agreed(s, scalar, kind, entry.value.space))


# -- while ------------------------------------------------------------------------------------------------------


@handles("scf.while")
def select_while(s: Selector, op: Any) -> None:
    """A loop whose test stands between two regions."""
    before, after = (region.blocks[0] for region in op.regions)
    loop = While(s.child(loop=True), Block())
    loop.after = Block(loop.before)
    _carry(s, loop.before, loop.carried, before, before.args, [s.get(v) for v in op.operands], None)
    with s.at(loop.before):
        condition = s.select_block(before)
        s.source = op
        loop.test = s.test(condition.operands[0])
        passed = [s.get(operand) for operand in condition.operands[1:]]
        _bind(s, after.args, passed)
        leaving = [s.as_operand(scalar) for value in passed for scalar in s.flatten(value)]
    with s.at(loop.after):
        last = s.select_block(after)
        s.source = op
        _advance(s, loop.carried, last.operands)
    scalars = [kind for result in op.results for kind in layout(result.type).scalars]
    for operand, kind in zip(leaving, scalars, strict=True):
        cls = operand.cls if isinstance(operand, Value) else kind.cls
        loop.results.append(Merge(Value(cls, s.block), [operand]))
    s.block.items.append(loop)
    _bind(s, op.results, _regrouped(s, [r.type for r in op.results], [m.value for m in loop.results]))


# -- if ---------------------------------------------------------------------------------------------------------


@handles("scf.if")
def select_if(s: Selector, op: Any) -> None:
    """A conditional on a predicate."""
    conditional(s, op, s.test(op.operands[0]))


def conditional(s: Selector, op: Any, test: Test) -> None:
    """The branches of `op`'s two regions, whose ends give its results: small pure ones become selections."""
    regions = op.regions
    if isinstance(test, Const):
        chosen = regions[0] if test.pattern else regions[1]
        values = [s.get(v) for v in s.select_block(chosen.blocks[0]).operands] if chosen.blocks else []
        _bind(s, op.results, values)
        return
    branch = If(test, s.child(), s.child())
    ends: list[list[Any]] = []
    for block, region in ((branch.then, regions[0]), (branch.otherwise, regions[1])):
        with s.at(block):
            values = [s.get(v) for v in s.select_block(region.blocks[0]).operands] if region.blocks else []
            ends.append(values)
    s.source = op
    merge_branches(s, branch, op.results, ends)


def merge_branches(s: Selector, branch: If, results: Any, ends: list[list[Any]]) -> None:
    """Append the branch and bind the results to what the two ends yield."""
    scalars = [[scalar for value in values for scalar in s.flatten(value)] for values in ends]
    kinds = [kind for result in results for kind in layout(result.type).scalars]
    guarded = _guarded_load(s, branch, scalars, kinds)
    if guarded is not None:
        merged = guarded
    elif _selectable(branch):
        _inline(s, branch)
        merged = [_selected(s, branch.test, a, b, kind) for a, b, kind in zip(*scalars, kinds, strict=True)]
    else:
        merged = _after(s, branch, scalars[0], scalars[1], kinds)
        for block in (branch.then, branch.otherwise):
            s.block.seen.update(block.known)
    _bind(s, results, _regrouped(s, [result.type for result in results], merged))


def _guarded_load(s: Selector, branch: If, scalars: list[list[Any]], kinds: Any) -> list[Any] | None:
    """The results, where the branch only loads one register: the load is done under a predicate, without a branch."""
    items = branch.then.items
    if branch.otherwise.items or not items or len(items) > SELECTED_INSTRUCTIONS or len(scalars[0]) != 1:
        return None
    load = items[-1]
    (found,), (other,) = scalars
    if not isinstance(load, Inst) or load.effect or load.opcode.stem != "ld" or len(load.outs) != 1:
        return None
    out = load.outs[0]
    value = found.single() if isinstance(found, Lin) else found
    if value is not out or isinstance(branch.test, Const):
        return None
    rest = [item for item in items[:-1] if isinstance(item, Inst) and not item.effect and item.opcode.stem != "ld"]
    if len(rest) != len(items) - 1 or kinds[0].cls != out.cls:
        return None
    otherwise = s.as_operand(other)
    _inline(s, branch)
    load.guard = branch.test
    load.ties = ((out, otherwise),)
    out.lo, out.hi = Value(out.cls, s.block).lo, Value(out.cls, s.block).hi
    return [s.wrapped(out, kinds[0]) if isinstance(found, Lin) else out]


def _selectable(branch: If) -> bool:
    items = [*branch.then.items, *branch.otherwise.items]
    if len(items) > SELECTED_INSTRUCTIONS:
        return False
    return all(isinstance(item, Inst) and not item.effect and item.opcode.stem != "ld" for item in items)


def _inline(s: Selector, branch: If) -> None:
    """Move the (pure) instructions of both branches in front of the branch."""
    for block in (branch.then, branch.otherwise):
        for item in block.items:
            assert isinstance(item, Inst)
            for value in item.outs:
                value.block = s.block
            s.block.items.append(item)
        for key, value in block.known.items():
            s.block.known.setdefault(key, value)


def _selected(s: Selector, test: Test, a: Any, b: Any, kind: Scalar) -> Any:
    if a is b or a == b:
        return a
    if isinstance(a, Lin):
        return s.choose(test, *in_one_space(s, a, b, kind))
    return select_scalar(s, test, a, b)


def select_scalar(s: Selector, test: Test, a: Value | Const, b: Value | Const) -> Value | Const:
    """a if test else b for registers that are not integers."""
    if isinstance(test, Const):
        return a if test.pattern else b
    if a == b:
        return a
    cls = a.cls
    if cls == "pred":
        return s.logic("or", s.logic("and", test, a), s.logic("and", s.inverted(test), b))
    x, y = (s.register(v, cls) if cls == "b16" else v for v in (a, b))
    return s.pure(opcode("selp", type=cls), cls, x, y, test)


def _in_one_space(s: Selector, branch: If, a: Any, b: Any, kind: Any) -> tuple[Any, Any]:
    """The pointers after the two sides of a branch, as generic ones unless they lie in one state space."""
    space = space_of_scalar(a) if space_of_scalar(a) == space_of_scalar(b) else ""
    with s.at(branch.then):
        a = agreed(s, a, kind, space)
    with s.at(branch.otherwise):
        return a, agreed(s, b, kind, space)


def _after(s: Selector, branch: If, first: Any, second: Any, kinds: Any) -> list[Any]:
    """Append the branch; what the scalars are that are those of `first` after one side, of `second` after the other."""
    merged = [_merged(s, branch, a, b, kind) for a, b, kind in zip(first, second, kinds, strict=True)]
    s.block.items.append(branch)
    # Widening reads what the branch writes, so it comes behind it.
    return [_seen(s, value, wide=wide) for value, wide in merged]


def _merged(s: Selector, branch: If, a: Any, b: Any, kind: Any) -> tuple[Any, bool]:
    """The value after the branch that is a after one side and b after the other; whether its register is the low half.

    Nothing may be computed in front of the branch here: that would not see what the branch writes.
    """
    if a is b or a == b:
        return a, False
    a, b = _in_one_space(s, branch, a, b, kind)
    wide = False
    lo, hi = 0, -1
    if isinstance(a, Lin):
        lo, hi = (min(a.lo, b.lo), max(a.hi, b.hi)) if a.exact and b.exact else (0, -1)
        if a.bits == 64 and a.exact and b.exact and -(1 << 31) <= lo and hi < 1 << 31:
            wide = True
    operands: list[Any] = []
    for block, scalar in ((branch.then, a), (branch.otherwise, b)):
        with s.at(block):
            operands.append(s.as_operand(s.truncated(scalar) if wide else scalar))
    cls = B32 if wide else s.cls_of(a, kind)
    value = Value(cls, s.block, None, lo, hi)
    if isinstance(a, Lin) and not wide:
        _keep_pointer(a, value)
    branch.merges.append(Merge(value, operands))
    return value, wide


@handles("scf.index_switch")
def select_switch(s: Selector, op: Any) -> None:
    """A chain of comparisons."""
    value = s.int(op.operands[0])
    cases = list(op.properties["cases"].get_values())
    _switch(s, op, value, cases, op.regions[1:], op.regions[0])


def _switch(s: Selector, op: Any, value: Lin, cases: list[int], regions: Any, default: Any) -> None:
    if not cases:
        _bind(s, op.results, [s.get(v) for v in s.select_block(default.blocks[0]).operands])
        return
    test = s.compare("eq", value, linear.const(cases[0], value.bits), signed=True)
    branch = If(test, s.child(), s.child())
    ends: list[list[Any]] = []
    with s.at(branch.then):
        ends.append([s.get(v) for v in s.select_block(regions[0].blocks[0]).operands])
    with s.at(branch.otherwise):
        _switch(s, op, value, cases[1:], regions[1:], default)
        ends.append([s.get(result) for result in op.results])
    s.source = op
    merge_branches(s, branch, op.results, ends)


@handles("scf.execute_region", "memref.alloca_scope")
def select_region(s: Selector, op: Any) -> None:
    """A region that runs in place."""
    from weft.codegen.ops.cf import select_blocks

    if len(op.regions[0].blocks) != 1:
        select_blocks(s, op)
        return
    last = s.select_block(op.regions[0].blocks[0])
    _bind(s, op.results, [s.get(operand) for operand in last.operands])


def merge_all(s: Selector, branch: If, first: Any, second: Any, kinds: Any) -> list[Any]:
    """Append the branch; the scalars that are those of `first` after its one side and of `second` after the other."""
    return [
        s.wrapped(value, kind) if isinstance(value, (Value, Const)) else value
        for value, kind in zip(_after(s, branch, first, second, kinds), kinds, strict=True)
    ]


def merge_scalars(s: Selector, branch: If, a: Any, b: Any, kind: Any) -> Any:
    """Append the branch; the scalar that is a after its first side and b after its second."""
    return merge_all(s, branch, (a,), (b,), (kind,))[0]
