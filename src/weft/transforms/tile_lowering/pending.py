"""Products that are still under way: nothing may touch their sums, nor what they read from registers, until a wait.

ptxas would make such a product wait at once ("Potential Performance Loss"); here it is an error at the line.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from weft.dialects.tile.types import LOCAL, BufferType
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, Region, SSAValue

Tiles = frozenset["SSAValue"]
State = tuple[Tiles, ...]
"""The tiles that each group of products uses, the oldest first; the last group is not committed yet."""

_NONE: Tiles = frozenset()
_START: State = (_NONE,)
_SILENT = ("tile.subview", "tile.reshape", "tile.alloc")
COMMIT = "nvvm.wgmma.commit.group.sync.aligned"
WAIT = "nvvm.wgmma.wait.group.sync.aligned"
PRODUCT = "tile.gemm_async"


def check_pending(function: Operation) -> None:
    """Refuse what touches the registers of a product before it has been waited for.

    Raises:
        CompileError: at the line that does.
    """
    if any(op.name == PRODUCT for op in function.walk()):
        _Check().region(function.regions[0], _START)


class _Check:
    def __init__(self) -> None:
        self._roots: dict[SSAValue, SSAValue] = {}
        self._sums: set[SSAValue] = set()

    def region(self, region: Region, state: State) -> State:
        """The state behind a region."""
        for block in region.blocks:
            state = self._block(block, state)
        return state

    def _block(self, block: Block, state: State) -> State:
        for op in block.ops:
            state = self._operation(op, state)
        return state

    def _operation(self, op: Operation, state: State) -> State:
        if op.name == COMMIT:
            return (*state, _NONE)
        if op.name == WAIT:
            groups: Any = op.properties["group"]
            left = int(groups.value.data)
            return state[max(0, len(state) - 1 - left) :]
        if op.name in _SILENT:
            if op.name != "tile.alloc":
                self._roots[op.results[0]] = self._root(op.operands[0])
            return state
        if op.regions:
            return self._choice(op, state)
        used = {self._root(value) for value in op.operands if _in_registers(value)}
        if op.name == PRODUCT:
            return self._product(op, used, state)
        self._refuse(op, used & _NONE.union(*state))
        return state

    def _product(self, op: Operation, used: Iterable[SSAValue], state: State) -> State:
        sums = self._root(op.operands[0])
        pending = _NONE.union(*state)
        self._refuse(op, {x for x in used if x is not sums and x in pending and x in self._sums})
        self._sums.add(sums)
        return (*state[:-1], state[-1].union(used))

    def _choice(self, op: Operation, state: State) -> State:
        if op.name in ("scf.for", "scf.while"):
            for _ in range(2):
                after = state
                for region in op.regions:
                    after = self.region(region, after)
                state = _either(state, after)
            return state
        if op.name == "scf.if":
            first, *others = (self.region(region, state) if region.blocks else state for region in op.regions)
            for other in others:
                first = _either(first, other)
            return first
        return state

    def _root(self, value: SSAValue) -> SSAValue:
        return self._roots.get(value, value)

    @staticmethod
    def _refuse(op: Operation, touched: Iterable[SSAValue]) -> None:
        if any(True for _ in touched):
            raise compile_error(
                op,
                "this touches registers of a product that is still under way",
                "warpgroup.wait(0) first; or wait(n), where the last n groups of products use other tiles",
            )


def _in_registers(value: SSAValue) -> bool:
    return isinstance(value.type, BufferType) and value.type.space.data == LOCAL


def _either(a: State, b: State) -> State:
    """What may be under way on one path or the other, the newest groups side by side."""
    length = max(len(a), len(b))
    a, b = ((_NONE,) * (length - len(x)) + x for x in (a, b))
    return tuple(x | y for x, y in zip(a, b, strict=True))
