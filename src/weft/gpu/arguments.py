"""Arguments of a launch on a device: addresses of its memory as they are, host arrays through copies in it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from weft.checked import has
from weft.dataclass import dataclass
from weft.gpu.foreign import bytes_at
from weft.gpu.memory import Allocation, DeviceMemory
from weft.isa.tensor_map import TensorMap
from weft.isa.tensor_map_words import SIZE as MAP_SIZE
from weft.ptx.ast import Function, Parameter
from weft.sim import image
from weft.sim.arguments import Encoder, signature
from weft.sim.faults import SimulationError
from weft.sim.handles import Handles
from weft.sim.lanes import Array

_POINTER = 8
"""Bytes of an address."""
_SIMPLE = ctypes.c_int.__mro__[1]


@dataclass(slots=True, eq=False)
class _Span:
    """Bytes of the host from `start` to `end`, and their copy in the device's memory."""

    start: int
    end: int
    name: str
    writable: bool
    keep: list[Array]
    copy: Allocation | None = None


class DeviceArguments(Encoder):
    """The arguments of one launch.  Host arrays that overlap share a buffer, and so overlap for the kernel too."""

    def __init__(self, kernel: Function, memory: DeviceMemory) -> None:
        super().__init__(kernel)
        self.memory = memory
        self.handles = Handles(memory.opaque)
        self._spans: list[_Span] = []
        self._maps: list[Allocation] = []
        self._converted: dict[int, tuple[object, Any]] = {}

    def place(self, values: Sequence[Any]) -> dict[str, bytes]:
        """Copy host arrays to the device; the bytes of the parameters."""
        found: list[tuple[Parameter, Array]] = []
        for parameter, value in zip(self._kernel.parameters, values, strict=False):
            if isinstance(value, np.ndarray) and parameter.dims:
                continue
            found.extend((parameter, array) for array in self._arrays(parameter, value))
        self._spans = _merged(found, self.memory)
        for span in self._spans:
            size = span.end - span.start
            span.copy = self.memory.allocate(size, span.name, kind="own", writable=span.writable, written=True)
            self.memory.contents(span.copy.address, size)[:] = bytes_at(span.start, size)
        return self.encode(values)

    def copy_out(self) -> None:
        """Give the host's arrays what kernels have left in their copies."""
        for span in self._spans:
            if span.writable and span.copy is not None:
                size = span.end - span.start
                bytes_at(span.start, size)[:] = self.memory.contents(span.copy.address, size)

    def release(self) -> None:
        """The copies are no longer needed."""
        for span in self._spans:
            if span.copy is not None:
                self.memory.free(span.copy.address, quarantine=False)
        for allocation in self._maps:
            self.memory.free(allocation.address, quarantine=False)
        self._spans, self._maps = [], []
        self._converted.clear()

    def _arrays(self, parameter: Parameter, value: Any) -> Iterator[Array]:
        """The host arrays in an argument."""
        known = self.known(parameter, value)
        if isinstance(known, np.ndarray):
            yield cast(Array, known)
        elif isinstance(known, TensorMap):
            yield known.array
        elif isinstance(known, tuple):
            for field in cast(tuple[Any, ...], known):
                yield from self._arrays(parameter, field)

    def known(self, parameter: Parameter, value: Any) -> Any:
        """See `Encoder.known`: objects of other libraries become arrays, addresses or bytes."""
        if isinstance(value, (np.ndarray, np.generic, int, float, bytes, tuple, TensorMap)):
            return cast(Any, value)
        before = self._converted.get(id(value))
        if before is not None and before[0] is value:
            return before[1]
        try:
            made = _converted(parameter, value)
        except _REFUSALS as error:
            what = f"parameter '{parameter.name}': an argument of type {type(value).__name__} cannot be read: {error}"
            raise SimulationError(what) from None
        self._converted[id(value)] = (value, made)
        return made

    def pointer(self, parameter: Parameter, array: Array) -> int:
        """See `Encoder.pointer`."""
        if array.dtype.hasobject:
            raise SimulationError(f"parameter '{parameter.name}': an array of Python objects has no bytes to pass")
        address = int(array.__array_interface__["data"][0])
        if self.memory.holds(address):
            return address
        low, high = np.lib.array_utils.byte_bounds(array) if array.size else (address, address)
        for span in self._spans:
            if span.copy is not None and span.start <= low and high <= span.end and (array.size or low == span.start):
                return span.copy.address + address - span.start
        raise SimulationError(f"parameter '{parameter.name}': the array has moved")

    def map_address(self, parameter: Parameter, encoded: bytes) -> int:
        """See `Encoder.map_address`."""
        name = f"tensor map {parameter.name}"
        found = self.memory.allocate(MAP_SIZE, name, kind="own", align=MAP_SIZE, written=True)
        self._maps.append(found)
        self.memory.contents(found.address, MAP_SIZE)[:] = np.frombuffer(encoded, np.uint8)
        return found.address


_REFUSALS = (
    *(TypeError, ValueError, LookupError, AttributeError),
    *(BufferError, RuntimeError, OverflowError, NotImplementedError),
)
"""What the interfaces of other libraries' objects raise."""


def _merged(found: Sequence[tuple[Parameter, Array]], memory: DeviceMemory) -> list[_Span]:
    """The ranges of host memory that arrays lie in: those that overlap are one."""
    spans: list[_Span] = []
    for parameter, array in found:
        address = int(array.__array_interface__["data"][0])
        if memory.holds(address) or array.dtype.hasobject:
            continue
        start, end = np.lib.array_utils.byte_bounds(array) if array.size else (address, address)
        spans.append(_Span(start, end, f"argument {parameter.name}", array.flags.writeable, [array]))
    spans.sort(key=lambda span: (span.start, span.end))
    merged: list[_Span] = []
    for span in spans:
        last = merged[-1] if merged else None
        if last is not None and (span.start < last.end or (span.start, span.end) == (last.start, last.end)):
            last.end = max(last.end, span.end)
            last.writable |= span.writable
            last.keep += span.keep
        else:
            merged.append(span)
    return merged


def _converted(parameter: Parameter, value: Any) -> Any:
    """An object of another library as an array, an address or bytes."""
    if value is None:
        size = image.size_of(parameter)
        if size != _POINTER:
            message = f"parameter '{parameter.name}' has {size} bytes, but None is a null pointer"
            raise SimulationError(message, hint="give a number")
        return 0
    if isinstance(value, Allocation):
        return value.address
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0
    if isinstance(value, ctypes.Array):
        return np.ctypeslib.as_array(cast("ctypes.Array[Any]", value))
    if isinstance(value, _SIMPLE):
        number: Any = getattr(value, "value")  # noqa: B009
        return number if isinstance(number, (int, float)) and not parameter.dims else bytes(value)
    if isinstance(value, (ctypes.Structure, ctypes.Union)):
        return bytes(value)
    for interface in ("__cuda_array_interface__", "__array_interface__"):
        described = getattr(value, interface, None)
        if isinstance(described, dict):
            if interface == "__cuda_array_interface__":
                return int(cast(Any, described)["data"][0])
            return np.asarray(value)
    if hasattr(value, "data_ptr") and hasattr(value, "untyped_storage"):
        return _tensor(value)
    if hasattr(value, "__dlpack__"):
        return _writable(cast(Array, np.from_dlpack(value)))
    if has(value, "__index__") and not isinstance(value, bool):
        return int(value)
    return value


def _tensor(value: Any) -> Any:
    """A tensor of PyTorch in host memory: its storage from its first element on, whatever its dtype."""
    storage = value.untyped_storage()
    start, size = int(value.data_ptr()), int(storage.nbytes())
    rest = int(storage.data_ptr()) + size - start
    return bytes_at(start, rest) if rest > 0 and value.numel() else np.empty(0, np.uint8)


def _writable(array: Array) -> Array:
    """An array of which NumPy only does not know that it may be written."""
    if array.flags.writeable or not array.size:
        return array
    start, end = np.lib.array_utils.byte_bounds(array)
    offset = int(array.__array_interface__["data"][0]) - start
    data = memoryview((ctypes.c_uint8 * (end - start)).from_address(start))
    return np.ndarray(array.shape, array.dtype, data, offset, array.strides)


def parameter_offsets(kernel: Function) -> tuple[tuple[str, int, int], ...]:
    """The name, offset and size in bytes of each parameter of a kernel in its parameter block."""
    found: list[tuple[str, int, int]] = []
    offset = 0
    for parameter in kernel.parameters:
        size, align = image.size_of(parameter), image.alignment_of(parameter)
        offset = -(-offset // align) * align
        found.append((parameter.name, offset, size))
        offset += size
    return tuple(found)


def split(kernel: Function, data: bytes) -> dict[str, bytes]:
    """The bytes of each parameter from those of the whole block.

    Raises:
        SimulationError: the block is too short.
    """
    parts: dict[str, bytes] = {}
    for name, offset, size in parameter_offsets(kernel):
        part = data[offset : offset + size]
        if len(part) != size:
            message = f"kernel '{kernel.name}' has {offset + size} bytes of parameters up to '{name}'"
            raise SimulationError(f"{message}, {len(data)} are given", hint=signature(kernel))
        parts[name] = part
    return parts
