"""Launches on a GPU: what a kernel gives to a device that notes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.tile import Global, cdiv, cta, ds, f32, i32, kernel, loop, persistent, pipeline, raster, role, tile


class Gpu:
    """Devices of 7 multiprocessors."""

    processors, target = 7, "sm_90a"
    loaded: list[tuple[int, str, int]]
    launched: list[tuple[Any, ...]]

    def __init__(self, number: int) -> None:
        self.number = number

    def load(self, module: Any, name: str, shared: int) -> str:
        assert module.target == "sm_90a" and [each.name for each in module.kernels] == [name]
        self.loaded.append((self.number, name, shared))
        return f"{name} on {self.number}"

    def tensor_map(self, array: Any, box: Any, mode: str, window: Any) -> tuple[Any, ...]:
        return "map", array.shape, tuple(box), mode, window

    def launch(self, *given: Any) -> None:
        self.launched.append(given)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> type[Gpu]:
    monkeypatch.setattr("weft.toolchain.launch.Device", Gpu)
    Gpu.loaded, Gpu.launched = [], []
    return Gpu


@kernel(grid=persistent)
def copied(x: Global(f32, ("M", 32)), y: Global(f32, ("M", 32)), n: i32, *, rows: int = 128):
    ring = pipeline(2, t=tile(f32, rows, 32))
    out = pipeline(1, t=tile(f32, rows, 32), kind="store")
    work = raster(cdiv(x.shape[0], rows), 1)
    with role(warps=1):
        for m, _ in work:
            with ring.fill() as slot:
                cta.copy_async(slot.t, x[ds(m * rows, rows), :])
    with role(warps=1):
        for m, _ in work:
            for _ in loop(n):
                with ring.take() as slot, out.fill() as one:
                    cta.copy(one.t, slot.t)
                    cta.copy_async(y[ds(m * rows, rows), :], one.t)


def test_a_launch_is_of_what_was_loaded_once(gpu: type[Gpu]) -> None:
    """Once for each device and specialization; a persistent kernel has as many blocks as the GPU, or the tiles."""
    x, y = np.zeros((2000, 32), np.float32), np.zeros((2000, 32), np.float32)
    copied.launch(x, y, 3, stream="mine")
    copied.launch(x, y, 4, grid=2)
    copied.launch(x[:300], y[:300], 4, device=1)
    copied.launch(x, y, 4, grid=(2, 1), options={"rows": 4})
    shared = gpu.loaded[0][2]
    assert shared > 3 * 128 * 32 * 4
    assert [(number, name) for number, name, _ in gpu.loaded] == [(0, "copied"), (1, "copied"), (0, "copied")]
    seen = [(of, grid, threads, stream) for of, grid, threads, _, _, stream in gpu.launched]
    assert seen == [
        ("copied on 0", (7,), 64, "mine"),
        ("copied on 0", (2,), 64, None),
        ("copied on 1", (3,), 64, None),
        ("copied on 0", (2, 1), 64, None),
    ]
    for rows, (_, _, _, values, bytes_, _) in zip((128, 128, 128, 4), gpu.launched, strict=True):
        maps = [value for value in values if isinstance(value, tuple)]
        assert [box for _, _, box, _, _ in maps] == [(rows, 32)] * 2 and bytes_ == (shared if rows == 128 else 0)
    assert [value for value in gpu.launched[0][3] if isinstance(value, np.integer)] == [3, 2000]
