"""Waits for products of a warpgroup whose sums are read while they may still be under way.

`wgmma.mma_async` writes its registers some time later, and `wgmma.wait_group n` lets the last n groups go on; MLIR's
values say nothing of that (a `nvgpu.warpgroup.mma` that leaves one group under way, followed by a store, is upstream's
own idiom).  ptxas adds the waits that a read needs, and warns; they are written out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from weft.codegen.graph import Basic, Block, Carried, Graph, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.codegen.unread import items_in, operands_of
from weft.isa import opcode

PRODUCT, COMMIT, WAIT, FENCE = "wgmma.mma_async", "wgmma.commit_group", "wgmma.wait_group", "wgmma.fence"
MOST_ROUNDS = 16
"""Times that a loop is looked at until nothing new is found; ages only fall, from at most the groups in it."""

Ages = dict[Value, int]
"""Sums under way, and the groups closed since their product began, its own among them; 0 where none was."""


def wait_for_products(root: Block) -> None:
    """Add the waits that reads of sums need; it is known which instructions are live."""
    _Waits().block(root, {})


def _merged(states: Iterable[Ages]) -> Ages:
    """What may be under way after one of several ways here."""
    found: Ages = {}
    for state in states:
        for value, age in state.items():
            # The younger product on any way here: a wait for it is a wait for the older ones, too.
            found[value] = min(age, found.get(value, age))
    return found


def _renamed(state: Ages, copies: Iterable[tuple[Value | None, Any]]) -> Ages:
    """The state after copies between values, which share a register."""
    found = dict(state)
    for to, source in copies:
        if to is not None and isinstance(source, Value) and source in state:
            found[to] = min(state[source], found.get(to, state[source]))
    return found


class _Waits:
    """Walks the tree of blocks; `adding` is false while loops are looked at for what they leave under way."""

    def __init__(self) -> None:
        self.adding = True

    def block(self, block: Block, state: Ages) -> Ages:
        """The state behind a block; waits are put into it."""
        items: list[Any] = []
        for item in block.items:
            if type(item) is Inst:
                if item.live:
                    state = self._inst(items, item, state)
            else:
                state = self._nested(items, item, state)
            items.append(item)
        if self.adding:
            block.items[:] = items
        return state

    def _nested(self, items: list[Any], item: Any, state: Ages) -> Ages:
        match item:
            case If():
                # Waits are .aligned: inside a branch some lanes of the warp may be missing, so that they go in front of
                # it.
                state = self._before(items, state, [item.test, *_reads(item.then), *_reads(item.otherwise)])
                ends = [self.block(branch, state) for branch in (item.then, item.otherwise)]
                return _merged(
                    _renamed(end, [(merge.value, merge.values[i]) for merge in item.merges])
                    for i, end in enumerate(ends)
                )
            case Loop():
                setup = () if item.setup is None else _reads(item.setup)
                state = self._before(items, state, [item.guard, *setup, *_reads(item.body)])
                start = _renamed(state, [(c.value, c.start) for c in item.carried])
                end = self._loop(start, lambda s: self._turn(item.body, s, item.carried))
                after = end if item.guard is None else _merged((start, end))
                return _renamed(after, [(c.result, c.value) for c in item.carried])
            case While():
                state = self._before(items, state, [*_reads(item.before), *_reads(item.after)])
                start = _renamed(state, [(c.value, c.start) for c in item.carried])
                ends: list[Ages] = []

                def turn(s: Ages) -> Ages:
                    ends[:] = [self.block(item.before, s)]
                    return self._turn(item.after, ends[0], item.carried)

                self._loop(start, turn)
                return _renamed(ends[0], [(m.value, m.values[0]) for m in item.results])
            case Graph():
                return self._graph(item, state)
            case _:  # Inline PTX waits for itself; what it is given must be there.
                return self._before(items, state, item.args)

    def _turn(self, body: Block, state: Ages, carried: list[Carried]) -> Ages:
        """The state behind the body of a loop, where what is carried moves on."""
        end = self.block(body, state)
        return _renamed(self._before(body.items, end, _copied(body, carried)), [(c.value, c.next) for c in carried])

    def _loop(self, start: Ages, turn: Callable[[Ages], Ages]) -> Ages:
        """The state at the end of a turn, from that at its beginning, which the end of the one before adds to."""
        adding, self.adding = self.adding, False
        # The state at the beginning of a turn is that on entry and that behind any turn: ages only fall, so this ends.
        for _ in range(MOST_ROUNDS):
            new = _merged((start, turn(start)))
            if new == start:
                break
            start = new
        self.adding = adding
        return turn(start)

    def _graph(self, graph: Graph, state: Ages) -> Ages:
        before: dict[int, Ages] = {id(graph.blocks[0]): state}
        adding, self.adding = self.adding, False
        work: list[Basic] = [graph.blocks[0]]
        rounds = MOST_ROUNDS * len(graph.blocks)
        while work and rounds:
            rounds -= 1
            basic = work.pop()
            end = self.block(basic.block, before[id(basic)])
            for edge in basic.edges:
                at = id(edge.target)
                new = _merged((before.get(at, {}), _renamed(end, edge.copies)))
                if at not in before or new != before[at]:
                    before[at] = new
                    work.append(edge.target)
        self.adding = adding
        ends = [self.block(basic.block, before.get(id(basic), {})) for basic in graph.blocks]
        return _merged(end for basic, end in zip(graph.blocks, ends, strict=True) if not basic.edges)

    def _inst(self, items: list[Any], inst: Inst, state: Ages) -> Ages:
        stem = inst.opcode.stem
        if stem == COMMIT:
            return {value: age + 1 for value, age in state.items()}
        if stem == WAIT:
            return _waited(state, inst.args[0])
        if state and any(value in state for value in inst.outs):
            # What they were a turn of the loop ago is of no concern.
            written = set(inst.outs)
            state = {value: age for value, age in state.items() if value not in written}
        if stem in (PRODUCT, f"{PRODUCT}.sp"):
            state = self._before(items, state, inst.args)
            sums = {source for _, source in inst.ties if isinstance(source, Value)}
            return {v: age for v, age in state.items() if v not in sums} | dict.fromkeys(inst.outs, 0)
        if stem == FENCE:
            return _renamed(state, inst.ties)
        return self._before(items, state, (inst.args, inst.guard, tuple(source for _, source in inst.ties)))

    def _before(self, items: list[Any], state: Ages, operands: Any) -> Ages:
        """Wait for what the operands name; a product of which no group was closed cannot be waited for."""
        if not state:
            return state
        ages = [state[value] for value in values_in(tuple(operands)) if state.get(value)]
        if not ages:
            return state
        groups = min(ages) - 1
        if self.adding:
            wait = Inst(opcode(WAIT), (), (groups,), effect=True)
            wait.live = True
            items.append(wait)
        return _waited(state, groups)


def _waited(state: Ages, groups: int) -> Ages:
    """What is still under way when all but the last so many groups are done."""
    return {value: age for value, age in state.items() if age <= groups or not age}


def _reads(block: Block) -> Iterator[Any]:
    """The operands of instructions in a block that are no products, in branches and loops too.

    Where a branch or a loop reads sums from before it, the wait stands before it: all lanes have to be there.
    """
    for item in items_in(block):
        if isinstance(item, Inst) and not item.opcode.stem.startswith("wgmma."):
            yield item.args


def _copied(body: Block, carried: Iterable[Carried]) -> list[Any]:
    """What a turn leaves in registers of its own, as the value of the turn before is read after it is there."""
    found: list[Any] = []
    for entry in carried:
        at = next((at for at, item in enumerate(body.items) if entry.next in _made(item)), len(body.items))
        after = (inner for item in body.items[at + 1 :] for inner in (item, *chain(*map(items_in, inside(item)))))
        if any(entry.value in values_in(operand) for item in after for operand in operands_of(item)):
            found.append(entry.next)
    return found


def _made(item: Any) -> Iterable[Any]:
    match item:
        case If():
            return [merge.value for merge in item.merges]
        case Loop():
            return [entry.result for entry in item.carried]
        case While():
            return [merge.value for merge in item.results]
        case Graph():
            return ()
        case _:
            return item.outs
