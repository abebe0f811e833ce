"""`atom`, `red`: atomic read-modify-write.  Lanes that meet at one address take their turns in lane order."""

from __future__ import annotations

from typing import Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Sink
from weft.sim.lanes import Array, Lanes
from weft.sim.ordered import ordering, place_of
from weft.sim.plan import Tokens
from weft.sim.semantics import ALU, Compute, step
from weft.sim.site import Site, Step
from weft.sim.space import Space
from weft.sim.types import DTYPES, WORDS, Dtype
from weft.sim.values import Call, choose, element_type, elementwise, flush, narrow, widen

Combine = Compute

_PAIR: Dtype = np.dtype([("low", np.uint64), ("high", np.uint64)])

_UFUNCS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def combination(op: str, type_: str) -> Combine:
    """The new value from the old one and the operands; a ufunc where turns can be accumulated."""
    element = element_type(type_)
    if op in _UFUNCS:
        ufunc = _UFUNCS[op]
        if TYPES[element].kind in "bus" or (op == "add" and element in ("f32", "f64")):
            return ufunc
        if op != "add":
            return ALU[op](Tokens({"type": type_}))
        return elementwise(type_, lambda a, b: narrow(ufunc(widen(a, element), widen(b, element)), element))
    dtype = DTYPES.get(type_, WORDS[64])
    zero, one = dtype.type(0), dtype.type(1)
    operations: dict[str, Combine] = {
        "exch": lambda old, b: b,
        "cas": lambda old, b, c: choose(old == b, c, old),
        "inc": lambda old, b: choose(old >= b, zero, old + one),
        "dec": lambda old, b: choose((old == 0) | (old > b), b, old - one),
    }
    return operations[op]


@step("atom")
def atom(site: Site) -> Step:
    """`d = *a; *a = op(*a, b)`."""
    operands = site.operands
    return _bind(site, operands[0], operands[1], operands[2:])


@step("red")
def red(site: Site) -> Step:
    """`*a = op(*a, b)`."""
    return _bind(site, None, site.operands[0], site.operands[1:])


def _bind(site: Site, result: Any, address: Any, sources: Any) -> Step:
    slots = site.slots()
    op, type_ = slots["op"], slots["type"]
    if TYPES[type_].bits == 128:
        return _wide(site, result, address, sources)
    dtype = DTYPES[type_]
    combine = combination(op, type_)
    pointer = site.pointer(address, slots["ss"])
    targets = [] if result is None else [site.destination(d, type_) for d in site.vector(result)]
    count = 2 if op == "cas" else 1
    columns = [[site.value(e, type_) for e in site.vector(source)] for source in sources[:count]]
    width = len(columns[0])
    total = dtype.itemsize * width
    order = ordering(site.machine, site, reads=True, writes=True)
    flags = None if order is None else site.machine.flags
    flushes = op == "add" and type_ == "f32" and not slots["noftz"]

    word = WORDS[8 * dtype.itemsize]

    def run(lanes: Lanes) -> None:
        for space, index, where in pointer(lanes, total, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_update(site, index, select, total)
            if order is not None:
                order(space, index, select, total)
            for number in range(width):
                values = [_pick(column[number], select, len(index)) for column in columns]
                place = index + number * dtype.itemsize if number else index
                for watcher in site.machine.watchers:
                    watcher.reduce(site, space, place, values, op, type_)
                there = place >> (dtype.itemsize.bit_length() - 1)
                before = space.view(word)[there]
                change = _add_flushed if flushes and space.name == "global" else exchange
                old = change(space, place, values, combine, dtype)
                if flags is not None and width == 1 and len(index) > 1:
                    flags.updated(place_of(space, index), select, old)
                if (space.view(word)[there] != before).any():
                    site.machine.change()
                target = targets[number] if targets else None
                if target is not None:
                    target[select] = old

    return run


def _wide(site: Site, result: Any, address: Any, sources: Any) -> Step:
    """The exchanges of 128 bits: registers are two rows of words."""
    slots = site.slots()
    combine = combination(slots["op"], "b128")
    pointer = site.pointer(address, slots["ss"])
    target = None if isinstance(result, Sink) else site.row(result).array
    order = ordering(site.machine, site, reads=True, writes=True)
    columns = [site.row(source).array for source in sources[: 2 if slots["op"] == "cas" else 1]]

    def run(lanes: Lanes) -> None:
        site.machine.change()
        for space, index, where in pointer(lanes, 16, True):
            select = lanes.select if where is None else lanes.index[where]
            if space.guarded:
                space.before_update(site, index, select, 16)
            if order is not None:
                order(space, index, select, 16)
            values = [np.ascontiguousarray(column[:, select].T).view(_PAIR)[:, 0] for column in columns]
            old = exchange(space, index, values, combine, _PAIR)
            if target is not None:
                target[:, select] = old.view(WORDS[64]).reshape(-1, 2).T

    return run


def _pick(value: Any, select: Any, count: int) -> Array:
    return np.full(count, value) if np.ndim(value) == 0 else value[select]


def flushed_sum(a: Array, b: Array) -> Array:
    """The sum of floats where subnormal ones are zeros of their sign, in the result, too."""
    return flush(flush(a) + flush(b))


def _add_flushed(space: Space, index: Array, values: list[Array], combine: Combine, dtype: Dtype) -> Array:
    """Sums of floats in global memory: as if none were subnormal, and once more where one is."""
    view, place, traffic = space.view(dtype), index >> 2, (space.loaded, space.stored)
    before = view[place]
    old = exchange(space, index, values, combine, dtype)
    if all(np.array_equal(flush(x).view(np.uint32), x.view(np.uint32)) for x in (old, values[0], view[place])):
        return old
    view[place] = before
    space.loaded, space.stored = traffic
    return exchange(space, index, values, flushed_sum, dtype)


def exchange(space: Space, index: Array, values: list[Array], combine: Combine, dtype: Dtype) -> Array:
    """Apply `combine` at byte indices, one turn after the other where they repeat; the old values."""
    call: Call = combine
    place = index >> (dtype.itemsize.bit_length() - 1)
    view = space.view(dtype)
    space.loaded += place.size * dtype.itemsize
    space.stored += place.size * dtype.itemsize
    order = np.argsort(place, kind="stable")
    ordered = place[order]
    new = np.flatnonzero(np.diff(ordered, prepend=-1))
    if len(new) == len(place):
        old = view[place]
        view[place] = call(old, *values)
        return old
    old = np.empty(len(place), dtype)
    lengths = np.diff(new, append=len(place))
    if isinstance(combine, np.ufunc) and len(new) <= lengths.max():
        for start, length in zip(new.tolist(), lengths.tolist(), strict=True):
            turn = order[start : start + length]
            chain = np.empty(length + 1, dtype)
            chain[0] = view[place[turn[0]]]
            chain[1:] = values[0][turn]
            combine.accumulate(chain, out=chain)
            old[turn] = chain[:-1]
            view[place[turn[0]]] = chain[-1]
        return old
    rank = np.arange(len(place)) - np.repeat(new, lengths)
    by_rank = order[np.argsort(rank, kind="stable")]
    start = 0
    for size in np.bincount(rank).tolist():
        turn = by_rank[start : start + size]
        start += size
        there = place[turn]
        old[turn] = view[there]
        view[there] = call(old[turn], *(value[turn] for value in values))
    return old
