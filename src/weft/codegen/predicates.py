"""Comparisons that a loop leaves alone, made inside of it where it would keep more predicates than the machine has.

The machine has seven predicate registers. What is kept beyond these, ptxas packs into other registers before the loop,
and takes from there with two instructions at each use; to compare again takes one.
"""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import PRED, Block, Graph, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.codegen.sinking import moves
from weft.dataclass import dataclass

_PREDICATES = 7
_MOST_ITEMS = 4096
"""Items of a loop that is looked at."""
_MOST_KEPT = 64
"""Predicates that a loop keeps, if it is looked at."""


def compare_again(root: Block) -> None:
    """Move comparisons into the innermost loops that read them, and that nothing else reads, as far as that helps."""
    if not any(type(item) is not Inst for item in root.items):
        return
    readers = _Readers(root)
    for body, values in readers.in_loops().items():
        _relieve(body, values, readers)


class _Readers:
    """Where predicates are read: the block, and the number of the item there, one behind the last at the end."""

    def __init__(self, root: Block) -> None:
        self.of: dict[Value, list[tuple[Block, int]]] = {}
        self.made: dict[Value, int] = {}
        """By the number of the item that makes them."""
        self.places: dict[Block, tuple[Block, int]] = {}
        """The item, in the block around, that a block is a part of."""
        self.loops: list[Block] = []
        """The bodies of innermost loops."""
        self._block(root)

    def _read(self, block: Block, at: int, *operands: Any, but: tuple[Value, ...] = ()) -> None:
        for operand in operands:
            for value in values_in(operand):
                if value.cls == PRED and value not in but:
                    self.of.setdefault(value, []).append((block, at))

    def _block(self, block: Block) -> bool:
        """Note what a block reads; whether it has a loop."""
        has_loop = False
        for at, item in enumerate(block.items):
            for one in inside(item):
                self.places[one] = block, at
            match item:
                case Inst():
                    if item.live:
                        read = (*item.args, item.guard, *(source for _, source in item.ties))
                        self._read(block, at, *read, but=item.outs)
                        self.made |= {value: at for value in item.outs if value.cls == PRED}
                case If():
                    self._read(block, at, item.test)
                    for merge in item.merges:
                        self._read(block, at, *merge.values)
                    for one in inside(item):
                        has_loop |= self._block(one)
                case Loop():
                    self._loop(item, block, at)
                    has_loop = True
                case While():
                    self._read(block, at, *(carried.start for carried in item.carried))
                    self._read(item.before, len(item.before.items), item.test, *(m.values[0] for m in item.results))
                    self._read(item.after, len(item.after.items), *(carried.next for carried in item.carried))
                    for one in inside(item):
                        self._block(one)
                    has_loop = True
                case Graph():
                    self._graph(item)
                    has_loop = True
        return has_loop

    def _loop(self, item: Loop, block: Block, at: int) -> None:
        self._read(block, at, item.guard, *(carried.start for carried in item.carried))
        self._read(item.body, len(item.body.items), item.again, *(carried.next for carried in item.carried))
        if item.setup is not None:
            self._block(item.setup)
        if not self._block(item.body):
            self.loops.append(item.body)

    def _graph(self, graph: Graph) -> None:
        for basic in graph.blocks:
            end = len(basic.block.items)
            self._read(basic.block, end, *basic.tests)
            for edge in basic.edges:
                self._read(basic.block, end, *(source for _, source in edge.copies))
            if not self._block(basic.block) and any(edge.target is basic for edge in basic.edges):
                self.loops.append(basic.block)

    def in_loops(self) -> dict[Block, list[Value]]:
        """By the bodies of innermost loops, the predicates that each reads."""
        found: dict[Block, dict[Value, None]] = {body: {} for body in self.loops}
        for value, places in self.of.items():
            for block, _ in places:
                while block not in found and block in self.places:
                    block, _ = self.places[block]
                if block in found:
                    found[block][value] = None
        return {body: [*values] for body, values in found.items()}

    def is_in(self, block: Block, body: Block) -> bool:
        """Whether a block is a body or a part of what is in it."""
        while block is not body:
            if block not in self.places:
                return False
            block, _ = self.places[block]
        return True

    def span(self, value: Value, body: Block) -> tuple[int, int] | None:
        """The first and the last item of a body that read a value, None if it is read elsewhere, too, or not at all."""
        found: list[int] = []
        for block, at in self.of.get(value, ()):
            while block is not body:
                if block not in self.places:
                    return None
                block, at = self.places[block]
            found.append(at)
        return (min(found), max(found)) if found else None


@dataclass(slots=True)
class _Kept:
    """A comparison before a loop, with the first and the last item of the loop that read it."""

    inst: Inst
    first: int
    last: int


def _relieve(body: Block, values: list[Value], readers: _Readers) -> None:
    """Compare in a loop, just before what reads it, what is compared before and read in a short part of it only."""
    around = [value for value in values if not readers.is_in(value.block, body)]
    if not around or len(around) > _MOST_KEPT or len(body.items) > _MOST_ITEMS:
        return
    spans = [span for value in values if value.block is body and (span := _life(value, readers)) is not None]
    kept, moved = len(around), list[_Kept]()
    for one in sorted(_kept(around, body, readers), key=lambda one: one.last - one.first):
        if kept + _most(spans) <= _PREDICATES:
            break
        kept -= 1
        spans.append((one.first, one.last))
        moved.append(one)
    for one in sorted(moved, key=lambda one: -one.first):
        (value,) = one.inst.outs
        value.block.items.remove(one.inst)
        value.block = body
        body.items.insert(one.first, one.inst)


def _kept(around: list[Value], body: Block, readers: _Readers) -> list[_Kept]:
    """The comparisons before a loop that only it reads."""
    found: list[_Kept] = []
    for value in around:
        inst, span = value.inst, readers.span(value, body)
        if span is None or inst is None or inst.opcode.stem != "setp" or len(inst.outs) != 1 or not moves(inst):
            continue
        if inst in value.block.items and not any(one.cls == PRED for one in values_in(inst.args) if one is not value):
            found.append(_Kept(inst, *span))
    return found


def _life(value: Value, readers: _Readers) -> tuple[int, int] | None:
    """The items of its block from what makes a predicate to what reads it last."""
    span = readers.span(value, value.block)
    return None if span is None or value not in readers.made else (readers.made[value], span[1])


def _most(spans: list[tuple[int, int]]) -> int:
    """How many of these live at once at most."""
    changes = sorted([(first, 1) for first, _ in spans] + [(last, -1) for _, last in spans])
    most = count = 0
    for _, change in changes:
        count += change
        most = max(most, count)
    return most
