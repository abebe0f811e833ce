"""Barriers, fences and control of the block, the cluster and the grid."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32, PRED
from weft.codegen.ops.llvm_data import converted
from weft.codegen.selector import Selector, handles
from weft.codegen.types import GENERIC, pointer_space
from weft.isa.opcode import opcode
from weft.mlir import compile_error


@handles("nvvm.barrier0")
def select_barrier0(s: Selector, op: Any) -> None:
    """All threads of the block wait."""
    s.emit("bar.sync", 0)


@handles("nvvm.barrier")
def select_barrier(s: Selector, op: Any) -> None:
    """A named barrier, possibly combining a predicate of the threads."""
    segments = op.properties["operandSegmentSizes"].get_values()
    operands = [s.operand(s.int(v)) for v in op.operands]
    reduction = op.properties.get("reductionOp")
    aligned = op.attributes.get("aligned")  # An attribute of later versions of MLIR; false for a barrier in divergence.
    stem = "bar" if aligned is None or aligned.value.data else "barrier"
    if reduction is None:
        if op.results and op.results[0].uses:
            raise compile_error(op, "a barrier that reduces nothing has no result")
        s.emit(f"{stem}.sync", *(operands or [0]))
        return
    chosen = s.compare("ne", s.int(op.operands[segments[0] + segments[1]]), linear.const(0, 32), signed=True)
    test = s.register(chosen, PRED)
    kind = reduction.data.value
    if kind == "popc":
        count = s.value(B32)
        s.emit("bar.red.popc.u32", count, 0, test, outs=(count,))
        found = linear.of(count)
    else:
        all_or_any = s.value(PRED)
        s.emit(f"bar.red.{kind}.pred", all_or_any, 0, test, outs=(all_or_any,))
        found = s.from_test(all_or_any, 32)
    for result in op.results:  # At most one.
        s.values[result] = found


@handles("nvvm.barrier.arrive")
def select_arrive(s: Selector, op: Any) -> None:
    """Arrive without waiting."""
    operands = [s.operand(s.int(v)) for v in op.operands]
    s.emit("bar.arrive", *([0, *operands] if len(operands) == 1 else operands))


@handles("nvvm.bar.warp.sync")
def select_warp_barrier(s: Selector, op: Any) -> None:
    """The lanes of a mask wait for each other."""
    s.emit("bar.warp.sync", s.operand(s.int(op.operands[0])))


_CLUSTER = {
    "nvvm.cluster.arrive": {"action": "arrive"},
    "nvvm.cluster.arrive.relaxed": {"action": "arrive", "sem": "relaxed"},
    "nvvm.cluster.wait": {"action": "wait"},
}


@handles(*_CLUSTER)
def select_cluster_barrier(s: Selector, op: Any) -> None:
    """The barrier of the cluster."""
    aligned = op.properties.get("aligned") is not None
    s.emit(opcode("barrier.cluster", **_CLUSTER[op.name], aligned=aligned).text)


_PLAIN = {
    "nvvm.fence.sc.cluster": "fence.sc.cluster",
    "nvvm.fence.mbarrier.init": "fence.mbarrier_init.release.cluster",
    "nvvm.exit": "exit",
    "nvvm.breakpoint": "brkpt",
}


@handles(*_PLAIN)
def select_plain(s: Selector, op: Any) -> None:
    """An instruction without operands."""
    s.emit(_PLAIN[op.name])


_PROXIES = {"alias": "alias", "async": "async", "async.global": "async.global", "async.shared": "async.shared"}


@handles("nvvm.fence.proxy")
def select_proxy(s: Selector, op: Any) -> None:
    """Order accesses through different proxies."""
    kind = _PROXIES[op.properties["kind"].data.value]
    space = op.properties.get("space")
    if kind == "async.shared" and space is not None:
        kind = f"async.shared::{space.data.value}"
    s.emit(f"fence.proxy.{kind}")


@handles("nvvm.fence.proxy.acquire", "nvvm.fence.proxy.release")
def select_proxy_order(s: Selector, op: Any) -> None:
    """Order between the generic and the tensormap proxy."""
    sem = op.name.rpartition(".")[2]
    text = f"fence.proxy.tensormap::generic.{sem}.{op.properties['scope'].data.value}"
    if sem == "release":
        s.emit(text)
        return
    pointer = op.operands[0]
    address = converted(s, s.int(pointer), pointer_space(pointer.type), GENERIC)
    s.emit(text, s.address(address), s.operand(s.int(op.operands[1])))


@handles("nvvm.fence.sync_restrict", "nvvm.fence.proxy.sync_restrict")
def select_restricted(s: Selector, op: Any) -> None:
    """Acquire or release at cluster scope, of shared memory only."""
    order = op.properties["order"].data.value
    proxy = "proxy.async::generic." if "proxy" in op.name else ""
    space = {"acquire": "cluster", "release": "cta"}[order]
    s.emit(f"fence.{proxy}{order}.sync_restrict::shared::{space}.cluster")


@handles("nvvm.pmevent")
def select_event(s: Selector, op: Any) -> None:
    """Trigger one performance monitor event, or those of a mask."""
    event = op.properties.get("eventId")
    if event is not None:
        s.emit("pmevent", event.value.data)
    else:
        s.emit("pmevent.mask", op.properties["maskedEventId"].value.data & 0xFFFF)


_MEMBARS = {"cta": "membar.cta", "cluster": "fence.sc.cluster", "gpu": "membar.gl", "sys": "membar.sys"}


@handles("nvvm.memory.barrier")
def select_membar(s: Selector, op: Any) -> None:
    """A sequentially consistent fence of a scope: `membar` is one, and older."""
    s.emit(_MEMBARS[op.properties["scope"].data.value])


@handles("nvvm.griddepcontrol")
def select_griddep(s: Selector, op: Any) -> None:
    """Dependences between grids."""
    s.emit(f"griddepcontrol.{op.properties['kind'].data.value}")


@handles("nvvm.setmaxregister")
def select_setmaxreg(s: Selector, op: Any) -> None:
    """Give back or ask for registers."""
    action = {"increase": "inc", "decrease": "dec"}[op.properties["action"].data.value]
    s.emit(f"setmaxnreg.{action}.sync.aligned.u32", op.properties["regCount"].value.data)


@handles("nvvm.nanosleep")
def select_nanosleep(s: Selector, op: Any) -> None:
    """Sleep for about as many nanoseconds."""
    s.emit("nanosleep.u32", s.operand(s.int(op.operands[0])))
