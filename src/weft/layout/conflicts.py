"""How many wavefronts an access of a warp to shared memory takes.

Shared memory has 32 banks, consecutive 32-bit words lie in consecutive banks, and one wavefront reads or writes one
word of each bank.  An access of up to 4 bytes a lane is one phase of 32 lanes; of 8 bytes, two phases of 16 lanes; of
16 bytes, four of 8 lanes; a matrix copy has a phase of eight rows of 16 bytes for each matrix.  In a phase, lanes that
want the same word share it, and different words of one bank take a wavefront each.

Sources: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and up (banks, words, broadcast);
NVIDIA's GTC 2019 session S9593 (phases of wide accesses).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.errors import LayoutError

if TYPE_CHECKING:
    from weft.layout.access import Access
    from weft.layout.iters import Integers

BANKS = 32
WORD = 4
"""Bytes of a word: what a bank gives in a wavefront."""


@dataclass(frozen=True)
class Phase:
    """What happens to some lanes of an access together: for each bank, its words, and for each word, the lanes."""

    lanes: tuple[int, ...]
    banks: dict[int, dict[int, tuple[int, ...]]]

    @property
    def wavefronts(self) -> int:
        """How often the phase goes to memory: the most words that one bank has to give."""
        return max((len(words) for words in self.banks.values()), default=0)

    @property
    def conflicts(self) -> dict[int, dict[int, tuple[int, ...]]]:
        """The banks that have to give several words, with their words and the lanes of each."""
        return {bank: words for bank, words in self.banks.items() if len(words) > 1}


@dataclass(frozen=True)
class BankReport:
    """The phases of one access; empty phases are left out."""

    phases: tuple[Phase, ...]

    @property
    def wavefronts(self) -> int:
        """Wavefronts of all phases."""
        return sum(phase.wavefronts for phase in self.phases)

    @property
    def ideal(self) -> int:
        """Wavefronts without any conflict: one a phase."""
        return len(self.phases)

    @property
    def conflicts(self) -> int:
        """Wavefronts too many."""
        return self.wavefronts - self.ideal

    @property
    def degree(self) -> int:
        """The most wavefronts of a phase: a conflict of so many ways, 1 for none."""
        return max((phase.wavefronts for phase in self.phases), default=0)

    def __str__(self) -> str:
        ways = f"{self.degree}-way conflicts" if self.conflicts else "no conflicts"
        return f"{_counted(self.wavefronts, 'wavefront')} in {_counted(self.ideal, 'phase')}: {ways}"


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


# -- counting ---------------------------------------------------------------------------------------------------------


def wavefronts(access: Access) -> Integers:
    """The wavefronts of each instruction."""
    return _of_phases(access).sum(axis=1)


def worst(access: Access) -> tuple[int, Access]:
    """The first of the instructions with the most wavefronts, and its number."""
    number = int(wavefronts(access).argmax())
    return number, list(access)[number]


def conflicts(access: Access) -> Integers:
    """The wavefronts of each instruction beyond one a phase: 0 for an access without bank conflicts."""
    return np.maximum(_of_phases(access) - 1, 0).sum(axis=1)


def _of_phases(access: Access) -> Integers:
    """Wavefronts of each phase, none where no lane takes part: instructions by phases."""
    words = access.addresses[..., None] // WORD + np.arange(max(1, access.width // WORD))
    active = np.broadcast_to(access.active[..., None], words.shape)
    words = np.where(active, words, -1).reshape(-1, access.phase_lanes * words.shape[-1])
    words.sort(axis=1)
    fresh = np.ones(words.shape, np.bool_)
    fresh[:, 1:] = words[:, 1:] != words[:, :-1]
    phase, at = np.nonzero(fresh & (words >= 0))
    # Lanes that read one word are served together: distinct words count, not lanes.
    banks = np.bincount(phase * BANKS + words[phase, at] % BANKS, minlength=len(words) * BANKS)
    return banks.reshape(len(access), -1, BANKS).max(axis=2)


def report(access: Access) -> BankReport:
    """What one instruction does, phase by phase; raises LayoutError for several."""
    if len(access) != 1:
        raise LayoutError(f"expected one instruction, got {len(access)}")
    lanes = access.phase_lanes
    phases: list[Phase] = []
    for first in range(0, access.addresses.shape[1], lanes):
        taking = [lane for lane in range(first, first + lanes) if access.active[0, lane]]
        banks: dict[int, dict[int, tuple[int, ...]]] = {}
        for lane in taking:
            start = int(access.addresses[0, lane]) // WORD
            for word in range(start, start + max(1, access.width // WORD)):
                holders = banks.setdefault(word % BANKS, {})
                holders[word] = (*holders.get(word, ()), lane)
        if taking:
            phases.append(Phase(tuple(taking), dict(sorted(banks.items()))))
    return BankReport(tuple(phases))


@dataclass(frozen=True)
class Totals:
    """The counts of several instructions together; `degree` is that of the worst phase."""

    instructions: int
    phases: int
    wavefronts: int
    degree: int

    @property
    def conflicts(self) -> int:
        """Wavefronts beyond one a phase."""
        return self.wavefronts - self.phases

    def __str__(self) -> str:
        ways = f"{self.conflicts} too many, up to {self.degree}-way conflicts" if self.conflicts else "no conflicts"
        counts = (self.instructions, "instruction"), (self.phases, "phase"), (self.wavefronts, "wavefront")
        return f"{', '.join(_counted(*count) for count in counts)}: {ways}"


def totals(access: Access) -> Totals:
    """The counts of all instructions of an access."""
    each = _of_phases(access)
    return Totals(len(access), int(np.count_nonzero(each)), int(each.sum()), int(each.max(initial=0)))
