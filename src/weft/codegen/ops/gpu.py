"""`gpu`: the position of the thread, barriers, dynamic shared memory, returns."""

from __future__ import annotations

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32
from weft.codegen.linear import Lin
from weft.codegen.memrefs import MemRef
from weft.codegen.selector import Selector, handles
from weft.codegen.types import SHARED
from weft.dialects import narrow
from weft.isa import opcode
from weft.isa.limits import CTA_EXTENTS, GRID_EXTENTS
from weft.ptx.operands import Register, Symbol

WARP = 32

_AXES = {"x": 0, "y": 1, "z": 2}
_SREG = {
    "gpu.thread_id": "tid",
    "gpu.block_id": "ctaid",
    "gpu.block_dim": "ntid",
    "gpu.grid_dim": "nctaid",
    "gpu.cluster_id": "clusterid",
    "gpu.cluster_dim": "nclusterid",
    "gpu.cluster_block_id": "cluster_ctaid",
    "gpu.cluster_dim_blocks": "cluster_nctaid",
}


def special(s: Selector, name: str, lo: int = 0, hi: int = -1) -> Lin:
    """A 32-bit special register (`%tid.x`), with its bounds."""
    return linear.of(s.pure(opcode("mov", type="u32"), B32, Register(name), lo=lo, hi=hi))


def position(s: Selector, register: str, axis: int) -> Lin:
    """A component of `tid`, `ctaid`, `ntid`, `nctaid` and their cluster counterparts, with its bounds."""
    known = s.block_size if register in ("tid", "ntid") else s.grid_size if register in ("ctaid", "nctaid") else None
    limit = CTA_EXTENTS[axis] if register in ("tid", "ntid") else GRID_EXTENTS[axis]
    extent = known[axis] if known else limit
    if register.startswith("n") or register.endswith("nctaid"):
        if known:
            return linear.const32(extent)
        return special(s, f"%{register}.{'xyz'[axis]}", 1, extent)
    if extent == 1:
        return linear.const32(0)
    return special(s, f"%{register}.{'xyz'[axis]}", 0, extent - 1)


def _axis(op: Operation) -> int:
    return _AXES[narrow.word(op.properties["dimension"])]


def _bounded(s: Selector, op: Operation, value: Lin) -> Lin:
    """An index result, with the operation's own upper bound."""
    bound = op.properties.get("upper_bound")
    register = value.single()
    if bound is not None and register is not None:
        register.hi = min(register.hi, narrow.number(bound) - (0 if "dim" in op.name else 1))
        value = linear.of(register)
    return s.extended(value, signed=False)


@handles(*_SREG)
def select_position(s: Selector, op: Operation) -> None:
    """One axis of the thread's place in the launch."""
    s.values[op.results[0]] = _bounded(s, op, position(s, _SREG[op.name], _axis(op)))


@handles("gpu.global_id")
def select_global_id(s: Selector, op: Operation) -> None:
    """Block index times block size plus thread index."""
    axis = _axis(op)
    thread, block, size = (s.extended(position(s, name, axis), signed=False) for name in ("tid", "ctaid", "ntid"))
    s.values[op.results[0]] = s.add(s.mul(block, size), thread)


@handles("gpu.lane_id")
def select_lane(s: Selector, op: Operation) -> None:
    """The thread's index in its warp."""
    s.values[op.results[0]] = s.extended(special(s, "%laneid", 0, WARP - 1), signed=False)


def linear_thread(s: Selector) -> Lin:
    """The thread's index in its block: x + nx * (y + ny * z)."""
    x, y, z = (position(s, "tid", axis) for axis in range(3))
    nx, ny = (position(s, "ntid", axis) for axis in range(2))
    inner = s.add(y, s.mul(z, ny))
    total = s.add(x, s.mul(inner, nx))
    value = s.int_value(total) if total.terms else None
    if value is not None:
        value.lo, value.hi = max(value.lo, 0), min(value.hi, 1023)
        return linear.of(value)
    return total


@handles("gpu.subgroup_id")
def select_warp(s: Selector, op: Operation) -> None:
    """The warp's index in its block, from the linear thread index."""
    s.values[op.results[0]] = s.extended(s.shift_right(linear_thread(s), 5, signed=False), signed=False)


@handles("gpu.num_subgroups")
def select_warps(s: Selector, op: Operation) -> None:
    """Warps in a block."""
    x, y, z = (position(s, "ntid", axis) for axis in range(3))
    threads = linear.offset(s.mul(s.mul(x, y), z), WARP - 1)
    s.values[op.results[0]] = s.extended(s.shift_right(threads, 5, signed=False), signed=False)


@handles("gpu.subgroup_size")
def select_warp_size(s: Selector, op: Operation) -> None:
    """Threads in a warp."""
    s.values[op.results[0]] = linear.const(WARP)


@handles("gpu.barrier")
def select_barrier(s: Selector, op: Operation) -> None:
    """All threads of the block wait for each other."""
    s.emit(opcode("bar", action="sync"), 0)


@handles("gpu.dynamic_shared_memory")
def select_dynamic_shared(s: Selector, op: Operation) -> None:
    """The shared memory whose size the launch gives."""
    name = s.module.dynamic_shared()
    value = s.pure(opcode("mov", type="b32"), B32, Symbol(name))
    s.alignment[value] = 1024
    size = linear.of(s.pure(opcode("mov", type="u32"), B32, Register("%dynamic_smem_size"), lo=0, hi=(1 << 31) - 1))
    s.values[op.results[0]] = MemRef(
        linear.of(value), linear.const(0), (s.extended(size, signed=False),), (linear.const(1),), SHARED
    )


@handles("gpu.return", "func.return", "llvm.return")
def select_return(s: Selector, op: Operation) -> None:
    """Leave the function."""
    assert s.returns
    s.returns(op, tuple(op.operands))
