"""Kernels composed at random: right ones are never accused; with a fault of the list in one idiom they are caught.

`python -m tests.sim.hazards.test_composed 2000 2100` composes kernels of other seeds and prints which are accused.
"""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

import weft
from tests.sim.hazards.case import Kernel
from tests.sim.hazards.composed import IDIOMS, compose
from tests.sim.hazards.operators import Mutant, mutants
from weft.sim import KernelFault

MODES: tuple[dict[str, Any], ...] = ({}, {"async_": "eager"}, {"async_": "random", "seed": 1})
_HARMLESS = """
.* | fence.mbarrier_init | . | the barrier of the cluster after it releases
.* | barrier.cluster.arrive | weakened | what has been initialised is fenced
.* | mbarrier.arrive.expect_tx | moved down|relaxed | the copy may complete first, and nothing else is told by it
.* | mbarrier.try_wait | acquire.cta | copies complete at whatever scope the wait has
.* | fence.proxy.async | moved down past bar.sync | the issuer's own fence serves, too
.* | bar.sync | moved up past fence.proxy.async | the issuer's own fence serves, too
speakers | barrier.cluster.wait | not warp 0 | the first warp has made the mbarrier and meets at a barrier of its own
half_warps | bar.warp.sync | mask of half | it has that mask
others_copies | cp.async.(commit|ca|wait_all) | deleted|guarded|moved.*(commit|cp.async) | wait_all needs no groups
two_groups | cp.async | moved|1 to 0 | groups of other sizes, a wait for more
pairs_of_warps | barrier.sync | deleted|guarded|moved | the second one parts rounds
bulk_sum | fence.proxy.async | global|moved | the second one serves shared memory
bulk_in | barrier.cluster.wait | deleted|warp|CTA | a barrier of the CTA comes before the mbarrier is used
bulk_in | mbarrier.arrive | moved|relaxed | the copy tells what it has written
multicast | fence.proxy.async | CTA 1|global|moved | the first CTA's data alone is copied, from global memory
peer_atomics | atom | relaxed.cta | all that update a word are in one CTA
async_sums | barrier.cluster.wait | expect_tx | bytes may be expected before others have come
multicast | barrier.cluster.arrive | expect_tx | bytes may be expected late
chain | . | not CTA 1 | the last CTA tells nobody
product | fence.proxy.async | not warp 1 | the left side is in registers
product | bar.sync|wgmma.fence | moved | neither orders what the other does
tensor_memory | tcgen05.(wait::st|fence) | moved|deleted|only|CTA | stores may end behind the fence; after the load nothing else is done
tensor_memory | bar.sync | not warp 1 | it meets the others at the next one
tensor_copy | tcgen05.(wait|fence) | moved|not thread|not warp|deleted|only|CTA | the first warp has started the copy; after the load nothing else is done
tensor_copy | mbarrier.try_wait | relaxed | the fence after it orders
"""
"""Idiom, opcode, kind of fault, and why nothing is wrong by it: regular expressions."""
HARMLESS = [tuple(map(str.strip, line.split(" | "))) for line in _HARMLESS.strip().splitlines()]


def harmless(name: str, kernel: Kernel, mutant: Mutant) -> bool:
    """Whether a mutant is known to do no harm; before and after the idiom only what is left out does."""
    first, last = (kernel.text.count("\n", 0, kernel.text.index(part)) for part in ("// ", "st.global.u32 [%out]"))
    if mutant.line > last or (mutant.line <= first and mutant.kind.startswith("moved")):
        return True
    return any(
        re.fullmatch(idiom, name) and re.match(opcode, mutant.opcode) and re.search(kind, mutant.kind)
        for idiom, opcode, kind, _ in HARMLESS
    )


def said(kernel: Kernel, text: str | None = None, **options: Any) -> str:
    """What the simulator says of a kernel; `wrong` where it says nothing and the result is another."""
    try:
        return "" if kernel.correct(kernel.run(text, max_steps=50_000, **options)) else "wrong"
    except KernelFault as fault:
        return str(fault)


def missed(name: str, seed: int) -> list[str]:
    """The faults in an idiom that are not caught, save those that do no harm or change nothing."""
    kernel = compose(seed, [name], most=1)
    return [
        f"line {mutant.line}: {mutant.opcode}: {mutant.kind}"
        for mutant in mutants(kernel.text)
        if not harmless(name, kernel, mutant)
        and said(kernel, mutant.text) in ("", "wrong")
        and not (mutant.probe and not said(kernel, mutant.probe))
    ]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", IDIOMS)
def test_idioms_are_right(name: str) -> None:
    kernel = compose(1, [name])
    assert [d for d in weft.verify(weft.parse(kernel.text)) if d.severity.value == "error"] == []
    assert [said(kernel, **mode) for mode in MODES] == [""] * len(MODES)


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(40))
def test_composed_kernels_are_right(seed: int) -> None:
    kernel = compose(seed)
    assert [said(kernel, **mode) for mode in MODES] == [""] * len(MODES), kernel.name


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", IDIOMS)
def test_faults_are_caught(name: str) -> None:
    assert missed(name, 0) == []


def main() -> None:
    """Compose kernels of a range of seeds, and print which are accused."""
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        kernel = compose(seed)
        for mode in MODES:
            if found := said(kernel, **mode):
                print(kernel.name, mode, found.splitlines()[0])


if __name__ == "__main__":
    main()
