"""Compiled blocks of a machine: attaches them, and says where the lanes that ran them go on."""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Symbol
from weft.sim.block import Block
from weft.sim.engines import pool, threads
from weft.sim.faults import Unlike
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.native import copies, mbarriers
from weft.sim.native.access import CACHE
from weft.sim.native.context import CONTEXT
from weft.sim.native.guard import MEMORY, Guard, shut
from weft.sim.native.jit import Function
from weft.sim.native.kept import code_of
from weft.sim.native.region import Recipe, named
from weft.sim.native.traced import loop_of
from weft.sim.native.turns import HURRY, PATIENCE
from weft.sim.stores import stores_anywhere

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Activation


_LINE = 64
SHARE = 64
"""Warps that are worth a thread."""
_ANEW = ("mixed", "phases", "arrivals", "steps", "polled", "works")
"""What is counted in each call of a function."""
_STORED = slice(CONTEXT["unchanged"], CONTEXT["local_stored"] + 1)
_TRAFFIC = slice(CONTEXT["unchanged"], CONTEXT["local_loaded"] + 1)


class Native:
    """The compiled code of a machine, one function for each activation.

    Strict runs have a `guard`; `unfit` says that they cannot be run so.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.guard = Guard(machine) if machine.strict else None
        self.unfit = False
        self.copies = _ring(machine) if copies.compiled(machine.program) else None
        self.shut = set[str](MEMORY | mbarriers.STEMS | {"call"} if machine.strict else ())
        if self.copies is not None:
            self.shut |= copies.STEMS
        self.where: Array = np.zeros(machine.batch.lanes, np.int32)
        self.functions: list[Compiled] = []
        self.threads = threads() if self.guard is None else 1  # Cells are not shared between threads.
        self._tells = not any(map(stores_anywhere, machine.program.instructions()))
        self._running = self._open = False
        self._counted = 0
        self._touched = set[int]()

    def restart(self) -> None:
        """Another launch begins."""
        self._counted = 0
        self._touched.clear()
        for function in self.functions:
            function.restart()
        if self.guard is not None:
            self.guard.restart()

    def attach(self, activation: Activation) -> None:
        """Compile an activation."""
        recipe, function, blocks = code_of(activation)
        if function is not None:
            self.functions.append(Compiled(self, activation, recipe, function, blocks))
        self.unfit = shut(blocks, self.shut) or self.unfit
        if self._running:  # Local memory may have moved.
            self._look()

    def begin(self) -> None:
        """A batch begins: memory lies where it lies now."""
        self._running = self._open = True
        if self.guard is not None:
            self.guard.begin()
        if self.copies is not None:
            self.copies[:, : copies.HEAD] = 0
        self._look()

    def _look(self) -> None:
        """Look up where memory lies."""
        if self.guard is not None:
            self.guard.look()
        for function in self.functions:
            function.begin()

    def settle(self) -> None:
        """A batch has ended well: count what has been executed."""
        self._open = False
        for function in self.functions:
            self._counted += function.settle()
            self._touched |= function.touched()

    def untouched(self) -> frozenset[int]:
        """Where the regions start that the launch has not stored to, so far as that is known."""
        arena = self.machine.memory.arena
        if self._open or not self._tells or arena.stored != self._counted:
            return frozenset()
        return frozenset(region.start for region in arena.regions) - self._touched


class Context:
    """What a thread of this process runs a function with: its words, the frame of its warp, and its counts."""

    def __init__(self, recipe: Recipe, shared: dict[str, Array], warps: int) -> None:
        self.words: Array = np.zeros(len(CONTEXT), np.int64)
        self.counts: Array = np.zeros(len(recipe.cuts), np.int64)
        self.caches: Array = np.zeros(CACHE * recipe.caches, np.int64)
        self.frame, self.scratch = _aligned(recipe.frame * warps), _aligned(recipe.scratch)
        self.pointer = self.words.ctypes.data
        own = {"counts": self.counts, "caches": self.caches, "frames": self.frame, "scratch": self.scratch}
        self.put({name: _address(array) for name, array in {**shared, **own}.items()})

    def put(self, words: dict[str, int]) -> None:
        """Set some of the words."""
        for name, value in words.items():
            self.words[CONTEXT[name]] = value

    def begin(self, words: dict[str, int]) -> None:
        """Memory lies where these words say."""
        self.put(words)
        self.caches[:] = 0
        self.caches[::CACHE] = 1 << 62  # No address is in the empty region here.


class Compiled:
    """The function of an activation, and what it runs with."""

    def __init__(
        self, native: Native, activation: Activation, recipe: Recipe, function: Function, blocks: list[Block]
    ) -> None:
        self.native = native
        self.blocks = blocks
        self.function = function
        rows, sites, batch = list(activation.rows()), activation.sites, native.machine.batch
        registers = [batch.special(key) if isinstance(key, str) else rows[key].array for key in recipe.rows]
        loops = [loop_of(getattr(np, name), tuple(np.dtype(c) for c in types)) for name, types in recipe.loops]
        symbols = [sites[number].address_of(Symbol(name, offset)) for number, name, offset in recipe.symbols]
        self._shared: dict[str, Array] = {
            "where": native.where,
            "symbols": np.array(symbols, np.int64),
            "rows": np.array([_address(row) for row in registers if row is not None], np.int64),
            "loops": np.array(loops, np.int64),
        }
        self._regions: Array
        self._gaps: Array
        self._places: tuple[Any, ...] = ()
        self.contexts = [Context(recipe, self._shared, native.machine.launch.warps) for _ in range(native.threads)]
        for number in recipe.native:
            block = blocks[number]
            if not named(block) and not mbarriers.waits(block):  # NumPy lets lanes sleep.
                block.code = partial(self._run, number)

    def begin(self) -> None:
        """Look up where memory lies, unless it lies where it did for the last batch of a launch."""
        machine = self.native.machine
        arena, shared, local = machine.memory.arena, machine.memory.shared, machine.memory.local
        places: tuple[Any, ...] = arena.bytes, shared.bytes, local.bytes, local.gaps
        if self.native.guard is None and len(self._places) and all(map(operator.is_, places, self._places)):
            return
        self._places = places
        starts, ends, writable, _ = arena.table()
        guard = self.native.guard
        watched = np.zeros(len(starts), np.int64) if guard is None else guard.watched
        writable = writable & (watched != 0) if guard is not None else writable
        self._regions = np.ascontiguousarray(np.stack([starts, ends, writable.astype(np.int64), watched], axis=1))
        self._gaps = np.array([(start, end) for start, end, _ in local.gaps], np.int64)
        words = {
            "gaps": _address(self._gaps),
            "gap_count": len(local.gaps),
            "arena_delta": _address(arena.bytes) - arena.base,
            "regions": _address(self._regions),
            "region_count": len(starts),
            "ctas": machine.batch.ctas,
            "fault": 0,
            "copies": 0 if self.native.copies is None else _address(self.native.copies),
            "last_role": machine.launch.warps - 1,
            "tail": (1 << machine.launch.threads - WARP * (machine.launch.warps - 1)) - 1,
        }
        for name, space in (("shared", shared), ("local", local)):
            words |= {name: _address(space.bytes), f"{name}_size": space.size, f"{name}_stride": space.stride}
        words |= guard.words() if guard is not None else {}
        for context in self.contexts:
            context.begin(words)

    def restart(self) -> None:
        """Another launch begins."""
        self._places = ()

    def touched(self) -> set[int]:
        """Where the regions start that it has stored to."""
        return set(self._regions[self._regions[:, 2] > 1, 0].tolist())

    def settle(self) -> int:
        """Hand the counts of lanes to the blocks; the bytes stored to global memory."""
        memory, stored = self.native.machine.memory, 0
        for context in self.contexts:
            stored += int(context.words[CONTEXT["arena_stored"]])
            for name, space in (("arena", memory.arena), ("shared", memory.shared), ("local", memory.local)):
                space.loaded += int(context.words[CONTEXT[f"{name}_loaded"]])
                space.stored += int(context.words[CONTEXT[f"{name}_stored"]])
            context.words[_TRAFFIC] = 0
            for block, count in zip(self.blocks, context.counts.tolist(), strict=True):
                block.lanes_run += count
            context.counts[:] = 0
        return stored

    def _run(self, number: int, lanes: Lanes) -> tuple[Block, Lanes] | None:
        """Run lanes from a block on."""
        native, machine = self.native, self.native.machine
        machine.products.give_back(machine.products.resting)
        role = machine.batch.role
        masks = None if lanes.mask is None else np.packbits(lanes.mask, bitorder="little")
        roles = (lanes.hi - lanes.lo) // role
        self._call(number, lanes.lo // role, roles, 0 if masks is None else masks.ctypes.data)
        where = native.where[lanes.lo : lanes.hi]
        exits = where if lanes.mask is None else where[lanes.mask]
        if (exits == exits[0]).all():
            return self._leave(int(exits[0]), lanes)
        for each, part in lanes.groups(exits, role):
            going = self._leave(each, part)
            if going is not None:
                machine.enqueue(*going)
        return None

    def _call(self, number: int, role: int, roles: int, masks: int) -> None:
        """Run some warps of each CTA, shared out to threads where there are many.

        Raises Unlike when something faults.
        """
        machine = self.native.machine
        launch, ctas = machine.launch, machine.batch.ctas
        count = min(len(self.contexts), ctas * roles // SHARE, ctas) or 1
        bounds = [ctas * part // count for part in range(count + 1)]
        contexts = self.contexts[:count]
        stored = sum(int(context.words[_STORED].sum()) for context in contexts)
        whole = int(roles == launch.warps)
        patience = HURRY if machine.budget.limited or machine.program.order_matters else PATIENCE
        turn = {
            "first": -1,
            "patience": patience,
            "role": role,
            "roles": roles,
            "whole": whole,
            **dict.fromkeys(_ANEW, 0),
        }
        for context in contexts:
            context.put(turn)

        def one(part: int) -> int:
            return self.function.call(contexts[part].pointer, number, bounds[part], bounds[part + 1], masks or None)

        failed = one(0) if count == 1 else max(pool(len(self.contexts)).map(one, range(count)))
        if failed:
            raise Unlike("a fault in compiled code")
        machine.phases += sum(int(context.words[CONTEXT["phases"]]) for context in contexts)
        if any(int(context.words[CONTEXT["arrivals"]]) for context in contexts):
            machine.change()
        machine.steps += max(int(context.words[CONTEXT["steps"]]) for context in contexts)
        looked, works = (any(int(context.words[CONTEXT[one]]) for context in contexts) for one in ("polled", "works"))
        if looked and not works:
            machine.look()
        if stored != sum(int(context.words[_STORED].sum()) for context in contexts):
            machine.change()

    def _leave(self, exit_: int, lanes: Lanes) -> tuple[Block, Lanes] | None:
        """Where lanes go on that have left by an exit: at a block, at the end of one, or at one later."""
        blocks = self.blocks
        way, number = divmod(exit_, len(blocks))
        if way == 0:
            return blocks[number], lanes
        if way == 1:
            return blocks[number].end(lanes)
        self.native.machine.tire(blocks[number], lanes)
        return None


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _ring(machine: Machine) -> Array | None:
    """The rings of copies, one for each warp; None where nothing copies."""
    if not any(one.stem in copies.STEMS for one in machine.program.opcodes):
        return None
    warps = machine.batch.lanes // WARP
    return _aligned(warps * copies.BYTES).reshape(warps, -1)


def _aligned(size: int) -> Array:
    """So many bytes at the start of a cache line."""
    whole = np.zeros(size + _LINE, np.uint8)
    start = -_address(whole) % _LINE
    return whole[start : start + size]
