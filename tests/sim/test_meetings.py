"""Collectives begin for the lanes that they name when all of these that live have come, and not before."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from weft.sim.collectives import enter
from weft.sim.lanes import WARP, Lanes

FULL = (1 << 32) - 1


class Fault(Exception):
    pass


def fault(kind: str, message: str, lane: int) -> Fault:
    return Fault(kind, message, lane)


def machine(warps: int, ctas: int, alive: np.ndarray[Any, np.dtype[np.bool_]]) -> Any:
    batch = SimpleNamespace(lanes=warps * ctas * WARP, ctas=ctas, role=ctas * WARP)
    return SimpleNamespace(batch=batch, alive=alive, live=int(alive.sum()), parked={}, strict=False)


def lanes_of(here: np.ndarray[Any, np.dtype[np.bool_]], role: int) -> Lanes:
    found = Lanes.where(here, 0, role)
    assert found is not None
    return found


def ready(waiting: set[int], alive: set[int], mask: Any, warpgroup: bool, ctas: int) -> set[int]:
    """The lanes that may go on: of their warp, or the four warps of their warpgroup, all who are named and live are there."""
    found: set[int] = set()
    for lane in waiting:
        warp = lane // WARP
        if warpgroup:
            role, cta = divmod(warp, ctas)
            members = {n for n in alive if n // WARP % ctas == cta and n // WARP // ctas // 4 == role // 4}
        elif mask is None:
            members = {n for n in alive if n // WARP == warp}
        else:
            word = int(mask if mask.ndim == 0 else mask[lane])
            members = {n for n in alive if n // WARP == warp and word >> n % WARP & 1}
        if members <= waiting:
            found.add(lane)
    return found


@pytest.mark.parametrize("kind", ["warp", "warpgroup", "full mask", "one mask", "masks"])
def test_lanes_come_until_all_are_there(kind: str) -> None:
    """In any parts; those that have ended are not waited for; who has gone on may come again."""
    rng = random.Random(kind)
    for _ in range(6):
        warps, ctas = rng.choice(((1, 1), (4, 1), (2, 3), (8, 2), (5, 1)))
        count = warps * ctas * WARP
        alive = np.array([rng.random() < 0.9 for _ in range(count)]) if rng.random() < 0.5 else np.ones(count, np.bool_)
        alive[0] = True
        halves = [rng.choice((0xFFFF, 0xFF00FF, 0x1)) for _ in range(warps * ctas)]
        if kind == "masks":
            mask: Any = np.array(
                [
                    halves[n // WARP] if halves[n // WARP] >> n % WARP & 1 else FULL ^ halves[n // WARP]
                    for n in range(count)
                ],
                np.uint32,
            )
        else:
            mask = {"full mask": np.array(FULL, np.uint32), "one mask": np.array(0xFF, np.uint32)}.get(kind)
        named = alive & (np.arange(count) % WARP < 8) if kind == "one mask" else alive
        gate: Any = SimpleNamespace(mask=mask, warpgroup=kind == "warpgroup", site=SimpleNamespace(fault=fault))
        one, block, role = machine(warps, ctas, alive), object(), ctas * WARP
        waiting: set[int] = set()
        todo = set(np.flatnonzero(named).tolist())
        while todo:
            part = {n for n in todo if rng.random() < rng.choice((0.3, 1.0))} or {min(todo)}
            if rng.random() < 0.5:
                part = {n for n in todo if n // WARP in {m // WARP for m in part}}
            todo -= part
            here = np.zeros(count, np.bool_)
            here[list(part)] = True
            entered = enter(one, block, gate, lanes_of(here, role))  # type: ignore[arg-type]
            waiting |= part
            go = ready(waiting, set(np.flatnonzero(alive).tolist()), mask, kind == "warpgroup", ctas)
            assert (set() if entered is None else set(entered.index.tolist())) == go
            waiting -= go
            parked = one.parked.get(block)
            assert (set() if parked is None else set(parked.index.tolist())) == waiting
            if rng.random() < 0.2:
                todo |= go - (waiting | part)
                break
        if not todo:
            assert not waiting and not one.parked


def test_masks_that_do_not_fit_are_faults() -> None:
    """One without the thread itself, and two that name each other and are not the same."""
    alive = np.ones(64, np.bool_)

    def told(mask: Any, lanes: Lanes) -> tuple[Any, ...]:
        gate: Any = SimpleNamespace(mask=mask, warpgroup=False, site=SimpleNamespace(fault=fault))
        with pytest.raises(Fault) as caught:
            enter(machine(2, 1, alive), object(), gate, lanes)  # type: ignore[arg-type]
        return caught.value.args

    one = np.arange(64) == 37
    assert told(np.array(0xFFFF_FFDF, np.uint32), lanes_of(one, 32)) == (
        "membermask",
        "membermask 0xffffffdf does not include the thread",
        37,
    )
    masks = np.full(64, 0xFFFF, np.uint32)
    assert told(masks, Lanes(32, 64)) == ("membermask", "membermask 0x0000ffff does not include the thread", 48)
    masks = np.array([0xFFFF if n % 32 < 16 else 0xFFFF_0000 for n in range(64)], np.uint32)
    masks[40] = 0xFF00
    both = np.zeros(64, np.bool_)
    both[32:48] = True
    assert told(masks, lanes_of(both, 32)) == (
        "membermask",
        "membermask 0x0000ffff names lane 8, whose membermask is 0x0000ff00",
        32,
    )
