"""Global memory as one bound kernel sees it: the device's memory, with what is known of this launch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.gpu.doubts import Doubts
from weft.gpu.memory import DeviceMemory
from weft.sim.arena import Arena, Region, Table
from weft.sim.lanes import Array
from weft.sim.space import lane_of

if TYPE_CHECKING:
    from weft.sim.site import Site


class DeviceArena(Arena):
    """The memory of a device for the launches of one kernel: the bytes are shared, stamps and counts are not."""

    def __init__(self, memory: DeviceMemory, shadowed: bool) -> None:
        self.memory = memory
        self._shadows_too = shadowed and memory.shadow is not None
        super().__init__(memory.base)
        self.far = memory.far
        self.own: list[int] = []
        self.regions: list[Region] = memory.regions
        self._starts = memory.starts

    def resize(self, size: int) -> None:
        """The bytes are the device's."""
        self.bytes = self.memory.bytes
        self._words = self.bytes.view("u8")
        self.shadow = self.memory.shadow if self._shadows_too else None
        self.shadowed = self.guarded = self._shadows_too
        self._views = {}
        self._shadows = {}
        self.reading = None

    @property
    def extent(self) -> int:
        """See `Space.extent`."""
        return self.memory.extent

    def allocate(
        self,
        name: str,
        size: int,
        align: int = 256,
        writable: bool = True,
        *,
        parameter: bool = False,
        watched: bool = True,
    ) -> int:
        """See `Arena.allocate`; the memory stays allocated."""
        found = self.memory.allocate(
            *(size, name),
            kind="own",
            align=align,
            writable=writable,
            watched=watched,
            parameter=parameter,
            written=True,
        )
        self.own.append(found.address)
        return found.address

    def build(self) -> None:
        """The memory is there."""

    def clear(self) -> None:
        """What lies in memory stays there from launch to launch."""

    def table(self) -> Table:
        """See `Arena.table`."""
        return self.memory.table()

    def before_load(self, site: Site, index: Array, lanes: Array | slice, size: int) -> None:
        """See `Space.before_load`."""
        doubts = self.memory.doubts
        if doubts and index.size and doubts.among(int(index.min()), int(index.max()) + size).size:
            self._doubt(site, doubts, index, lanes, size)
        super().before_load(site, index, lanes, size)

    def _doubt(self, site: Site, doubts: Doubts, index: Array, lanes: Array | slice, size: int) -> None:
        bytes_ = index[:, None] + np.arange(size)
        bad = np.isin(bytes_, doubts.among(int(index.min()), int(index.max()) + size)).any(axis=1)
        if bad.any():
            lane = lane_of(lanes, int(bad.argmax()))
            message = f"reads {size} bytes of global memory that an earlier kernel computed from unwritten memory"
            site.report(site.fault("uninitialised-memory", message, lane, int(index[bad][0]) + self.base))

    def _nearest(self, address: int) -> str:
        for region in self.memory.hidden:
            if region.start <= address < region.end:
                return f" (offset {address - region.start} of {region.name}, of another device, without peer access)"
        gone = self.memory.freed(address)
        if gone is not None:
            return f" (offset {address - gone.address} of {gone.name}, which has been freed)"
        return super()._nearest(address)
