"""Kernel arguments: NumPy arrays become buffers in the arena, scalars become parameter bytes."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, cast

import numpy as np

from weft.dataclass import dataclass
from weft.errors import counted
from weft.isa.tensor_map import TensorMap
from weft.isa.tensor_map_words import SIZE as MAP_SIZE
from weft.isa.types import TYPES
from weft.ptx.ast import Function, Parameter
from weft.sim import image
from weft.sim.arena import Arena
from weft.sim.engines import copy
from weft.sim.faults import SimulationError
from weft.sim.handles import Handles
from weft.sim.lanes import Array
from weft.sim.registers import Place
from weft.sim.textures import Sampler, Surface, Texture


@dataclass(slots=True)
class Buffer:
    """An argument array and its place in the arena; the array is written back when the kernel has run."""

    array: Array
    address: int
    names: list[str]


class Encoder:
    """Turns the arguments of a kernel into the bytes of its parameters; subclasses say where arrays lie."""

    def __init__(self, kernel: Function) -> None:
        self._kernel = kernel
        self.handles = Handles()

    def encode(self, values: Sequence[Any]) -> dict[str, bytes]:
        """The bytes of each parameter.  Raises SimulationError for arguments that do not fit the kernel."""
        parameters = self._kernel.parameters
        if len(values) != len(parameters):
            raise SimulationError(
                f"kernel '{self._kernel.name}' takes {counted(len(parameters), 'argument')}, got {len(values)}",
                hint=signature(self._kernel),
            )
        return {p.name: self._encode(p, value) for p, value in zip(parameters, values, strict=True)}

    def pointer(self, parameter: Parameter, array: Array) -> int:
        """The address that the kernel gets for an array."""
        raise NotImplementedError

    def map_address(self, parameter: Parameter, encoded: bytes) -> int:
        """The address of a tensor map that is passed by a pointer."""
        raise NotImplementedError

    def known(self, parameter: Parameter, value: Any) -> Any:
        """An argument as one of the things that are encoded here."""
        return value

    def _encode(self, parameter: Parameter, value: Any) -> bytes:
        try:
            return self._bytes_of(parameter, self.known(parameter, value))
        except SimulationError as error:
            error.hint = error.hint or signature(self._kernel)
            raise

    def _bytes_of(self, parameter: Parameter, value: Any) -> bytes:
        size = image.size_of(parameter)
        if isinstance(value, tuple) and parameter.dims:
            data = self._structure(parameter, cast(tuple[Any, ...], value))
            return self._exactly(parameter, data + bytes(-len(data) % max(1, parameter.align)), size)
        if isinstance(value, np.ndarray):
            array = cast(Array, value)
            if parameter.dims:
                return self._exactly(parameter, np.ascontiguousarray(array).tobytes(), size)
            if size != 8:
                raise SimulationError(f"parameter '{parameter.name}' is .{parameter.type}: pass a scalar, not an array")
            return self.pointer(parameter, array).to_bytes(8, "little")
        if isinstance(value, TensorMap):
            return self._map(parameter, value, size)
        if isinstance(value, (Texture, Sampler, Surface)):
            return self._exactly(parameter, self.handles.add(value).to_bytes(8, "little"), size)
        if isinstance(value, np.void):
            return self._exactly(parameter, value.tobytes(), size)
        if isinstance(value, (bytes, bytearray)):
            return self._exactly(parameter, bytes(value), size)
        if parameter.dims:
            raise SimulationError(f"parameter '{parameter.name}' is a structure of {size} bytes: pass bytes or a tuple")
        return _scalar(parameter, value)

    def _structure(self, parameter: Parameter, fields: tuple[Any, ...]) -> bytes:
        """Fields one after the other, each at a multiple of its size, as in C; an array is a pointer."""
        data = b""
        for given in fields:
            field, align = self.known(parameter, given), 8
            if isinstance(field, np.ndarray):
                encoded = self.pointer(parameter, cast(Array, field)).to_bytes(8, "little")
            elif isinstance(field, TensorMap):
                encoded, align = field.encode(self.pointer(parameter, field.array)), 64
            elif isinstance(field, (Texture, Sampler, Surface)):
                encoded = self.handles.add(field).to_bytes(8, "little")
            elif isinstance(field, (bytes, bytearray)):
                encoded, align = bytes(field), 1
            elif isinstance(field, np.generic):
                encoded = np.asarray(cast(Any, field)).tobytes()
                align = len(encoded)
            else:
                raise SimulationError(
                    f"{type(field).__name__} has no fixed size in the structure '{parameter.name}'",
                    hint="use NumPy scalars such as np.int32(3), arrays (as pointers), bytes, tensor maps or textures",
                )
            data += bytes(-len(data) % align) + encoded
        return data

    def _map(self, parameter: Parameter, value: TensorMap, size: int) -> bytes:
        """A tensor map by value, or for a 64-bit pointer its address in memory of its own."""
        encoded = value.encode(self.pointer(parameter, value.array))
        if parameter.dims or size != 8:
            return self._exactly(parameter, encoded, size)
        return self.map_address(parameter, encoded).to_bytes(8, "little")

    def _exactly(self, parameter: Parameter, data: bytes, size: int) -> bytes:
        if len(data) != size:
            raise SimulationError(f"parameter '{parameter.name}' has {size} bytes, but {len(data)} are given")
        return data


class Arguments(Encoder):
    """The arguments of one launch, placed in an arena that is not built yet.

    An array that is passed for several parameters is one buffer; arrays that overlap otherwise are refused.
    """

    def __init__(self, kernel: Function, values: Sequence[Any], arena: Arena) -> None:
        super().__init__(kernel)
        self.arena = arena
        self.buffers: list[Buffer] = []
        self._maps: list[tuple[int, bytes]] = []
        self._bytes = self.encode(values)
        self.places = parameter_places(kernel, arena)
        arena.filled = arena.end

    def copy_in(self) -> None:
        """Fill the built arena with the parameters and the contents of the arrays."""
        for name, place in self.places.items():
            self.arena.contents(place.address, place.size)[:] = np.frombuffer(self._bytes[name], np.uint8)
        for address, encoded in self._maps:
            self.arena.contents(address, MAP_SIZE)[:] = np.frombuffer(encoded, np.uint8)
        for buffer in self.buffers:
            data = np.ascontiguousarray(buffer.array).reshape(-1).view(np.uint8)
            copy(self.arena.contents(buffer.address, data.size), data)

    def spans(self, arrays: Sequence[Any]) -> list[tuple[int, int]]:
        """Where arrays lie that are arguments, as bytes of the arena.  Raises SimulationError for any other."""
        found: list[tuple[int, int]] = []
        for array in arrays:
            start = next((b.address - self.arena.base for b in self.buffers if b.array is array), None)
            if start is None:
                message = "earlier: the array is not an argument of the kernel"
                raise SimulationError(message, hint="use arrays that are in args")
            found.append((start, start + array.nbytes))
        return found

    def copy_out(self, untouched: Container[int] = ()) -> None:
        """Give the arrays what the kernel left in their buffers, but for those at `untouched` addresses."""
        for buffer in self.buffers:
            if buffer.array.flags.writeable and buffer.address not in untouched:
                data = self.arena.contents(buffer.address, buffer.array.nbytes)
                copy(buffer.array, data.view(buffer.array.dtype).reshape(buffer.array.shape))

    def pointer(self, parameter: Parameter, array: Array) -> int:
        """See `Encoder.pointer`."""
        for buffer in self.buffers:
            if np.may_share_memory(buffer.array, array):
                same = buffer.array.__array_interface__["data"] == array.__array_interface__["data"]
                if not same or buffer.array.nbytes != array.nbytes:
                    raise SimulationError(
                        f"the arrays for '{parameter.name}' and '{buffer.names[0]}' overlap but are not the same array"
                    )
                buffer.names.append(parameter.name)
                return buffer.address
        address = self.arena.allocate(f"argument {parameter.name}", array.nbytes, 256, array.flags.writeable)
        self.buffers.append(Buffer(array, address, [parameter.name]))
        return address

    def map_address(self, parameter: Parameter, encoded: bytes) -> int:
        """See `Encoder.map_address`."""
        address = self.arena.allocate(f"tensor map {parameter.name}", MAP_SIZE, MAP_SIZE)
        self._maps.append((address, encoded))
        return address


def parameter_places(kernel: Function, arena: Arena) -> dict[str, Place]:
    """Where the parameters of a kernel lie in an arena, by name."""
    places: dict[str, Place] = {}
    for parameter in kernel.parameters:
        size, align = image.size_of(parameter), max(16, parameter.align)
        address = arena.allocate(f"parameter {parameter.name}", size, align, writable=False, parameter=True)
        places[parameter.name] = Place("global", address, size)
    return places


def signature(kernel: Function) -> str:
    """A kernel with its parameters, as messages show it."""
    return f"{kernel.name}({', '.join(_describe(parameter) for parameter in kernel.parameters)})"


def _describe(parameter: Parameter) -> str:
    return f".{parameter.type}{''.join(f'[{d}]' for d in parameter.dims)} {parameter.name}"


def _scalar(parameter: Parameter, value: Any) -> bytes:
    """A number as the bytes of a parameter's type; untyped parameters take floats of their width."""
    type_ = TYPES[parameter.type]
    size = type_.bytes
    if isinstance(value, np.generic):
        array: Array = np.asarray(cast(Any, value))
        if array.dtype.kind not in "iub" and array.itemsize == size:
            return array.tobytes()
        value = array.item()
    if not isinstance(value, (int, float)):
        raise SimulationError(f"parameter '{parameter.name}' is .{parameter.type}: {type(value).__name__} does not fit")
    floating = isinstance(value, float)
    if type_.kind == "f" or (floating and type_.kind == "b" and size in (2, 4, 8)):
        return np.array(float(value)).astype(f"f{size}").tobytes()
    if floating:
        raise SimulationError(f"parameter '{parameter.name}' is .{parameter.type}: the float {value} does not fit")
    number = int(value)
    if not -(1 << (8 * size - 1)) <= number < 1 << 8 * size:
        raise SimulationError(f"parameter '{parameter.name}' is .{parameter.type}: {number} does not fit")
    return (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")
