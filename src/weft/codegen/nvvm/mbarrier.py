"""`nvvm.mbarrier.*`: barriers in shared memory that count arrivals and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic
from weft.codegen.graph import B64, PRED, Addr, Const, Loop, Not, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector, handles
from weft.codegen.types import pointer_space
from weft.dialects import narrow
from weft.isa.opcode import opcode
from weft.ptx.operands import Sink

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


def _place(s: Selector, pointer: Any) -> tuple[Addr, str]:
    """The barrier's address and state space."""
    address: Lin = s.int(pointer)
    space = pointer_space(pointer.type)
    return (s.address(address), space) if space else (s.address(generic(s, address)), "")


def _guard(s: Selector, operand: Any) -> tuple[bool, Value | Not | None]:
    """Whether an instruction under a predicate can run at all, and its guard."""
    test = s.test(operand)
    if isinstance(test, Const):
        return bool(test.pattern), None
    return True, test


@handles("nvvm.mbarrier.init")
def select_init(s: Selector, op: Operation) -> None:
    """Set up a barrier for a number of arrivals."""
    where, space = _place(s, op.operands[0])
    runs, guard = _guard(s, op.operands[2]) if len(op.operands) > 2 else (True, None)
    if runs:
        text = opcode("mbarrier.init", ss=space, type="b64")
        s.emit(text, where, s.operand(s.int(op.operands[1])), guard=guard)


@handles("nvvm.mbarrier.inval")
def select_inval(s: Selector, op: Operation) -> None:
    """Give the barrier's memory back."""
    where, space = _place(s, op.operands[0])
    s.emit(opcode("mbarrier.inval", ss=space, type="b64"), where)


_STEMS: dict[str, tuple[str, dict[str, bool]]] = {
    "nvvm.mbarrier.arrive": ("mbarrier.arrive", {}),
    "nvvm.mbarrier.arrive_drop": ("mbarrier.arrive_drop", {}),
    "nvvm.mbarrier.arrive.nocomplete": ("mbarrier.arrive", {"noComplete": True}),
    "nvvm.mbarrier.arrive_drop.nocomplete": ("mbarrier.arrive_drop", {"noComplete": True}),
    "nvvm.mbarrier.arrive.expect_tx": ("mbarrier.arrive", {"expect_tx": True}),
    "nvvm.mbarrier.arrive_drop.expect_tx": ("mbarrier.arrive_drop", {"expect_tx": True}),
}


def _order(op: Operation, default: str) -> dict[str, Any]:
    """The semantics and scope slots; the defaults (release or acquire, of the block) are not spelled."""
    name = narrow.worded(op, "scope", "cta")
    if narrow.stated(op, "relaxed", 0):
        return {"sem": "relaxed", "scope": name}
    return {} if name == "cta" else {"sem": default, "scope": name}


@handles(*_STEMS)
def select_arrive(s: Selector, op: Operation) -> None:
    """Arrive at a barrier, possibly expecting bytes."""
    stem, slots = _STEMS[op.name]
    where, space = _place(s, op.operands[0])
    operands = list(op.operands[1:])
    runs, guard = True, None
    if operands and str(operands[-1].type) == "i1":
        runs, guard = _guard(s, operands.pop())
    if not runs:
        return
    text = opcode(stem, **slots, **_order(op, "release"), ss=space, type="b64")
    rest = [s.operand(s.int(v)) for v in operands]
    if space == "shared::cluster":
        s.emit(text, Sink(), where, *rest, guard=guard)
        return
    state = s.value(B64)
    s.emit(text, state, where, *rest, outs=(state,), guard=guard)
    if op.results:
        s.values[op.results[0]] = linear.of(state)


@handles("nvvm.mbarrier.expect_tx", "nvvm.mbarrier.complete_tx")
def select_tx(s: Selector, op: nvvm.MbarrierExpectTxOp | nvvm.MbarrierCompleteTxOp) -> None:
    """Expect or complete bytes without arriving."""
    where, space = _place(s, op.operands[0])
    scope = op.scope.data.value
    text = opcode(op.name.removeprefix("nvvm."), sem="relaxed", scope=scope, ss=space, type="b64")
    s.emit(text, where, s.operand(s.int(op.operands[1])))


@handles("nvvm.mbarrier.test.wait", "nvvm.mbarrier.try_wait")
def select_wait(s: Selector, op: Operation) -> None:
    """Whether a phase has completed; the phase is given by its state (i64) or its parity (i32)."""
    where, space = _place(s, op.operands[0])
    phase = s.int(op.operands[1])
    parity = str(op.operands[1].type) == "i32"
    stem = "mbarrier.test_wait" if "test" in op.name else "mbarrier.try_wait"
    text = opcode(stem, parity=parity, **_order(op, "acquire"), ss=space, type="b64")
    rest = [s.operand(s.int(v)) for v in op.operands[2:]]
    done = s.value(PRED)
    state = s.operand(phase) if parity else s.int_value(phase)
    s.emit(text, done, where, state, *rest, outs=(done,))
    s.values[op.results[0]] = done


@handles("nvvm.mbarrier.try_wait.parity")
def select_wait_parity(s: Selector, op: Operation) -> None:
    """Wait until a phase has completed: try again until it has."""
    where, space = _place(s, op.operands[0])
    parity, ticks = (s.operand(s.int(v)) for v in op.operands[1:3])
    loop = Loop(s.child(loop=True), source=s.source)
    text = opcode("mbarrier.try_wait", parity=True, ss=space, type="b64")
    with s.at(loop.body):
        done = s.value(PRED)
        s.emit(text, done, where, parity, ticks, outs=(done,))
        loop.again = Not(done)
    s.block.items.append(loop)
