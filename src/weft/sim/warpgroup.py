"""The arithmetic of `wgmma`: operands in shared memory and in registers, dense, sparse and of bits.

Sources: PTX manual, "Asynchronous Warpgroup Level Matrix Instructions": descriptors, canonical layouts, fragments.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from weft.isa.table._matrix import extents
from weft.isa.types import TYPES
from weft.ptx.operands import Integer, Operand
from weft.sim.elements import decode, elements_of, product
from weft.sim.lanes import WARP, Array
from weft.sim.places import Places
from weft.sim.registers import Row
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.sparsity import codes_of, expand
from weft.sim.spots import Spot
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.native.dense import Side
    from weft.sim.tensor_core import Sum

WARPS = 4
"""Warps of a warpgroup."""

_CHUNK = 16
"""Bytes that lie together in every layout, swizzled or not."""
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


class _Place(NamedTuple):
    """Where an operand lies: byte indices of its runs, and their shape; who reads them, and the CTA of each."""

    runs: Array
    shape: tuple[int, ...]
    readers: list[tuple[Spot, Array]]
    ctas: Array


class _Shared:
    """A multiplicand that a descriptor points to; with `split` each warp reads 16 rows of it, else all read it."""

    def __init__(
        self, site: Site, descriptor: Any, type_: str, rows: int, depth: int, across: bool, split: bool = False
    ) -> None:
        self.site, self.split = site, split
        self.value = site.value(descriptor, "b64")
        self.type, self.bits = type_, TYPES[type_].bits
        self.rows, self.across = rows, across
        self.size = max(8, self.bits) // 8
        self.depth = depth * self.bits // (8 * self.size)
        self._each = _CHUNK // self.size
        self._places = Places[_Place]()

    @property
    def side(self) -> Side:
        """What code reads."""
        from weft.sim.native.dense import Side

        return Side(self.rows, self.type, _CHUNK, self.across)

    def locate(self, warps: Array) -> Array:
        """Byte indices of the runs of 16 bytes: warpgroups (lanes, by warps by lanes) by rows by depth.

        A run lies along K, or along the rows where these are contiguous.
        """
        first = warps[:, 0, 0]
        words = np.broadcast_to(self.value, (self.site.machine.batch.lanes,))[first].astype(np.int64)
        shared = self.site.machine.memory.shared
        key = words.tobytes(), first.tobytes(), shared.stride, shared.size
        place = self._places.get(key)
        if place is None:
            place = self._locate(warps, first, words)
            self._places.keep(key, place, place.runs.size)
        if shared.guarded:
            clocks = self.site.machine.clocks
            group = int(self.site.machine.batch.warp[first[0]]) // WARPS
            engines = None if clocks is None else clocks.engines(("wgmma", group), place.ctas)
            for spot, lanes in place.readers:
                shared.last = spot
                spot.settled = max(spot.settled, place.readers[0][0].settled)
                shared.before_async_load(self.site, place.runs, lanes, _CHUNK, engines=engines)
        return place.runs.reshape(place.shape)

    def _locate(self, warps: Array, first: Array, words: Array) -> _Place:
        start = (words & 0x3FFF) << 4
        rest = words & ~np.int64(0x3FFF)
        if (rest != rest[0]).any():
            parts = [self._locate(one[None], one[:1, 0], word) for one, word in zip(warps, words[:, None], strict=True)]
            readers = zip(*(part.readers for part in parts), strict=True)
            whole = np.concatenate([part.runs for part in parts])
            by = [np.concatenate([lanes for _, lanes in each]) for each in readers]
            ctas = np.concatenate([part.ctas for part in parts])
            return _Place(whole, (len(parts), *parts[0].shape[1:]), [self._spot(whole, one) for one in by], ctas)
        leading, stride = int(rest[0]) >> 16 & 0x3FFF, int(rest[0]) >> 32 & 0x3FFF
        mode = int(rest[0]) >> 62 & 3
        offsets = _offsets(self.rows, self.depth, self.size, leading << 4, stride << 4, mode, self.across)
        offsets = offsets[:: self._each] if self.across else offsets[:, :: self._each]
        address = start[:, None, None] + offsets
        if mode:
            address = address ^ ((address >> 7 & (_WIDTHS[mode] // 16 - 1)) << 4)
        flat = address.reshape(-1)
        lanes = np.repeat(first, offsets.size)
        shared = self.site.machine.memory.shared
        index = shared.locate(self.site, flat, lanes, _CHUNK, False)
        by = (np.repeat(readers.reshape(-1), offsets.shape[1]) for readers in self._readers(warps, len(offsets)))
        ctas = self.site.machine.batch.cta[lanes]
        return _Place(index, (len(first), *offsets.shape), [self._spot(index, one) for one in by], ctas)

    def _spot(self, index: Array, lanes: Array) -> tuple[Spot, Array]:
        """An access of lanes, of which more will be known when it comes back."""
        shared = self.site.machine.memory.shared
        shared.last = None
        spot = shared.spot(index, lanes)
        spot.kept = True
        return spot, lanes

    def _readers(self, warps: Array, count: int) -> list[Array]:
        """A lane of a warp that reads each row: the warp's own rows, or the first and the last warp for all of them."""
        rows = np.arange(count) * (self.rows // count)
        if self.split:
            return [warps[:, rows // 16, 0]]
        return [warps[:, rows * 0, 0], warps[:, rows * 0 + WARPS - 1, 0]]

    def read(self, index: Array) -> Array:
        """The matrices at byte indices, as doubles."""
        machine = self.site.machine
        runs = machine.memory.shared.load(index, Space.wide(_CHUNK))
        for watcher in machine.watchers:
            watcher.moved(self.site, machine.memory.shared, index, _CHUNK, False)
        codes = runs.view(WORDS[8 * self.size])
        if self.across:
            pieces = codes.reshape(*runs.shape, self._each).transpose(0, 1, 3, 2)
            codes = np.ascontiguousarray(pieces).reshape(len(runs), self.rows, self.depth)
        return decode(elements_of(codes, self.bits), self.type)


class _Registers:
    """A in registers: the fragment of `mma`, 16 rows a warp."""

    def __init__(self, site: Site, vector: Any, type_: str, depth: int) -> None:
        self.registers = [site.row(element) for element in site.vector(vector)]
        self.rows = [row.array for row in self.registers]
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
def accumulators(columns: int) -> tuple[Array, Array]:
    """Row (within a warp's 16) and column of each accumulator element of a lane: lanes by elements."""
    lane, index = np.meshgrid(np.arange(WARP), np.arange(columns // 2), indexing="ij")
    return lane // 4 + 8 * (index // 2 % 2), 8 * (index // 4) + 2 * (lane % 4) + index % 2


def by_register(product: Array) -> Array:
    """What `accumulators` says, for all elements at once: registers by warps by warpgroups by lanes."""
    groups, warps, _, columns = product.shape
    # A row is 8 * high + lane / 4, a column 8 * (register / 4) + 2 * (lane % 4) + low; a register 2 * high + low.
    parts = product.reshape(groups, warps, 2, 8, columns // 8, 4, 2)
    return parts.transpose(4, 2, 6, 1, 0, 3, 5).reshape(columns // 2, warps, groups, WARP)


def by_matrix(registers: Array, columns: int) -> Array:
    """The other way round: registers by warps by warpgroups by lanes as warpgroups by warps by 16 rows by columns."""
    warps, groups = registers.shape[1:3]
    parts = registers.reshape(columns // 8, 2, 2, warps, groups, 8, 4)
    return parts.transpose(4, 3, 1, 5, 0, 6, 2).reshape(groups, warps, 16, columns)


class Multiplication:
    """What multiplies the operands (by their names in the table) of an instruction.

    `sources` are the registers that hold a fragment.
    """

    def __init__(self, site: Site, operands: dict[str, Operand]) -> None:
        opcode = site.opcode
        _, self.columns, depth = extents(opcode.get("shape"))
        self._site, self._depth = site, depth
        atype, btype = opcode.get("atype"), opcode.get("btype")

        def constant(name: str, default: int) -> int:
            operand = operands.get(name)
            return operand.value if isinstance(operand, Integer) else default

        self._sign = float(constant("imm_scale_a", 1) * constant("imm_scale_b", 1))
        self._b = _Shared(site, operands["b_desc"], btype, self.columns, depth, bool(constant("imm_trans_b", 0)))
        self._metadata = None
        stored = depth
        if "meta" in operands:
            stored = depth // 2
            selector = constant("selector", 0)
            self._metadata = _Metadata(site, operands["meta"], selector, depth, TYPES[atype].bits)
        self._shared: list[_Shared] = [self._b]
        self._fragment: _Registers | None = None
        self.sources: list[Row] = []
        if "a_desc" in operands:
            across = bool(constant("imm_trans_a", 0))
            self._shared.append(_Shared(site, operands["a_desc"], atype, 64, stored, across, split=True))
        else:
            self._fragment = _Registers(site, operands["a"], atype, stored)
            self.sources = self._fragment.registers

    def locate(self, warps: Array) -> list[tuple[Array, int]]:
        """Where the operands in shared memory lie: byte indices by warpgroup of runs, and the size of these.

        `warps` are lanes, warpgroups by warps by lanes.
        """
        return [(shared.locate(warps), _CHUNK) for shared in self._shared]

    def multiply(self, warps: Array, places: list[Array]) -> Array:
        """Exact products, as warpgroups by warps by 16 rows by columns; `places` are those of `locate`."""
        left, right = self.matrices(warps, places)
        exact = product(left, right)
        return (exact if self._sign == 1.0 else self._sign * exact).reshape(len(warps), WARPS, 16, self.columns)

    def add(self, warps: Array, places: list[Array], sums: Array, keep: Array, dtype: str, clamp: bool) -> bool:
        """Add products to matrices of sums, of a type, or replace them; False where only NumPy can.

        That is done when the products under way are computed.
        """
        machine = self._site.machine
        if not machine.may_compile or machine.watchers or self._metadata is not None or self._sign not in (1.0, -1.0):
            return False
        from weft.sim.native import dense

        left = dense.Side(64, self._fragment.type, 0) if self._fragment is not None else self._shared[1].side
        shape = dense.Shape(left, self._b.side, self._depth, dtype, clamp, self._sign < 0)
        function = dense.function(shape, len(warps) * shape.terms)
        if function is None:
            return False
        shared = machine.memory.shared
        a = self._fragment.read(warps) if self._fragment is not None else places[1]
        shared.loaded += _CHUNK * sum(place.size for place in places)
        matrices = sums.reshape(len(warps), -1, self.columns)
        products = machine.products
        products.queue = products.queue or dense.Queue()
        products.queue.add(dense.Call(function, shared.bytes, a, places[0], matrices, keep))
        return True

    @property
    def sparse(self) -> bool:
        """Whether A has metadata."""
        return self._metadata is not None

    def sums(self, core: Sum, warps: Array, places: list[Array], old: Array) -> Array:
        """Products added to matrices as tensor cores do it."""
        left, right = self.matrices(warps, places)
        return core(self._sign * left, right, old.reshape(len(warps), -1, self.columns)).reshape(old.shape)

    def matrices(self, warps: Array, places: list[Array]) -> tuple[Array, Array]:
        """A as warpgroups by 64 rows by K, and B as warpgroups by K by columns."""
        if self._fragment is not None:
            left = self._fragment.read(warps)
        else:
            left = self._shared[1].read(places[1])
        if self._metadata is not None:
            left = self._metadata.expand(left, warps)
        return left, self._b.read(places[0]).transpose(0, 2, 1)
