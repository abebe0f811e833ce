"""What strict runs of compiled code keep: stamps of warps, cells of memory, and which buffers the kernel may store to.

Such a run does not tell what is wrong, only that something may be (`Unlike`): then the NumPy tier runs the kernel.  So
cells may be too suspicious, never too trusting; kernels whose order has other sources than barriers are not run so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Integer, Symbol
from weft.sim import semantics
from weft.sim.earlier import Touched
from weft.sim.faults import Unlike
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.native import access, atomics, cells, clocks, copies, emit, mbarriers
from weft.sim.stores import narrowest, stored_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.ptx.ast import Instruction
    from weft.sim.batch import Launch
    from weft.sim.block import Block
    from weft.sim.machine import Machine
    from weft.sim.program import Program

MEMORY = frozenset({"ld", "ldu", "st", "ldmatrix"}) | atomics.STEMS
"""Instructions that access memory, which only compiled code may run."""
_QUIET = frozenset({"mov", "shfl", "vote", "match", "redux", "elect.sync", "activemask", "bar.warp.sync", "mma"})
_APART = emit.HINTS | {"griddepcontrol", "nanosleep", "pmevent", "createpolicy"}
"""What accesses nothing that cells know of: memory of an earlier grid is NumPy's to check."""
_ENDS = frozenset({"bra", "ret", "exit", "trap", "bar", "barrier", "brx.idx"})
_MOST_CTAS = (1 << 23) - 1
_LAST = "__assertfail"
"""What may be called besides functions of the module: no thread goes on behind it, and the run is NumPy's then."""


def fits(program: Program, launch: Launch) -> bool:
    """Whether strict runs of a kernel may be compiled: barriers alone order its accesses, which are plain ones."""
    if program.arena.shadow is not None or launch.ctas >= _MOST_CTAS or launch.cluster_ctas > 1:
        return False
    return program.once(_are_plain)


def _are_plain(program: Program) -> bool:
    semantics.load_all()
    if mbarriers.used(program) and not mbarriers.plain(program):
        return False
    return atomics.alike(program) and all(_is_plain(one, program) for one in program.instructions())


def _ends(instruction: Instruction) -> bool:
    """Whether a call is one to `_LAST`."""
    return any(isinstance(one, Symbol) and one.name == _LAST for one in instruction.operands)


def _is_plain(instruction: Instruction, program: Program) -> bool:
    opcode, stem = instruction.opcode, instruction.opcode.stem
    if stem in atomics.STEMS:
        return True
    if stem in MEMORY:
        return opcode.get("sem") in ("", "weak", "volatile") and "cluster" not in opcode.get("ss")
    if stem in mbarriers.STEMS or stem == mbarriers.WAIT:
        return True
    if stem == "call":
        called = (one.name for one in instruction.operands if isinstance(one, Symbol))
        return any(name == _LAST or name in program.functions for name in called)
    if stem in ("bar", "barrier"):
        action = opcode.get("action")
        return action != "arrive" and isinstance(instruction.operands[action == "red"], Integer)
    return stem in semantics.ALU or stem in _QUIET | _APART or stem in _ENDS or stem in copies.STEMS


class Guard:
    """The stamps and cells of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        program, batch = machine.program, machine.batch
        near = narrowest(program, shared=True)
        for start, end, _ in program.shared_ends:
            near = min(near, start & -start, end & -end)
        updates = any(one.stem in atomics.STEMS for one in program.opcodes)
        clocked = mbarriers.used(program)
        self.layout = access.Guard(narrowest(program).bit_length() - 1, near.bit_length() - 1, updates, clocked)
        self._clocks: Array = np.zeros((batch.ctas if clocked else 0, clocks.SIZE), np.uint32)
        warps = batch.lanes // WARP
        self.stamps: Array = np.zeros((warps, 2), np.int64)
        self._passed: Array = np.zeros(warps, np.int64)
        self._thread: Array = np.zeros(warps, np.int64)
        self._role: Array = np.arange(warps) // batch.ctas
        self.far: list[Array] = []
        self.near: list[Array] = []
        self.watched: Array
        self._launch: int
        self._known: Array
        self._variables: int
        self._fresh = True

    @property
    def nbytes(self) -> int:
        """The bytes of the cells."""
        return sum(table.nbytes for table in (*self.far, *self.near))

    def restart(self) -> None:
        """A new launch begins."""
        self._fresh = True

    def begin(self) -> None:
        """A batch begins."""
        machine, shared = self.machine, self.machine.memory.shared
        batch, arena = machine.batch, machine.memory.arena
        if self._fresh:
            self._fresh = False
            self.watched = np.zeros(len(arena.regions), np.int64)
            for number in stored_numbers(machine.program, machine.parameters):
                self.watched[number] = arena.regions[number].watched
            shift = self.layout.arena
            extent = arena.extent + (WARP << shift)
            self.far, self._launch = arena.far.take(shift, 2 + self.layout.updates, extent)
        size = shared.stride >> self.layout.shared
        if not self.near or self.near[0].shape[1] != size:
            self.near = [np.zeros((shared.parts, size), np.uint32) for _ in range(2 + self.layout.updates)]
        for table in self.near:
            table.fill(0)
        for start, end, _ in machine.program.shared_ends:
            self.near[0][:, start >> self.layout.shared : end >> self.layout.shared] = cells.GAP
        self._passed[:] = 0
        self._clocks.fill(0)
        self._known = np.zeros((machine.memory.local.parts, 0), np.uint8)
        self._variables = 0
        self._thread[:] = batch.grid_cta[::WARP] << 10 | self._role * WARP | self._launch << cells.LAUNCH
        self._stamp(slice(None))

    def look(self) -> None:
        """Local memory may have grown: nothing is written in what new variables have there."""
        local, variables, old = self.machine.memory.local, self.machine.variables, self._known
        if not self.machine.local_size or (old.shape[1] == local.stride and self._variables == len(variables)):
            return
        self._known = np.ones((local.parts, local.stride), np.uint8)
        self._known[:, : old.shape[1]] = old
        for start, end in variables[self._variables :]:
            self._known[:, start:end] = 0
        self._variables = len(variables)

    def words(self) -> dict[str, int]:
        """What code needs to know."""
        base = self.machine.memory.arena.base >> self.layout.arena << 3
        words = {"stamps": self.stamps.ctypes.data, "near_stride": self.near[0].strides[0]}
        local = self.machine.memory.local
        words["local_known"] = self._known.ctypes.data - local.bytes.ctypes.data
        words["local_size"] = local.size if self.machine.local_size else 0
        words |= {"passed": self._passed.ctypes.data, "clocks": self._clocks.ctypes.data}
        for name, far, near in zip(("written", "read", "changed"), self.far, self.near, strict=False):
            words |= {f"arena_{name}": far.ctypes.data - base, f"near_{name}": near.ctypes.data}
        return words

    def touched(self, name: str, lives: Callable[[Array], Array]) -> list[Touched]:
        """What the grid that has just run has done to memory."""
        mask, value, read = 0xFF << cells.LAUNCH, self._launch << cells.LAUNCH, self.far[1]
        return [
            Touched(name, written, read, self.layout.arena, lives, mask=mask, value=value)
            for written in (self.far[0], *self.far[2:])
        ]

    def _stamp(self, warps: slice | Array) -> None:
        for number, bits in enumerate((64, 32)):
            layout = (cells.CLOCKED if self.layout.clocked else cells.LAYOUTS)[bits]
            thread = self._thread[warps] if bits == 64 else self._role[warps] * WARP
            passed = self._passed[warps] & ((1 << layout.state - layout.passed) - 1)
            self.stamps[warps, number] = 1 << layout.state | passed << layout.passed | thread

    def barrier(self, lanes: Array) -> None:
        """All threads of some CTAs, those of `lanes`, have met; but not where some have ended before."""
        if self.layout.clocked:
            raise Unlike("a barrier outside compiled code, where clocks are read")
        machine, batch = self.machine, self.machine.batch
        ctas: Array = np.zeros(batch.ctas, np.bool_)
        ctas[batch.cta[lanes]] = True
        if machine.exits.any:
            alive = machine.alive.reshape(-1, batch.ctas, WARP).sum(axis=(0, 2))
            ctas &= alive == machine.launch.threads
        warps = np.flatnonzero(ctas[np.arange(len(self._role)) % batch.ctas])
        self._passed[warps] += 1
        self._stamp(warps)


def shut(blocks: list[Block], stems: set[str]) -> bool:
    """Let only compiled code run instructions of some stems; whether that cannot be, since some are not compiled."""
    always = False
    for block in blocks:
        for number, site in zip(block.starts, block.sites, strict=False):
            if site.opcode.stem in stems - {"call"} and not site.opcode.get("ss").startswith("param"):
                block.steps[number] = _refuse
                always = always or block.code is None
        if "call" in stems and block.sites and _ends(block.sites[-1].instruction):
            block.end = _refuse
    return always


def _refuse(lanes: Lanes) -> Any:
    raise Unlike("memory is accessed by a part of a warp outside compiled code, or something is called")
