"""Sets of lanes against sets of Python, registers as they begin, and what names stand for."""

from __future__ import annotations

import random

import numpy as np
import pytest

from weft.sim.lanes import WARP, Array, Lanes, all_of, any_of, changes, numbers, span, union
from weft.sim.registers import POISON, Names, Place, Row
from weft.sim.types import DTYPES, as_words, register_dtype, signed

ROLE = 2 * WARP


def some(rng: random.Random) -> tuple[Lanes, set[int]]:
    """Lanes of a span of whole roles, and the same as a set."""
    lo = ROLE * rng.randrange(3)
    hi = lo + ROLE * rng.randint(1, 3)
    if rng.random() < 0.3:
        return Lanes(lo, hi), set(range(lo, hi))
    chosen = {lane for lane in range(lo, hi) if rng.random() < rng.choice((0.1, 0.9))} | {rng.randrange(lo, hi)}
    if rng.random() < 0.3:
        chosen = {lane // WARP * WARP + n for lane in chosen for n in range(WARP)}
    mask = np.array([lane in chosen for lane in range(lo, hi)])
    return Lanes(lo, hi, None if mask.all() else mask), chosen


def test_sets_of_lanes() -> None:
    rng = random.Random(1)
    for _ in range(60):
        (one, mine), (two, other) = some(rng), some(rng)
        for lanes, chosen in ((one, mine), (two, other), (union(one, two), mine | other)):
            assert lanes.index.tolist() == sorted(chosen)
            assert (lanes.count, lanes.span) == (len(chosen), (lanes.lo, lanes.hi))
            everything = np.arange(9 * ROLE)
            assert everything[lanes.select].tolist() == sorted(chosen)
            assert np.flatnonzero(lanes.among(9 * ROLE)).tolist() == sorted(chosen)
            warps = {lane // WARP for lane in chosen}
            assert lanes.are_whole == (len(chosen) == WARP * len(warps))
            values = np.arange(lanes.count, dtype=np.int32) + 5
            wide = lanes.spread(values)
            assert wide.dtype == np.int32 and len(wide) == lanes.hi - lanes.lo
            assert {lanes.lo + n: int(v) for n, v in enumerate(wide) if v >= 5} == dict(
                zip(sorted(chosen), values.tolist(), strict=True)
            )
            assert set(wide.tolist()) - set(values.tolist()) <= {0}
            thirds = np.array([lane % 3 - 1 for lane in sorted(chosen)])
            parts = [(value, part.index.tolist()) for value, part in lanes.groups(thirds, ROLE)]
            assert parts == [
                (value, each) for value in (-1, 0, 1) if (each := [n for n in sorted(chosen) if n % 3 - 1 == value])
            ]
        both = union(one, two)
        assert (both.lo, both.hi) == (min(one.lo, two.lo), max(one.hi, two.hi))
        assert (both.mask is None) == (both.count == both.hi - both.lo)


def test_lanes_that_a_mask_marks() -> None:
    """The span is as short as whole roles allow; without any lane there is none."""
    rng = random.Random(2)
    for _ in range(100):
        lo, roles = ROLE * rng.randrange(4), rng.randint(1, 4)
        chance = [rng.choice((0.0, 0.0, 0.02, 1.0)) for _ in range(roles)]
        mask = np.array([rng.random() < each for each in chance for _ in range(ROLE)])
        if rng.random() < 0.3:
            mask[:] = False
            mask[ROLE * (roles - 1) :] = True
        found, wanted = Lanes.where(mask, lo, ROLE), (np.flatnonzero(mask) + lo).tolist()
        if not wanted:
            assert found is None
            continue
        assert found is not None and found.index.tolist() == wanted and found.count == len(wanted)
        assert (found.lo, found.hi) == (wanted[0] // ROLE * ROLE, wanted[-1] // ROLE * ROLE + ROLE)
        assert (found.mask is None) == (found.count == found.hi - found.lo)
    for lane in (0, 31, 32, 77):
        one = Lanes.one(lane)
        assert (one.index.tolist(), one.count, one.lo, one.hi) == ([lane], 1, lane // 32 * 32, lane // 32 * 32 + 32)


def test_helpers_of_arrays() -> None:
    for values in ([], [1], [1, 1, 2, 2, 2, 1], [0, 0], [3, 2, 1]):
        array = np.array(values, np.int64)
        assert changes(array).tolist() == [n for n, v in enumerate(values) if n == 0 or v != values[n - 1]]
    for lanes, wanted in (
        ([3, 4, 5], slice(3, 6)),
        ([5, 3, 4], slice(3, 6)),
        ([7], slice(7, 8)),
        ([1, 3], None),
        ([0, 2, 3], None),
    ):
        found = span(np.array(lanes))
        assert found == wanted if wanted else isinstance(found, np.ndarray) and found.tolist() == lanes
    assert numbers(slice(4, 9), 3).tolist() == [4, 5, 6] and numbers(np.array([7, 9]), 2).tolist() == [7, 9]
    for mask in ([], [True], [False], [True, False], [False, False], [True, True]):
        array: Array = np.array(mask, np.bool_)
        assert (any_of(array), all_of(array)) == (any(mask), all(mask))


@pytest.mark.parametrize(
    ("type_", "bits"), [("pred", 1), ("b8", 8), ("b16", 16), ("f32", 32), ("s64", 64), ("b128", 128)]
)
def test_registers_begin_with_a_word_that_catches_the_eye(type_: str, bits: int) -> None:
    """The low bits of 0xBAD05EEDBAD05EED, whatever they held; predicates are false."""
    row = Row("%x", type_, 3)
    assert (row.name, row.bits, row.defined, row.made_of) == ("%x", bits, None, [])
    assert row.array.shape == ((2, 3) if bits == 128 else (3,))
    assert row.array.dtype == (np.bool_ if bits == 1 else f"u{min(bits, 64) // 8}")
    wanted = 0 if bits == 1 else POISON & (1 << min(bits, 64)) - 1
    assert {int(word) for word in row.array.reshape(-1)} == {wanted}
    row.array[:] = 1
    row.fill()
    assert {int(word) for word in row.array.reshape(-1)} == {wanted}


def test_names_of_scopes() -> None:
    """The innermost scope that declares a name has it; numbered registers are those below the count."""
    outer = Names(
        types={"%p": "pred", "%v.x": "f32", "%v.y": "f32"},
        ranges={"%r": ("b32", 10)},
        places={"a": Place("global", 8, 4)},
        labels={"L": 3},
    )
    inner = Names(
        outer, types={"%p": "b64"}, ranges={"%r": ("b16", 5)}, places={"b": Place("local", 0, 4)}, labels={"M": 7}
    )
    assert list(inner.outwards()) == [inner, outer]
    for name, scope, type_, plain in (
        ("%r4", inner, "b16", "%r4"), ("%r5", outer, "b32", "%r5"), ("%r0", inner, "b16", "%r0"), ("%r009", outer, "b32", "%r9"),
        ("%p", inner, "b64", "%p"), ("%v.x", outer, "f32", "%v.x"), ("%v.r", None, "", ""), ("%r10", None, "", ""), ("%r", None, "", ""), ("%q1", None, "", ""),
    ):  # fmt: skip
        assert inner.declared(name) == ((scope, type_, plain) if scope is not None else None), name
    assert outer.declared("%p") == (outer, "pred", "%p")
    assert inner.place("a") == outer.place("a") == Place("global", 8, 4) and outer.place("b") is None
    assert (inner.label("L"), inner.label("M"), outer.label("M"), inner.label("N")) == (3, 7, None, None)
    assert inner.list_of("L") is None
    row = inner.row("%r005", 4)
    assert row is not None and row is inner.row("%r5", 4) is outer.row("%r5", 4) and row.bits == 32
    assert inner.row("%r4", 4) is not outer.row("%r4", 4)
    assert inner.row("%r5.h0", 4) is row and inner.row("%r77.h0", 4) is None and inner.row("%none", 4) is None


def test_types_of_registers() -> None:
    """Wider registers take the sign or zeros, and the bits of floats."""
    for bits in (8, 16, 32, 64):
        assert signed(bits) == f"i{bits // 8}"
        for letter, dtype in (("s", "i"), ("u", "u"), ("b", "u")):
            assert DTYPES[f"{letter}{bits}"] == f"{dtype}{bits // 8}"
            for wide in (16, 32, 64):
                if wide >= bits:
                    assert register_dtype(f"{letter}{bits}", wide) == f"{dtype}{wide // 8}"
    assert [DTYPES[name] for name in ("f16", "f32", "f64", "bf16", "tf32", "e4m3", "f16x2")] == [
        "f2",
        "f4",
        "f8",
        "u2",
        "u4",
        "u1",
        "u4",
    ]
    assert (
        register_dtype("f32", 32) == "f4"
        and register_dtype("f32", 64) == "u8"
        and register_dtype("pred", 1) == np.bool_
    )
    one = np.array([1.0], np.float32)
    assert as_words(one, np.dtype(np.uint64)).tolist() == [0x3F80_0000]
    assert as_words(one, np.dtype(np.float32)) is one
    assert as_words(np.array([3], np.int16), np.dtype(np.uint64)).tolist() == [3]
