"""What a device says of itself, by its target.

Sources: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", for what an architecture has;
multiprocessors, caches and clocks are those of a common product of it (sm_80: A100, sm_90: H100 SXM, sm_100: B200).
"""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.isa.limits import CTA_EXTENTS, CTA_THREADS, GRID_EXTENTS, REGISTERS, STATIC_SHARED, limits_of
from weft.isa.target import NEWEST, target

_PRODUCTS: dict[int, tuple[int, int, int, int, int]] = {
    50: (5, 2048, 2, 1_085_000, 128),
    52: (16, 2048, 2, 1_177_000, 256),
    60: (56, 2048, 4, 1_328_500, 4096),
    61: (28, 2048, 3, 1_582_000, 352),
    70: (80, 2048, 6, 1_530_000, 4096),
    75: (40, 1024, 4, 1_590_000, 256),
    80: (108, 2048, 40, 1_410_000, 5120),
    86: (84, 1536, 6, 1_695_000, 384),
    89: (128, 1536, 72, 2_520_000, 384),
    90: (132, 2048, 50, 1_980_000, 5120),
    100: (148, 2048, 126, 1_965_000, 8192),
    120: (170, 1536, 96, 2_407_000, 512),
}
"""Multiprocessors, threads of one, MB of second-level cache, clock in kHz and bus width in bits, from a number on."""
_SHARED_OF_MULTIPROCESSOR = {
    50: 64,
    52: 96,
    53: 64,
    60: 64,
    61: 96,
    62: 64,
    70: 96,
    75: 64,
    80: 164,
    86: 100,
    87: 164,
    88: 100,
    90: 228,
    120: 100,
}
_SINGLE_TO_DOUBLE = {50: 32, 60: 2, 61: 32, 70: 2, 75: 32, 80: 2, 86: 64, 90: 2, 103: 64}
"""Results of f32 for one of f64: CUDA programming guide, "Arithmetic Instructions", the table of throughput."""
_BLOCKS_OF_MULTIPROCESSOR = {50: 32, 75: 16, 80: 32, 86: 16, 89: 24, 90: 32, 120: 24}


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of a device; bytes, kHz and bits."""

    name: str
    target: str
    major: int
    minor: int
    multiprocessors: int
    memory: int
    shared_per_block: int
    shared_per_block_optin: int
    shared_per_multiprocessor: int
    l2_bytes: int
    clock_khz: int
    memory_clock_khz: int
    bus_width: int
    threads_per_multiprocessor: int
    max_cluster: int
    max_threads_per_block: int = CTA_THREADS
    max_block: tuple[int, int, int] = CTA_EXTENTS
    max_grid: tuple[int, int, int] = GRID_EXTENTS
    registers_per_block: int = REGISTERS
    registers_per_multiprocessor: int = REGISTERS
    blocks_per_multiprocessor: int = 32
    single_to_double: int = 2
    reserved_shared: int = 1024
    warp_size: int = 32
    constant_bytes: int = 64 * 1024

    @property
    def capability(self) -> tuple[int, int]:
        """The compute capability: (9, 0) for sm_90."""
        return self.major, self.minor

    def ctas_together(self, threads: int, shared: int) -> int:
        """CTAs of so many threads and bytes of shared memory that a multiprocessor holds."""
        warps = max(1, -(-threads // self.warp_size))
        by_shared = (
            self.shared_per_multiprocessor // (shared + self.reserved_shared)
            if shared
            else self.blocks_per_multiprocessor
        )
        by_threads = self.threads_per_multiprocessor // self.warp_size // warps
        return max(0, min(self.blocks_per_multiprocessor, by_threads, by_shared))

    @property
    def persisting_l2_bytes(self) -> int:
        """What of the second-level cache can be set aside for data that persist; from sm_80 on."""
        return self.l2_bytes * 3 // 4 if self.major >= 8 else 0

    @property
    def access_window_bytes(self) -> int:
        """The most bytes of a stream's access policy window."""
        return 128 << 20 if self.major >= 8 else 0


def properties_of(name: str, memory: int) -> Properties:
    """The properties of a device for a target, with so many bytes of memory.

    Raises:
        IsaError: there is no such target.
    """
    found = target(name)
    most = limits_of(found, NEWEST)
    sms, threads, l2, clock, bus = [v for n, v in _PRODUCTS.items() if n <= found.number or n == 50][-1]
    shared, blocks, doubles = (
        [value for n, value in table.items() if n <= found.number or n == 50][-1]
        for table in (_SHARED_OF_MULTIPROCESSOR, _BLOCKS_OF_MULTIPROCESSOR, _SINGLE_TO_DOUBLE)
    )
    return Properties(
        *(f"weft virtual GPU ({found.name})", found.name, found.number // 10, found.number % 10, sms, memory),
        *(STATIC_SHARED, most.shared, shared * 1024, l2 << 20, clock, 2_619_000, bus, threads, most.cluster),
        blocks_per_multiprocessor=blocks,
        single_to_double=doubles,
        reserved_shared=1024 if found.number >= 80 else 0,
    )
