"""Products whose blocks have scales (mxfp8, mxfp4, nvfp4), in registers (sm_120a) and in tensor memory (sm_100a).

with done.fill() as sums, ring.take() as slot:      # sm_100a: scales in shared memory, in pieces of 32 x 16 bytes
    dot_scaled(sums.d, slot.a, slot.sa, slot.b.transpose(), slot.sb, add=k > 0)

dot_scaled(total, left, scale_left, right, scale_right)     # sm_120a: scales laid out as `scale_layout`
"""

from __future__ import annotations

from typing import Any

from weft.dialects.engine.making import new
from weft.dialects.tile.types import LOCAL, SHARED, TENSOR
from weft.tile.buffers import Buffer
from weft.tile.dtypes import boolean, e2m1x2, e2m3, e3m2, i32
from weft.tile.regions import Region
from weft.tile.roles import Team, multiplying_role
from weft.tile.scalars import Scalar, scalar
from weft.tile.scopes import extents_of, matrix_of, whole_region
from weft.tile.tensor_memory import Columns
from weft.tile.trace import current, error

SKIPPED = 64
"""Rows of scales whose columns of tensor memory can be left out together."""


def dot_scaled(d: Any, a: Any, scale_a: Any, b: Any, scale_b: Any, *, add: Any = True, skip: Any = 0) -> Any:
    """d += (a * scale_a) @ (b * scale_b), where blocks of a row of `a` and of a column of `b` have scales.

    Args:
        d: M x N, of f32.
        a: M x K, of e4m3 or e5m2, on sm_120a also of e2m3 or e3m2, or of e2m1x2 (K bytes of two elements).
        scale_a: M x blocks, of e8m0 for 32 elements; for e2m1x2 also of e4m3, not negative, for 16.
        b: K x N, like `a`.
        scale_b: N x blocks, like `scale_a`.
        add: whether to add to `d`, or to replace it.
        skip: how many rows of `scale_b` to skip, a multiple of 64.

    In the registers of a warp (sm_120a), `d`, `a` and `b` have the layouts of `mma_layout`, the scales that of
    `scale_layout`.

    In tensor memory (sm_100a), in a role of one warp, `a` and `b` are in shared memory, contiguous along K.  The
    scales are in tiles of (M / 128, blocks / 4, 32, 16), rounded up, ordered by `blocked_scales`.  N is a multiple of
    16, above 256 of 128.  In the role of a pair's leader, it multiplies for both blocks: each has 128 rows of `a` and
    `d` and their scales, half of the columns of `b`, and the scales of all columns.

    Raises:
        CompileError: the extents do not match, or (when the kernel is compiled) no instruction supports the types, or
            the layouts are not those that it reads.
    """
    tiles = {"d": matrix_of(d, "d"), "a": matrix_of(a, "a"), "b": matrix_of(b, "b")}
    space, kinds = tiles["d"].space, (tiles["a"].dtype, tiles["b"].dtype)
    wanted, where = (SHARED, "shared memory") if space == TENSOR else (LOCAL, "registers")
    scales = [_tile(scale_a, "scale_a"), _tile(scale_b, "scale_b")]
    for name, each in [*tiles.items(), ("scale_a", scales[0]), ("scale_b", scales[1])]:
        if each.space != (space if name == "d" else wanted) or space == SHARED:
            raise error(
                f"'{name}' must be in {where}: {each!r}",
                "put all operands in registers, or the accumulator in tensor memory",
            )
    (m, k), (depth, n) = extents_of(tiles["a"]), extents_of(tiles["b"])
    role = Team.of(current()).role if space == TENSOR else None
    pair = role is not None and role.leader
    if extents_of(tiles["d"]) != (m, n * (1 + pair)) or k != depth:
        of = ", where each block has half of the columns" if pair else ""
        raise error(f"extents do not match: {(m, k)} times {(depth, n)} for {extents_of(tiles['d'])}{of}")
    if (kinds[0] is e2m1x2) != (kinds[1] is e2m1x2):
        raise error(f"{kinds[0]} cannot be multiplied by {kinds[1]}", "use e2m1x2 for both, or for none")
    always = isinstance(add, bool | int)
    values = [tile.value for tile in (*tiles.values(), *scales)]
    added = None if always else scalar(add, boolean).value
    flags: Any = {"pair": pair, "pairs": kinds[0] is e2m1x2, "fresh": always and not add}
    if not {e2m3, e3m2}.isdisjoint(kinds):
        flags["types"] = ",".join(kind.name for kind in kinds)
    if space == LOCAL:
        if not always or not add:
            raise error("products in registers always accumulate", "start with zeros(...)")
        current().add(new("tile.gemm_scaled", *values, None, None, None, **flags))
        return tiles["d"]
    role = multiplying_role(pair=pair)
    before = scalar(skip, i32)
    if before.divisor % SKIPPED if isinstance(skip, Scalar) else skip % SKIPPED or skip < 0:
        raise error(
            f"{skip!r} rows of scales cannot be skipped", f"use a multiple of {SKIPPED}, such as (n * n_tile) % 128"
        )
    skipped = before.value if isinstance(skip, Scalar) or skip else None
    columns = sum(scale.type.span for scale in scales) // 128
    turn, turns = _turns(whole_region(scale_a))
    place = Columns.of(current()).take(columns, turn, turns)
    with role.one_lane():
        current().add(new("tile.gemm_scaled", *values, place, skipped, added, **flags))
    return tiles["d"]


def _tile(given: Any, name: str) -> Buffer:
    """Scales: a tile, or a region of one."""
    given = whole_region(given)
    if isinstance(given, Region) and isinstance(given.buffer, Buffer):
        given = given.buffer.part(given.starts, given.sizes)
    if not isinstance(given, Buffer):
        raise error(f"'{name}' is a tile: {given!r}", "put it in shared memory or in registers")
    return given


def _turns(given: Any) -> tuple[Any, int]:
    """Which of how many slots scales are of: each has its own columns, which are free again when the slot is."""
    if isinstance(given, Region) and given.sizes[0] == 1 and given.shape != given.sizes:
        return given.starts[0], given.buffer.shape[0]
    return None, 1


def blocked_scales(scales: Any) -> Any:
    """Order scales (rows x blocks along K) as `dot_scaled` needs them on sm_100a; other libraries use the same order.

    Returns a NumPy array of (rows / 128, blocks / 4, 32, 16), rounded up and padded with zeros; the bytes are
    unchanged.
    """
    import numpy as np

    given = np.asarray(scales)
    rows, blocks = (-(-extent // each) * each for extent, each in zip(given.shape, (128, 4), strict=True))
    whole = np.zeros((rows, blocks), np.uint8)
    whole[: given.shape[0], : given.shape[1]] = given.view(np.uint8)
    pieces = whole.reshape(rows // 128, 4, 32, blocks // 4, 4).transpose(0, 3, 2, 1, 4)
    return np.ascontiguousarray(pieces).reshape(rows // 128, blocks // 4, 32, 16).view(given.dtype)
