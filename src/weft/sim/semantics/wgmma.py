"""`wgmma`: matrix products by the four warps of a warpgroup, with operands in shared memory.

Products are computed when they are issued, whatever the policy; `wgmma.wait_group` then has nothing left to wait for.
Sums are taken in double precision and rounded once, as in `mma`.

Sources: PTX manual, "Asynchronous Warpgroup Level Matrix Instructions": descriptors, canonical layouts, fragments.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from weft.isa.table._matrix import extents
from weft.isa.types import TYPES
from weft.ptx.operands import Integer, Negated, Vector
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.semantics.mma import decode, finisher
from weft.sim.site import Site, Step
from weft.sim.types import WORDS

WARPS = 4
"""Warps of a warpgroup."""

_WIDTHS = {1: 128, 2: 64, 3: 32}
"""Swizzle mode of a descriptor to the bytes of a row of its pattern; mode 0 has no swizzle."""


@step("wgmma.fence", "wgmma.commit_group", "wgmma.wait_group")
def order(site: Site) -> Step:
    """Order products, which are complete already."""
    return lambda lanes: None


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
        self.type = type_
        self.rows, self.depth, self.across = rows, depth, across
        self.size = max(8, TYPES[type_].bits) // 8

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
        codes = shared.load(index, WORDS[8 * self.size])
        return decode(codes, self.type).reshape(len(first), self.rows, self.depth)


class _Registers:
    """A in registers: the fragment of `mma`, 16 rows a warp."""

    def __init__(self, site: Site, vector: Any, type_: str, depth: int) -> None:
        self.rows = [site.row(element).array for element in site.vector(vector)]
        self.type, self.depth = type_, depth
        each = 32 // TYPES[type_].bits if TYPES[type_].bits < 32 else 1
        lane, register, position = np.meshgrid(np.arange(WARP), np.arange(4), np.arange(each), indexing="ij")
        self.row = lane // 4 + 8 * (register % 2)
        self.column = each * (lane % 4) + position + 4 * each * (register // 2)

    def read(self, lanes: Array) -> Array:
        """The matrices; `lanes` are warpgroups by warps by lanes."""
        words = np.stack([row[lanes] for row in self.rows], axis=-1)
        bits = max(8, TYPES[self.type].bits)
        values = decode(np.ascontiguousarray(words).view(WORDS[bits]), self.type)
        values = values.reshape(*lanes.shape, len(self.rows), -1)
        out = np.empty((len(lanes), WARPS, 16, self.depth))
        out[:, :, self.row, self.column] = values
        return out.reshape(len(lanes), WARPS * 16, self.depth)


@cache
def _places(columns: int) -> tuple[Array, Array]:
    """Row (within a warp's 16) and column of each accumulator element of a lane: lanes by elements."""
    lane, index = np.meshgrid(np.arange(WARP), np.arange(columns // 2), indexing="ij")
    return lane // 4 + 8 * (index // 2 % 2), 8 * (index // 4) + 2 * (lane % 4) + index % 2


@step("wgmma.mma_async")
def mma_async(site: Site) -> Step:
    """`D = A * B + D`, or `A * B` where `scale_d` is false."""
    opcode = site.opcode
    if opcode["bitop"]:
        site.unsupported("products of bits")
    operands = {s.name: o for s, o in zip(site.variant().compiled.operands, site.operands, strict=True)}
    _, columns, depth = extents(opcode["shape"])
    atype, btype, dtype = opcode["atype"], opcode["btype"], opcode["dtype"]

    def constant(name: str, default: int) -> int:
        operand = operands.get(name)
        return operand.value if isinstance(operand, Integer) else default

    sign = float(constant("imm_scale_a", 1) * constant("imm_scale_b", 1))
    b = _Shared(site, operands["b_desc"], btype, columns, depth, bool(constant("imm_trans_b", 0)))
    shared_a = registers_a = None
    if "a_desc" in operands:
        shared_a = _Shared(site, operands["a_desc"], atype, 64, depth, bool(constant("imm_trans_a", 0)))
    else:
        registers_a = _Registers(site, operands["a"], atype, depth)
    assert isinstance(operands["d"], Vector)
    d = [site.row(element).array for element in operands["d"].elements]
    scale = operands["scale_d"]
    keep = site.value(scale.operand if isinstance(scale, Negated) else scale, "pred")
    flip = isinstance(scale, Negated)
    finish = finisher(dtype, bool(opcode["satfinite"]))
    word = WORDS[TYPES[dtype].bits]
    row, column = _places(columns)

    def run(lanes: Lanes) -> None:
        for warps in warpgroups(site, lanes):
            first = warps[:, 0, 0]
            if shared_a is not None:
                left = shared_a.read(first)
            else:
                assert registers_a is not None
                left = registers_a.read(warps)
            product = sign * (left @ b.read(first).transpose(0, 2, 1))
            held = np.broadcast_to(keep, (site.machine.batch.lanes,))[first] != flip
            tiles = product.reshape(len(warps), WARPS, 16, columns)[:, :, row, column]
            words = np.stack([register[warps] for register in d], axis=-1)
            old = decode(np.ascontiguousarray(words).view(word), dtype)
            exact = np.where(held[:, None, None, None], tiles + old, tiles)
            new = np.ascontiguousarray(finish(exact)).view(np.uint32).reshape(words.shape)
            for number, register in enumerate(d):
                register[warps] = new[..., number]

    return run


def warpgroups(site: Site, lanes: Lanes) -> list[Array]:
    """The lanes of each warpgroup that takes part, as CTAs by warps by lanes; faults unless they are whole."""
    batch = site.machine.batch
    here = lanes.among(batch.lanes).reshape(-1, batch.ctas, WARP)
    numbers = np.arange(batch.lanes).reshape(here.shape)
    found: list[Array] = []
    for start in range(0, len(here), WARPS):
        part = here[start : start + WARPS]
        some = np.flatnonzero(part.any(axis=(0, 2)))
        if not some.size:
            continue
        if len(part) < WARPS or not part[:, some].all():
            lane = int(numbers[start, some[0], 0])
            raise site.fault("divergent-collective", "the warpgroup does not execute it with all 128 threads", lane)
        found.append(numbers[start : start + WARPS, some].transpose(1, 0, 2))
    return found
