"""The descriptors and layouts of `tcgen05.mma` and `tcgen05.cp`.

Sources: PTX manual, "Matrix Descriptors", "Instruction descriptor", "Canonical Layouts", "Data Path Layout
Organization" and "Packing formats" of the fifth-generation tensor core.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from weft.dataclass import dataclass
from weft.errors import Severity
from weft.sim.elements import SMALL_BITS, decode, elements_of
from weft.sim.lanes import WARP, Array
from weft.sim.places import Places
from weft.sim.semantics.matrix_copy import widened
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.spots import Spot
from weft.sim.types import WORDS

_FLOATS = {0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1"}
_TYPES: dict[str, dict[int, str]] = {
    "kind::f16": {0: "f16", 1: "bf16"},
    "kind::tf32": {2: "tf32"},
    "kind::f8f6f4": _FLOATS,
    "kind::mxf8f6f4": _FLOATS,
    "kind::i8": {0: "u8", 1: "s8"},
    "kind::mxf4": {1: "e2m1"},
    "kind::mxf4nvf4": {1: "e2m1"},
}
"""Kind to the codes of multiplicand types."""
_SUMS: dict[str, dict[int, str]] = {
    "kind::f16": {0: "f16", 1: "f32"},
    "kind::tf32": {1: "f32"},
    "kind::f8f6f4": {0: "f16", 1: "f32"},
    "kind::i8": {2: "s32"},
}
_ROW_BYTES = 32
"""Bytes along K of a dense operand of every kind, and of a sparse A; the B that goes with it has twice as many."""
_BITS = {"kind::f16": 16, "kind::tf32": 32, "kind::mxf4": 4, "kind::mxf4nvf4": 4}
"""Bits of an element in memory; the other kinds have bytes, into which narrower floats are widened."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction descriptor: what is multiplied, and how."""

    kind: str
    atype: str
    btype: str
    dtype: str
    m: int
    n: int
    saturate: bool
    sign: float
    across_a: bool
    across_b: bool
    scale_type: str
    scale_a: int
    scale_b: int
    sparse: bool
    selector: int

    @property
    def bits(self) -> int:
        """Bits of an element of A or B in memory."""
        return _BITS.get(self.kind, 8)

    @property
    def depth(self) -> int:
        """K, the zeros of a sparse A counted."""
        return _ROW_BYTES * 8 // self.bits * (2 if self.sparse else 1)


@cache
def instruction(kind: str, word: int, pair: bool, ws: bool, sparse: bool) -> Instruction | str:
    """What an instruction descriptor says; a message when the ISA does not allow it."""
    # The fields of the word are those of the manual's table "Instruction descriptor"; with scales, the bits of the
    # accumulator's type and of the sparsity selector say which scales are used instead.
    scaled = kind.startswith("kind::mx")
    types = _TYPES[kind]
    a, b, d = word >> 7 & 7, word >> 10 & 7, word >> 4 & 3
    if a not in types or b not in types:
        return f"type code {a if a not in types else b} is not valid for .{kind}"
    if not scaled and d not in _SUMS[kind]:
        return f"accumulator code {d} is not valid for .{kind}"
    if bool(word >> 2 & 1) != sparse:
        return f"it declares A {'dense' if sparse else 'sparse'}"
    selector = 0 if scaled else word & 3
    if selector and (not sparse or kind not in ("kind::f16", "kind::tf32")):
        return f"the sparsity selector is {selector}"
    m, n = (word >> 24 & 31) << 4, (word >> 17 & 63) << 3
    known = (128, 256) if pair else (32, 64, 128) if ws else (64, 128)
    if m not in known:
        return f"M is {m}, not one of {', '.join(map(str, known))}"
    step = 16 if m != 64 else 8
    if not step <= n <= 256 or n % step or (ws and n not in (64, 128, 256)):
        return f"N is {n}" + (", not 64, 128 or 256" if ws else f", not a multiple of {step} up to 256")
    sign = -1.0 if (word >> 13 & 1) != (word >> 14 & 1) else 1.0
    return Instruction(
        kind,
        types[a],
        types[b],
        "f32" if scaled else _SUMS[kind][d],
        m,
        n,
        not scaled and bool(word >> 3 & 1),
        sign,
        bool(word >> 15 & 1),
        bool(word >> 16 & 1),
        "ue8m0" if word >> 23 & 1 else "ue4m3",
        word >> 29 & 3,
        word >> 4 & 3,
        sparse,
        selector,
    )


# -- shared memory --------------------------------------------------------------------------------------------

_SWIZZLES = {0: (16, 0, 4), 1: (128, 3, 5), 2: (128, 7, 4), 4: (64, 3, 4), 6: (32, 1, 4)}
"""Swizzle mode to the bytes of a row of its pattern, the mask of rows that take part, and the bit they change."""


@cache
def _offsets(rows: int, depth: int, size: int, leading: int, stride: int, mode: int, across: bool) -> Array:
    """Byte offsets before swizzling of `rows` by `depth` elements of `size` bytes; `across`: rows are contiguous."""
    major, minor = np.arange(rows)[:, None], np.arange(depth)[None, :]
    width = _SWIZZLES[mode][0]
    if across:
        run, group = width // size, 4 if mode == 1 else 8
        outer, inner = (leading, stride) if mode else (stride, leading)
        return major // run * outer + major % run * size + minor // group * inner + minor % group * width
    bytes_ = minor * size
    if mode:
        return major // 8 * stride + major % 8 * width + bytes_
    return major // 8 * stride + major % 8 * width + bytes_ // 16 * leading + bytes_ % 16


@dataclass(frozen=True, slots=True)
class Owners:
    """For each CTA whose shared memory is read a lane of it, and the lane that has started the read."""

    lanes: Array
    readers: Array


Found = tuple[Array, "Spot | None"]
"""Byte indices, and who reads them."""


def locate(
    site: Site,
    places: Places[Found],
    owners: Owners,
    word: int,
    rows: int,
    depth: int,
    size: int,
    across: bool,
    used: int,
    run: int,
) -> Array:
    """Byte indices of a matrix in the shared memory of CTAs, checked: CTAs by rows by depth.

    `used` are the bytes of each sixteen that are not padding; `run` elements are located at once, which lie together.
    """
    shared = site.machine.memory.shared
    who = owners.lanes.tobytes(), owners.readers.tobytes(), shared.stride, shared.size
    key = word, rows, depth, size, across, used, run, *who
    found = places.get(key)
    if found is None:
        offsets = _offsets_of(site, int(owners.readers[0]), word, rows, depth, size, across)
        found = _locate(site, owners, offsets[::run] if across else offsets[:, ::run], size * run, used)
        places.keep(key, found, found[0].size)
    index, spot = found
    if spot is not None:
        shared.last = spot
        assert not isinstance(spot.lanes, slice)
        shared.before_async_load(site, spot.index, spot.lanes, size * run)
    return index


def _offsets_of(site: Site, lane: int, word: int, rows: int, depth: int, size: int, across: bool) -> Array:
    """Byte offsets of the elements of a matrix that a descriptor points to: rows by depth.  Raises KernelFault."""
    start, leading, stride = (word & 0x3FFF) << 4, (word >> 16 & 0x3FFF) << 4, (word >> 32 & 0x3FFF) << 4
    mode = word >> 61 & 7
    if mode not in _SWIZZLES:
        raise site.fault("descriptor", f"unknown swizzle mode {mode} in a matrix descriptor", lane)
    if (version := word >> 46 & 7) != 1:
        fault = site.fault("descriptor", f"bits 46 to 48 of a matrix descriptor are {version}, not 1", lane)
        if version:
            raise fault
        # The manual asks for 1. Kernels in production (those of JAX's Pallas) leave them 0, and GPUs take that.
        site.report(fault, Severity.NOTE)
    if word >> 49 & 7 and mode:  # Without a pattern there is nothing that starts elsewhere.
        raise site.fault(
            "descriptor", "swizzle patterns that do not start at a multiple of their size are not simulated", lane
        )
    if word >> 52 & 1:
        leading -= start
    offsets = start + _offsets(rows, depth, size, leading, stride, mode, across)
    _, mask, bit = _SWIZZLES[mode]
    return offsets ^ ((offsets >> 7 & mask) << bit)


def _locate(site: Site, owners: Owners, offsets: Array, size: int, used: int) -> Found:
    """Byte indices of runs of so many bytes at offsets, and of those that are read, by whom."""
    shared = site.machine.memory.shared
    count = len(owners.lanes)
    address = np.broadcast_to(offsets, (count, *offsets.shape)).reshape(-1)
    index = shared.locate(site, address, np.repeat(owners.lanes, offsets.size), size, False)
    spot = None
    if shared.guarded:
        filled, readers = index, np.repeat(owners.readers, offsets.size)
        if used < 16:
            some = address & 15 < used
            filled, readers = index[some], readers[some]
        shared.last = None
        spot = shared.spot(filled, readers)
        spot.kept = True
    return index.reshape(count, *offsets.shape), spot


@dataclass(frozen=True, slots=True)
class Operand:
    """A multiplicand in shared memory: lanes' CTAs by rows (of A, or columns of B) by K.

    `index` are the byte indices of runs of its words, along the rows where these are contiguous (`across`), else along
    K; `size` are the bytes of a run.
    """

    index: Array
    type: str
    bits: int
    across: bool
    size: int

    def values(self, site: Site) -> Array:
        """The elements as doubles, as they are in memory now."""
        word = max(8, self.bits) // 8
        runs = site.machine.memory.shared.load(self.index, Space.wide(self.size))
        codes = runs.view(WORDS[8 * word])
        if self.across and self.size > word:
            pieces = codes.reshape(*runs.shape, self.size // word).transpose(0, 1, 3, 2)
            codes = np.ascontiguousarray(pieces).reshape(len(runs), -1, runs.shape[2])
        if self.bits == 8 and self.type in ("e2m1", "e2m3", "e3m2"):  # Sixteen elements and padding are 16 bytes.
            codes = codes.transpose(0, 2, 1) if self.across else codes
            format_ = "b4x16_p64" if self.type == "e2m1" else "b6x16_p32"
            pieces = np.ascontiguousarray(codes).reshape(*codes.shape[:2], -1, 16)
            codes = unpacked(pieces, format_).reshape(codes.shape)
            codes = codes.transpose(0, 2, 1) if self.across else codes
        return decode(elements_of(np.ascontiguousarray(codes).view(np.uint32), self.bits), self.type)


def operand(
    site: Site,
    places: Places[Found],
    owners: Owners,
    word: int,
    rows: int,
    type_: str,
    bits: int,
    across: bool,
    *,
    twice: bool = False,
) -> Operand:
    """The multiplicand that a descriptor points to; `twice` says that it is the B of a sparse product."""
    size = max(8, bits) // 8
    depth = _ROW_BYTES * (1 + twice) // size
    used = 2 * SMALL_BITS.get(type_, 8) if bits == 8 else 16  # The rest of sixteen narrow elements is padding.
    run = 16 // size if used == 16 and rows % (16 // size) == 0 else 1
    index = locate(site, places, owners, word, rows, depth, size, across, used, run)
    return Operand(index, type_, bits, across, size * run)


def unpacked(rows: Array, format_: str) -> Array:
    """Rows of 16 bytes with packed elements as bytes that hold one each, 4-bit ones in bits 2 to 5."""
    wide = widened(rows, format_)
    return wide << np.uint8(2) if format_ == "b4x16_p64" else wide


# -- tensor memory --------------------------------------------------------------------------------------------


@cache
def rows_of(m: int, pair: bool, ws: bool, sparse: bool = False) -> Array:
    """The lane of each row of A, and of D's first columns, in one CTA: relative to the address."""
    rows = np.arange(m // 2 if pair else m)
    if len(rows) == 64 and not ws and (sparse or not pair):
        return rows // 16 * WARP + rows % 16
    return rows


@cache
def sums(m: int, n: int, pair: bool, ws: bool, sparse: bool = False) -> tuple[Array, Array]:
    """Lane and column of each element of D in one CTA, relative to the address: rows by columns, or an axis each."""
    row, column = rows_of(m, pair, ws, sparse)[:, None], np.arange(n)[None, :]
    halves = (m == 64 and ws) or (m == 128 and pair and not sparse)
    parts = 4 if m == 32 else 2 if halves else 1
    if parts == 1:
        return row, column
    width = n // parts
    return row + 128 // parts * (column // width), column % width + 0 * row


@cache
def metadata(m: int, pair: bool, ws: bool, bits: int, chunks: int) -> tuple[Array, Array, Array]:
    """Lane, column and first bit of the metadata of each chunk of A's rows in one CTA, as rows by chunks.

    Of 16- and 32-bit elements, rows eight apart share the halves of a column, and lanes eight apart the halves of a
    row; of narrower ones each row has two columns of its own lane.
    """
    chunk = np.arange(chunks)[None, :]
    rows = np.arange(m // 2 if pair else m)[:, None]
    if bits < 16:
        lane = rows_of(m, pair, ws, True)[:, None] + 0 * chunk
        return lane, chunk // 8 + 0 * rows, (chunk % 8 * 4 + 0 * rows).astype(np.uint32)
    lane = rows_of(m, pair, ws, True)[rows // 16 * 16 + rows % 8] + 8 * (chunk // 4)
    return lane, 0 * lane, (16 * (rows // 8 % 2) + chunk % 4 * 4).astype(np.uint32)
