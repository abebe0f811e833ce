"""`tcgen05.alloc`, `.dealloc`, `.ld`, `.st`, `.ld.red`, `.wait`, `.fence`: tensor memory and registers.

Sources: PTX manual, "Tensor Memory", "Matrix and Data Movement Shape", "tcgen05.ld", "tcgen05.st".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from weft.errors import Severity
from weft.ptx.operands import Address, Integer, Operand, Sink
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.matrix_copy import gather, scatter, whole_warps
from weft.sim.site import Site, Step
from weft.sim.tensor_cells import COLUMNS, LANES, Cells, Rectangles
from weft.sim.tensor_memory import POISON
from weft.sim.types import DTYPES


def first_lanes(lanes: Lanes) -> Lanes:
    """The first lane of each warp of a set of whole warps."""
    mask = np.zeros(((lanes.hi - lanes.lo) // WARP, WARP), np.bool_)
    mask[:, 0] = True
    flat = mask.reshape(-1)
    return Lanes(lanes.lo, lanes.hi, flat if lanes.mask is None else flat & lanes.mask)


def address_reader(site: Site, operand: Operand) -> Callable[[Lanes], Array]:
    """What reads an address of tensor memory, `[a]` or a register."""
    if isinstance(operand, Address):
        offset = operand.offset
        read = site.read(operand.base, "u32")
        return lambda lanes: read(lanes).astype(np.int64) + offset
    read = site.read(operand, "u32")
    return lambda lanes: read(lanes).astype(np.int64)


# -- allocation -----------------------------------------------------------------------------------------------


@step("tcgen05.alloc")
def alloc(site: Site) -> Step:
    """Reserve columns and write their address to shared memory."""
    pointer = site.pointer(site.operands[0], "shared")
    columns = site.read(site.operands[1], "u32")

    def run(lanes: Lanes) -> None:
        whole_warps(site, lanes)
        tensor, batch = site.machine.tensor, site.machine.batch
        first = first_lanes(lanes)
        counts = columns(first)
        found = [
            tensor.allocate(site, lane, int(batch.cta[lane]), count)
            for lane, count in zip(first.index.tolist(), counts.tolist(), strict=True)
        ]
        for space, index, _ in pointer(first, 4, True):
            space.before_store(site, index, first.select, 4)
            space.store(index, np.array(found, np.uint32), DTYPES["u32"])
        site.machine.change()

    return run


@step("tcgen05.dealloc")
def dealloc(site: Site) -> Step:
    """Give columns back."""
    address, columns = site.read(site.operands[0], "u32"), site.read(site.operands[1], "u32")

    def run(lanes: Lanes) -> None:
        whole_warps(site, lanes)
        first = first_lanes(lanes)
        ctas = site.machine.batch.cta[first.index]
        site.machine.tensor.release(site, first.index, ctas, address(first), columns(first))
        site.machine.change()

    return run


@step("tcgen05.relinquish_alloc_permit")
def relinquish(site: Site) -> Step:
    """Give up the right to allocate."""

    def run(lanes: Lanes) -> None:
        site.machine.tensor.relinquished[site.machine.batch.cta[lanes.select]] = True

    return run


# -- loads and stores -----------------------------------------------------------------------------------------


@cache
def places(shape: str, repeats: int) -> tuple[Array, Array]:
    """Lane and column of each register, relative to the address (of a half), as registers by threads."""
    thread = np.arange(WARP)[None, :]
    if shape == "32x32b":
        register = np.arange(repeats)[:, None]
        return thread + 0 * register, register + 0 * thread
    if shape == "16x32bx2":
        register = np.arange(repeats)[:, None]
        return thread % 16 + 0 * register, register + 0 * thread
    words = {"16x64b": 1, "16x128b": 2, "16x256b": 4}[shape]
    register = np.arange(repeats * words)[:, None]
    repeat, word = register // words, register % words
    if shape == "16x64b":
        return thread // 4 + 8 * (thread // 2 % 2) + 0 * register, 2 * repeat + thread % 2
    if shape == "16x128b":
        return thread // 4 + 8 * word, 4 * repeat + thread % 4
    return thread // 4 + 8 * (word // 2), 8 * repeat + 2 * (thread % 4) + word % 2


class Tile:
    """The cells that the registers of a warp stand for; `halves` when a register holds two columns of 16 bits."""

    def __init__(self, site: Site, address: Operand, rest: list[Operand], halves: bool) -> None:
        slots = site.slots()
        self.site = site
        self.shape, self.halves = slots["shape"], halves
        split = sum(operand.value for operand in rest if isinstance(operand, Integer))  # The distance of two halves.
        self.lane, self.column = places(self.shape, int(slots["num"][1:]))
        if halves:
            self.lane = np.stack([self.lane, self.lane], axis=-1)
            self.column = np.stack([2 * self.column, 2 * self.column + 1], axis=-1)
        second = split * (np.arange(WARP) // 16)
        self.column = self.column + (second[:, None] if halves else second)
        self.address = address_reader(site, address)

    def cells(self, lanes: Lanes) -> Cells:
        """The cells, warps by registers by threads (by halves); faults where a warp may not reach them."""
        whole_warps(self.site, lanes)
        batch = self.site.machine.batch
        first = first_lanes(lanes)
        address = self.address(first)
        row, column = address >> 16, address & 0xFFFF
        own = 32 * (batch.warp[first.index].astype(np.int64) % 4)
        fits = (0,) if self.shape == "32x32b" else (0, 16)
        wrong = ~np.isin(row - own, fits)
        if wrong.any():
            which = int(wrong.argmax())
            message = (
                f"lane {int(row[which])}: the warp can access only lanes {int(own[which])} to {int(own[which]) + 31}"
            )
            fault = self.site.fault("tensor-memory", message, int(first.index[which]), int(address[which]))
            if not np.isin(row[wrong], fits).all():
                raise fault
            # Without a quarter in its address a warp reaches its own: the manual does not say so, but kernels in
            # production (those of JAX's Pallas) rely on it.
            self.site.report(fault, Severity.NOTE, named=False)
            row = np.where(wrong, own + row, row)
        grow = (-1, *(1,) * self.lane.ndim)
        shape, cta = (len(address), *self.lane.shape), batch.cta[first.index]
        return Cells(
            np.broadcast_to(cta.reshape(grow), shape),
            row.reshape(grow) + self.lane,
            column.reshape(grow) + self.column,
            areas=self._areas(cta, row, column),
        )

    def _areas(self, cta: Array, row: Array, column: Array) -> Rectangles | None:
        """The rectangles that the cells are."""
        lanes, columns = (int(one.max()) + 1 for one in (self.lane, self.column))
        inside = column.max() + columns <= COLUMNS and row.max() + lanes <= LANES
        return Rectangles(cta, row, column, lanes, columns) if inside and lanes * columns == self.lane.size else None

    def join(self, words: Array) -> Array:
        """Words of cells as registers."""
        if not self.halves:
            return words
        return (words[..., 0] & np.uint32(0xFFFF)) | words[..., 1] << np.uint32(16)

    def split(self, registers: Array) -> Array:
        """Registers as words of cells."""
        if not self.halves:
            return registers
        return np.stack([registers & np.uint32(0xFFFF), registers >> np.uint32(16)], axis=-1)


class _Target:
    """The registers that a load writes, when the threads wait for them; until then they hold garbage."""

    def __init__(self, site: Site, elements: tuple[Operand, ...]) -> None:
        self.site = site
        self.rows = [site.destination(element, "b32") for element in elements]
        self.registers = [site.row(element) for element in elements if not isinstance(element, Sink)]

    def load(self, lanes: Lanes, values: Array) -> None:
        """Start to load values, warps by registers by threads."""
        tensor, index = self.site.machine.tensor, lanes.index
        flat = values.transpose(1, 0, 2).reshape(len(self.rows), -1)
        late = self.site.machine.async_ != "eager" or self.site.machine.interlocked
        given = np.zeros(lanes.count, np.bool_)

        def give(mine: Array) -> None:
            fresh = mine & ~given
            for row, column in zip(self.rows, flat, strict=True):
                if row is not None:
                    row[index[fresh]] = column[fresh]
            given[mine] = True

        def finish(mine: Array) -> None:
            give(mine)
            if late:
                tensor.busy(self.registers, index[mine], -1)

        if late:
            scatter(self.rows, lanes, whole_warps(self.site, lanes), np.full_like(values, POISON))
            tensor.busy(self.registers, index, 1)
        tensor.transfer(lanes, finish, load=True, give=give)


def _read(site: Site, tile: Tile, lanes: Lanes) -> Array:
    """A tile's registers, warps by registers by threads."""
    tensor = site.machine.tensor
    cells = tile.cells(lanes)
    tensor.check(site, cells, int(lanes.index[0]), read=not site.deferred, ordered=False)
    if site.deferred:
        written: Array = tensor.written[tensor.blocks.at(cells)]
        if tile.halves:
            written = np.logical_and.reduce(written, axis=-1)
        site.masks = written.transpose(1, 0, 2).reshape(len(tile.lane), -1)
    if tensor.order is not None:
        tensor.order.access(site, cells, lanes, write=False)
    return tile.join(tensor.load(cells))


@step("tcgen05.ld")
def ld(site: Site) -> Step:
    """Load a tile into registers, which hold it after `tcgen05.wait::ld`."""
    target, address, *rest = site.operands
    tile = Tile(site, address, rest, bool(site.slots()["pack"]))
    into = _Target(site, site.vector(target))

    def run(lanes: Lanes) -> None:
        into.load(lanes, _read(site, tile, lanes))

    return run


@step("tcgen05.ld.red")
def ld_red(site: Site) -> Step:
    """The same, with the least or greatest of each thread's values."""
    slots = site.slots()
    target, extreme, address, *rest = site.operands
    tile = Tile(site, address, rest, False)
    into, least = _Target(site, site.vector(target)), _Target(site, (extreme,))
    dtype = DTYPES[slots["type"]]
    plain: Any = {"min": np.fmin, "max": np.fmax} if not slots["NaN"] else {"min": np.minimum, "max": np.maximum}
    operation = plain[slots["redop"]]

    def run(lanes: Lanes) -> None:
        words = _read(site, tile, lanes)
        into.load(lanes, words)
        values = words.view(dtype)
        found = operation.reduce(np.abs(values) if slots["abs"] else values, axis=1, keepdims=True)
        least.load(lanes, np.ascontiguousarray(found).view(np.uint32))

    return run


@step("tcgen05.st")
def st(site: Site) -> Step:
    """Store registers to a tile, which holds them after `tcgen05.wait::st`."""
    address, *rest, source = site.operands
    tile = Tile(site, address, rest, bool(site.slots()["unpack"]))
    every = site.machine.batch.lanes
    rows = [np.broadcast_to(site.value(element, "b32"), (every,)) for element in site.vector(source)]

    def run(lanes: Lanes) -> None:
        tensor = site.machine.tensor
        cells = tile.cells(lanes)
        tensor.check(site, cells, int(lanes.index[0]), read=False, ordered=False)
        if tensor.order is not None:
            tensor.order.access(site, cells, lanes, write=True)
        words = tile.split(gather(rows, lanes, whole_warps(site, lanes)))
        late = site.machine.async_ != "eager"
        if late:
            tensor.storing_to(cells, 1)

        def finish(mine: Array) -> None:
            chosen = mine.reshape(-1, WARP)[:, 0]
            part = cells.chosen(chosen)
            tensor.store(part, words[chosen])
            if late:
                tensor.storing_to(part, -1)

        tensor.transfer(lanes, finish, load=False)

    return run


@step("tcgen05.wait::ld", "tcgen05.wait::st")
def wait(site: Site) -> Step:
    """End the thread's loads or stores."""
    load = site.opcode.stem.endswith("ld")
    return lambda lanes: site.machine.tensor.wait(lanes, load=load)


@step("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync")
def fence(site: Site) -> Step:
    """Let what the thread has done through, or what others have let through in."""
    before = "before" in site.opcode.stem
    order = site.machine.tensor.order
    if order is None or not order.plane:
        return lambda lanes: None
    return lambda lanes: order.fence(lanes, before=before)
