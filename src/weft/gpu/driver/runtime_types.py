"""Structures of the runtime API, as `driver_types.h` of CUDA 13 has them."""

from __future__ import annotations

import ctypes

from weft.gpu.properties import Properties

_INT, _SIZE, _UINT = ctypes.c_int, ctypes.c_size_t, ctypes.c_uint

_PROPERTIES = """
total_memory z shared_per_block z registers_per_block i warp_size i pitch z threads_per_block i block 3 grid 3
constant z major i minor i texture_alignment z texture_pitch z multiprocessors i integrated i map_host i
textures 39 surface_alignment z concurrent i ecc i bus i pci_device i domain i tcc i engines i unified i
bus_width i l2 i persisting i threads_per_multiprocessor i priorities i global_l1 i local_l1 i
shared_per_multiprocessor z registers_per_multiprocessor i managed i multi i group i atomics i pageable i
concurrent_managed i preemption i registered i cooperative i shared_optin z page_tables i direct i blocks i window i
reserved_shared z host_register i sparse i read_only i timeline i pools i rdma i rdma_flush i rdma_order i
pool_types i deferred i ipc i cluster i function_pointers i numa i numa_id i mps i host_numa i pci_ids 2 multinode i
reserved 56
"""
"""Names and types: an int, a size, or so many ints."""


def _fields() -> list[tuple[str, type]]:
    words = _PROPERTIES.split()
    kinds = {"i": _INT, "z": _SIZE}
    found = [(name, kinds.get(kind) or _INT * int(kind)) for name, kind in zip(words[::2], words[1::2], strict=True)]
    head = [("name", ctypes.c_char * 256), ("uuid", ctypes.c_char * 16), ("luid", ctypes.c_char * 8), ("mask", _UINT)]
    return [*head, *found]


class DeviceProperties(ctypes.Structure):
    """`cudaDeviceProp`."""

    _fields_ = _fields()

    def fill(self, p: Properties, *, bus: int, uuid: bytes) -> None:
        """Take the values of a device; what it does not say is 0."""
        ctypes.memset(ctypes.addressof(self), 0, ctypes.sizeof(self))
        values = {
            "name": p.name.encode(),
            "uuid": uuid,
            "total_memory": p.memory,
            "shared_per_block": p.shared_per_block,
            "registers_per_block": p.registers_per_block,
            "warp_size": p.warp_size,
            "pitch": (1 << 31) - 1,
            "threads_per_block": p.max_threads_per_block,
            "block": (_INT * 3)(*p.max_block),
            "grid": (_INT * 3)(*p.max_grid),
            "constant": p.constant_bytes,
            "major": p.major,
            "minor": p.minor,
            "texture_alignment": 512,
            "texture_pitch": 32,
            "multiprocessors": p.multiprocessors,
            "map_host": 1,
            "concurrent": 1,
            "bus": bus,
            "engines": 2,
            "unified": 1,
            "bus_width": p.bus_width,
            "l2": p.l2_bytes,
            "persisting": p.persisting_l2_bytes,
            "window": p.access_window_bytes,
            "threads_per_multiprocessor": p.threads_per_multiprocessor,
            "priorities": 1,
            "global_l1": 1,
            "local_l1": 1,
            "shared_per_multiprocessor": p.shared_per_multiprocessor,
            "registers_per_multiprocessor": p.registers_per_multiprocessor,
            "managed": 1,
            "concurrent_managed": 1,
            "preemption": 1,
            "cooperative": 1,
            "shared_optin": p.shared_per_block_optin,
            "blocks": p.blocks_per_multiprocessor,
            "reserved_shared": 1024,
            "host_register": 1,
            "cluster": int(p.max_cluster > 1),
        }
        for name, value in values.items():
            setattr(self, name, value)


class FunctionAttributes(ctypes.Structure):
    """The first fields of `cudaFuncAttributes`."""

    _fields_ = (
        *(("shared", _SIZE), ("constant", _SIZE), ("local", _SIZE), ("threads", _INT), ("registers", _INT)),
        *(("ptx", _INT), ("binary", _INT), ("cache", _INT), ("dynamic", _INT), ("carveout", _INT)),
    )


class PointerAttributes(ctypes.Structure):
    """`cudaPointerAttributes`."""

    _fields_ = (
        *(("type", _INT), ("device", _INT), ("device_pointer", ctypes.c_uint64)),
        *(("host_pointer", ctypes.c_uint64), ("reserved", ctypes.c_long * 8)),
    )
