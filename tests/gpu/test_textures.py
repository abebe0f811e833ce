"""Texture and surface objects of both APIs, by the structures of CUDA's headers."""

from __future__ import annotations

import itertools
import struct
from typing import NamedTuple

import numpy as np
import pytest

from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, Program, Words
from weft.sim.textures import Surface, Texture

ARRAY, MIPMAPPED, LINEAR, PITCHED = range(4)
NAMES = ("u1", "u2", "u4", "i1", "i2", "i4", "f2", "f4")
DRIVER: dict[str, int] = dict(zip(NAMES, (1, 2, 3, 8, 9, 10, 16, 32), strict=True))
KINDS = {"i": 0, "u": 1, "f": 2}
NOT_SUPPORTED = 801


class Api(NamedTuple):
    """How one of the APIs calls its functions and lays out its structures."""

    prefix: str

    def __str__(self) -> str:
        return self.prefix

    @property
    def runtime(self) -> bool:
        return self.prefix == "cuda"

    def function(self, what: str, kind: str = "Texture") -> str:
        """`what` is Create, Destroy, ResourceDesc or TextureDesc."""
        short = {"Texture": "Tex", "Surface": "Surf"}[kind]
        if what in ("Create", "Destroy"):
            return f"cuda{what}{kind}Object" if self.runtime else f"cu{short}Object{what}"
        return f"cudaGet{kind}Object{what}" if self.runtime else f"cu{short}ObjectGet{what}"

    def format(self, name: str, channels: int) -> bytes:
        """A `cudaChannelFormatDesc`, or a `CUarray_format` and the channels."""
        if not self.runtime:
            return struct.pack("<2I", DRIVER[name], channels)
        bits = [8 * int(name[1])] * channels + [0] * (4 - channels)
        return struct.pack("<5i", *bits, KINDS[name[0]])

    def resource(self, kind: int, handle: int, rest: bytes = b"") -> bytes:
        return (struct.pack("<I4xQ", kind, handle) + rest).ljust(144, b"\0")

    def linear(self, place: int, name: str, channels: int, size: int) -> bytes:
        form = self.format(name, channels)
        return self.resource(LINEAR, place, form + bytes(-len(form) % 8) + struct.pack("<Q", size))

    def pitched(self, place: int, name: str, channels: int, width: int, height: int, pitch: int) -> bytes:
        form = self.format(name, channels)
        return self.resource(PITCHED, place, form + bytes(-len(form) % 8) + struct.pack("<3Q", width, height, pitch))

    def sampling(
        self,
        modes: tuple[int, int, int],
        linear: int,
        floats: int,
        normalized: int,
        mipmaps: int,
        colour: tuple[float, ...],
    ) -> bytes:
        if self.runtime:
            head = struct.pack("<6i4f", *modes, linear, floats, 1, *colour)
            return head + struct.pack("<iIi3f2i", normalized, 7, mipmaps, 1.0, 2.0, 3.0, 1, 1)
        flags = (0 if floats else 1) | (2 if normalized else 0) | 16
        return struct.pack("<4iIIi3f4f48x", *modes, linear, flags, 7, mipmaps, 1.0, 2.0, 3.0, *colour)

    def array(self, cu: Program, name: str, channels: int, *extents: int) -> int:
        width, height, depth = (*extents, 0, 0, 0)[:3]
        shape = struct.pack("<3Q3I", width, height, depth, DRIVER[name], channels, 2)
        return cu.get("cuArray3DCreate_v2", Words.of(shape))


PLAIN = ((0, 0, 0), 0, 0, 0, 0, (0.0,) * 4)


@pytest.fixture(params=[Api("cu"), Api("cuda")], ids=str)
def api(request: pytest.FixtureRequest) -> Api:
    return request.param


@pytest.fixture
def cu() -> Program:
    return Program()


def found(cu: Program, api: Api, resource: bytes, sampling: bytes) -> Texture:
    """The texture of two structures, which the API gives back as they were."""
    given = Words.of(resource), Words.of(sampling)
    handle = cu.get(api.function("Create"), *given, 0)
    for what, data in (("TextureDesc", sampling), ("ResourceDesc", resource)):
        back = Words(len(data) + 8)
        assert cu(api.function(what), back, handle) == OK
        assert bytes(back.bytes) == data + b"\xa5" * 8
        assert cu(api.function(what), back, handle + 1) == INVALID_VALUE
    texture = cu.driver.device.memory.opaque.get(handle)
    assert isinstance(texture, Texture)
    assert cu(api.function("Destroy", "Surface"), handle) == INVALID_VALUE, "it is no surface"
    assert [cu(api.function("Destroy"), handle) for _ in range(2)] == [OK, INVALID_VALUE]
    assert cu(api.function("ResourceDesc"), Words(144), handle) == INVALID_VALUE
    return texture


def test_how_textures_are_read(cu: Program, api: Api) -> None:
    """All address modes, filters and flags; 8- and 16-bit integers may be read as floats between -1 or 0 and 1."""
    arrays = {name: api.array(cu, name, 1, 4, 4) for name in NAMES}
    names = ("wrap", "clamp", "mirror", "border")
    modes = [(0, 1, 2), (3, 2, 1), (1, 1, 1)]
    for number, (name, linear, floats, normalized, mipmaps) in enumerate(
        itertools.product(NAMES, (0, 1), (0, 1), (0, 1), (0, 1))
    ):
        chosen, colour = modes[number % 3], (0.5, float(number), 2.0, -1.0)
        sampling = api.sampling(chosen, linear, floats, normalized, mipmaps, colour)
        texture = found(cu, api, api.resource(ARRAY, arrays[name]), sampling)
        assert texture.address_mode == tuple(names[mode] for mode in chosen)
        assert texture.filter_mode == ("linear" if linear else "point")
        assert texture.mipmap_filter_mode == ("linear" if mipmaps else "point")
        assert texture.normalized_coords == bool(normalized) and texture.border_color == colour
        scaled = bool(floats) and name in ("u1", "u2", "i1", "i2")
        assert texture.read_mode == ("normalized_float" if scaled else "element"), (name, floats)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("channels", [1, 2, 4])
def test_texels_of_linear_memory(cu: Program, api: Api, name: str, channels: int) -> None:
    size = int(name[1]) * channels
    place, host = cu.get("cuMemAlloc_v2", 512), Words.of(bytes(range(256)) * 2)
    assert cu("cuMemcpyHtoD_v2", place, host, 512) == OK
    last = (channels,) if channels > 1 else ()
    texture = found(cu, api, api.linear(place, name, channels, 5 * size + size - 1), api.sampling(*PLAIN))
    (texels,) = texture.levels
    assert texels.shape == (5, *last) and texels.dtype == np.dtype(name)
    assert texels.tobytes() == bytes(host.bytes[: 5 * size])
    texture = found(cu, api, api.pitched(place, name, channels, 3, 4, 64), api.sampling(*PLAIN))
    (texels,) = texture.levels
    assert texels.shape == (4, 3, *last) and texels.dtype == np.dtype(name)
    assert [row.tobytes() for row in texels] == [bytes(host.bytes[64 * row :][: 3 * size]) for row in range(4)]
    for pitch, status in (((512 - 3 * size) // 64 * 16 * 4, OK), (512, INVALID_VALUE)):
        resource = Words.of(api.pitched(place, name, channels, 3, 2, pitch))
        assert cu(api.function("Create"), Words(), resource, Words.of(api.sampling(*PLAIN)), 0) == status, pitch
    for texels_, status in ((512 // size, OK), (512 // size + 1, INVALID_VALUE)):
        resource = Words.of(api.linear(place, name, channels, texels_ * size))
        assert cu(api.function("Create"), Words(), resource, Words.of(api.sampling(*PLAIN)), 0) == status


def test_texels_of_arrays(cu: Program, api: Api) -> None:
    """They are the array's memory: what is copied there later is seen."""
    for name, channels, extents, shape in (
        *(("u4", 1, (3,), (3,)), ("f4", 2, (3, 2), (2, 3, 2)), ("u1", 4, (3, 2, 5), (5, 2, 3, 4))),
        ("i2", 1, (3, 0, 5), (5, 3)),
    ):
        array = api.array(cu, name, channels, *extents)
        texture = found(cu, api, api.resource(ARRAY, array), api.sampling(*PLAIN))
        (texels,) = texture.levels
        assert texels.shape == shape and texels.dtype == np.dtype(name) and not texels.any()
        row = extents[0] * int(name[1]) * channels
        assert cu("cuMemcpyHtoA_v2", array, 0, Words.of(bytes(range(1, row + 1))), row) == OK
        assert texels.tobytes()[:row] == bytes(range(1, row + 1)) and not any(texels.tobytes()[row:])
    levels = cu.get("cuMipmappedArrayCreate", Words.of(struct.pack("<3Q3I", 8, 4, 0, 1, 1, 0)), 3)
    texture = found(cu, api, api.resource(MIPMAPPED, levels), api.sampling(*PLAIN))
    assert [level.shape for level in texture.levels] == [(4, 8), (2, 4), (1, 2)]
    surface = Words.of(api.resource(ARRAY, api.array(cu, "i2", 1, 3, 0, 5)))
    handle = cu.get(api.function("Create", "Surface"), surface)
    made = cu.driver.device.memory.opaque.get(handle)
    assert isinstance(made, Surface) and made.array.shape == (5, 3)
    back = Words(152)
    assert cu(api.function("ResourceDesc", "Surface"), back, handle) == OK
    assert bytes(back.bytes) == bytes(surface.bytes) + b"\xa5" * 8
    assert cu(api.function("Destroy"), handle) == INVALID_VALUE, "it is no texture"
    assert [cu(api.function("Destroy", "Surface"), handle) for _ in range(2)] == [OK, INVALID_VALUE]


def test_what_no_texture_or_surface_is_made_of(cu: Program, api: Api) -> None:
    place, array, sampling = cu.get("cuMemAlloc_v2", 64), api.array(cu, "u4", 1, 4), Words.of(api.sampling(*PLAIN))
    create = api.function("Create")
    for kind, handle, status in (
        *((ARRAY, 1234, INVALID_HANDLE), (MIPMAPPED, array, INVALID_HANDLE), (4, array, INVALID_VALUE)),
        (0xFFFF_FFFF, array, INVALID_VALUE),
    ):
        assert cu(create, Words(), Words.of(api.resource(kind, handle)), sampling, 0) == status, kind
        surface = cu(api.function("Create", "Surface"), Words(), Words.of(api.resource(kind, handle)))
        assert surface == (status if kind == ARRAY else NOT_SUPPORTED), kind
    right = api.linear(place, "u4", 1, 64)
    wrong = [right[:16] + struct.pack("<2I", number, 1) + right[24:] for number in (0, 4, 31)]
    if api.runtime:
        formats = [
            (32, 0, 0, 0, 3),
            (24, 0, 0, 0, 0),
            (32, 16, 0, 0, 1),
            (8, 0, 0, 0, 2),
            (64, 0, 0, 0, 1),
            (0, 0, 0, 0, 0),
        ]
        wrong = [right[:16] + struct.pack("<5i", *form) + right[36:] for form in formats]
    for resource in wrong:
        assert cu(create, Words(), Words.of(resource), sampling, 0) == INVALID_VALUE, resource[16:36]
    for words in ((0, Words.of(right), sampling), (Words(), 0, sampling), (Words(), Words.of(right), 0)):
        assert cu(create, *words, 0) == INVALID_VALUE
    assert cu(create, Words(), Words.of(right), sampling, 0) == OK
    for channels, height, status in ((3, 1, INVALID_VALUE), (4, 0, INVALID_VALUE), (4, 1, OK)):
        resource = Words.of(api.pitched(place, "u4", channels, 1, height, 64))
        assert cu(create, Words(), resource, sampling, 0) == status, (channels, height)
    if not api.runtime:
        resource = Words.of(api.linear(place, "u4", 3, 48))
        assert cu(create, Words(), resource, sampling, 0) == INVALID_VALUE
