"""Shared memory filled in bulk, and launches of clusters taken over through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.asm import append
from weft.codegen.graph import B32, PRED, Value
from weft.codegen.nvvm.matrix import shared
from weft.codegen.selector import Selector, handles
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.st.bulk")
def select_fill(s: Selector, op: nvvm.StBulkOp) -> None:
    """Fill bytes with zeros."""
    address = s.int(op.operands[0])
    text = opcode("st.bulk", ss="shared::cta" if address.bits == 32 else "")
    s.emit(text, s.address(address), s.operand(s.int(op.operands[1])), op.init_val.value.data)


@handles("nvvm.clusterlaunchcontrol.try.cancel")
def select_cancel(s: Selector, op: Operation) -> None:
    """Ask to take over the work of a cluster that has not started."""
    text = opcode(
        "clusterlaunchcontrol.try_cancel",
        ss="shared::cta",
        completion_mechanism="mbarrier::complete_tx::bytes",
        multicast="multicast::cluster::all" if op.properties.get("multicast") is not None else "",
        type="b128",
    )
    s.emit(text, *(s.address(shared(s, op, v)) for v in op.operands))


@handles("nvvm.clusterlaunchcontrol.query.cancel")
def select_query(s: Selector, op: nvvm.ClusterlaunchcontrolQueryCancelOp) -> None:
    """Whether the work was taken over, or a coordinate of the cluster's first block."""
    low, high = (s.int_value(half) for half in s.get(op.operands[0]))
    kind = op.query_type.data.value
    canceled = kind == "is_canceled"
    query = kind if canceled else f"get_first_ctaid::{kind[-1]}"
    text = opcode("clusterlaunchcontrol.query_cancel", query=query, type="pred" if canceled else "b32", response="b128")
    out: Value = s.value(PRED if canceled else B32)
    body = f"{{ .reg .b128 response; mov.b128 response, {{$1, $2}}; {text} $0, response; }}"
    append(s, op, body, (out,), low, high)
    s.values[op.results[0]] = out if canceled else linear.of(out)
