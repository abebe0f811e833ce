"""Collectives: they begin for the lanes that they name when all of these that live have come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, union

if TYPE_CHECKING:
    from weft.sim.block import Block, Gate
    from weft.sim.machine import Machine

_FULL = np.uint32(0xFFFF_FFFF)
_BIT = np.uint32(1) << np.arange(WARP, dtype=np.uint32)


def enter(machine: Machine, block: Block, gate: Gate, lanes: Lanes) -> Lanes | None:
    """The lanes whose collective is complete; the others are parked at the block."""
    mask: Any = gate.mask
    if not machine.parked and lanes.mask is None:
        if mask is None and not gate.warpgroup:
            return lanes
        if mask is None and lanes.count == machine.live:
            return lanes
        if mask is None:
            pass
        elif mask.ndim == 0:
            if mask == _FULL:
                return lanes
        elif all_of(mask[lanes.lo : lanes.hi] == _FULL):
            return lanes
    parked = machine.parked.pop(block, None)
    if parked is not None:
        lanes = union(lanes, parked)
    here = (np.ones(lanes.hi - lanes.lo, np.bool_) if lanes.mask is None else lanes.mask).reshape(-1, WARP)
    alive = machine.alive[lanes.lo : lanes.hi].reshape(-1, WARP)
    present, living = _pack(here), _pack(alive)
    complete = _complete(machine, gate, lanes, here, present, living)
    ready = (here & complete).reshape(-1)
    entered = Lanes.where(ready, lanes.lo, machine.batch.role)
    if entered is None or entered.count != lanes.count:
        waiting = Lanes.where(here.reshape(-1) & ~ready, lanes.lo, machine.batch.role)
        assert waiting is not None
        machine.parked[block] = waiting
    if gate.mask is None and entered is not None and machine.strict and machine.exits.any:
        machine.exits.check_gate(gate.site, entered)
    return entered


def _complete(machine: Machine, gate: Gate, lanes: Lanes, here: Array, present: Array, living: Array) -> Array:
    """For each lane, whether all living lanes that its collective names are there."""
    if gate.warpgroup:
        return _whole_warpgroups(machine, lanes)
    if gate.mask is None:
        return ((living & ~present) == 0)[:, None]
    mask: Any = gate.mask if gate.mask.ndim == 0 else gate.mask[lanes.lo : lanes.hi].reshape(-1, WARP)  # pyright: ignore
    wanted = np.broadcast_to(np.asarray(mask, np.uint32), here.shape)
    foreign = here & ((wanted & _BIT) == 0)
    if any_of(foreign):
        lane = lanes.lo + int(foreign.reshape(-1).argmax())
        raise gate.site.fault(
            "membermask", f"membermask {int(wanted[foreign][0]):#010x} does not include the thread", lane
        )
    complete = (wanted & living[:, None] & ~present[:, None]) == 0
    if gate.mask.ndim:  # pyright: ignore
        _agree(gate, lanes, here & complete, wanted)
    return complete


def _whole_warpgroups(machine: Machine, lanes: Lanes) -> Array:
    """For each warp of the span, whether all living lanes of its warpgroup are there."""
    batch = machine.batch
    absent = (machine.alive & ~lanes.among(batch.lanes)).reshape(-1, batch.ctas, WARP)
    missing = np.logical_or.reduce(absent, axis=2)
    groups = np.add.reduceat(missing, np.arange(0, len(missing), 4), axis=0, dtype=np.int64) > 0
    whole = ~np.repeat(groups, 4, axis=0)[: len(missing)]
    first = lanes.lo // batch.role
    return whole[first : lanes.hi // batch.role].reshape(-1, 1)


def _agree(gate: Gate, lanes: Lanes, here: Array, wanted: Array) -> None:
    """Lanes of one collective must name the same lanes."""
    first = wanted[np.arange(len(wanted)), here.argmax(axis=1)]
    if not any_of(here & (wanted != first[:, None])):
        return
    for warp in np.flatnonzero((here & (wanted != first[:, None])).any(axis=1)):
        for lane in np.flatnonzero(here[warp]):
            members = here[warp] & ((wanted[warp, lane] & _BIT) != 0)
            other = np.flatnonzero(members & (wanted[warp] != wanted[warp, lane]))
            if other.size:
                raise gate.site.fault(
                    "membermask",
                    f"membermask {int(wanted[warp, lane]):#010x} names lane {other[0]}, "
                    f"whose membermask is {int(wanted[warp, other[0]]):#010x}",
                    lanes.lo + int(warp) * WARP + int(lane),
                )


def _pack(bits: Array) -> Array:
    """Rows of 32 booleans as words, lane 0 in bit 0."""
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint32).reshape(-1)
