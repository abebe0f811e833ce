"""Neighbouring loads and stores joined: scalars that one access of two or four elements moves where it is aligned.

Loads go where the first of them is, stores where the last is: what is in between may not be of the same memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weft.codegen.graph import Block, Graph, If, Inst, Loop, Value, While
from weft.codegen.window import Placed, Window
from weft.isa import opcode

MOST_BYTES = 16
MOST_PENDING = 32
"""Accesses that are kept to be joined; beyond, they are joined as far as they can be."""
_FIXED = ("const", "param")
"""State spaces that nothing stores to."""
_TYPES = {
    opcode(stem, ss=space, type=f"b{8 * size}").text: (stem, space, size)
    for stem in ("ld", "st")
    for space in ("global", "shared", "local", "")
    for size in (4, 8)
}
"""Accesses that may be joined: what they do, where, and how many bytes."""


def join(root: Block, aligned: Mapping[Inst, int], window: Window) -> None:
    """Join the live accesses of all blocks; `aligned` says which lie at multiples of more bytes than they move."""
    work = [root]
    while work:
        block = work.pop()
        joiner = _Joiner(block, aligned, window)
        for at, item in enumerate(block.items):
            if type(item) is Inst:
                joiner.take(at, item)
            else:
                joiner.finish()
                work += inside(item)
        joiner.finish()


def inside(item: Any) -> Iterator[Block]:
    """The blocks right under an item of a block."""
    match item:
        case If():
            yield from (item.then, item.otherwise)
        case Loop():
            yield from (item.body, *([item.setup] if item.setup is not None else []))
        case While():
            yield from (item.before, item.after)
        case Graph():
            yield from (basic.block for basic in item.blocks)
        case _:
            return


class _Group:
    """Accesses of a kind with one base: their places in the block by offset."""

    def __init__(self, text: str) -> None:
        self.stem, self.space, self.size = _TYPES[text]
        self.places: dict[int, int] = {}
        self.found: list[Placed] = []
        self.passed: list[Placed] = []
        """The stores since the first of them, which loads have to move over."""


class _Joiner:
    """Accesses that may be joined: nothing since then has had to do with what they move."""

    def __init__(self, block: Block, aligned: Mapping[Inst, int], window: Window) -> None:
        self._items = block.items
        self._aligned = aligned
        self._window = window
        self._groups: dict[tuple[str, Any], _Group] = {}
        self._pending = 0

    def take(self, at: int, inst: Inst) -> None:
        """Look at an instruction of the block."""
        if not inst.live:
            return
        stem = inst.opcode.stem
        if stem == "ld" and inst.opcode.get("ss") in _FIXED:
            return
        if stem not in ("ld", "st"):
            if inst.effect or "ld" in stem or stem.startswith("tex"):  # Others read memory as well.
                self.finish()
            return
        found = self._window.placed(inst)
        if found is None or self._pending >= MOST_PENDING:
            self.finish()
        if found is None:
            return
        self._cross(found, key := (inst.opcode.text, found.address.base))
        if inst.opcode.text in _TYPES:
            group = self._groups.setdefault(key, _Group(inst.opcode.text))
            group.places[found.address.offset] = at
            group.found.append(found)
            self._pending += 1

    def _cross(self, found: Placed, key: tuple[str, Any]) -> None:
        """Finish the groups that something does not leave alone: stores move down over it, loads up over stores.

        Two bases may be one address: stores through different ones keep their order.
        """
        stores = found.access.stores
        for other, group in list(self._groups.items()):
            if group.stem == "ld" and stores:
                group.passed.append(found)
            if other != key and group.stem == "ld":
                continue
            crossed = group.found if group.stem == "st" else group.passed
            again = other == key and found.address.offset in group.places
            if again or any(self._window.meets(found, one) for one in crossed):
                self._finish(other)

    def _finish(self, key: tuple[str, Any]) -> None:
        group = self._groups.pop(key)
        self._pending -= len(group.found)
        if any(one.inst in self._aligned for one in group.found):
            self._join(group)

    def finish(self) -> None:
        """Join what has been found, and begin again."""
        for key in list(self._groups):
            self._finish(key)

    def _join(self, group: _Group) -> None:
        stem, space, size, places = group.stem, group.space, group.size, group.places
        for offset in sorted(places):
            first = self._items[places[offset]] if offset in places else None
            alignment = self._aligned.get(first, 0) if type(first) is Inst else 0
            for count in (4, 2):
                offsets = [offset + number * size for number in range(count)]
                if count * size <= min(alignment, MOST_BYTES) and all(one in places for one in offsets):
                    self._put(
                        [places.pop(one) for one in offsets],
                        opcode(stem, ss=space, vec=f"v{count}", type=f"b{8 * size}"),
                        stores=stem == "st",
                    )
                    break

    def _put(self, at: list[int], code: Any, *, stores: bool) -> None:
        """One access for those at some places, that of the lowest address first."""
        insts: list[Any] = [self._items[one] for one in at]
        lowest = insts[0].args[0 if stores else 1]
        values: tuple[Any, ...] = tuple(inst.args[1] if stores else inst.outs[0] for inst in insts)
        kinds: set[type[object]] = {type(value) for value in values if type(value) is not Value}
        if len(kinds) > 1:
            return  # A vector has integers or floats.
        for inst in insts:
            inst.live = False
        # A load moves up to the first of them, since others may use its results; a store down to the last, whose value
        # must have been made.
        kept = self._items[max(at) if stores else min(at)]
        assert type(kept) is Inst
        kept.opcode, kept.live = code, True
        kept.args = (lowest, values) if stores else (values, lowest)
        if not stores:
            kept.outs = values
            for value in values:
                value.inst = kept
