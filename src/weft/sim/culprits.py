"""Which asynchronous operation still uses bytes that a thread accesses too early, and what waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.faults import KernelFault
from weft.sim.lanes import Array

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.site import Site
    from weft.sim.space import Space

PRODUCTS = "wgmma.commit_group, then wgmma.wait_group"


def blame(fault: KernelFault, machine: Machine, space: Space, start: int, size: int, *, reading: bool) -> None:
    """Say which operation has still to write bytes (or is `reading` them), and how to wait for it."""
    found = _user(machine, space, start, size, reading=reading)
    if found is not None:
        site, waits = found
        name(fault, site, waits)


def name(fault: KernelFault, site: Site, waits: str) -> None:
    """Say which instruction has started an operation, and what waits for it."""
    fault.other, fault.other_place = site.position, site.place
    line = site.position.line
    fault.hint = f"wait for the {site.opcode.stem}{f' at line {line}' if line else ''}: {waits}"


def _user(machine: Machine, space: Space, start: int, size: int, *, reading: bool) -> tuple[Site, str] | None:
    shared = space is machine.memory.shared
    for copy in machine.copies.pending:
        index = copy.origin if reading else copy.into
        if shared is not reading and _touch(index, copy.size, start, size):
            return copy.site, "cp.async.wait_group in the thread that issued it, then a barrier for the others"
    for transfer in machine.bulk.pending:
        where, index = (transfer.source, transfer.sources) if reading else (transfer.target, transfer.targets)
        if where is space and _touch(index, transfer.dtype.itemsize, start, size):
            return transfer.site, _ends(transfer.signal % machine.memory.shared.stride if transfer.signal >= 0 else -1)
    for product in machine.products.pending if shared and reading else ():
        if product.site is not None and any(_touch(index, each, start, size) for index, each in product.operands):
            return product.site, PRODUCTS
    return None


def _ends(mbarrier: int) -> str:
    if mbarrier < 0:
        return "cp.async.bulk.commit_group and wait_group in the thread that issued it, then a barrier for the others"
    return f"loop on mbarrier.try_wait at the mbarrier at {mbarrier:#x}, for the phase that the copy completes"


def _touch(index: Array, each: int, start: int, size: int) -> bool:
    return bool(np.any((index < start + size) & (index + each > start)))
