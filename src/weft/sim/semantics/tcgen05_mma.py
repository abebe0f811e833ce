"""`tcgen05.mma` in all its variants, `.cp`, `.shift`, `.commit`: what one thread starts for one or two CTAs.

Products are exact; sums are taken in double precision and rounded once, as in `mma`.  `tcgen05.shift` and `.ashift`
move row `i` to row `i + 1`; the first row stays.  Buffers of the collector hold what memory holds.  The sparsity
selector of `.kind::f16` and `.kind::tf32` counts columns of metadata from the address on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.ptx.operands import Integer, Negated, Operand
from weft.sim.arrivals import pending, update
from weft.sim.elements import SMALL_BITS, decode, elements_of, finisher, product, values_of
from weft.sim.lanes import WARP, Array, Lanes, all_of
from weft.sim.places import Places
from weft.sim.semantics import step
from weft.sim.semantics.mbarrier import locate as locate_barrier
from weft.sim.semantics.mbarrier import too_soon, use
from weft.sim.semantics.tcgen05 import address_reader
from weft.sim.site import Site, Step
from weft.sim.space import Space
from weft.sim.sparsity import expand, metadata_bits
from weft.sim.tensor_cells import LANES, Cells
from weft.sim.tensor_memory import Operation
from weft.sim.types import WORDS
from weft.sim.umma import Found, Instruction, Owners, instruction, locate, metadata, operand, rows_of, sums, unpacked
from weft.sim.umma import Operand as Multiplicand

_MOST_BYTES = 1 << 19
"""Sums that are worked out at a time: they stay in the cache."""
_SCALE_BITS = 0x3FFF_FFFF
"""Addresses of scales may hold the number of the first byte in their two upper bits."""


def _pair(site: Site) -> bool:
    return site.opcode.get("cta_group") == "cta_group::2"


def _ctas(site: Site, lanes: Array) -> Array:
    """The CTAs (of the batch) that lanes act for: of a pair both, the one of even rank first."""
    own = site.machine.batch.cta[lanes]
    if not _pair(site):
        return own[:, None]
    if site.machine.launch.cluster_ctas % 2:
        raise site.fault("tensor-memory", "a pair of CTAs needs a cluster with an even number of CTAs", int(lanes[0]))
    return np.stack([own & ~1, own | 1], axis=1)


def _in_each(site: Site, lanes: Array, ctas: Array) -> Owners:
    """For each of the CTAs that lanes act for the lane at the same place, and the lane that acts."""
    own = site.machine.batch.cta[lanes]
    there = lanes[:, None] + WARP * (ctas - own[:, None])
    return Owners(there.reshape(-1), np.repeat(lanes, ctas.shape[1]))


@dataclass(frozen=True, slots=True)
class _Call:
    """The operands of one product, alike for all lanes that issue it together."""

    d: int
    a: int
    b: int
    word: int
    enable: bool
    scale_a: int
    scale_b: int
    metadata: int
    disabled: tuple[int, ...]


def _nothing(lanes: Lanes) -> Array:
    return np.zeros(lanes.count, np.int64)


class _Product:
    """A product as an instruction's operands say."""

    def __init__(self, site: Site) -> None:
        self.site, self.places = site, Places[Found]()
        self.kind = site.opcode.get("kind")
        self.pair, self.ws = _pair(site), ".ws" in site.opcode.stem
        named = {spec.name: o for spec, o in zip(site.variant().compiled.operands, site.operands, strict=False)}
        if "zero_column_mask" in named:
            site.unsupported("a mask of zero columns")
        self.shift = bool(site.opcode.get("ashift"))
        self.tensor_a = "a_tmem" in named
        self.readers: list[Any] = [
            address_reader(site, named["d_tmem"]),
            address_reader(site, named["a_tmem"]) if self.tensor_a else site.read(named["a_desc"], "b64"),
            site.read(named["b_desc"], "b64"),
            site.read(named["idesc"], "b32"),
            self._enable(named["enable_input_d"]),
        ]
        self.scaled = "scale_a_tmem" in named
        if self.scaled:
            self.readers += [address_reader(site, named["scale_a_tmem"]), address_reader(site, named["scale_b_tmem"])]
        else:
            self.readers += [_nothing, _nothing]
        self.sparse = "sp_meta_tmem" in named
        self.readers.append(address_reader(site, named["sp_meta_tmem"]) if self.sparse else _nothing)
        mask = named.get("disable_output_lane")
        self.mask = [] if mask is None else [site.read(element, "b32") for element in site.vector(mask)]
        exponent = named.get("scale_input_d")
        self.keep = 0.5**exponent.value if isinstance(exponent, Integer) else 1.0
        self.vectors = self._vectors()

    def _enable(self, flag: Operand) -> Callable[[Lanes], Array]:
        negated = isinstance(flag, Negated)
        read = self.site.read(flag.operand if isinstance(flag, Negated) else flag, "pred")

        def enabled(lanes: Lanes) -> Array:
            return np.not_equal(read(lanes), negated)

        return enabled

    def _vectors(self) -> int:
        """Scales of a row."""
        block = self.site.opcode.get("block")
        if block.startswith("scale_vec"):
            return int(block[-2])
        if block:
            return {"kind::mxf8f6f4": 1}.get(self.kind, 2) if block == "block32" else 4
        return {"kind::mxf8f6f4": 1, "kind::mxf4": 2}.get(self.kind, 4)

    def calls(self, lanes: Lanes) -> Iterator[tuple[_Call, Array]]:
        """The distinct calls of a set of lanes, and the lanes that issue each."""
        columns = [read(lanes).astype(np.int64) for read in (*self.readers, *self.mask)]
        if all(all_of(column == column[0]) for column in columns):  # All CTAs do the same.
            yield self._call([int(column[0]) for column in columns]), lanes.index
            return
        groups: dict[_Call, list[int]] = {}
        for lane, values in zip(lanes.index.tolist(), zip(*(c.tolist() for c in columns), strict=True), strict=True):
            groups.setdefault(self._call(values), []).append(lane)
        for call, members in groups.items():
            yield call, np.array(members)

    def _call(self, values: Sequence[int]) -> _Call:
        d, a, b, word, enable, scale_a, scale_b, found, *off = values
        return _Call(d, a, b, word, bool(enable), scale_a, scale_b, found, tuple(off))

    def start(self, call: _Call, lanes: Array) -> None:
        """Start a product."""
        site, tensor = self.site, self.site.machine.tensor
        found = instruction(self.kind, call.word, self.pair, self.ws, self.sparse)
        if isinstance(found, str):
            raise site.fault("descriptor", f"invalid instruction descriptor {call.word:#010x}: {found}", int(lanes[0]))
        if self.pair and (site.machine.batch.cta[lanes] & 1).any():
            raise site.fault("tensor-memory", "the product is issued by the CTA of odd rank in the pair", int(lanes[0]))
        ctas = _ctas(site, lanes)
        lane, column = sums(found.m, found.n, self.pair, self.ws, self.sparse)
        row, first = call.d >> 16, call.d & 0xFFFF
        half = (found.m == 64 and not self.ws) or (found.m == 128 and self.pair and self.sparse)
        if row not in ((0, 16) if half else (0,)):
            raise site.fault("tensor-memory", f"D starts at lane {row}", int(lanes[0]), call.d)
        cells = Cells.grid(ctas.reshape(-1), lane + row, column + first)
        tensor.check(site, cells, int(lanes[0]), read=call.enable, ordered=True)
        owners, size = _in_each(site, lanes, ctas), ctas.shape[1]
        b = operand(
            site,
            self.places,
            owners,
            call.b,
            found.n // size,
            found.btype,
            found.bits,
            found.across_b,
            twice=self.sparse,
        )
        shared = [b]
        if not self.tensor_a:
            shared.append(
                operand(site, self.places, owners, call.a, found.m // size, found.atype, found.bits, found.across_a)
            )
        reads = [(part.index.reshape(-1), part.size) for part in shared]
        starters = np.repeat(lanes, size)
        if self.tensor_a and tensor.order is not None:
            tensor.order.begins(site, self._left(call, found, ctas), starters, write=False)
        tensor.start(Operation(lambda: self.run(call, found, lanes, ctas, cells, shared), starters, cells, reads), site)

    def run(
        self, call: _Call, found: Instruction, lanes: Array, ctas: Array, cells: Cells, shared: list[Multiplicand]
    ) -> None:
        """Multiply, add and round, so many CTAs at a time that sums stay in the cache; `shared` has B first."""
        groups, size = ctas.shape
        if self._add(call, found, lanes, ctas, cells, shared):
            return
        each = _MOST_BYTES // (8 * found.m * found.n)
        if each >= groups:
            self._run(call, found, lanes, ctas, cells, shared)
            return
        for first in range(0, groups, each):
            part, own = slice(first, first + each), slice(first * size, (first + each) * size)
            operands = [replace(one, index=one.index[own]) for one in shared]
            self._run(call, found, lanes[part], ctas[part], cells.some(own), operands)

    def _run(
        self, call: _Call, found: Instruction, lanes: Array, ctas: Array, cells: Cells, shared: list[Multiplicand]
    ) -> None:
        tensor = self.site.machine.tensor
        groups, size = ctas.shape
        a = self._left_values(call, found, lanes, ctas, shared)
        b = self._right_values(call, found, lanes, ctas, shared)
        word = WORDS[16] if found.dtype == "f16" else WORDS[32]
        old = decode(tensor.load(cells).astype(word, copy=False), found.dtype) if call.enable else None
        if old is not None and self.keep != 1.0:
            old *= self.keep
        core = None if self.scaled or self.sparse else self.site.core(found.atype, found.btype, found.dtype)
        if core is not None:
            before = np.zeros(cells.cta.shape) if old is None else old
            sums = core(found.sign * a, b.transpose(0, 2, 1), before.reshape(groups, found.m, found.n))
            exact = sums.reshape(cells.cta.shape)
        else:
            exact = product(a, b.transpose(0, 2, 1)).reshape(cells.cta.shape)
            if found.sign != 1.0:
                exact *= found.sign
            if old is not None:
                exact += old
        words = finisher(found.dtype, found.saturate)(exact).view(word).astype(np.uint32, copy=False)
        tensor.store(cells, words, self._enabled(call, cells, size))

    def _add(
        self, call: _Call, found: Instruction, lanes: Array, ctas: Array, cells: Cells, shared: list[Multiplicand]
    ) -> bool:
        """The same by code; False where only NumPy can."""
        site, tensor, groups = self.site, self.site.machine.tensor, len(ctas)
        machine = site.machine
        core = None if self.scaled or self.sparse else site.core(found.atype, found.btype, found.dtype)
        if not machine.may_compile or machine.watchers or core is not None or (call.enable and self.keep != 1.0):
            return False
        from weft.sim.native import dense

        def side(rows: int, type_: str, among: list[Multiplicand]) -> dense.Side:
            one = among[0] if among and not self.scaled and not self.sparse else None
            if one is None or one.bits < 8 or (one.bits == 8 and one.type in SMALL_BITS):
                return dense.Side(rows, type_, 0)
            return dense.Side(rows, type_, one.size, one.across)

        sides = side(found.m, found.atype, shared[1:]), side(found.n, found.btype, shared[:1])
        shape = dense.Shape(*sides, found.depth, found.dtype, found.saturate, found.sign < 0)
        function = dense.function(shape, groups * shape.terms)
        if function is None:
            return False
        memory = machine.memory.shared
        operands: list[Array] = []
        ways = (shared[1:], self._left_values), (shared[:1], self._right_values)
        for one, (among, values) in zip(sides, ways, strict=True):
            if one.run:
                memory.loaded += among[0].index.size * one.run
            operands.append(among[0].index if one.run else values(call, found, lanes, ctas, shared))
        sums = tensor.cells[cells.place].reshape(groups, found.m, found.n)
        here = not call.disabled and np.may_share_memory(sums, tensor.cells)
        sums = sums if here else np.ascontiguousarray(sums)
        keep = np.full(groups, call.enable)
        dense.multiply([dense.Call(function, memory.bytes, operands[0], operands[1], sums, keep)])
        if here:
            tensor.stored(cells)
        else:
            tensor.store(cells, sums.reshape(cells.cta.shape), self._enabled(call, cells, ctas.shape[1]))
        return True

    def _enabled(self, call: _Call, cells: Cells, size: int) -> Array | None:
        """Which cells are written, where lanes are masked."""
        if not call.disabled:
            return None
        bits = np.array(call.disabled, np.uint32)[:, None] >> np.arange(WARP, dtype=np.uint32) & np.uint32(1)
        off = bits.reshape(size, LANES) != 0
        member = np.arange(len(cells.cta)) % size
        return ~off[member[:, None, None], cells.lane]

    def _left_values(
        self, call: _Call, found: Instruction, lanes: Array, ctas: Array, shared: list[Multiplicand]
    ) -> Array:
        """A, with its scales."""
        a = self._a(call, found, lanes, ctas, shared[1:])
        if self.scaled:
            a = a * self._scales(call.scale_a, found.scale_a, found, ctas, a.shape[1] // ctas.shape[1], lanes)
        return a

    def _right_values(
        self, call: _Call, found: Instruction, lanes: Array, ctas: Array, shared: list[Multiplicand]
    ) -> Array:
        """B, of which CTAs of a pair have half each, with its scales: groups by N by K."""
        b = shared[0].values(self.site).reshape(len(ctas), found.n, found.depth)
        if self.scaled:
            b = b * self._scales(call.scale_b, found.scale_b, found, ctas[:, :1], found.n, lanes)
        return b

    def _a(self, call: _Call, found: Instruction, lanes: Array, ctas: Array, shared: list[Multiplicand]) -> Array:
        """A: groups by M by K."""
        everyone = ctas.reshape(-1)
        if shared:
            a = shared[0].values(self.site)
        else:
            cells = self._left(call, found, ctas)
            self.site.machine.tensor.check(self.site, cells, int(lanes[0]), read=True, ordered=True)
            codes = np.ascontiguousarray(self.site.machine.tensor.load(cells))
            a = decode(elements_of(codes, found.bits), found.atype)
            if self.shift:
                a = np.concatenate([a[:, :1], a[:, :-1]], axis=1)
        if self.sparse:
            a = self._expanded(a, call, found, lanes, everyone)
        return a.reshape(len(ctas), found.m, found.depth)

    def _expanded(self, stored: Array, call: _Call, found: Instruction, lanes: Array, everyone: Array) -> Array:
        """A sparse A with its zeros."""
        bits = found.bits
        chunks = metadata_bits(found.depth, bits) // 4
        lane, column, first = metadata(found.m, self.pair, self.ws, bits, chunks)
        start = (call.metadata & 0xFFFF) + found.selector
        cells = Cells.grid(everyone, lane + (call.metadata >> 16), column + start, repeated=True)
        tensor = self.site.machine.tensor
        tensor.check(self.site, cells, int(lanes[0]), read=True, ordered=True)
        codes = (tensor.load(cells) >> first) & np.uint32(15)
        return expand(self.site, stored, codes, bits, int(lanes[0]), ordered=True)

    def _left(self, call: _Call, found: Instruction, ctas: Array) -> Cells:
        """The cells of A in tensor memory."""
        lane = rows_of(found.m, ctas.shape[1] == 2, self.ws, self.sparse)[:, None] + (call.a >> 16)
        return Cells.grid(ctas.reshape(-1), lane, (call.a & 0xFFFF) + np.arange(8)[None, :])

    def _scales(self, address: int, byte: int, found: Instruction, ctas: Array, rows: int, lanes: Array) -> Array:
        """The scale of each element of the CTAs' rows: groups by all rows by K."""
        address &= _SCALE_BITS
        row = np.arange(rows)
        cells = Cells.grid(ctas.reshape(-1), row % WARP + (address >> 16), (address & 0xFFFF) + row // WARP)
        tensor = self.site.machine.tensor
        tensor.check(self.site, cells, int(lanes[0]), read=True, ordered=True)
        shifts = (8 * (byte + np.arange(self.vectors))).astype(np.uint32)
        if int(shifts[-1]) > 24:
            raise self.site.fault("descriptor", f"scales start at byte {byte}", int(lanes[0]))
        codes = tensor.load(cells)[..., None] >> shifts & np.uint32(0xFF)
        table = values_of(found.scale_type)
        assert table is not None
        wide = np.repeat(np.take(table, codes), found.depth // self.vectors, axis=-1)
        return wide.reshape(len(ctas), -1, found.depth)


@step("tcgen05.mma", "tcgen05.mma.sp", "tcgen05.mma.ws", "tcgen05.mma.ws.sp")
def mma(site: Site) -> Step:
    """`D = A * B + D`, or `A * B` where D is not an input; a sparse A is expanded."""
    product = _Product(site)

    def run(lanes: Lanes) -> None:
        for call, members in product.calls(lanes):
            product.start(call, members)

    return run


# -- copies ---------------------------------------------------------------------------------------------------

_SHAPES = {"128x256b": (128, 32), "128x128b": (128, 16), "64x128b": (64, 16), "32x128b": (32, 16)}
"""Shape of a copy to its rows, and the bytes of a row."""


def _targets(shape: str, multicast: str) -> list[Array]:
    """The lanes that each copy of the rows goes to."""
    row = np.arange(_SHAPES[shape][0])
    if multicast == "warpx4":
        return [row + WARP * warp for warp in range(4)]
    if multicast == "warpx2::02_13":
        return [row, row + 2 * WARP]
    if multicast == "warpx2::01_23":
        return [row % WARP + 2 * WARP * (row // WARP) + WARP * second for second in range(2)]
    return [row]


@step("tcgen05.cp")
def cp(site: Site) -> Step:
    """Copy rows of shared memory to tensor memory, widening narrow elements."""
    slots = site.slots()
    shape, format_ = slots["shape"], slots["src_fmt"]
    if shape not in _SHAPES:
        site.unsupported(f"shape .{shape}")
    rows, width = _SHAPES[shape]
    address, descriptor = address_reader(site, site.operands[0]), site.read(site.operands[1], "b64")
    targets, places = _targets(shape, slots["multicast"]), Places[Found]()

    def copy(index: Array, cells: list[Cells]) -> None:
        data = site.machine.memory.shared.load(index, Space.wide(16)).view(WORDS[8])
        if format_:
            data = unpacked(data.reshape(len(data), rows, -1, 16), format_).reshape(data.shape)
        for part in cells:
            site.machine.tensor.store(part, data.view(np.uint32))

    def run(lanes: Lanes) -> None:
        tensor = site.machine.tensor
        for lane, at, word in zip(
            lanes.index.tolist(), address(lanes).tolist(), descriptor(lanes).tolist(), strict=True
        ):
            ctas = _ctas(site, np.array([lane]))
            column = (at & 0xFFFF) + np.arange(width // 4)[None, :]
            parts = [Cells.grid(ctas.reshape(-1), target[:, None] + (at >> 16), column) for target in targets]
            rows_written = np.unique(np.concatenate(targets))[:, None] + (at >> 16)
            whole = Cells.grid(ctas.reshape(-1), rows_written, column)
            tensor.check(site, whole, lane, read=False, ordered=True)
            index = locate(
                site, places, _in_each(site, np.array([lane]), ctas), word, rows, width, 1, False, used=16, run=16
            )
            reads = [(index.reshape(-1), 16)]
            starters = np.full(ctas.size, lane)
            tensor.start(Operation(lambda index=index, parts=parts: copy(index, parts), starters, whole, reads), site)

    return run


@step("tcgen05.shift")
def shift(site: Site) -> Step:
    """Move 32 bytes of each of 31 rows one row down."""
    address = address_reader(site, site.operands[0])

    def move(cells: Cells) -> None:
        words = site.machine.tensor.load(cells)
        cta, lane, column = (part[:, 1:] for part in cells.index)
        site.machine.tensor.store(Cells(cta, lane, column), words[:, :-1])

    def run(lanes: Lanes) -> None:
        tensor = site.machine.tensor
        for lane, at in zip(lanes.index.tolist(), address(lanes).tolist(), strict=True):
            if at >> 16 & 31:
                raise site.fault("tensor-memory", f"lane {at >> 16} is not a multiple of 32", lane, at)
            ctas = _ctas(site, np.array([lane])).reshape(-1)
            cells = Cells.grid(ctas, np.arange(WARP)[:, None] + (at >> 16), np.arange(8)[None, :] + (at & 0xFFFF))
            tensor.check(site, cells, lane, read=True, ordered=True)
            starters = np.full(len(ctas), lane)
            tensor.start(Operation(lambda cells=cells: move(cells), starters, cells), site)

    return run


# -- completion -----------------------------------------------------------------------------------------------


@step("tcgen05.commit")
def commit(site: Site) -> Step:
    """Arrive at an mbarrier when what the thread has started is done; with a mask at that of several CTAs."""
    barrier, *rest = site.operands
    pointer = site.pointer(barrier, site.slots()["ss"])
    mask = site.read(rest[0], "u16") if rest else None

    def start(lanes: Array, places: Array) -> None:
        """Lanes arrive at mbarriers, all of them different ones."""
        machine, due = site.machine, site.machine.tensor.due
        ones = np.ones(len(places), np.int64)
        clocks = machine.clocks
        if clocks is not None:
            for lane, one in zip(lanes.tolist(), places.tolist(), strict=True):
                if 0 < pending(machine.memory.shared, one) <= due[one]:
                    too_soon(site, lane, one)
            late = clocks.unaware(lanes, places)
            if late >= 0:
                which = int((lanes >= late).argmax())
                too_soon(site, int(lanes[which]), int(places[which]))
            clocks.commit(lanes, places)
        due.update(places.tolist())

        def arrive() -> None:
            due.subtract(places.tolist())
            update(site, machine.memory.shared, places, int(lanes[0]), ones, 0 * ones)

        machine.tensor.start(Operation(arrive, np.unique(lanes), arrives=True))

    def run(lanes: Lanes) -> None:
        machine = site.machine
        _, index = locate_barrier(site, pointer, lanes, True)
        if mask is None:
            together = machine.async_ != "random" and len(np.unique(index)) == len(index)
            parts = [slice(None)] if together else [slice(one, one + 1) for one in range(lanes.count)]
            for part in parts:
                start(lanes.index[part], index[part])
            return
        shared, size = machine.memory.shared, machine.launch.cluster_ctas
        for lane, place, chosen in zip(lanes.index.tolist(), index.tolist(), mask(lanes).tolist(), strict=True):
            part, offset = divmod(place, shared.stride)
            ranks = [rank for rank in range(16) if chosen >> rank & 1]
            if any(rank >= size for rank in ranks):
                raise site.fault("out-of-bounds", f"mask {chosen:#x} names CTAs outside the cluster", lane)
            places = np.array([(part // size * size + rank) * shared.stride + offset for rank in ranks])
            by = np.full(len(places), lane)
            use(site, places, by)
            start(by, places)

    return run
