"""The report of a hang: which threads are left, and what each group of them waits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.arrivals import describe
from weft.sim.barriers import Barrier
from weft.sim.faults import KernelFault
from weft.sim.lanes import Array, Lanes
from weft.sim.site import Site
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.machine import Machine

_SHOWN = 4


def report(machine: Machine, limit: str = "") -> KernelFault:
    """The fault of a kernel in which no thread can go on, or that has used up its `limit`: where each warp is."""
    waits: list[tuple[Site, Array, str]] = []
    for block, lanes in machine.parked.items():
        assert block.gate is not None
        there = lanes.among(machine.batch.lanes)
        waits.append((block.gate.site, there, f"for lanes that {_missing(machine, there)}"))
    for number, barrier in machine.barriers.barriers.items():
        for wait in barrier.waits.values():
            waits.append((wait.site, wait.mask, f"at barrier {number} {_count(machine, barrier)}"))
    for block, lanes in machine.asleep.items():
        waits.append((block.sites[-1], lanes.among(machine.batch.lanes), _phase(block.sites[-1], lanes)))
    for block, gang in machine.ready.items():
        if block.sites:
            what = "to be scheduled again" if limit else "in a loop that changes nothing"
            waits.append((block.sites[0], gang.lanes.among(machine.batch.lanes), what))
    kind = "limit" if limit else _kind(machine)
    message = f"{limit or 'no thread can make progress'}: " + "; ".join(_line(machine, *wait) for wait in waits)
    if waits:
        site, there, _ = waits[0]
        fault = site.fault(kind, message)
        fault.thread = machine.batch.thread(int(there.argmax()))
        if site.opcode.stem == "mbarrier.try_wait":
            fault.address = _mbarrier(site, int(there.argmax()))[0]
    else:
        fault = KernelFault(kind, message)
    if machine.ready and machine.unstarted:
        fault.hint = (
            f"{machine.unstarted} CTAs of the grid have not started; `resident` says how many threads run together"
        )
    return fault


def _kind(machine: Machine) -> str:
    """Lanes that wait for others of their warp are to blame before all else, save lanes that spin."""
    for block in machine.parked if not machine.ready else ():
        assert block.gate is not None
        return "divergent-collective" if block.gate.mask is None else "membermask"
    return "deadlock"


def _count(machine: Machine, barrier: Barrier) -> str:
    """Who has arrived at a barrier in the first CTA that waits there, and who has not."""
    batch = machine.batch
    cta = batch.cta[int(barrier.arrived.argmax())]
    inside = (batch.cta == cta) & machine.alive
    there = int((barrier.arrived & (batch.cta == cta)).sum())
    absent = np.unique(batch.warp[inside & ~barrier.arrived]).tolist()
    who = f"; missing: warp {_ranges(absent)}" if absent else ""
    expected = int(barrier.expected[cta])
    if expected:
        return f"({there} of {expected} expected threads have arrived{who})"
    return f"({there} of the CTA's {int(inside.sum())} threads have arrived{who})"


def _phase(site: Site, lanes: Lanes) -> str:
    """What the first of the lanes that sleep waits for."""
    if site.opcode.stem != "mbarrier.try_wait":
        return "for the other CTAs of its cluster"
    offset, word = _mbarrier(site, int(lanes.index[0]))
    return f"at mbarrier {offset:#x} ({describe(word)})"


def _mbarrier(site: Site, lane: int) -> tuple[int, int]:
    """Where the mbarrier is that a lane waits at, and its word."""
    space, index, _ = next(iter(site.pointer(site.operands[1], site.slots()["ss"])(Lanes.one(lane), 8, False)))
    return space.address_of(int(index[0]), lane), int(space.view(WORDS[64])[int(index[0]) >> 3])


def _missing(machine: Machine, here: Array) -> str:
    warps = here.reshape(-1, 32).any(axis=1)
    absent = machine.alive.reshape(-1, 32)[warps] & ~here.reshape(-1, 32)[warps]
    if not absent.any():
        return "have exited"
    lanes = np.flatnonzero(absent[int(absent.any(axis=1).argmax())])
    return f"wait elsewhere (lane {lanes[0]}{f' and {len(lanes) - 1} more' if len(lanes) > 1 else ''})"


def _line(machine: Machine, site: Site, mask: Array, what: str) -> str:
    batch = machine.batch
    warps: dict[tuple[int, int, int], list[int]] = {}
    for lane in np.flatnonzero(mask)[:: max(1, int(mask.sum()) // 256)]:
        thread = batch.thread(int(lane))
        seen = warps.setdefault(thread.cta, [])
        if thread.warp not in seen:
            seen.append(thread.warp)
    shown = [f"CTA {cta} warp {_ranges(sorted(w))}" for cta, w in list(warps.items())[:_SHOWN]]
    more = f" and {len(warps) - _SHOWN} more CTAs" if len(warps) > _SHOWN else ""
    where = f" (line {site.position.line})" if site.position.line else ""
    return f"{', '.join(shown)}{more}: {int(mask.sum())} threads wait in {site.opcode.text}{where} {what}"


def _ranges(numbers: list[int]) -> str:
    parts: list[str] = []
    start = previous = numbers[0]
    for number in [*numbers[1:], -1]:
        if number != previous + 1:
            parts.append(str(start) if start == previous else f"{start}-{previous}")
            start = number
        previous = number
    return ",".join(parts)
