"""`alloca`, `stacksave`, `stackrestore`: a stack in every thread's local memory, which grows downwards.

A function's allocations are given back when it returns (`weft.sim.semantics.control`).
"""

from __future__ import annotations

import numpy as np

from weft.ptx.operands import Integer
from weft.sim.lanes import Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.stack import stack_of


@step("alloca")
def alloca(site: Site) -> Step:
    """Lower the stack pointer by `size` bytes and to a multiple of the alignment."""
    type_ = site.slots()["type"]
    stack = stack_of(site.machine)
    size, write = site.read(site.operands[1], type_), site.write(site.operands[0], type_)
    aligned = site.operands[2] if len(site.operands) > 2 else None
    alignment = aligned.value if isinstance(aligned, Integer) else 8

    def run(lanes: Lanes) -> None:
        top = (stack.pointer[lanes.select] - size(lanes).astype(np.int64)) & -alignment
        short = top < stack.bottom
        if short.any():
            lane = int(lanes.index[int(short.argmax())])
            raise site.fault("stack", f"the thread's stack of {stack.size} bytes is too small", lane)
        stack.pointer[lanes.select] = top
        write(lanes, top)

    return run


@step("stacksave")
def stacksave(site: Site) -> Step:
    """Read the stack pointer."""
    stack = stack_of(site.machine)
    write = site.write(site.operands[0], site.slots()["type"])
    return lambda lanes: write(lanes, stack.pointer[lanes.select])


@step("stackrestore")
def stackrestore(site: Site) -> Step:
    """Set the stack pointer."""
    stack = stack_of(site.machine)
    read = site.read(site.operands[0], site.slots()["type"])

    def run(lanes: Lanes) -> None:
        wanted = read(lanes).astype(np.int64)
        wrong = (wanted < stack.bottom) | (wanted > stack.top)
        if wrong.any():
            lane = int(lanes.index[int(wrong.argmax())])
            raise site.fault("stack", f"{int(wanted[wrong][0]):#x} is not an address on the stack", lane)
        stack.pointer[lanes.select] = wanted

    return run
