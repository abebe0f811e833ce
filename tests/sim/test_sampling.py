"""What textures, samplers and surfaces are asked, by the numbers of the PTX manual; faces, levels and borders by formulas."""

from __future__ import annotations

import math
import re
from itertools import product
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import REGISTERS, kernel
from weft.sim import KernelFault, SimulationError, run, textures
from weft.sim.textures import Sampler, Surface, Texture

DATA = {
    "int8": 0x10D7, "int16": 0x10D8, "int32": 0x10D9, "uint8": 0x10DA, "uint16": 0x10DB, "uint32": 0x10DC, "float16": 0x10DD, "float32": 0x10DE,
}  # fmt: skip
NORMALIZED = {"int8": 0x10D0, "int16": 0x10D1, "uint8": 0x10D2, "uint16": 0x10D3}
CHANNELS = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}


@pytest.mark.parametrize("dtype", DATA)
@pytest.mark.parametrize("channels", CHANNELS)
def test_formats(dtype: str, channels: int) -> None:
    for dims in ((7,), (5, 7), (3, 5, 7)):
        array = np.zeros((*dims, channels) if channels > 1 else dims, dtype)
        texture, surface = Texture([array, array]), Surface(array)
        want = {
            "width": dims[-1], "height": dims[-2] if len(dims) > 1 else 0, "depth": dims[0] if len(dims) > 2 else 0, "array_size": dims[0],
            "channel_data_type": DATA[dtype], "channel_order": CHANNELS[channels], "num_samples": 1, "memory_layout": 1,
        }  # fmt: skip
        for thing in (texture, surface):
            assert {name: textures.property_of(thing, name) for name in want} == want
        assert textures.property_of(texture, "num_mipmap_levels") == 2
        assert textures.property_of(surface, "num_mipmap_levels") == 1
        assert textures.property_of(surface, "filter_mode") == textures.property_of(surface, "normalized_coords") == 0
        fraction = Texture(array, read_mode="normalized_float")
        assert textures.property_of(fraction, "channel_data_type") == NORMALIZED.get(dtype, DATA[dtype])


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("filter_mode", ["point", "linear"])
def test_samplers(normalized: bool, filter_mode: Any) -> None:
    """Coordinates in texels are never wrapped or mirrored."""
    modes: Any = ("wrap", "mirror", "border")
    numbers = {"wrap": 0, "mirror": 1, "clamp": 3, "border": 4}
    sampler = Sampler(modes, filter_mode, normalized)
    for thing in (sampler, Texture(np.zeros((4, 4), np.float32), modes, filter_mode, normalized)):
        for axis, mode in enumerate(modes):
            acts = mode if normalized or mode == "border" else "clamp"
            assert sampler.mode(axis) == acts
            assert textures.property_of(thing, f"addr_mode_{axis}") == numbers[acts]
        assert textures.property_of(thing, "filter_mode") == (filter_mode == "linear")
        assert textures.property_of(thing, "normalized_coords") == normalized
        assert textures.property_of(thing, "force_unnormalized_coords") == 0
    assert [Sampler(("border",)).mode(axis) for axis in range(3)] == ["border", "clamp", "clamp"]


WRONG = [
    ({"address_mode": "wrapped"}, "unknown address_mode 'wrapped'"),
    ({"address_mode": ("clamp", "mirrored")}, "unknown address_mode 'mirrored'"),
    ({"filter_mode": "cubic"}, "unknown filter_mode 'cubic'"),
    ({"mipmap_filter_mode": "nearest"}, "unknown mipmap_filter_mode 'nearest'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_modes_that_are_not_there(options: Any, message: str) -> None:
    for make in (Sampler, lambda **more: Texture(np.zeros(4, np.float32), **more)):
        with pytest.raises(SimulationError) as caught:
            make(**options)
        assert caught.value.message == message


def test_arrays_that_are_no_textures() -> None:
    known = "one of int8, int16, int32, uint8, uint16, uint32, float16, float32"
    for make, message in (
        (lambda: Texture(np.zeros(4)), "textures cannot have texels of float64"),
        (lambda: Texture([np.zeros(4, np.int8), np.zeros(2, np.int64)]), "textures cannot have texels of int64"),
        (lambda: Surface(np.zeros(4, bool)), "surfaces cannot have elements of bool"),
    ):
        with pytest.raises(SimulationError) as caught:
            make()
        assert (caught.value.message, caught.value.hint) == (message, known)
    with pytest.raises(SimulationError, match="the array of a surface must be contiguous"):
        Surface(np.zeros((4, 4), np.float32)[:, ::2])
    with pytest.raises(SimulationError, match="unknown read_mode 'float'"):
        Texture(np.zeros(4, np.uint8), read_mode="float")  # pyright: ignore[reportArgumentType]


DIMS = {"1d": 1, "2d": 2, "3d": 3, "a1d": 2, "a2d": 3, "cube": 3, "acube": 3}


@pytest.mark.parametrize("geometry", DIMS)
def test_shapes(geometry: str) -> None:
    """Layers by z by y by x by channels; a last axis beyond those of the geometry holds channels."""
    dims, layered = DIMS[geometry], geometry in ("a1d", "a2d", "cube", "acube")
    shape = (12, 4, 5)[:dims] if layered else (4, 5, 6)[:dims]
    for channels in (None, 1, 2, 4):
        array = np.arange(math.prod(shape) * (channels or 1), dtype=np.int32).reshape(
            *shape, *([channels] if channels else [])
        )
        found = textures.arranged(array, geometry)
        inner = shape[1:] if layered else shape
        assert found.shape == (shape[0] if layered else 1, *(1,) * (3 - len(inner)), *inner, channels or 1)
        assert (found.reshape(-1) == array.reshape(-1)).all()
    for wrong, message in (
        (np.zeros((3,) * (dims + 2)), f"an array of {dims + 2} dimensions is not a .{geometry}"),
        (np.zeros((2,) * (dims - 1)), f"an array of {dims - 1} dimensions is not a .{geometry}"),
        (np.zeros((*shape, 3)), "3 channels, not 1, 2 or 4"),
        *([(np.zeros((5, *shape[1:])), "5 faces, not a multiple of six")] if "cube" in geometry else []),
    ):
        with pytest.raises(ValueError, match=f"{re.escape(message)}$"):
            textures.arranged(wrong, geometry)


def test_faces_of_a_cube() -> None:
    """The longest component names the face, x before y before z where they are alike; the other two say where."""
    for x, y, z in product((-1.0, -0.5, 0.0, 0.25, 1.0), repeat=3):
        axis = max(range(3), key=lambda n: (abs((x, y, z)[n]), -n))
        negative = (x, y, z)[axis] < 0
        s, t = {
            (0, False): (-z, -y), (0, True): (z, -y), (1, False): (x, z), (1, True): (x, -z), (2, False): (x, -y), (2, True): (-x, -y),
        }[axis, negative]  # fmt: skip
        size = max(abs(x), abs(y), abs(z)) or 1.0
        found = textures.on_face(np.array([x]), np.array([y]), np.array([z]))
        assert [part.tolist() for part in found] == [[2 * axis + negative], [(s / size + 1) / 2], [(t / size + 1) / 2]]


def test_levels_of_gradients() -> None:
    image = textures.Image(np.zeros((1, 1, 8, 32, 1)))
    for normalized, (wide, high) in ((True, (32, 8)), (False, (1, 1))):
        for dx, dy in product(((0.5, 0.0), (0.0, 2.0), (3.0, 4.0), (0.0, 0.0)), repeat=2):
            longest = max(math.hypot(wide * one[0], high * one[1]) for one in (dx, dy))
            first, second = ([np.array([part]) for part in one] for one in (dx, dy))
            found = textures.lowest_level(image, first, second, normalized)
            assert found.tolist() == [math.log2(max(longest, 2.0**-40))]


@pytest.mark.parametrize("mode", ["point", "linear"])
def test_blends_of_levels(mode: str) -> None:
    """Levels outside are the first and the last; blends have 8 bits, and the nearest level is that of a half rounded up."""
    texture = Texture([np.full((8 >> n,), 16.0 * n * n, np.float32) for n in range(3)])
    level = np.array([-2, 0, 0.25, 0.5, 0.501, 0.999, 1, 1.5, 1 + 1 / 512, 1.75, 2, 9])
    found = textures.across_levels(
        texture, "1d", level, lambda image, chosen: np.full((int(chosen.sum()), 1), image.texels.reshape(-1)[0]), mode
    )
    for at, got in zip(np.clip(level, 0, 2).tolist(), found[:, 0].tolist(), strict=True):
        low = math.floor(at + 0.5) if mode == "point" else math.floor(at)
        part = 0.0 if mode == "point" else math.floor((at - low) * 256 + 0.5) / 256
        assert got == 16.0 * low * low * (1 - part) + 16.0 * min(low + 1, 2) ** 2 * part


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_colours_of_borders(channels: int) -> None:
    colour = (1.5, -2.0, 3.25, 7.0)
    sampler = Sampler("border", border_color=colour)
    image = textures.Image(np.arange(4.0 * channels).reshape(1, 1, 1, 4, channels))
    x = np.array([-1, 0, 3, 4, 99])
    found = textures.texels(image, sampler, np.zeros(5, np.int64), [x])
    want = [image.texels[0, 0, 0, n].tolist() if 0 <= n < 4 else list(colour[:channels]) for n in x.tolist()]
    assert found.tolist() == want


def surface_fault(body: str, arguments: list[Any]) -> KernelFault:
    text = REGISTERS + "".join(f"ld.param.u64 %rd{n + 1}, [p{n}];" for n in range(len(arguments))) + body + " ret;"
    with pytest.raises(KernelFault) as caught:
        run(kernel(text, ["u64"] * len(arguments)), "k", 1, 32, arguments)
    assert caught.value.position.line > 0
    return caught.value


AT = "mov.u32 %r1, %tid.x; sub.u32 %r2, %r1, 3; shl.b32 %r3, %r1, 2;"
PLACES = [
    ("suld.b.1d.b32.trap %r4, [%rd1, {%r3}];", (20,), "out-of-bounds", "(80, 0, 0) lies outside the surface", 20),
    ("suld.b.1d.v2.b32.trap {%r4, %r5}, [%rd1, {%r3}];", (40,), "misaligned", "byte 4 is not a multiple of 8", 1),
    ("suld.b.2d.b32.trap %r4, [%rd1, {0, %r1}];", (9, 4), "out-of-bounds", "(0, 9, 0) lies outside the surface", 9),
    ("suld.b.2d.b32.trap %r4, [%rd1, {0, %r2}];", (40, 4), "out-of-bounds", "(0, -3, 0) lies outside the surface", 0),
    ("sust.b.3d.b32.trap [%rd1, {0, 0, %r1, 0}], %r1;", (5, 2, 2), "out-of-bounds", "(0, 0, 5) lies outside the surface", 5),
    ("sust.p.2d.b32.trap [%rd1, {%r1, 1}], %r1;", (2, 17), "out-of-bounds", "(17, 1, 0) lies outside the surface", 17),
    ("sured.b.add.1d.u32.trap [%rd1, {%r3}], %r1;", (31,), "out-of-bounds", "(124, 0, 0) lies outside the surface", 31),
    ("suld.b.3d.b32.trap %r4, [%rd1, {0, 0, 0, 0}];", (4, 4), "descriptor", "the surface does not match: an array of 2 dimensions is not a .3d", 0),
]  # fmt: skip


@pytest.mark.parametrize(("body", "shape", "kind", "message", "lane"), PLACES)
def test_places_outside_of_surfaces(body: str, shape: tuple[int, ...], kind: str, message: str, lane: int) -> None:
    fault = surface_fault(AT + body, [Surface(np.zeros(shape, np.uint32))])
    assert (fault.kind, f": {message}, in" in fault.message) == (kind, True)
    assert fault.thread is not None
    assert fault.thread.lane == lane


@pytest.mark.parametrize(
    ("thing", "body", "message"),
    [
        (Texture(np.zeros(4, np.float32)), "suld.b.1d.b32.trap %r4, [%rd1, {0}];", "the handle is that of a texture"),
        (Sampler(), "suld.b.1d.b32.trap %r4, [%rd1, {0}];", "the handle is that of a sampler"),
        (Surface(np.zeros(4, np.float32)), "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {0}];", "the handle is that of a surface"),
        (Texture(np.zeros((4, 4), np.float32)), "tex.3d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {0, 0, 0, 0}];", "the texture does not match: an array of 2 dimensions is not a .3d"),
        (Texture(np.zeros(4, np.float32)), "tex.1d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {0}];", "texels are floats, which .s32 cannot read"),
        (Texture(np.zeros(4, np.int32)), "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {0}];", "texels are integers, which .f32 cannot read"),
    ],
)  # fmt: skip
def test_things_of_another_kind(thing: Any, body: str, message: str) -> None:
    fault = surface_fault(body, [thing])
    assert (fault.kind, fault.message.partition(": ")[2].partition(", in CTA")[0]) == ("descriptor", message)
    assert fault.thread is not None
    assert fault.thread.lane == 0


@pytest.mark.parametrize("size", ["b8", "b16", "b32", "b64"])
@pytest.mark.parametrize("clamp", ["clamp", "zero"])
def test_bytes_at_the_edges(size: str, clamp: str) -> None:
    """The last whole access of a row, and what lies one byte, or much, further."""
    width = int(size[1:]) // 8
    array = np.random.default_rng(1).integers(0, 256, (3, 16), np.uint8)
    places = [-width, 0, width, 16 - width, 16, 48]
    out = np.zeros((len(places), 3), np.uint64)
    body = ".reg .b64 %x; ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];"
    register = {"b8": "%rs1", "b16": "%rs1", "b32": "%r1", "b64": "%x"}[size]
    wide = {
        "b8": "cvt.u64.u16 %x, %rs1; and.b64 %x, %x, 255;",
        "b16": "cvt.u64.u16 %x, %rs1;",
        "b32": "cvt.u64.u32 %x, %r1;",
        "b64": "",
    }[size]
    for n, at in enumerate(places):
        for row in range(3):
            body += f"suld.b.2d.{size}.{clamp} {register}, [%rd1, {{{at}, {row}}}]; {wide} st.global.u64 [%rd2+{8 * (3 * n + row)}], %x;"
    run(kernel(REGISTERS + body + "ret;", ["u64", "u64"]), "k", 1, 1, [Surface(array), out])
    for (n, at), row in product(enumerate(places), range(3)):
        start = min(max(at, 0), 16 - width)
        want = int.from_bytes(array[row, start : start + width].tobytes(), "little")
        assert out[n, row] == (want if clamp == "clamp" or start == at else 0)


def test_what_formatted_stores_clamp() -> None:
    for dtype, given, want in (
        ("int8", -1000, -128),
        ("int8", 127, 127),
        ("uint8", 256, 255),
        ("int16", 40000, 32767),
        ("uint16", 70000, 65535),
    ):
        array = np.zeros(4, dtype)
        body = f"ld.param.u64 %rd1, [p0]; sust.p.1d.b32.trap [%rd1, {{2}}], {given & 0xFFFFFFFF}; ret;"
        run(kernel(REGISTERS + body, ["u64"]), "k", 1, 1, [weft.Surface(array)])
        assert array.tolist() == [0, 0, want, 0]
