"""Kernels as objects: their parameters and sizes, what a call must match, the tile dialect as text, the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

import weft
from tests.command import weft as weft_command
from weft.errors import CompileError, LayoutError, WeftError
from weft.layout.axis import m as place
from weft.mlir import parse_mlir, print_mlir
from weft.tile import (
    DType,
    Global,
    Tensor,
    cta,
    ds,
    f32,
    i8,
    i32,
    shared,
    thread,
    thread_id,
    u8,
    warp,
    warpgroup,
    zeros,
)
from weft.tile.kernels import gemm, softmax
from weft.tile.layouts import row_layout
from weft.transforms.tile_lowering import explain_module


@weft.kernel(threads=64, grid=lambda N, times: -(-N // (64 * times)))
def scaled(x: Global(f32, "N"), y: Annotated[Tensor, Global(f32, "N")], factor: f32, *, times: int = 1):
    for k in range(times):
        at = (thread_id() + 64 * k) % x.shape[0]
        y[at] = x[at] * factor


def test_parameters_in_ptx_are_arguments_then_sizes() -> None:
    (kernel,) = scaled.module("sm_80").kernels
    assert [p.type for p in kernel.parameters] == ["b64", "b64", "b32", "b32"]
    assert scaled.sizes == ("N",)
    assert scaled.options == {"times": 1}


def test_numbers_and_options() -> None:
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    scaled.run(x, y, 2.5, options={"times": 1})
    np.testing.assert_array_equal(y, x * 2.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.zeros(4, np.float32), 1.0), "takes 3 arguments"),
        ((np.zeros(4, np.float64), np.zeros(4, np.float32), 1.0), "elements of type float64, not f32"),
        ((np.zeros((4, 2), np.float32), np.zeros(4, np.float32), 1.0), "has 2 dimensions, not 1"),
        ((np.zeros(4, np.float32), np.zeros(5, np.float32), 1.0), "N is 4 elsewhere, 5 here"),
        ((np.zeros(8, np.float32)[::2], np.zeros(4, np.float32), 1.0), "is not contiguous"),
        ((3, np.zeros(4, np.float32), 1.0), "is not an array"),
    ],
)
def test_arguments_that_do_not_fit(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(WeftError, match=message):
        scaled.run(*arguments)


@weft.kernel(threads=32, grid=1)
def small(x: Global(i32, 4), n: i8, m: u8 = 7, *, choices: tuple[int, ...] = (1, 2)):
    x[0], x[1] = n, m + choices[-1]


def test_numbers_defaults_and_options() -> None:
    x = np.zeros(4, np.int32)
    small.run(x, -3)
    assert x.tolist() == [-3, 9, 0, 0]
    for n, m in ((300, 1), (1, -2), (1.5, 1), ("a", 1)):
        with pytest.raises(WeftError, match="must be of type [iu]8"):
            small.run(x, n, m)
    with pytest.raises(WeftError, match="is mutable"):
        small.ptx(choices=[1])
    for wrong in (0, -1, "8"):
        with pytest.raises(WeftError, match="must be at least 1"):
            scaled.ptx(multiples={"N": wrong})


def test_parameters_that_are_none() -> None:
    def many(*x: f32) -> None: ...

    with pytest.raises(WeftError, match="variable number of arguments 'x'"):
        weft.kernel(many).ptx()


def test_arrays_with_gaps() -> None:
    @weft.kernel(threads=32, grid=1)
    def doubled(x: Global(f32, ("M", "N"), ("row", "column"))):
        t = thread_id()
        if t >= x.shape[0]:
            return
        for j in range(x.shape[1]):
            x[t, j] *= 2.0

    whole = np.arange(60, dtype=np.float32).reshape(6, 10)
    expected = whole.copy()
    expected[1:5:2, ::3] *= 2
    doubled.run(whole[1:5:2, ::3])
    np.testing.assert_array_equal(whole, expected)
    with pytest.raises(WeftError, match="negative strides"):
        doubled.run(whole[::-1])


def test_names_that_there_are_not() -> None:
    with pytest.raises(WeftError, match="no option 'tile'"):
        scaled.ptx(tile=3)
    with pytest.raises(WeftError, match="no size 'M'"):
        scaled.ptx(multiples={"M": 8})
    with pytest.raises(WeftError, match="cannot be called"):
        scaled(1)


@weft.kernel(threads=32)
def without_a_grid(x: Global(i32, 32)):
    x[thread_id()] = thread_id()


def test_a_grid_is_needed() -> None:
    x = np.zeros(32, np.int32)
    with pytest.raises(WeftError, match="does not define a grid"):
        without_a_grid.run(x)
    without_a_grid.run(x, grid=1)
    assert x.tolist() == list(range(32))


@pytest.mark.sample(1)
@pytest.mark.parametrize("kernel", [gemm, softmax, scaled], ids=lambda k: k.name)
def test_the_tile_dialect_as_text_compiles_to_the_same(kernel: weft.tile.Kernel) -> None:
    small = {"block_m": 32, "block_n": 32} if kernel is gemm else {}
    text = kernel.mlir(**small)
    module = parse_mlir(text, "tile.mlir")
    assert print_mlir(module) == text
    assert weft.compile(text, "sm_90").to_ptx() == kernel.ptx("sm_90", **small)


def test_constant_sizes_need_no_bounds() -> None:
    small = {"block_m": 32, "block_n": 32}
    general = gemm.ptx("sm_80", multiples={"K": 32, "N": 8}, **small)
    special = gemm.ptx("sm_80", sizes={"M": 256, "N": 256, "K": 256}, **small)
    assert len(special) < len(general)


@weft.kernel(threads=64, grid=1)
def some_warps(x: Global(f32, 64), n: i32):
    tile = shared(64, f32)
    if n + thread_id() // 32 > 3:
        cta.copy(tile, x)


@weft.kernel(threads=64, grid=1)
def one_warp_of_two(x: Global(f32, (1, 128)), y: Global(f32, (1, 128))):
    tile = zeros((1, 128), f32, row_layout((1, 128), 4))
    if thread_id() // 32 == 1:
        warp.copy(tile, x)
        warp.copy(y, tile)


def test_conditions_around_copies() -> None:
    with pytest.raises(CompileError, match="which threads take part is unknown"):
        some_warps.ptx()
    x, y = np.arange(128, dtype=np.float32).reshape(1, 128), np.zeros((1, 128), np.float32)
    one_warp_of_two.run(x, y)
    np.testing.assert_array_equal(x, y)


def test_explanations_name_every_copy() -> None:
    text = explain_module(gemm.build(gemm.specialize()).module, "sm_80")
    assert text.count("chosen") == gemm.mlir().count("tile.copy")


KERNEL = """
import weft
from weft.tile import Global, f32, thread_id

@weft.kernel(threads=32, grid=1)
def good(x: Global(f32, "N"), *, factor: int = 2):
    x[thread_id()] = x[thread_id()] * factor

@weft.kernel(threads=32, grid=1)
def bad(x: Global(f32, "N")):
    x[thread_id()] = x.nothing
"""


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "kernels.py"
    path.write_text(KERNEL)
    done = weft_command("compile", f"{path}:good", "--set", "factor=3", "-t", "sm_90")
    assert done.returncode == 0
    (kernel,) = weft.parse(done.stdout).kernels
    assert kernel.name == "good"
    done = weft_command("compile", f"{path}:good", "--emit", "mlir")
    assert "gpu.func @good" in done.stdout
    done = weft_command("compile", f"{path}:bad")
    assert done.returncode == 1
    assert f"{path}:11: error: AttributeError" in done.stderr
    assert "x.nothing" in done.stderr
    assert "Traceback" not in done.stderr
    done = weft_command("compile", f"{path}:other")
    assert (done.returncode, "its kernels: good, bad" in done.stderr) == (1, True)


def test_a_type_that_is_an_option() -> None:
    """A call takes it from its arrays, and arrays that share it must have one type."""

    @weft.kernel(threads=32, grid=1)
    def double(x: Global("kind", 32), y: Global("kind", 32), *, kind: DType = f32):
        y[thread_id()] = x[thread_id()] + x[thread_id()]

    for kind in (np.float32, np.float64, np.int32):
        x, y = np.arange(32, dtype=kind), np.zeros(32, kind)
        double.run(x, y)
        np.testing.assert_array_equal(y, x * 2)
    assert "add.f64" in double.ptx("sm_80", kind="f64")
    with pytest.raises(WeftError, match="argument 'y' of 'double' has elements of type float64, not f32"):
        double.run(np.zeros(32, np.float32), np.zeros(32))

    @weft.kernel(threads=32, grid=1)
    def typeless(x: Global("kind", 32)):
        pass

    with pytest.raises(WeftError, match="unknown type 'kind' of 'x'"):
        typeless.ptx("sm_80")


def test_rows_of_a_tensor() -> None:
    """Regions begin and end where the rows do: nothing is read or written beside them."""

    @weft.kernel(threads=32, grid=1)
    def middle(x: Global(f32, ("M", 8)), y: Global(f32, ("M", 8)), start: i32, stop: i32):
        rows = shared((16, 8), f32)
        warp.copy(rows, x.rows(start, stop)[ds(0, 16), :])
        warp.copy(y.rows(0, stop)[ds(0, 16), :], rows)

    x, y = np.repeat(np.arange(12, dtype=np.float32), 8).reshape(12, 8), np.full((12, 8), 5, np.float32)
    middle.run(x, y, 2, 7)
    np.testing.assert_array_equal(y[:, 0], [2, 3, 4, 5, 6, 0, 0, 5, 5, 5, 5, 5])


def test_option_that_is_the_target() -> None:
    """What is compiled for differs; what is said otherwise holds."""

    @weft.kernel(threads=32, grid=1)
    def told(y: Global(i32, 1), *, target: str = "none"):
        if thread_id() == 0:
            y[0] = 90 if target == "sm_90a" else 80

    y = np.zeros(1, np.int32)
    for target, wanted in (("sm_90a", 90), ("sm_80", 80)):
        told.run(y, target=target)
        assert y[0] == wanted
        assert f", {wanted};" in told.ptx(target)
    told.run(y, target="sm_90a", options={"target": "sm_80"})
    assert y[0] == 80


@pytest.mark.parametrize(
    ("shape", "vector", "over"),
    [((3, 128), 4, warp), ((8, 64), 8, warp), ((128, 64), 16, warpgroup), ((2, 1024), 8, warpgroup), ((16, 32), 4, 64)],
)
def test_rows_over_threads(shape: tuple[int, int], vector: int, over: Any) -> None:
    """Every place of every thread has one element, and `vector` neighbours are one thread's."""
    places = row_layout(shape, vector, over).apply_all(shape)
    ((axis, threads),) = [(a, x) for a, x in places.items() if a is not place]
    held = threads * (shape[0] * shape[1]) + places[place]
    assert len(set(held.ravel().tolist())) == held.size
    assert (threads.reshape(-1, vector) == threads.reshape(-1, vector)[:, :1]).all()
    assert threads.max() + 1 == {"laneid": 32, "tid_in_wg": 128, "tx": 64}[axis.name]


def test_rows_that_threads_do_not_share_evenly() -> None:
    for shape, over in (((3, 32), warpgroup), ((8, 40), warp), ((8, 128), thread)):
        with pytest.raises(LayoutError):
            row_layout(shape, 4, over)
