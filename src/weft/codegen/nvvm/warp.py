"""Exchanges between the lanes of a warp: shuffles, votes, matches, reductions, election."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, PRED, PairOut
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.isa import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.shfl.sync")
def select_shuffle(s: Selector, op: nvvm.ShflSyncOp) -> None:
    """A register of another lane."""
    mask, value, offset, clamp = op.operands
    kind = layout(value.type).scalars[0]
    source = s.as_register(s.flatten(s.get(value))[0], B32)
    out = s.value(B32)
    rest = (s.operand(s.int(offset)), s.operand(s.int(clamp)), s.operand(s.int(mask)))
    text = opcode("shfl", mode=op.kind.data.value, type="b32")
    result = op.results[0]
    if op.return_value_and_is_valid is None:
        s.emit(text, out, source, *rest, outs=(out,))
        s.values[result] = s.unflatten(result.type, (s.wrapped(out, kind),))
    else:
        valid = s.value(PRED)
        s.emit(text, PairOut(out, valid), source, *rest, outs=(out, valid))
        s.values[result] = (s.wrapped(out, kind), valid)


@handles("nvvm.vote.sync")
def select_vote(s: Selector, op: nvvm.VoteSyncOp) -> None:
    """A predicate of all lanes of a mask."""
    mask, test = op.operands
    source = s.register(s.test(test), PRED)
    kind = op.kind.data.value
    ballot = kind == "ballot"
    out = s.value(B32 if ballot else PRED)
    text = opcode("vote", mode=kind, type="b32" if ballot else "pred")
    s.emit(text, out, source, s.operand(s.int(mask)), outs=(out,))
    s.values[op.results[0]] = linear.of(out) if ballot else out


@handles("nvvm.match.sync")
def select_match(s: Selector, op: nvvm.MatchSyncOp) -> None:
    """The lanes that hold the same value."""
    mask, value = op.operands
    kind = layout(value.type).scalars[0]
    where = op.kind.data.value
    source = s.int_value(s.int(value))
    rest = (source, s.operand(s.int(mask)))
    text = opcode("match", mode=where, type=f"b{kind.width}")
    out = s.value(B32)
    result = op.results[0]
    if layout(result.type).composite:
        every = s.value(PRED)
        s.emit(text, PairOut(out, every), *rest, outs=(out, every))
        s.values[result] = (linear.of(out), every)
    else:
        s.emit(text, out, *rest, outs=(out,))
        s.values[result] = linear.of(out)


_REDUX = {
    "add": ("add", "s32"), "umax": ("max", "u32"), "umin": ("min", "u32"), "max": ("max", "s32"), "min": ("min", "s32"),
    "and": ("and", "b32"), "or": ("or", "b32"), "xor": ("xor", "b32"), "fmin": ("min", "f32"), "fmax": ("max", "f32"),
}  # fmt: skip
"""What is done to which type."""


@handles("nvvm.redux.sync")
def select_redux(s: Selector, op: nvvm.ReduxSyncOp) -> None:
    """A value combined over the lanes of a mask."""
    value, mask = op.operands
    kind = layout(value.type).scalars[0]
    what, type_ = _REDUX[op.kind.data.value]
    flags = {"abs": bool(op.abs.value.data), "NaN": bool(op.nan.value.data)} if type_ == "f32" else {}
    out = s.value(B32)
    source = s.as_register(s.get(value), B32)
    s.emit(opcode("redux", op=what, **flags, type=type_), out, source, s.operand(s.int(mask)), outs=(out,))
    s.values[op.results[0]] = s.wrapped(out, kind)


@handles("nvvm.elect.sync")
def select_elect(s: Selector, op: Operation) -> None:
    """True in one lane of the mask."""
    mask = s.operand(s.int(op.operands[0])) if op.operands else -1
    lane, chosen = s.value(B32), s.value(PRED)
    s.emit(opcode("elect.sync"), PairOut(lane, chosen), mask, outs=(lane, chosen))
    s.values[op.results[0]] = chosen
