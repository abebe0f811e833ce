"""Texture and surface objects of both APIs."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.driver.arrays import FORMATS, CudaArray, Mipmapped
from weft.gpu.driver.places import data_at, store
from weft.gpu.driver.runtime_table import call as runtime_call
from weft.gpu.driver.state import Driver, put
from weft.gpu.driver.status import INVALID_VALUE, NOT_SUPPORTED, Refused
from weft.gpu.driver.table import call
from weft.sim.lanes import Array
from weft.sim.textures import AddressMode, FilterMode, Sampler, Surface, Texture

_ARRAY, _MIPMAPPED, _LINEAR, _PITCH = range(4)
_ADDRESS: tuple[AddressMode, ...] = ("wrap", "clamp", "mirror", "border")
_FILTER: tuple[FilterMode, ...] = ("point", "linear")


@dataclass(frozen=True, slots=True)
class _Described:
    """A resource and how it is read, and the structures that say so."""

    resource: bytes
    sampling: bytes


@dataclass(frozen=True, slots=True)
class _Sampling:
    sampler: Sampler
    normalized_floats: bool


def format_of(description: bytes) -> tuple[int, int]:
    """The number of a `cudaChannelFormatDesc`'s format in `CUarray_format`, and the channels.

    Raises:
        Refused: there is no such format.
    """
    *bits, kind = struct.unpack("<5i", description)
    channels = sum(1 for width in bits if width)
    for number in FORMATS:
        if description == description_of(number, channels):
            return number, channels
    raise Refused(INVALID_VALUE, f"texels of {channels} channels of {bits[0]} bits, kind {kind}")


def description_of(format_: int, channels: int) -> bytes:
    """The `cudaChannelFormatDesc` of a format."""
    dtype = np.dtype(FORMATS[format_])
    bits = [8 * dtype.itemsize if number < channels else 0 for number in range(4)]
    return struct.pack("<5i", *bits, {"i": 0, "u": 1, "f": 2}[dtype.kind])


class _Memory(NamedTuple):
    """Texels in linear memory: `size` bytes of them, or rows of `size` texels where there is a pitch."""

    address: int
    format: int
    channels: int
    size: int
    height: int
    pitch: int

    def texels(self, driver: Driver, *, pitched: bool) -> Array:
        """Raises Refused where there are no such texels."""
        if self.format not in FORMATS or self.channels not in (1, 2, 4) or (pitched and not self.height):
            raise Refused(INVALID_VALUE, f"texels of format {self.format} with {self.channels} channels")
        dtype, memory = np.dtype(FORMATS[self.format]), driver.device.memory
        texel, last = dtype.itemsize * self.channels, (self.channels,) if self.channels > 1 else ()
        if not pitched:
            width = self.size // texel
            return memory.span(self.address, width * texel, "texture").view(dtype).reshape(width, *last)
        found = memory.span(self.address, (self.height - 1) * self.pitch + self.size * texel, "texture").view(dtype)
        strides = (self.pitch, texel, dtype.itemsize)[: 2 + len(last)]
        return np.lib.stride_tricks.as_strided(found, (self.height, self.size, *last), strides)


def _handle(driver: Driver, out: int, thing: Texture | Surface, described: _Described) -> None:
    handle = driver.device.memory.opaque.add(thing)
    driver.keep[f"opaque {handle}"] = described
    put(out, handle)


def _drop(driver: Driver, handle: int, kind: type[Texture] | type[Surface]) -> int:
    if not isinstance(driver.device.memory.opaque.get(handle), kind):
        return INVALID_VALUE
    driver.device.memory.opaque.drop(handle)
    del driver.keep[f"opaque {handle}"]
    return 0


def _texture(found: Array | list[Array], sampling: _Sampling) -> Texture:
    s, first = sampling.sampler, found if isinstance(found, np.ndarray) else found[0]
    scaled = sampling.normalized_floats and first.dtype.name in ("int8", "int16", "uint8", "uint16")
    return Texture(
        found,
        s.address_mode,
        s.filter_mode,
        s.normalized_coords,
        "normalized_float" if scaled else "element",
        s.mipmap_filter_mode,
        s.border_color,
    )


def _texels(driver: Driver, resource: bytes, linear: Callable[[bytes], _Memory]) -> Array | list[Array]:
    """The texels of a resource; `linear` reads the descriptions of memory, which differ between the APIs."""
    kind, handle = struct.unpack_from("<I4xQ", resource)
    if kind == _ARRAY:
        return driver.get(handle, CudaArray).texels()
    if kind == _MIPMAPPED:
        return [level.texels() for level in driver.get(handle, Mipmapped).levels]
    if kind not in (_LINEAR, _PITCH):
        raise Refused(INVALID_VALUE, f"unknown resource kind {kind}")
    return linear(resource).texels(driver, pitched=kind == _PITCH)


def _modes(words: tuple[int, ...]) -> tuple[AddressMode, ...]:
    return tuple(_ADDRESS[word & 3] for word in words)


# -- the runtime ------------------------------------------------------------------------------------------------


def _runtime_sampling(data: bytes) -> _Sampling:
    *modes, filter_, read, _, r, g, b, a, normalized, _, mipmaps = struct.unpack_from("<6i4fiIi", data)
    sampler = Sampler(_modes(tuple(modes)), _FILTER[filter_ & 1], bool(normalized), _FILTER[mipmaps & 1], (r, g, b, a))
    return _Sampling(sampler, read == 1)


def _runtime_memory(data: bytes) -> _Memory:
    address, *rest = struct.unpack_from("<Q20x4xQQQ", data, 8)
    return _Memory(address, *format_of(data[16:36]), *rest)


@runtime_call("cudaCreateTextureObject", "p p p p")
def _runtime_create(driver: Driver, out: int, resource: int, sampling: int, view: int) -> None:
    described = _Described(data_at(resource, 144), data_at(sampling, 72))

    found = _texels(driver, described.resource, _runtime_memory)
    _handle(driver, out, _texture(found, _runtime_sampling(described.sampling)), described)


@runtime_call("cudaDestroyTextureObject", "p")
def _runtime_destroy(driver: Driver, handle: int) -> int:
    return _drop(driver, handle, Texture)


@runtime_call("cudaGetTextureObjectResourceDesc cudaGetSurfaceObjectResourceDesc", "p p")
def _runtime_resource(driver: Driver, out: int, handle: int) -> int:
    return _given(driver, out, handle, resource=True)


@runtime_call("cudaGetTextureObjectTextureDesc", "p p")
def _runtime_description(driver: Driver, out: int, handle: int) -> int:
    return _given(driver, out, handle, resource=False)


@runtime_call("cudaCreateSurfaceObject", "p p")
def _runtime_surface(driver: Driver, out: int, resource: int) -> None:
    _surface(driver, out, resource)


@runtime_call("cudaDestroySurfaceObject", "p")
def _runtime_destroy_surface(driver: Driver, handle: int) -> int:
    return _drop(driver, handle, Surface)


# -- the driver -------------------------------------------------------------------------------------------------


def _sampling(data: bytes) -> _Sampling:
    *modes, filter_, flags, _, mipmaps = struct.unpack_from("<4iIIi", data)
    colour = struct.unpack_from("<4f", data, 40)
    sampler = Sampler(_modes(tuple(modes)), _FILTER[filter_ & 1], bool(flags & 2), _FILTER[mipmaps & 1], colour)
    return _Sampling(sampler, not flags & 1)


@call("cuTexObjectCreate", "p p p p")
def _create(driver: Driver, out: int, resource: int, sampling: int, view: int) -> None:
    described = _Described(data_at(resource, 144), data_at(sampling, 104))

    found = _texels(driver, described.resource, lambda data: _Memory(*struct.unpack_from("<QIIQQQ", data, 8)))
    _handle(driver, out, _texture(found, _sampling(described.sampling)), described)


@call("cuTexObjectDestroy", "p")
def _destroy(driver: Driver, handle: int) -> int:
    return _drop(driver, handle, Texture)


def _given(driver: Driver, out: int, handle: int, *, resource: bool) -> int:
    """Give back a structure that an object was made with."""
    described = driver.keep.get(f"opaque {handle}")
    if not isinstance(described, _Described):
        return INVALID_VALUE
    data = described.resource if resource else described.sampling
    store(out, data)
    return 0


@call("cuTexObjectGetResourceDesc cuSurfObjectGetResourceDesc", "p p")
def _resource(driver: Driver, out: int, handle: int) -> int:
    return _given(driver, out, handle, resource=True)


@call("cuTexObjectGetTextureDesc", "p p")
def _description(driver: Driver, out: int, handle: int) -> int:
    return _given(driver, out, handle, resource=False)


def _surface(driver: Driver, out: int, resource: int) -> None:
    data = data_at(resource, 144)
    kind, handle = struct.unpack_from("<I4xQ", data)
    if kind != _ARRAY:
        raise Refused(NOT_SUPPORTED, "a surface needs an array")
    _handle(driver, out, Surface(driver.get(handle, CudaArray).texels()), _Described(data, b""))


@call("cuSurfObjectCreate", "p p")
def _create_surface(driver: Driver, out: int, resource: int) -> None:
    _surface(driver, out, resource)


@call("cuSurfObjectDestroy", "p")
def _destroy_surface(driver: Driver, handle: int) -> int:
    return _drop(driver, handle, Surface)
