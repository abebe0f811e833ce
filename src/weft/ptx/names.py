"""The names that one `{ ... }` declares, and those around it: what the parser, the verifier and the analyses share."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

T = TypeVar("T")

_DIGITS = "0123456789"
_MOST_DIGITS = 12


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
        prefix = name.rstrip(_DIGITS)
        digits = name[len(prefix) :]
        while digits:  # `%r01` is none of `%r<8>`, but may be one of `%r0<8>`.
            entry = self.ranges.get(prefix)
            plain = len(digits) < _MOST_DIGITS and (digits == "0" or digits[0] != "0")
            if entry is not None and plain and int(digits) < entry[1]:
                return entry[0]
            prefix, digits = prefix + digits[0], digits[1:]
        return None

    def declare(self, name: str, value: T, count: int = 0) -> bool:
        """Declare a name, or `count` numbered ones; False, and nothing is declared, when this scope has one of them."""
        if count:
            if name in self.ranges or any(_number(single, name) < count for single in self.singles):
                return False
        elif self.own(name) is not None:
            return False
        self.put(name, value, count)
        return True

    def put(self, name: str, value: T, count: int = 0) -> None:
        """Declare a name, or `count` numbered ones, whatever they were."""
        if count:
            self.ranges[name] = (value, count)
        else:
            self.singles[name] = value
        self.known.clear()


def _number(name: str, prefix: str) -> float:
    """The number after a prefix of a name; infinite when the name is not `prefixN`."""
    digits = name[len(prefix) :] if name.startswith(prefix) else ""
    canonical = digits.isdecimal() and len(digits) < _MOST_DIGITS and str(int(digits)) == digits
    return int(digits) if canonical else float("inf")
