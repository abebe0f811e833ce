"""Every shape of the operands of `tcgen05`, by itself: the registers of a warp, the lanes of copies, narrow elements in memory."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import Array
from tests.sim.test_tcgen05 import (
    BITS,
    COPIES,
    DTYPES,
    WORDS,
    image,
    lane_of,
    lanes_of,
    metadata_cells,
    numbers,
    place,
    sparsify,
)
from weft.sim import KernelFault, umma
from weft.sim.semantics import load_all, tcgen05, tcgen05_mma
from weft.sim.tensor_cells import Cells

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
    rows, bits = map(int, shape.removesuffix("b").split("x"))
    assert tcgen05_mma._SHAPES[shape] == (rows, bits // 8)  # pyright: ignore[reportPrivateUsage]
    assert {len(lanes) for lanes in targets} == {rows}
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


# -- tensor memory --------------------------------------------------------------------------------------------


class Tensor:
    """Tensor memory of two CTAs, and which cells of it were checked."""

    def __init__(self, seed: int) -> None:
        self.words = np.random.default_rng(seed).integers(0, 1 << 32, (2, 128, 512)).astype(np.uint32)
        self.checked: list[tuple[int, bool, bool]] = []

    def check(self, _: Any, cells: Cells, lane: int, *, read: bool, ordered: bool) -> None:
        self.checked.append((lane, read, ordered))

    def load(self, cells: Cells) -> Array:
        return self.words[cells.index]


def instruction(tensor: Tensor, **more: Any) -> Any:
    """A product of single CTAs."""
    site = SimpleNamespace(
        machine=SimpleNamespace(tensor=tensor), fault=lambda kind, message, lane: KernelFault(kind, f"{message} {lane}")
    )
    return SimpleNamespace(**{"site": site, "ws": False, "pair": False, "sparse": False, **more})


def test_where_a_lies_in_tensor_memory() -> None:
    for m, lane in ((128, 0), (64, 0), (64, 16)):
        call: Any = SimpleNamespace(a=lane << 16 | 37)
        found: Any = SimpleNamespace(m=m)
        cells = tcgen05_mma._Product._left(instruction(Tensor(0)), call, found, np.array([[0], [1]]))  # pyright: ignore[reportPrivateUsage]
        for cta, row, column in product(range(2), range(m), range(8)):
            at = cells.cta[cta, row, column], cells.lane[cta, row, column], cells.column[cta, row, column]
            assert at == (cta, lane_of(row, 0, m, 64, False)[0] + lane, 37 + column)


@pytest.mark.parametrize("vectors", [1, 2, 4])
def test_where_scales_lie(vectors: int) -> None:
    """A byte for each part of K, from one of a word on; the upper bits of the address do not count."""
    tensor, depth, rows = Tensor(1), 64, 96
    given = instruction(tensor, vectors=vectors)
    found: Any = SimpleNamespace(scale_type="ue8m0", depth=depth)
    address = 3 << 30 | 32 << 16 | 41
    for byte in range(4):
        arguments: Any = given, address, byte, found, np.array([[0], [1]]), rows, np.array([7, 8])
        if byte + vectors > 4:
            with pytest.raises(KernelFault) as caught:
                tcgen05_mma._Product._scales(*arguments)  # pyright: ignore[reportPrivateUsage]
            assert (caught.value.kind, caught.value.message) == ("descriptor", f"scales start at byte {byte} 7")
            continue
        scales = tcgen05_mma._Product._scales(*arguments)  # pyright: ignore[reportPrivateUsage]
        assert tensor.checked[-1] == (7, True, True)
        words = np.stack([tensor.words[:, 32 + row % 32, 41 + row // 32] for row in range(rows)], axis=1)
        bytes_ = (
            np.ascontiguousarray(words).view(ml_dtypes.float8_e8m0fnu).reshape(2, rows, 4)[:, :, byte : byte + vectors]
        )
        want = np.repeat(bytes_.astype(np.float64), depth // vectors, axis=2)
        assert np.array_equal(scales, want, equal_nan=True)


@pytest.mark.parametrize(("bits", "m", "selector"), [(16, 128, 3), (32, 64, 1), (8, 128, 0), (16, 64, 0), (8, 64, 0)])
def test_where_metadata_lie(bits: int, m: int, selector: int) -> None:
    """From a column on, which the selector moves, and a lane, of which a half of the rows of 64 may start with the second."""
    lane = 16 if m == 64 else 0
    stored, kept, nibbles = sparsify(numbers((m, 512 // bits), "f16", 5), bits)
    cells = metadata_cells(nibbles, m, False, bits >= 16)
    tensor = Tensor(2)
    tensor.words[:, lane:, 77 + selector : 79 + selector] = cells[: 128 - lane]
    call: Any = SimpleNamespace(metadata=lane << 16 | 77)
    found: Any = SimpleNamespace(bits=bits, depth=512 // bits, m=m, selector=selector)
    given = instruction(tensor, sparse=True)
    expanded = tcgen05_mma._Product._expanded(  # pyright: ignore[reportPrivateUsage]
        given, np.stack([stored, stored]), call, found, np.array([9, 41]), np.array([0, 1])
    )
    assert tensor.checked == [(9, True, True)]
    assert (expanded == kept).all()
