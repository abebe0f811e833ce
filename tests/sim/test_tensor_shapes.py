"""Every shape of the operands of `tcgen05`, by itself: the registers of a warp, the lanes of copies, narrow elements in memory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import Array
from tests.sim.test_tcgen05 import BITS, COPIES, DTYPES, WORDS, image, lanes_of, numbers, place
from weft.sim import umma
from weft.sim.semantics import load_all, tcgen05, tcgen05_mma

load_all()


@pytest.mark.parametrize("shape", WORDS)
def test_registers_of_a_warp(shape: str) -> None:
    for repeats in (1, 2, 8):
        lane, column = tcgen05.places(shape, repeats)
        registers = range(repeats * WORDS[shape])
        want = np.array([[place(shape, thread, register) for thread in range(32)] for register in registers])
        assert (lane == want[:, :, 0]).all() and (column == want[:, :, 1]).all()


@pytest.mark.parametrize(("shape", "multicast"), COPIES)
def test_lanes_that_rows_are_copied_to(shape: str, multicast: str) -> None:
    targets = tcgen05_mma._targets(shape, multicast.removeprefix("."))  # pyright: ignore[reportPrivateUsage]
    rows = int(shape.partition("x")[0])
    assert [sorted(int(lanes[row]) for lanes in targets) for row in range(rows)] == [
        lanes_of(shape, multicast, row) for row in range(rows)
    ]


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("type_", sorted(DTYPES.keys() - {"s32", "f32"}))
def test_elements_of_operands(type_: str, across: bool) -> None:
    """Runs of 16 bytes, or single words, along K or along the rows; narrow floats have padding in each sixteen bytes."""
    bits = BITS.get(type_, 8)
    size, narrow = bits // 8, type_ in ("e2m1", "e2m3", "e3m2")
    values = numbers((2, 16, 32 // size), type_, 3)
    lying = values.transpose(0, 2, 1) if across else values
    memory = np.stack([image(each, type_, "") for each in lying])
    for run in (1,) if narrow else (1, 16 // size):
        index = np.arange(memory.size).reshape(2, -1, memory.shape[2])[:, :, :: size * run]
        index = np.ascontiguousarray(index.transpose(0, 2, 1)) if across else index
        assert (elements(memory, index, type_, bits, across, size * run) == values).all()


def elements(memory: Array, index: Array, type_: str, bits: int, across: bool, size: int) -> Array:
    shared = SimpleNamespace(load=lambda at, dtype: memory.reshape(-1).view(dtype)[at // dtype.itemsize])
    site: Any = SimpleNamespace(machine=SimpleNamespace(memory=SimpleNamespace(shared=shared)))
    return umma.Operand(index, type_, bits, across, size).values(site)


def test_elements_of_four_bits() -> None:
    """Of `.kind::mxf4` two lie in a byte, without padding."""
    values = numbers((2, 16, 64), "e2m1", 4)
    memory = np.stack([image(each, "e2m1", "mxf4") for each in values])
    index = np.arange(0, memory.size, 16).reshape(2, 16, 2)
    assert (elements(memory, index, "e2m1", 4, False, 16) == values).all()
