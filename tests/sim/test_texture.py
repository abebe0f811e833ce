"""Textures and surfaces against formulas of the CUDA programming guide, evaluated point by point."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, Array, launch
from weft.sim import KernelFault, SimulationError, run

RNG = np.random.default_rng(8)
COUNT = 64


def inside(i: int, n: int, mode: str) -> int | None:
    """The texel that a number outside stands for; None for the border."""
    if mode == "clamp":
        return min(max(i, 0), n - 1)
    if mode == "border":
        return i if 0 <= i < n else None
    if mode == "wrap":
        return i % n
    i %= 2 * n
    return i if i < n else 2 * n - 1 - i


def texel(image: Array, index: tuple[int, ...], mode: str) -> Array:
    """A texel of [z,] [y,] x, channels; `index` is x, y, z."""
    extents = image.shape[:-1][::-1]
    found = [inside(i, n, mode) for i, n in zip(index, extents, strict=True)]
    if None in found:
        return np.zeros(image.shape[-1])
    return image[tuple(found[::-1])].astype(np.float64)


def filtered(image: Array, point: tuple[float, ...], mode: str, linear: bool) -> Array:
    if not linear:
        return texel(image, tuple(math.floor(p) for p in point), mode)
    base = [math.floor(p - 0.5) for p in point]
    part = [math.floor((p - 0.5 - b) * 256 + 0.5) / 256 for p, b in zip(point, base, strict=True)]
    total: Any = 0.0
    for corner in range(1 << len(point)):
        weight = 1.0
        index = []
        for axis in range(len(point)):
            step = corner >> axis & 1
            weight *= part[axis] if step else 1 - part[axis]
            index.append(base[axis] + step)
        total = total + weight * texel(image, tuple(index), mode)
    return total


def fetch(
    instruction: str,
    texture: Any,
    columns: list[Array],
    result: str = "f32",
    target: str = "sm_80",
    extra: list[Any] | None = None,
) -> Array:
    """Run a texture instruction with a point for each thread; `{t}` is the handle, `%x0`... the columns."""
    types = {"f": "f32", "i": "s32", "u": "u32"}
    out = np.zeros((COUNT, 4), {"f32": np.float32, "u32": np.uint32, "s32": np.int32}[result])
    count = len(columns)
    register = "f32" if result == "f32" else "b32"
    body = [".reg .b64 %h<4>;", INDEX, f".reg .{register} %d<4>; ld.param.u64 %h0, [p0];"]
    for n, column in enumerate(columns):
        kind = types[column.dtype.kind]
        body.append(f".reg .{kind} %x{n}; ld.param.u64 %rd1, [p{n + 1}]; mad.wide.u32 %rd1, %r0, 4, %rd1;")
        body.append(f"ld.global.{kind} %x{n}, [%rd1];")
    for n in range(len(extra or [])):
        body.append(f"ld.param.u64 %h{n + 1}, [p{count + 2 + n}];")
    body.append(instruction.format(d="{%d0, %d1, %d2, %d3}", t="%h0", s="%h1"))
    body.append(f"ld.param.u64 %rd1, [p{count + 1}]; mad.wide.u32 %rd1, %r0, 16, %rd1;")
    body.append(f"st.global.v4.{register} [%rd1], {{%d0, %d1, %d2, %d3}}; ret;")
    from tests.sim.harness import REGISTERS, kernel

    text = kernel(REGISTERS + "\n".join(body), ["u64"] * (count + 2 + len(extra or [])), target)
    run(text, "k", 1, COUNT, [texture, *columns, out, *(extra or [])])
    return out


def points(extents: tuple[int, ...], normalized: bool) -> list[Array]:
    """Points in and around an image, along x, y, z."""
    columns = [RNG.uniform(-1.5, n + 1.5, COUNT).astype(np.float32) for n in extents]
    columns = [np.round(c * 64) / np.float32(64) for c in columns]
    return [c / np.float32(n) if normalized else c for c, n in zip(columns, extents, strict=True)]


SHAPES = {"1d": (16,), "2d": (8, 16), "3d": (4, 8, 16)}
MODES = [("clamp", False), ("border", False), ("wrap", True), ("mirror", True), ("clamp", True)]


@pytest.mark.sample(11)
@pytest.mark.parametrize("filter_mode", ["point", "linear"])
@pytest.mark.parametrize(("mode", "normalized"), MODES)
@pytest.mark.parametrize("geometry", ["1d", "2d", "3d"])
def test_filtering(geometry: str, mode: Any, normalized: bool, filter_mode: Any) -> None:
    shape = SHAPES[geometry]
    image = RNG.integers(-50, 50, (*shape, 4)).astype(np.float32)
    texture = weft.Texture(image, mode, filter_mode, normalized)
    columns = points(shape[::-1], normalized)
    names = ["%x0", "%x1", "%x2"][: len(shape)]
    listed = {1: "{{%x0}}", 2: "{{%x0, %x1}}", 3: "{{%x0, %x1, %x2, %x2}}"}[len(names)]
    out = fetch(f"tex.{geometry}.v4.f32.f32 {{d}}, [{{t}}, {listed}];", texture, columns)
    for i in range(COUNT):
        point = tuple(float(c[i]) * (n if normalized else 1) for c, n in zip(columns, shape[::-1], strict=True))
        assert (out[i] == filtered(image, point, mode, filter_mode == "linear").astype(np.float32)).all()


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32])
def test_integers(dtype: Any) -> None:
    """Texels by whole numbers, as they are, and as fractions of the greatest one."""
    info = np.iinfo(dtype)
    image = RNG.integers(info.min, info.max, (8, 16, 2), dtype=dtype, endpoint=True)
    image[0, 0] = info.min
    x, y = RNG.integers(-3, 20, COUNT).astype(np.int32), RNG.integers(-3, 11, COUNT).astype(np.int32)
    x[:2] = y[:2] = 0
    kind = "s32" if info.min else "u32"
    out = fetch(f"tex.2d.v4.{kind}.s32 {{d}}, [{{t}}, {{{{%x0, %x1}}}}];", weft.Texture(image), [x, y], kind)
    want = image[np.clip(y, 0, 7), np.clip(x, 0, 15)]
    assert (out[:, :2] == want).all()
    if info.bits > 16:
        return
    texture = weft.Texture(image, read_mode="normalized_float")
    out = fetch("tex.2d.v4.f32.s32 {d}, [{t}, {{%x0, %x1}}];", texture, [x, y])
    assert (out[:, :2] == np.maximum(want / float(info.max), -1.0).astype(np.float32)).all()


def test_layers_and_offsets() -> None:
    image = RNG.integers(0, 99, (3, 8, 16)).astype(np.float32)
    layer = RNG.integers(0, 5, COUNT).astype(np.uint32)
    x, y = points((16, 8), False)
    dx, dy = (RNG.integers(-2, 3, COUNT).astype(np.int32) for _ in range(2))
    text = "tex.a2d.v4.f32.f32 {d}, [{t}, {{%x0, %x1, %x2, %x2}}], {{%x3, %x4}};"
    out = fetch(text, weft.Texture(image), [layer, x, y, dx, dy])
    for i in range(COUNT):
        where = math.floor(x[i]) + int(dx[i]), math.floor(y[i]) + int(dy[i])
        assert out[i, 0] == texel(image[min(int(layer[i]), 2)][..., None], where, "clamp")[0]
    line = RNG.integers(0, 99, (3, 16)).astype(np.float32)
    out = fetch("tex.a1d.v4.f32.f32 {d}, [{t}, {{%x0, %x1}}];", weft.Texture(line), [layer, x])
    assert (out[:, 0] == line[np.minimum(layer, 2), np.clip(np.floor(x).astype(int), 0, 15)]).all()


FACES: list[
    tuple[Callable[[float, float, float], bool], Callable[[float, float, float], tuple[float, float, float]]]
] = [
    (lambda x, y, z: x > 0 and x >= abs(y) and x >= abs(z), lambda x, y, z: (-z, -y, x)),
    (lambda x, y, z: x < 0 and -x >= abs(y) and -x >= abs(z), lambda x, y, z: (z, -y, -x)),
    (lambda x, y, z: y > 0 and y >= abs(z), lambda x, y, z: (x, z, y)),
    (lambda x, y, z: y < 0 and -y >= abs(z), lambda x, y, z: (x, -z, -y)),
    (lambda x, y, z: z > 0, lambda x, y, z: (x, -y, z)),
    (lambda x, y, z: z < 0, lambda x, y, z: (-x, -y, -z)),
]


@pytest.mark.parametrize("layered", [False, True])
def test_cubes(layered: bool) -> None:
    image = RNG.integers(0, 999, (12 if layered else 6, 8, 8)).astype(np.float32)
    x, y, z = (RNG.uniform(-1, 1, COUNT).astype(np.float32) for _ in range(3))
    layer = RNG.integers(0, 2, COUNT).astype(np.uint32)
    if layered:
        out = fetch("tex.acube.v4.f32.f32 {d}, [{t}, {{%x0, %x1, %x2, %x3}}];", weft.Texture(image), [layer, x, y, z])
    else:
        out = fetch("tex.cube.v4.f32.f32 {d}, [{t}, {{%x0, %x1, %x2, %x2}}];", weft.Texture(image), [x, y, z])
    for i in range(COUNT):
        direction = float(x[i]), float(y[i]), float(z[i])
        face = next(n for n, (test, _) in enumerate(FACES) if test(*direction))
        s, t, major = FACES[face][1](*direction)
        column, row = (min(math.floor((v / major + 1) / 2 * 8), 7) for v in (s, t))
        assert out[i, 0] == image[face + 6 * int(layer[i]) * layered, row, column]


def test_mip_levels() -> None:
    levels = [np.full((8 >> n, 8 >> n), 10.0 * n, np.float32) for n in range(4)]
    x = y = np.full(COUNT, 0.5, np.float32)
    lod = np.linspace(-1, 5, COUNT).astype(np.float32)
    text = "tex.level.2d.v4.f32.f32 {d}, [{t}, {{%x0, %x1}}], %x2;"
    near = weft.Texture(levels, normalized_coords=True)
    out = fetch(text, near, [x, y, lod])
    want = 10 * np.floor(np.clip(lod.astype(np.float64), 0, 3) + 0.5)
    assert (out[:, 0] == want).all()
    blended = weft.Texture(levels, normalized_coords=True, filter_mode="linear", mipmap_filter_mode="linear")
    out = fetch(text, blended, [x, y, lod])
    exact = np.clip(lod.astype(np.float64), 0, 3)
    part = np.floor((exact - np.floor(exact)) * 256 + 0.5) / 256
    assert np.allclose(out[:, 0], 10 * (np.floor(exact) + part), atol=1e-5)
    slope = np.float32(2.0) ** RNG.integers(-4, 2, COUNT).astype(np.float32)
    zero = np.zeros(COUNT, np.float32)
    text = "tex.grad.2d.v4.f32.f32 {d}, [{t}, {{%x0, %x1}}], {{%x2, %x3}}, {{%x3, %x2}};"
    out = fetch(text, near, [x, y, slope, zero])
    assert (out[:, 0] == 10 * np.clip(np.log2(slope * 8), 0, 3)).all()


@pytest.mark.parametrize("component", list("rgba"))
def test_gather(component: str) -> None:
    image = RNG.integers(0, 999, (8, 16, 4)).astype(np.float32)
    x, y = points((16, 8), False)
    out = fetch(f"tld4.{component}.2d.v4.f32.f32 {{d}}, [{{t}}, {{{{%x0, %x1}}}}];", weft.Texture(image), [x, y])
    channel = "rgba".index(component)
    for i in range(COUNT):
        bx, by = math.floor(x[i] - 0.5), math.floor(y[i] - 0.5)
        corners = [(bx, by + 1), (bx + 1, by + 1), (bx + 1, by), (bx, by)]
        assert out[i].tolist() == [texel(image, corner, "clamp")[channel] for corner in corners]


def test_independent_samplers() -> None:
    """A sampler's fields replace the texture's own."""
    image = RNG.integers(0, 99, (8, 16)).astype(np.float32)
    columns = points((16, 8), True)
    sampler = weft.Sampler("wrap", "linear", True)
    text = "tex.2d.v4.f32.f32 {d}, [{t}, {s}, {{%x0, %x1}}];"
    out = fetch(text, weft.Texture(image), columns, extra=[sampler], target="sm_80, texmode_independent")
    for i in range(COUNT):
        point = float(columns[0][i]) * 16, float(columns[1][i]) * 8
        assert out[i, 0] == np.float32(filtered(image[..., None], point, "wrap", True)[0])


def test_halves_and_predicates() -> None:
    image = RNG.standard_normal((16, 4)).astype(np.float16)
    out, held = np.zeros((32, 2), np.uint32), np.zeros(32, np.uint32)
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    mad.wide.u32 %rd2, %r0, 8, %rd2; mad.wide.u32 %rd3, %r0, 4, %rd3; and.b32 %r1, %r0, 15;
    tex.1d.v2.f16x2.s32 {{%r2, %r3}}|%p1, [%rd1, {{%r1}}]; selp.u32 %r4, 1, 0, %p1;
    st.global.v2.u32 [%rd2], {{%r2, %r3}}; st.global.u32 [%rd3], %r4; ret;"""
    from tests.sim.harness import REGISTERS, kernel

    run(kernel(REGISTERS + body, ["u64"] * 3), "k", 1, 32, [weft.Texture(image), out, held])
    assert (out.view(np.float16) == image[np.arange(32) % 16]).all()
    assert (held == 1).all()


QUERIES = {
    "width": 16, "height": 8, "num_mipmap_levels": 2, "channel_order": 0x10B5, "channel_data_type": 0x10D2,
    "normalized_coords": 1, "filter_mode": 1, "addr_mode_0": 1, "addr_mode_1": 4,
}  # fmt: skip


def test_queries() -> None:
    levels = [np.zeros((8, 16, 4), np.uint8), np.zeros((4, 8, 4), np.uint8)]
    texture = weft.Texture(levels, ("mirror", "border"), "linear", True, "normalized_float")
    out = np.zeros(len(QUERIES) + 1, np.uint32)
    body = ".reg .b64 %h0; ld.param.u64 %h0, [p0]; ld.param.u64 %rd1, [p1];"
    for n, name in enumerate(QUERIES):
        body += f"txq.{name}.b32 %r1, [%h0]; st.global.u32 [%rd1+{4 * n}], %r1;"
    body += f"txq.level.width.b32 %r1, [%h0], 1; st.global.u32 [%rd1+{4 * len(QUERIES)}], %r1; ret;"
    launch_with([texture, out], body)
    assert out.tolist() == [*QUERIES.values(), 8]


def launch_with(arguments: list[Any], body: str, block: int = 1) -> None:
    from tests.sim.harness import REGISTERS, kernel

    run(kernel(REGISTERS + body, ["u64"] * len(arguments)), "k", 1, block, arguments)


def test_kinds_of_handles() -> None:
    image = np.zeros((4, 4), np.float32)
    things = [weft.Texture(image), weft.Sampler(), weft.Surface(image), np.uint64(5)]
    out = np.zeros((4, 3), np.uint32)
    body = "ld.param.u64 %rd1, [p4];"
    for n in range(4):
        body += f"ld.param.u64 %rd2, [p{n}];"
        for m, kind in enumerate(("texref", "samplerref", "surfref")):
            body += f"istypep.{kind} %p1, %rd2; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd1+{12 * n + 4 * m}], %r1;"
    launch_with([*things, out], body + "ret;")
    assert (out == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]).all()


# -- surfaces -------------------------------------------------------------------------------------------------

ACCESSES = [("1d", (32,), 0), ("2d", (8, 32), 0), ("3d", (3, 8, 32), 0), ("a1d", (3, 32), 1), ("a2d", (3, 8, 32), 1)]


@pytest.mark.parametrize("clamp", ["clamp", "zero"])
@pytest.mark.parametrize(("geometry", "shape", "layered"), ACCESSES)
def test_surface_bytes(geometry: str, shape: tuple[int, ...], layered: int, clamp: str) -> None:
    """Read pairs of words at bytes, also outside, and write them one row apart."""
    source, target = RNG.integers(0, 1 << 31, shape).astype(np.uint32), np.zeros(shape, np.uint32)
    where = [RNG.integers(-2, n + 2, COUNT).astype(np.int32) for n in shape]
    if layered:
        where[0] = np.abs(where[0])
    where[-1] = where[-1] // 2 * 2
    out = np.zeros((COUNT, 2), np.uint32)
    columns = np.stack(where[::-1] if not layered else [where[0], *where[1:][::-1]], axis=1).astype(np.int32)
    columns = np.concatenate([columns, np.zeros((COUNT, 4 - columns.shape[1]), np.int32)], axis=1)
    at = 1 if layered else 0
    names = [f"%x{i}" for i in range(4)][: {"1d": 1, "2d": 2, "a1d": 2}.get(geometry, 4)]
    body = f""".reg .b32 %x<4>; {INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    ld.param.u64 %rd4, [p3]; mad.wide.u32 %rd3, %r0, 16, %rd3; mad.wide.u32 %rd4, %r0, 8, %rd4;
    ld.global.v4.u32 {{%x0, %x1, %x2, %x3}}, [%rd3]; shl.b32 %x{at}, %x{at}, 2;
    suld.b.{geometry}.v2.b32.{clamp} {{%r1, %r2}}, [%rd1, {{{", ".join(names)}}}];
    st.global.v2.u32 [%rd4], {{%r1, %r2}};
    sust.b.{geometry}.v2.b32.{clamp} [%rd2, {{{", ".join(names)}}}], {{%r1, %r2}}; ret;"""
    launch_with([weft.Surface(source), weft.Surface(target), columns, out], body, COUNT)
    want = np.zeros_like(target)
    for i in range(COUNT):
        index = [int(w[i]) for w in where]
        most = [*(n - 1 for n in shape[:-1]), shape[-1] - 2]
        outside = any(not 0 <= v <= m for v, m in zip(index, most, strict=True))
        if outside and clamp == "zero":
            assert (out[i] == 0).all()
            continue
        *rows, x = (min(max(v, 0), m) for v, m in zip(index, most, strict=True))
        assert (out[i] == source[(*rows, slice(x, x + 2))]).all()
        want[(*rows, slice(x, x + 2))] = out[i]
    assert (target == want).all()


@pytest.mark.parametrize(("dtype", "words"), [(np.uint8, [300, 7]), (np.int16, [-40000, 5]), (np.float16, [1.5, -2.0])])
def test_formatted_stores(dtype: Any, words: list[float]) -> None:
    surface = np.zeros((4, 8, 2), dtype)
    raw = np.array(words, np.float32 if np.dtype(dtype).kind == "f" else np.int64)
    first, second = raw.view(np.uint32) if raw.dtype == np.float32 else (int(v) & 0xFFFFFFFF for v in raw)
    body = f"ld.param.u64 %rd1, [p0]; sust.p.2d.v2.b32.trap [%rd1, {{3, 2}}], {{{int(first)}, {int(second)}}}; ret;"
    launch_with([weft.Surface(surface)], body)
    info = None if np.dtype(dtype).kind == "f" else np.iinfo(dtype)
    want = np.asarray(words) if info is None else np.clip(words, info.min, info.max)
    assert surface[2, 3].tolist() == want.tolist()
    assert np.count_nonzero(surface) == 2


@pytest.mark.parametrize(
    ("op", "first", "want"), [("add", 5, 501), ("min", 77, 0), ("max", 3, 31), ("or", 64, 95), ("and", 95, 0)]
)
def test_reductions(op: str, first: int, want: int) -> None:
    surface = np.zeros((4, 8), np.uint32)
    surface[1, 2] = first
    body = f"{INDEX} ld.param.u64 %rd1, [p0];"
    type_ = "b32" if op in ("or", "and") else "u32"
    launch_with([weft.Surface(surface)], f"{body} sured.b.{op}.2d.{type_}.trap [%rd1, {{8, 1}}], %r0; ret;", 32)
    assert surface[1, 2] == want and np.count_nonzero(surface) == (want != 0)
    surface[1, 2] = first
    if type_ == "u32":
        launch_with([weft.Surface(surface)], f"{body} sured.p.{op}.2d.b32.trap [%rd1, {{2, 1}}], %r0; ret;", 32)
        assert surface[1, 2] == want


def test_surface_queries() -> None:
    out = np.zeros(3, np.uint32)
    body = "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];"
    for n, name in enumerate(("width", "height", "channel_data_type")):
        body += f"suq.{name}.b32 %r1, [%rd1]; st.global.u32 [%rd2+{4 * n}], %r1;"
    launch_with([weft.Surface(np.zeros((5, 9), np.int32)), out], body + "ret;")
    assert out.tolist() == [9, 5, 0x10D9]


# -- what can go wrong ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thing", "body", "kind"),
    [
        (np.zeros((4, 4), np.float32), "suld.b.2d.b32.trap %r1, [%rd1, {16, 0}];", "out-of-bounds"),
        (np.zeros((4, 4), np.float32), "suld.b.2d.b32.trap %r1, [%rd1, {2, 0}];", "misaligned"),
        (np.zeros(4, np.float32), "suld.b.2d.b32.trap %r1, [%rd1, {0, 0}];", "descriptor"),
        (None, "suld.b.2d.b32.trap %r1, [%rd1, {0, 0}];", "descriptor"),
    ],
)
def test_faults(thing: Array | None, body: str, kind: str) -> None:
    argument = np.uint64(1) if thing is None else weft.Surface(thing)
    with pytest.raises(KernelFault) as caught:
        launch_with([argument], f"ld.param.u64 %rd1, [p0]; {body} ret;")
    assert caught.value.kind == kind


def test_textures_of_the_wrong_kind() -> None:
    texture = weft.Texture(np.zeros((4, 4), np.uint8))
    with pytest.raises(KernelFault, match="integers"):
        fetch("tex.2d.v4.f32.s32 {d}, [{t}, {{0, 0}}];", texture, [])
    with pytest.raises(SimulationError, match="float64"):
        weft.Texture(np.zeros((4, 4)))


def test_nothing_runs_before_an_instruction_that_is_not_there() -> None:
    out = np.zeros(1, np.uint32)
    body = """ld.param.u64 %rd1, [p0]; st.global.u32 [%rd1], 1;
    tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r4}]; ret;"""
    with pytest.raises(weft.sim.UnsupportedInstruction, match=r"tex\.2dms") as caught:
        launch(body, [out])
    assert caught.value.position is not None and caught.value.position.line
    assert out[0] == 0
