"""Races at surfaces, and textures of memory that the kernel stores to.

Accesses to a surface are ordered as those to memory are.  A texture does not see what the same kernel has stored, by a
surface or by address, whoever has stored it: it reads through a cache that nothing makes consistent (CUDA C++
Programming Guide, "Read/Write Coherency").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import Array
from weft.sim.race_reports import OVER_READ, OVER_WRITE, READS, TOGETHER, other_side
from weft.sim.textures import Texture

if TYPE_CHECKING:
    from weft.sim.clocks import Clocks
    from weft.sim.machine import Machine
    from weft.sim.site import Site


class Surfaces:
    """The stamps of the last store to each byte of the surfaces of a launch, and of the last load."""

    def __init__(self, machine: Machine, clocks: Clocks) -> None:
        self.machine = machine
        self.clocks = clocks
        self._written: dict[int, Array] = {}
        self._read: dict[int, Array] = {}

    def restart(self) -> None:
        """A new launch begins."""
        self._written.clear()
        self._read.clear()

    def access(self, site: Site, surface: Array, index: Array, lanes: Array, values: Array | None = None) -> None:
        """Lanes load bytes of a surface, or store `values` there: lanes by bytes."""
        cells, place = surface.reshape(-1).view(np.uint8), _place(surface)
        written, read = (
            table.setdefault(place, np.zeros(len(cells), np.uint64)) for table in (self._written, self._read)
        )
        mine = self.clocks.lane_words[lanes] + np.uint64(self.clocks.word(site))
        if values is None:
            self._compare(site, written[index], lanes, READS)
            read[index] = mine[:, None]
            return
        changed = cells[index] != values
        self._compare(site, np.where(changed, written[index], 0), lanes, OVER_WRITE)
        self._compare(site, np.where(changed, read[index], 0), lanes, OVER_READ)
        written[index] = mine[:, None]
        lost = written[index] != mine[:, None]
        if lost.any():
            last = cells.copy()
            last[index] = values
            self._compare(site, np.where(lost & (last[index] != values), written[index], 0), lanes, TOGETHER)

    def _compare(self, site: Site, stamps: Array, lanes: Array, message: str) -> None:
        who = np.broadcast_to(lanes[:, None], stamps.shape)[stamps != 0]
        found = stamps[stamps != 0]
        bad = ~self.clocks.orders(found, who, local=False)
        if bad.any():
            which = int(bad.argmax())
            self._blame(site, int(who[which]), int(found[which]), message)

    def _blame(self, site: Site, lane: int, stamp: int, message: str) -> None:
        other, where, _ = other_side(self.clocks, stamp, lane)
        text = message.format(other=other, wrote="wrote", read="read")
        fault = site.fault("race", f"{text}{where} in a surface, without synchronization between them", lane)
        site.against(fault, self.clocks.site(stamp))
        site.report(fault)

    def stored(self, texture: Texture) -> Texture | None:
        """A texture that has ones where the kernel has stored to what a texture reads; None where it has not."""
        masks = [self._mask(level) for level in texture.levels]
        if not any(mask.any() for mask in masks):
            return None
        return Texture(masks, texture.address_mode, texture.filter_mode, texture.normalized_coords)

    def _mask(self, level: Array) -> Array:
        races, memory = self.machine.memory.arena.races, self.machine.memory.arena.bytes
        start = _place(level)
        stamps = self._written.get(start)
        if stamps is not None and len(stamps) == level.nbytes:
            texels: Array = (stamps.reshape(-1, level.itemsize) != 0).any(axis=1, keepdims=True)
            return texels.reshape(level.shape).astype(np.float32)
        first = start - _place(memory)
        if races is None or not level.flags.c_contiguous or not 0 <= first <= len(memory) - level.nbytes:
            return np.zeros(level.shape, np.float32)
        cells = races.stored(np.arange(first, first + level.nbytes, level.itemsize), level.itemsize)
        return cells.reshape(level.shape).astype(np.float32)

    def blame(self, site: Site, lane: int) -> None:
        """Fault: a lane reads texels that `stored` has marked."""
        message = "reads texels that the kernel has stored: textures do not see stores of the same kernel"
        site.report(site.fault("race", message, lane))


def _place(array: Array) -> int:
    """Where the bytes of an array lie."""
    return int(array.__array_interface__["data"][0])
