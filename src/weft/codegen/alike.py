"""Instructions on f32 that are alike, two at a time by one on `f32x2`, where the target has these.

Two instructions of a block are a pair where neither needs the other and their operands come in pairs as well: results
of another pair, neighbours of a vector access, one value for both, or values that belong to no other pair yet. The pair
of registers that two values share is their home; a value of another home costs a copy, and then nothing is gained. What
a loop carries has the home of what it becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from weft.codegen.graph import B32, B64, Block, Const, Inst, Value
from weft.codegen.homes import Homes, several
from weft.codegen.ordering import Ordering
from weft.isa import opcode
from weft.isa.opcode import Opcode

Twice = Callable[[Opcode], "Opcode | None"]
_STEMS = frozenset(("add", "sub", "mul", "fma"))
_TURNED = frozenset(("add", "mul", "fma"))
"""Those whose first two operands may change places."""
_SIGNS = frozenset(("neg", "abs"))
"""What an instruction does to an operand for nothing, if to both."""
_WINDOW = 12
"""Instructions of an opcode among which another is looked for."""
_ENOUGH = 0.3
"""What a pair has to be worth, beyond that nothing speaks against it."""
_PACK = opcode("mov", type="b64")


def pair(root: Block, twice: Twice, used: set[Value]) -> None:
    """Pair the live instructions of all blocks; `twice` says what does an opcode's work on two, if anything does."""
    if not several(root, _paired):
        return
    homes = Homes(root, _paired)
    for block in sorted(homes.blocks, key=lambda block: -block.depth):
        for run in _runs(block):
            _Run(block, run, homes, twice, used).pair()


@cache
def _paired(code: Opcode) -> bool:
    return code.stem in _STEMS and code.get("type") == "f32" and not code.get("sat") and not code.get("atype")


def _runs(block: Block) -> list[tuple[int, int]]:
    """Where instructions stand without control flow between them, last first."""
    found: list[tuple[int, int]] = []
    start = 0
    for at, item in enumerate((*block.items, None)):
        if not isinstance(item, Inst):
            if at - start > 1:
                found.append((start, at))
            start = at + 1
    return found[::-1]


class _Run:
    """Instructions of a block, one after the other: nodes by number, of which some become pairs."""

    def __init__(self, block: Block, run: tuple[int, int], homes: Homes, twice: Twice, used: set[Value]) -> None:
        self._block = block
        self._start, self._end = run
        self._items = [item for item in block.items[slice(*run)] if isinstance(item, Inst) and item.live]
        self._homes = homes
        self._twice = twice
        self._used = used
        self._pairs: list[tuple[int, int, list[int], bool]] = []
        """The pairs, at which places the operands of the second stand, and whether the second is the lower half."""
        self._made: set[tuple[Value, Value]] = set()
        """Results of the pairs, the lower half first."""
        self._depth = block.depth

    def pair(self) -> None:
        """Find pairs, and put them into the block."""
        found = [at for at, inst in enumerate(self._items) if self._may(inst)]
        if len(found) < 2:
            return
        self._order = Ordering(self._items)
        self._at = {self._items[at]: at for at in found}
        alike: dict[Opcode, list[int]] = {}
        for at in found:
            alike.setdefault(self._items[at].opcode, []).append(at)
        places = {at: number for several in alike.values() for number, at in enumerate(several)}
        for at in found:
            if at not in self._order.other:
                several = alike[self._items[at].opcode]
                self._choose(at, several[places[at] + 1 : places[at] + 1 + _WINDOW])
        if self._pairs:
            self._rewrite()

    def _may(self, inst: Inst) -> bool:
        """Whether an instruction may be one of a pair: ptxas makes no fma of a product and a sum in pairs."""
        if inst.guard is not None or inst.ties or inst.effect or len(inst.outs) != 1 or not _paired(inst.opcode):
            return False
        if inst.opcode.get("rnd"):
            return self._twice(inst.opcode) is not None
        if inst.opcode.stem == "mul":
            readers = self._homes.readers.get(inst.outs[0], ())
            return all(reader.opcode.get("rnd") or reader.opcode.stem == "mul" for reader in readers)
        made = (arg.inst for arg in inst.args[1:] if type(arg) is Value and arg.inst is not None)
        return all(one.opcode.stem != "mul" or one.opcode.get("rnd") for one in made)

    # -- which are a pair ---------------------------------------------------------------------------------------

    def _choose(self, at: int, near: Sequence[int]) -> None:
        """Make a pair of an instruction and the one that suits it best, if any does."""
        inst = self._items[at]
        others = dict.fromkeys(self._attracted(inst))
        others |= dict.fromkeys(near)
        ranked: list[tuple[float, int, list[int]]] = []
        for other in others:
            if other != at and other not in self._order.other and self._items[other].opcode is inst.opcode:
                worth, places = self._worth(inst, self._items[other])
                if worth > _ENOUGH:
                    ranked.append((worth, other, places))
        ranked.sort(key=lambda row: -row[0])
        for _, other, places in ranked:
            # Last, because it searches the graph of needs: most candidates have been ruled out by their worth.
            if self._order.apart(at, other):
                self._take(at, other, places)
                return

    def _attracted(self, inst: Inst) -> Iterator[int]:
        """Instructions that read or make the other halves of what this one reads or makes."""
        home = self._homes.home
        for arg in inst.args[1:]:
            if type(arg) is Value and arg in home:
                for reader in self._homes.readers.get(home[arg], ())[:_WINDOW]:
                    if reader in self._at:
                        yield self._at[reader]
        other = home.get(inst.outs[0])
        if other is not None and other.inst in self._at:
            yield self._at[other.inst]

    def _worth(self, a: Inst, b: Inst) -> tuple[float, list[int]]:
        """What two instructions as a pair are worth, 0 for nothing, and where the second's operands stand."""
        count = len(a.args)
        orders = [list(range(1, count))]
        if a.opcode.stem in _TURNED:
            orders.append([2, 1, *range(3, count)])
        best, found = 0.0, orders[0]
        for order in orders:
            parts = [self._operands(a.args[1 + number], b.args[place]) for number, place in enumerate(order)]
            parts.append(self._result(a.outs[0], b.outs[0]))
            if sum(min(part, 0.0) for part in parts) > -1.0 and sum(parts) > best:
                best, found = sum(parts), order
        return best, found

    def _operands(self, a: Any, b: Any) -> float:
        """What two operands are worth: below 0 is what they cost, in instructions."""
        if a is b or a == b:
            return 0.5
        if type(a) is not Value or type(b) is not Value:
            return -float(
                (type(a) is not Value) + (type(b) is not Value)
            )  # Each in a register: ptxas leaves none there.
        signs = [one.inst.opcode if one.inst is not None and one.inst.opcode.stem in _SIGNS else None for one in (a, b)]
        # A negation of one half only would have to be an instruction of its own; equal ones become part of the pair's
        # operand.
        if signs[0] is not signs[1]:
            return -1.0
        if signs[0] is not None and a.inst is not None and b.inst is not None:
            return self._operands(a.inst.args[1], b.inst.args[1])
        home = self._homes.home
        if home.get(a) is b:
            return 1.0
        costs = sum(1.0 if one.block.depth == self._depth else 0.25 for one in (a, b) if one in home)
        if costs:
            return -costs
        return 0.25 if a.inst is not None and b.inst is not None and a.inst.opcode is b.inst.opcode else 0.0

    def _result(self, a: Value, b: Value) -> float:
        home = self._homes.home
        if home.get(a) is b:
            return 1.0
        if a in home or b in home:
            return -1.0 * ((a in home) + (b in home))
        readers = self._homes.readers
        codes = {reader.opcode for reader in readers.get(a, ())[:4]}
        return 0.5 if any(reader.opcode in codes for reader in readers.get(b, ())[:4]) else 0.0

    def _take(self, a: int, b: int, places: list[int]) -> None:
        first, second = self._items[a], self._items[b]
        ways = [self._way(first.args[1 + number], second.args[place]) for number, place in enumerate(places)]
        low, high = (second, first) if sum(ways) < 0 else (first, second)
        self._made.add((low.outs[0], high.outs[0]))
        self._pairs.append((min(a, b), max(a, b), places, low is self._items[max(a, b)]))
        self._order.merge(a, b)
        self._homes.settle(first.outs[0], second.outs[0])
        for number, place in enumerate(places):
            self._homes.settle(first.args[1 + number], second.args[place])

    def _way(self, a: Any, b: Any) -> int:
        """1 where the first of two operands is the lower half of what holds both, -1 where the second is."""
        if type(a) is not Value or type(b) is not Value or a is b:
            return 0
        if (a, b) in self._made or (b, a) in self._made:
            return 1 if (a, b) in self._made else -1
        if a.inst is None or a.inst is not b.inst:
            return 0
        return 1 if a.inst.outs.index(a) < a.inst.outs.index(b) else -1

    # -- rewriting ----------------------------------------------------------------------------------------------

    def _rewrite(self) -> None:
        """Put the instructions in an order in which pairs are one, and write these."""
        self._count_scalars()
        self._packed: dict[Any, Value] = {}
        self._out: list[Inst] = []
        pairs = {pair[0]: pair for pair in self._pairs}
        for at in self._order.sorted():
            if at in pairs:
                self._write(*pairs[at])
            else:
                self._out.append(self._items[at])
        self._block.items[self._start : self._end] = self._out

    def _count_scalars(self) -> None:
        """Take the reads by pairs of what pairs write off the reads of the two values."""
        reads = self._homes.reads
        for pair in self._pairs:
            for read in self._halves(*pair)[1:]:
                if read in self._made:
                    for value in read:
                        reads[value] -= 1

    def _halves(self, at: int, other: int, places: list[int], turned: bool) -> list[tuple[Any, Any]]:
        """The lower and the upper half of the result and of each operand."""
        a, b = self._items[at], self._items[other]
        found = [(a.outs[0], b.outs[0]), *((a.args[1 + number], b.args[place]) for number, place in enumerate(places))]
        return [(high, low) for low, high in found] if turned else found

    def _write(self, at: int, other: int, places: list[int], turned: bool) -> None:
        a = self._items[at]
        code = self._twice(a.opcode)
        assert code is not None
        (low, high), *read = self._halves(at, other, places, turned)
        operands = [self._pack(*halves) for halves in read]
        both = self._value(code, a.source, *operands)
        self._packed[low, high] = both
        if self._homes.reads.get(low, 0) or self._homes.reads.get(high, 0):
            parts = Inst(_PACK, (low, high), ((low, high), both), a.source)
            parts.live = True
            low.inst = high.inst = parts
            self._out.append(parts)

    def _pack(self, a: Any, b: Any) -> Value:
        found = self._packed.get((a, b))
        if found is None:
            if type(a) is not Value and type(b) is not Value:
                found = self._value(_PACK, None, Const(B64, _pattern(a) | _pattern(b) << 32))
            else:
                found = self._value(_PACK, None, (self._in_register(a), self._in_register(b)))
            self._packed[a, b] = found
        return found

    def _in_register(self, operand: Any) -> Value:
        if type(operand) is Value:
            return operand
        value = Value(B32, self._block)
        self._append(opcode("mov", type="b32"), value, operand)
        return value

    def _value(self, code: Opcode, source: Any, *args: Any) -> Value:
        value = Value(B64, self._block)
        self._append(code, value, *args, source=source)
        return value

    def _append(self, code: Opcode, value: Value, *args: Any, source: Any = None) -> None:
        inst = Inst(code, (value,), (value, *args), source)
        inst.live = True
        value.inst = inst
        self._used.add(value)
        self._out.append(inst)


def _pattern(operand: Any) -> int:
    return (operand.pattern if isinstance(operand, Const) else operand) & 0xFFFFFFFF
