"""Instructions that only some ways on need, put where these ways begin."""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import Block, Graph, If, Inst, Loop, Value, While, values_in
from weft.isa import opcode
from weft.ptx.operands import Register

FUNCTIONS = frozenset(
    {
        "abs", "add", "and", "bfe", "bfi", "brev", "clz", "cnot", "copysign", "cvt", "cvta", "div", "ex2", "fma", "fns",
        "lg2", "lop3", "mad", "mad24", "max", "min", "mul", "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem",
        "rsqrt", "selp", "set", "setp", "shf", "shl", "shr", "slct", "sqrt", "sub", "szext", "testp", "xor",
    }
)  # fmt: skip
"""Families whose results are a function of the operands, wherever the instruction stands."""
CARRYING = tuple(opcode(stem, type="s64").qualified("cc") for stem in ("add", "sub"))
"""Those that the next instruction reads the carry of."""
_MOVED = FUNCTIONS | {"mov"}


def moves(inst: Inst) -> bool:
    """Whether an instruction gives the same wherever it stands behind its operands."""
    if inst.effect or inst.ties or inst.guard is not None or inst.opcode.stem not in _MOVED:
        return False
    return inst.opcode not in CARRYING and not any(type(arg) is Register for arg in inst.args)


def sink(root: Block) -> None:
    """Put each instruction without effects where the ways on that read its results part from the others.

    Never into a loop.  The tree of blocks is that of dominance: the innermost block around all readers is where they
    part.  Dead instructions have been found.
    """
    if any(type(item) is not Inst for item in root.items):
        _Sinker(root)


class _Sinker:
    """Walks a function backwards, so that an instruction's readers are where they will be when it is met."""

    def __init__(self, root: Block) -> None:
        self._readers: dict[Value, Block] = {}
        """The innermost block around what reads a value."""
        self._fronts: dict[Block, list[Inst]] = {}
        """What goes to the beginning of a block, last first."""
        self._block(root)
        for block, front in self._fronts.items():
            block.items[:0] = front[::-1]

    def _read(self, operand: Any, block: Block) -> None:
        for value in (operand,) if type(operand) is Value else values_in(operand):
            before = self._readers.get(value)
            if before is None:
                self._readers[value] = block
            elif before is not block:
                self._readers[value] = _common(before, block)

    def _block(self, block: Block) -> None:
        kept: list[Any] = []
        for item in reversed(block.items):
            if not isinstance(item, Inst) or self._stays(item, block):
                kept.append(item)
            match item:
                case Inst():
                    pass
                case Loop():
                    self._loop(item, block)
                case While():
                    for merge in item.results:
                        self._read(merge.values[0], item.before)
                    for carried in item.carried:
                        self._read(carried.next, item.after)
                    self._block(item.after)
                    self._read(item.test, item.before)
                    self._block(item.before)
                    for carried in item.carried:
                        self._read(carried.start, block)
                case If():
                    for part, side in ((item.then, 0), (item.otherwise, 1)):
                        for merge in item.merges:
                            self._read(merge.values[side], part)
                        self._block(part)
                    self._read(item.test, block)
                case Graph():
                    self._graph(item)
        block.items[:] = kept[::-1]

    def _stays(self, inst: Inst, block: Block) -> bool:
        """Whether an instruction stays where it is; else it goes to the front of another block."""
        target = self._target(inst, block) if inst.live else block
        if inst.live:
            self._read((*inst.args, inst.guard, *(source for _, source in inst.ties)), target)
        if target is block:
            return True
        self._fronts.setdefault(target, []).append(inst)
        for value in inst.outs:
            value.block = target
        return False

    def _loop(self, item: Loop, block: Block) -> None:
        first, second = item.entered()
        for carried in item.carried:
            self._read(carried.next, item.body)
        self._read(item.again, item.body)
        self._block(item.body)
        if item.setup is not None:
            for carried in second:
                self._read(carried.start, item.setup)
            self._block(item.setup)
        self._read(item.guard, block)
        for carried in first:
            self._read(carried.start, block)

    def _graph(self, graph: Graph) -> None:
        for basic in reversed(graph.blocks):
            for edge in basic.edges:
                for _, source in edge.copies:
                    self._read(source, basic.block)
            for test in basic.tests:
                self._read(test, basic.block)
            self._block(basic.block)

    def _target(self, inst: Inst, block: Block) -> Block:
        """Where an instruction goes: `block` itself where it has to stay."""
        if not moves(inst):
            return block
        found: Block | None = None
        for value in inst.outs:
            reader = self._readers.get(value)
            if reader is not None:
                found = reader if found is None else _common(found, reader)
        if found is None or not _inside(found, block):
            return block
        loops = block.loops
        # A reader in a loop that does not hold the instruction's place would compute it in every turn.
        while found is not block and found.loops != loops[: len(found.loops)]:
            assert found.parent
            found = found.parent
        return found


def _inside(block: Block, around: Block) -> bool:
    """Whether a block is another or in it; the test of a loop that a branch leaves is read outside that branch."""
    while block.nested > around.nested:
        assert block.parent
        block = block.parent
    return block is around


def _common(a: Block, b: Block) -> Block:
    """The innermost block around two."""
    while a is not b:
        if a.nested >= b.nested:
            assert a.parent
            a = a.parent
        else:
            assert b.parent
            b = b.parent
    return a
