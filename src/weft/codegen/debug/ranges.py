"""Where in a body each variable is: from the marks of its notes, over all ways through the body.

A register holds a variable from a mark on until the register is written again or another mark names the variable; where
ways meet that disagree, the variable is nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from weft.codegen.debug.notes import Location, Mark, Pieces
from weft.dataclass import dataclass
from weft.ptx.analysis.flow import BasicBlock, ControlFlow, cfg
from weft.ptx.ast import Block, Function, Instruction, Label, Statement

Key = tuple[Any, ...]
"""A variable, the call that it was inlined by, and the part of it."""
State = dict[Key, Location]
MOST_STATES = 2_000_000
"""Variables times blocks beyond these: only ranges inside one block are kept."""


@dataclass(frozen=True, slots=True)
class Range:
    """A location between two labels, which are at the statements `first` and `last`."""

    begin: str
    end: str
    location: Location | Pieces
    first: int
    last: int


@dataclass(slots=True)
class _Event:
    """What becomes of variables behind so many instructions: a mark gives one a location."""

    key: Key
    location: Location | None
    statement: int


class Ranges:
    """The ranges of the variables of one body.

    `keys` gives the variable of each label that is a mark.  The body ends with a label.
    """

    def __init__(
        self, body: Sequence[Statement], marks: Mapping[str, Mark], keys: Mapping[str, Key], label: Callable[[], str]
    ) -> None:
        self._body = body
        self._label = label
        self._flow: ControlFlow = cfg(Function("", kernel=False, body=list(body)))
        self._events: dict[int, list[_Event]] = {}
        self._places: list[int] = []
        """The statement of each instruction."""
        joined = {label for block in self._flow.blocks for label in block.labels}
        for place, statement in enumerate(body):
            if isinstance(statement, Label) and statement.name in joined:
                # What was said on one way here holds on no other.
                for event in self._events.get(len(self._places), ()):
                    event.location = None
            elif isinstance(statement, Label) and statement.name in keys:
                event = _Event(keys[statement.name], marks[statement.name].location, place)
                self._events.setdefault(len(self._places), []).append(event)
            else:
                self._places += [place] * _instructions(statement)
        self._new: dict[int, str] = {}
        self._open: dict[Key, tuple[int, Location]] = {}
        self.found: dict[Key, list[Range]] = {}
        self._sweep(self._starts())

    # -- what holds at the beginning of blocks ------------------------------------------------------------------------

    def _starts(self) -> list[State]:
        """What is known at the beginning of each block."""
        flow = self._flow
        count = len(flow.blocks)
        starts: list[State | None] = [None] * count
        starts[0] = {}
        variables = {event.key for events in self._events.values() for event in events}
        if len(variables) * count > MOST_STATES:
            return [{} for _ in flow.blocks]
        changed = True
        while changed:
            changed = False
            for index in flow.order:
                state = starts[index]
                if state is None:
                    continue
                after = self._after(flow.blocks[index], dict(state))
                for target in flow.successors[index]:
                    met = after if (old := starts[target]) is None else _meet(old, after)
                    if met != old:
                        starts[target] = dict(met)
                        changed = True
        return [state or {} for state in starts]

    def _after(self, block: BasicBlock, state: State) -> State:
        for number in range(block.start, block.end):
            for event in self._events.get(number, ()):
                _apply(event, state)
            self._kill(number, state)
        return state

    def _kill(self, number: int, state: State) -> None:
        """Forget what is in registers that an instruction writes."""
        if not state:
            return
        written = {register.name for register in self._flow.instructions[number].writes}
        for key in [key for key, location in state.items() if location.register in written]:
            del state[key]

    # -- ranges -------------------------------------------------------------------------------------------------------

    def _sweep(self, starts: Sequence[State]) -> None:
        for block, start in zip(self._flow.blocks, starts, strict=True):
            state = dict(start)
            self._become(state, self._place_of(block.start))
            for number in range(block.start, block.end):
                for event in self._events.get(number, ()):
                    _apply(event, state)
                    self._become(state, event.statement, event.key)
                before = len(state)
                self._kill(number, state)
                if len(state) != before:
                    self._become(state, self._place_of(number + 1))
        self._become({}, len(self._body) - 1)

    def _place_of(self, number: int) -> int:
        return self._places[number] if number < len(self._places) else len(self._body) - 1

    def _become(self, state: State, place: int, only: Key | None = None) -> None:
        """Close the ranges that are over at a statement, and open those that begin."""
        for key in [only] if only is not None else list(self._open.keys() | state.keys()):
            location, opened = state.get(key), self._open.get(key)
            if opened is not None and opened[1] == location:
                continue
            if opened is not None:
                if opened[0] < place:
                    at = opened[0]
                    self.found.setdefault(key, []).append(
                        Range(self._labelled(at), self._labelled(place), opened[1], at, place)
                    )
                del self._open[key]
            if location is not None:
                self._open[key] = place, location

    def _labelled(self, place: int) -> str:
        """A label at a statement: the one that is there, or a new one before it."""
        statement = self._body[place]
        if isinstance(statement, Label):
            return statement.name
        if place not in self._new:
            self._new[place] = self._label()
        return self._new[place]

    def body(self) -> list[Statement]:
        """The body with the labels that ranges need."""
        found: list[Statement] = []
        for place, statement in enumerate(self._body):
            if place in self._new:
                found.append(Label(self._new[place]))
            found.append(statement)
        return found


def together(parts: Mapping[int, Sequence[Range]]) -> list[Range]:
    """The ranges of a variable of several parts, by the bit that each begins at."""
    every = [each for ranges in parts.values() for each in ranges]
    labels = {each.first: each.begin for each in every} | {each.last: each.end for each in every}
    cuts = sorted(labels)
    found: list[Range] = []
    for first, last in pairwise(cuts):
        held = [
            (bit, r.location) for bit, ranges in sorted(parts.items()) for r in ranges
            if r.first <= first and last <= r.last and isinstance(r.location, Location)
        ]  # fmt: skip
        if held:
            found.append(Range(labels[first], labels[last], Pieces(tuple(held)), first, last))
    return found


def _apply(event: _Event, state: State) -> None:
    if event.location is None:
        state.pop(event.key, None)
    else:
        state[event.key] = event.location


def _meet(one: State, other: State) -> State:
    return {key: location for key, location in one.items() if other.get(key) == location}


def _instructions(statement: Statement) -> int:
    if isinstance(statement, Instruction):
        return 1
    return sum(map(_instructions, statement.body)) if isinstance(statement, Block) else 0
