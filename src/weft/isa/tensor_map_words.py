"""What a tensor map is said in: element types, swizzles, fills, modes, by their numbers in the driver and in PTX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from weft.dataclass import dataclass
from weft.errors import WeftError

SIZE = 128
"""Bytes of a tensor map."""
MAX_RANK = 5


class TensorMapError(WeftError):
    """The hardware or the driver's encoder rejects a tensor map."""


@dataclass(frozen=True, slots=True)
class DataType:
    """A type of tensor elements: its name in the driver (less the prefix) and in PTX, and its width.

    Sub-byte types come in groups of 16 elements: `packed` bytes in global memory, `stored` in shared memory.
    """

    name: str
    ptx: str
    bits: int
    kind: Literal["u", "s", "f"]
    packed: int = 0
    stored: int = 0

    @property
    def bytes(self) -> int:
        """Bytes of an element; 1 for those that are smaller."""
        return max(1, self.bits // 8)


DATA_TYPES = (
    DataType("UINT8", "u8", 8, "u"),
    DataType("UINT16", "u16", 16, "u"),
    DataType("UINT32", "u32", 32, "u"),
    DataType("INT32", "s32", 32, "s"),
    DataType("UINT64", "u64", 64, "u"),
    DataType("INT64", "s64", 64, "s"),
    DataType("FLOAT16", "f16", 16, "f"),
    DataType("FLOAT32", "f32", 32, "f"),
    DataType("FLOAT32_FTZ", "f32.ftz", 32, "f"),
    DataType("FLOAT64", "f64", 64, "f"),
    DataType("BFLOAT16", "bf16", 16, "f"),
    DataType("TFLOAT32", "tf32", 32, "f"),
    DataType("TFLOAT32_FTZ", "tf32.ftz", 32, "f"),
    DataType("16U4_ALIGN8B", "b4x16", 4, "u", 8, 8),
    DataType("16U4_ALIGN16B", "b4x16_p64", 4, "u", 8, 16),
    DataType("16U6_ALIGN16B", "b6x16_p32", 6, "u", 12, 16),
)
"""By the numbers that `tensormap.replace.elemtype` takes."""

DRIVER_TYPES = (
    *("UINT8", "UINT16", "UINT32", "INT32", "UINT64", "INT64", "FLOAT16", "FLOAT32", "FLOAT64", "BFLOAT16"),
    *("FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ", "16U4_ALIGN8B", "16U4_ALIGN16B", "16U6_ALIGN16B"),
)
"""By the numbers of CUtensorMapDataType; from 8 on they differ from those of PTX."""

OF_DTYPE = {
    "uint8": "UINT8",
    "int8": "UINT8",
    "bool": "UINT8",
    "uint16": "UINT16",
    "int16": "UINT16",
    "uint32": "UINT32",
    "int32": "INT32",
    "uint64": "UINT64",
    "int64": "INT64",
    "float16": "FLOAT16",
    "float32": "FLOAT32",
    "float64": "FLOAT64",
    "bfloat16": "BFLOAT16",
    "float8_e4m3fn": "UINT8",
    "float8_e5m2": "UINT8",
    "float8_e8m0fnu": "UINT8",
}

Interleave = Literal["NONE", "16B", "32B"]
Swizzle = Literal["NONE", "32B", "64B", "128B", "96B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"]
OobFill = Literal["NONE", "NAN_REQUEST_ZERO_FMA"]
L2Promotion = Literal["NONE", "L2_64B", "L2_128B", "L2_256B"]
Mode = Literal["tiled", "im2col", "im2col_w"]

INTERLEAVES: tuple[Interleave, ...] = ("NONE", "16B", "32B")
SWIZZLE_MODES: tuple[Swizzle, ...] = ("NONE", "32B", "64B", "128B", "96B")
ATOMICITIES = ("", "ATOM_32B", "ATOM_32B_FLIP_8B", "ATOM_64B")
"""By the numbers that `tensormap.replace` takes; an atomicity makes `128B` one of its three other forms."""
SWIZZLES: tuple[Swizzle, ...] = (*SWIZZLE_MODES, *(cast("Swizzle", f"128B_{atom}") for atom in ATOMICITIES[1:]))
DRIVER_SWIZZLES = tuple(mode for mode in SWIZZLES if mode != "96B")
"""By the numbers of CUtensorMapSwizzle."""
FILLS: tuple[OobFill, ...] = ("NONE", "NAN_REQUEST_ZERO_FMA")
PROMOTIONS: tuple[L2Promotion, ...] = ("NONE", "L2_64B", "L2_128B", "L2_256B")
MODES: tuple[Mode, ...] = ("tiled", "im2col", "im2col_w")

_PATTERNS = {
    "32B": ((4, 7, 1),),
    "64B": ((4, 7, 3),),
    "128B": ((4, 7, 7),),
    "128B_ATOM_32B": ((5, 7, 3),),
    "128B_ATOM_32B_FLIP_8B": ((5, 7, 3), (3, 7, 1)),
    "128B_ATOM_64B": ((6, 7, 1),),
}
"""Which bits of a shared address change: (first bit changed, first bit that changes it, mask)."""


def swizzle_address(address: Any, mode: str) -> Any:
    """A shared address (a number or an array), or what it becomes under a swizzle mode.

    The pattern follows bits 7-9 of the address itself, so that it repeats every 256 to 1024 bytes of shared memory
    wherever the box lies.
    """
    changed = address
    for to, come, mask in _PATTERNS.get(mode, ()):
        changed = changed ^ ((address >> come & mask) << to)
    return changed


def swizzle_span(mode: str) -> int:
    """Bytes of a row of a swizzle pattern; 0 without one."""
    return 0 if mode == "NONE" else int(mode.partition("B")[0])


def refused(message: str, hint: str = "") -> TensorMapError:
    """The error that says what the hardware cannot use."""
    return TensorMapError(message, hint=hint)


NUMBERS = {data_type.name: number for number, data_type in enumerate(DATA_TYPES)}
"""The number of each type, by the driver's name."""


def of_driver(number: int) -> int:
    """The number that PTX has for a CUtensorMapDataType.  Raises TensorMapError where there is none."""
    if not 0 <= number < len(DRIVER_TYPES):
        raise refused(f"unknown data type {number}")
    return NUMBERS[DRIVER_TYPES[number]]


def number_of(name: str) -> int:
    """The number that PTX has for a driver's name of a type.  Raises TensorMapError where there is none."""
    return NUMBERS[one_of(name, tuple(NUMBERS), "data_type")]


def one_of(value: Any, known: Sequence[Any], what: str) -> Any:
    """The value, if it is known.  Raises TensorMapError where it is not."""
    if value not in known:
        raise refused(f"unknown {what} {value!r}", "use one of " + ", ".join(map(str, known)))
    return value
