"""Sparse left operands: half of the elements of each row are stored, with words that say which."""

from __future__ import annotations

from typing import Any

from weft.errors import WeftError
from weft.layout import TileLayout, laneid, tid_in_wg
from weft.layout.sparse import metadata_fragment
from weft.tile.scopes import Scope, warp


def metadata_layout(shape: tuple[int, int], scope: Scope = warp) -> TileLayout:
    """The layout of the metadata of a sparse `a` (see `compressed`) in the registers of a warp or of a `warpgroup`.

    Raises:
        LayoutError: the shape is not a multiple of 8 rows (32 for a warpgroup) by 4 words.
    """
    of_a_warp = scope.name == "warp"
    return metadata_fragment(shape, laneid if of_a_warp else tid_in_wg, 1 if of_a_warp else 4)


def compressed(matrix: Any, tile: tuple[int, int] = (16, 64)) -> tuple[Any, Any]:
    """Compress a sparse matrix (M x K) for products: the stored half (M x K / 2), and the metadata.

    At most two of every four neighbours in a row may be other than zero, of f32 one of every two.  The metadata are
    words (uint32), M / 2 x K / 16 (for f32 K / 8), padded to whole tiles of the matrix with zeros.

    Raises:
        WeftError: too many elements are not zero, sparse products do not support the type, the number of columns is
            odd, or the tile is not a multiple of whole words.
    """
    import numpy as np

    given = np.asarray(matrix)
    size = given.dtype.itemsize
    chunk = 2 if size == 4 else 4
    least = 32 if size == 4 else 64
    if size not in (1, 2, 4) or given.ndim != 2 or given.shape[1] % 2:
        raise WeftError(
            f"a sparse matrix cannot be {given.dtype} of shape {given.shape}",
            hint="use elements of 8, 16 or 32 bits and an even number of columns",
        )
    if tile[0] % 16 or tile[1] % least:
        raise WeftError(f"metadata must have a multiple of 16 rows and of {least} columns, not {tile}")
    extents = [-(-extent // each) * each for extent, each in zip(given.shape, tile, strict=True)]
    whole = np.zeros(extents, given.dtype)
    whole[: given.shape[0], : given.shape[1]] = given
    chunks = whole.reshape(extents[0], -1, chunk)
    there = chunks.astype(np.float32) != 0
    crowded = np.argwhere(there.sum(-1) > chunk // 2)
    if len(crowded):
        row, at = (int(x) for x in crowded[0])
        raise WeftError(
            f"row {row} has more than {chunk // 2} nonzero elements in columns {at * chunk} to {at * chunk + chunk - 1}"
        )
    kept = np.sort(np.argsort(~there, axis=-1, kind="stable")[..., : chunk // 2], axis=-1)
    values = np.take_along_axis(chunks, kept, -1).reshape(extents[0], -1)
    codes = (kept[..., 0] | kept[..., 1] << 2 if chunk == 4 else np.where(kept[..., 0], 0b1110, 0b0100)).astype("u4")
    stored = np.ascontiguousarray(values[: given.shape[0], : given.shape[1] // 2])
    return stored, _words(codes, 1 if size == 1 else 2)


def _words(codes: Any, halves: int) -> Any:
    """The words of codes, rows by chunks: eight chunks of a row, or four of each of two rows, eight apart."""
    import numpy as np

    count = 8 // halves
    bits = np.arange(count, dtype="u4") * 4
    parts = (codes.reshape(len(codes) // 16, 2, 8, -1, count) << bits).sum(-1, dtype="u4")
    if halves == 2:
        words = parts[:, 0] | parts[:, 1] << np.uint32(16)
    else:  # the two rows take turns
        words = parts.transpose(0, 2, 3, 1).reshape(len(parts), 8, -1)
    return np.ascontiguousarray(words.reshape(len(codes) // 2, -1))
