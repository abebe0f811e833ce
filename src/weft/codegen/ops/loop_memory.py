"""Loads and stores that the turns of a loop repeat, moved out of it."""

from __future__ import annotations

from typing import Any, cast

from weft.codegen.graph import Block, Carried, Const, Inst, Loop, Value
from weft.codegen.selector import Selector

_MOST_HOISTED = 16
"""Registers that loads in front of a loop are kept in."""


def move_memory(s: Selector, loop: Loop) -> list[Inst]:
    """Move loads and stores out of a loop whose body has been selected; the stores that are to be done after it.

    Where the loop may not run at all, loads are done behind its guard.
    """
    if isinstance(loop.guard, Const):
        return []
    stores = _carried(s, loop)
    _hoist(s, loop)
    return stores


def _before(s: Selector, loop: Loop) -> Block:
    """The block that runs once before the turns of a loop, if there are any."""
    if loop.guard is None:
        return s.block
    if loop.setup is None:
        loop.setup = s.child()
    return loop.setup


def _hoist(s: Selector, loop: Loop) -> None:
    """Load in front of a loop what no turn changes."""
    left = _MOST_HOISTED
    for load in s.window.unchanged(loop.body):
        left -= len(load.outs)
        if left < 0:
            return
        before = _before(s, loop)
        loop.body.items.remove(load)
        before.items.append(load)
        for value in load.outs:
            value.block = before


def _carried(s: Selector, loop: Loop) -> list[Inst]:
    """Carry in registers what a turn loads where the one before has stored it; the first turn's is loaded before.

    Where nothing else sees what is stored, the last turn's is stored after the loop.
    """
    pairs: list[tuple[Inst, list[Carried]]] = []
    for load, store in s.window.again(loop.body):
        before = _before(s, loop)
        if loop.guard is not None:  # What is loaded may be there only if the loop runs.
            loop.late += load.outs
        found = cast("tuple[Any, ...]", store.args[1] if isinstance(store.args[1], tuple) else (store.args[1],))
        first = tuple(Value(value.cls, before, None, value.lo, value.hi) for value in load.outs)
        entries = [Carried(*entry) for entry in zip(load.outs, first, found, strict=True)]
        pairs.append((store, entries))
        loop.carried += entries
        (one, *others) = first
        copy = Inst(load.opcode, first, (first if others else one, load.args[1]), load.source)
        for value, old in zip(first, load.outs, strict=True):
            value.inst, old.inst = copy, None
        loop.body.items.remove(load)
        before.items.append(copy)
    # What starts behind a guard has no value where that does not hold.
    if loop.guard is not None:
        return []
    return [_sunk(s, loop, alone, *pair) for pair in pairs if (alone := s.window.stores_alone(loop.body, pair[0]))]


def _sunk(s: Selector, loop: Loop, alone: list[Inst], store: Inst, entries: list[Carried]) -> Inst:
    """A store taken out of a loop with the others to the same place: of what is carried when the loop is left."""
    for one in alone:
        loop.body.items.remove(one)
    for entry in entries:
        entry.result = Value(entry.value.cls, s.block, None, entry.value.lo, entry.value.hi)
    (first, *others) = results = tuple(entry.result for entry in entries)
    return Inst(store.opcode, (), (store.args[0], results if others else first), store.source, effect=True)
