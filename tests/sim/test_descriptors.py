"""Instruction and matrix descriptors of `tcgen05` by the tables of the PTX manual, bit by bit."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import numpy as np
import pytest

from weft.errors import Severity
from weft.sim import KernelFault, umma, warpgroup

SMALL = {0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1"}
KINDS: dict[str, tuple[int, dict[int, str], dict[int, str]]] = {
    "f16": (16, {0: "f16", 1: "bf16"}, {0: "f16", 1: "f32"}),
    "tf32": (32, {2: "tf32"}, {1: "f32"}),
    "f8f6f4": (8, SMALL, {0: "f16", 1: "f32"}),
    "i8": (8, {0: "u8", 1: "s8"}, {2: "s32"}),
    "mxf8f6f4": (8, SMALL, {}),
    "mxf4": (4, {1: "e2m1"}, {}),
    "mxf4nvf4": (4, {1: "e2m1"}, {}),
}
"""The bits of an element, the codes of A's and B's types and those of D's; with scales D is f32."""
FIELDS = {
    "selector": (0, 2), "sparse": (2, 1), "saturate": (3, 1), "d": (4, 2), "a": (7, 3), "b": (10, 3), "minus_a": (13, 1), "minus_b": (14, 1),
    "across_a": (15, 1), "across_b": (16, 1), "n": (17, 6), "scale_type": (23, 1), "m": (24, 5), "scale_a": (29, 2),
}  # fmt: skip
"""First bits and widths; with scales, the bits of `d` are those of B's scales, and the selector's bits are not used."""


def packed(values: dict[str, int]) -> int:
    return sum(value << FIELDS[name][0] for name, value in values.items())


def right(kind: str, values: dict[str, int], *, pair: bool, ws: bool, sparse: bool) -> bool:
    """Whether the manual allows a descriptor."""
    _, types, sums = KINDS[kind]
    scaled = kind.startswith("mx")
    m, n = 16 * values["m"], 8 * values["n"]
    if values["a"] not in types or values["b"] not in types or (not scaled and values["d"] not in sums):
        return False
    if values["sparse"] != sparse or m not in ((128, 256) if pair else (32, 64, 128) if ws else (64, 128)):
        return False
    if not scaled and values["selector"] and not (sparse and kind in ("f16", "tf32")):
        return False
    return n in (64, 128, 256) if ws else n in range(8, 257, 8) if m == 64 else n in range(16, 257, 16)


@pytest.mark.parametrize("kind", KINDS)
def test_instruction_descriptors(kind: str) -> None:
    """From a right one each field takes all its values: what is allowed, and what that says."""
    bits, types, sums = KINDS[kind]
    scaled = kind.startswith("mx")
    for pair, ws, sparse in product([False, True], repeat=3):
        if pair and ws:
            continue
        for m in (2, 4, 8, 16):
            base = dict.fromkeys(FIELDS, 0) | {
                "a": min(types),
                "b": max(types),
                "d": min(sums, default=2),
                "n": 8,
                "m": m,
            }
            base |= {"sparse": sparse}
            for name, (_, width) in FIELDS.items():
                for value in range(1 << width):
                    values = base | {name: value}
                    found = umma.instruction(f"kind::{kind}", packed(values), pair, ws, sparse)
                    if not right(kind, values, pair=pair, ws=ws, sparse=sparse):
                        assert isinstance(found, str), values
                        continue
                    assert not isinstance(found, str), (found, values)
                    assert (found.atype, found.btype) == (types[values["a"]], types[values["b"]])
                    assert found.dtype == ("f32" if scaled else sums[values["d"]])
                    assert (found.m, found.n, found.bits) == (16 * values["m"], 8 * values["n"], bits)
                    assert found.depth == 256 // bits * (1 + sparse)
                    assert found.sign == (-1) ** (values["minus_a"] + values["minus_b"])
                    assert (found.across_a, found.across_b) == (values["across_a"], values["across_b"])
                    assert found.saturate == (not scaled and values["saturate"])
                    assert found.selector == (0 if scaled else values["selector"])
                    if scaled:
                        assert found.scale_type == ("ue8m0" if values["scale_type"] else "ue4m3")
                        assert (found.scale_a, found.scale_b) == (values["scale_a"], values["d"])


REFUSED = {
    "type code 2 is not valid for .kind::f16": {"a": 2},
    "type code 3 is not valid for .kind::f16": {"b": 3},
    "accumulator code 2 is not valid for .kind::f16": {"d": 2},
    "it declares A sparse": {"sparse": 1},
    "the sparsity selector is 3": {"selector": 3},
    "M is 96, not one of 64, 128": {"m": 6},
    "N is 24, not a multiple of 16 up to 256": {"n": 3},
    "N is 264, not a multiple of 16 up to 256": {"n": 33},
    "N is 8, not a multiple of 16 up to 256": {"n": 1},
    "N is 0, not a multiple of 8 up to 256": {"n": 0, "m": 4},
    "N is 264, not a multiple of 8 up to 256": {"n": 33, "m": 4},
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_is_wrong_with_a_descriptor(message: str) -> None:
    base = dict.fromkeys(FIELDS, 0) | {"d": 1, "n": 8, "m": 8}
    assert umma.instruction("kind::f16", packed(base | REFUSED[message]), False, False, False) == message


def test_what_is_wrong_with_other_descriptors() -> None:
    base = dict.fromkeys(FIELDS, 0) | {"d": 1, "n": 8, "m": 8}
    for word, ways, message in (
        (base | {"n": 4}, (False, True, False), "N is 32, not 64, 128 or 256"),
        (base | {"m": 16}, (False, True, False), "M is 256, not one of 32, 64, 128"),
        (base | {"m": 4}, (True, False, False), "M is 64, not one of 128, 256"),
        (base, (False, False, True), "it declares A dense"),
    ):
        assert umma.instruction("kind::f16", packed(word), *ways) == message


# -- matrices -------------------------------------------------------------------------------------------------

WIDE = {0: 1, 1: 8, 2: 8, 4: 4, 6: 2}
"""Swizzle modes, and how many 16-byte units a row of their patterns has."""


def canonical(row: int, k: int, size: int, leading: int, stride: int, mode: int, *, across: bool) -> int:
    """The byte of an element by the manual's canonical layouts, in units of 16 bytes, and the swizzle's bits."""
    unit, wide = 16 // size, WIDE[mode]
    if not across:
        inside = row % 8 * wide * 16 + row // 8 * stride + k % unit * size
        byte = inside + k // unit * (leading if mode == 0 else 16)
    elif mode == 0:
        byte = row % unit * size + row // unit * stride + k % 8 * 16 + k // 8 * leading
    else:
        each = 4 if mode == 1 else 8
        byte = row % unit * size + row // unit % wide * 16 + row // (unit * wide) * leading
        byte += k % each * wide * 16 + k // each * stride
    if mode == 1:  # Of 32-byte units: two bits.
        return byte ^ (byte >> 7 & 3) << 5
    return byte ^ (byte >> 7 & (wide - 1)) << 4


class Said(Exception):
    """A fault that a descriptor is."""


class Place:
    """Takes what is told of a descriptor."""

    def __init__(self) -> None:
        self.told: list[KernelFault] = []

    def fault(self, kind: str, message: str, lane: int) -> KernelFault:
        assert (kind, lane) == ("descriptor", 5)
        return KernelFault(kind, message)

    def report(self, fault: KernelFault, severity: Severity) -> None:
        assert severity is Severity.NOTE
        self.told.append(fault)


def offsets(place: Place, word: int, rows: int, depth: int, size: int, *, across: bool) -> Any:
    return umma._offsets_of(cast(Any, place), 5, word, rows, depth, size, across)  # pyright: ignore[reportPrivateUsage]


def word_of(start: int, leading: int, stride: int, mode: int, version: int = 1) -> int:
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | version << 46 | mode << 61


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize("mode", WIDE)
@pytest.mark.parametrize("across", [False, True])
def test_matrices_in_shared_memory(mode: int, size: int, across: bool) -> None:
    rows, depth, start, leading, stride = 64, 32 // size, 0x1400, 0x0C10, 0x2840
    word = word_of(start, leading, stride, mode)
    place = Place()
    whole = offsets(place, word, rows, depth, size, across=across)
    assert whole.shape == (rows, depth)
    want = [
        [canonical(row, k, size, leading, stride, mode, across=across) for k in range(depth)] for row in range(rows)
    ]
    assert (whole == np.array(want) + start).all()  # Patterns are those of addresses: a start at a multiple moves all.
    # With bit 52 the leading dimension is an address.
    absolute = word_of(start, leading + start, stride, mode) | 1 << 52
    assert (offsets(place, absolute, rows, depth, size, across=across) == whole).all()
    assert not place.told
    assert (offsets(place, word_of(start, leading, stride, mode, 0), rows, depth, size, across=across) == whole).all()
    assert [str(note.message) for note in place.told] == ["bits 46 to 48 of a matrix descriptor are 0, not 1"]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        *((word_of(0, 16, 16, mode), f"unknown swizzle mode {mode} in a matrix descriptor") for mode in (3, 5, 7)),
        *((word_of(0, 16, 16, 2, version), f"bits 46 to 48 of a matrix descriptor are {version}, not 1") for version in range(2, 8)),
        *(
            (word_of(0, 16, 16, mode) | base << 49, "swizzle patterns that do not start at a multiple of their size are not simulated")
            for mode in (1, 2, 4, 6) for base in (1, 2, 4, 7)
        ),
    ],
)  # fmt: skip
def test_wrong_matrix_descriptors(word: int, message: str) -> None:
    with pytest.raises(KernelFault) as caught:
        offsets(Place(), word, 8, 16, 2, across=False)
    assert caught.value.message == message
    if word >> 49 & 7:  # Without a pattern nothing starts elsewhere.
        offsets(Place(), word & ~(7 << 61), 8, 16, 2, across=False)


# -- tensor memory --------------------------------------------------------------------------------------------


def lane_and_column(m: int, n: int, i: int, j: int, *, pair: bool, ws: bool, sparse: bool) -> tuple[int, int]:
    """Where an element of D lies in one CTA, by the layouts A to G of the manual: `i` counts the CTA's own rows."""
    if pair and m == 256:  # A
        return i, j
    if pair and not sparse:  # B
        return i + 64 * (j // (n // 2)), j % (n // 2)
    if pair or (m == 64 and not ws):  # C, F
        return 32 * (i // 16) + i % 16, j
    if m == 128:  # D
        return i, j
    if m == 64:  # E
        return i + 64 * (j // (n // 2)), j % (n // 2)
    return i + 32 * (j // (n // 4)), j % (n // 4)  # G


@pytest.mark.parametrize(
    ("m", "pair", "ws"),
    [(256, True, False), (128, True, False), (128, False, False), (128, False, True), (64, False, False), (64, False, True), (32, False, True)],
)  # fmt: skip
@pytest.mark.parametrize("sparse", [False, True])
def test_sums_in_tensor_memory(m: int, pair: bool, ws: bool, sparse: bool) -> None:
    n = 64
    own = m // 2 if pair else m
    lanes, columns = (np.broadcast_to(part, (own, n)) for part in umma.sums(m, n, pair, ws, sparse))
    for i, j in product(range(own), range(n)):
        assert (lanes[i, j], columns[i, j]) == lane_and_column(m, n, i, j, pair=pair, ws=ws, sparse=sparse)
    assert umma.rows_of(m, pair, ws, sparse).tolist() == [lanes[i, 0] for i in range(own)]


# -- warpgroups -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 4])
@pytest.mark.parametrize(("mode", "like"), [(0, 0), (1, 2), (2, 4), (3, 6)])
@pytest.mark.parametrize("across", [False, True])
def test_matrices_of_warpgroups(mode: int, like: int, size: int, across: bool) -> None:
    """`wgmma` has the same layouts by other numbers; the swizzle's bits are those of addresses."""
    rows, depth, leading, stride = 64, 32 // size, 0x0C10, 0x2840
    found = warpgroup._offsets(rows, depth, size, leading, stride, mode, across)  # pyright: ignore[reportPrivateUsage]
    if mode:
        found = found ^ (found >> 7 & (WIDE[like] - 1)) << 4
    for row, k in product(range(rows), range(depth)):
        assert found[row, k] == canonical(row, k, size, leading, stride, like, across=across)


@pytest.mark.parametrize("columns", [8, 24, 256])
def test_sums_of_warpgroups(columns: int) -> None:
    """Register i of a lane holds two neighbours of row lane / 4, then two of the row eight below, then eight columns on."""
    rows, places = warpgroup.accumulators(columns)
    assert rows.shape == places.shape == (32, columns // 2)
    for lane, i in product(range(32), range(columns // 2)):
        assert (rows[lane, i], places[lane, i]) == (
            lane // 4 + (8 if i % 4 >= 2 else 0),
            8 * (i // 4) + 2 * (lane % 4) + i % 2,
        )
    whole = np.random.default_rng(1).integers(0, 1 << 30, (3, 4, 16, columns))
    registers = warpgroup.by_register(whole)
    assert registers.shape == (columns // 2, 4, 3, 32)
    for warp, group in product(range(4), range(3)):
        assert (registers[:, warp, group].T == whole[group, warp][rows, places]).all()
    assert (warpgroup.by_matrix(registers, columns) == whole).all()
