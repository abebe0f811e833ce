"""Runs in which bytes that nothing has written may be loaded, as long as nothing is decided, stored or found by them.

Loads of such bytes are faults.  A kernel may do it all the same and not use what it gets, as one that loads a key past
the last and then asks whether there was one.  So when a run ends with such a fault it is made again: what is computed
from these bytes is unwritten too, in registers, in shared and local memory and in arguments, and a branch, a guard, an
address, a store to global memory or a collective that needs it is a fault.
"""

from __future__ import annotations

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Negated, Operand, Register
from weft.sim.lanes import Array, Lanes
from weft.sim.partial import full
from weft.sim.registers import Row
from weft.sim.site import Site, Step

OWN = ("local", "param")
"""State spaces of a thread, where what is unwritten stays so when it is stored."""


def decides(site: Site) -> bool:
    """Whether an instruction is `and` or `or` of predicates, of which one operand may decide."""
    return site.machine.deferred and site.opcode.stem in ("and", "or") and site.slots()["type"] == "pred"


def keeps(site: Site) -> bool:
    """Whether an instruction stores where only its CTA can look: bytes that are unwritten stay so there.

    What comes of a race must not reach other threads.
    """
    if not site.machine.deferred or site.opcode.stem != "st" or TYPES[site.slots()["type"]].bits > 64:
        return False
    return site.slots()["ss"].startswith(OWN if site.machine.doubts is not None else ("shared", *OWN))


def given(site: Site) -> list[Row | None]:
    """The registers of the elements that such a store is given."""
    return [_known(site, operand) for operand in site.vector(site.operands[1])]


def before(site: Site) -> Step:
    """What finds, before it executes, for which lanes its result is written: both operands, or one that decides."""
    decisive = site.opcode.stem == "or"
    sources = [(_known(site, operand), site.predicate(operand)) for operand in site.operands[1:]]

    def find(lanes: Lanes) -> None:
        every, some = np.ones(lanes.count, np.bool_), np.zeros(lanes.count, np.bool_)
        for row, (value, negated) in sources:
            holds: Array = np.broadcast_to(value, (site.machine.batch.lanes,))[lanes.select] != negated
            written = every | True if row is None or row.defined is None else row.defined[lanes.select] & 1 == 1
            every &= written
            some |= (holds == decisive) & written
        site.masks = every | some

    return find


def _known(site: Site, operand: Operand) -> Row | None:
    operand = operand.operand if isinstance(operand, Negated) else operand
    return site.names.row(operand.name, site.machine.batch.lanes) if isinstance(operand, Register) else None


def after(site: Site, writes: list[Row]) -> Step:
    """What notes it."""

    def note(lanes: Lanes) -> None:
        for row in writes:
            assert row.defined is not None
            assert site.masks is not None
            row.defined[lanes.select] = np.where(site.masks, full(row.bits), 0)

    return note


def loaded(site: Site, writes: list[Row]) -> Step:
    """What notes which bytes a load has found written; of values that are extended, all or none."""
    destinations = [_known(site, one) for one in site.vector(site.operands[0])]
    size = max(1, TYPES[site.slots()["type"]].bits // 8)
    watched = {id(row) for row in writes}

    def note(lanes: Lanes) -> None:
        for row in writes:
            assert row.defined is not None
            row.defined[lanes.select] = full(row.bits)
        for numbers, masks in site.unwritten:
            for place, row in enumerate(destinations):
                if row is not None and id(row) in watched and row.defined is not None:
                    mine = masks >> (place * size) & full(8 * size)
                    whole = mine == full(8 * size)
                    row.defined[numbers] = np.where(whole, full(row.bits), mine if row.bits == 8 * size else 0)
        site.unwritten.clear()

    return note


def tile_loaded(site: Site, writes: list[Row]) -> Step:
    """The same of a load from tensor memory: a loop of no turns may leave an accumulator that nobody has written."""
    destinations = [_known(site, one) for one in site.vector(site.operands[0])]
    watched = {id(row) for row in writes}

    def note(lanes: Lanes) -> None:
        assert site.masks is not None
        for row, written in zip(destinations, site.masks, strict=True):
            if row is not None and id(row) in watched and row.defined is not None:
                row.defined[lanes.index] = np.where(written, full(row.bits), 0)

    return note
