"""Neighbouring loads and stores joined: scalars that one access of two or four elements moves where it is aligned.

Loads go where the first of them is, stores where the last is, so nothing in between may touch memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weft.codegen.graph import Addr, Block, Graph, If, Inst, Loop, Value, While
from weft.isa import opcode

MOST_BYTES = 16
_TYPES = {
    opcode(stem, ss=space, type=f"b{8 * size}").text: (stem, space, size)
    for stem in ("ld", "st")
    for space in ("global", "shared", "local", "")
    for size in (4, 8)
}
"""Accesses that may be joined: what they do, where, and how many bytes."""


def join(root: Block, aligned: Mapping[Inst, int]) -> None:
    """Join the live accesses of all blocks; `aligned` says which lie at multiples of more bytes than they move."""
    work = [root]
    while work:
        block = work.pop()
        joiner = _Joiner(block, aligned)
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


class _Joiner:
    """Accesses since something else happened to memory, by kind and base: their places in the block by offset."""

    def __init__(self, block: Block, aligned: Mapping[Inst, int]) -> None:
        self._items = block.items
        self._aligned = aligned
        self._stores = False
        self._found: dict[tuple[str, Any], dict[int, int]] = {}
        self._wanted = False

    def take(self, at: int, inst: Inst) -> None:
        """Look at an instruction of the block."""
        if not inst.live:
            return
        stem = inst.opcode.stem
        if stem not in ("ld", "st"):
            if inst.effect or "ld" in stem or stem.startswith("tex"):  # Others read memory as well.
                self.finish()
            return
        if (stem == "st") != self._stores:
            self.finish()
            self._stores = stem == "st"
        place = inst.args[0 if self._stores else 1]
        if inst.opcode.text not in _TYPES or inst.guard is not None or type(place) is not Addr or place.rest:
            self.finish()
            return
        places = self._found.setdefault((inst.opcode.text, place.base), {})
        # Two bases may be one address: stores through different ones keep their order.
        if place.offset in places or (self._stores and len(self._found) > 1):
            self.finish()
            self._stores = stem == "st"
            places = self._found.setdefault((inst.opcode.text, place.base), {})
        places[place.offset] = at
        self._wanted = self._wanted or inst in self._aligned

    def finish(self) -> None:
        """Join what has been found, and begin again."""
        if self._wanted:
            for (text, _), places in self._found.items():
                self._join(_TYPES[text], places)
        self._found = {}
        self._wanted = False

    def _join(self, kind: tuple[str, str, int], places: dict[int, int]) -> None:
        stem, space, size = kind
        for offset in sorted(places):
            first = self._items[places[offset]] if offset in places else None
            alignment = self._aligned.get(first, 0) if type(first) is Inst else 0
            for count in (4, 2):
                offsets = [offset + number * size for number in range(count)]
                if count * size <= min(alignment, MOST_BYTES) and all(one in places for one in offsets):
                    self._put(
                        [places.pop(one) for one in offsets],
                        opcode(stem, ss=space, vec=f"v{count}", type=f"b{8 * size}"),
                    )
                    break

    def _put(self, at: list[int], code: Any) -> None:
        """One access for those at some places, that of the lowest address first."""
        insts: list[Any] = [self._items[one] for one in at]
        lowest = insts[0].args[0 if self._stores else 1]
        values: tuple[Any, ...] = tuple(inst.args[1] if self._stores else inst.outs[0] for inst in insts)
        kinds: set[type[object]] = {type(value) for value in values if type(value) is not Value}
        if len(kinds) > 1:
            return  # A vector has integers or floats.
        for inst in insts:
            inst.live = False
        # A load moves up to the first of them, since others may use its results; a store down to the last, whose value
        # must have been made.
        kept = self._items[max(at) if self._stores else min(at)]
        assert type(kept) is Inst
        kept.opcode, kept.live = code, True
        kept.args = (lowest, values) if self._stores else (values, lowest)
        if not self._stores:
            kept.outs = values
            for value in values:
                value.inst = kept
