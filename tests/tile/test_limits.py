"""What kernels may say on both sides of each limit: what is allowed, and how what is beyond it is refused, at its line."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

from weft.errors import CompileError
from weft.tile import Global, i32, kernel, loop, scalars, thread_id

HEAD = """
import weft
from weft.tile import *
from weft.tile import sum as total
from weft.tile.layouts import mma_layout, row_layout, swizzled
from weft.tile.machine import named_barrier

@weft.kernel(threads={threads}, grid=1{more})
def kernel(x: Global(f32, (16, 8)), b: Global(i8, 16), n: i32, w: f32):
"""
TILE = "t = register((8, 4), f32, S[(8, 4) : (4 @ laneid, 1 @ laneid)])\n"
OWN = "t = register((4, 8), f32, S[(4, 8) : (8, 1)])\n"
HELD = "s = shared((16, 8), f32)\n"


def traced(body: str, threads: Any = 32, more: str = "") -> Any:
    """Trace a kernel with a body, and return it."""
    text = HEAD.format(threads=threads, more=more) + "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<limits {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)
    names["kernel"].mlir()
    return names["kernel"]


ROLE = "with role({}):\n    thread_id()"
LIMITS: list[tuple[str, str | None]] = [
    # -- numbers --
    ("b[0] = 127", None),
    ("b[0] = -128", None),
    ("b[0] = 255", None),
    ("b[0] = 256", "256 does not fit i8"),
    ("b[0] = -129", "-129 does not fit i8"),
    ("v = n + 4294967295", None),
    ("v = n + 4294967296", "4294967296 does not fit i32"),
    ("v = n + -2147483648", None),
    ("v = n + -2147483649", "-2147483649 does not fit i32"),
    ("v = n ** 64", None),
    ("v = n ** 1", None),
    # -- roles --
    (ROLE.format("warps=1"), None),
    (ROLE.format("warps=32"), None),
    (ROLE.format("warps=33"), "a role must have 1 to 32 warps"),
    (ROLE.format("warps=0"), "a role must have 1 to 32 warps"),
    (ROLE.format("warpgroups=8"), None),
    (ROLE.format("warpgroups=9"), "a role must have 1 to 32 warps"),
    (ROLE.format("warps=1.0"), "a role must have 1 to 32 warps"),
    (ROLE.format(""), "a role needs a number of warps or of warpgroups"),
    (ROLE.format("warps=1, warpgroups=1"), "a role needs a number of warps or of warpgroups"),
    (ROLE.format("warpgroups=1, registers=24"), None),
    (ROLE.format("warpgroups=1, registers=16"), "invalid number of registers 16"),
    (ROLE.format("warpgroups=1, registers=28"), "invalid number of registers 28"),
    (ROLE.format("warpgroups=1, registers=256"), None),
    (ROLE.format("warpgroups=1, registers=264"), "invalid number of registers 264"),
    (ROLE.format("warpgroups=2, registers=256"), None),
    (ROLE.format("warpgroups=4, registers=128"), None),
    (ROLE.format("warpgroups=4, registers=136"), "the roles need 69632 registers, but a block has 65536"),
    ("\n".join([ROLE.format("warps=16")] * 2), None),
    ("\n".join([ROLE.format("warps=16")] * 2 + [ROLE.format("warps=1")]),
        "the roles have 33 warps, but a block has at most 32"),
    (ROLE.format("warps=1, leader=True"), "pairs need a cluster with an even number of blocks along x"),
    # -- barriers --
    *((f"c = named_barrier({count})", None) for count in (32, 64, 1024)),
    *((f"c = named_barrier({count})", f"invalid number of threads {count} for a barrier")
        for count in (0, 31, 33, 1056, 32.0)),
    ("for _ in range(7): c = named_barrier(32)", None),
    ("for _ in range(8): c = named_barrier(32)", "the kernel has more than 7 named barriers and store pipelines"),
    # -- pipelines and tensor memory --
    ("p = pipeline(1, kind='store', a=tile(f32, 16, 8))\nwith role(warps=1), p.fill() as s: cta.copy_async(x, s.a)", None),
    ("p = pipeline(0, a=tile(f16, 8, 64))", "invalid number of slots 0"),
    ("p = pipeline(2.0, a=tile(f16, 8, 64))", "invalid number of slots 2.0"),
    ("p = pipeline(2)", "a pipeline needs tiles"),
    ("p = pipeline(2, a=tensor_memory((2, 128, 32), f32))", None),
    ("p = pipeline(2, a=tensor_memory((3, 128, 32), f32))", "'a' must have the shape of 2 slots"),
    ("p = pipeline(2, a=tensor_memory((2, 2, 128, 32), f32))", "'a' must have the shape of 2 slots"),
    ("p = pipeline(1, a=tensor_memory((1, 128, 32), f32), c=tile(f16, 8, 64))", "'a' must have the shape of 1 slots"),
    ("p = pipeline(2, a=3)", "'a' must be a tile"),
    ("t = tensor_memory((128, 512), f32)", None),
    ("t = tensor_memory((2, 128, 512), f16)", None),
    ("t = tensor_memory((128, 513), f32)", "513 columns: tensor memory has 512"),
    ("t = tensor_memory((128, 480), f32), tensor_memory((128, 32), f32)", None),
    ("t = tensor_memory((128, 480), f32), tensor_memory((128, 33), f32)",
        "513 columns of tensor memory exceed the 512 of a block"),
    ("t = tensor_memory((128, 3), f16)", "3 elements of f16 do not fill whole 32-bit columns of tensor memory"),
    ("t = tensor_memory((128, 8), f64)", "8 elements of f64 do not fill whole 32-bit columns of tensor memory"),
    ("t = tensor_memory((128, 8), i8)", "8 elements of i8 do not fill whole 32-bit columns of tensor memory"),
    # -- indices and regions --
    *((f"v = x[{at}, 0]", None) for at in (0, 15, -1, -16, "n", "n - 1")),
    *((f"v = x[{at}, 0]", f"index {at} is out of range for an extent of 16") for at in (16, -17)),
    ("v = x[1.0, 0]", "1.0 is not an index"),
    ("v = x[0, 0, 0]", "3 indices for 2 dimensions"),
    ("v = x[w, 0]", "<f32 known when the kernel runs> is not an index"),
    *((f"v = x[{part}]", None) for part in ("0:1", "15:", "-1:", ":-15", "...", "n:n + 3", "ds(n, 4)", "ds(0, 1)", "::1")),
    ("v = x[3:3]", "this slice has 0 elements"),
    ("v = x[:-16]", "this slice has 0 elements"),
    ("v = x[4:2]", "this slice has -2 elements"),
    ("v = x[::2]", "a slice of a tile cannot have a step"),
    ("v = x[0:n]", "the size of this slice must be a constant"),
    ("v = x['a']", "'a' is not an index"),
    ("v = x[ds(-1, 4)]", "a region must start at 0 or later, not at -1"),
    (HELD + "v = s[12:16].tile() if False else s[12:16]\nwarp.copy(s[0:4, :], s[12:16, :])", None),
    (HELD + "warp.copy(s[0:4, :], s[ds(13, 4), :])", "13:17 exceeds the extent 16"),
    (HELD + "s[0:4, :] = 1.0", "cannot assign to a region"),
    (HELD + "s[15, 7] = s[-16, -8]", None),
    (HELD + "s[16, 0] = 1.0", "index 16 is out of range for an extent of 16"),
    (HELD + "v = s[:, None]", "None adds dimensions to tiles in registers only"),
    (HELD + "v = s.storage", "only a tile in registers has per-thread storage"),
    (HELD + "v = s.reshape(8, 16)", None),
    (HELD + "v = s.reshape(8, 17)", "shape [8, 17] does not have as many elements as <16x8 tile of f32 in shared memory>"),
    (TILE + "v = t[0, 0]", "an element of a register tile is held by one thread only"),
    (TILE + "t[0, 0] = 1.0", "an element of a register tile is held by one thread only"),
    (TILE + "v = t[:, None]", None),
    (TILE + "v = address(t[0, 0])", "an element of a register tile is held by one thread only"),
    *((OWN + f"v = t.storage[{at}]", None) for at in (0, 31, -1, -32)),
    *((OWN + f"v = t.storage[{at}]", f"index {at} is out of range: a thread holds 32 elements") for at in (32, -33)),
    (OWN + "v = t.storage[n]", "registers have no addresses: the index must be a Python integer"),
    # -- storage that is used again --
    (HELD + "v = recast(s, (8, 16), f32)", None),
    (HELD + "v = recast(s, (8, 16), f16, offset=256)", None),
    (HELD + "v = recast(s, (8, 16), f16, offset=258)",
        "256 bytes at offset 258 exceed the 512 bytes of <16x8 tile of f32 in shared memory>"),
    *((HELD + f"v = recast(s, 4, f32, offset={at})",
        f"offset {at} is not a multiple of the 4 bytes of an element") for at in (2, 510)),
    *((HELD + f"v = recast(s, 4, f32, offset={at})", None) for at in (0, 4, 496)),
    *((HELD + f"v = recast(s, 4, f32, offset={at})",
        f"16 bytes at offset {at} exceed the 512 bytes of <16x8 tile of f32 in shared memory>") for at in (500, -4)),
    (HELD + "v = recast(s, 129, f32)",
        "516 bytes at offset 0 exceed the 512 bytes of <16x8 tile of f32 in shared memory>"),
    (TILE + "v = recast(t, 4, f32)", "only the storage of a tile in shared memory can be recast"),
    # -- shapes --
    ("t = shared(1, f32)", None),
    ("t = shared(0, f32)", "0 is not a constant shape"),
    ("t = shared((), f32)", "() is not a constant shape"),
    ("t = shared((4, 2.0), f32)", "(4, 2.0) is not a constant shape"),
    # -- ranges --
    ("for i in loop(3): v = i", None),
    ("for i in loop(9, n, -2): v = i", None),
    ("for i in loop(0, 9, 0): v = i", "the step of a range cannot be 0"),
    ("for i in loop(0, 9, n): v = i", "this range may count up or down"),
    ("for i in loop(0, 9, thread_id()): v = i", None),
    ("for i in loop(1.5): v = i", "invalid range bound 1.5"),
    ("for i in loop(w): v = i", "invalid range bound <f32 known when the kernel runs>"),
    ("for i in loop('a'): v = i", "invalid range bound 'a'"),
    # -- what two sides of a condition give --
    ("v = register((4, 8), f32, S[(4, 8) : (8, 1)])\nif n > 0: v = register((4, 8), f32, S[(4, 8) : (1, 4)])\nv = v + 1.0", None),
    *((f"v = {one}\nif n > 0: v = {other}\nv = v[0, 0]",
        "'v' differs between the two sides of a condition") for one, other in (
            ("shared((4, 8), f32)", "shared((4, 8), f32)"), ("register((4, 8), f32)", "register((8, 4), f32)"),
            ("register((4, 8), f32)", "register((4, 8), i32)"), ("register((4, 8), f32)", "shared((4, 8), f32)"))),
    ("v = max(n)", "TypeError: 'Scalar' object is not iterable"),
    ("v = max(n, 3)", None),
    # -- rows over threads --
    *((f"v = zeros((4, 8), f32, row_layout((4, 8), 2, {over}))", None) for over in (1, 2, 4, 16)),
    ("v = zeros((8, 8), f32, row_layout((8, 8), 2, warp))", None),
    ("v = zeros((4, 8), f32, row_layout((4, 8), 2, 0))", "unknown number of threads of a 0"),
    ("v = zeros((4, 8), f32, row_layout((4, 8), 2, 3))", "rows of 8 elements cannot be split into 3 x 2"),
    ("v = zeros((4, 8), f32, row_layout((4, 8), 16, 1))", "rows of 8 elements cannot be split into 1 x 16"),
    ("v = zeros((3, 8), f32, row_layout((3, 8), 2, 16))", "rows of 8 elements cannot be split into 16 x 2"),
]  # fmt: skip


@pytest.mark.sample(50)
@pytest.mark.parametrize(("body", "said"), LIMITS)
def test_limits(body: str, said: str | None) -> None:
    threads = None if "role(" in body or "tensor_memory" in body else 32
    if said is None:
        traced(body, threads)
        return
    with pytest.raises(CompileError) as caught:
        traced(body, threads)
    assert caught.value.message == said


CLUSTERED = [
    ("cluster=2", ROLE.format("warps=1, leader=True"), None),
    ("cluster=(4, 1)", ROLE.format("warps=1, leader=True"), None),
    ("cluster=3", ROLE.format("warps=1, leader=True"), "pairs need a cluster with an even number of blocks along x"),
    (
        "cluster=(2, 2)",
        ROLE.format("warps=1, leader=True"),
        "pairs need a cluster with an even number of blocks along x",
    ),
    ("cluster=(2, 2)", "w = raster(4, 4)", "a raster supports clusters along x only"),
    ("cluster=(2, 1)", "w = raster(4, 4)", None),
]


@pytest.mark.parametrize(("cluster", "body", "said"), CLUSTERED)
def test_limits_of_clusters(cluster: str, body: str, said: str | None) -> None:
    if said is None:
        traced(body, None, f", {cluster}")
        return
    with pytest.raises(CompileError) as caught:
        traced(body, None, f", {cluster}")
    assert caught.value.message == said


# -- loops --------------------------------------------------------------------------------------------------------

COUNTED = [
    (0, 5, 1),
    (5, 0, -1),
    (3, 20, 4),
    (20, 3, -4),
    (-7, 8, 5),
    (8, -7, -5),
    (4, 4, 1),
    (5, 4, 1),
    (4, 5, -1),
    (0, 1, 9),
]


def test_loops_count_as_ranges_do() -> None:
    """With bounds that are constants, and with ones that are not."""

    @kernel(threads=32, grid=1)
    def counted(bounds: Global(i32, (len(COUNTED), 2)), out: Global(i32, (len(COUNTED), 3, 8))):
        lane = thread_id()
        for at, (start, stop, step) in enumerate(COUNTED):
            first, last = bounds[at, 0], bounds[at, 1]
            for way, items in enumerate((loop(start, stop, step), loop(first, last, step), range(start, last, step))):
                place = lane * 0
                for number in items:
                    if lane == 0:
                        out[at, way, place] = number + 100
                    place += 1

    out = np.zeros((len(COUNTED), 3, 8), np.int32)
    counted.run(np.array([bounds[:2] for bounds in COUNTED], np.int32), out)
    for at, bounds in enumerate(COUNTED):
        expected = [number + 100 for number in range(*bounds)]
        assert out[at].tolist() == [expected + [0] * (8 - len(expected))] * 3


def test_what_is_known_of_a_loops_numbers() -> None:
    """What divides the start and the step divides them; those between numbers that are not negative are none."""
    found: list[Any] = []

    def note(number: Any) -> None:
        found.append(scalars.known(number))

    @kernel(threads=32, grid=1)
    def counted(x: Global(i32, 4), n: i32):
        t = thread_id()
        for items in (
            loop(n), loop(t * 12, n, 8), loop(n * 6, n, 4), loop(0, n, t * 3), loop(t * 16, 0, -12), loop(t, -1, -1),
            loop(t, -2, -1), loop(n, t, -1), loop(n, n, -1),
        ):  # fmt: skip
            for number in items:
                note(number)

    counted.mlir()
    assert found == [
        (1, True), (4, True), (2, False), (3, True), (4, True), (1, True), (1, False), (1, True), (1, False),
    ]  # fmt: skip
