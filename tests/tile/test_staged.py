"""Loops whose copies run ahead: any number of turns and stages, as late as copies may be, with races looked for."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import weft
from tests.tile.program import refused
from weft.tile import Global, S, ahead, cta, ds, f32, register, shared, staged, tile, tx, wait


@weft.kernel(threads=64, grid=1)
def summed(X: Global(f32, ("M", 64)), Y: Global(f32, (1, 64)), *, stages: int = 3, own: bool = False):
    """Y is the sum of the rows of X, four a turn."""
    if own:
        ring = staged(stages, x=shared((stages, 4, 64), f32))
    else:
        ring = staged(stages, x=tile(f32, 4, 64))
    layout = S[(4, 64) : (1, 1 @ tx)]
    part, total = register((4, 64), f32, layout), register((1, 64), f32, S[64 : 1 @ tx])
    total.storage[0] = 0.0

    def bring(slot: Any, j: Any) -> None:
        cta.copy_async(slot, X[ds(j * 4, 4), :])

    for _, slot in ring.loop((X.shape[0] + 3) // 4, bring):
        cta.copy(part, slot)
        for at in range(4):
            total.storage[0] = total.storage[0] + part.storage[at]
    wait(0)
    cta.copy(Y, total)


@pytest.mark.sample(2)
@pytest.mark.parametrize("stages", [2, 3, 5])
@pytest.mark.parametrize("rows", [1, 4, 9, 40])
def test_turns_of_any_number(stages: int, rows: int) -> None:
    x = np.random.default_rng(rows).integers(-9, 10, (rows, 64)).astype(np.float32)
    for own in (False, True):
        y = np.full((1, 64), np.nan, np.float32)
        summed.run(x, y, options={"stages": stages, "own": own}, target="sm_80", check="strict", async_="lazy")
        np.testing.assert_array_equal(y[0], x.sum(0))


@pytest.mark.parametrize("stages", [2, 4])
def test_copies_of_all_slots_but_one_are_under_way(stages: int) -> None:
    """A turn waits for its own slot only: copies of the next `stages` - 2 go on, and one more starts."""
    words = re.findall(r"cp\.async\.(?:commit|wait)_group ?\d*|mma|bra", summed.ptx("sm_80", stages=stages))
    first = words.index("bra")
    assert words[:first] == ["cp.async.commit_group"] * (stages - 1)
    rest = [word for word in words[first:] if word != "bra"]
    assert rest == [f"cp.async.wait_group {stages - 2}", "cp.async.commit_group", "cp.async.wait_group 0"]


@pytest.mark.parametrize("by", [0, 1, 2, 4, 9])
def test_what_is_loaded_ahead(by: int) -> None:
    """So many steps before its own, and no more; the first ones together."""
    done: list[str] = []

    def load(step: int) -> int:
        done.append(f"load {step}")
        return step * 10

    for step, loaded in ahead(range(4), load, by):
        done.append(f"use {step} {loaded}")
    early = min(by, 4)
    expected = [f"load {step}" for step in range(early)]
    for step in range(4):
        expected += [f"load {step + by}"] * (step + by < 4) + [f"use {step} {step * 10}"]
    assert done == expected


HEAD = "import weft\nfrom weft.tile import *\n\n@weft.kernel(threads=64, grid=1)\ndef kernel():\n"
REFUSED = {
    "staged(1, a=tile(f32, 4, 64))": "invalid number of stages",
    "staged(3)": "slots need tiles",
    "staged(3, a=shared((2, 4, 64), f32))": "not a tile of 3 stages",
    "staged(2, a=tile(f32, 4, 64)).loop(4, lambda slot, k: slot.b)": "has no tile 'b'",
    "staged(2, a=tile(f32, 4, 64), b=tile(f32, 4, 64)).loop(4, lambda slot, k: slot[0])": "the slot has 2 tiles",
    "[k for k in staged(2, a=tile(f32, 4, 64)).loop(4, lambda slot, k: None)]": "cannot iterate",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    refused(HEAD, f"{text}  #", REFUSED[text], "sm_80")
