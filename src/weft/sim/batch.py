"""A batch of CTAs that run together: where each lane is in the grid, and the special registers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.isa.registers import ELEMENTS, plain_element
from weft.sim.faults import Thread
from weft.sim.lanes import WARP, Array, Lanes

Extent = tuple[int, int, int]
_WORD = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Launch:
    """A launch: CTAs of the grid, threads of a CTA, CTAs of a cluster, and bytes of dynamic shared memory.

    `workspace` is the address of what the driver gives cooperative grids for their barrier, which `%envreg1` and
    `%envreg2` hold; 0 for other launches.
    """

    grid: Extent
    block: Extent
    cluster: Extent
    explicit_cluster: bool
    dynamic_shared: int
    workspace: int = 0

    @property
    def ctas(self) -> int:
        """CTAs in the grid."""
        return self.grid[0] * self.grid[1] * self.grid[2]

    @property
    def threads(self) -> int:
        """Threads of a CTA."""
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def warps(self) -> int:
        """Warps of a CTA."""
        return -(-self.threads // WARP)

    def order(self) -> Array:
        """The linear numbers of all CTAs, those of one cluster together and by rank."""
        numbers = np.arange(self.ctas)
        cta = [_axis(numbers, self.grid, axis).astype(np.int64) for axis in range(3)]
        cluster = [a // c for a, c in zip(cta, self.cluster, strict=True)]
        return numbers[np.lexsort((*cta, *cluster))]

    @property
    def cluster_ctas(self) -> int:
        """CTAs of a cluster."""
        return self.cluster[0] * self.cluster[1] * self.cluster[2]


RESERVED_SHARED = 1024
"""Bytes of shared memory of a CTA that belong to the system, of which libraries use the second half."""


class Batch:
    """`ctas` CTAs at a time; `start(first)` moves on to others.

    `lanes` is the number of lanes, `role` the lanes of one warp role over all CTAs; `cta` (of the batch), `warp` and
    `lane` hold each lane's place.  At `reserved`, after the kernel's own, lies shared memory of the system
    where the kernel `reserves` it.
    """

    def __init__(self, launch: Launch, ctas: int, reserved: int = 0) -> None:
        self.launch = launch
        self.ctas = ctas
        self.reserved = -(-reserved // 16) * 16
        self.reserves = False
        self.role = ctas * WARP
        self.lanes = launch.warps * self.role
        numbers = np.arange(self.lanes)
        self.lane = (numbers % WARP).astype(np.uint32)
        self.cta = numbers // WARP % ctas
        self.warp = (numbers // self.role).astype(np.uint32)
        self.thread_number = self.warp.astype(np.int64) * WARP + self.lane
        self.exists = self.thread_number < launch.threads
        self._full = launch.threads % WARP == 0
        self.first = 0
        self.running = ctas
        self._numbers = np.zeros(ctas, np.int64)
        self.grid_cta = np.zeros(self.lanes, np.int64)
        self._specials: dict[str, Array] = {}
        self._wider: dict[tuple[str, np.dtype[Any]], Array] = {}
        self._ticks = 0

    def restart(self) -> None:
        """Another launch begins: clocks stand at zero."""
        self._ticks = 0

    def start(self, first: int, order: Array) -> Lanes | None:
        """Begin with CTA number `first` of `order` (linear CTA numbers); the lanes that have a thread."""
        self.first = first
        self.running = min(self.ctas, len(order) - first)
        numbers = np.zeros(self.ctas, np.int64)
        numbers[: self.running] = order[first : first + self.running]
        self._numbers = numbers
        self._of_cta(numbers, self.grid_cta)
        for name, array in self._specials.items():
            if name.startswith(_MOVING):
                array[:] = self._compute(name)
        for (name, _), array in self._wider.items():
            array[:] = self._specials[name]
        if self.running == self.ctas and self._full:
            return Lanes(0, self.lanes)
        return Lanes.where(self.exists & (self.cta < self.running), 0, self.role)

    def _of_cta(self, values: Array, into: Array | None = None) -> Array:
        """A value of each CTA, for its lanes."""
        into = np.empty(self.lanes, values.dtype) if into is None else into
        into.reshape(self.launch.warps, self.ctas, WARP)[...] = values[:, None]
        return into

    def thread(self, lane: int) -> Thread:
        """Where a lane is in the grid."""
        cta = _split(int(self.grid_cta[lane]), self.launch.grid)
        tid = _split(int(self.thread_number[lane]), self.launch.block)
        return Thread(cta, tid, int(self.warp[lane]), int(self.lane[lane]))

    # -- special registers ------------------------------------------------------------------------------------

    def special(self, name: str) -> Array | None:
        """The row of a special register (kept up to date by `start`), None for one that is not simulated."""
        name = plain_element(name)
        found = self._specials.get(name)
        if found is None:
            computed = self._compute(name)
            if computed is None:
                return None
            found = self._specials[name] = np.broadcast_to(np.asarray(computed), (self.lanes,)).copy()
        return found

    def viewed(self, name: str, dtype: np.dtype[Any]) -> Array:
        """The row of a special register that is simulated, read as another type; what moves moves there, too."""
        found = self.special(name)
        assert found is not None
        wide, own = dtype.itemsize, found.dtype.itemsize
        if wide <= own:
            return found.view(dtype)[:: own // wide]
        key = plain_element(name), dtype
        if key not in self._wider:
            self._wider[key] = found.astype(dtype)
        return self._wider[key]

    def clock(self, name: str) -> Callable[[], int] | None:
        """What reads a counter (`%clock64`, `%globaltimer`), None when the register is none."""
        if name.startswith("%clock"):
            return self._tick if name != "%clock_hi" else lambda: self._tick() >> 32
        if name.startswith("%globaltimer"):
            return time.time_ns if name != "%globaltimer_hi" else lambda: time.time_ns() >> 32
        return None

    def _tick(self) -> int:
        """Time goes by reading it, and the faster the more has gone by: kernels that wait for milliseconds end."""
        self._ticks += max(16, min(self._ticks >> 6, 1 << 20))
        return self._ticks

    def _compute(self, name: str) -> Array | np.generic | None:
        base, _, part = name.partition(".")
        axis = ELEMENTS.find(part) if part else 0
        launch = self.launch
        one = _SIMPLE.get(base)
        if one is not None:
            return one(self)
        extents: dict[str, Extent] = {
            "%ntid": launch.block,
            "%nctaid": launch.grid,
            "%cluster_nctaid": launch.cluster,
            "%nclusterid": _clusters(launch),
        }
        if part == "w" and base in (*extents, "%tid", "%ctaid", "%clusterid", "%cluster_ctaid"):
            return np.uint32(0)  # The manual's fourth element: ptxas makes it 0, of extents too.
        if base in extents:
            return np.uint32(extents[base][axis])
        if base.startswith("%envreg"):
            return np.uint32({"%envreg1": launch.workspace >> 32, "%envreg2": launch.workspace}.get(base, 0) & _WORD)
        if base == "%tid":
            return _axis(self.thread_number, launch.block, axis)
        cta = _axis(self._numbers, launch.grid, axis)
        if base == "%ctaid":
            return self._of_cta(cta)
        if base == "%clusterid":
            return self._of_cta(cta // np.uint32(launch.cluster[axis]))
        return self._of_cta(cta % np.uint32(launch.cluster[axis])) if base == "%cluster_ctaid" else None

    def cluster_rank(self) -> Array:
        """The rank of each lane's CTA in its cluster."""
        x, y, z = (_axis(self._numbers, self.launch.grid, i) % np.uint32(self.launch.cluster[i]) for i in range(3))
        nx, ny, _ = self.launch.cluster
        return self._of_cta(x + np.uint32(nx) * (y + np.uint32(ny) * z))


def _clusters(launch: Launch) -> Extent:
    x, y, z = (-(-g // c) for g, c in zip(launch.grid, launch.cluster, strict=True))
    return x, y, z


def _split(number: int, extent: Extent) -> Extent:
    return number % extent[0], number // extent[0] % extent[1], number // (extent[0] * extent[1])


def _axis(number: Array, extent: Extent, axis: int) -> Array:
    strides = (1, extent[0], extent[0] * extent[1])
    index = number // strides[axis]
    return (index % extent[axis] if axis < 2 else index).astype(np.uint32)


def _mask(shift: Callable[[Array], Array]) -> Callable[[Batch], Array]:
    return lambda batch: shift(batch.lane.astype(np.uint64)).astype(np.uint32)


_MOVING = ("%ctaid", "%clusterid", "%cluster_cta")
"""Special registers that differ from batch to batch."""
_ONE = np.uint64(1)
_SIMPLE: dict[str, Callable[[Batch], Array | np.generic]] = {
    "%laneid": lambda b: b.lane,
    "%warpid": lambda b: b.warp,
    "%nwarpid": lambda b: np.uint32(64),
    "%smid": lambda b: np.zeros(1, np.uint32),
    "%nsmid": lambda b: np.uint32(1),
    "%gridid": lambda b: np.uint64(1),
    "%is_explicit_cluster": lambda b: np.bool_(b.launch.explicit_cluster),
    "%cluster_ctarank": lambda b: b.cluster_rank(),
    "%cluster_nctarank": lambda b: np.uint32(b.launch.cluster_ctas),
    "%lanemask_eq": _mask(lambda lane: _ONE << lane),
    "%lanemask_lt": _mask(lambda lane: (_ONE << lane) - _ONE),
    "%lanemask_le": _mask(lambda lane: (_ONE << (lane + _ONE)) - _ONE),
    "%lanemask_ge": _mask(lambda lane: ~((_ONE << lane) - _ONE)),
    "%lanemask_gt": _mask(lambda lane: ~((_ONE << (lane + _ONE)) - _ONE)),
    "%dynamic_smem_size": lambda b: np.uint32(b.launch.dynamic_shared),
    "%reserved_smem_offset_begin": lambda b: np.uint32(b.reserved),
    "%reserved_smem_offset_end": lambda b: np.uint32(b.reserved + RESERVED_SHARED),
    "%reserved_smem_offset_cap": lambda b: np.uint32(RESERVED_SHARED),
    "%reserved_smem_offset_0": lambda b: np.uint32(b.reserved),
    "%reserved_smem_offset_1": lambda b: np.uint32(b.reserved + RESERVED_SHARED // 2),
}
