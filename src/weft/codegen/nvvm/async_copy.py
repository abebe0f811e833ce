"""Asynchronous copies to shared memory and their groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.codegen.nvvm.matrix import shared
from weft.codegen.ops.llvm_data import converted
from weft.codegen.selector import Selector, handles
from weft.codegen.types import GLOBAL, pointer_space
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.cp.async.shared.global")
def select_copy(s: Selector, op: nvvm.CpAsyncSharedGlobalOp) -> None:
    """Start a copy of 4, 8 or 16 bytes."""
    target = s.address(shared(s, op, op.operands[0]))
    source = s.address(converted(s, s.int(op.operands[1]), pointer_space(op.operands[1].type), GLOBAL))
    code = opcode("cp.async", cop=op.modifier.data.value, dst="shared", src="global")
    size = op.size.value.data
    rest = [s.operand(s.int(v)) for v in op.operands[2:]]
    s.emit(code, target, source, size, *rest)


@handles("nvvm.cp.async.wait.group")
def select_wait(s: Selector, op: nvvm.CpAsyncWaitGroupOp) -> None:
    """Wait until at most n groups are under way."""
    s.emit(opcode("cp.async.wait_group"), op.n.value.data)


@handles("nvvm.cp.async.mbarrier.arrive")
def select_arrive(s: Selector, op: nvvm.CpAsyncMbarrierArriveOp) -> None:
    """Arrive at an mbarrier when the copies are done."""
    noinc = bool(op.noinc.value.data)
    address = s.int(op.operands[0])
    code = opcode("cp.async.mbarrier.arrive", noinc=noinc, ss="shared" if address.bits == 32 else "", type="b64")
    s.emit(code, s.address(address))
