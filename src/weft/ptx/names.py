"""The names that one `{ ... }` declares, and those around it: what the parser, the verifier and the analyses share."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

T = TypeVar("T")

_DIGITS = "0123456789"
_MOST_DIGITS = 12
_WRAPS = 32
"""Bits, and decimal digits, of a number that count (10^32 is a multiple of 2^32)."""


def numbered(name: str) -> tuple[str, int]:
    """What is before the digits at the end of a name, and their number; -1 where there are none.

    ptxas looks these up: `%r007` and `%r4294967303` are `%r7` of `%r<8>`, and no name is one of `%r0<8>`.
    """
    prefix = name.rstrip(_DIGITS)
    digits = name[len(prefix) :]
    return prefix, int(digits[-_WRAPS:]) % (1 << _WRAPS) if digits else -1


class Names(Generic[T]):
    """Names and what each stands for: single ones, and ranges `%r<8>`, which declare `%r0` to `%r7`.

    `outer` is the scope around this one; a name is looked for here first.  `known` remembers what was looked for.
    """

    __slots__ = ("known", "outer", "ranges", "singles")

    def __init__(self, outer: Self | None = None) -> None:
        self.outer = outer
        self.singles: dict[str, T] = {}
        self.ranges: dict[str, tuple[T, int]] = {}
        self.known: dict[str, T | None] = {}

    def find(self, name: str) -> T | None:
        """What a name stands for here; None when it is declared nowhere."""
        try:
            return self.known[name]
        except KeyError:
            pass
        found: T | None = None
        scope: Names[T] | None = self
        while scope is not None and found is None:  # Scopes may nest deeper than Python's stack.
            found = scope.known.get(name)
            if found is None:
                found = scope.own(name)
            scope = scope.outer
        self.known[name] = found
        return found

    def own(self, name: str) -> T | None:
        """What a name stands for in this very scope."""
        found = self.singles.get(name)
        return self._in_range(name) if found is None else found

    def _in_range(self, name: str) -> T | None:
        if not self.ranges:
            return None
        prefix, number = numbered(name)
        entry = self.ranges.get(prefix)
        return entry[0] if entry is not None and 0 <= number < entry[1] else None

    def declare(self, name: str, value: T, count: int = 0) -> bool:
        """Declare a name, or `count` numbered ones; False, and nothing is declared, when this scope has one of them."""
        if count:
            singles = [single for single in self.singles if single.startswith(name)]
            if name in self.ranges or any(_number(single, name) < count for single in singles):
                return False
        elif self.own(name) is not None:
            return False
        self.put(name, value, count)
        return True

    def put(self, name: str, value: T, count: int = 0) -> None:
        """Declare a name, or `count` numbered ones, whatever they were: `%r007` is one of `%r<8>` from then on."""
        if count:
            self.ranges[name] = (value, count)
            for single in [single for single in self.singles if single.startswith(name)]:
                if self._in_range(single) is not None:
                    del self.singles[single]
        else:
            self.singles[name] = value
        self.known.clear()


def _number(name: str, prefix: str) -> float:
    """The number after a prefix of a name; infinite when the name is not `prefixN`."""
    digits = name[len(prefix) :] if name.startswith(prefix) else ""
    canonical = digits.isdecimal() and len(digits) < _MOST_DIGITS and str(int(digits)) == digits
    return int(digits) if canonical else float("inf")
