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

_CACHED = 1 << 18
"""Bytes of products that are computed at a time."""


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
    opcode = site.opcode
    operands = {s.name: o for s, o in zip(site.variant().compiled.operands, site.operands, strict=True)}
    multiplication = Multiplication(site, operands)
    dtype = opcode.get("dtype")
    d = [site.row(element) for element in site.vector(operands["d"])]
    sources = multiplication.sources
    scale = operands["scale_d"]
    keep = site.value(scale.operand if isinstance(scale, Negated) else scale, "pred")
    flip = isinstance(scale, Negated)
    clamp = bool(opcode.get("satfinite"))
    finish = finisher(dtype, clamp)
    word = WORDS[TYPES[dtype].bits]

    core = None if multiplication.sparse else site.core(opcode.get("atype"), opcode.get("btype"), dtype)
    packed = TYPES[dtype].bits < 32
    rows, columns = accumulators(multiplication.columns)
    products = site.machine.products

    n = multiplication.columns

    def added(words: Array, lanes: Array, places: list[Array], keeping: Array) -> Array:
        """The sums of products and accumulators, as matrices of warpgroups."""
        products.compute()
        values = decode(words, dtype)
        if core is not None:
            return multiplication.sums(core, lanes, places, np.where(keeping, values, 0.0))
        exact = multiplication.multiply(lanes, places)
        return np.add(exact, values, out=exact, where=True if keeping.all() else keeping)

    def put(registers: Sequence[Array], places: slice, values: Array) -> None:
        for register, new in zip(registers, by_register(values).reshape(len(d), -1), strict=True):
            register[places] = new

    def start(warps: Array) -> None:
        if site.machine.strict:
            products.check_fence(site, warps, (*d, *sources))
        located = multiplication.locate(warps)
        first = warps[:, 0, 0]
        held = np.broadcast_to(keep, (site.machine.batch.lanes,))[first] != flip

        def run(chosen: Array) -> None:
            lanes = warps[chosen]
            places = span(lanes)
            kept = [products.kept[id(register)] for register in d]
            operands = [index[chosen] for index, _ in located]
            keeping = held[chosen][:, None, None, None]
            if isinstance(places, slice) and not packed:
                tile = products.tile(d, places)
                if tile is None:
                    stacked = np.stack([row[places] for row in kept]).reshape(len(d), WARPS, len(chosen), WARP)
                    tile = np.ascontiguousarray(by_matrix(stacked, n))
                whole = core is None and multiplication.add(lanes, operands, tile, held[chosen], dtype, clamp)
                for part in () if whole else _parts(len(chosen), n):
                    words, indices = tile[part], [index[part] for index in operands]
                    words[...] = finish(added(words, lanes[part], indices, keeping[part])).view(np.uint32)
                products.leave(d, places, tile, put)
                return
            product = np.empty(0) if core is not None else multiplication.multiply(lanes, operands)
            products.settle()
            words = np.stack([row[lanes] for row in kept], axis=-1)
            old = np.where(keeping, decode(np.ascontiguousarray(words).view(word), dtype), 0.0)
            if core is None:
                exact = np.where(keeping, product[:, :, rows, columns] + old, product[:, :, rows, columns])
            else:
                before = np.empty((len(lanes), WARPS, 16, n))
                before[:, :, rows, columns] = old
                exact = multiplication.sums(core, lanes, operands, before)[:, :, rows, columns]
            new = np.ascontiguousarray(finish(exact)).view(np.uint32).reshape(words.shape)
            for number, row in enumerate(kept):
                row[lanes] = new[..., number]

        products.issue(warps)
        products.start(Product(warps, products.groups[first], d, sources, run, np.arange(len(warps)), located, site))

    def issue(lanes: Lanes) -> None:
        for warps in warpgroups(site, lanes):
            start(warps)

    return issue


def _parts(count: int, columns: int) -> Iterator[slice]:
    """Parts of so many warpgroups whose products stay in the cache until they are added."""
    each = max(1, _CACHED // (8 * 16 * WARPS * columns))
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
