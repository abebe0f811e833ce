"""`ldmatrix`, `stmatrix`, `movmatrix`: warp-wide copies of matrices, with the layouts of `weft.isa.fragments`."""

from __future__ import annotations

from functools import cache

import numpy as np

from weft.isa.fragments import Fragment, fragment
from weft.ptx.operands import Address
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Pointer, Site, Step
from weft.sim.space import Space
from weft.sim.types import WORDS

ROW_BYTES = 16
"""Bytes of the row that one lane's address points to; 16 elements of 6 or 4 bits are followed by padding."""

_PACKED = {"b6x16_p32": 12, "b4x16_p64": 8}
"""Source format to the bytes of a row that are not padding."""


def whole_warps(site: Site, lanes: Lanes) -> Array | None:
    """The numbers (within the span) of the warps that take part, None for all of them; faults unless they are whole."""
    if lanes.mask is None:
        return None
    here = lanes.mask.reshape(-1, WARP)
    some, every = here.any(axis=1), here.all(axis=1)
    if (some & ~every).any():
        warp = int((some & ~every).argmax())
        lane = int((~here[warp]).argmax())
        message = f"lane {lane} of the warp does not execute it: an .aligned instruction needs all 32"
        raise site.fault("divergent-collective", message, lanes.lo + warp * WARP + int(here[warp].argmax()))
    return np.flatnonzero(every)


def gather(rows: list[Array], lanes: Lanes, warps: Array | None) -> Array:
    """Registers of whole warps as an array of warps by registers by lanes."""
    spans = [row[lanes.lo : lanes.hi].reshape(-1, WARP) for row in rows]
    return np.stack(spans if warps is None else [span[warps] for span in spans], axis=1)


def scatter(rows: list[Array | None], lanes: Lanes, warps: Array | None, values: Array) -> None:
    """Write registers of whole warps, given as warps by registers by lanes."""
    for number, row in enumerate(rows):
        if row is None:
            continue
        span = row[lanes.lo : lanes.hi].reshape(-1, WARP)
        if warps is None:
            span[:] = values[:, number]
        else:
            span[warps] = values[:, number]


def _row_addresses(
    site: Site, pointer: Pointer, lanes: Lanes, count: int, used: int = ROW_BYTES, stored: Array | None = None
) -> tuple[Space, Array]:
    """Byte indices of the `count` rows that the first lanes of each warp point to, as warps by rows.

    `used` are the bytes of a row that are read, `stored` the rows that are written instead.
    """
    if count < WARP:
        chosen = np.zeros(((lanes.hi - lanes.lo) // WARP, WARP), np.bool_)
        chosen[:, :count] = True
        mask = chosen.reshape(-1)
        lanes = Lanes(lanes.lo, lanes.hi, mask if lanes.mask is None else mask & lanes.mask)
    parts = list(pointer(lanes, ROW_BYTES, stored is not None))
    if len(parts) != 1 or parts[0][2] is not None or parts[0][0] is not site.machine.memory.shared:
        raise site.fault("out-of-bounds", "the rows do not all lie in shared memory", int(lanes.index[0]))
    space, index, _ = parts[0]
    if stored is not None:
        values = stored.view(np.uint8).reshape(-1, ROW_BYTES)
        space.before_store(site, index, lanes.select, ROW_BYTES, values=lambda: values)
    else:
        space.before_load(site, index, lanes.select, used & ~7)
        if used & 7:
            space.before_load(site, index + (used & ~7), lanes.select, used & 7)
    return space, index.reshape(-1, count)


def layout(site: Site) -> tuple[Fragment, Array]:
    """The fragment that is copied, and for each register, lane and position the element's place among the rows'."""
    found = fragment(site.opcode, "r")
    return found, _places(found)


def widened(rows: Array, format_: str) -> Array:
    """Rows of 16 bytes with packed 6- or 4-bit elements as 16 bytes with an element in the low bits of each."""
    if format_ == "b4x16_p64":
        packed = rows[..., :8, None] >> np.array([0, 4], np.uint8)
        return (packed & np.uint8(15)).reshape(rows.shape)
    groups = rows[..., :12].reshape(*rows.shape[:-1], 4, 3).astype(np.uint32)
    words = groups[..., 0] | groups[..., 1] << np.uint32(8) | groups[..., 2] << np.uint32(16)
    apart = words[..., None] >> np.array([0, 6, 12, 18], np.uint32)
    return (apart & np.uint32(63)).astype(np.uint8).reshape(rows.shape)


@cache
def _places(found: Fragment) -> Array:
    place = np.empty((found.registers, WARP, found.packed), np.intp)
    for lane, register, position, at in found.elements():
        place[register, lane, position] = (at.matrix * found.rows + at.row) * found.columns + at.column
    return place


@step("ldmatrix")
def ldmatrix(site: Site) -> Step:
    """Load 8x8, 8x16 or 16x16 matrices: each lane gets its elements from the rows that the lanes' addresses name."""
    slots = site.slots()
    format_ = slots["src_fmt"]
    used = _PACKED.get(format_, ROW_BYTES)
    found, place = layout(site)
    rows = [site.destination(r, "b32") for r in site.vector(site.operands[0])]
    pointer = site.pointer(site.operands[1], slots["ss"])
    count = found.matrices * found.rows
    word = WORDS[64]

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        space, index = _row_addresses(site, pointer, lanes, count, used)
        both = np.stack([space.load(index, word), space.load(index + 8, word)], axis=2)
        if format_:
            both = widened(both.view(np.uint8), format_)
        elements = both.view(WORDS[found.bits]).reshape(len(both), -1)
        values = np.take(elements, place.reshape(-1), axis=1).view(np.uint32)
        scatter(rows, lanes, warps, values.reshape(len(both), found.registers, WARP))

    return run


@step("stmatrix")
def stmatrix(site: Site) -> Step:
    """Store 8x8 or 16x8 matrices: the inverse of `ldmatrix`."""
    slots = site.slots()
    found, place = layout(site)
    assert isinstance(site.operands[0], Address)
    pointer = site.pointer(site.operands[0], slots["ss"])
    rows = [site.row(r).array for r in site.vector(site.operands[1])]
    count = found.matrices * found.rows
    source = np.argsort(place.reshape(-1))
    word = WORDS[64]

    def run(lanes: Lanes) -> None:
        site.machine.change()
        warps = whole_warps(site, lanes)
        values = gather(rows, lanes, warps)
        elements = np.take(values.view(WORDS[found.bits]).reshape(len(values), -1), source, axis=1)
        both = np.ascontiguousarray(elements).view(word).reshape(len(values), count, 2)
        space, index = _row_addresses(site, pointer, lanes, count, stored=both)
        space.store(index, both[:, :, 0], word)
        space.store(index + 8, both[:, :, 1], word)

    return run


@step("movmatrix")
def movmatrix(site: Site) -> Step:
    """Transpose an 8x8 matrix held in one register of each lane."""
    held = fragment(site.opcode, "a").holders()
    given = fragment(site.opcode, "d")
    order = np.empty((WARP, given.packed), np.intp)
    for lane, _, position, at in given.elements():
        source_lane, _, source_position = held[at]
        order[lane, position] = source_lane * given.packed + source_position
    row, source = site.destination(site.operands[0], "b32"), site.row(site.operands[1]).array

    def run(lanes: Lanes) -> None:
        warps = whole_warps(site, lanes)
        halves = gather([source], lanes, warps).view(np.uint16).reshape(-1, WARP * given.packed)
        values = np.take(halves, order.reshape(-1), axis=1).view(np.uint32)
        scatter([row], lanes, warps, values.reshape(-1, 1, WARP))

    return run
