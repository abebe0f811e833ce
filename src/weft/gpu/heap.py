"""The device's own side of CUDA's device runtime: one heap for all kernels, and what they print."""

from __future__ import annotations

from weft.gpu.memory import DeviceMemory
from weft.sim.arena import Arena
from weft.sim.runtime import HEAP_BYTES, Child, Runtime


class DeviceRuntime(Runtime):
    """What kernels allocate lives until one frees it."""

    def __init__(self, memory: DeviceMemory) -> None:
        super().__init__()
        self._memory = memory
        self.children = []

    def restart(self) -> None:
        """Another launch: its output and its children are its own, the heap stays."""
        self.output.clear()
        self.children = []

    def launched(self) -> list[Child]:
        """What kernels have launched since this was asked last."""
        found, self.children = self.children or [], []
        return sorted(found, key=lambda child: child.last)

    def reserve(self, arena: Arena) -> None:
        """See `Runtime.reserve`."""
        if not self.heap:
            found = self._memory.allocate(HEAP_BYTES, "device heap", kind="own", watched=False, written=True)
            self.start(found.address)
