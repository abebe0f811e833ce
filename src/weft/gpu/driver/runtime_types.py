"""Structures of the runtime API, as `driver_types.h` of CUDA 13 has them."""

from __future__ import annotations

import ctypes

from weft.gpu.properties import Properties

_INT, _SIZE, _UINT = ctypes.c_int, ctypes.c_size_t, ctypes.c_uint

_PROPERTIES = """
total_memory z - shared_per_block z 8 registers_per_block i 12 warp_size i 10 pitch z 11 threads_per_block i 1
block 3 2,3,4 grid 3 5,6,7 constant z 9 major i 75 minor i 76 texture_alignment z 14 texture_pitch z 51
multiprocessors i 16 integrated i 18 map_host i 19
textures 25 21,77,22,23,73,74,70,71,72,45,46,24,25,26,47,48,49,52,42,43,27,28,29,53,54
surfaces 14 55,56,57,58,59,60,61,62,63,64,65,66,67,68 surface_alignment z 30 concurrent i 31 ecc i 32 bus i 33
pci_device i 34 domain i 50 tcc i 35 engines i 40 unified i 41 bus_width i 37 l2 i 38 persisting i 108
threads_per_multiprocessor i 39 priorities i 78 global_l1 i 79 local_l1 i 80 shared_per_multiprocessor z 81
registers_per_multiprocessor i 82 managed i 83 multi i 84 group i 85 atomics i 86 pageable i 88
concurrent_managed i 89 preemption i 90 registered i 91 cooperative i 95 shared_optin z 97 page_tables i 100
direct i 101 blocks i 106 window i 109 reserved_shared z 111 host_register i 99 sparse i 112 read_only i 113
timeline i 114 pools i 115 rdma i 116 rdma_flush i 117 rdma_order i 118 pool_types i 119 deferred i 121 ipc i 125
cluster i 120 function_pointers i 129 numa i 130 numa_id i 131 mps i 133 host_numa i 134 pci_ids 2 139,140
multinode i 143 reserved 56 -
"""
"""Names, types (an int, a size, or so many ints), and the numbers of the attributes of the driver that they are."""


def _rows() -> list[tuple[str, type, list[int]]]:
    words = _PROPERTIES.split()
    kinds = {"i": _INT, "z": _SIZE}
    return [
        (name, kinds.get(kind) or _INT * int(kind), [int(number) for number in numbers.split(",") if number != "-"])
        for name, kind, numbers in zip(words[::3], words[1::3], words[2::3], strict=True)
    ]


def _fields() -> list[tuple[str, type]]:
    head = [("name", ctypes.c_char * 256), ("uuid", ctypes.c_char * 16), ("luid", ctypes.c_char * 8), ("mask", _UINT)]
    return [*head, *((name, kind) for name, kind, _ in _rows())]


class DeviceProperties(ctypes.Structure):
    """`cudaDeviceProp`."""

    _fields_ = _fields()

    def fill(self, p: Properties, known: dict[int, int], *, uuid: bytes) -> None:
        """Take the values of a device: its attributes, by their numbers; what it does not say is 0."""
        ctypes.memset(ctypes.addressof(self), 0, ctypes.sizeof(self))
        values: dict[str, object] = {"name": p.name.encode(), "uuid": uuid, "total_memory": p.memory}
        for name, kind, numbers in _rows():
            said = [known.get(number, 0) for number in numbers]
            if said:
                values[name] = kind(*said) if issubclass(kind, ctypes.Array) else said[0]
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
