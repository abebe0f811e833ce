"""An order of instructions in which some pairs of them are one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush

from weft.codegen.graph import Inst, Value, values_in
from weft.codegen.sinking import moves

_VISITED = 200
"""Instructions that are looked at to find that one does not need another."""


class Ordering:
    """Instructions by number: what each needs of those before, and how long the longest way to it is, its level.

    Those that have to stay where they are need one another in turn.
    """

    def __init__(self, items: Sequence[Inst]) -> None:
        self.other: dict[int, int] = {}
        """By an instruction of a pair, the other."""
        made: dict[Value, int] = {}
        self._needs: list[list[int]] = []
        self._feeds: list[list[int]] = [[] for _ in items]
        self._level: list[int] = []
        fixed = -1
        for at, inst in enumerate(items):
            read = (value for arg in (*inst.args, inst.guard, *(s for _, s in inst.ties)) for value in values_in(arg))
            needs = {made[value] for value in read if value in made}
            if not moves(inst):
                needs |= {fixed} if fixed >= 0 else set()
                fixed = at
            needs.discard(at)
            for one in needs:
                self._feeds[one].append(at)
            for value in inst.outs:
                made[value] = at
            self._needs.append([*needs])
            self._level.append(1 + max((self._level[one] for one in needs), default=0))

    def apart(self, a: int, b: int) -> bool:
        """Whether neither of two instructions needs the other."""
        if self._level[a] > self._level[b]:
            a, b = b, a
        # An instruction is above all that it needs: on one level neither can need the other.
        if self._level[a] == self._level[b]:
            return True
        low, seen, work = self._level[a], {b}, [b]
        while work:
            for one in self._needed(work.pop()):
                if one == a:
                    return False
                if one not in seen and self._level[one] > low:
                    seen.add(one)
                    work.append(one)
            # Given up: too long a search counts as "not apart", which only costs a pair.
            if len(seen) > _VISITED:
                return False
        return True

    def _needed(self, at: int) -> Sequence[int]:
        other = self.other.get(at)
        return self._needs[at] if other is None else [*self._needs[at], *self._needs[other]]

    def merge(self, a: int, b: int) -> None:
        """Make a pair of two instructions: they come to one level, and what needs them above it."""
        self.other[a], self.other[b] = b, a
        work = [(one, max(self._level[a], self._level[b])) for one in (a, b)]
        while work:
            at, level = work.pop()
            if self._level[at] >= level:
                continue
            self._level[at] = level
            work += [(one, level + 1) for one in self._feeds[at]]
            if (other := self.other.get(at)) is not None:
                work.append((other, level))

    def sorted(self) -> Iterator[int]:
        """The instructions in order, of a pair only the first, once both can be done."""
        first = {at: min(at, self.other[at]) if at in self.other else at for at in range(len(self._needs))}
        waits: dict[int, int] = {}
        for at, needs in enumerate(self._needs):
            waits[first[at]] = waits.get(first[at], 0) + len(needs)
        ready = [at for at, count in waits.items() if not count]
        # The heap takes the earliest in the text first: pairs move as little as they must, and live ranges stay as they
        # were.
        heapify(ready)
        while ready:
            at = heappop(ready)
            yield at
            for one in (at, self.other[at]) if at in self.other else (at,):
                for fed in self._feeds[one]:
                    waits[first[fed]] -= 1
                    if not waits[first[fed]]:
                        heappush(ready, first[fed])
