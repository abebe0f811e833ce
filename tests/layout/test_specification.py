"""Worked examples of the layout algebra: values computed by Apache TVM 0.27, and by hand where TVM is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import draws
from weft.errors import LayoutError
from weft.layout import (
    Axis,
    ComposeLayout,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    laneid,
    m,
    parse,
    shared_layout,
    swz,
    tid_in_wg,
    tx,
    warpid,
    wgid,
    wid_in_wg,
)

FRAGMENT = S[(8, 4, 2, 2) : (4 @ laneid, 1 @ laneid, 2, 1)]
MMA_A = S[(2, 8, 2, 4, 2) : (2, 4 @ laneid, 4, 1 @ laneid, 1)]


def pairs(layout: TileLayout) -> list[tuple[int, int]]:
    return [(extent, stride) for extent, stride, _ in layout.shard]


def test_notation() -> None:
    assert S[8 : 4 @ laneid] == S[8 : (4, "laneid")] == S[(8,) : (4 @ laneid,)]
    assert S[8:"laneid"] == S[8 : 1 @ laneid] == S[8:laneid]
    assert S[2, 3, 4] == S[(2, 3, 4) : (12, 4, 1)] == S[(2, 3, 4)]
    assert TileLayout(FRAGMENT) == FRAGMENT
    assert FRAGMENT + 2 + 3 @ laneid + 5 == TileLayout(FRAGMENT.shard, offset={m: 7, laneid: 3})
    assert TileLayout(S[8:1] + 1, R[2 : 4 @ warpid].iters, {m: 2}) == S[8:1] + R[2 : 4 @ warpid] + 3
    with pytest.raises(LayoutError, match="3 extents and 2 strides"):
        S[(1, 2, 3) : (1, 2)]
    with pytest.raises(LayoutError, match="at least 1"):
        S[0:1]


def test_apply() -> None:
    for places in (FRAGMENT.apply(3, 2, 1, 1), FRAGMENT.apply(59), FRAGMENT.apply(3, 11, shape=(8, 16))):
        assert places == {laneid: 14, m: 3}
    for place, expected in {(0, 0): (0, 0), (5, 6): (23, 0), (9, 3): (5, 3), (12, 13): (18, 7)}.items():
        assert MMA_A.apply(*place, shape=(16, 16)) == {laneid: expected[0], m: expected[1]}
    assert S[(3, 4) : (1, 3)].apply(3, 1, shape=(4, 3)) == {m: 8}
    assert S[(8, 8) : (8, 1)].apply(100) == {m: 100}
    layout = S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid
    assert layout.apply(7, 15, shape=(8, 16)) == {laneid: 31, warpid: 6, m: 1}
    assert S[(16, 4, 4)].digits(5, 7, shape=(16, 16)) == (5, 1, 3)


def test_swizzle_values() -> None:
    bare = SwizzleLayout(3, 3, 3)
    values = {
        0: 0,
        7: 7,
        8: 8,
        63: 63,
        64: 72,
        72: 64,
        127: 119,
        128: 144,
        200: 208,
        448: 504,
        511: 455,
        512: 512,
        576: 584,
    }
    assert {x: bare.apply(x)[m] for x in values} == values
    rows = {
        (3, 3, 3): "0 72 144 216 288 360 432 504",
        (3, 2, 3): "0 72 144 216 256 328 400 472",
        (3, 1, 3): "0 72 128 200 256 328 384 456",
        (2, 3, 3): "0 72 144 216 256 328 400 472",
        (4, 3, 3): "0 64 144 208 288 352 432 496",
        (0, 3, 3): "0 64 128 192 256 320 384 448",
    }
    for numbers, expected in rows.items():
        assert [swz(*numbers).apply(64 * row)[m] for row in range(8)] == [int(each) for each in expected.split()]
    outer = [swz(3, 3, 3, False).apply(8 * column)[m] for column in range(8)]
    assert outer == [0, 72, 144, 216, 288, 360, 432, 504]
    for bad in ((-1, 0, 0), (0, 3, 2), (0, -1, 0)):
        with pytest.raises(LayoutError):
            swz(*bad)


def test_size_and_span() -> None:
    assert [FRAGMENT.size(), FRAGMENT.size(laneid), FRAGMENT.span(), FRAGMENT.span(laneid)] == [128, 32, 4, 32]
    padded = S[(8, 6) : (8, 1)]
    assert [padded.size(), padded.span(), (padded + 5).span(), (padded + R[2:100]).span()] == [48, 62, 67, 162]
    assert S[(8, 6) : (-8, 1)].span() == 62
    assert (swz(3, 3, 3) @ S[100:1]).span() == 512


def test_group() -> None:
    grouped, seps = S[12:1].group([3, 4])
    assert (pairs(grouped), seps) == ([(3, 4), (4, 1)], (0, 1, 2))
    grouped, seps = S[(2, 6) : (100, 1)].group([4, 3])
    assert (pairs(grouped), seps) == ([(2, 100), (2, 3), (3, 1)], (0, 2, 3))
    grouped, seps = S[(2, 4) : (4, 1)].group([1, 2, 1, 4, 1])
    assert (pairs(grouped), seps) == ([(1, 8), (2, 4), (1, 4), (4, 1), (1, 1)], (0, 1, 2, 3, 4, 5))
    grouped, seps = S[(2, 1, 4) : (4, 9, 1)].group([2, 4])
    assert (pairs(grouped), seps) == ([(2, 4), (4, 1)], (0, 1, 2))
    assert pairs(S[256:1].group([2, 8, 2, 4, 2]).layout) == [(2, 128), (8, 16), (2, 8), (4, 2), (2, 1)]
    for layout, shape in (
        (S[(3, 4) : (4, 1)], [4, 3]),
        (S[(6, 2) : (2, 1)], [4, 3]),
        (S[12:1], [3]),
        (S[12:1], [3, 4, 2]),
    ):
        with pytest.raises(LayoutError, match="cannot be grouped"):
            layout.group(shape)


def test_group_many() -> None:
    refined, (left, right) = S[30:1].group_many([6, 5], [2, 15])
    assert (pairs(refined), left, right) == ([(2, 15), (3, 5), (5, 1)], (0, 2, 3), (0, 1, 3))
    with pytest.raises(LayoutError, match="no common refinement"):
        S[12:1].group_many([3, 4], [2, 6])


def test_canonicalize() -> None:
    assert pairs(S[(8, 2, 3, 6) : (6, 18, 6, 1)].canonicalize()) == [(8, 6), (36, 1)]
    assert pairs(S[(1, 1) : (7, 9)].canonicalize()) == [(1, 1)]
    assert pairs(S[(16, 16)].canonicalize()) == [(256, 1)]
    layout = S[(4, 8, 4, 3) : (1 @ wid_in_wg, 4 @ laneid, 1 @ laneid, 1)]
    assert layout.canonicalize() == S[(4, 32, 3) : (1 @ wid_in_wg, 1 @ laneid, 1)]
    assert layout.canonicalize(fuse_scopes=True) == S[(128, 3) : (1 @ tid_in_wg, 1)]
    layout = S[(2, 4, 32, 3) : (1 @ wgid, 1 @ wid_in_wg, 1 @ laneid, 1)]
    assert layout.canonicalize(fuse_scopes=True) == S[(256, 3) : (1 @ tx, 1)]
    layout = S[(2, 2, 8, 4) : (1 @ warpid, 2 @ warpid, 4 @ laneid, 1 @ laneid)]
    assert layout.canonicalize(fuse_scopes=True) == S[(2, 2, 32) : (32 @ tx, 64 @ tx, 1 @ tx)]
    assert S[() : ()].canonicalize() == S[() : ()]
    assert (S[4:1] + 0 @ laneid + R[(2, 2) : (1 @ warpid, 1)]).canonicalize() == S[4:1] + R[(2, 2) : (1, 1 @ warpid)]


def test_fused_offsets_add() -> None:
    layout = S[(4, 32) : (1 @ wid_in_wg, 1 @ laneid)] + 1 @ laneid + 2 @ wid_in_wg
    assert layout.canonicalize(fuse_scopes=True) == S[128 : 1 @ tid_in_wg] + 65 @ tid_in_wg
    assert S[(2, 4) : (1 @ wgid, 1 @ wid_in_wg)].canonicalize(fuse_scopes=True) == S[8 : 1 @ warpid]


def test_scopes() -> None:
    with pytest.raises(LayoutError, match="conflicting scopes"):
        S[(2, 2) : (1 @ laneid, 1 @ tid_in_wg)].canonicalize()
    with pytest.raises(LayoutError, match="disconnected scopes"):
        S[(2, 2) : (1 @ laneid, 1 @ wgid)].canonicalize()
    strange = S[(2, 4) : (4 @ Axis("strange"), 1 @ Axis("strange"))]
    assert strange.canonicalize() == S[8 : 1 @ Axis("strange")]
    for operation in (strange.span, strange.storage, lambda: strange.trivial):
        with pytest.raises(LayoutError, match="not a memory or thread axis"):
            operation()


def test_permute() -> None:
    order = [1, 3, 2, 0, 4]
    assert MMA_A.permute(order).canonicalize() == S[(32, 8) : (1 @ laneid, 1)]
    grouped, seps = S[256:1].group([2, 8, 2, 4, 2])
    permuted = grouped.permute_groups(seps, order)
    assert pairs(permuted) == [(8, 16), (4, 2), (2, 8), (2, 128), (2, 1)]
    assert permuted.canonicalize() == permuted


def test_slice() -> None:
    sliced = MMA_A.slice((16, 16), [(8, 16), (0, 8)])
    assert sliced == S[(1, 8, 1, 4, 2) : (2, 4 @ laneid, 4, 1 @ laneid, 1)] + 2
    assert sliced.canonicalize() == S[(32, 2) : (1 @ laneid, 1)] + 2
    assert S[(4, 4) : (1, 4)].slice([16], [(2, 6)]) == S[(2, 2) : (-7, 4)] + 8
    assert S[(4, 4) : (1, 4)].slice([16], [(4, 12)]) == S[(2, 4) : (1, 4)] + 1
    assert S[(4, 4) : (1, 4)].slice([16], [(3, 10)]) is None
    assert (S[8, 8] + 5).slice([8, 8], [(2, 4), (0, 8)]) == S[(2, 8) : (8, 1)] + 21
    with pytest.raises(LayoutError, match="is out of range for an extent"):
        S[8, 8].slice([8, 8], [(0, 9), (0, 8)])


def test_composition() -> None:
    tiled = S[(2, 4) : (1, 2)].tile(S[8, 8], [8, 8], [2, 4])
    assert pairs(tiled) == [(8, 64), (2, 1), (32, 2)]
    assert tiled.outer_of(S[(2, 4) : (1, 2)], [16, 32], [2, 4]) == S[64:1]
    assert S[(2, 2) : (4, 1)].direct_sum(S[(2, 2) : (8, 2)], [2, 2], [2, 2]) == S[16:1]
    swizzled = swz(3, 3, 3).tile_to((64, 64), (8, 64)).tile_to((64, 256), (64, 64))
    assert swizzled == ComposeLayout(swz(3, 3, 3), S[(64, 4, 64) : (64, 4096, 1)])
    assert S[8, 8].unpack(2) == S[(8, 8, 2) : (16, 2, 1)]
    assert S[8, 8].pack(2) == S[(8, 4) : (4, 1)]
    with pytest.raises(LayoutError, match="not a multiple"):
        S[(8, 8) : (9, 1)].pack(2)
    assert FRAGMENT.storage() == S[2, 2]


def test_shared_layouts() -> None:
    assert shared_layout(16, 128, (64, 256)) == swz(3, 3, 3) @ S[(64, 4, 64) : (64, 4096, 1)]
    assert shared_layout(16, 128, (3, 64, 256)) == swz(3, 3, 3) @ S[(3, 64, 4, 64) : (16384, 64, 4096, 1)]
    assert shared_layout(16, 64, (3, 64, 256)) == swz(3, 2, 3) @ S[(3, 64, 8, 32) : (16384, 32, 2048, 1)]
    assert shared_layout(16, 0, (64, 64)) == S[(64, 8, 8) : (8, 512, 1)]
    assert shared_layout(32, 128, (64, 64), 32) == swz(3, 2, 2) @ S[(64, 2, 32) : (32, 2048, 1)]


@pytest.mark.parametrize(
    "text",
    [
        "S[(8,4,2,2):(4@laneid,1@laneid,2,1)]",
        "S[(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)] + R[2:4@warpid] + 5@warpid",
        "S[8:-4@laneid] + -3",
        "S[():()]",
        "swz(3,3,3)",
        "swz(3,3,3,False)",
        "swz(3,2,3) @ S[(3,64):(64,1)] + 8",
    ],
)
def test_text_round_trip(text: str) -> None:
    assert str(parse(text)) == text


def test_text_is_read_as_python_reads_it() -> None:
    assert parse(" S[ 8 , 4 ]") == S[8, 4]
    assert parse("S[(8,):(laneid,)]") == S[8:laneid]
    assert parse("swz(3,3,3) o S[(64,64):(64,1)]") == swz(3, 3, 3) @ S[64, 64]
    for bad, message in {
        "S[(8,4):(1)]": "2 extents and 1 strides",
        "S[8:1] & 2": "unexpected text after the layout",
        "S[8:1@]": "name of an axis",
        "T[8:1]": "expected 'S'",
        "swz(3,3,1)": "invalid swizzle",
        "swz(3,3,3) @ S[8:1@laneid]": "axis m alone",
        "S[0:1]": "at least 1",
        "S[8:1": "expected ']', found the end",
    }.items():
        with pytest.raises(LayoutError, match=message.replace("[", "\\[")) as caught:
            parse(bad)
        assert caught.value.position.line == 1


@settings(max_examples=draws(40, 100))
@given(st.text(alphabet="S[]():,@+R0123456789 swzoFmlaneid-<>True", max_size=30) | st.text(max_size=8))
def test_any_text_is_read_or_refused(text: str) -> None:
    for start in ("", "S[", "S[(8,4):(", "swz(3,3,3) @ "):
        try:
            layout = parse(start + text)
        except LayoutError as error:
            assert error.position.line
        else:
            assert parse(str(layout)) == layout
