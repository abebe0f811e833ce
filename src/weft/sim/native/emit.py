"""Instructions as code: sources from the registers of a warp, results to them; what cannot be written raises.

Pure instructions are traced.  Moves, loads and stores are written here.  Within a block, registers are values; at its
end those that are needed later go to the frame, where all blocks find them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Address, Negated, Operand, Register, Sink, Symbol, Vector
from weft.sim import alu, semantics
from weft.sim.bind import is_gated
from weft.sim.lanes import Array
from weft.sim.native import access, atomics, copies, matrix, mbarriers, steps
from weft.sim.native.code import LANES, Code, NotTraced, vector
from weft.sim.native.live import Lives
from weft.sim.native.traced import Traced
from weft.sim.registers import Row
from weft.sim.semantics import move
from weft.sim.semantics.matrix_copy import layout
from weft.sim.site import Site, typed
from weft.sim.types import BOOL, DTYPES, WORDS, Dtype, as_words, register_dtype

WHOLE = "-1"
"""The mask of a block that only whole warps run."""
HINTS = frozenset({"prefetch", "prefetchu", "applypriority", "membar", "fence", "fence.proxy"})
"""Instructions that do nothing here."""
POLLS = ("volatile", "relaxed", "acquire", "mmio")


class Slot:
    """A register in the frame: its number in the table of rows, and its bytes from `offset` on."""

    __slots__ = ("array", "bits", "number", "offset", "written")

    def __init__(self, number: int, offset: int, array: Array) -> None:
        self.number = number
        self.offset = offset
        self.array = array
        self.bits = 1 if array.dtype == BOOL else 8 * array.dtype.itemsize
        self.written = False

    @property
    def word(self) -> Dtype:
        """The dtype of its values."""
        return self.array.dtype


class Body(NamedTuple):
    """Registers of a block whose instructions have been written, but not its end."""

    values: dict[int | str, Traced]
    dirty: dict[int, Slot]
    mask: str


class Emitter:
    """Writes the instructions of an activation, block by block.

    `slots` are the registers by the identity of their rows (special registers by name), `specials` those that are no
    rows; `symbols` the addresses that code looks up (`Recipe`), `caches` counts accesses to memory; `numbers` are
    those of instructions.
    """

    def __init__(self, code: Code, lives: Lives, guard: access.Guard | None = None) -> None:
        self.code = code
        self.lives = lives
        self.guard = guard
        self.numbers = lives.numbers
        self.slots: dict[int | str, Slot] = {}
        self.frame = 0
        self.symbols: dict[tuple[int, str, int], int] = {}
        self._scopes: dict[int, int] = {}
        self.caches = 0
        self.out = 64
        self._values: dict[int | str, Traced] = {}
        self._dirty: dict[int, Slot] = {}
        self.mask = ""

    # -- blocks -----------------------------------------------------------------------------------------------

    def enter_whole(self) -> None:
        """From here on all 32 lanes run the block."""
        self.mask = WHOLE

    def begin(self, mask: str) -> None:
        """A block begins: `mask` are the lanes that run it, a word."""
        self._values.clear()
        self._dirty.clear()
        self.mask = mask

    def keep(self) -> Body:
        """What is needed to go on with the block later."""
        return Body(dict(self._values), dict(self._dirty), self.mask)

    def resume(self, body: Body) -> None:
        """Go on with a block."""
        self._values, self._dirty, self.mask = body.values, body.dirty, body.mask

    def end(self, needed: Callable[[int], bool]) -> None:
        """The block ends: registers that are needed go to the frame, for the lanes that ran it."""
        for key, slot in self._dirty.items():
            if not needed(key):
                continue
            slot.written = True
            value = self._values[key]
            place = self._place(slot)
            if slot.bits == 1:
                new = self.code.pure(f"bitcast {value.typed} to i32")
                if self.mask == WHOLE:
                    self.code.line(f"store i32 {new}, ptr {place}")
                    continue
                old = self.code.value(f"load i32, ptr {place}")
                idle = self.code.pure(f"xor i32 {self.mask}, -1")
                kept = self.code.value(f"and i32 {old}, {idle}")
                taken = self.code.value(f"and i32 {new}, {self.mask}")
                self.code.line(f"store i32 {self.code.value(f'or i32 {kept}, {taken}')}, ptr {place}")
                continue
            both = value.name
            if self.mask != WHOLE:
                old = self.code.value(f"load {value.type}, ptr {place}, align 64")
                both = self.code.value(f"select {self.lanes().typed}, {value.typed}, {value.type} {old}")
            self.code.line(f"store {value.type} {both}, ptr {place}, align 64")

    def lanes(self) -> Traced:
        """The lanes that run the block."""
        return Traced(self.code, self.code.pure(f"bitcast i32 {self.mask} to <32 x i1>"), BOOL)

    def guarded(self, site: Site) -> Traced | None:
        """The lanes whose guard holds, None without one."""
        guard = site.instruction.guard
        if guard is None:
            return None
        holds = self.read_row(site.row(guard.register))
        return (~holds if guard.negated else holds) & self.lanes()  # pyright: ignore[reportReturnType]

    # -- registers --------------------------------------------------------------------------------------------

    def slot(self, key: int | str, array: Array) -> Slot:
        """Where a register lies in the frame."""
        found = self.slots.get(key)
        if found is None:
            if array.ndim != 1:
                raise NotTraced("a register of 128 bits")
            found = self.slots[key] = Slot(len(self.slots), self.frame, array)
            self.frame += max(64, LANES * found.bits // 8)
        return found

    def _place(self, slot: Slot) -> str:
        return self.code.pure(f"getelementptr i8, ptr %frame, i64 {slot.offset}")

    def _read(self, key: int | str, array: Array) -> Traced:
        found = self._values.get(key)
        if found is None:
            slot = self.slot(key, array)
            place = self._place(slot)
            if slot.bits == 1:
                bits = self.code.value(f"load i32, ptr {place}")
                name = self.code.value(f"bitcast i32 {bits} to <32 x i1>")
            else:
                name = self.code.value(f"load {vector(slot.word)}, ptr {place}, align 64")
            found = self._values[key] = Traced(self.code, name, slot.word)
        return found

    def read_row(self, row: Row) -> Traced:
        """The words of a register."""
        return self._read(id(row), row.array)

    def write_row(self, row: Row, value: Any, guard: Traced | None, dtype: Dtype | None = None) -> None:
        """Assign to a register, in lanes whose guard holds, as values of a dtype of its width."""
        slot = self.slot(id(row), row.array)
        dtype = dtype or slot.word
        if not isinstance(value, Traced):
            value = self.lanes().lift(value, np.asarray(value).dtype, (LANES,))
        if value.shape != (LANES,):
            value = value.reshape(LANES)
        words = as_words(value, dtype).astype(dtype).view(slot.word)
        if guard is not None:
            choose: Any = np.where
            words = choose(guard, words, self.read_row(row))
        self._values[id(row)] = words
        self._dirty[id(row)] = slot

    # -- operands ---------------------------------------------------------------------------------------------

    def source(self, site: Site, type_: str, operand: Operand | None) -> Any:
        """A source: values, or a NumPy scalar for a constant."""
        if operand is None:
            return self.read_row(site.activation.carry)
        if isinstance(operand, Negated):
            return np.logical_not(self.source(site, type_, operand.operand))
        if isinstance(operand, Register):
            row = site.names.row(operand.name, site.machine.batch.lanes)
            if row is not None:
                return self._typed(row, type_)
            array = site.machine.batch.special(operand.name)
            if array is None:
                raise NotTraced(operand.name)
            words = self._read(operand.name, array)
            if words.dtype == BOOL:
                return words
            dtype = DTYPES[type_]
            return words.view(dtype) if words.dtype.itemsize == dtype.itemsize else words.astype(dtype)
        if isinstance(operand, Symbol):
            return self.spread(self.symbol(site, operand)).astype(DTYPES[type_])
        return site.value(operand, type_)

    def _typed(self, row: Row, type_: str) -> Traced:
        """See `weft.sim.site.typed`."""
        words = self.read_row(row)
        dtype = typed(row, type_).dtype
        if dtype == words.dtype:
            return words
        return (
            words.view(dtype)
            if dtype.itemsize == words.itemsize
            else words.astype(WORDS[8 * dtype.itemsize]).view(dtype)
        )

    def symbol(self, site: Site, operand: Symbol) -> str:
        """The address of a variable, looked up in the table."""
        place = site.names.place(operand.name)
        if place is not None and place.space == "shared" and site.machine.launch.cluster_ctas > 1:
            raise NotTraced("shared addresses in a cluster")
        return self._known(site, operand.name, operand.offset)

    def _known(self, site: Site, name: str, offset: int) -> str:
        scope = self._scopes.setdefault(id(site.names), self.numbers[id(site)])
        number = self.symbols.setdefault((scope, name, offset), len(self.symbols))
        place = self.code.pure(f"getelementptr i64, ptr %symbols, i64 {number}")
        return self.code.pure(f"load i64, ptr {place}")

    def spread(self, scalar: str) -> Traced:
        """A 64-bit word for all lanes."""
        first = self.code.pure(f"insertelement <32 x i64> poison, i64 {scalar}, i64 0")
        name = self.code.pure(f"shufflevector <32 x i64> {first}, <32 x i64> poison, <32 x i32> zeroinitializer")
        return Traced(self.code, name, np.dtype(np.int64))

    def put(self, site: Site, type_: str, operand: Operand | None, value: Any, guard: Traced | None) -> None:
        """Write a result."""
        if operand is None:
            self.write_row(site.activation.carry, value, guard)
        elif not isinstance(operand, Sink):
            row = site.row(operand)
            self.write_row(row, value, guard, register_dtype(type_, row.bits))

    # -- instructions -----------------------------------------------------------------------------------------

    def instruction(self, site: Site) -> None:
        """Write an instruction that does not end a block.  Raises NotTraced."""
        stem = site.opcode.stem
        if stem in semantics.ALU:
            self._alu(site)
        elif stem == "mov":
            self._mov(site)
        elif stem in ("ld", "ldu"):
            self._load(site)
        elif stem == "st":
            self._store(site)
        elif stem == "ldmatrix":
            self._load_matrix(site)
        elif stem == "nanosleep":
            self._polled(access.POLL)
        elif stem in HINTS:
            return
        elif stem in copies.STEMS:
            copies.write(self, site)
        elif stem in atomics.STEMS:
            atomics.write(self, site)
        elif stem in mbarriers.STEMS:
            mbarriers.write(self, site)
        elif stem == "mma":
            matrix.multiply(self, site)
        elif stem in steps.TRACED and site.machine.launch.cluster_ctas == 1:
            steps.trace(self, site)
        else:
            raise NotTraced(stem)

    def _alu(self, site: Site) -> None:
        compute, sources, results = alu.parts(site)
        guard = self.guarded(site)
        values = compute(*(self.source(site, type_, operand) for type_, operand in sources))
        if len(results) == 1:
            values = (values,)
        for (type_, operand), value in zip(results, values, strict=False):
            self.put(site, type_, operand, value, guard)

    def _mov(self, site: Site) -> None:
        destination, source = site.operands
        type_ = site.opcode.get("type")
        guard, bits = self.guarded(site), TYPES[type_].bits
        if isinstance(source, Register) and site.machine.batch.clock(source.name) is not None:
            raise NotTraced("a clock")
        if bits == 128:
            raise NotTraced("a register of 128 bits")
        if site.opcode.get("vec"):
            word = f"b{bits}"
            values = [(target, self.source(site, word, one)) for target, one in move.pairs(site)]
            for operand, value in values:
                self.put(site, word, operand, value, guard)
        elif isinstance(destination, Vector):
            part = WORDS[bits // len(destination.elements)]
            whole: Any = self.source(site, f"b{bits}", source)
            for number, operand in enumerate(destination.elements):
                piece = (whole >> WORDS[bits].type(number * 8 * part.itemsize)).astype(part)
                self.put(site, f"b{8 * part.itemsize}", operand, piece, guard)
        elif isinstance(source, Vector):
            step = bits // len(source.elements)
            pieces: list[Any] = [self.source(site, f"b{step}", operand) for operand in source.elements]
            whole = WORDS[bits].type(0)
            for number, piece in enumerate(pieces):
                whole = whole | (piece.astype(WORDS[bits]) << WORDS[bits].type(number * step))
            self.put(site, type_, destination, whole, guard)
        elif type_ == "pred":
            self.put(site, type_, destination, self.source(site, type_, source), guard)
        else:
            value: Any = self.source(site, type_, source)
            words = value.view(f"u{value.dtype.itemsize}") if value.dtype != BOOL else value
            self.put(site, f"b{bits}", destination, words, guard)

    # -- memory -----------------------------------------------------------------------------------------------

    def address(self, site: Site, operand: Operand, space: str) -> tuple[str, Traced]:
        """The space of an access as `access.declare` has it, and the addresses there."""
        if not isinstance(operand, Address):
            raise NotTraced("no address")
        base, offset = operand.base, operand.offset
        home = (
            "shared" if space.startswith("shared") else space if space == "local" else "arena" if space else "generic"
        )
        if home in ("shared", "generic") and site.machine.launch.cluster_ctas > 1:
            raise NotTraced("shared memory of a cluster")
        if isinstance(base, Symbol):
            place = site.names.place(base.name)
            if place is None:
                raise NotTraced("no variable")
            where = {"shared": "shared", "local": "local", "param": "local"}.get(place.space, "arena")
            return where, self.spread(self._known(site, base.name, base.offset + offset))
        if not isinstance(base, Register) or space.startswith("param"):
            raise NotTraced("an address")
        words: Any = self.source(site, f"b{site.row(base).bits}", base)
        if words.itemsize == 8:
            words = words.view(np.int64)
            return home, words + np.int64(offset) if offset else words
        step = words.dtype.type(offset & ((1 << 8 * words.itemsize) - 1))
        return home, (words + step).astype(np.int64)

    def _access(self, site: Site, operand: Operand) -> tuple[str, Dtype, Traced, str, Traced | None]:
        slots = site.slots()
        home, address = self.address(site, operand, slots["ss"])
        ordered = self.guard is not None and slots["sem"].startswith(POLLS)
        if (ordered and (home, slots["sem"]) != ("shared", "volatile")) or TYPES[slots["type"]].bits == 128:
            raise NotTraced("an ordered or wide access")
        guard = self.guarded(site)
        mask = self.mask if guard is None else self.code.pure(f"bitcast {guard.typed} to i32")
        return home, DTYPES[slots["type"]], address, mask, guard

    def cache(self) -> str:
        """The words of another access."""
        self.caches += 1
        return self.code.value(f"getelementptr i64, ptr %caches, i64 {access.CACHE * (self.caches - 1)}")

    def left(self, dtype: Dtype, offset: int = 0, count: int = LANES) -> Traced:
        """The words that a function has left so many bytes behind the start of `%out`."""
        self.out = max(self.out, offset + count * dtype.itemsize)
        place = self.code.pure(f"getelementptr i8, ptr %out, i64 {offset}")
        align = min(64, LANES * dtype.itemsize)
        name = self.code.value(f"load {vector(dtype, count)}, ptr {place}, align {align}")
        return Traced(self.code, name, dtype, (count,))

    def _polled(self, weight: int) -> None:
        self.code.declare(access.POLLED)
        self.code.line(f"call void @polled(ptr %ctx, i64 {weight})")

    def _load(self, site: Site) -> None:
        elements = site.vector(site.operands[0])
        home, dtype, address, mask, guard = self._access(site, site.operands[1])
        bits, count = 8 * dtype.itemsize, len(elements)
        kind = "n" if site.slots()["nc"] and home == "arena" else "r"
        function = access.declare(self.code, home, bits, count, kind, self.guard)
        self.code.line(f"call void @{function}(ptr %ctx, ptr {self.cache()}, {address.typed}, i32 {mask}, ptr %out)")
        if site.slots()["sem"].startswith(POLLS):
            self._polled(access.NEAR if home == "shared" else access.LOOK)
        values: list[Traced] = []
        for number in range(count):
            values.append(self.left(WORDS[bits], LANES * dtype.itemsize * number).view(dtype))
        for operand, value in zip(elements, values, strict=True):
            self.put(site, site.slots()["type"], operand, value, guard)

    def _load_matrix(self, site: Site) -> None:
        """The rows that lanes point to, then their elements where the layout has them."""
        slots = site.slots()
        home, address = self.address(site, site.operands[1], slots["ss"])
        found, places = layout(site)
        if home != "shared" or slots["src_fmt"] or (site.instruction.guard is not None and not is_gated(site.opcode)):
            raise NotTraced("rows elsewhere, or of narrow elements")
        count = found.matrices * found.rows
        function = access.declare(self.code, "shared", 32, 4, "m", self.guard)
        mask = (1 << count) - 1
        self.code.line(f"call void @{function}(ptr %ctx, ptr {self.cache()}, {address.typed}, i32 {mask}, ptr %out)")
        parts = 4 // (found.bits // 8)
        loaded = self.left(WORDS[32], count=4 * LANES).view(WORDS[found.bits])
        row, element = np.divmod(places.reshape(-1), 4 * parts)
        chosen = loaded[((element // parts) * LANES + row) * parts + element % parts].view(WORDS[32])
        for number, operand in enumerate(site.vector(site.operands[0])):
            self.put(site, "b32", operand, chosen[LANES * number : LANES * (number + 1)], None)

    def _store(self, site: Site) -> None:
        type_ = site.slots()["type"]
        elements = site.vector(site.operands[1])
        home, dtype, address, mask, _ = self._access(site, site.operands[0])
        bits = 8 * dtype.itemsize
        function = access.declare(self.code, home, bits, len(elements), "w", self.guard)
        values: list[str] = []
        for operand in elements:
            value = self.source(site, type_, operand)
            if not isinstance(value, Traced):
                value = self.lanes().lift(value, np.asarray(value).dtype, (LANES,))
            words = value.astype(dtype) if value.itemsize != dtype.itemsize else value
            values.append(words.view(WORDS[bits]).typed)
        self.code.line(
            f"call void @{function}(ptr %ctx, ptr {self.cache()}, {address.typed}, i32 {mask}, {', '.join(values)})"
        )
