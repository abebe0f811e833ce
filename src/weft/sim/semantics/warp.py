"""`shfl`, `vote`, `match`, `redux`, `elect.sync`, `activemask`: exchange and agreement between lanes of a warp.

The gate before each block has gathered the lanes of the membermask; here whole warps are computed and the lanes that
take part keep the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.ptx.operands import Integer, Negated, Operand
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES

_LANE = np.arange(WARP, dtype=np.uint32)
_BIT = np.uint32(1) << _LANE
_ALL = 0xFFFF_FFFF


def over_warps(site: Site, operand: Operand, type_: str) -> Callable[[Lanes], Array]:
    """A source as an array of warps by lanes, over the span of a set of lanes."""
    negated = isinstance(operand, Negated)
    value = site.value(operand.operand if negated else operand, type_)
    if np.ndim(value) == 0:
        constant = np.logical_not(value) if negated else value
        return lambda lanes: np.broadcast_to(constant, ((lanes.hi - lanes.lo) // WARP, WARP))
    if negated:
        return lambda lanes: np.logical_not(value[lanes.lo : lanes.hi]).reshape(-1, WARP)
    return lambda lanes: value[lanes.lo : lanes.hi].reshape(-1, WARP)


def put(row: Array | None, lanes: Lanes, values: Array) -> None:
    """Write values given over the span (warps by lanes) for the lanes of the set."""
    if row is None:
        return
    flat = values.reshape(-1)
    if lanes.mask is None:
        row[lanes.lo : lanes.hi] = flat
    else:
        np.copyto(row[lanes.lo : lanes.hi], flat, casting="unsafe", where=lanes.mask)


def present(lanes: Lanes) -> Array:
    """Which lanes take part, as warps by lanes."""
    if lanes.mask is None:
        return np.ones(((lanes.hi - lanes.lo) // WARP, WARP), np.bool_)
    return lanes.mask.reshape(-1, WARP)


def pack(bits: Array) -> Array:
    """Warps by lanes of booleans as one word a warp."""
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint32).reshape(-1)


def sources(site: Site) -> Callable[[Lanes], tuple[Array, Array]]:
    """The lane whose value each lane of a `shfl` takes, and whether that is in range; warps by lanes."""
    b, c = (over_warps(site, operand, "b32") for operand in site.operands[2:4])
    mode, low, lane = site.slots()["mode"], np.uint32(31), _LANE.astype(np.int32)

    def find(lanes: Lanes) -> tuple[Array, Array]:
        shift, clamp = b(lanes) & low, c(lanes)
        segment, bound = (clamp >> np.uint32(8)) & low, clamp & low
        limit = ((_LANE & segment) | (bound & ~segment)).astype(np.int32)
        if mode == "up":
            source = lane - shift.astype(np.int32)
            valid = source >= limit
        elif mode == "idx":
            source = ((_LANE & segment) | (shift & ~segment & low)).astype(np.int32)
            valid = source <= limit
        else:
            source = lane + shift.astype(np.int32) if mode == "down" else (_LANE ^ shift).astype(np.int32)
            valid = source <= limit
        return np.where(valid, source, lane), valid

    return find


@step("shfl")
def shfl(site: Site) -> Step:
    """`d = a` of another lane; `p` says whether that lane is in range.

    What lanes that do not take part would give is undefined; here it is the own value.
    """
    if len(site.operands) < 5:  # No mask of the lanes that take part.
        site.unsupported("warp instructions without .sync")
    first, second = site.pair(site.operands[0])
    row, in_range = site.destination(first, "b32"), site.destination(second, "pred")
    a, find = over_warps(site, site.operands[1], "b32"), sources(site)
    strict, mask = site.machine.strict, site.operands[4]
    all_lanes = isinstance(mask, Integer) and mask.value & _ALL == _ALL
    members = None if all_lanes else over_warps(site, mask, "b32")

    def run(lanes: Lanes) -> None:
        source, valid = find(lanes)
        if strict and lanes.mask is not None:
            _check_sources(site, lanes, source)
        value = a(lanes)
        taken = np.take_along_axis(value, source, axis=1)
        if lanes.mask is not None:
            taken = np.where(np.take_along_axis(present(lanes), source, axis=1), taken, value)
        if members is not None:
            named = members(lanes) >> source.astype(np.uint32) & np.uint32(1)
            taken = np.where(named != 0, taken, value)
        put(row, lanes, taken)
        put(in_range, lanes, np.broadcast_to(valid, value.shape))

    return run


def _check_sources(site: Site, lanes: Lanes, source: Array) -> None:
    """Fault when a lane takes the value of a thread that does not execute the shuffle.

    Lanes past the end of the block are no threads: code for partial warps reads them as a matter of course, and drops
    what it gets.
    """
    here = present(lanes)
    exists = site.machine.batch.exists[lanes.lo : lanes.hi].reshape(here.shape)
    bad = here & np.take_along_axis(exists & ~here, np.broadcast_to(source, here.shape), axis=1)
    if bad.any():
        warp, lane = (int(axis[0]) for axis in np.nonzero(bad))
        wanted = int(np.broadcast_to(source, here.shape)[warp, lane])
        message = f"takes the value of lane {wanted}, which does not execute it"
        raise site.fault("inactive-lane", message, lanes.lo + warp * WARP + lane)


@step("vote")
def vote(site: Site) -> Step:
    """Reduce a predicate over the lanes of the membermask, or collect it as a word."""
    if len(site.operands) < 3:
        site.unsupported("warp instructions without .sync")
    mode = site.slots()["mode"]
    row = site.destination(site.operands[0], "b32" if mode == "ballot" else "pred")
    source, members = over_warps(site, site.operands[1], "pred"), over_warps(site, site.operands[2], "b32")

    def run(lanes: Lanes) -> None:
        here = present(lanes)
        there = pack(here)[:, None]
        votes, mask = pack(source(lanes) & here)[:, None], members(lanes) & there
        if mode == "ballot":
            result = votes & mask
        elif mode == "any":
            result = (votes & mask) != 0
        elif mode == "all":
            result = (votes & mask) == mask
        else:
            result = ((votes & mask) == mask) | ((votes & mask) == 0)
        put(row, lanes, result)

    return run


@step("match")
def match(site: Site) -> Step:
    """Which lanes of the membermask have the same value."""
    slots = site.slots()
    first, second = site.pair(site.operands[0])
    row, agreed = site.destination(first, "b32"), site.destination(second, "pred")
    source, members = over_warps(site, site.operands[1], slots["type"]), over_warps(site, site.operands[2], "b32")

    def run(lanes: Lanes) -> None:
        value, here = source(lanes), present(lanes)
        mask = members(lanes) & pack(here)[:, None]
        equal = value[:, :, None] == value[:, None, :]
        words = pack(equal.reshape(-1, WARP)).reshape(value.shape) & mask
        if slots["mode"] == "any":
            put(row, lanes, words)
            return
        same = words == mask
        put(row, lanes, np.where(same, mask, np.uint32(0)))
        put(agreed, lanes, same)

    return run


_REDUCTIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _identity(op: str, type_: str) -> Any:
    dtype = DTYPES[type_]
    if op in ("add", "or", "xor"):
        return dtype.type(0)
    if op == "and":
        return np.array(-1).astype(dtype)[()]
    if dtype.kind == "f":
        return dtype.type(np.inf if op == "min" else -np.inf)
    limits = np.iinfo(dtype)
    return dtype.type(limits.max if op == "min" else limits.min)


@step("redux")
def redux(site: Site) -> Step:
    """Reduce a value over the lanes of the membermask."""
    slots = site.slots()
    op, type_ = slots["op"], slots["type"]
    ufunc, identity = _REDUCTIONS[op], _identity(op, type_)
    row = site.destination(site.operands[0], type_)
    source, members = over_warps(site, site.operands[1], type_), over_warps(site, site.operands[2], "b32")
    nan, absolute = bool(slots.get("NaN")), bool(slots.get("abs"))

    def run(lanes: Lanes) -> None:
        value, here = source(lanes), present(lanes)
        value = np.abs(value) if absolute else value
        mask = np.where(here, members(lanes) & pack(here)[:, None], np.uint32(0))
        chosen = (mask[:, :, None] & _BIT) != 0
        spread = np.broadcast_to(value[:, None, :], chosen.shape)
        if type_ == "f32":
            real = chosen & ~np.isnan(spread)
            result = ufunc.reduce(np.where(real, spread, identity), axis=2)
            missing = (chosen & np.isnan(spread)).any(axis=2) if nan else ~real.any(axis=2)
            result = np.where(missing, np.float32(np.nan), result)
        else:
            result = ufunc.reduce(np.where(chosen, spread, identity), axis=2, dtype=value.dtype)
        put(row, lanes, result)

    return run


@step("elect.sync")
def elect(site: Site) -> Step:
    """Choose the lowest lane of the membermask."""
    first, second = site.pair(site.operands[0])
    row, chosen = site.destination(first, "b32"), site.destination(second, "pred")
    members = over_warps(site, site.operands[1], "b32")

    def run(lanes: Lanes) -> None:
        mask = members(lanes) & pack(present(lanes))[:, None]
        leader = ((mask[:, :, None] & _BIT) != 0).argmax(axis=2).astype(np.uint32)
        put(row, lanes, leader)
        put(chosen, lanes, leader == _LANE)

    return run


@step("activemask")
def activemask(site: Site) -> Step:
    """The lanes that execute now."""
    row = site.destination(site.operands[0], "b32")

    def run(lanes: Lanes) -> None:
        here = present(lanes)
        put(row, lanes, np.broadcast_to(pack(here)[:, None], here.shape))

    return run
