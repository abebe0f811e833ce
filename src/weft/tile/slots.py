"""Full slots of a pipeline: their tiles, and how they are given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Block, Operation

from weft.tile import machine
from weft.tile.regions import Region
from weft.tile.ring_state import State, slot_before
from weft.tile.roles import Role
from weft.tile.scalars import where
from weft.tile.trace import current, error

if TYPE_CHECKING:
    from types import TracebackType

    from weft.tile.pipelines import Pipeline

_READS = frozenset({"tile.copy", "tile.load"})
"""Operations through which threads themselves read a slot."""


class Slot:
    """A full slot: its tiles by name.  Of a pipeline with one tile the slot stands for it."""

    def __init__(self, ring: Pipeline, index: Any, role: Role, behind: int = 0) -> None:
        self._ring = ring
        self._index = index
        self._role = role
        self._behind = behind
        self._block = current().block
        self.before = self._block.last_op

    def __getattr__(self, name: str) -> Region:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._ring.tiles:
            raise error(f"the slot has no tile '{name}'", f"its tiles: {', '.join(self._ring.tiles)}")
        return self._ring.slot(name, self._index)

    @property
    def _only(self) -> Region:
        names = list(self._ring.tiles)
        if len(names) != 1:
            raise error(f"the slot has {len(names)} tiles", f"name the tile, as in slot.{names[0]}")
        return self._ring.slot(names[0], self._index)

    def as_region(self) -> Region:
        """The slot's only tile."""
        return self._only

    def transpose(self, *order: int) -> Region:
        """The slot's only tile with its dimensions in another order."""
        return self._only.transpose(*order)

    def __getitem__(self, given: object) -> Any:
        return self._only[given]

    def __enter__(self) -> Slot:
        self._check()
        extra = current().extra
        extra["taken"] = extra.get("taken", 0) + 1
        return self

    def _check(self) -> None:
        if current().block is not self._block:
            raise error("a slot must be released in the block that took it")

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        current().extra["taken"] -= 1
        if kind is not None:
            return
        self._check()
        ring, state = self._ring, self._ring.taking_state(self._role)
        assert state is not None
        done = operations_since(self._block, self.before)
        if any(op.name == "tile.gemm_async" for op in done):
            machine.commit_products()
            machine.wait_products(self._behind)
        synchronize = any(op.name in _READS for op in done)
        if self._role.multiplies and synchronize:
            raise error(
                "the role that multiplies into tensor memory cannot read a slot in its threads",
                "use another role for that",
            )
        if (
            not self._behind or self._role.multiplies
        ):  # Which gives slots back when its products are done, without waiting.
            ring.give_back(self._role, self._index, synchronize=synchronize)
            return
        if synchronize:
            raise error(
                "a slot held with `behind` cannot be read by the threads themselves", "use take() without `behind`"
            )
        owed = state.storage[State.OWED]
        before = slot_before(self._index, self._behind, ring.stages)
        ring.give_back(self._role, before, condition=owed == self._behind)
        state.storage[State.OWED] = 1 if self._behind == 1 else where(owed == self._behind, owed, owed + 1)


def operations_since(block: Block, before: Operation | None) -> list[Operation]:
    """The operations of a block behind one of them, with what they contain."""
    op = before.next_op if before is not None else block.first_op
    found: list[Operation] = []
    while op is not None:
        found += op.walk()
        op = op.next_op
    return found
