"""Values of registers in another form that several instructions of straight-line code read, made once.

A matrix fragment is an operand of several `mma` in a row.  While functions are bound, `Reuse` knows which forms of
which registers still hold: a branch or a label ends all of them, a write those of its register.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.ptx.operands import Operand, Register

if TYPE_CHECKING:
    from weft.sim.lanes import Lanes
    from weft.sim.registers import Row
    from weft.sim.site import Site

LATE = ("wgmma", "tcgen05")
"""Families that may read and write registers after the instruction itself."""


class Shared:
    """A value, and the lanes for which it was made last."""

    __slots__ = ("lanes", "value")

    def __init__(self) -> None:
        self.lanes: Lanes | None = None
        self.value: Any = None


class Use:
    """What one instruction has of a shared value: the first one on the way (`first`) makes it, others may take it."""

    __slots__ = ("first", "shared")

    def __init__(self, shared: Shared, first: bool) -> None:
        self.shared = shared
        self.first = first

    def get(self, lanes: Lanes) -> Any:
        """The value for a set of lanes; None where it has to be made."""
        return self.shared.value if not self.first and self.shared.lanes is lanes else None

    def put(self, lanes: Lanes, value: Any) -> None:
        """Keep a value for the instructions that follow."""
        self.shared.lanes, self.shared.value = lanes, value


class Reuse:
    """The values that hold at the place of a function that is being bound."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], object, object], Shared] = {}

    def forget(self) -> None:
        """Control may come from elsewhere: nothing is known."""
        self._known.clear()

    def after(self, site: Site, writes: list[Row]) -> None:
        """An instruction has written registers."""
        if site.opcode.stem.startswith(LATE):
            self.forget()
            return
        gone = {id(row) for row in writes}
        for key in [key for key in self._known if gone.intersection(key[0])]:
            del self._known[key]

    @property
    def empty(self) -> bool:
        """Whether nothing is known."""
        return not self._known

    def use(self, rows: tuple[int, ...], type_: object, form: object) -> Use:
        """The value of rows as elements of a type in a form."""
        key = rows, type_, form
        found = self._known.get(key)
        if found is not None:
            return Use(found, False)
        made = self._known[key] = Shared()
        return Use(made, True)


def use_of(site: Site, registers: tuple[Operand, ...], type_: str, form: object) -> Use | None:
    """The value of registers that an instruction may share; None where there is no sharing."""
    if site.instruction.guard is not None:
        return None
    rows: list[int] = []
    for operand in registers:
        row = site.names.row(operand.name, site.machine.batch.lanes) if isinstance(operand, Register) else None
        if row is None:
            return None
        rows.append(id(row))
    return site.activation.reuse.use(tuple(rows), type_, form)
