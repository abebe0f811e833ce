"""A grid over the workers of an executor: threads, processes, or machines (Dask's and Ray's executors).

The CTAs are cut into chunks.  Each chunk runs on a copy of the memory, and gives back what it wrote:

- bytes that it stored;
- atomic updates whose old value the kernel does not use (`red`, and `atom` with an unused result), as a journal: they
  are done again, one chunk after the other, which is an order the GPU might have chosen too;
- bytes of all other atomics, whose results steer the kernel.

Bytes that several chunks store with different values, or that one updates atomically and another one stores or updates,
cannot be put together: the run is refused, and nothing is written.  A CTA that waits for one of another chunk waits for
ever, which is reported as a deadlock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.ptx.ast import Module
from weft.sim.arena import Arena
from weft.sim.counters import Counting
from weft.sim.faults import KernelFault, SimulationError
from weft.sim.lanes import Array, Lanes
from weft.sim.prepare import Options, Prepared
from weft.sim.result import Result, merged, result_of
from weft.sim.semantics.atomic import combination, exchange
from weft.sim.site import Site
from weft.sim.space import Space
from weft.sim.types import DTYPES, WORDS
from weft.sim.used import is_used
from weft.sim.watch import Watcher

STORED, REDUCED, EXCLUSIVE = 1, 2, 4
"""What a chunk did to a byte: stored it, reduced it (in the journal), or updated it by an atomic that it looked at."""

PAGE = 4096
"""Bytes that are sent and put together at once."""
_REDUCING = ("cp.reduce", "multimem", "red.async")
"""Families besides `atom` and `red` that update memory."""
_UNSEEN = ("cp.reduce.async.bulk.tensor", "sust", "sured")


@dataclass(slots=True)
class Reduction:
    """Atomic updates in the journal: byte indices in the arena, and the operands of each."""

    op: str
    type: str
    index: Array
    values: list[Array]


@dataclass(slots=True)
class Written:
    """What a chunk wrote: the numbers of the arena's pages, what it did to each byte, the bytes, its journal."""

    pages: Array
    kinds: Array
    values: Array
    journal: list[Reduction] = field(default_factory=list[Reduction])
    regions: tuple[tuple[int, int], ...] = ()


def _paged(data: Array) -> Array:
    """A copy of bytes as pages; the last one is filled up with zeros."""
    pages = np.zeros((-(-len(data) // PAGE), PAGE), np.uint8)
    pages.reshape(-1)[: len(data)] = data
    return pages


class Writes(Watcher):
    """Notes what is written to the arena."""

    def __init__(self) -> None:
        self.kinds: Array = np.zeros(0, np.uint8)
        self.journal: list[Reduction] = []
        self._used: dict[int, bool] = {}

    def access(
        self, site: Site, lanes: Lanes, space: Space, index: Array, where: Array | None, size: int, write: bool
    ) -> None:
        """See `Watcher.access`."""
        if write and isinstance(space, Arena):
            if not self.kinds.size:
                self.kinds = np.zeros(len(space.bytes) // 8, np.uint64).view(np.uint8)
            word = min(size, 8)
            kind = WORDS[8 * word].type(int.from_bytes(bytes([self._kind(site)]) * word, "little"))
            kinds, shift = self.kinds.view(WORDS[8 * word]), word.bit_length() - 1
            for part in range(0, size, word):
                kinds[(index + part) >> shift] |= kind

    def reduce(self, site: Site, space: Space, index: Array, values: list[Array], op: str, type_: str) -> None:
        """See `Watcher.reduce`."""
        if isinstance(space, Arena) and self._kind(site) == REDUCED:
            self.journal.append(Reduction(op, type_, index.copy(), [value.copy() for value in values]))

    def _kind(self, site: Site) -> int:
        if site.opcode.stem not in ("atom", "red"):
            return EXCLUSIVE if site.opcode.stem.startswith(_REDUCING) else STORED
        key = id(site)
        if key not in self._used:
            self._used[key] = TYPES[site.opcode.get("type")].bits > 64 or (site.opcode.stem == "atom" and is_used(site))
        return EXCLUSIVE if self._used[key] else REDUCED


# -- in a worker ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _module(data: bytes) -> Module:
    from weft.mc.reader import from_bytes

    return from_bytes(data)


def run_chunk(
    data: bytes, options: Options, args: Sequence[Any], fixed: Sequence[int], counters: bool, first: int, last: int
) -> tuple[Result, Written]:
    """Run the CTAs `first` to `last` of a launch; `fixed` numbers the arguments that are read-only arrays."""
    for number in fixed:  # Arrays come writable out of a pickle.
        args[number].flags.writeable = False
    writes = Writes()
    counting = Counting() if counters else None
    watchers: list[Watcher] = [writes] if counting is None else [writes, counting]
    prepared = Prepared(_module(data), replace(options, seed=(_seed(options), first)), args, watchers, last - first)
    arena = prepared.arena
    before = arena.bytes.copy()
    try:
        prepared.execute_some(first, last)
    except KernelFault as fault:
        if fault.kind == "deadlock" and last - first < prepared.launch.ctas:
            fault.hint += "; with an executor, a CTA cannot wait for one of another chunk"
        raise
    kinds = writes.kinds if writes.kinds.size else np.zeros(len(before), np.uint8)
    kinds[(arena.bytes != before) & (kinds == 0)] = STORED  # What asynchronous copies have written.
    kinds = _paged(kinds)
    pages = np.flatnonzero(kinds.any(axis=1))
    written = Written(pages, kinds[pages], _paged(arena.bytes)[pages], writes.journal, _regions(arena))
    return result_of(prepared.machine, counting), written


def _seed(options: Options) -> int:
    assert isinstance(options.seed, int)
    return options.seed


def _regions(arena: Arena) -> tuple[tuple[int, int], ...]:
    return tuple((region.start, region.end) for region in arena.regions)


# -- where the run was started --------------------------------------------------------------------------------


def spread(
    module: Module,
    options: Options,
    args: Sequence[Any],
    executor: Executor,
    chunks: int | None,
    *,
    counters: bool,
    progress: Callable[[int, int], None] | None,
) -> Result:
    """Run a grid in chunks over an executor; see `weft.run`."""
    whole = Prepared(module, options, args, ctas=1)
    _check(whole)
    data = module.to_bytes()
    fixed = [n for n, a in enumerate(args) if isinstance(a, np.ndarray) and not a.flags.writeable]
    bounds = _bounds(whole, chunks or getattr(executor, "_max_workers", None) or os.cpu_count() or 1)
    futures = [executor.submit(run_chunk, data, options, args, fixed, counters, *bound) for bound in bounds]
    results: list[Result] = []
    parts: list[Written] = []
    try:
        for (_, last), future in zip(bounds, futures, strict=True):
            result, written = future.result()
            results.append(result)
            parts.append(written)
            if progress is not None:
                progress(last, whole.launch.ctas)
    finally:
        for future in futures:
            future.cancel()
    _merge(whole.arena, parts)
    whole.arguments.copy_out()
    return merged(results)


def _check(whole: Prepared) -> None:
    """Refuse what is noted nowhere: reductions into tensors, and changes of surfaces."""
    for activation in whole.machine.activations:
        for instruction, _ in activation.items:
            if instruction.opcode.stem.startswith(_UNSEEN):
                raise SimulationError(
                    f"the effects of '{instruction.opcode.text}' cannot be merged across chunks of CTAs",
                    hint="run the kernel without an executor",
                )


def _bounds(whole: Prepared, chunks: int) -> list[tuple[int, int]]:
    """The first and last CTA of each chunk: whole clusters, about as many in each."""
    cluster = whole.launch.cluster_ctas
    clusters = whole.launch.ctas // cluster
    cuts = np.linspace(0, clusters, min(max(1, chunks), clusters) + 1).astype(int) * cluster
    return [(int(a), int(b)) for a, b in pairwise(cuts)]


def _merge(arena: Arena, parts: list[Written]) -> None:
    """Put together what chunks wrote. Raises SimulationError where that cannot be done."""
    if any(part.regions != _regions(arena) for part in parts):
        raise SimulationError("two arguments share memory", hint="pass the same array object for both")
    memory = _paged(arena.bytes)
    owner = np.full(memory.shape, -1, np.int16)
    alone = np.zeros(memory.shape, np.bool_)
    for number, part in enumerate(parts):
        mine = (part.kinds & (STORED | EXCLUSIVE)) != 0
        exclusive = (part.kinds & EXCLUSIVE) != 0
        old, before = owner[part.pages], alone[part.pages]
        # Two chunks may store one value to a byte, as CTAs of one grid may; what an atomic has looked at depends on the
        # order of chunks, which is lost.
        clash = mine & (old >= 0) & (exclusive | before | (memory[part.pages] != part.values))
        if clash.any():
            page, byte = np.unravel_index(int(clash.argmax()), clash.shape)
            atomics = bool(np.any(before[clash]) or np.any(exclusive[clash]))
            raise _conflict(arena, int(part.pages[page]) * PAGE + int(byte), atomics)
        owner[part.pages] = np.where(mine, np.int16(number), old)
        alone[part.pages] = before | exclusive
        memory[part.pages] = np.where(mine, part.values, memory[part.pages])
    arena.bytes[:] = memory.reshape(-1)[: len(arena.bytes)]
    for number, part in enumerate(parts):
        old = owner[part.pages]
        clash = ((part.kinds & REDUCED) != 0) & (old >= 0) & (old != number)
        if clash.any():
            page, byte = np.unravel_index(int(clash.argmax()), clash.shape)
            raise _conflict(arena, int(part.pages[page]) * PAGE + int(byte), True)
    owner = owner.reshape(-1)
    for part in parts:
        for reduction in part.journal:
            # Reductions commute: those of all chunks are applied to the memory of the beginning, unless the chunk that
            # reduced also stored the byte, and so has the result already.
            free = owner[reduction.index] < 0
            if free.any():
                combine = combination(reduction.op, reduction.type)
                values = [value[free] for value in reduction.values]
                exchange(arena, reduction.index[free], values, combine, DTYPES[reduction.type])


def _conflict(arena: Arena, index: int, atomics: bool) -> SimulationError:
    address = arena.base + index
    region = next((region for region in arena.regions if region.start <= address < region.end), None)
    where = f"offset {address - region.start} of {region.name}" if region else f"address {address:#x}"
    what = "use results of atomics" if atomics else "store different values"
    return SimulationError(
        f"CTAs of different chunks {what} at {where}, so their writes cannot be merged",
        hint="run the kernel without an executor",
    )
