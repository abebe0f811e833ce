"""Reads of registers that nothing has written.

Which registers are certainly written before each read is found once per function, over its control flow.  Only the
others are watched while the kernel runs: masks of the bytes that lanes have written, checked where they are used.  What
only moves bytes passes them on instead (`weft.sim.partial`): compilers copy and pack values that they never use.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.ptx.directive_nodes import TargetList
from weft.ptx.operands import Address, Arguments, Element, Negated, Operand, Pair, Register, Symbol, Vector
from weft.sim import deferred
from weft.sim.lanes import WARP, Lanes, all_of
from weft.sim.partial import full, passes, passing
from weft.sim.registers import Row
from weft.sim.semantics.warp import sources
from weft.sim.site import Site, Step

if TYPE_CHECKING:
    from weft.sim.program import Activation

_NARROWING = frozenset({"st", "cvt"})
"""Instructions that read the low bytes of wider registers."""
_NO_RETURN = frozenset({"ret", "exit", "trap"})


@dataclass(slots=True)
class Uses:
    """The registers that an instruction reads and writes, and those that its guard reads.

    `sizes` are the bytes that it takes of those that it reads; `before` is what other checks do before it executes.
    """

    guards: list[Row] = field(default_factory=list[Row])
    reads: list[Row] = field(default_factory=list[Row])
    writes: list[Row] = field(default_factory=list[Row])
    sizes: list[int] = field(default_factory=list[int])
    before: list[Step] = field(default_factory=list[Step])


def uses_of(site: Site) -> Uses:
    """The registers of an instruction's operands and guard."""
    if site.uses is not None:
        return site.uses
    uses = site.uses = Uses()
    guard = site.instruction.guard
    if guard is not None:
        uses.guards.append(site.row(guard.register))
    plan = site.plan()
    for written, type_, operand in zip(plan.writes, plan.types, site.operands, strict=False):
        registers: list[Register] = []
        _flat(site, operand, registers)
        into = uses.writes if written and not isinstance(operand, Address) else uses.reads
        for register in registers:
            row = site.names.row(register.name, site.machine.batch.lanes)
            if row is not None:
                into.append(row)
                if into is uses.reads:
                    narrow = site.opcode.stem in _NARROWING and type_ in TYPES and not isinstance(operand, Address)
                    uses.sizes.append(full(min(TYPES[type_].bits, row.bits) if narrow else row.bits))
    return uses


def _flat(site: Site, operand: Operand, found: list[Register]) -> None:
    """Collect the registers of an operand."""
    if isinstance(operand, Register):
        if operand.name in site.names.rows:
            found.append(operand)
        else:
            found.extend(element for element in site.vector(operand) if isinstance(element, Register))
    elif isinstance(operand, (Vector, Arguments)):
        for element in operand.elements:
            _flat(site, element, found)
    elif isinstance(operand, Address):
        _flat(site, operand.base, found)
        for element in operand.rest:
            _flat(site, element, found)
    elif isinstance(operand, Negated):
        _flat(site, operand.operand, found)
    elif isinstance(operand, Pair):
        _flat(site, operand.first, found)
        _flat(site, operand.second, found)
    elif isinstance(operand, Element):
        _flat(site, operand.index, found)


def watch(activation: Activation, sites: list[Site]) -> list[Uses]:
    """Find the rows that may be read unwritten and give them masks; what each instruction uses of them."""
    uses = [uses_of(site) for site in sites]
    numbers: dict[int, int] = {}
    for use in uses:
        for row in (*use.guards, *use.reads, *use.writes):
            numbers.setdefault(id(row), len(numbers))
    parameters = [activation.names.rows.get(p.name) for p in activation.function.parameters if p.space == "reg"]
    start = _bits([row for row in parameters if row is not None], numbers)
    watched: dict[int, Row] = {}
    if activation.machine.deferred:
        watched = {id(row): row for use in uses for row in (*use.guards, *use.reads)}
    else:
        before = _solve(activation, sites, uses, numbers, start)
        for use, known in zip(uses, before, strict=True):
            for row in (*use.guards, *use.reads):
                if known is not None and not known >> numbers[id(row)] & 1:
                    watched[id(row)] = row
    for row in watched.values():
        row.defined = np.zeros(activation.machine.batch.lanes, np.uint16)
        if row in parameters:
            row.defined[:] = full(row.bits)
    activation.watched = list(watched.values())

    def those(rows: list[Row]) -> list[Row]:
        return [row for row in rows if id(row) in watched]

    def sizes(use: Uses) -> list[int]:
        return [size for row, size in zip(use.reads, use.sizes, strict=True) if id(row) in watched]

    return [Uses(those(use.guards), those(use.reads), those(use.writes), sizes(use)) for use in uses]


def _bits(rows: list[Row], numbers: dict[int, int]) -> int:
    word = 0
    for row in rows:
        if id(row) in numbers:
            word |= 1 << numbers[id(row)]
    return word


def _solve(
    activation: Activation, sites: list[Site], uses: list[Uses], numbers: dict[int, int], start: int
) -> list[int | None]:
    """For each instruction the set of registers that are written on every way to it; None where none leads to it."""
    gains = [_gain(site, use, numbers) for site, use in zip(sites, uses, strict=True)]
    before: list[int | None] = [None] * len(sites)
    todo = [(0, start)]
    while todo:
        index, known = todo.pop()
        while index < len(sites):
            have = before[index]
            joined = known if have is None else have & known
            if joined == have:
                break
            before[index] = joined
            reads, gain, writes = gains[index]
            known = joined & ~writes if reads & ~joined else joined | gain
            targets, falls = successors(activation, sites[index], index)
            todo.extend((target, known) for target in targets)
            if not falls:
                break
            index += 1
    return before


def _gain(site: Site, use: Uses, numbers: dict[int, int]) -> tuple[int, int, int]:
    """The registers that must be written for it, what an instruction then certainly writes, and what it writes."""
    writes = _bits(use.writes, numbers)
    reads = _bits(use.reads, numbers) if passes(site) else 0
    return reads, 0 if site.instruction.guard is not None else writes, writes


def successors(activation: Activation, site: Site, index: int) -> tuple[list[int], bool]:
    """Where an instruction may go besides the next one, and whether it may go there."""
    stem = site.opcode.stem
    guarded = site.instruction.guard is not None
    if stem == "bra":
        target = site.operands[0]
        found = site.names.label(target.name) if isinstance(target, Symbol) else None
        return ([] if found is None else [found]), guarded
    if stem == "brx.idx":
        listed = site.names.list_of(str(site.operands[1]))
        found = [site.names.label(name) for name in listed.names] if isinstance(listed, TargetList) else []
        return [at for at in found if at is not None], guarded
    return [], guarded or stem not in _NO_RETURN


def checked(site: Site, use: Uses) -> list[Step]:
    """What faults when a watched register is used unwritten; empty when there is nothing to watch."""
    if use.reads and deferred.decides(site):
        return [deferred.before(site)]
    if use.reads and site.opcode.stem == "shfl":
        return _exchanged(site, use)
    if use.reads and deferred.keeps(site):
        registers: list[Register] = []
        _flat(site, site.operands[0], registers)
        base = [site.row(one) for one in registers]
        needs = [(row, size) for row, size in zip(use.reads, use.sizes, strict=True) if row in base]
        return [_check(site, needs)] if needs else []
    if not use.reads or passing(site, use.reads, use.writes) is not None:
        return []
    return [_check(site, list(zip(use.reads, use.sizes, strict=True)))]


def _exchanged(site: Site, use: Uses) -> list[Step]:
    """What lanes of a `shfl` get is written as far as what they take is; where they take it from must be."""
    rows = [site.row(one) for one in site.operands[2:] if isinstance(one, Register) and site.names.declared(one.name)]
    steps = [_check(site, [(row, full(32)) for row in rows if row.defined is not None])]
    source = site.operands[1]
    given = site.row(source) if isinstance(source, Register) and site.names.declared(source.name) else None
    taken = next((row for row in use.writes if row.bits == 32), None)
    if taken is None:
        return steps
    find, bytes_, target = sources(site), None if given is None else given.defined, taken.defined
    assert target is not None
    if given is not None:
        taken.made_of.append(given)

    def take(lanes: Lanes) -> None:
        if bytes_ is None:
            target[lanes.select] = full(32)
            return
        there = bytes_[lanes.lo : lanes.hi].reshape(-1, WARP)
        mine = np.take_along_axis(there, np.broadcast_to(find(lanes)[0], there.shape), axis=1).reshape(-1)
        target[lanes.select] = mine if lanes.mask is None else mine[lanes.mask]

    return [*steps, take]


def guarded(site: Site, use: Uses) -> list[Step]:
    """The same for the registers of the guard."""
    return [_check(site, [(row, 1) for row in use.guards])] if use.guards else []


def _check(site: Site, needs: list[tuple[Row, int]]) -> Step:
    def check(lanes: Lanes) -> None:
        for row, size in needs:
            assert row.defined is not None
            known = (row.defined[lanes.select] & size) == size
            if not all_of(known):
                lane = int(lanes.index[int(known.argmin())])
                some = "all bytes of " if row.defined[lane] else ""
                message = f"reads {some}{row.name}, {_why(row, lane)}"
                site.report(site.fault("uninitialised-register", message, lane))

    return check


def _why(row: Row, lane: int) -> str:
    """Why a lane has nothing in a register: what it was computed from, as far as that is still there."""
    root, seen = row, {id(row)}
    while True:
        sources = (
            made
            for made in root.made_of
            if id(made) not in seen and made.defined is not None and made.defined[lane] != full(made.bits)
        )
        found = next(sources, None)
        if found is None:
            break
        root = found
        seen.add(id(root))
    unwritten = "which the thread has not written"
    return unwritten if root is row else f"computed from {root.name}, {unwritten}"


def marked(site: Site, use: Uses) -> list[Step]:
    """What notes that watched registers are written; empty when there are none."""
    rows = use.writes
    if not rows:
        return []
    if use.reads and deferred.decides(site):
        return [deferred.after(site, rows)]
    if use.reads and site.opcode.stem == "shfl":  # Of its value it is noted before it executes.
        rows = [row for row in rows if row.bits != 32]
    note = passing(site, use.reads, use.writes) if use.reads and site.opcode.stem != "shfl" else None
    if note is not None:
        return [note]
    if site.deferred:
        return [deferred.tile_loaded(site, rows) if site.opcode.stem == "tcgen05.ld" else deferred.loaded(site, rows)]

    def mark(lanes: Lanes) -> None:
        for row in rows:
            assert row.defined is not None
            row.defined[lanes.select] = full(row.bits)

    return [mark]
