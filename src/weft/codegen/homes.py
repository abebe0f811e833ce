"""What reads each value, and which two values share a pair of registers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from weft.codegen.asm import Asm, instructions
from weft.codegen.graph import B32, Block, Graph, If, Inst, Loop, Value, While, values_in
from weft.codegen.joining import inside
from weft.isa.opcode import Opcode
from weft.ptx.operands import Register, Vector


def several(root: Block, wanted: Callable[[Opcode], bool]) -> bool:
    """Whether more than one live instruction could be one of a pair."""
    found, work = 0, [root]
    while work and found < 2:
        for item in work.pop().items:
            if isinstance(item, Inst):
                found += item.live and wanted(item.opcode) and len(item.outs) == 1
            else:
                work += inside(item)
    return found > 1


class Homes:
    """The pairs of registers that values are to share, which vectors give at first, and who reads a value."""

    def __init__(self, root: Block, wanted: Callable[[Opcode], bool]) -> None:
        self._wanted = wanted
        self.blocks: list[Block] = []
        self.reads: dict[Value, int] = {}
        self.readers: dict[Value, list[Inst]] = {}
        """The instructions that could be one of a pair and read a value."""
        self.home: dict[Value, Value] = {}
        """The other value of a pair."""
        self._kin: dict[Value, dict[Any, Value]] = {}
        """By a place of the program, what a value becomes or was there."""
        vectors: list[Sequence[Any]] = []
        self._block(root, vectors)
        for vector in vectors:
            for a, b in zip(vector[::2], vector[1::2], strict=False):
                self.settle(a, b)

    def settle(self, a: Any, b: Any) -> None:
        """Give two values a home, and what they become and were, where they have none."""
        work = [(a, b)]
        while work:
            a, b = work.pop()
            if type(a) is not Value or type(b) is not Value or a is b or a.cls != B32 or b.cls != B32:
                continue
            if a in self.home or b in self.home:
                continue
            self.home[a], self.home[b] = b, a
            others = self._kin.get(b, {})
            # What two values become, or were, at the same place of the program goes on in pairs: the halves of a loop's
            # carried vector stay together without moves.
            work += [(one, others[place]) for place, one in self._kin.get(a, {}).items() if place in others]

    def _relate(self, place: object, now: Any, before: Any) -> None:
        if type(now) is Value and type(before) is Value:
            self._kin.setdefault(now, {})[place, 0] = before
            self._kin.setdefault(before, {})[place, 1] = now

    def _read(self, *operands: Any) -> None:
        for operand in operands:
            for value in values_in(operand):
                self.reads[value] = self.reads.get(value, 0) + 1

    def _block(self, block: Block, vectors: list[Sequence[Any]]) -> None:
        self.blocks.append(block)
        for item in block.items:
            match item:
                case Inst():
                    if item.live:
                        self._inst(item, vectors)
                case Loop() | While():
                    self._loop(item)
                case If():
                    self._read(item.test)
                    for merge in item.merges:
                        self._read(*merge.values)
                        for side, source in enumerate(merge.values):
                            self._relate((id(item), side), merge.value, source)
                case Graph():
                    for basic in item.blocks:
                        self._read(*basic.tests)
                        for edge in basic.edges:
                            for value, source in edge.copies:
                                self._read(source)
                                self._relate(id(edge), value, source)
            for inner in inside(item):
                self._block(inner, vectors)

    def _inst(self, inst: Inst, vectors: list[Sequence[Any]]) -> None:
        self._read(*(arg for arg in inst.args if arg not in inst.outs), inst.guard, *(s for _, s in inst.ties))
        if len(inst.outs) == 1 and self._wanted(inst.opcode):
            for arg in {*inst.args[1:]}:
                if type(arg) is Value:
                    self.readers.setdefault(arg, []).append(inst)
        vectors += [arg for arg in inst.args if isinstance(arg, tuple)]
        if isinstance(inst, Asm):
            vectors += _vectors(inst)

    def _loop(self, item: Loop | While) -> None:
        self._read(*((item.guard, item.again) if isinstance(item, Loop) else (item.test,)))
        for carried in item.carried:
            self._read(carried.start, carried.next)
            self._relate((id(item), "start"), carried.value, carried.start)
            self._relate((id(item), "next"), carried.value, carried.next)
            if isinstance(item, Loop) and carried.result is not None:
                self._read(carried.value)
                self._relate((id(item), "result"), carried.result, carried.value)
        if isinstance(item, While):
            for merge in item.results:
                self._read(merge.values[0])
                self._relate((id(item), "left"), merge.value, merge.values[0])


def _vectors(asm: Asm) -> Iterator[Sequence[Any]]:
    """What the vectors of inline PTX hold."""
    for instruction in instructions(asm.statements):
        for operand in instruction.operands:
            if isinstance(operand, Vector):
                yield [asm.places.get(one.name) if isinstance(one, Register) else None for one in operand.elements]
