"""Textures, samplers and surfaces: arguments of `weft.run` that kernels read through handles.

Fields are named as those of CUDA's `cudaTextureDesc`.  Point filtering is exact; linear filtering weighs with fractions
of 8 bits, and does not cross the edges of a cube's faces.

Sources: CUDA C++ Programming Guide, "Texture Fetching" and "Texture and Surface Memory"; PTX manual, "Texture, Sampler
and Surface Types".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import product
from typing import Any, Literal

import numpy as np

from weft.dataclass import dataclass
from weft.sim.faults import SimulationError, choose
from weft.sim.lanes import Array

HANDLE_BASE = 0x7E00_0000_0000
HANDLE_STEP = 0x100

AddressMode = Literal["wrap", "clamp", "mirror", "border"]
FilterMode = Literal["point", "linear"]
ReadMode = Literal["element", "normalized_float"]
Geometry = Literal["1d", "2d", "3d", "a1d", "a2d", "cube", "acube"]

AXES = {"1d": 1, "a1d": 1, "2d": 2, "a2d": 2, "cube": 2, "acube": 2, "3d": 3}
"""Geometry to the number of axes of an image."""
LAYERED = frozenset({"a1d", "a2d", "cube", "acube"})
"""Geometries that hold several images; a cube six, its faces +x, -x, +y, -y, +z, -z."""
_CHANNELS = (1, 2, 4)


@dataclass(frozen=True)
class Sampler:
    """How a texture is sampled: out-of-bounds coordinates, filtering, and the range of coordinates.

    `address_mode` is one mode for all axes, or one per axis.  Without `normalized_coords`, `wrap` and `mirror` act as
    `clamp`.
    """

    address_mode: AddressMode | Sequence[AddressMode] = "clamp"
    filter_mode: FilterMode = "point"
    normalized_coords: bool = False
    mipmap_filter_mode: FilterMode = "point"
    border_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        modes = (self.address_mode,) if isinstance(self.address_mode, str) else self.address_mode
        for mode in modes:
            choose(mode, AddressMode, "address_mode")
        choose(self.filter_mode, FilterMode, "filter_mode")
        choose(self.mipmap_filter_mode, FilterMode, "mipmap_filter_mode")

    def mode(self, axis: int) -> AddressMode:
        """The address mode of an axis (0 is x)."""
        modes = (
            (self.address_mode,) * 3 if isinstance(self.address_mode, str) else (*self.address_mode, "clamp", "clamp")
        )
        mode: AddressMode = modes[axis]  # pyright: ignore[reportAssignmentType]
        return "clamp" if mode in ("wrap", "mirror") and not self.normalized_coords else mode


@dataclass(frozen=True, eq=False)
class Image:
    """An image as layers by z by y by x by channels."""

    texels: Array

    @property
    def extents(self) -> tuple[int, int, int]:
        """Texels along x, y and z."""
        _, z, y, x, _ = self.texels.shape
        return x, y, z


@dataclass(frozen=True, eq=False)
class Texture:
    """A texture of an array with axes `[layers,] [z,] [y,] x [, channels]`, or of a list of mip levels.

    There are 1, 2 or 4 channels.  `read_mode` is `element`, or `normalized_float`, which maps unsigned integers to 0
    to 1 and signed ones to -1 to 1.  The other parameters are those of `Sampler`.
    """

    array: Array | Sequence[Array]
    address_mode: AddressMode | Sequence[AddressMode] = "clamp"
    filter_mode: FilterMode = "point"
    normalized_coords: bool = False
    read_mode: ReadMode = "element"
    mipmap_filter_mode: FilterMode = "point"
    border_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    _images: dict[str, list[Image]] = field(default_factory=dict[str, "list[Image]"], repr=False)

    def __post_init__(self) -> None:
        choose(self.read_mode, ReadMode, "read_mode")
        _ = self.sampler  # It checks the modes that they share.
        for level in self.levels:
            if level.dtype not in _FORMATS:
                raise SimulationError(f"textures cannot have texels of {level.dtype}", hint=f"one of {_known()}")

    @property
    def levels(self) -> list[Array]:
        """The mip levels, the largest first."""
        return [self.array] if isinstance(self.array, np.ndarray) else list(self.array)

    @property
    def sampler(self) -> Sampler:
        """The texture's own sampler."""
        return Sampler(
            self.address_mode, self.filter_mode, self.normalized_coords, self.mipmap_filter_mode, self.border_color
        )

    def forget(self) -> None:
        """The arrays may hold something else now."""
        self._images.clear()

    def images(self, geometry: str) -> list[Image]:
        """The mip levels of a geometry, as the values that filtering sees; raises ValueError if the array has none."""
        found = self._images.get(geometry)
        if found is None:
            found = self._images[geometry] = [Image(self._values(arranged(level, geometry))) for level in self.levels]
        return found

    def _values(self, texels: Array) -> Array:
        if texels.dtype.kind == "f":
            return texels.astype(np.float64)
        if self.read_mode == "element":
            return texels.astype(np.int64)
        return np.maximum(texels / float(np.iinfo(texels.dtype).max), -1.0)


@dataclass(frozen=True, eq=False)
class Surface:
    """A surface of an array with axes `[layers,] [z,] [y,] x [, channels]`, which kernels read and write in place."""

    array: Array

    def __post_init__(self) -> None:
        if self.array.dtype not in _FORMATS:
            raise SimulationError(f"surfaces cannot have elements of {self.array.dtype}", hint=f"one of {_known()}")
        if not self.array.flags.c_contiguous:
            raise SimulationError("the array of a surface must be contiguous")


_FORMATS: dict[np.dtype[Any], int] = {
    np.dtype(name): code
    for name, code in (
        ("i1", 0x10D7), ("i2", 0x10D8), ("i4", 0x10D9), ("u1", 0x10DA), ("u2", 0x10DB), ("u4", 0x10DC),
        ("f2", 0x10DD), ("f4", 0x10DE),
    )
}  # fmt: skip
"""Dtype to the number of its channel data type."""
_NORMALIZED = {np.dtype("i1"): 0x10D0, np.dtype("i2"): 0x10D1, np.dtype("u1"): 0x10D2, np.dtype("u2"): 0x10D3}
_ORDERS = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}
_MODES = {"wrap": 0, "mirror": 1, "clamp": 3, "border": 4}


def _known() -> str:
    return ", ".join(str(dtype) for dtype in _FORMATS)


def arranged(array: Array, geometry: str) -> Array:
    """An array as layers by z by y by x by channels; raises ValueError when it does not have that geometry."""
    dims = AXES[geometry] + (geometry in LAYERED)
    if array.ndim not in (dims, dims + 1):
        raise ValueError(f"an array of {array.ndim} dimensions is not a .{geometry}")
    channels = array.shape[-1] if array.ndim > dims else 1
    if channels not in _CHANNELS:
        raise ValueError(f"{channels} channels, not 1, 2 or 4")
    shape = array.shape[:dims]
    layers = shape[0] if geometry in LAYERED else 1
    if geometry in ("cube", "acube") and layers % 6:
        raise ValueError(f"{layers} faces, not a multiple of six")
    extents = shape[1:] if geometry in LAYERED else shape
    return array.reshape(layers, *(1,) * (3 - len(extents)), *extents, channels)


def property_of(thing: Texture | Surface | Sampler, name: str, level: int = 0) -> int:
    """A property as `txq` and `suq` give it."""
    if isinstance(thing, Sampler):
        return _sampler_property(thing, name)
    arrays = thing.levels if isinstance(thing, Texture) else [thing.array]
    array = arrays[min(level, len(arrays) - 1)]
    channels = array.shape[-1] if array.ndim > 1 and array.shape[-1] in _CHANNELS else 1
    dims = array.shape[:-1] if channels > 1 else array.shape
    normalized = isinstance(thing, Texture) and thing.read_mode == "normalized_float"
    simple: dict[str, int] = {
        "width": dims[-1],
        "height": dims[-2] if len(dims) > 1 else 0,
        "depth": dims[-3] if len(dims) > 2 else 0,
        "array_size": (*dims, 1)[0],
        "num_mipmap_levels": len(arrays),
        "num_samples": 1,
        "memory_layout": 1,
        "channel_data_type": (_NORMALIZED if normalized else _FORMATS).get(array.dtype, _FORMATS[array.dtype]),
        "channel_order": _ORDERS[channels],
    }
    if name in simple:
        return simple[name]
    return _sampler_property(thing.sampler, name) if isinstance(thing, Texture) else 0


def _sampler_property(sampler: Sampler, name: str) -> int:
    if name.startswith("addr_mode"):
        return _MODES[sampler.mode(int(name[-1]))]
    if name == "filter_mode":
        return int(sampler.filter_mode == "linear")
    return int(sampler.normalized_coords) if name == "normalized_coords" else 0


# -- sampling -------------------------------------------------------------------------------------------------


def _addressed(index: Array, extent: int, mode: AddressMode) -> tuple[Array, Array | None]:
    """Texel numbers inside, and which of them were outside, where the border colour is."""
    if mode == "border":
        return np.clip(index, 0, extent - 1), (index < 0) | (index >= extent)
    if mode == "wrap":
        return index % extent, None
    if mode == "mirror":
        twice = index % (2 * extent)
        return np.where(twice < extent, twice, 2 * extent - 1 - twice), None
    return np.clip(index, 0, extent - 1), None


def texels(image: Image, sampler: Sampler, layer: Array, index: Sequence[Array]) -> Array:
    """Texels by their numbers along x, y, z: points by channels."""
    inside: list[Array] = []
    outside: Any = False
    for axis, (numbers, extent) in enumerate(zip(index, image.extents, strict=False)):
        found, beyond = _addressed(numbers, extent, sampler.mode(axis))
        inside.append(found)
        outside = outside | beyond if beyond is not None else outside
    zero = np.zeros_like(inside[0])
    x, y, z = (*inside, zero, zero)[:3]
    values = image.texels[np.clip(layer, 0, len(image.texels) - 1), z, y, x]
    if np.any(outside):
        border = np.asarray(sampler.border_color[: values.shape[1]]).astype(values.dtype)
        values = np.where(np.asarray(outside)[:, None], border, values)
    return values


def _scaled(image: Image, sampler: Sampler, coordinates: Sequence[Array]) -> list[Array]:
    """Coordinates in texels."""
    if not sampler.normalized_coords:
        return list(coordinates)
    return [c * extent for c, extent in zip(coordinates, image.extents, strict=False)]


def sample(
    image: Image, sampler: Sampler, layer: Array, coordinates: Sequence[Array], offsets: Sequence[Array]
) -> Array:
    """An image at points: points by channels."""
    points = _scaled(image, sampler, coordinates)
    if sampler.filter_mode == "point" or image.texels.dtype.kind == "i":
        index = [np.floor(p).astype(np.int64) + o for p, o in zip(points, offsets, strict=True)]
        return texels(image, sampler, layer, index)
    corners = [np.floor(p - 0.5) for p in points]
    weights = [np.floor((p - 0.5 - c) * 256 + 0.5) / 256 for p, c in zip(points, corners, strict=True)]
    total: Any = 0.0
    for steps in product((0, 1), repeat=len(points)):
        weight: Any = 1.0
        for part, step in zip(weights, steps, strict=True):
            weight = weight * (part if step else 1.0 - part)
        index = [c.astype(np.int64) + o + s for c, o, s in zip(corners, offsets, steps, strict=True)]
        total = total + np.asarray(weight)[:, None] * texels(image, sampler, layer, index)
    return total


def gather(
    image: Image, sampler: Sampler, layer: Array, coordinates: Sequence[Array], offsets: Sequence[Array], channel: int
) -> Array:
    """One channel of the four texels around points: those at (0, 1), (1, 1), (1, 0), (0, 0), as points by four."""
    points = _scaled(image, sampler, coordinates)
    x, y = (np.floor(p - 0.5).astype(np.int64) + o for p, o in zip(points, offsets, strict=True))
    found = [texels(image, sampler, layer, (x + dx, y + dy)) for dx, dy in ((0, 1), (1, 1), (1, 0), (0, 0))]
    missing = np.zeros(len(x), found[0].dtype)
    return np.stack([part[:, channel] if channel < part.shape[1] else missing for part in found], axis=1)


def on_face(x: Array, y: Array, z: Array) -> tuple[Array, Array, Array]:
    """The face of a cube that a direction meets, and where, from 0 to 1."""
    ax, ay, az = np.abs(x), np.abs(y), np.abs(z)
    along_x, along_y = (ax >= ay) & (ax >= az), (ay >= az) & ~((ax >= ay) & (ax >= az))
    major = np.where(along_x, x, np.where(along_y, y, z))
    face = np.where(along_x, 0, np.where(along_y, 2, 4)) + (major < 0)
    s = np.choose(face, [-z, z, x, x, x, -x])
    t = np.choose(face, [-y, -y, z, -z, -y, -y])
    size = np.where(major == 0, 1.0, np.abs(major))
    return face, (s / size + 1) / 2, (t / size + 1) / 2


def lowest_level(image: Image, dx: Sequence[Array], dy: Sequence[Array], normalized: bool) -> Array:
    """The mip level for gradients: the logarithm of the longer one, in texels."""
    extents = image.extents if normalized else (1, 1, 1)
    lengths = [
        np.sqrt(sum((np.asarray(part) * extent) ** 2 for part, extent in zip(gradient, extents, strict=False)))
        for gradient in (dx, dy)
    ]
    return np.log2(np.maximum(np.maximum(lengths[0], lengths[1]), 2.0**-40))


def across_levels(texture: Texture, geometry: str, level: Array, read: Any, mode: str) -> Array:
    """Read mip levels and blend them; `read(image, chosen)` reads an image at the chosen points."""
    images = texture.images(geometry)
    level = np.clip(level, 0.0, len(images) - 1.0)
    below = np.floor(level + 0.5) if mode == "point" else np.floor(level)
    part = np.zeros_like(level) if mode == "point" else np.floor((level - below) * 256 + 0.5) / 256
    result: Array | None = None
    for step in (0, 1):
        if step and not part.any():
            break
        numbers = np.minimum(below + step, len(images) - 1).astype(np.int64)
        values: Array | None = None
        for number in np.unique(numbers):
            chosen = numbers == number
            got = read(images[number], chosen)
            if values is None:
                values = np.zeros((len(level), got.shape[1]), got.dtype)
            values[chosen] = got
        assert values is not None
        if result is None:
            result = values
        else:
            result = (1.0 - part)[:, None] * result + part[:, None] * values
    assert result is not None
    return result
