"""`wgmma`: matrix products by the four warps of a warpgroup, with operands in shared memory.

When a product is computed is for `weft.sim.products` to say: lazily when a `wgmma.wait_group` demands it.  Sums are
taken in double precision and rounded once, as in `mma`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Negated
from weft.sim.elements import decode, finisher
from weft.sim.lanes import WARP, Array, Lanes, span
from weft.sim.products import Product
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import WORDS
from weft.sim.warpgroup import WARPS, Multiplication, accumulators, by_matrix, by_register

_MOST_BYTES = 1 << 18
"""Products that are computed at a time: they stay in the cache until they are added."""


@step("wgmma.fence")
def fence(site: Site) -> Step:
    """Let the products that follow use the registers written before."""
    return site.machine.products.fence


@step("wgmma.commit_group")
def commit_group(site: Site) -> Step:
    """Close the group of products."""
    return site.machine.products.commit


@step("wgmma.wait_group")
def wait_group(site: Site) -> Step:
    """Wait for all but the newest `n` groups of products."""
    newest = site.constant(site.operands[0], "the number of groups")
    return lambda lanes: site.machine.products.wait(lanes, newest)


@step("wgmma.mma_async", "wgmma.mma_async.sp")
def mma_async(site: Site) -> Step:
    """`D = A * B + D`, or `A * B` where `scale_d` is false."""
    return _Multiply(site).issue


class _Multiply:
    """An instruction that starts products: what it multiplies, and the registers of its sums."""

    def __init__(self, site: Site) -> None:
        opcode = site.opcode
        operands = {s.name: o for s, o in zip(site.variant().compiled.operands, site.operands, strict=True)}
        self.site, self.products = site, site.machine.products
        self.what = Multiplication(site, operands)
        self.dtype = opcode.get("dtype")
        self.d = [site.row(element) for element in site.vector(operands["d"])]
        scale = operands["scale_d"]
        self.keep = site.value(scale.operand if isinstance(scale, Negated) else scale, "pred")
        self.flip = isinstance(scale, Negated)
        self.clamp = bool(opcode.get("satfinite"))
        self.finish = finisher(self.dtype, self.clamp)
        self.core = None if self.what.sparse else site.core(opcode.get("atype"), opcode.get("btype"), self.dtype)

    def issue(self, lanes: Lanes) -> None:
        """Start the product of each warpgroup."""
        for warps in warpgroups(self.site, lanes):
            self._start(warps)

    def _start(self, warps: Array) -> None:
        if self.site.machine.strict:
            self.products.check_fence(self.site, warps, (*self.d, *self.what.sources))
        located = self.what.locate(warps)
        first = warps[:, 0, 0]
        held = np.broadcast_to(self.keep, (self.site.machine.batch.lanes,))[first] != self.flip

        def run(chosen: Array) -> None:
            # Operands in shared memory are read now, at the places that their descriptors had when it started.
            lanes, places = warps[chosen], [index[chosen] for index, _ in located]
            where = span(lanes)
            if isinstance(where, slice) and TYPES[self.dtype].bits == 32:
                self._as_tile(lanes, where, places, held[chosen])
            else:
                self._by_register(lanes, places, held[chosen][:, None, None, None])

        product = Product(
            warps,
            self.products.groups[first],
            self.d,
            self.what.sources,
            run,
            np.arange(len(warps)),
            located,
            self.site,
        )
        self.products.issue(warps)
        self.products.start(product)

    def _as_tile(self, lanes: Array, where: slice, places: list[Array], held: Array) -> None:
        """Add to sums that stay matrices from product to product, until somebody uses their registers."""
        n = self.what.columns
        tile = self.products.tile(self.d, where)
        if tile is None:
            kept = [self.products.kept[id(register)] for register in self.d]
            stacked = np.stack([row[where] for row in kept]).reshape(len(self.d), WARPS, len(lanes), WARP)
            tile = np.ascontiguousarray(by_matrix(stacked, n))
        whole = self.core is None and self.what.add(lanes, places, tile, held, self.dtype, self.clamp)
        for part in () if whole else _parts(len(lanes), n):
            sums = self._sums(tile[part], lanes[part], [index[part] for index in places], held[part])
            tile[part] = self.finish(sums).view(np.uint32)
        self.products.leave(self.d, where, tile, self._put)

    def _sums(self, words: Array, lanes: Array, places: list[Array], held: Array) -> Array:
        """The sums of products and accumulators, as matrices of warpgroups."""
        self.products.compute()
        values, keeping = decode(words, self.dtype), held[:, None, None, None]
        if self.core is not None:
            return self.what.sums(self.core, lanes, places, np.where(keeping, values, 0.0))
        exact = self.what.multiply(lanes, places)
        # Nothing is added where the accumulators do not count, rather than 0: they may be NaN.
        return np.add(exact, values, out=exact, where=True if keeping.all() else keeping)

    def _put(self, registers: Sequence[Array], places: slice, values: Array) -> None:
        for register, new in zip(registers, by_register(values).reshape(len(self.d), -1), strict=True):
            register[places] = new

    def _by_register(self, lanes: Array, places: list[Array], keeping: Array) -> None:
        """Add to the words of registers: lanes that are not in a row, and sums of 16 bits, two a register."""
        kept = [self.products.kept[id(register)] for register in self.d]
        rows, columns = accumulators(self.what.columns)
        product = np.empty(0) if self.core is not None else self.what.multiply(lanes, places)
        self.products.settle()
        words = np.stack([row[lanes] for row in kept], axis=-1)
        word = WORDS[TYPES[self.dtype].bits]
        old = np.where(keeping, decode(np.ascontiguousarray(words).view(word), self.dtype), 0.0)
        if self.core is None:
            exact = np.where(keeping, product[:, :, rows, columns] + old, product[:, :, rows, columns])
        else:
            before = np.empty((len(lanes), WARPS, 16, self.what.columns))
            before[:, :, rows, columns] = old
            exact = self.what.sums(self.core, lanes, places, before)[:, :, rows, columns]
        new = np.ascontiguousarray(self.finish(exact)).view(np.uint32).reshape(words.shape)
        for number, row in enumerate(kept):
            row[lanes] = new[..., number]


def _parts(count: int, columns: int) -> Iterator[slice]:
    """Parts of so many warpgroups."""
    each = _MOST_BYTES // (8 * 16 * WARPS * columns)
    return (slice(first, first + each) for first in range(0, count, each))


def warpgroups(site: Site, lanes: Lanes) -> list[Array]:
    """The lanes of each warpgroup that takes part, as CTAs by warps by lanes; faults unless they are whole."""
    batch = site.machine.batch
    here = lanes.among(batch.lanes).reshape(-1, batch.ctas, WARP)
    numbers = np.arange(batch.lanes).reshape(here.shape)
    found: list[Array] = []
    for start in range(0, len(here), WARPS):
        part = here[start : start + WARPS]
        some = np.flatnonzero(part.any(axis=(0, 2)))
        if not some.size:
            continue
        if len(part) < WARPS or not part[:, some].all():
            lane = int(numbers[start, some[0], 0])
            raise site.fault("divergent-collective", "the warpgroup does not execute it with all 128 threads", lane)
        found.append(numbers[start : start + WARPS, some].transpose(1, 0, 2))
    return found
