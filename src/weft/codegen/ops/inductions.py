"""What loops of basic blocks count: arguments of their first blocks that each turn advances by a number."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block as MlirBlock

from weft.codegen import linear
from weft.codegen.constants import constant_of
from weft.codegen.graph import Basic, Induction, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.nowrap import SIGNED, UNSIGNED, flags_of
from weft.codegen.provenance import passed_to
from weft.codegen.selector import Selector

_ADDITIONS = ("llvm.add", "arith.addi")


class Counting:
    """A loop of basic blocks that is entered from one block and turned by another."""

    def __init__(self, basics: dict[MlirBlock, Basic], header: MlirBlock, entry: MlirBlock, latch: MlirBlock) -> None:
        self._basics, self._header, self._entry, self._latch = basics, header, entry, latch
        self.loop = Loop(basics[header].block)

    def find(self, s: Selector) -> None:
        """Say which arguments the loop advances; the block that enters it has been selected."""
        for argument in self._header.args:
            held = s.values.get(argument)
            value = held.single() if isinstance(held, Lin) else None
            width = _width(argument)
            if value is None or not width:
                continue
            following: Any = _passed(self._latch, self._header, argument.index).owner
            if getattr(following, "name", "") not in _ADDITIONS or following.operands[0] is not argument:
                continue
            start = s.get(_passed(self._entry, self._header, argument.index))
            step = constant_of(following.operands[1])
            if step and width == start.bits:
                self._note(s, value, start, step, flags_of(following))

    def _note(self, s: Selector, value: Value, start: Lin, step: int, flags: int) -> None:
        if start.bits == 64:
            value.induction = Induction(self.loop, start, linear.const(step))
            return
        if step < 0:
            flags &= SIGNED
        elif flags & SIGNED:
            value.lo = max(value.lo, start.lo)
        if value.lo >= 0 and flags:
            flags = SIGNED | UNSIGNED
        if not flags:
            return
        value.induction = Induction(self.loop, start, linear.const32(step), flags)
        for way in (SIGNED, UNSIGNED):
            if flags & way:
                with s.at(self._basics[self._entry].block):
                    first = s.extended(start, signed=way == SIGNED)
                with s.at(self.loop.body):
                    wide = s.widened(value, signed=way == SIGNED)
                wide.induction = Induction(self.loop, first, linear.const(step))

    def finish(self) -> None:
        """Let the edges and the last block advance what was found to step with the loop; all blocks are selected."""
        steps = self.loop.carried
        latch = self._basics[self._latch]
        latch.block.items += [entry.next.inst for entry in steps]
        for basic, following in ((self._basics[self._entry], False), (latch, True)):
            for edge in basic.edges:
                if edge.target is self._basics[self._header]:
                    edge.copies += [(entry.value, entry.next if following else entry.start) for entry in steps]


def _width(argument: Any) -> int:
    """The bits of an integer, 0 for anything else."""
    return argument.type.width.data if argument.type.name == "integer_type" else 0


def _passed(source: MlirBlock, target: MlirBlock, index: int) -> Any:
    return passed_to(source.last_op, target, index)[0]
