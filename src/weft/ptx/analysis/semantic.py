"""How two functions differ in what they compute, whatever their registers, labels and order of blocks are.

Instructions are matched by what is around them: first those whose whole surroundings agree, then with ever smaller
ones, and from each match along the values that it reads and writes.  What is left has changed; what is matched must
read the same values, and stand in the same order where that matters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from weft.dataclass import dataclass
from weft.ptx.analysis.meaning import ENTRY, Meaning, meaning
from weft.ptx.ast import Function, Module
from weft.ptx.difference import diff_outside, signature_changes

_POINTER = re.compile(r" \.ptr(?: \.(?:global|const|local|shared))?(?: \.align \d+)?")
_DEFAULTS = re.compile(r"(?<=\d)(?:, 1){1,2}(?=$| )")
_DEEPEST = 24
_MOST_WORK = 600_000  # Nodes times rounds.


@dataclass(frozen=True, slots=True)
class SemanticChange:
    """One difference: its kind, where it is, and what only the one or only the other module has there."""

    kind: str
    where: str
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [f"@ {self.where}: {self.kind}"]
        return "\n".join([*lines, *(f"- {line}" for line in self.removed), *(f"+ {line}" for line in self.added)])


def semantic_diff(old: Module, new: Module) -> list[SemanticChange]:
    """The differences between two modules in what they compute; functions are matched by name.

    Registers, labels, the order of blocks and of independent instructions, and the type of loads, stores and moves of
    the same width do not count, nor does debug information.
    """
    changes = [SemanticChange(c.where.partition(" ")[0], c.where, c.removed, c.added) for c in diff_outside(old, new)]
    for change in signature_changes(old, new):
        if list(map(_essence, change.removed)) != list(map(_essence, change.added)):
            changes.append(SemanticChange("signature", change.where, change.removed, change.added))
    theirs = {function.name: function for function in new.functions}
    for function in old.functions:
        other = theirs.get(function.name)
        if other is not None and _is_untouched(old, function) and _is_untouched(new, other):
            places = (old.source or "")[function.pos : function.end], (new.source or "")[other.pos : other.end]
            if places[0] == places[1]:
                continue
        if function.defined and other is not None and other.defined:
            before, after = meaning(function), meaning(other)
            if not _is_same(before, after):
                changes += _Matching(function.name, before, after).changes()
    return changes


def _is_untouched(module: Module, function: Function) -> bool:
    """Whether a function is as its module's text has it."""
    return function.unread is not None and function.end != -1 and module.source is not None


def _essence(signature: str) -> str:
    """A signature without what is the default, and what is only known of pointers."""
    return _DEFAULTS.sub("", _POINTER.sub("", signature))


def _is_same(old: Meaning, new: Meaning) -> bool:
    """Whether two functions compute the same in the same order."""
    same = old.ways == new.ways and len(old.nodes) == len(new.nodes)
    return same and all(
        one.label == other.label and one.uses == other.uses and one.block == other.block
        for one, other in zip(old.nodes, new.nodes, strict=True)
    )


class _Matching:
    """The nodes of two functions, and which go together."""

    def __init__(self, name: str, old: Meaning, new: Meaning) -> None:
        self.name = name
        self.old, self.new = old, new
        self.match: dict[int, int] = {ENTRY: ENTRY}
        self.back: dict[int, int] = {ENTRY: ENTRY}
        self.changed: set[int] = set()
        self._left, self._right = list(range(len(old.nodes))), list(range(len(new.nodes)))
        self.users = (_users(self.old), _users(self.new))

    def changes(self) -> Iterator[SemanticChange]:
        """Every difference, in the order of the old function; what is only in the new one last."""
        size = max(len(self.old.nodes), len(self.new.nodes), 1)
        rounds = max(2, min(_DEEPEST, _MOST_WORK // size))
        for mine, theirs in reversed(self._levels(rounds)):
            self._pair(mine, theirs)
        self._pair_changed()
        blocks = self._blocks()
        displaced = self._displaced(blocks)
        for node, one in enumerate(self.old.nodes):
            kind = self._kind(node, blocks, displaced)
            if kind:
                partner = self.match.get(node)
                added = () if partner is None else (self.new.nodes[partner].text,)
                yield SemanticChange(kind, f"function {self.name}, instruction {node + 1}", (one.text,), added)
        for node, one in enumerate(self.new.nodes):
            if node not in self.back:
                where = f"function {self.name}, instruction {node + 1} of the new"
                yield SemanticChange("instruction added", where, (), (one.text,))

    # -- matching -------------------------------------------------------------------------------------------------

    def _levels(self, rounds: int) -> list[tuple[list[int], list[int]]]:
        """Numbers for the surroundings of each node of the old and the new, wider from level to level.

        The refinement of Weisfeiler and Leman; a node that is alone with its partner, or has none, is settled.
        """
        both = zip((self.old, self.new), self.users, strict=True)
        graphs = [(graph, users, _neighbours(graph)) for graph, users in both]
        now = [[hash(node.label) for node in graph.nodes] for graph, *_ in graphs]
        levels = [(now[0], now[1])]
        known = len({*now[0], *now[1]})
        for _ in range(rounds):
            mine, theirs = map(Counter, now)
            open_ = {colour for colour, count in mine.items() if theirs[colour] and count + theirs[colour] > 2}
            if not open_:
                break
            now = [_wider(*graph, colours, open_) for graph, colours in zip(graphs, now, strict=True)]
            levels.append((now[0], now[1]))
            before, known = known, len({*now[0], *now[1]})
            if known == before:  # Wider surroundings tell no more apart.
                break
        return levels

    def _pair(self, mine: list[int], theirs: list[int]) -> None:
        """Match what has the same surroundings; equal ones in text order."""
        waiting: dict[int, list[int]] = {}
        self._left = [node for node in self._left if node not in self.match]
        self._right = [node for node in self._right if node not in self.back]
        for node in reversed(self._right):
            waiting.setdefault(theirs[node], []).append(node)
        counts = Counter(mine[node] for node in self._left)
        for unique in (True, False):  # What is alone first: it decides about its neighbours.
            for node in self._left:
                colour = mine[node]
                found = waiting.get(colour)
                if node in self.match or not found:
                    continue
                while found and found[-1] in self.back:
                    found.pop()
                if found and (not unique or (counts[colour] == 1 and len(found) == 1)):
                    self._add(node, found.pop())

    def _add(self, node: int, partner: int) -> None:
        """Match two nodes, and what they read and what reads them where there is but one choice."""
        todo = [(node, partner)]
        while todo:
            node, partner = todo.pop()
            if node in self.match or partner in self.back:
                continue
            if self.old.nodes[node].label != self.new.nodes[partner].label:
                continue
            self.match[node], self.back[partner] = partner, node
            uses = zip(self.old.nodes[node].uses, self.new.nodes[partner].uses, strict=False)
            for mine, theirs in uses:
                if len(mine) == len(theirs) == 1:
                    todo.append((min(mine), min(theirs)))
                elif len(mine) == len(theirs):
                    todo += self._definitions_alike(mine, theirs)
            todo += self._users_alike(node, partner)

    def _definitions_alike(self, mine: frozenset[int], theirs: frozenset[int]) -> Iterator[tuple[int, int]]:
        """Of several definitions of a value, those that are the only ones of their label, or that are left."""
        left, right = [d for d in mine if d not in self.match], [d for d in theirs if d not in self.back]
        if len(left) == len(right) == 1:
            yield left[0], right[0]
            return
        labels = Counter(self.old.nodes[definition].label for definition in left)
        others = {self.new.nodes[definition].label: definition for definition in right}
        for definition in left:
            label = self.old.nodes[definition].label
            if labels[label] == 1 and label in others and len(others) == len(right):
                yield definition, others[label]

    def _users_alike(self, node: int, partner: int) -> Iterator[tuple[int, int]]:
        mine = self._by_label(self.old, self.users[0][node], self.match)
        theirs = self._by_label(self.new, self.users[1][partner], self.back)
        for key, found in mine.items():
            others = theirs.get(key, [])
            if len(found) == len(others) == 1:
                yield found[0], others[0]

    def _by_label(
        self, graph: Meaning, users: list[tuple[int, int]], done: dict[int, int]
    ) -> dict[tuple[str, int], list[int]]:
        found: dict[tuple[str, int], list[int]] = {}
        for user, slot in users:
            if user not in done:
                found.setdefault((graph.nodes[user].label, slot), []).append(user)
        return found

    def _pair_changed(self) -> None:
        """Of what is left, pair what has the same user, or else stands in blocks that go together, in text order."""
        for node, partner in list(self.match.items()):
            if node == ENTRY:
                continue
            for mine, theirs in zip(self.old.nodes[node].uses, self.new.nodes[partner].uses, strict=False):
                left = [definition for definition in mine if definition not in self.match]
                right = [definition for definition in theirs if definition not in self.back] if len(left) == 1 else []
                if len(right) == 1:
                    self._change(left[0], right[0])
        blocks = self._blocks()
        waiting: dict[int, list[int]] = {}
        for node, one in enumerate(self.new.nodes):
            if node not in self.back:
                waiting.setdefault(one.block, []).append(node)
        for node, one in enumerate(self.old.nodes):
            found = waiting.get(blocks.get(one.block, -1), [])
            alike = [other for other in found if other not in self.back and self._akin(node, other)]
            if node not in self.match and alike:
                self._change(node, alike[0])

    def _akin(self, node: int, other: int) -> bool:
        """Whether an instruction may have become another: the same one with other modifiers or operands."""
        mine, theirs = self.old.nodes[node], self.new.nodes[other]
        same = mine.label.split(".")[0] == theirs.label.split(".")[0]
        return same or (bool(mine.uses) and [self._partners(d) for d in mine.uses] == [set(d) for d in theirs.uses])

    def _partners(self, nodes: frozenset[int]) -> set[int]:
        return {self.match[node] for node in nodes if node in self.match}

    def _change(self, node: int, partner: int) -> None:
        if node not in self.match and partner not in self.back:
            self.match[node], self.back[partner] = partner, node
            self.changed.add(node)

    # -- judging --------------------------------------------------------------------------------------------------

    def _blocks(self) -> dict[int, int]:
        """Which blocks go together: those with the most matches."""
        votes: dict[int, Counter[int]] = {}
        for node, partner in self.match.items():
            if node != ENTRY:
                weight = 100 if self.old.nodes[node].ordered else 1  # Others may be anywhere.
                votes.setdefault(self.old.nodes[node].block, Counter())[self.new.nodes[partner].block] += weight
        return {block: found.most_common(1)[0][0] for block, found in votes.items()}

    def _kind(self, node: int, blocks: dict[int, int], displaced: set[int]) -> str:
        partner = self.match.get(node)
        if partner is None:
            return "instruction removed"
        mine, theirs = self.old.nodes[node], self.new.nodes[partner]
        if node in self.changed:
            return "instruction changed"
        for reads, others in zip(mine.uses, theirs.uses, strict=True):
            if self._partners(reads) != {other for other in others if other in self.back}:
                return "operand changed"
        if self._leads_elsewhere(node, partner, blocks):
            return "branch changed"
        return "instruction moved" if node in displaced else ""

    def _leads_elsewhere(self, node: int, partner: int, blocks: dict[int, int]) -> bool:
        """Whether other blocks follow the last node of a block."""
        mine, theirs = self.old.nodes[node], self.new.nodes[partner]
        last = all(one.block != mine.block for one in self.old.nodes[node + 1 : node + 2])
        if not last or blocks.get(mine.block) != theirs.block:
            return False
        ways = self.old.ways[mine.block]
        return all(way in blocks for way in ways) and [blocks[way] for way in ways] != list(self.new.ways[theirs.block])

    def _displaced(self, blocks: dict[int, int]) -> set[int]:
        """What is elsewhere among the instructions whose order matters."""
        found: set[int] = set()
        order: dict[int, list[int]] = {}
        for node, one in enumerate(self.old.nodes):
            if node in self.match and one.ordered:
                order.setdefault(one.block, []).append(node)
        for block, nodes in order.items():
            here = [node for node in nodes if self.new.nodes[self.match[node]].block == blocks.get(block)]
            found.update(set(nodes) - set(here))
            kept = _longest_rising([self.match[node] for node in here])
            found.update(node for node in here if self.match[node] not in kept)
        epochs = _epochs(self.old, {node for node in self.match if node not in found})
        others = _epochs(self.new, {p for node, p in self.match.items() if node not in found})
        for node, one in enumerate(self.old.nodes):
            partner = self.match.get(node)
            if not one.loads or partner is None or epochs[node] == others[partner]:
                continue
            if self.new.nodes[partner].block == blocks.get(one.block):
                found.add(node)
        return found


def _users(graph: Meaning) -> list[list[tuple[int, int]]]:
    """For each node, those that may read what it writes, each with the place of the operand."""
    users: list[list[tuple[int, int]]] = [[] for _ in graph.nodes]
    for node, one in enumerate(graph.nodes):
        for slot, definitions in enumerate(one.uses):
            for definition in definitions - {ENTRY}:
                users[definition].append((node, slot))
    return users


def _wider(
    graph: Meaning, users: list[list[tuple[int, int]]], near: list[tuple[int, ...]], now: list[int], open_: set[int]
) -> list[int]:
    """The numbers after one more round, of the nodes whose numbers are open."""
    wider = list(now)
    at = [*now, 0].__getitem__  # The entry is -1, and so is no neighbour.
    for node, colour in enumerate(now):
        if colour in open_:
            reads = [at(*r) if len(r) == 1 else tuple(sorted(map(at, r))) for r in graph.nodes[node].uses]
            read_by = [(slot, at(user)) for user, slot in users[node]]
            read_by.sort()
            wider[node] = hash((colour, tuple(reads), tuple(read_by), tuple(map(at, near[node]))))
    return wider


def _neighbours(graph: Meaning) -> list[tuple[int, ...]]:
    """For each node whose order matters, the ones like it before and after; for the last, the first of blocks after."""
    ordered: dict[int, list[int]] = {}
    for node, one in enumerate(graph.nodes):
        if one.ordered:
            ordered.setdefault(one.block, []).append(node)
    near: list[tuple[int, ...]] = [() for _ in graph.nodes]
    for block, nodes in ordered.items():
        after = [ordered.get(way, [ENTRY])[0] for way in graph.ways[block]]
        for index, node in enumerate(nodes):
            before = nodes[index - 1] if index else ENTRY
            near[node] = (before, *(nodes[index + 1 : index + 2] or after))
    return near


def _longest_rising(numbers: list[int]) -> set[int]:
    """The longest rising part of a sequence, its members in order but not side by side."""
    tails: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if tails[middle] < number else (low, middle)
        before[number] = tails[low - 1] if low else None
        tails[low : low + 1] = [number]
    kept: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept


def _epochs(graph: Meaning, counted: set[int]) -> list[int]:
    """How many of the counted nodes whose order matters stand before each node in its block."""
    seen: Counter[int] = Counter()
    epochs: list[int] = []
    for node, one in enumerate(graph.nodes):
        epochs.append(seen[one.block])
        seen[one.block] += one.ordered and node in counted
    return epochs
