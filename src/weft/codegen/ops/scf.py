"""Structured control flow: `scf.for`, `scf.if`, `scf.while`, `scf.index_switch`, `scf.execute_region`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, Block, Const, If, Inst, Item, Merge, Value, While, values_in
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.carried import advance, bind, carry, keep_pointer, regrouped, seen_as
from weft.codegen.ops.loops import counted_loop, unrolled_while
from weft.codegen.provenance import agreed, in_one_space, space_of_scalar
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout
from weft.isa import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects import rows

SELECTED_INSTRUCTIONS, SELECTED_AT_MOST = 6, 36
"""Branches of at most so many pure instructions become selections; nested ones of so many for each, and in all."""
FEW_CASES = 4
"""Cases that are computed at once, where they are short; of more, few lanes need each."""
_WIDE = ("s64", "u64")
_LONG = frozenset(("div", "rem", "sqrt"))
"""What ptxas expands to as many."""


# -- for --------------------------------------------------------------------------------------------------------


@handles("scf.for")
def select_for(s: Selector, op: Operation) -> None:
    """A counted loop from a lower bound to an upper bound."""
    signed = "unsignedCmp" not in op.properties
    if op.operands[0].type == i1:
        raise compile_error(op, "the counter of a loop must have 2 bits or more")
    lower, upper, step = (s.number(operand, signed=signed) for operand in op.operands[:3])
    starts = [s.get(operand) for operand in op.operands[3:]]
    counted_loop(s, op, (lower, upper, step), starts, signed=signed)


# -- while ------------------------------------------------------------------------------------------------------


@handles("scf.while")
def select_while(s: Selector, op: rows.scf.WhileOp) -> None:
    """A loop whose test stands between two regions."""
    if unrolled_while(s, op):
        return
    before, after = (region.blocks[0] for region in op.regions)
    loop = While(s.child(loop=True), Block(), source=s.source)
    carry(s, loop.before, loop.carried, before, before.args, [s.get(v) for v in op.operands], None)
    with s.at(loop.before):
        condition = s.select_block(before)
        s.source = op
        loop.test = s.test(condition.operands[0])
        passed = [s.get(operand) for operand in condition.operands[1:]]
        bind(s, after.args, passed)
        leaving = [s.as_operand(scalar) for value in passed for scalar in s.flatten(value)]
    # A turn goes on where a branch has not left the loop: what that side has computed and loaded is known there.
    side = _leave_early(loop) if condition.operands[0].has_one_use() else None
    loop.after = Block(side or loop.before)
    loop.after.follows = True
    with s.at(loop.after):
        last = s.select_block(after)
        s.source = op
        advance(s, loop.carried, last.operands)
    scalars = [kind for result in op.results for kind in layout(result.type).scalars]
    for operand, kind in zip(leaving, scalars, strict=True):
        cls = operand.cls if isinstance(operand, Value) else kind.cls
        loop.results.append(Merge(Value(cls, s.block), [operand]))
    s.block.items.append(loop)
    bind(s, op.results, regrouped(s, [r.type for r in op.results], [m.value for m in loop.results]))


def _leave_early(loop: While) -> Block | None:
    """Let a branch in front of the test leave the loop where it makes the test false, which nothing else reads.

    The other side of that branch, if there is one.
    """
    items = loop.before.items
    at = next((i for i in reversed(range(len(items))) if isinstance(items[i], If)), None)
    if at is None or not _are_pure(items[at + 1 :]):
        return None
    last, behind = cast("If", items[at]), items[at + 1 :]
    merge = next((one for one in last.merges if one.value is loop.test), None)
    never = Const("pred", 0)
    if merge is None or (merge.values[0] == never) == (merge.values[1] == never):
        return None
    merged = {one.value for one in last.merges}
    if any(
        value in merged for item in behind if isinstance(item, Inst) for arg in item.args for value in values_in(arg)
    ):
        return None
    items[at:] = [*behind, last]
    last.leaves = merge.values.index(never)
    last.merges.remove(merge)
    loop.test = merge.values[1 - last.leaves]
    return last.otherwise if last.leaves == 0 else last.then


# -- if ---------------------------------------------------------------------------------------------------------


@handles("scf.if")
def select_if(s: Selector, op: Operation) -> None:
    """A conditional on a predicate."""
    conditional(s, op, s.test(op.operands[0]))


def conditional(s: Selector, op: Operation, test: Test) -> None:
    """The branches of `op`'s two regions, whose ends give its results: small pure ones become selections."""
    regions = op.regions
    if isinstance(test, Value) and s.holds(test):
        test = Const("pred", 1)
    if isinstance(test, Const):
        chosen = regions[0] if test.pattern else regions[1]
        values = [s.get(v) for v in s.select_block(chosen.blocks[0]).operands] if chosen.blocks else []
        bind(s, op.results, values)
        return
    branch = If(test, s.child(), s.child(), source=s.source)
    branch.then.holds = test
    ends: list[list[Any]] = []
    for block, region in ((branch.then, regions[0]), (branch.otherwise, regions[1])):
        with s.at(block):
            values = [s.get(v) for v in s.select_block(region.blocks[0]).operands] if region.blocks else []
            # On either side the test itself is known.
            known = Const("pred", int(block is branch.then))
            ends.append([known if value is test else value for value in values])
    s.source = op
    merge_branches(s, branch, op.results, ends)


def merge_branches(s: Selector, branch: If, results: Any, ends: list[list[Any]], most: int = SELECTED_AT_MOST) -> None:
    """Append the branch and bind the results to what the two ends yield; at most so many instructions are selected."""
    scalars = [[scalar for value in values for scalar in s.flatten(value)] for values in ends]
    kinds = [kind for result in results for kind in layout(result.type).scalars]
    guarded = _guarded_load(s, branch, scalars, kinds)
    if guarded is not None:
        merged = guarded
    elif _selectable(branch, most):
        _inline(s, branch)
        s.block.selected += 1 + branch.then.selected + branch.otherwise.selected
        merged = [_selected(s, branch.test, a, b, kind) for a, b, kind in zip(*scalars, kinds, strict=True)]
    else:
        merged = _after(s, branch, scalars[0], scalars[1], kinds)
        for block in (branch.then, branch.otherwise):
            s.block.seen.update(block.known)
    bind(s, results, regrouped(s, [result.type for result in results], merged))


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
    if not _are_pure(items[:-1]) or kinds[0].cls != out.cls:
        return None
    otherwise = s.as_operand(other)
    _inline(s, branch)
    load.guard = branch.test
    load.ties = ((out, otherwise),)
    out.lo, out.hi = Value(out.cls, s.block).lo, Value(out.cls, s.block).hi
    return [s.wrapped(out, kinds[0]) if isinstance(found, Lin) else out]


def guard_store(s: Selector, branch: If) -> None:
    """Append a branch without results; one that only stores once becomes a store under a predicate."""
    items = branch.then.items
    *rest, store = items
    if (
        len(items) > SELECTED_INSTRUCTIONS
        or isinstance(branch.test, Const)
        or not isinstance(store, Inst)
        or store.opcode.stem != "st"
        or not _are_pure(rest)
    ):
        s.block.items.append(branch)
        return
    _inline(s, branch)
    store.guard = branch.test


def _are_pure(items: list[Item]) -> bool:
    return all(isinstance(item, Inst) and not item.effect and item.opcode.stem != "ld" for item in items)


def _selectable(branch: If, most: int) -> bool:
    items = [*branch.then.items, *branch.otherwise.items]
    spared = 1 + branch.then.selected + branch.otherwise.selected
    limit = min(SELECTED_INSTRUCTIONS * spared, most)
    if len(items) > limit or not _are_pure(items):
        return False
    return sum(map(_length, items)) <= limit


def _length(item: Item) -> int:
    """About how many instructions ptxas makes of one."""
    if not isinstance(item, Inst) or not item.outs:
        return 1
    if item.opcode.stem in _LONG:
        return SELECTED_INSTRUCTIONS
    return 3 if item.opcode.stem in ("mul", "mad") and item.opcode.slots.get("type") in _WIDE else 1


def _inline(s: Selector, branch: If) -> None:
    """Move the (pure) instructions of both branches before the branch."""
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
    # Widening reads what the branch writes, so it comes after it.
    return [seen_as(s, value, wide=wide) for value, wide in merged]


def _merged(s: Selector, branch: If, a: Any, b: Any, kind: Any) -> tuple[Any, bool]:
    """The value after the branch that is a after one side and b after the other; whether its register is the low half.

    Nothing may be computed before the branch here: that would not see what the branch writes.
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
        keep_pointer(a, value)
    if isinstance(a, Lin):
        s.pick(value, s.truncated(a) if wide else a, s.truncated(b) if wide else b)
    branch.merges.append(Merge(value, operands))
    return value, wide


@handles("scf.index_switch")
def select_switch(s: Selector, op: rows.scf.IndexSwitchOp) -> None:
    """A chain of comparisons."""
    value = s.int(op.operands[0])
    cases = list(op.cases.get_values())
    _switch(s, op, value, cases, op.regions[1:], op.regions[0])


def _switch(s: Selector, op: Operation, value: Lin, cases: list[int], regions: Any, default: Any) -> None:
    if not cases:
        bind(s, op.results, [s.get(v) for v in s.select_block(default.blocks[0]).operands])
        return
    test = s.compare("eq", value, linear.const(cases[0], value.bits), signed=True)
    branch = If(test, s.child(), s.child(), source=s.source)
    ends: list[list[Any]] = []
    with s.at(branch.then):
        ends.append([s.get(v) for v in s.select_block(regions[0].blocks[0]).operands])
    with s.at(branch.otherwise):
        _switch(s, op, value, cases[1:], regions[1:], default)
        ends.append([s.get(result) for result in op.results])
    s.source = op
    merge_branches(
        s, branch, op.results, ends, SELECTED_INSTRUCTIONS if len(op.regions) > FEW_CASES else SELECTED_AT_MOST
    )


@handles("scf.execute_region", "memref.alloca_scope")
def select_region(s: Selector, op: Operation) -> None:
    """A region that runs in place."""
    from weft.codegen.ops.cf import select_blocks

    if len(op.regions[0].blocks) != 1:
        select_blocks(s, op)
        return
    last = s.select_block(op.regions[0].blocks[0])
    bind(s, op.results, [s.get(operand) for operand in last.operands])


def merge_all(s: Selector, branch: If, first: Any, second: Any, kinds: Any) -> list[Any]:
    """Append the branch; the scalars that are those of `first` after its one side and of `second` after the other."""
    merged = _guarded_load(s, branch, [list(first), list(second)], kinds) or _after(s, branch, first, second, kinds)
    return [
        s.wrapped(value, kind) if isinstance(value, (Value, Const)) else value
        for value, kind in zip(merged, kinds, strict=True)
    ]
