"""Barriers, fences and control of the block, the cluster and the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic
from weft.codegen.graph import B32, PRED
from weft.codegen.ops.llvm_data import converted
from weft.codegen.selector import Selector, handles
from weft.codegen.types import GENERIC, pointer_space
from weft.dialects import narrow
from weft.isa.opcode import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.barrier")
def select_barrier(s: Selector, op: nvvm.BarrierOp) -> None:
    """A named barrier, possibly combining a predicate of the threads."""
    operands = [s.operand(s.int(v)) for v in op.operands]
    reduction = op.reduction_op
    aligned = op.attributes.get("aligned")  # An attribute of later versions of MLIR; false for a barrier in divergence.
    stem = "bar" if aligned is None or narrow.number(aligned) else "barrier"
    if reduction is None:
        if op.results and op.results[0].uses:
            raise compile_error(op, "a barrier without a reduction has no result")
        s.emit(opcode(stem, action="sync"), *(operands or [0]))
        return
    test = s.register(s.compare("ne", s.int(op.operands[0]), linear.const32(0)), PRED)  # Of barrier 0 alone.
    kind = reduction.data.value
    if kind == "popc":
        count = s.value(B32)
        s.emit(opcode(stem, action="red", op="popc", type="u32"), count, 0, test, outs=(count,))
        found = linear.of(count)
    else:
        all_or_any = s.value(PRED)
        s.emit(opcode(stem, action="red", op=kind, type="pred"), all_or_any, 0, test, outs=(all_or_any,))
        found = s.from_test(all_or_any, 32)
    for result in op.results:  # At most one.
        s.values[result] = found


@handles("nvvm.barrier.arrive")
def select_arrive(s: Selector, op: Operation) -> None:
    """Arrive without waiting."""
    operands = [s.operand(s.int(v)) for v in op.operands]
    s.emit(opcode("bar", action="arrive"), *([0, *operands] if len(operands) == 1 else operands))


@handles("nvvm.fence.proxy")
def select_proxy(s: Selector, op: nvvm.FenceProxyOp) -> None:
    """Order accesses through different proxies."""
    kind, _, space = op.kind.data.value.partition(".")  # `async.shared`, say
    narrower = op.space
    if space == "shared" and narrower is not None:
        space = f"shared::{narrower.data.value}"
    s.emit(opcode("fence.proxy", proxykind=kind, ss=space))


@handles("nvvm.fence.proxy.acquire", "nvvm.fence.proxy.release")
def select_proxy_order(s: Selector, op: nvvm.FenceProxyAcquireOp | nvvm.FenceProxyReleaseOp) -> None:
    """Order between the generic and the tensormap proxy."""
    sem = op.name.rpartition(".")[2]
    text = opcode("fence.proxy", proxykind="tensormap::generic", sem=sem, scope=op.scope.data.value)
    if sem == "release":
        s.emit(text)
        return
    pointer = op.operands[0]
    address = generic(s, converted(s, s.int(pointer), pointer_space(pointer.type), GENERIC))
    s.emit(text, s.address(address), s.operand(s.int(op.operands[1])))


@handles("nvvm.fence.sync_restrict", "nvvm.fence.proxy.sync_restrict")
def select_restricted(s: Selector, op: nvvm.FenceSyncRestrictOp | nvvm.FenceProxySyncRestrictOp) -> None:
    """Acquire or release at cluster scope, of shared memory only."""
    order = op.order.data.value
    restrict = f"sync_restrict::shared::{'cluster' if order == 'acquire' else 'cta'}"
    slots = {"sem": order, "sync_restrict": restrict, "scope": "cluster"}
    if "proxy" in op.name:
        s.emit(opcode("fence.proxy", proxykind="async::generic", **slots))
    else:
        s.emit(opcode("fence", **slots))


@handles("nvvm.pmevent")
def select_event(s: Selector, op: nvvm.PmeventOp) -> None:
    """Trigger one performance monitor event, or those of a mask."""
    mask = 1 << op.event_id.value.data if op.event_id is not None else 0  # As LLVM has it.
    if op.masked_event_id is not None:
        mask = op.masked_event_id.value.data & 0xFFFF
    s.emit(opcode("pmevent", mask=True), mask)


@handles("nvvm.memory.barrier")
def select_membar(s: Selector, op: nvvm.MemoryBarrierOp) -> None:
    """A sequentially consistent fence of a scope: `membar` is one, and older."""
    scope = op.scope.data.value
    if scope == "cluster":
        s.emit(opcode("fence", sem="sc", scope=scope))
    else:
        s.emit(opcode("membar", level="gl" if scope == "gpu" else scope))


@handles("nvvm.griddepcontrol")
def select_griddep(s: Selector, op: nvvm.GriddepcontrolOp) -> None:
    """Dependences between grids."""
    s.emit(opcode("griddepcontrol", action=op.kind.data.value))


@handles("nvvm.setmaxregister")
def select_setmaxreg(s: Selector, op: nvvm.SetmaxregisterOp) -> None:
    """Give back or ask for registers."""
    action = {"increase": "inc", "decrease": "dec"}[op.action.data.value]
    s.emit(opcode("setmaxnreg", action=action, type="u32"), op.reg_count.value.data)
