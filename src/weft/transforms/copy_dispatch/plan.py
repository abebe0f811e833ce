"""What the dispatch answers: instructions with their addresses, as formulas of the thread's number.

An address is a part that depends on the thread, the same for many instructions, and a constant for each.  Both are in
elements and on axes: `m` is memory, any other axis a stride that is known when the kernel runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple

from weft.dataclass import dataclass
from weft.isa import Opcode
from weft.layout import Axis, SwizzleLayout


@dataclass(frozen=True, slots=True)
class Digit:
    """`source // divide % modulus`, without the modulus where it is 0; the source is a thread axis or a sum."""

    source: str | Sum
    divide: int = 1
    modulus: int = 0

    def value(self, thread: int) -> int:
        """The digit of a thread, by its number in the block."""
        base = Axis(self.source).of_thread(thread) if isinstance(self.source, str) else self.source.value(thread)
        return base // self.divide % self.modulus if self.modulus else base // self.divide


@dataclass(frozen=True, slots=True)
class Sum:
    """A constant plus digits times factors."""

    terms: tuple[tuple[int, Digit], ...] = ()
    constant: int = 0

    def value(self, thread: int) -> int:
        """The sum for a thread."""
        return self.constant + sum(factor * digit.value(thread) for factor, digit in self.terms)


class Condition(NamedTuple):
    """`0 <= sum < below`."""

    sum: Sum
    below: int

    def holds(self, thread: int) -> bool:
        """Whether it holds for a thread."""
        return 0 <= self.sum.value(thread) < self.below


Place = tuple[tuple[str, Sum], ...]
"""For each axis, the part of an address that depends on the thread."""
Constants = tuple[tuple[str, int], ...]
"""For each axis, the part of an address that does not."""


class Address(NamedTuple):
    """An element of a buffer's storage: on each axis `thread` plus `constant`, through the operand's swizzle."""

    thread: Place
    constant: Constants

    def on(self, axis: str, thread: int) -> int:
        """The number on an axis, for a thread."""
        return dict(self.constant).get(axis, 0) + sum(each.value(thread) for name, each in self.thread if name == axis)

    def element(self, thread: int, swizzle: SwizzleLayout | None = None) -> int:
        """The element for a thread, as far as it is in memory alone: without the strides that only the kernel knows."""
        total = self.on("m", thread)
        return swizzle.place(total) if swizzle is not None else total


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, the same in every thread that meets `conditions`.

    `dst`, `src` are addresses of the operands in memory; `registers` byte offsets in the thread's registers of what it
    loads or stores, empty when the next instruction takes it or the one before it gave it; `sources` those of the
    source, where both sides are registers.  `bytes` are moved by a thread.  `coordinates` are, for bounded copies, the
    place in the global operand's region.
    """

    opcode: Opcode
    bytes: int
    dst: Address | None = None
    src: Address | None = None
    registers: tuple[int, ...] = ()
    sources: tuple[int, ...] = ()
    coordinates: Address | None = None
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Attempt:
    """A variant that was tried: `rejected` by its predicate, `declined` by its algorithm, or `chosen`."""

    variant: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The chosen variant and its instructions; `form` is the algorithm within the variant.

    `num` and `trans` are those of matrix instructions (`num` the largest, where they differ), `rounds` the number of
    instructions or pairs of them; `conditions` say which threads take part, on top of those of each instruction.
    `vector_dimension` is that of the global region along which a bounded vector runs, where that matters.  With a
    `turn`, (digit, distance), threads whose digit is 1 do instruction i ^ distance where others do instruction i.
    """

    variant: str
    instructions: tuple[Instruction, ...]
    form: str = ""
    num: int = 0
    trans: bool = False
    vector_bytes: int = 0
    rounds: int = 0
    conditions: tuple[Condition, ...] = ()
    vector_dimension: int = -1
    turn: tuple[Digit, int] | None = None
    trail: tuple[Attempt, ...] = field(default=(), compare=False)


def place(terms: Iterable[tuple[str, int, Digit]]) -> Place:
    """Terms collected by axis, in order of first mention; those of factor 0 are left out."""
    found: dict[str, list[tuple[int, Digit]]] = {}
    for axis, factor, digit in terms:
        if factor:
            found.setdefault(axis, []).append((factor, digit))
    return tuple((axis, Sum(tuple(each))) for axis, each in found.items())


def constants(values: Iterable[tuple[str, int]]) -> Constants:
    """Constants collected by axis; zeros are left out."""
    found: dict[str, int] = {}
    for axis, value in values:
        found[axis] = found.get(axis, 0) + value
    return tuple((axis, value) for axis, value in found.items() if value)
