"""`wgmma`: matrix products by the four warps of a warpgroup, with operands in shared memory.

Products are computed when they are issued, whatever the policy; `wgmma.wait_group` then has nothing left to wait for.
Sums are taken in double precision and rounded once, as in `mma`.
"""

from __future__ import annotations

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Negated, Vector
from weft.sim.elements import decode, finisher
from weft.sim.lanes import WARP, Array, Lanes
from weft.sim.semantics import step
from weft.sim.site import Site, Step
from weft.sim.types import WORDS
from weft.sim.warpgroup import WARPS, multiplication


@step("wgmma.fence", "wgmma.commit_group", "wgmma.wait_group")
def order(site: Site) -> Step:
    """Order products, which are complete already."""
    return lambda lanes: None


@step("wgmma.mma_async", "wgmma.mma_async.sp")
def mma_async(site: Site) -> Step:
    """`D = A * B + D`, or `A * B` where `scale_d` is false."""
    opcode = site.opcode
    operands = {s.name: o for s, o in zip(site.variant().compiled.operands, site.operands, strict=True)}
    multiply = multiplication(site, operands)
    dtype = opcode["dtype"]
    assert isinstance(operands["d"], Vector)
    d = [site.row(element).array for element in operands["d"].elements]
    scale = operands["scale_d"]
    keep = site.value(scale.operand if isinstance(scale, Negated) else scale, "pred")
    flip = isinstance(scale, Negated)
    finish = finisher(dtype, bool(opcode["satfinite"]))
    word = WORDS[TYPES[dtype].bits]

    def run(lanes: Lanes) -> None:
        for warps in warpgroups(site, lanes):
            tiles = multiply(warps)
            held = np.broadcast_to(keep, (site.machine.batch.lanes,))[warps[:, 0, 0]] != flip
            words = np.stack([register[warps] for register in d], axis=-1)
            old = decode(np.ascontiguousarray(words).view(word), dtype)
            exact = np.where(held[:, None, None, None], tiles + old, tiles)
            new = np.ascontiguousarray(finish(exact)).view(np.uint32).reshape(words.shape)
            for number, register in enumerate(d):
                register[warps] = new[..., number]

    return run


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
