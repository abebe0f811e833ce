"""What instructions do before they execute because they share registers with products under way, by function."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Float, Integer, Operand, Register, Vector
from weft.sim import culprits
from weft.sim.definite import Uses, uses_of
from weft.sim.lanes import Array, Lanes
from weft.sim.products import FRESH, STEMS, UNFENCED, Move, Part, Products
from weft.sim.registers import Row
from weft.sim.site import Site, Step, typed
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.program import Activation


def watch(activation: Activation, sites: list[Site]) -> list[list[Step]]:
    """What each instruction does before it executes, because it shares registers with products."""
    products = activation.machine.products
    operands = {id(row): row for site in sites if site.opcode.stem in STEMS for row in fragments(site)}
    if not operands:
        return [[] for _ in sites]
    uses = [uses_of(site) for site in sites]
    own = frozenset(operands)
    # Two closures over copies, one each way: `shared` are the products' registers and what is copied from them, so
    # that reading one too early shows; `operands` also what is copied into them, so that making it too late does.
    shared = dict(operands)
    moves = [move for site in sites for move in _moves(site)]
    while True:
        more = {id(move.target): move.target for move in moves if any(id(p.source) in shared for p in move.parts)}
        if more.keys() <= shared.keys():
            break
        shared |= more
    while True:
        come = {id(p.source): p.source for move in moves if id(move.target) in operands for p in move.parts}
        if come.keys() <= operands.keys():
            break
        operands |= come
    return [
        []
        if site.opcode.stem in STEMS
        else [*_users(products, use, own), *_steps(products, site, use, shared, operands)]
        for site, use in zip(sites, uses, strict=True)
    ]


def fragments(site: Site) -> list[Row]:
    """The registers of a product's fragments: the accumulators, and A where it is in registers."""
    found: list[Row] = []
    for spec, operand in zip(site.variant().compiled.operands, site.operands, strict=True):
        if spec.name in ("d", "a"):
            found.extend(site.row(element) for element in site.vector(operand))
    return found


def _moves(site: Site) -> list[Move]:
    """What an instruction copies of registers to others, bit by bit; nothing for one that does anything else."""
    if site.opcode.stem != "mov" or len(site.operands) != 2:
        return []
    target, source = site.operands
    into = target.elements if isinstance(target, Vector) else (target,)
    come = source.elements if isinstance(source, Vector) else (source,)
    rows = {id(one): _declared(site, one) for one in (*into, *come)}
    if any(row is None or row.bits > 64 for one, row in rows.items() if one in set(map(id, come))):
        return []
    found: list[Move] = []
    width = TYPES[site.opcode["type"]].bits // max(len(into), len(come))
    for number, one in enumerate(into):
        row = rows[id(one)]
        if row is None or row.bits > 64:
            continue
        sources = [rows[id(each)] for each in come]
        # A vector is taken apart, or put together, but never both: of one of the sides there is a single register.
        if len(into) > 1:
            parts = [Part(each, number * width, 0, width) for each in sources if each is not None]
        else:
            parts = [Part(each, 0, place * width, width) for place, each in enumerate(sources) if each is not None]
        found.append(Move(row, tuple(parts)))
    return found


def _declared(site: Site, operand: Operand) -> Row | None:
    """The row of a declared register."""
    known = isinstance(operand, Register) and site.names.declared(operand.name) is not None
    return site.row(operand) if known else None


def _steps(products: Products, site: Site, use: Uses, shared: dict[int, Row], operands: dict[int, Row]) -> list[Step]:
    writes = [row for row in use.writes if id(row) in shared]
    reads = [row for row in use.reads if id(row) in shared]
    strict = products.machine.strict
    steps: list[Step] = []
    moves = _moves(site) if products.late and reads else []
    if products.machine.interlocked and products.late and (reads or writes):
        # A copy waits only to overwrite what a product, or a copy before it, is going to write or reads.
        steps.append(_interlocked(products, writes if moves else [*reads, *writes]))
    elif products.late and strict and (reads or writes):
        steps.append(_untouched(products, site, [] if moves else reads, writes))
    if moves:
        steps.append(_copies(products, moves))
    modified = [row for row in use.writes if id(row) in operands]
    if strict and modified:
        constant = site.opcode.stem == "mov" and isinstance(site.operands[1], (Integer, Float))
        if constant:
            steps.append(_constant(products, site, modified[0]))
        else:
            copied = _moves(site)
            steps.append(_passes(products, copied) if copied else _modifies(products, modified))
    return steps


def _users(products: Products, use: Uses, own: frozenset[int]) -> list[Step]:
    rows = own & {id(row) for row in (*use.reads, *use.writes)}

    def give(lanes: Lanes) -> None:
        if products.resting:
            products.use(rows)

    return [give] if rows else []


def _copies(products: Products, moves: list[Move]) -> Step:
    def copy(lanes: Lanes) -> None:
        if products.pending:
            for move in moves:
                products.copy(lanes, move)

    return copy


def _interlocked(products: Products, rows: list[Row]) -> Step:
    keys = frozenset(map(id, rows))

    def wait(lanes: Lanes) -> None:
        if not products.pending:
            return
        products.spread()
        for row in rows:
            for table in (products.busy, products.used):
                counts = table.get(id(row))
                if counts is not None and counts[lanes.select].any():
                    products.interlock(lanes)
                    products.use(keys)  # The sums of products that are done now rest as matrices.
                    return

    return wait


def _untouched(products: Products, site: Site, reads: list[Row], writes: list[Row]) -> Step:
    def check(lanes: Lanes) -> None:
        if not products.pending:
            return
        products.spread()
        for rows, table, kind, use in (
            (reads, products.busy, "asynchronous-read", "reads {} while a wgmma that writes it is still in flight"),
            (
                writes,
                products.busy,
                "asynchronous-write",
                "writes {} while a wgmma that accumulates into it is still in flight",
            ),
            (writes, products.used, "asynchronous-write", "writes {} while a wgmma that reads it is still in flight"),
        ):
            for row in rows:
                counts = table.get(id(row))
                if counts is not None and counts[lanes.select].any():
                    lane = int(lanes.index[int((counts[lanes.select] > 0).argmax())])
                    fault = site.fault(kind, use.format(row.name), lane)
                    users = (one.site for one in products.pending if row in one.targets or row in one.sources)
                    user = next((user for user in users if user is not None), None)
                    if user is not None:
                        culprits.name(fault, user, culprits.PRODUCTS)
                    site.report(fault)

    return check


def _passes(products: Products, moves: list[Move]) -> Step:
    """Copies and constants are no writes for ptxas, which places them: what matters is when a value was made."""
    pairs = [
        (_modified(products, move.target), [_modified(products, part.source) for part in move.parts]) for move in moves
    ]

    def copy(lanes: Lanes) -> None:
        products.writes += 1
        for target, sources in pairs:
            made = [source[lanes.select] for source in sources]
            target[lanes.select] = np.bitwise_or.reduce(made) & UNFENCED | FRESH

    return copy


def _constant(products: Products, site: Site, row: Row) -> Step:
    """A constant in the place of another value that no product has used is more than a copy."""
    table, type_ = _modified(products, row), site.opcode["type"]
    there = typed(row, type_)
    bits = WORDS[8 * there.itemsize]
    there, value = there.view(bits), np.asarray(site.value(site.operands[1], type_)).view(bits)

    def note(lanes: Lanes) -> None:
        products.writes += 1
        fresh = table[lanes.select] // FRESH
        table[lanes.select] = np.where(there[lanes.select] == value, 0, fresh) | FRESH

    return note


def _modifies(products: Products, writes: list[Row]) -> Step:
    tables = [_modified(products, row) for row in writes]

    def mark(lanes: Lanes) -> None:
        products.writes += 1
        for table in tables:
            table[lanes.select] = UNFENCED | FRESH

    return mark


def _modified(products: Products, row: Row) -> Array:
    return products.modified.setdefault(id(row), np.zeros(len(products.groups), np.uint8))
