"""Tests that decide about all of each turn of a loop, and are the same in all of them: made once, before the loop."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen.graph import Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector

_COMPUTED = ("arith.", "index.", "math.", "builtin.unrealized", "affine.apply", "affine.min", "affine.max")
_COMPUTED_LLVM = frozenset(f"llvm.{name}" for name in (
    "getelementptr", "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "trunc", "zext", "sext", "icmp",
    "fcmp", "select", "mlir.constant",
))  # fmt: skip
_DEPTH = 4
"""Loops and branches inside each other that are looked into."""


def turns_once(lower: Lin, upper: Lin, step: Lin, *, signed: bool) -> bool:
    """Whether a loop that turns at all is known to turn once, as one over the threads of a block that are enough is."""
    known = lower.exact and upper.exact and step.exact and step.lo > 0 and (signed or lower.lo >= 0)
    return known and lower.lo + step.lo >= upper.hi


def test_of_turns(s: Selector, loop: Operation) -> Value | None:
    """A test that leaves nothing to do of any turn of a loop without results where it is false, unless it holds here.

    That is the test of a branch, or whether a loop turns that turns once at most, where a turn does nothing else.
    """
    if loop.results:
        return None
    inner: Operation | None = loop
    for _ in range(_DEPTH):
        inner = _all_of_turn(inner)
        if inner is None:
            return None
        test = _test(s, inner, loop)
        if isinstance(test, Value) and not s.holds(test):
            return test
    return None


def _all_of_turn(op: Operation) -> Operation | None:
    """The branch or loop that does all that has an effect in the region of an operation."""
    found: Operation | None = None
    block = op.regions[0].blocks[0]
    for inner in block.ops:
        if inner is block.last_op or inner.name.startswith(_COMPUTED) or inner.name in _COMPUTED_LLVM:
            continue
        if found is not None or inner.name not in ("scf.if", "scf.for") or inner.results:
            return None
        found = inner
    if found is None or (found.name == "scf.if" and found.regions[1].blocks):
        return None
    return found


def _test(s: Selector, op: Operation, loop: Operation) -> Any:
    """Whether a branch is taken or a loop makes its only turn, if that is known before the loop around."""
    decides = op.operands[:1] if op.name == "scf.if" else op.operands[:3]
    if any(_is_of_loop(value, loop) for value in decides):
        return None
    if op.name == "scf.if":
        return s.test(op.operands[0])
    signed = "unsignedCmp" not in op.properties
    lower, upper, step = (s.number(value, signed=signed) for value in decides)
    return s.compare("lt", lower, upper, signed=signed) if turns_once(lower, upper, step, signed=signed) else None


def _is_of_loop(value: SSAValue, loop: Operation) -> bool:
    return loop.is_ancestor(value.owner)
