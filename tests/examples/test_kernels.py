"""The kernels that are measured against LLVM compute what they say, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import weft
from tests.conftest import ROOT

Array = npt.NDArray[Any]
RNG = np.random.default_rng(7)


def run(name: str, grid: Any, block: Any, *arguments: Any) -> None:
    """Run a kernel; arrays are passed as upstream passes memrefs."""
    path = ROOT / "benchmarks" / "kernels" / f"{name}.mlir"
    module = weft.compile(path.read_text(), target="sm_80", filename=path.name)
    flat: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            strides = (stride // argument.itemsize for stride in argument.strides)
            flat += [argument, argument, 0, *argument.shape, *strides]
        else:
            flat.append(argument)
    weft.run(module, name, grid=grid, block=block, args=flat)


def floats(*shape: int) -> Array:
    return RNG.standard_normal(shape).astype(np.float32)


def test_block_sum() -> None:
    values, out = floats(1024), np.zeros(4, np.float32)
    run("block_sum", 4, 256, values, out)
    np.testing.assert_allclose(out, values.reshape(4, 256).sum(1), rtol=1e-4, atol=1e-4)


def test_scan() -> None:
    values, out = RNG.integers(-9, 9, 512).astype(np.int32), np.zeros(512, np.int32)
    run("scan", 2, 256, values, out)
    np.testing.assert_array_equal(out.reshape(2, 256), values.reshape(2, 256).cumsum(1))


def test_stencil() -> None:
    grid = floats(40, 70)
    out = grid.copy()
    run("stencil", (3, 5), (32, 8), grid, out)
    wanted = grid.copy()
    wanted[1:-1, 1:-1] = (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]) / 4
    np.testing.assert_allclose(out, wanted, rtol=1e-5, atol=1e-6)


def test_conv() -> None:
    image, kernel, out = floats(30, 37), floats(3, 3), np.zeros((30, 37), np.float32)
    run("conv", (3, 2), (16, 16), image, kernel, out)
    padded = np.pad(image, 1)
    wanted = sum(kernel[r, s] * padded[r : r + 30, s : s + 37] for r in range(3) for s in range(3))
    np.testing.assert_allclose(out, wanted, rtol=1e-4, atol=1e-5)


def test_layer_norm() -> None:
    rows, scale, shift, out = floats(3, 256), floats(256), floats(256), np.zeros((3, 256), np.float32)
    run("layer_norm", 3, 256, rows, scale, shift, out)
    mean, variance = rows.mean(1, keepdims=True), rows.var(1, keepdims=True)
    np.testing.assert_allclose(out, (rows - mean) / np.sqrt(variance + 1e-5) * scale + shift, rtol=1e-4, atol=1e-4)


def test_scores() -> None:
    q, k, out = floats(16, 64), floats(32, 64), np.zeros((16, 32), np.float32)
    run("scores", (2, 1), (16, 16), q, k, out, 0.125)
    np.testing.assert_allclose(out, q @ k.T * np.float32(0.125), rtol=1e-4, atol=1e-4)


def test_matvec() -> None:
    a, x, y = floats(8, 100), floats(100), np.zeros(8, np.float32)
    run("matvec", 2, (32, 4), a, x, y)
    np.testing.assert_allclose(y, a @ x, rtol=1e-4, atol=1e-4)


def test_wmma_gemm() -> None:
    a, b = (RNG.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
    c = np.zeros((64, 64), np.float32)
    run("wmma_gemm", (4, 4), 32, a, b, c)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))


def test_gelu() -> None:
    x, y = floats(512), np.zeros(512, np.float32)
    run("gelu", 1, 128, x, y)
    wanted = 0.5 * x * (1 + np.tanh(0.7978846 * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)


def test_argmax() -> None:
    rows, out = RNG.integers(0, 50, (4, 90)).astype(np.float32), np.zeros(4, np.int32)
    run("argmax", 4, 32, rows, out)
    np.testing.assert_array_equal(out, rows.argmax(1))


def test_relu_f16() -> None:
    x, y = floats(2048).astype(np.float16), np.zeros(2048, np.float16)
    run("relu_f16", 1, 256, x, y, 0.5, 0.25)
    np.testing.assert_array_equal(y, np.maximum(x * np.float16(0.5) + np.float16(0.25), 0))


def test_embedding() -> None:
    table, ids, out = floats(10, 128), np.array([3, 0, 9], np.int32), np.zeros((3, 128), np.float32)
    run("embedding", 3, 128, table, ids, out)
    np.testing.assert_array_equal(out, table[ids])


def test_scatter_add() -> None:
    rows, ids, table = floats(4, 128), np.array([1, 3, 1, 0], np.int32), floats(5, 128)
    wanted = table.copy()
    np.add.at(wanted, ids, rows)
    run("scatter_add", 4, 128, rows, ids, table)
    np.testing.assert_allclose(table, wanted, rtol=1e-5, atol=1e-5)


def test_bitonic() -> None:
    values = RNG.integers(-1000, 1000, 256).astype(np.int32)
    wanted = np.sort(values)
    run("bitonic", 1, 256, values)
    np.testing.assert_array_equal(values, wanted)


def test_mandelbrot() -> None:
    out = np.zeros((64, 64), np.int32)
    run("mandelbrot", (4, 4), (16, 16), out)
    step = np.arange(64) * 0.046875
    c = (step - 2)[None, :] + 1j * (step - 1.5)[:, None]
    z, count = c.copy(), np.zeros((64, 64), np.int32)
    for _ in range(100):
        inside = (np.abs(z) ** 2 < 4) & (count < 100)
        z = np.where(inside, z * z + c, z)
        count += inside
    assert np.mean(out == count) > 0.99  # Points on the very edge may round the other way.


def test_quantize() -> None:
    x, out = floats(300) * 100, np.zeros(300, np.int8)
    run("quantize", 2, 256, x, out, 0.7, 290)
    wanted = np.clip(np.rint(x * np.float32(0.7)), -128, 127).astype(np.int8)
    np.testing.assert_array_equal(out[:290], wanted[:290])
    assert not out[290:].any()


@pytest.mark.parametrize("radius", [1, 4])
def test_box_blur(radius: int) -> None:
    rows, out = floats(64, 50), np.zeros((64, 50), np.float32)
    width = 2 * radius + 1
    run("box_blur", 1, 64, rows, out, radius, 1 / width)
    wanted = np.stack([np.convolve(row, np.ones(width) / width, "valid") for row in rows])
    np.testing.assert_allclose(out[:, radius : 50 - radius], wanted, rtol=1e-4, atol=1e-4)
