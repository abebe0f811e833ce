"""Products that are still under way: nothing may touch their sums, nor what they read from registers, until a wait.

ptxas would make such products wait for each other ("Potential Performance Loss", C7511 to C7517); here it is an error
at the line.  So is a product that nothing waits for, one that is under way on one side of a branch only (the sums of
the other side would have to be moved meanwhile), and more registers for what is under way than a thread has.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import LOCAL, BufferType
from weft.mlir import compile_error
from weft.mlir.walking import operations_in

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
SET_REGISTERS = "nvvm.setmaxregister"
MOST_REGISTERS = 255
"""Registers that a thread can have."""
SPARE = 31
"""Registers that ptxas needs beside those of products under way: it takes 224 of 255, 200 of 232, not 8 more."""


def check_pending(function: Operation) -> None:
    """Refuse what touches the registers of a product before it has been waited for.

    Raises:
        CompileError: at the line that does.
    """
    if any(op.name == PRODUCT for op in operations_in(function.regions)):
        check = _Check()
        check.ended(check.region(function.regions[0], _START))


class _Check:
    def __init__(self) -> None:
        self._roots: dict[SSAValue, SSAValue] = {}
        self._sums: set[SSAValue] = set()
        self._at: dict[SSAValue, Operation] = {}
        self._begun: set[SSAValue] = set()
        self._granted = MOST_REGISTERS

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
        name = op.name
        if not name.startswith("tile.") and name not in (COMMIT, WAIT) and not op.regions:
            if name == SET_REGISTERS:
                count: Any = op.properties["regCount"]
                self._granted = int(count.value.data)
            return state
        if name == COMMIT:
            return (*state, _NONE)
        if op.name == WAIT:
            groups: Any = op.properties["group"]
            left = int(groups.value.data)
            # The last group of the state is not committed: it does not count among those that a wait leaves pending.
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
        self._begun.add(sums)
        self._at[sums] = op
        self._check_registers(op, pending.union(used))
        return (*state[:-1], state[-1].union(used))

    def _check_registers(self, op: Operation, used: Iterable[SSAValue]) -> None:
        held = sum(-(-buffer_type(x).storage_bytes // 4) for x in used)
        if held > self._granted - SPARE:
            raise compile_error(
                op,
                f"the products in flight here hold {held} registers, of the {self._granted} that a thread has",
                f"keep to {self._granted - SPARE}: use smaller tiles, or write warpgroup.wait before",
            )

    def ended(self, state: State) -> None:
        """Refuse products that nothing has waited for."""
        for sums, op in self._at.items():
            if sums in _NONE.union(*state):
                raise compile_error(op, "this product is never waited for", "write warpgroup.wait(0) after it")

    def _choice(self, op: Operation, state: State) -> State:
        if op.name in ("scf.for", "scf.while"):
            # Twice: the second time starts with what the first has left pending, as the loop's next turn does.
            for _ in range(2):
                after = state
                for region in op.regions:
                    after = self.region(region, after)
                state = _either(state, after)
            return state
        if op.name == "scf.if":
            return self._branch(op, state)
        return state

    def _branch(self, op: Operation, state: State) -> State:
        """The state behind an `if`: what one of its sides has started, the other one has too, or it was waited for."""
        ends: list[State] = []
        left: list[set[SSAValue]] = []
        outer, granted = self._begun, self._granted
        for region in op.regions:
            self._begun, self._granted = set(), granted
            ends.append(self.region(region, state) if region.blocks else state)
            left.append(self._begun & _NONE.union(*ends[-1]))
            outer |= self._begun
        self._begun, self._granted = outer, granted
        # A product pending on one side only could be waited for by neither code behind the branch: which registers are
        # in use would depend on the way taken.
        for sums in left[0] ^ left[1]:
            raise compile_error(
                self._at[sums],
                "this product is still in flight at the end of its branch or role",
                "write warpgroup.wait(0) there",
            )
        return _either(*ends)

    def _root(self, value: SSAValue) -> SSAValue:
        return self._roots.get(value, value)

    @staticmethod
    def _refuse(op: Operation, touched: Iterable[SSAValue]) -> None:
        if any(True for _ in touched):
            raise compile_error(
                op,
                "this uses registers of a product that is still in flight",
                "write warpgroup.wait(0) before it, or wait(n) if the last n groups of products use other tiles",
            )


def _in_registers(value: SSAValue) -> bool:
    return isinstance(value.type, BufferType) and value.type.space.data == LOCAL


def _either(a: State, b: State) -> State:
    """What may be under way on one path or the other, the newest groups side by side."""
    length = max(len(a), len(b))
    a, b = ((_NONE,) * (length - len(x)) + x for x in (a, b))
    return tuple(x | y for x, y in zip(a, b, strict=True))
