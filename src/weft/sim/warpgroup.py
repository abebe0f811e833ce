"""The arithmetic of `wgmma`: operands in shared memory and in registers, dense, sparse and of bits.

Sources: PTX manual, "Asynchronous Warpgroup Level Matrix Instructions": descriptors, canonical layouts, fragments.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from weft.isa.table._matrix import extents
from weft.isa.types import TYPES
from weft.ptx.operands import Integer, Operand
from weft.sim.elements import decode, elements_of
from weft.sim.lanes import WARP, Array
from weft.sim.site import Site
from weft.sim.sparsity import codes_of, expand
from weft.sim.types import WORDS

WARPS = 4
"""Warps of a warpgroup."""

_WIDTHS = {1: 128, 2: 64, 3: 32}
"""Swizzle mode of a descriptor to the bytes of a row of its pattern; mode 0 has no swizzle."""


@cache
def _offsets(rows: int, depth: int, size: int, leading: int, stride: int, mode: int, across: bool) -> Array:
    """Byte offsets, before swizzling, of the elements of an operand: `rows` (of A, or columns of B) by `depth`.

    `leading` and `stride` are the descriptor's byte offsets; `across` says that the rows are contiguous, not K.
    """
    major, minor = np.arange(rows)[:, None], np.arange(depth)[None, :]
    width = _WIDTHS.get(mode, 16)
    if across:
        run = width // size
        if mode:
            return major // run * leading + major % run * size + minor // 8 * stride + minor % 8 * width
        return major // run * stride + major % run * size + minor // 8 * leading + minor % 8 * width
    bytes_ = minor * size
    if mode:
        return major // 8 * stride + major % 8 * width + bytes_
    return major // 8 * stride + major % 8 * width + bytes_ // 16 * leading + bytes_ % 16


class _Shared:
    """A multiplicand that a descriptor points to."""

    def __init__(self, site: Site, descriptor: Any, type_: str, rows: int, depth: int, across: bool) -> None:
        self.site = site
        self.value = site.value(descriptor, "b64")
        self.type, self.bits = type_, TYPES[type_].bits
        self.rows, self.across = rows, across
        self.size = max(8, self.bits) // 8
        self.depth = depth * self.bits // (8 * self.size)

    def read(self, first: Array) -> Array:
        """The matrices, as doubles: one for each warpgroup, whose first lanes are given; rows by depth."""
        words = np.broadcast_to(self.value, (self.site.machine.batch.lanes,))[first].astype(np.int64)
        start = (words & 0x3FFF) << 4
        rest = np.unique(words & ~np.int64(0x3FFF))
        if len(rest) != 1:
            return np.concatenate([self.read(one[None]) for one in first])
        leading, stride = int(rest[0]) >> 16 & 0x3FFF, int(rest[0]) >> 32 & 0x3FFF
        mode = int(rest[0]) >> 62 & 3
        offsets = _offsets(self.rows, self.depth, self.size, leading << 4, stride << 4, mode, self.across)
        address = start[:, None, None] + offsets
        if mode:
            address = address ^ ((address >> 7 & (_WIDTHS[mode] // 16 - 1)) << 4)
        flat = address.reshape(-1)
        lanes = np.repeat(first, offsets.size)
        shared = self.site.machine.memory.shared
        index = shared.locate(self.site, flat, lanes, self.size, False)
        shared.before_load(self.site, index, lanes, self.size)
        codes = shared.load(index, WORDS[8 * self.size]).reshape(len(first), self.rows, self.depth)
        return decode(elements_of(codes, self.bits), self.type)


class _Registers:
    """A in registers: the fragment of `mma`, 16 rows a warp."""

    def __init__(self, site: Site, vector: Any, type_: str, depth: int) -> None:
        self.rows = [site.row(element).array for element in site.vector(vector)]
        self.type, self.depth, self.bits = type_, depth, TYPES[type_].bits
        each = max(1, 32 // self.bits)
        lane, register, position = np.meshgrid(np.arange(WARP), np.arange(4), np.arange(each), indexing="ij")
        self.row = lane // 4 + 8 * (register % 2)
        self.column = each * (lane % 4) + position + 4 * each * (register // 2)

    def read(self, lanes: Array) -> Array:
        """The matrices; `lanes` are warpgroups by warps by lanes."""
        words = np.ascontiguousarray(np.stack([row[lanes] for row in self.rows], axis=-1))
        values = decode(elements_of(words, self.bits), self.type).reshape(*lanes.shape, len(self.rows), -1)
        out = np.empty((len(lanes), WARPS, 16, self.depth))
        out[:, :, self.row, self.column] = values
        return out.reshape(len(lanes), WARPS * 16, self.depth)


class _Metadata:
    """The metadata of a sparse A: each warp holds that of its 16 rows."""

    def __init__(self, site: Site, operand: Operand, selector: int, depth: int, bits: int) -> None:
        self.site, self.selector, self.depth, self.bits = site, selector, depth, bits
        self.value = site.value(operand, "b32")

    def expand(self, stored: Array, lanes: Array) -> Array:
        """The rows of A with their zeros."""
        words = np.broadcast_to(self.value, (self.site.machine.batch.lanes,))[lanes]
        codes = codes_of(words, self.depth, self.bits, self.selector)
        codes = codes.reshape(len(lanes), WARPS * 16, -1)
        return expand(self.site, stored, codes, self.bits, int(lanes[0, 0, 0]), ordered=False)


@cache
def places(columns: int) -> tuple[Array, Array]:
    """Row (within a warp's 16) and column of each accumulator element of a lane: lanes by elements."""
    lane, index = np.meshgrid(np.arange(WARP), np.arange(columns // 2), indexing="ij")
    return lane // 4 + 8 * (index // 2 % 2), 8 * (index // 4) + 2 * (lane % 4) + index % 2


def multiplication(site: Site, operands: dict[str, Operand]) -> Callable[[Array], Array]:
    """What multiplies the operands (by their names in the table) of warpgroups.

    The function takes lanes, warpgroups by warps by lanes, and gives exact products as warpgroups by warps by lanes by
    accumulator elements.
    """
    opcode = site.opcode
    _, columns, depth = extents(opcode["shape"])
    atype, btype = opcode["atype"], opcode["btype"]

    def constant(name: str, default: int) -> int:
        operand = operands.get(name)
        return operand.value if isinstance(operand, Integer) else default

    sign = float(constant("imm_scale_a", 1) * constant("imm_scale_b", 1))
    b = _Shared(site, operands["b_desc"], btype, columns, depth, bool(constant("imm_trans_b", 0)))
    metadata = None
    stored = depth
    if "meta" in operands:
        stored = depth // 2
        metadata = _Metadata(site, operands["meta"], constant("selector", 0), depth, TYPES[atype].bits)
    if "a_desc" in operands:
        shared = _Shared(site, operands["a_desc"], atype, 64, stored, bool(constant("imm_trans_a", 0)))
        read_a: Callable[[Array], Array] = lambda warps: shared.read(warps[:, 0, 0])  # noqa: E731
    else:
        read_a = _Registers(site, operands["a"], atype, stored).read
    row, column = places(columns)

    def multiply(warps: Array) -> Array:
        left = read_a(warps)
        if metadata is not None:
            left = metadata.expand(left, warps)
        product = sign * (left @ b.read(warps[:, 0, 0]).transpose(0, 2, 1))
        return product.reshape(len(warps), WARPS, 16, columns)[:, :, row, column]

    return multiply
