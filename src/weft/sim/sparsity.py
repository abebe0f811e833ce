"""Structured sparsity: the metadata of a matrix A of which half of the elements are stored.

Four bits describe a chunk of a row: of four elements two are stored (8- and 16-bit types), of eight 4-bit ones two
pairs, of two `.tf32` ones one.  Two-bit indices name what is stored, the first one in the low bits.

Sources: PTX manual, "Sparse matrix storage" and the metadata layouts of each shape of `mma.sp`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from weft.sim.lanes import WARP, Array
from weft.sim.site import Site

_CHUNK = {4: 8, 8: 4, 16: 4, 32: 2}
"""Bits of an element to the elements that four bits of metadata describe."""

_FIRST, _SECOND = 0b0100, 0b1110
"""The two codes of a chunk of `.tf32`: the stored element is its first or its second one."""


def metadata_bits(columns: int, bits: int) -> int:
    """Bits of metadata of a row with `columns` elements (zeros counted) of `bits` bits."""
    return columns // _CHUNK[bits] * 4


@cache
def holders(columns: int, bits: int, selector: int) -> tuple[Array, Array]:
    """Lane and first bit of each chunk's metadata in a warp's register, as 16 rows by chunks.

    A quad of lanes has the metadata of two rows, eight apart.  Up to 32 bits a row of the 16- and 32-bit types lie in
    halves of a register, the upper row's above; 8- and 4-bit types fill a register with a row's 32 bits.
    """
    row_bits = metadata_bits(columns, bits)
    row, chunk = np.meshgrid(np.arange(16), np.arange(row_bits // 4), indexing="ij")
    upper = row // 8
    if bits >= 16:
        lanes, lane, first = max(1, row_bits // 16), chunk // 4, chunk % 4 * 4 + 16 * upper
    else:
        lanes, lane, first = row_bits // 16, chunk // 8 * 2 + upper, chunk % 8 * 4
    return row % 8 * 4 + selector % (4 // lanes) * lanes + lane, first.astype(np.uint32)


def codes_of(words: Array, columns: int, bits: int, selector: int) -> Array:
    """The codes of all chunks: words of a register as warps by lanes to warps by 16 rows by chunks."""
    lane, first = holders(columns, bits, selector)
    return (words.reshape(-1, WARP)[:, lane] >> first) & np.uint32(15)


def expand(site: Site, stored: Array, codes: Array, bits: int, lane: int, *, ordered: bool) -> Array:
    """Rows with their zeros: `stored` is matrices by rows by half the columns, `codes` matrices by rows by chunks.

    Faults, in the name of `lane`, on codes that have no meaning.
    """
    if bits == 32:
        wrong = (codes != _FIRST) & (codes != _SECOND)
        places = (codes == _SECOND)[..., None].astype(np.intp)
    else:
        low, high = codes & np.uint32(3), codes >> np.uint32(2)
        wrong = low >= high if ordered else low == high
        places = np.stack([low, high], axis=-1).astype(np.intp)
        if bits == 4:
            places = np.stack([2 * places, 2 * places + 1], axis=-1).reshape(*codes.shape, 4)
    if wrong.any():
        matrix, row, chunk = (int(index[0]) for index in np.nonzero(wrong))
        code = int(codes[matrix, row, chunk])
        raise site.fault("metadata", f"invalid metadata {code:#06b} for chunk {chunk} of row {row} of A", lane)
    dense = np.zeros((*codes.shape, _CHUNK[bits]))
    np.put_along_axis(dense, places, stored.reshape(places.shape), axis=-1)
    return dense.reshape(*stored.shape[:-1], 2 * stored.shape[-1])
