"""Compiled blocks of a machine: attaches them, and says where the lanes that ran them go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Register
from weft.sim.block import Block
from weft.sim.engines import Unlike
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.native.context import CONTEXT
from weft.sim.native.jit import function_of
from weft.sim.native.region import Region, members_of, region_of
from weft.sim.native.traced import loop_of

if TYPE_CHECKING:
    from weft.sim.machine import Machine
    from weft.sim.program import Activation


_STORED = slice(CONTEXT["arena_stored"], CONTEXT["local_stored"] + 1)
_TRAFFIC = slice(CONTEXT["arena_stored"], CONTEXT["local_loaded"] + 1)


class Native:
    """The compiled code of a machine, one function for each activation."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.where: Array = np.zeros(machine.batch.lanes, np.int32)
        self.functions: list[Compiled] = []
        self._running = False

    def attach(self, activation: Activation) -> None:
        """Compile an activation."""
        region = region_of(activation)
        if region is not None:
            self.functions.append(Compiled(self, region))
        if self._running:  # Local memory may have moved.
            self.begin()

    def begin(self) -> None:
        """A batch begins: memory lies where it lies now."""
        self._running = True
        for function in self.functions:
            function.begin()

    def settle(self) -> None:
        """Count what has been executed."""
        for function in self.functions:
            function.settle()


class Compiled:
    """The function of an activation with its context."""

    def __init__(self, native: Native, region: Region) -> None:
        self.native = native
        self.region = region
        self.function = function_of(region.text)
        self.context: Array = np.zeros(len(CONTEXT), np.int64)
        self._where = native.where
        self.counts: Array = np.zeros(len(region.blocks), np.int64)
        self._caches: Array = np.zeros(2 * region.caches + 2, np.int64)
        self._symbols: Array = np.array([*region.symbols, 0], np.int64)
        self._frame, self._scratch = _aligned(region.frame), _aligned(region.scratch)
        self._rows: Array = np.array([_address(row) for row in region.rows] + [0], np.int64)
        loops = [loop_of(getattr(np, name), tuple(np.dtype(c) for c in types)) for name, types in region.loops]
        self._loops: Array = np.array([*loops, (0, 0)], np.int64)
        self._regions: Array = np.zeros(3, np.int64)
        self._pointer = self.context.ctypes.data
        for name, array in (
            *(("where", self._where), ("counts", self.counts), ("caches", self._caches), ("symbols", self._symbols)),
            *(("frame", self._frame), ("scratch", self._scratch), ("rows", self._rows), ("loops", self._loops)),
        ):
            self._put(name, _address(array))
        for number, block in enumerate(region.blocks):
            if block in region.native and (block.gate is None or not isinstance(members_of(block.gate.site), Register)):
                block.code = self._entry(number, block)

    def _put(self, name: str, value: int) -> None:
        self.context[CONTEXT[name]] = value

    def begin(self) -> None:
        """Look up where memory lies."""
        machine = self.native.machine
        arena, shared, local = machine.memory.arena, machine.memory.shared, machine.memory.local
        starts, ends, writable = arena.table()
        self._regions = np.ascontiguousarray(np.stack([starts, ends, writable.astype(np.int64)], axis=1))
        self._caches[:] = -1
        self._caches[0::2] = 1 << 62  # No address is in the empty region here.
        self._caches[1::2] = 0
        words = {
            "arena_delta": _address(arena.bytes) - arena.base,
            "regions": _address(self._regions),
            "region_count": len(starts),
            "ctas": machine.batch.ctas,
            "fault": 0,
        }
        for name, space in (("shared", shared), ("local", local)):
            words |= {name: _address(space.bytes), f"{name}_size": space.size, f"{name}_stride": space.stride}
        for name, value in words.items():
            self._put(name, value)

    def settle(self) -> None:
        """Hand the counts of lanes to the blocks."""
        memory = self.native.machine.memory
        for name, space in (("arena", memory.arena), ("shared", memory.shared), ("local", memory.local)):
            space.loaded += int(self.context[CONTEXT[f"{name}_loaded"]])
            space.stored += int(self.context[CONTEXT[f"{name}_stored"]])
        self.context[_TRAFFIC] = 0
        for block, count in zip(self.region.blocks, self.counts.tolist(), strict=True):
            block.lanes_run += count
        self.counts[:] = 0

    def _entry(self, number: int, block: Block) -> Any:
        native, machine = self.native, self.native.machine
        context, call, pointer = self.context, self.function.call, self._pointer
        first, mixed = CONTEXT["first"], CONTEXT["mixed"]

        def run(lanes: Lanes) -> tuple[Block, Lanes] | None:
            context[first], context[mixed] = -1, 0
            stored = context[_STORED].sum()
            masks = None if lanes.mask is None else np.packbits(lanes.mask, bitorder="little")
            failed = call(
                pointer, number, lanes.lo // WARP, lanes.hi // WARP, None if masks is None else masks.ctypes.data
            )
            if failed:
                raise Unlike("a fault in compiled code")
            if stored != context[_STORED].sum():
                machine.changes += 1
            if not context[mixed]:
                return self._leave(int(context[first]), lanes)
            where = native.where[lanes.lo : lanes.hi]
            for exit_ in np.unique(where if lanes.mask is None else where[lanes.mask]).tolist():
                chosen = where == exit_ if lanes.mask is None else (where == exit_) & lanes.mask
                part = Lanes.where(chosen, lanes.lo, machine.batch.role)
                assert part is not None
                going = self._leave(exit_, part)
                if going is not None:
                    machine.enqueue(*going)
            return None

        return run

    def _leave(self, exit_: int, lanes: Lanes) -> tuple[Block, Lanes] | None:
        """Where lanes go on that have left by an exit: at a block, at the end of one, or at one later."""
        blocks = self.region.blocks
        way, number = divmod(exit_, len(blocks))
        if way == 0:
            return blocks[number], lanes
        if way == 1:
            return blocks[number].end(lanes)
        self.native.machine.tire(blocks[number], lanes)
        return None


def _address(array: Array) -> int:
    return int(array.__array_interface__["data"][0])


def _aligned(size: int) -> Array:
    """So many bytes at a multiple of 64."""
    whole = np.zeros(size + 128, np.uint8)
    start = -_address(whole) % 64
    return whole[start : start + size + 64]
