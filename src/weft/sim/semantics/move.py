"""`mov`: copies, packing and unpacking, addresses, special registers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Operand, Register, Vector
from weft.sim.lanes import Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import WORDS


@step("mov")
def mov(site: Site) -> Step:
    """`d = a`, where one of them may be a vector of equal parts."""
    destination, source = site.operands
    type_ = site.opcode.get("type")
    if site.opcode.get("vec"):
        return _elements(site, f"b{TYPES[type_].bits}")
    if isinstance(destination, Vector):
        return _unpack(site, destination.elements, source, TYPES[type_].bits)
    if isinstance(source, Vector):
        return _pack(site, destination, source.elements, TYPES[type_].bits)
    if TYPES[type_].bits == 128:
        target, wide = site.row(destination).array, site.row(source).array

        def run(lanes: Lanes) -> None:
            target[:, lanes.select] = wide[:, lanes.select]

        return run
    return _clock(site, destination, source) or _copy(site, destination, source, type_)


def pairs(site: Site) -> list[tuple[Operand, Operand]]:
    """Destinations and sources of a `mov` of vectors; a special register stands for its components."""
    targets, source = site.vector(site.operands[0]), site.operands[1]
    if isinstance(source, Register):
        return [(target, Register(f"{source.name}.{part}")) for target, part in zip(targets, "xyzw", strict=False)]
    return list(zip(targets, site.vector(source), strict=True))


def _elements(site: Site, word: str) -> Step:
    found = [(site.destination(target, word), site.value(source, word)) for target, source in pairs(site)]

    def run(lanes: Lanes) -> None:
        values = [value if np.ndim(value) == 0 else value[lanes.select].copy() for _, value in found]
        for (row, _), value in zip(found, values, strict=True):
            if row is not None:
                row[lanes.select] = value

    return run


def _copy(site: Site, destination: Operand, source: Operand, type_: str) -> Step:
    if type_ == "pred":
        value, negated = site.predicate(source)
        target = site.destination(destination, type_)
        assert target is not None

        def run_pred(lanes: Lanes) -> None:
            chosen = value if np.ndim(value) == 0 else value[lanes.select]
            target[lanes.select] = np.logical_not(chosen) if negated else chosen

        return run_pred
    # Copies move bits: floats go through words, which leaves NaNs alone.
    word = f"b{TYPES[type_].bits}"
    row = site.destination(destination, word)
    value = site.value(source, type_)
    value = (
        value.view(f"u{value.dtype.itemsize}") if np.ndim(value) else np.asarray(value).view(f"u{value.itemsize}")[()]
    )
    assert row is not None

    def run(lanes: Lanes) -> None:
        if np.ndim(value) == 0:
            row[lanes.select] = value
        elif lanes.mask is None:
            row[lanes.lo : lanes.hi] = value[lanes.lo : lanes.hi]
        else:
            np.copyto(row[lanes.lo : lanes.hi], value[lanes.lo : lanes.hi], where=lanes.mask)

    return run


def _clock(site: Site, destination: Operand, source: Operand) -> Step | None:
    row = site.row(destination).array
    time = _time(site, source, row)
    if time is None:
        return None

    def run(lanes: Lanes) -> None:
        row[lanes.select] = time()

    return run


def _time(site: Site, source: Operand, row: Array) -> Callable[[], Any] | None:
    """What reads a counter as a word of a row, None where the source is none."""
    machine = site.machine
    read = machine.batch.clock(source.name) if isinstance(source, Register) else None
    if read is None:
        return None
    limit = (1 << 8 * row.dtype.itemsize) - 1

    def time() -> Any:
        machine.change()  # Time passes: a thread that waits for it does not hang.
        return row.dtype.type(read() & limit)

    return time


def _words(row: Array, bits: int, count: int) -> list[Array]:
    """The `count` equal parts of a register's word, lowest first, as views."""
    part = WORDS[bits // count]
    if bits == 128:
        halves = [row[0], row[1]]
        return halves if count == 2 else [half.view(part)[i::2] for half in halves for i in range(2)]
    narrow = row.view(part)
    return [narrow[i::count] for i in range(count)]


def _unpack(site: Site, targets: tuple[Operand, ...], source: Operand, bits: int) -> Step:
    count = len(targets)
    part = f"b{bits // count}"
    value: Array = np.zeros(site.machine.batch.lanes, WORDS[min(bits, 64)])
    time = _time(site, source, value)
    if time is None and isinstance(source, Register) and site.names.declared(source.name):
        value = site.row(source).array
    elif time is None:
        value[:] = site.value(source, f"b{bits}")
    pairs = [
        (row, word)
        for operand, word in zip(targets, _words(value, bits, count), strict=True)
        if (row := site.destination(operand, part)) is not None
    ]

    def run(lanes: Lanes) -> None:
        select = lanes.select
        if time is not None:
            value[select] = time()
        values = [word[select] for _, word in pairs]
        if isinstance(select, slice):
            values = [v.copy() for v in values] if len(values) > 1 else values
        for (row, _), v in zip(pairs, values, strict=True):
            row[select] = v

    return run


def _pack(site: Site, destination: Operand, sources: tuple[Operand, ...], bits: int) -> Step:
    count = len(sources)
    values = [site.value(source, f"b{bits // count}") for source in sources]
    words = _words(site.row(destination).array, bits, count)

    def run(lanes: Lanes) -> None:
        select = lanes.select
        chosen = [value if np.ndim(value) == 0 else value[select].copy() for value in values]
        for word, value in zip(words, chosen, strict=True):
            word[select] = value

    return run
