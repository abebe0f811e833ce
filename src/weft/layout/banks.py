"""Bank conflicts of shared memory: how many wavefronts an access of a warp takes, and swizzles that take the fewest.

Shared memory has 32 banks, consecutive 32-bit words lie in consecutive banks, and one wavefront reads or writes one
word of each bank.  An access of up to 4 bytes a lane is one phase of 32 lanes; of 8 bytes, two phases of 16 lanes; of
16 bytes, four of 8 lanes; a matrix copy has a phase of eight rows of 16 bytes for each matrix.  In a phase, lanes that
want the same word share it, and different words of one bank take a wavefront each.

Sources: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and up (banks, words, broadcast);
NVIDIA's GTC 2019 session S9593 (phases of wide accesses).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weft.dataclass import dataclass
from weft.errors import LayoutError
from weft.layout.axis import Scope, m
from weft.layout.notebook import drawing
from weft.layout.swizzle import Layout, SwizzleLayout
from weft.layout.tile import TileLayout

if TYPE_CHECKING:
    from weft.layout.iters import Integers

BANKS = 32
WORD = 4
"""Bytes of a word: what a bank gives in a wavefront."""
ROW = 16
"""Bytes of a row of a matrix copy."""
LANES = 32
MOST_ELEMENTS = 1 << 21
"""Elements of a tile that is looked at: shared memory has fewer bits."""


@dataclass(frozen=True, eq=False)
class Access:
    """Accesses of warps to shared memory, one instruction each.

    `addresses` are byte addresses, instructions by lanes (or one row of lanes); `width` the bytes of each lane, a power
    of two up to 16.  With `matrix`, they are the row addresses of an ldmatrix or stmatrix: 8 for each matrix.  `active`
    says which lanes take part (by default, all).  Raises LayoutError for addresses that are not multiples of the width.
    """

    addresses: Integers
    width: int
    matrix: bool = False
    store: bool = False
    active: NDArray[np.bool_] = field(default_factory=lambda: np.ones((), np.bool_))

    _repr_html_ = drawing

    def __post_init__(self) -> None:
        addresses = np.atleast_2d(np.asarray(self.addresses, np.int64))
        active = np.broadcast_to(self.active, addresses.shape)
        if self.width not in (1, 2, 4, 8, 16) or (self.matrix and self.width != ROW):
            raise LayoutError(
                f"an access cannot be {self.width} bytes wide", hint="use 1, 2, 4, 8 or 16; 16 for matrices"
            )
        lanes = addresses.shape[-1]
        if lanes != LANES and not (self.matrix and lanes in (8, 16)):
            raise LayoutError(f"{lanes} addresses for the lanes of an access")
        wrong = np.argwhere((addresses % self.width != 0) & active)
        if len(wrong):
            access, lane = (int(each) for each in wrong[0])
            raise LayoutError(
                f"address {int(addresses[access, lane])} of lane {lane} is not a multiple of its {self.width} bytes"
            )
        object.__setattr__(self, "addresses", addresses)
        object.__setattr__(self, "active", active)

    @property
    def phase_lanes(self) -> int:
        """Lanes of a phase."""
        return 8 if self.matrix else min(LANES, BANKS * WORD // self.width)

    def moved(self, swizzle: SwizzleLayout) -> Access:
        """The access with its byte addresses through a swizzle of bytes."""
        return Access(swizzle.place(self.addresses), self.width, self.matrix, self.store, self.active)

    def __iter__(self) -> Iterator[Access]:
        """The instructions, one by one."""
        for addresses, active in zip(self.addresses, self.active, strict=True):
            yield Access(addresses, self.width, self.matrix, self.store, active)

    def __len__(self) -> int:
        return len(self.addresses)


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


# -- accesses of layouts ----------------------------------------------------------------------------------------------


def _bytes_of(layout: Layout, shape: Sequence[int], bits: int) -> Integers:
    """The byte address of each element."""
    if prod(shape) > MOST_ELEMENTS or layout.span() > MOST_ELEMENTS:
        raise LayoutError(f"a tile of {prod(shape)} elements is too large for shared memory")
    places = layout.apply_all(shape)
    if set(places) != {m}:
        raise LayoutError(f"{layout} is not a layout of shared memory", hint="put its elements on axis m only")
    if bits % 8:
        raise LayoutError(f"elements of {bits} bits do not have byte addresses")
    return places[m] * (bits // 8)


def vector_accesses(
    layout: Layout, fragment: TileLayout, shape: Sequence[int], bits: int, *, width: int = 0, store: bool = False
) -> Access:
    """The accesses of threads that move a tile between shared memory and registers, each its elements in order.

    `layout` says where the elements of `shape` lie in shared memory, `fragment` which thread and register holds them.
    Without a width (in bytes), accesses are as wide as all threads' next elements are consecutive and aligned.  The
    instructions of a warp come one after another.  Raises LayoutError unless the fragment's thread axes are one when
    fused (`laneid`, `tid_in_wg` or `tx`), and for a width that cannot be.
    """
    fused = fragment.canonicalize(fuse_scopes=True)
    threads = [axis for axis in fused.axes if axis is not m]
    if len(threads) != 1 or threads[0].subscope is not Scope.THREAD:
        raise LayoutError(f"{fragment} does not map elements to threads and registers")
    address = _bytes_of(layout, shape, bits).reshape(-1)
    places = fused.apply_all((prod(shape),))
    index = np.unique(places.get(m, np.zeros(len(address), np.int64)), return_inverse=True)[1]
    thread = places[threads[0]]
    warps = int(thread.max()) // LANES + 1
    table = np.full((warps * LANES, int(index.max()) + 1), -1, np.int64)
    table[thread, index] = address
    held = np.count_nonzero(table >= 0, axis=1)
    active: NDArray[np.bool_] = held > 0
    if (held[active] != table.shape[1]).any():
        raise LayoutError(f"threads of {fragment} hold different numbers of elements")
    table[~active] = table[active][:1]
    size = bits // 8
    each = _elements_together(table, size, width)
    rows = table[:, ::each].reshape(warps, LANES, -1).transpose(0, 2, 1).reshape(-1, LANES)
    lanes = np.repeat(active.reshape(warps, LANES), len(rows) // warps, axis=0)
    return Access(rows, each * size, store=store, active=lanes)


def _elements_together(table: Integers, size: int, width: int) -> int:
    """How many of a lane's next elements one access takes: the most that all lanes can, or as the width says."""
    count = table.shape[1]
    for bytes_ in (width,) if width else (16, 8, 4, 2, 1):
        each = bytes_ // size
        if each < 1 or count % each:
            continue
        runs = table.reshape(len(table), -1, each)
        if (runs == runs[:, :, :1] + size * np.arange(each)).all() and (runs[:, :, 0] % bytes_ == 0).all():
            return each
    raise LayoutError(f"lanes cannot access {width or size} bytes at a time: they are not contiguous and aligned")


def matrix_accesses(
    layout: Layout, shape: Sequence[int], bits: int, num: int = 4, *, trans: bool = False, store: bool = False
) -> Access:
    """The accesses of ldmatrix or stmatrix of `num` matrices that go over a tile of rows by columns.

    The matrices of an instruction are 8 rows of 16 bytes in the order of an mma fragment: two below each other where
    the tile has them, then side by side.  With `trans`, the 16 bytes run down a column.  Raises LayoutError for a tile
    that matrices do not cover, and where their 16 bytes are not consecutive.
    """
    address = _bytes_of(layout, shape, bits)
    if address.ndim != 2:
        raise LayoutError(f"matrices need a two-dimensional tile, not shape {tuple(shape)}")
    address = address.T if trans else address
    across = ROW * 8 // bits
    if address.shape[0] % 8 or address.shape[1] % across or num not in (1, 2, 4):
        raise LayoutError(f"shape {tuple(shape)} cannot be covered by {num} matrices of 8 rows of 16 bytes")
    chunks = address.reshape(address.shape[0], -1, across)
    if (chunks != chunks[:, :, :1] + bits // 8 * np.arange(across)).any():
        raise LayoutError(f"the 16 bytes of a matrix row are not contiguous in {layout}")
    rows, columns = address.shape[0] // 8, address.shape[1] // across
    down = 2 if num > 1 and rows % 2 == 0 else 1
    if rows * columns % num or columns % (num // down):
        raise LayoutError(f"the {rows} x {columns} matrices of the tile are not in groups of {num}")
    starts = chunks[:, :, 0].reshape(rows // down, down, 8, columns * down // num, num // down)
    return Access(starts.transpose(0, 3, 4, 1, 2).reshape(-1, 8 * num), ROW, matrix=True, store=store)


# -- swizzles ---------------------------------------------------------------------------------------------------------


def suggest_swizzle(*accesses: Access, bits: int = 8, size: int = 0) -> SwizzleLayout | None:
    """The smallest swizzle with which accesses have no bank conflicts; None where there is none.

    The accesses are those without a swizzle; the swizzle counts in elements of `bits` bits.  Smallest is: the fewest
    bits (0: none is needed), then the smallest chunks, then the least distance of the bits.  Chunks hold what a lane
    accesses; the blocks that the swizzle permutes divide `size` bytes (by default, the power of two that all addresses
    lie below).  Raises LayoutError without accesses.
    """
    if not accesses:
        raise LayoutError("no accesses to find a swizzle for")
    if not size:
        reach = max(int(access.addresses.max()) + access.width for access in accesses)
        size = 1 << (reach - 1).bit_length()
    widest = max(access.width for access in accesses).bit_length() - 1
    for candidate in _candidates(max(widest, (bits // 8).bit_length() - 1), size):
        if not any(conflicts(access.moved(candidate)).any() for access in accesses):
            return candidate.pack(bits // 8)
    return None


def _candidates(chunk: int, size: int) -> Iterator[SwizzleLayout]:
    """Swizzles of bytes, the smallest first, with chunks of at least `2^chunk` bytes, that stay within `size` bytes."""
    bits = (size & -size).bit_length() - 1
    yield SwizzleLayout(chunk, 0, 0)
    banks = (BANKS * WORD).bit_length() - 1
    for length in range(1, banks - chunk + 1):
        for per_element in range(chunk, banks - length + 1):
            for distance in range(length, bits - per_element - length + 1):
                yield SwizzleLayout(per_element, length, distance)


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
