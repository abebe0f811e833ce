"""Kernels in Gluon, right and with one step taken away or moved: every one that matters is found, no right one accused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("triton.experimental.gluon")

from tests.tritons import gluon_hazards as kernels
from weft.triton import TritonFault, activate, asarray

Array = np.ndarray[Any, np.dtype[Any]]
Runs = Callable[[str], bool]

pytestmark = pytest.mark.slow
HARMLESS = {
    ("staged_stores", "no fence"): "Gluon puts the fence in itself",
    ("products", "no fence"): "Gluon puts the fence in itself",
    ("tensor_products", "no fence"): "Gluon puts the fence in itself",
    ("tensor_products_by_roles", "no fence"): "Gluon puts the fence in itself",
    ("three_roles", "no fence"): "Gluon puts the fence in itself",
    ("two_roles", "the next slot is given back"): "with two slots the producer has waited for the slot before",
    ("products", "no wait for the product"): "Gluon refuses it",
}
"""Bugs that change nothing, or are refused; that they are found is no mistake either."""
PARTS = {
    "two_roles": ("loads", "reads"),
    "three_roles": ("changes", "stores"),
    "shared_by_roles": ("writes_shared", "reads_shared"),
    "products_by_roles": ("loads_both", "multiplies"),
    "tensor_products_by_roles": ("loads_tiles", "multiplies_tiles", "takes_tiles"),
    "tensor_memory_of_roles": ("stores_sums", "loads_sums"),
}
"""The functions of a kernel's roles, which have places for bugs of their own."""


def described(array: Any, *block: int) -> Any:
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    return TensorDescriptor.from_tensor(
        array, list(block), gl.NVMMASharedLayout.get_default_for(list(block), gl.float16)
    )


def halves(*shape: int) -> Any:
    return asarray(np.random.default_rng(sum(shape)).integers(-3, 4, shape).astype(np.float16))


def _copied(kernel: Any, tiles: int, size: int, **constants: int) -> Runs:
    def run(bug: str) -> bool:
        x = np.random.default_rng(0).random(tiles * size).astype(np.float32)
        y = np.zeros_like(x)
        kernel[(1,)](x, y, **constants, BUG=bug)
        return bool((x == y).all())

    return run


def _tiles(kernel: Any, described_in: bool, described_out: bool, factor: int = 1, **constants: int) -> Runs:
    def run(bug: str) -> bool:
        x, y = halves(7 * 64, 64), asarray(np.zeros((7 * 64, 64), np.float16))
        source = described(x, 64, 64) if described_in else x
        kernel[(1,)](source, described(y, 64, 64) if described_out else y, COUNT=7, **constants, BUG=bug)
        return bool((np.asarray(x) * factor == np.asarray(y)).all())

    return run


def _products(kernel: Any, rows: int, tile: int, count: int, **constants: int) -> Runs:
    def run(bug: str) -> bool:
        a, b, c = halves(rows, count * 64), halves(count * 64, 64), asarray(np.zeros((rows, 64), np.float16))
        maps = described(a, tile, 64), described(b, 64, 64), described(c, tile, 64)
        kernel[(1,)](*maps, COUNT=count, **constants, BUG=bug)
        left, right = (np.asarray(m).astype(np.float32) for m in (a, b))
        return bool((left @ right == np.asarray(c)).all())

    return run


def _sums(bug: str) -> bool:
    x = np.random.default_rng(0).random((4 * 128, 64)).astype(np.float32)
    y = np.zeros_like(x)
    kernels.tensor_memory_of_roles[(1,)](x, y, COUNT=4, BUG=bug)
    return bool((x == y).all())


RUNS: dict[str, tuple[str, Runs]] = {
    "staged_copies": ("sm_80", _copied(kernels.staged_copies, 6, 512)),
    "copies_at_a_barrier": ("sm_90a", _copied(kernels.copies_at_a_barrier, 3, 512)),
    "shared_by_roles": ("sm_90a", _copied(kernels.shared_by_roles, 5, 256, COUNT=5)),
    "tensor_ring": ("sm_90a", _tiles(kernels.tensor_ring, True, False)),
    "staged_stores": ("sm_90a", _tiles(kernels.staged_stores, False, True)),
    "two_roles": ("sm_90a", _tiles(kernels.two_roles, True, False, S=2)),
    "three_roles": ("sm_90a", _tiles(kernels.three_roles, True, True, factor=2, S=2)),
    "products": ("sm_90a", _products(kernels.products, 64, 64, 6)),
    "products_by_roles": ("sm_90a", _products(kernels.products_by_roles, 64, 64, 6)),
    "tensor_products": ("sm_100a", _products(kernels.tensor_products, 128, 128, 4)),
    "tensor_products_by_roles": ("sm_100a", _products(kernels.tensor_products_by_roles, 640, 128, 3, TILES=5)),
    "tensor_memory_of_roles": ("sm_100a", _sums),
}
TEXT = Path(kernels.__file__).read_text()
_BUG = re.compile(r'BUG (?:==|!=) "([^"]+)"')


def bugs(kernel: str) -> Iterator[str]:
    """The bugs that the functions of a kernel have places for."""
    bodies = [TEXT.split(f"def {name}(")[1].split("@gluon.jit")[0] for name in (kernel, *PARTS.get(kernel, ()))]
    yield from dict.fromkeys(bug for body in bodies for bug in _BUG.findall(body))


@pytest.mark.parametrize("kernel", RUNS)
def test_kernels(kernel: str) -> None:
    target, run = RUNS[kernel]
    with activate(target):
        assert run("")
    missed: list[str] = []
    with activate(target, max_steps=400_000):
        for bug in bugs(kernel):
            if (kernel, bug) in HARMLESS:
                continue
            try:
                run(bug)
                missed.append(bug)
            except TritonFault:
                pass
    assert not missed


def test_there_are_many() -> None:
    assert sum(len(list(bugs(kernel))) for kernel in RUNS) > 80


@pytest.mark.parametrize("mode", ["eager", "random:3"])
@pytest.mark.parametrize("kernel", RUNS)
def test_right_kernels_in_other_modes(kernel: str, mode: str) -> None:
    target, run = RUNS[kernel]
    with activate(target, asynchrony=mode):
        assert run("")
