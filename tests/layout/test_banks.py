"""Bank conflicts: counts against a count lane by lane, known cases, and suggested swizzles against all smaller ones."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from weft.errors import LayoutError
from weft.layout import R, S, SwizzleLayout, laneid, m, parse, shared_layout, swz, tx, warpid
from weft.layout.access import Access
from weft.layout.banks import matrix_accesses, suggest_swizzle, vector_accesses
from weft.layout.conflicts import conflicts, report, totals, wavefronts
from weft.layout.fragments import named_fragment
from weft.sim.traffic import wavefronts as simulated


def count(addresses: list[int], active: list[bool], width: int, phase: int) -> tuple[int, int]:
    """Wavefronts and phases of one instruction, by the rules."""
    found = phases = 0
    for first in range(0, len(addresses), phase):
        banks: dict[int, set[int]] = defaultdict(set)
        for lane in range(first, first + phase):
            if active[lane]:
                for byte in range(addresses[lane], addresses[lane] + width):
                    banks[byte // 4 % 32].add(byte // 4)
        found += max((len(words) for words in banks.values()), default=0)
        phases += bool(banks)
    return found, phases


@st.composite
def accesses(draw: st.DrawFn) -> tuple[NDArray[np.int64], int, NDArray[np.bool_]]:
    width = draw(st.sampled_from([1, 2, 4, 8, 16]))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    count = draw(st.integers(1, 3))
    reach = draw(st.sampled_from([4, 40, 400]))
    kind = draw(st.sampled_from(["random", "linear", "pairs", "quads"]))
    addresses = rng.integers(0, reach, (count, 32)) * width
    if kind == "linear":
        addresses = np.arange(32) * width * rng.integers(0, 40, (count, 1))
    elif kind == "pairs":
        addresses = addresses[:, np.arange(32) & ~1]
    elif kind == "quads":
        addresses = addresses[:, np.arange(32) & ~2]
    active = rng.random((count, 32)) < draw(st.sampled_from([1.0, 0.5]))
    return addresses, width, active


@given(accesses(), st.booleans())
def test_counts(drawn: tuple[NDArray[np.int64], int, NDArray[np.bool_]], store: bool) -> None:
    addresses, width, active = drawn
    access = Access(addresses, width, store=store, active=active)
    found, extra = wavefronts(access), conflicts(access)
    for at, one in enumerate(access):
        phase = min(32, 128 // width)
        row, on = addresses[at].tolist(), active[at].tolist()
        expected, phases = count(row, on, width, phase)
        assert (found[at], extra[at]) == (expected, expected - phases)
        lanes, index = np.flatnonzero(active[at]), addresses[at][active[at]]
        if len(lanes):
            assert simulated(lanes, index, width) == (expected, phases)
        told = report(one)
        assert (told.wavefronts, told.ideal, told.conflicts) == (expected, phases, expected - phases)
        lanes = [lane for each in told.phases for lane in each.lanes]
        assert lanes == [lane for lane in range(32) if on[lane]]
        for each in told.phases:
            for bank, words in each.banks.items():
                for word, holders in words.items():
                    assert word % 32 == bank
                    assert all(row[lane] // 4 <= word <= (row[lane] + width - 1) // 4 for lane in holders)
    assert (totals(access).wavefronts, totals(access).conflicts) == (found.sum(), extra.sum())
    assert totals(access).degree == max(report(one).degree for one in access)


@given(st.integers(0, 10**6), st.sampled_from([8, 16, 32]))
def test_matrix_counts(seed: int, lanes: int) -> None:
    addresses = np.random.default_rng(seed).integers(0, 64, (3, lanes)) * 16
    found = wavefronts(Access(addresses, 16, matrix=True))
    assert found.tolist() == [count(row, [True] * lanes, 16, 8)[0] for row in addresses.tolist()]


def linear(stride: int, width: int) -> Access:
    return Access(np.arange(32) * stride, width)


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (linear(4, 4), 1),
        (linear(8, 4), 2),
        (linear(128, 4), 32),
        (linear(132, 4), 1),
        (linear(0, 4), 1),
        (linear(2, 2), 1),
        (linear(1, 1), 1),
        (linear(8, 8), 2),
        (linear(16, 8), 4),
        (linear(16, 16), 4),
        (linear(32, 16), 8),
        (linear(128, 16), 32),
        (linear(0, 16), 4),
        (Access(np.arange(32) * 16, 16, store=True), 4),
        (Access(np.arange(8) * 128, 16, matrix=True), 8),
        (Access(np.arange(8) * 144, 16, matrix=True), 1),
        (Access(np.arange(16) * 32, 16, matrix=True), 4),
    ],
)
def test_known_cases(access: Access, expected: int) -> None:
    assert wavefronts(access).tolist() == [expected]


def test_which_lanes() -> None:
    told = report(linear(64, 4))
    (phase,) = told.phases
    assert told.degree == phase.wavefronts == 16
    assert phase.conflicts.keys() == {0, 16}
    assert phase.banks[16] == {16 * lane: (lane,) for lane in range(1, 32, 2)}
    assert str(told) == "16 wavefronts in 1 phase: 16-way conflicts"


def test_errors() -> None:
    for wrong, message in {
        (2, 4): "not a multiple of its 4 bytes",
        (4, 3): "an access cannot be 3 bytes wide",
    }.items():
        with pytest.raises(LayoutError, match=message):
            linear(*wrong)
    with pytest.raises(LayoutError, match="31 addresses"):
        Access(np.arange(31), 1)
    with pytest.raises(LayoutError, match="not a layout of shared memory"):
        matrix_accesses(S[(8, 8) : (1 @ laneid, 1)], (8, 8), 16, 1)
    with pytest.raises(LayoutError, match="not contiguous"):
        matrix_accesses(S[(8, 8) : (1, 8)], (8, 8), 16, 1)
    with pytest.raises(LayoutError, match="threads and registers"):
        vector_accesses(S[32, 2], S[(32, 2) : (1 @ warpid, 1)], (32, 2), 16)
    with pytest.raises(LayoutError, match="not contiguous and aligned"):
        vector_accesses(S[32, 6], S[(32, 6) : (1 @ laneid, 1)], (32, 6), 16, width=8)
    with pytest.raises(LayoutError, match="no accesses to find"):
        suggest_swizzle()


def test_accesses_of_layouts() -> None:
    a = named_fragment("mma.m16n8k16.A.f16").layout
    access = vector_accesses(S[16, 16], a, (16, 16), 16)
    assert (len(access), access.width) == (4, 4)
    for register, (row, column) in enumerate([(0, 0), (8, 0), (0, 8), (8, 8)]):
        expected = [2 * (16 * (lane // 4 + row) + 2 * (lane % 4) + column) for lane in range(32)]
        assert access.addresses[register].tolist() == expected
    rows = matrix_accesses(S[16, 64], (16, 64), 16, 4)
    assert rows.addresses[1].tolist() == [2 * (64 * (lane % 16) + 16 + 8 * (lane // 16)) for lane in range(32)]
    down = matrix_accesses(S[(64, 16) : (1, 64)], (64, 16), 16, 4, trans=True)
    assert sorted(down.addresses.ravel()) == sorted(rows.addresses.ravel())
    apart = vector_accesses(S[32, 4], S[(32, 4) : (1 @ laneid, 2)], (32, 4), 32)
    assert (len(apart), apart.width) == (1, 16)
    few = vector_accesses(S[8, 4], S[(8, 4) : (1 @ laneid, 1)], (8, 4), 32)
    assert (len(few), few.width, int(few.active.sum())) == (1, 16, 8)


def test_accesses_of_several_warps() -> None:
    layout = swz(3, 3, 3) @ S[64, 64]
    rows = vector_accesses(layout, S[(64, 2, 4, 8) : (1 @ tx, 32, 8, 1)], (64, 64), 16)
    assert (len(rows), rows.width) == (16, 16)
    assert rows.addresses[8:].tolist() == [
        [2 * layout.apply(32 + lane, 8 * step, shape=(64, 64))[m] for lane in range(32)] for step in range(8)
    ]
    fused = vector_accesses(layout, S[(2, 32, 64) : (1 @ warpid, 1 @ laneid, 1)], (64, 64), 16)
    assert (fused.addresses == rows.addresses).all()


def naive_conflicts(access: Access, swizzle: tuple[int, int, int]) -> bool:
    """Whether any instruction conflicts when its addresses go through a swizzle of bytes, by the definitions."""
    chunk, bits, distance = swizzle
    for addresses in access.addresses.tolist():
        moved = []
        for address in addresses:
            number, within = divmod(address, 2**chunk)
            moved.append((number ^ (number // 2**distance % 2**bits)) * 2**chunk + within)
        found, phases = count(moved, [True] * len(moved), access.width, access.phase_lanes)
        if found > phases:
            return True
    return False


TILES = [
    [matrix_accesses(S[64, 64], (64, 64), 16)],
    [matrix_accesses(S[32, 32], (32, 32), 16)],
    [matrix_accesses(S[16, 16], (16, 16), 16)],
    [matrix_accesses(S[32, 128], (32, 128), 16)],
    [matrix_accesses(S[32, 128], (32, 128), 8, 2)],
    [matrix_accesses(S[(16, 32) : (40, 1)], (16, 32), 16)],
    [
        matrix_accesses(S[32, 32], (32, 32), 16),
        vector_accesses(S[32, 32], S[(32, 4, 8) : (1 @ laneid, 8, 1)], (32, 32), 16, store=True),
    ],
    [Access(np.arange(32) * 128, 4), Access(np.arange(32) * 4, 4)],
    [Access(np.arange(32) * 8, 4)],
]


@pytest.mark.parametrize("tile", TILES, ids=range(len(TILES)))
def test_suggested_swizzle_is_the_smallest(tile: list[Access]) -> None:
    size = 1 << (max(int(access.addresses.max()) + access.width for access in tile) - 1).bit_length()
    widest = max(access.width for access in tile)
    found = suggest_swizzle(*tile)
    limit = size.bit_length() - 1
    smaller = [
        (bits, chunk, distance)
        for bits in range(6)
        for chunk in range(widest.bit_length() - 1, 8)
        for distance in range(bits, limit - chunk - bits + 1)
        if chunk + bits <= 7
    ]
    free = [
        each for each in smaller if not any(naive_conflicts(access, (each[1], each[0], each[2])) for access in tile)
    ]
    best = min(free, default=None)
    if found is None:
        assert best is None
    else:
        assert best == (found.swizzle_len, found.per_element, found.atom_len)


def test_suggestions_for_tiles() -> None:
    """The swizzles of 128, 64 and 32 bytes, in elements, for rows as long; none for rows that differ in their banks."""
    for columns, expected in {64: swz(3, 3, 3), 32: swz(3, 2, 3), 16: swz(3, 1, 3)}.items():
        access = matrix_accesses(S[64, columns], (64, columns), 16)
        assert suggest_swizzle(access, bits=16) == expected
        assert totals(matrix_accesses(expected @ S[64, columns], (64, columns), 16)).conflicts == 0
    assert suggest_swizzle(matrix_accesses(S[(64, 64) : (72, 1)], (64, 64), 16), bits=16) == SwizzleLayout(3, 0, 0)
    for width in (32, 64, 128):
        layout = shared_layout(16, width, (64, 64))
        assert totals(matrix_accesses(layout, (64, 64), 16)).conflicts == 0
    assert suggest_swizzle(Access(np.arange(32) * 128, 4), size=128) is None


def test_replicas_do_not_count() -> None:
    fragment = S[(32, 2) : (1 @ laneid, 1)] + R[2:8]
    assert len(vector_accesses(parse("S[64:1]"), fragment, (32, 2), 32)) == 1
    assert fragment.span(m) == 10
