"""Occupancy: how many blocks of a kernel a multiprocessor holds at once, and what keeps it from holding more.

The rules are those of the CUDA occupancy calculator; sizes per target those of the CUDA programming guide.
"""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.errors import WeftError
from weft.isa.target import target as find_target

REGISTERS = 65_536
PARTITIONS = 4
_REGISTER_UNIT = 256
MOST_REGISTERS = 255
MOST_THREADS = 1024


@dataclass(frozen=True, slots=True)
class Multiprocessor:
    """What one multiprocessor has: threads, blocks, shared memory in bytes, barriers by name (None: no limit).

    `reserved` are the bytes of shared memory that each block takes for the system, `unit` those it is rounded up to.
    """

    threads: int
    blocks: int
    shared: int
    reserved: int
    barriers: int | None
    unit: int = 128

    @property
    def warps(self) -> int:
        """The warps that it holds at most."""
        return self.threads // 32

    @property
    def shared_per_block(self) -> int:
        """The bytes of shared memory that one block can have."""
        return self.shared - self.reserved


def _sm(threads: int, blocks: int, kilobytes: int, barriers: int | None = None) -> Multiprocessor:
    return Multiprocessor(threads, blocks, kilobytes * 1024, 1024, barriers)


MULTIPROCESSORS = {
    75: Multiprocessor(1024, 16, 65_536, reserved=0, barriers=None, unit=256),
    80: _sm(2048, 32, 164),
    86: _sm(1536, 16, 100),
    87: _sm(1536, 16, 164),
    89: _sm(1536, 24, 100),
    90: _sm(2048, 32, 228, barriers=64),
    100: _sm(2048, 32, 228, barriers=64),
    103: _sm(2048, 32, 228, barriers=32),
    120: _sm(1536, 24, 100, barriers=24),
    121: _sm(1536, 24, 100, barriers=24),
}
"""By the number of the target."""


@dataclass(frozen=True, slots=True)
class Occupancy:
    """The answer for one kernel: `blocks` and `warps` that a multiprocessor of `most_warps` holds.

    `limits` says how many blocks each resource would allow (`warps`, `blocks`, `registers`, `shared memory`,
    `barriers`), `limited_by` names those that allow no more than there are.
    """

    blocks: int
    warps: int
    most_warps: int
    limits: dict[str, int]

    @property
    def fraction(self) -> float:
        """The part of the warps that is used."""
        return self.warps / self.most_warps

    @property
    def limited_by(self) -> tuple[str, ...]:
        """The resources that keep another block out."""
        return tuple(name for name, blocks in self.limits.items() if blocks == self.blocks)


def multiprocessor(target: str) -> Multiprocessor:
    """The multiprocessor of a target. Raises `WeftError` for one whose sizes are not known."""
    number = find_target(target).number
    found = MULTIPROCESSORS.get(number)
    if found is None:
        known = ", ".join(f"sm_{one}" for one in MULTIPROCESSORS)
        raise WeftError(f"the multiprocessor limits of {target} are unknown", hint=f"known are {known}")
    return found


def occupancy(target: str, threads: int, registers: int, shared: int = 0, barriers: int = 0) -> Occupancy:
    """How many blocks of `threads` a multiprocessor of `target` holds.

    `registers` are a thread's, `shared` the bytes of shared memory of a block, static and dynamic, `barriers` the named
    barriers that it uses. Raises `WeftError` when the target is not known, or for a size that no block can have.
    """
    sm = multiprocessor(target)
    if not 0 < threads <= MOST_THREADS:
        raise WeftError(f"{threads} threads: a block must have 1 to {MOST_THREADS}")
    if not 0 <= registers <= MOST_REGISTERS:
        raise WeftError(f"{registers} registers: a thread has at most {MOST_REGISTERS}")
    if not 0 <= shared <= sm.shared_per_block or barriers < 0:
        raise WeftError(f"{shared} bytes of shared memory: a block of {target} has at most {sm.shared_per_block}")
    warps = -(-threads // 32)
    limits = {
        "blocks": sm.blocks,
        "warps": sm.warps // warps,
        "registers": _by_registers(registers, warps, sm.blocks),
        "shared memory": _by_shared(sm, shared),
    }
    if sm.barriers is not None and barriers:
        limits["barriers"] = sm.barriers // barriers
    blocks = min(limits.values())
    return Occupancy(blocks, blocks * warps, sm.warps, limits)


def _by_registers(registers: int, warps: int, most: int) -> int:
    if not registers:
        return most
    warp = _up(registers * 32, _REGISTER_UNIT)
    if warp * _up(warps, PARTITIONS) > REGISTERS:
        return 0
    return REGISTERS // PARTITIONS // warp * PARTITIONS // warps


def _by_shared(sm: Multiprocessor, shared: int) -> int:
    taken = _up(shared + sm.reserved, sm.unit)
    return sm.shared // taken if taken else sm.blocks


def _up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


def registers_for(target: str, threads: int, shared: int, blocks: int) -> int | None:
    """The most registers a thread may have for `blocks` blocks to fit; None when something else keeps them out."""
    for registers in range(MOST_REGISTERS, 0, -1):
        if occupancy(target, threads, registers, shared).blocks >= blocks:
            return registers
    return None
