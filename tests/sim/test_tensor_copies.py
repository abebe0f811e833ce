"""Tensor copies: boxes, swizzles, im2col columns, gathers, fills, stores and reductions, against plain indexing."""

from __future__ import annotations

import itertools
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import Array, kernel
from weft.sim import Async, KernelFault, run

POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy", "random"])

# How 16-byte pieces change places in each row of 128 bytes, as the manual's tables list them.
PATTERNS = {
    "NONE": [[0, 1, 2, 3, 4, 5, 6, 7]],
    "32B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]],
    "64B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4]],
    "128B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4],
             [4, 5, 6, 7, 0, 1, 2, 3], [5, 4, 7, 6, 1, 0, 3, 2], [6, 7, 4, 5, 2, 3, 0, 1], [7, 6, 5, 4, 3, 2, 1, 0]],
    "128B_ATOM_32B": [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 0, 1, 6, 7, 4, 5],
                      [4, 5, 6, 7, 0, 1, 2, 3], [6, 7, 4, 5, 2, 3, 0, 1]],
    "128B_ATOM_64B": [[0, 1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 0, 1, 2, 3]],
}  # fmt: skip


def swizzled(image: Array, mode: str, base: int = 0) -> Array:
    """Bytes from shared address `base` on, with the pieces of each 128-byte row where the manual's tables put them."""
    if mode == "128B_ATOM_32B_FLIP_8B":
        rows = swizzled(image, "128B_ATOM_32B", base).reshape(-1, 8, 2, 8)
        rows[1 - base // 128 % 2 :: 2] = rows[1 - base // 128 % 2 :: 2, :, ::-1].copy()
        return rows.reshape(-1)
    rows, table = image.reshape(-1, 8, 16), PATTERNS[mode]
    out = np.empty_like(rows)
    for number, row in enumerate(rows):
        out[number] = row[table[(base // 128 + number) % len(table)]]
    return out.reshape(-1)


def load(
    tensor_map: weft.TensorMap,
    coordinates: list[int],
    size: int,
    *,
    mode: str = "",
    extra: str = "",
    base: int = 0,
    count: int | None = None,
    policy: Async = "eager",
    target: str = "sm_100a",
) -> Array:
    """What `size` bytes of shared memory from `base` on hold after a tensor load; `count` bytes complete the mbarrier."""
    out = np.zeros(size, np.uint8)
    dims = tensor_map.fields.rank
    at = ", ".join(str(c) for c in coordinates)
    body = f""".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 1024 .b8 s[{base + size}]; .shared .align 8 .b8 bar[8];
    mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [p1]; mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; setp.ne.u32 %p1, %r1, 0;
    mov.u32 %r2, s; mad.lo.u32 %r4, %r1, 4, 0; fill: add.u32 %r5, %r2, %r4; st.shared.u32 [%r5], 0xa5a5a5a5; add.u32 %r4, %r4, 128;
    setp.lt.u32 %p2, %r4, {base + size}; @%p2 bra fill; bar.warp.sync -1; @%p1 bra ready;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [bar], {size if count is None else count};
    cp.async.bulk.tensor.{dims}d.shared::cta.global{mode}.mbarrier::complete_tx::bytes [s+{base}], [%rd1, {{{at}}}], [bar]{extra};
    ready: bar.sync 0;
    again: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra again;
    mul.lo.u32 %r4, %r1, 4; copy: add.u32 %r5, %r2, %r4; ld.shared.u32 %r3, [%r5+{base}]; cvt.u64.u32 %rd3, %r4; add.u64 %rd3, %rd3, %rd2;
    st.global.u32 [%rd3], %r3; add.u32 %r4, %r4, 128; setp.lt.u32 %p2, %r4, {size}; @%p2 bra copy; ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], target).to_ptx().replace("p0,", "p0[128],")
    run(weft.parse(text), "k", 1, 32, [tensor_map, out], async_=policy)
    return out


def cut(array: Array, start: list[int], extents: list[int], steps: list[int] | None = None, fill: Any = 0) -> Array:
    """The box of an array that starts at `start`, element by element; all lists follow the array's axes."""
    out = np.full(extents, fill, array.dtype)
    steps = steps or [1] * array.ndim
    for index in itertools.product(*(range(extent) for extent in extents)):
        at = tuple(s + i * step for s, i, step in zip(start, index, steps, strict=True))
        if all(0 <= a < n for a, n in zip(at, array.shape, strict=True)):
            out[index] = array[at]
    return out


def raw(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def random_array(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.random.default_rng(seed).integers(1, 120, size, np.uint8).view(dtype).reshape(shape)


@pytest.mark.sample(5)
@POLICIES
@pytest.mark.parametrize(
    ("shape", "box", "start"),
    [((64,), (32,), [16]), ((10, 32), (4, 16), [3, 8]), ((4, 6, 16), (2, 3, 8), [1, 2, 8]), ((3, 4, 5, 8), (2, 2, 3, 4), [1, 1, 1, 4]),
     ((2, 3, 4, 3, 8), (1, 2, 2, 2, 8), [1, 1, 2, 1, 0])],
)  # fmt: skip
def test_boxes_of_all_ranks(shape: tuple[int, ...], box: tuple[int, ...], start: list[int], policy: Async) -> None:
    a = random_array(shape, np.uint32)
    out = load(weft.TensorMap(a, box), start[::-1], int(np.prod(box)) * 4, policy=policy, target="sm_90")
    assert (out == raw(cut(a, start, list(box)))).all()


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    "dtype",
    [np.uint8, np.uint16, np.int32, np.uint64, np.float16, ml_dtypes.bfloat16, np.float64, ml_dtypes.float8_e4m3fn],
)
@pytest.mark.parametrize("start", [[-2, -3], [5, 13], [20, 0], [7, 16], [0, 1]])
def test_what_lies_outside_is_zero(dtype: Any, start: list[int]) -> None:
    each = 16 // np.dtype(dtype).itemsize
    a = random_array((9, 2 * each), dtype)
    out = load(weft.TensorMap(a, (4, 2 * each)), start[::-1], 4 * 2 * 16)
    assert (out == raw(cut(a, start, [4, 2 * each]))).all()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, np.float64])
def test_what_lies_outside_is_nan(dtype: Any) -> None:
    a = random_array((5, 16), dtype)
    out = load(weft.TensorMap(a, (4, 16), oob_fill="NAN_REQUEST_ZERO_FMA"), [-3, 3], 4 * 16 * a.itemsize)
    want, inside = cut(a, [3, -3], [4, 16]), cut(np.ones_like(a, np.bool_), [3, -3], [4, 16])
    assert (out.view(dtype).reshape(4, 16)[inside] == want[inside]).all()
    assert np.isnan(out.view(dtype).reshape(4, 16)[~inside].astype(np.float64)).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", [*PATTERNS, "128B_ATOM_32B_FLIP_8B"])
@pytest.mark.parametrize("base", [0, 128, 384, 896])
def test_swizzles_follow_the_address(mode: Any, base: int) -> None:
    width = 128 if mode == "NONE" else int(mode.split("B")[0])
    a = random_array((16 * 128 // width, width // 2), np.uint16)
    out = load(weft.TensorMap(a, a.shape, swizzle=mode), [0, 0], a.nbytes, base=base)
    assert (out == swizzled(raw(a), mode, base)).all()


def test_short_rows_take_a_whole_row_of_the_pattern() -> None:
    a = random_array((16, 16), np.uint16)
    out = load(weft.TensorMap(a, (16, 16), swizzle="64B"), [0, 0], 1024, count=512)
    want = np.full((16, 64), 0xA5, np.uint8)
    want[:, :32] = a.view(np.uint8)
    assert (out == swizzled(want.reshape(-1), "64B")).all()


def test_swizzled_boxes_at_the_edge() -> None:
    a = random_array((20, 64), np.float16)
    out = load(weft.TensorMap(a, (16, 64), swizzle="128B"), [24, 12], 2048)
    assert (out == swizzled(raw(cut(a, [12, 24], [16, 64])), "128B")).all()


def test_traversal_strides() -> None:
    a = random_array((9, 11, 16), np.uint16)
    out = load(weft.TensorMap(a, (7, 8, 16), element_strides=(3, 2, 1)), [0, 4, 1], 3 * 4 * 16 * 2)
    assert (out == raw(cut(a, [1, 4, 0], [3, 4, 16], [3, 2, 1]))).all()


def test_driver_parameters() -> None:
    """A window of an array, with gaps between its rows, under the driver's own names."""
    a = random_array((8, 64), np.uint16)
    tensor_map = weft.TensorMap.encode_tiled(a, "UINT16", [20, 8], [128], [16, 4], [1, 1])
    out = load(tensor_map, [8, 2], 128)
    assert (out == raw(cut(a[:, :20], [2, 8], [4, 16]))).all()


def test_values_that_loads_round() -> None:
    a = np.tile(np.array([1.0 + 2.0**-11, 1.0 + 3 * 2.0**-11, 2.0**-140, -(2.0**-130)], np.float32), 8)
    out = load(weft.TensorMap(a, (32,), data_type="TFLOAT32"), [0], 128).view(np.float32)
    assert out[:2].tolist() == [1.0, 1.0 + 2.0**-9]
    out = load(weft.TensorMap(a, (32,), data_type="FLOAT32_FTZ"), [0], 128).view(np.float32)
    assert out[:4].tolist() == [a[0], a[1], 0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "packed", "stored"), [("16U4_ALIGN8B", 8, 8), ("16U4_ALIGN16B", 8, 16), ("16U6_ALIGN16B", 12, 16)]
)
@pytest.mark.parametrize("swizzle", ["NONE", "128B"])
def test_elements_of_less_than_a_byte(name: str, packed: int, stored: int, swizzle: Any) -> None:
    row = 2 * 8 * packed
    a = random_array((5, row), np.uint8)
    tensor_map = weft.TensorMap(a, (4, 128), data_type=name, swizzle=swizzle)
    size = 4 * 8 * packed  # What pads them does not come from the tensor: CUTLASS and Triton expect no more.
    pitch = 128 if swizzle == "128B" else 8 * stored
    out = load(tensor_map, [128, 2], 4 * pitch, count=size)
    if swizzle == "128B":
        out = swizzled(out, "128B")  # Its own inverse.
    rows = out.reshape(4, -1)[:, : 8 * stored].reshape(4, 8, stored)[:, :, :packed]
    assert (rows[:3].reshape(3, -1) == a[2:, row // 2 :]).all()
    assert (rows[3] == 0).all()


# -- im2col -------------------------------------------------------------------------------------------------------


def pixels(
    a: Array, start: list[int], lower: list[int], upper: list[int], offsets: list[int], steps: list[int], count: int
) -> list[tuple[int, ...]]:
    """Positions (N, then the spatial axes as the array has them) of a column, by counting through the box."""
    spatial = a.shape[1:-1]
    position = list(start)
    found = []
    for _ in range(count):
        found.append((position[0], *(p + o for p, o in zip(position[1:], offsets, strict=True))))
        for axis in range(len(spatial), 0, -1):
            position[axis] += steps[axis - 1]
            if position[axis] <= spatial[axis - 1] - 1 + upper[axis - 1]:
                break
            position[axis] = lower[axis - 1]
        else:
            position[0] += 1
    return found


def column(a: Array, places: list[tuple[int, ...]], channel: int, channels: int) -> Array:
    padded = np.zeros((len(places), channels), a.dtype)
    for line, place in enumerate(places):
        if all(0 <= p < n for p, n in zip(place, a.shape, strict=False)):
            piece = a[place][channel : channel + channels]
            padded[line, : len(piece)] = piece
    return padded


@pytest.mark.parametrize(
    ("shape", "start", "lower", "upper", "offsets", "steps"),
    [
        ((3, 9, 16), [0, -1], [-1], [-1], [2], [1]),
        ((2, 7, 9, 16), [0, 4, 7], [-1, -1], [-1, -1], [0, 0], [1, 1]),
        ((2, 7, 9, 16), [0, 4, 6], [0, 0], [-2, -2], [2, 2], [1, 1]),
        ((2, 8, 14, 16), [0, 3, 5], [-1, -1], [-1, -1], [1, 1], [2, 2]),
        ((2, 4, 5, 6, 16), [1, 1, 2, 3], [-1, 0, -1], [0, -1, -1], [1, 0, 2], [1, 2, 1]),
    ],
)
def test_im2col(
    shape: tuple[int, ...], start: list[int], lower: list[int], upper: list[int], offsets: list[int], steps: list[int]
) -> None:
    """Columns of images; the lists follow the array's axes (N, then D, H, W)."""
    a = random_array(shape, np.uint16)
    tensor_map = weft.TensorMap.encode_im2col(a, lower[::-1], upper[::-1], 8, 64, element_strides=[1, *steps[::-1], 1])
    at = [8, *start[::-1]]
    extra = f", {{{', '.join(str(o) for o in offsets[::-1])}}}"
    out = load(tensor_map, at, 64 * 16, mode=".im2col", extra=extra, target="sm_90")
    places = pixels(a, start, lower, upper, offsets, steps, 64)
    assert (out == raw(column(a, places, 8, 8))).all()


@pytest.mark.parametrize(
    ("images", "lower", "upper", "start", "offset", "want"),
    [
        (1, -1, -1, [0, -1, -1], 0, [0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11]),
        (1, -1, -1, [0, -1, -1], 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
        (2, 0, 0, [0, 1, 3], 0, [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]),
        (2, -1, -1, [0, 1, 2], 0, [7, 0, 9, 10, 11, 0, 0, 0, 0, 0, 17, 18, 19, 0, 21, 22]),
    ],
)
def test_columns_that_hopper_gives(
    images: int, lower: int, upper: int, start: list[int], offset: int, want: list[int]
) -> None:
    """4x4 images of counted pixels, as Triton's tutorial on im2col prints what the hardware loads."""
    a = np.repeat(np.arange(1, 16 * images + 1, dtype=np.float32), 32).reshape(images, 4, 4, 32)
    tensor_map = weft.TensorMap.encode_im2col(a, (lower, lower), (upper, upper), 32, 16)
    out = load(tensor_map, [0, *start[::-1]], 2048, mode=".im2col", extra=f", {{{offset}, {offset}}}", target="sm_90")
    assert out.view(np.float32).reshape(16, 32)[:, 5].tolist() == want


@pytest.mark.sample(1)
@pytest.mark.parametrize("stride", [1, 2])
def test_im2col_makes_a_convolution(stride: int) -> None:
    """The columns of all filter positions, times the filter, are the convolution."""
    rng = np.random.default_rng(3)
    a, f = rng.integers(-3, 4, (2, 6, 5, 8)).astype(np.float16), rng.integers(-3, 4, (3, 3, 8, 4)).astype(np.float16)
    height, width = (6 - 1) // stride + 1, (5 - 1) // stride + 1
    upper = (width - 1) * stride + 1 - 5 - 1, (height - 1) * stride + 1 - 6 - 1
    count = 2 * height * width
    tensor_map = weft.TensorMap.encode_im2col(a, (-1, -1), upper, 8, count, element_strides=(1, stride, stride, 1))
    out = np.zeros((count, 4))
    for r, s in itertools.product(range(3), range(3)):
        taken = load(
            tensor_map, [0, -1, -1, 0], -(-count // 8) * 128, count=count * 16, mode=".im2col", extra=f", {{{s}, {r}}}"
        )
        out += taken[: count * 16].view(np.float16).reshape(count, 8).astype(np.float64) @ f[r, s]
    padded = np.pad(a.astype(np.float64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    want = np.zeros((2, height, width, 4))
    for r, s in itertools.product(range(3), range(3)):
        want += padded[:, r : r + 6 : stride, s : s + 5 : stride] @ f[r, s].astype(np.float64)
    assert (out.reshape(want.shape) == want).all()


@pytest.mark.parametrize(("halo", "offset"), [(0, 0), (2, 0), (1, 1)])
def test_im2col_w(halo: int, offset: int) -> None:
    """Pixels of one row of each image, one image after the other; the halo goes on along W."""
    a = random_array((3, 4, 9, 64), np.uint16)
    tensor_map = weft.TensorMap.encode_im2col_wide(a, -1, -1, 64, 16, swizzle="128B")
    extra = f", {{{halo}, {offset}}}"
    out = load(tensor_map, [0, 2, 3, 0], (16 + halo) * 128, mode=".im2col::w", extra=extra)
    row = [(n, 3, w) for n in range(3) for w in range(-1, 8)][3:19]
    row += [(row[-1][0], 3, row[-1][2] + 1 + i) for i in range(halo)]
    places = [(n, h, w + offset) for n, h, w in row]
    assert (out == swizzled(raw(column(a, places, 0, 64)), "128B")).all()
    out = load(tensor_map, [0, 2, 3, 0], (128 + 4 * halo) * 128, mode=".im2col::w::128", extra=extra)
    row = [(n, 3, w) for n in range(16) for w in range(-1, 8)][3:131]
    groups = [row[i : i + 32] for i in range(0, 128, 32)]
    row = [p for g in groups for p in (*g, *((g[-1][0], 3, g[-1][2] + 1 + i) for i in range(halo)))]
    places = [(n, h, w + offset) for n, h, w in row]
    assert (out == swizzled(raw(column(a, places, 0, 64)), "128B")).all()


def test_gather4() -> None:
    a = random_array((20, 64), np.uint16)
    out = load(weft.TensorMap(a, (1, 64), swizzle="128B"), [8, 3, 17, 25, 0], 512, mode=".tile::gather4")
    rows = np.concatenate([cut(a, [row, 8], [1, 64]) for row in (3, 17, 25, 0)])
    assert (out == swizzled(raw(rows), "128B")).all()


# -- stores -------------------------------------------------------------------------------------------------------


def store(
    tensor_map: weft.TensorMap, coordinates: list[int], image: Array, *, opcode: str = "cp.async.bulk.tensor", mode: str = "",
    policy: Async = "eager", times: int = 1,
) -> None:  # fmt: skip
    """Store a box whose bytes in shared memory are `image`."""
    dims, at = tensor_map.fields.rank, ", ".join(str(c) for c in coordinates)
    source = raw(image).copy()
    instruction = (
        f"{opcode.replace('tensor', f'tensor.{dims}d.global.shared::cta', 1)}{mode}.bulk_group [%rd1, {{{at}}}], [s];"
    )
    body = f""".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 1024 .b8 s[{source.nbytes}];
    mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [p1]; mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; mov.u32 %r2, s; mul.lo.u32 %r4, %r1, 4;
    fill: cvt.u64.u32 %rd3, %r4; add.u64 %rd3, %rd3, %rd2; ld.global.u32 %r3, [%rd3]; add.u32 %r5, %r2, %r4; st.shared.u32 [%r5], %r3;
    add.u32 %r4, %r4, 128; setp.lt.u32 %p2, %r4, {source.nbytes}; @%p2 bra fill; fence.proxy.async.shared::cta; bar.sync 0;
    setp.ne.u32 %p1, %r1, 0; @%p1 bra done; {instruction * times} cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; done: ret;"""
    text = kernel(body, ["align 64 .b8", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")
    run(weft.parse(text), "k", 1, 32, [tensor_map, source], async_=policy)


@POLICIES
def test_stores_leave_out_what_lies_outside(policy: Async) -> None:
    a, new = random_array((10, 48), np.uint16), random_array((8, 32), np.uint16, 1)
    want = a.copy()
    want[5:, 24:] = new[:5, :24]
    store(weft.TensorMap(a, (8, 32), swizzle="64B"), [24, 5], swizzled(raw(new), "64B"), policy=policy)
    assert (a == want).all()


def test_store_of_three_dimensions_with_strides() -> None:
    a, new = random_array((4, 6, 8), np.float32), random_array((2, 2, 8), np.float32, 1)
    want = a.copy()
    want[1:3, 1:5:3] = new
    store(weft.TensorMap(a, (2, 4, 8), element_strides=(1, 3, 1)), [0, 1, 1], new)
    assert (a == want).all()


def test_scatter4() -> None:
    a, new = random_array((12, 32), np.uint16), random_array((4, 32), np.uint16, 1)
    want = a.copy()
    want[[7, 2, 11]] = new[[0, 1, 3]]
    store(weft.TensorMap(a, (1, 32)), [0, 7, 2, 40, 11], new, mode=".tile::scatter4")
    assert (a == want).all()


def test_im2col_store() -> None:
    a, new = random_array((2, 5, 6, 8), np.uint16), random_array((20, 8), np.uint16, 1)
    want = a.copy().reshape(60, 8)
    want[8:28] = new
    tensor_map = weft.TensorMap.encode_im2col(a, (0, 0), (0, 0), 8, 20)
    store(tensor_map, [0, 2, 1, 0], new, mode=".im2col_no_offs")
    assert (a.reshape(60, 8) == want).all()


@pytest.mark.sample(8)
@POLICIES
@pytest.mark.parametrize(
    ("op", "dtype", "combine"),
    [
        ("add", np.uint32, np.add),
        ("add", np.int32, np.add),
        ("add", np.uint64, np.add),
        ("add", np.float32, np.add),
        ("add", np.float16, np.add),
        ("add", ml_dtypes.bfloat16, np.add),
        ("min", np.int32, np.minimum),
        ("max", np.uint32, np.maximum),
        ("min", np.int64, np.minimum),
        ("max", np.float16, np.maximum),
        ("min", ml_dtypes.bfloat16, np.minimum),
        ("and", np.uint32, np.bitwise_and),
        ("or", np.uint64, np.bitwise_or),
        ("xor", np.int32, np.bitwise_xor),
        ("inc", np.uint32, lambda old, new: np.where(old >= new, 0, old + 1)),
        ("dec", np.uint32, lambda old, new: np.where((old == 0) | (old > new), new, old - 1)),
    ],
)
def test_reductions(op: str, dtype: Any, combine: Any, policy: Async) -> None:
    a, new = random_array((6, 32), dtype), random_array((4, 16), dtype, 1)
    want = a.copy()
    old = cut(a, [3, 20], [4, 16])[:3, :12]
    want[3:, 20:] = combine(combine(old, new[:3, :12]).astype(dtype), new[:3, :12])
    opcode = f"cp.reduce.async.bulk.tensor.{op}"
    store(weft.TensorMap(a, (4, 16)), [20, 3], new, opcode=opcode, policy=policy, times=2)
    assert (raw(a) == raw(want)).all()


# -- what is refused ----------------------------------------------------------------------------------------------


def halves(*shape: int) -> Array:
    return np.zeros(shape, np.float16)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: weft.TensorMap(halves(4, 4), (4, 4)), "global_strides\\[0\\] is 8: strides are multiples of 16"),
        (lambda: weft.TensorMap(halves(4, 16), (4, 4)), "a row of the box is 8 bytes"),
        (lambda: weft.TensorMap(halves(4, 16), (257, 16)), "box_dim\\[1\\] is 257"),
        (lambda: weft.TensorMap(halves(4, 128), (4, 128), swizzle="128B"), "256 bytes, more than the 128"),
        (lambda: weft.TensorMap(halves(4, 16), (4,)), "box_dim has 1 elements"),
        (lambda: weft.TensorMap(halves(4, 16), (4, 16), element_strides=(9, 1)), "the traversal stride is 1 to 8"),
        (lambda: weft.TensorMap(np.zeros((4, 16), np.uint16), (4, 16), oob_fill="NAN_REQUEST_ZERO_FMA"), "floating-point types only"),
        (lambda: weft.TensorMap(halves(4, 16), (4, 16), swizzle="256B"), "unknown swizzle '256B'"),  # pyright: ignore
        (lambda: weft.TensorMap(np.zeros((4, 16), np.complex64), (4, 16)), "no type for complex64"),
        (lambda: weft.TensorMap(halves(4, 16), (4, 16), interleave="16B"), "interleaved tensors have 3 to 5"),
        (lambda: weft.TensorMap(halves(2, 4, 16), (2, 4, 16), interleave="32B"), "needs the swizzle 32B"),
        (lambda: weft.TensorMap(halves(1, 1, 1, 1, 1, 16), (1, 1, 1, 1, 1, 16)), "1 to 5 dimensions, not 6"),
        (lambda: weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (-129, 0), (0, 0), 8, 8), "out of range"),
        (lambda: weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (0, 0), (-4, 0), 8, 8), "empty along W"),
        (lambda: weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (0,), (0, 0), 8, 8), "this map needs 2"),
        (lambda: weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (0, 0), (0, 0), 8, 1025), "pixels_per_column is 1025"),
        (lambda: weft.TensorMap.encode_im2col_wide(halves(2, 4, 4, 8), 0, 0, 8, 8), "swizzle mode other than NONE"),
    ],
)  # fmt: skip
def test_maps_that_the_driver_refuses(make: Any, message: str) -> None:
    with pytest.raises(weft.TensorMapError, match=message):
        make()


def caught(*arguments: Any, **more: Any) -> KernelFault:
    with pytest.raises(KernelFault) as found:
        load(*arguments, **more)
    assert found.value.position.line > 0
    return found.value


def test_faults() -> None:
    a = halves(16, 64)
    plain = weft.TensorMap(a, (8, 64))
    assert caught(plain, [0, 0], 1024, base=64).kind == "misaligned"
    found = caught(plain, [0, 0], 512, count=1024)
    assert found.kind == "out-of-bounds"
    assert "does not fit the CTA's" in str(found)
    found = caught(weft.TensorMap(a, (2, 64)), [0, 0, 1, 2, 3], 512, mode=".tile::gather4")
    assert (found.kind, "boxes of one row" in found.hint) == ("tensor-map", True)
    found = caught(plain, [0, 0], 1024, count=1000)
    assert found.kind == "deadlock"
    image = weft.TensorMap.encode_im2col(halves(2, 4, 4, 8), (0, 0), (-1, -1), 8, 8)
    assert "outside the pixel box 0 to 2" in str(caught(image, [0, 3, 0, 0], 128, mode=".im2col", extra=", {0, 0}"))
    with pytest.raises(KernelFault, match="must not be negative"):
        store(plain, [0, -1], halves(8, 64))
    with pytest.raises(KernelFault, match=r"unsupported reduction \.inc of \.f16"):
        store(plain, [0, 0], halves(8, 64), opcode="cp.reduce.async.bulk.tensor.inc")
    with pytest.raises(KernelFault, match="is allowed on copies to shared memory only"):
        store(weft.TensorMap(a, (8, 64), swizzle="128B_ATOM_32B_FLIP_8B"), [0, 0], halves(8, 64))


def test_foreign_bytes() -> None:
    class Foreign(weft.TensorMap):
        def encode(self, address: int) -> bytes:
            return bytes(range(128))

    found = caught(Foreign(halves(16, 64), (8, 64)), [0, 0], 1024)
    assert found.kind == "tensor-map"
    assert "they come from another encoder" in str(found)


def test_tensor_larger_than_its_memory() -> None:
    a = halves(16, 64)
    beyond = weft.TensorMap.encode_tiled(a, "FLOAT16", [64, 17], [128], [64, 8])
    assert (load(beyond, [0, 8], 1024) == 0).all()
    assert caught(beyond, [0, 9], 1024).kind == "out-of-bounds"


@pytest.mark.parametrize("ordered", [True, False])
def test_stores_to_what_a_copy_reads(ordered: bool) -> None:
    """Another CTA stores to the tensor: only what it has stored after a flag said that the copy has read is no race."""
    tensor, out, flag = (
        np.arange(64 * 16, dtype=np.uint32).reshape(64, 16),
        np.zeros(16, np.uint32),
        np.zeros(1, np.uint32),
    )
    tell = "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd4], 1;" if ordered else ""
    hear = "look: ld.acquire.gpu.global.u32 %r3, [%rd4]; setp.eq.u32 %p2, %r3, 0; @%p2 bra look;" if ordered else ""
    body = f""".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
    .shared .align 1024 .b8 s[4096]; .shared .align 8 .b8 bar[8];
    mov.u32 %r1, %tid.x; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
    mov.u64 %rd1, p0; cvta.param.u64 %rd1, %rd1; setp.ne.u32 %p1, %r1, 0; @%p1 ret;
    mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra other;
    mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 4096;
    cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [s], [%rd1, {{0, 0}}], [bar];
    again: mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0; @!%p3 bra again;
    ld.shared.u32 %r3, [s]; st.global.u32 [%rd2], %r3; {tell} ret;
    other: {hear} st.global.u32 [%rd3+256], 7; ret;"""
    text = kernel(body, ["align 64 .b8", "u64", "u64", "u64"], "sm_100a").to_ptx().replace("p0,", "p0[128],")
    arguments = [weft.TensorMap(tensor, box=(64, 16)), out, tensor, flag]
    if ordered:
        run(weft.parse(text), "k", 2, 32, arguments)
        return
    with pytest.raises(KernelFault) as caught:
        run(weft.parse(text), "k", 2, 32, arguments)
    assert caught.value.kind == "race" and "st.global" in caught.value.instruction
