"""Registers of one activation of a function, and the names that are visible at one place of its body."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.isa.registers import plain_element
from weft.isa.types import TYPES
from weft.ptx.names import numbered
from weft.sim.lanes import Array
from weft.sim.types import BOOL, WORDS

if TYPE_CHECKING:
    from weft.ptx.ast import LabelledDirective

POISON = 0xBAD0_5EED_BAD0_5EED
"""What a register holds before it is written."""


class Row:
    """One register of all lanes: `array` holds a word or boolean per lane; of 128-bit registers two rows of words.

    `defined` marks the lanes that have written it; it is None where no read can come before a write.  `made_of` are the
    rows that such a register may be computed from.
    """

    __slots__ = ("array", "bits", "defined", "made_of", "name")

    def __init__(self, name: str, type_: str, lanes: int) -> None:
        self.name = name
        self.bits = TYPES[type_].bits
        shape = (2, lanes) if self.bits == 128 else lanes
        self.array: Array = np.empty(shape, BOOL if self.bits == 1 else WORDS[min(self.bits, 64)])
        self.fill()
        self.defined: Array | None = None
        self.made_of: list[Row] = []

    def fill(self) -> None:
        """Nothing is written yet."""
        self.array.fill(0 if self.bits == 1 else POISON & ((1 << min(self.bits, 64)) - 1))


@dataclass(slots=True)
class Place:
    """A variable's place: its state space (`global` for all of the arena), its address there, and its size."""

    space: str
    address: int
    size: int


@dataclass(slots=True)
class Names:
    """What the names of one `{ ... }` stand for, and the scope around it."""

    outer: Names | None = None
    types: dict[str, str] = field(default_factory=dict[str, str])
    ranges: dict[str, tuple[str, int]] = field(default_factory=dict[str, "tuple[str, int]"])
    rows: dict[str, Row] = field(default_factory=dict[str, Row])
    places: dict[str, Place] = field(default_factory=dict[str, Place])
    labels: dict[str, int] = field(default_factory=dict[str, int])
    lists: dict[str, LabelledDirective] = field(default_factory=dict[str, "LabelledDirective"])

    def outwards(self) -> Iterator[Names]:
        """This scope and those around it, the nearest first; a loop, as scopes may nest deeper than Python calls."""
        scope: Names | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def declared(self, name: str) -> tuple[Names, str, str] | None:
        """The scope that declares register `name`, its type, and its plain name: `%r7` of `%r007`, `%v.x` of `%v.r`."""
        prefix, number = numbered(name)
        for scope in self.outwards():
            entry = scope.ranges.get(prefix)
            if entry is not None and 0 <= number < entry[1]:
                return scope, entry[0], f"{prefix}{number}"
            if name in scope.types:
                return scope, scope.types[name], plain_element(name)
        return None

    def row(self, name: str, lanes: int) -> Row | None:
        """The row of register `name`, made on first use; None when no scope declares it.

        `%r1.h0`, where a video instruction selects a part of a register, has the row of `%r1`.
        """
        row = self.rows.get(name)
        if row is None:
            declared = self.declared(name)
            if declared is None:
                base, _, selector = name.partition(".")
                return self.row(base, lanes) if selector and self.declared(base) else None
            scope, type_, plain = declared
            row = scope.rows.get(plain)
            if row is None:
                row = scope.rows[plain] = Row(plain, type_, lanes)
        return row

    def place(self, name: str) -> Place | None:
        """The place of variable `name`."""
        return next((scope.places[name] for scope in self.outwards() if name in scope.places), None)

    def label(self, name: str) -> int | None:
        """The statement index of label `name`."""
        return next((scope.labels[name] for scope in self.outwards() if name in scope.labels), None)

    def list_of(self, name: str) -> LabelledDirective | None:
        """The text of a `.branchtargets`, `.calltargets` or `.callprototype` named `name`."""
        return next((scope.lists[name] for scope in self.outwards() if name in scope.lists), None)
