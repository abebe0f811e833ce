"""Streams of numbers and string numbers: the notation of headers and declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from weft.mc.layout import WIDE
from weft.mc.strings import Strings

T = TypeVar("T")


class StreamWriter:
    """Appends to a list of numbers that fit 64 bits."""

    def __init__(self, strings: Strings) -> None:
        self.strings = strings
        self.numbers: list[int] = []

    def number(self, value: int) -> None:
        """One integer of any size."""
        fits = -WIDE <= value < WIDE
        self.numbers.append(value if fits else WIDE + self.strings.number(str(value)))

    def text(self, text: str) -> None:
        """One string."""
        self.numbers.append(self.strings.number(text))

    def items(self, items: Sequence[T], write: Callable[[T], None]) -> None:
        """A count and that many items."""
        self.numbers.append(len(items))
        for item in items:
            write(item)


class StreamReader:
    """Reads what `StreamWriter` wrote; raises ValueError or IndexError for anything else."""

    def __init__(self, strings: list[str], numbers: list[int], position: int = 0) -> None:
        self.strings = strings
        self.numbers = numbers
        self.position = position

    def raw(self) -> int:
        """The next number as it stands."""
        value = self.numbers[self.position]
        self.position += 1
        return value

    def number(self) -> int:
        """One integer."""
        value = self.raw()
        return int(self.strings[value - WIDE]) if value >= WIDE else value

    def integers(self, count: int) -> list[int]:
        """The next `count` integers."""
        start, self.position = self.position, self.position + count
        values = self.numbers[start : self.position]
        if len(values) < count:
            raise ValueError("a number beyond the end")
        return [int(self.strings[value - WIDE]) if value >= WIDE else value for value in values]

    def natural(self) -> int:
        """One integer that is not negative."""
        value = self.number()
        if value < 0:
            raise ValueError("a negative count")
        return value

    def text(self) -> str:
        """One string."""
        value = self.raw()
        if value < 0:
            raise ValueError("a negative string")
        return self.strings[value]

    def texts(self, count: int) -> Iterator[str]:
        """The next `count` strings."""
        start, self.position = self.position, self.position + count
        values = self.numbers[start : self.position]
        if len(values) < count or min(values) < 0:
            raise ValueError("a string beyond the end")
        return map(self.strings.__getitem__, values)

    def items(self, read: Callable[[], T]) -> list[T]:
        """The items of a counted list."""
        count = self.raw()
        if not 0 <= count <= len(self.numbers) - self.position:  # each item takes a number at least
            raise ValueError("a count beyond the end")
        return [read() for _ in range(count)] if count else []
