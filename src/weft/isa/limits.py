"""What a launch may ask of the hardware of each architecture.

Source: CUDA programming guide, "Technical Specifications per Compute Capability"; PTX manual, "Kernel Function
Parameters".
"""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.isa.target import Target, Version

STATIC_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may declare; more is dynamic, and its size given at the launch."""
CTA_THREADS = 1024
CTA_EXTENTS = (1024, 1024, 64)
GRID_EXTENTS = ((1 << 31) - 1, 65_535, 65_535)
CLUSTER_CTAS = 16
"""CTAs of a cluster, as a launch that allows a size which is not portable has them."""
REGISTERS = 64 * 1024
"""32-bit registers of a multiprocessor, which are the most that a CTA can have."""
REGISTER_GRAIN = 8
"""Registers of a thread are allocated in multiples of this many, those of a CTA for whole warps."""
LOCAL_BYTES = 512 * 1024
"""Bytes of local memory of a thread."""
CONSTANT_BYTES = 64 * 1024

_SHARED_KB = {50: 48, 70: 96, 75: 64, 80: 163, 86: 99, 87: 163, 88: 99, 90: 227, 120: 99}
"""KB of shared memory that a CTA can have, from each architecture on."""
_CLUSTERS_FROM = 90
_LARGE_PARAMETERS_FROM = 70
_LARGE_PARAMETERS = Version(8, 1)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that differ between architectures: bytes of shared memory and of parameters, CTAs of a cluster."""

    shared: int
    parameters: int
    cluster: int


def limits_of(target: Target, version: Version) -> Limits:
    """The limits of a target, for a module of a PTX version."""
    shared = [size for number, size in _SHARED_KB.items() if number <= target.number or number == min(_SHARED_KB)][-1]
    large = target.number >= _LARGE_PARAMETERS_FROM and version >= _LARGE_PARAMETERS
    cluster = CLUSTER_CTAS if target.number >= _CLUSTERS_FROM else 1
    return Limits(shared * 1024, 32_764 if large else 4096, cluster)
