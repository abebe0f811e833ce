"""Arguments of a launch by the types of Triton's signature, as the values of the kernel's parameters."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np

from weft.dataclass import dataclass
from weft.sim.faults import SimulationError
from weft.triton.descriptors import MapArgument
from weft.triton.storage import Storage, storage_of


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address of host memory, in an allocation that is known (`storage`), or as a number."""

    address: int
    storage: Storage | None = None


Value = Pointer | bytes | MapArgument
"""What a parameter is given: a pointer, its bytes, or a tensor map."""

Signature = Sequence[Any]
"""Types of Triton by their names; tuples of arguments are tuples of types."""
_FLOATS = {"fp32": "<f", "f32": "<f", "fp64": "<d"}
_INTEGERS = {"i1", "u1", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"}


def flat_types(signature: Signature) -> list[str]:
    """The types of a signature, those in tuples too, without what is constant."""
    found: list[str] = []
    for type_ in signature:
        if isinstance(type_, tuple):
            found += flat_types(cast(Signature, type_))
        elif type_ != "constexpr":
            found.append(type_)
    return found


def flat_names(names: Sequence[str], signature: Signature) -> list[str]:
    """A name for each of `flat_types`: fields of tuples have their number after a dot."""
    found: list[str] = []
    for name, type_ in zip(names, signature, strict=True):
        if isinstance(type_, tuple):
            inner = cast(Signature, type_)
            found += flat_names([f"{name}.{number}" for number in range(len(inner))], inner)
        elif type_ != "constexpr":
            found.append(name)
    return found


def flat_values(signature: Signature, values: Sequence[Any]) -> Iterator[Any]:
    """The arguments that stand for `flat_types`."""
    for type_, value in zip(signature, values, strict=True):
        if isinstance(type_, tuple):
            yield from flat_values(cast(Signature, type_), value)
        elif type_ != "constexpr":
            yield value


def packed(type_: str, value: Any, name: str) -> Value:
    """An argument of a type.

    Raises `SimulationError` for a value that the type cannot hold, as a TypeError would be raised by Triton.
    """
    if type_.startswith("*"):
        return pointer(value)
    if isinstance(value, MapArgument):
        return value
    if type_ == "fp16":
        return np.float16(value).tobytes()
    if type_ == "bf16":
        return ml_dtypes.bfloat16(value).tobytes()
    if type_ in _FLOATS:
        return struct.pack(_FLOATS[type_], float(value))
    if type_ in _INTEGERS:
        return (int(value) & 0xFFFF_FFFF_FFFF_FFFF).to_bytes(8, "little")
    raise SimulationError(f"argument '{name}' has type {type_}, which a kernel parameter cannot have")


def pointer(value: Any) -> Pointer:
    """A pointer: None, an address, or something with memory of its own."""
    if value is None:
        return Pointer(0)
    if isinstance(value, int):
        return Pointer(value)
    storage = storage_of(value)
    address = value.data_ptr() if hasattr(value, "data_ptr") else value.ctypes.data
    return Pointer(address, storage)
