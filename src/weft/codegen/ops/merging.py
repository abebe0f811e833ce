"""The values after a branch: selected where both sides are short, loaded under a predicate, or merged."""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import B32, Const, If, Inst, Item, Merge, Value
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.carried import bind, keep_pointer, regrouped, seen_as
from weft.codegen.provenance import agreed, in_one_space, space_of_scalar
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, layout
from weft.isa import opcode

SELECTED_INSTRUCTIONS, SELECTED_AT_MOST = 6, 36
"""Branches of at most so many pure instructions become selections; nested ones of so many for each, and in all."""
_WIDE = ("s64", "u64")
_LONG = frozenset(("div", "rem", "sqrt"))
"""What ptxas expands to as many."""


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
    if not are_pure(items[:-1]) or kinds[0].cls != out.cls:
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
        or not are_pure(rest)
    ):
        s.block.items.append(branch)
        return
    _inline(s, branch)
    store.guard = branch.test


def are_pure(items: list[Item]) -> bool:
    """Whether instructions neither load nor have effects."""
    return all(isinstance(item, Inst) and not item.effect and item.opcode.stem != "ld" for item in items)


def _selectable(branch: If, most: int) -> bool:
    items = [*branch.then.items, *branch.otherwise.items]
    spared = 1 + branch.then.selected + branch.otherwise.selected
    limit = min(SELECTED_INSTRUCTIONS * spared, most)
    if len(items) > limit or not are_pure(items):
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


def merge_all(s: Selector, branch: If, first: Any, second: Any, kinds: Any) -> list[Any]:
    """Append the branch; the scalars that are those of `first` after its one side and of `second` after the other."""
    merged = _guarded_load(s, branch, [list(first), list(second)], kinds) or _after(s, branch, first, second, kinds)
    return [
        s.wrapped(value, kind) if isinstance(value, (Value, Const)) else value
        for value, kind in zip(merged, kinds, strict=True)
    ]
