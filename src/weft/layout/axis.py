"""Axes: what a layout maps onto, memory or threads.

A thread axis numbers the threads (or warps, ...) of a group: its `subscope` is what one step moves over, its `scope`
the group that the number is local to.  A memory axis counts elements of a buffer, or rows and columns of tensor memory.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, NamedTuple

from weft.errors import LayoutError


class Scope(IntEnum):
    """Groups of threads, from one thread up."""

    THREAD = 0
    WARP = 1
    WARPGROUP = 2
    CTA = 3
    CLUSTER = 4
    GRID = 5

    def __str__(self) -> str:
        return self.name.lower()


class Axis:
    """A named axis; the same name is always the same object.

    Any name is an axis; those of the module's end (`m`, `laneid`, ...) are known to be memory or threads, and `storage`
    and spans over all memory want only them.  `4 @ laneid` is a stride or offset of 4 on the axis.
    """

    __slots__ = ("memory", "name", "scope", "subscope")

    _known: ClassVar[dict[str, Axis]] = {}

    name: str
    memory: bool
    scope: Scope | None
    subscope: Scope | None

    def __new__(
        cls, name: str, memory: bool = False, scope: Scope | None = None, subscope: Scope | None = None
    ) -> Axis:
        """The axis of that name; what it is counts only where the name is new."""
        found = cls._known.get(name)
        if found is not None:
            return found
        if not name.isidentifier():
            raise LayoutError(f"unknown axis '{name}'")
        axis = super().__new__(cls)
        axis.name, axis.memory, axis.scope, axis.subscope = name, memory, scope, subscope
        cls._known[name] = axis
        return axis

    @property
    def thread(self) -> bool:
        """Whether the axis numbers threads or groups of them."""
        return self.scope is not None

    def check_known(self) -> None:
        """Raise LayoutError unless the axis is known to be memory or threads."""
        if not self.memory and self.scope is None:
            raise LayoutError(
                f"axis '{self.name}' is not a memory or thread axis",
                hint=f"known: {', '.join(axis.name for axis in AXES)}",
            )

    def of_thread(self, thread: int) -> int:
        """The axis's number for thread `thread` of a CTA, counted linearly from 0.

        Raises LayoutError for memory axes and those of CTAs, which a thread's number does not tell.
        """
        match self.scope, self.subscope:
            case Scope.WARP | Scope.WARPGROUP | Scope.CTA, Scope() as step:
                return thread % THREADS.get(self.scope, thread + 1) // THREADS[step]
            case _:
                raise LayoutError(f"'{self.name}' cannot be computed from a thread's index in its CTA")

    def __rmatmul__(self, value: int) -> Term:
        return Term(value, self)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[type[Axis], tuple[str]]:
        return Axis, (self.name,)

    def __lt__(self, other: Axis) -> bool:
        return self.name < other.name


class Term(NamedTuple):
    """A stride or an offset on an axis: what `4 @ laneid` is."""

    value: int
    axis: Axis

    def __repr__(self) -> str:
        return str(self.value) if self.axis is m else f"{self.value}@{self.axis.name}"


THREADS = {Scope.THREAD: 1, Scope.WARP: 32, Scope.WARPGROUP: 128}
"""Threads in a group."""

m = Axis("m", memory=True)
TLane = Axis("TLane", memory=True)
TCol = Axis("TCol", memory=True)
P = Axis("P", memory=True)
F = Axis("F", memory=True)
Bank = Axis("Bank", memory=True)

laneid = Axis("laneid", scope=Scope.WARP, subscope=Scope.THREAD)
wid_in_wg = Axis("wid_in_wg", scope=Scope.WARPGROUP, subscope=Scope.WARP)
tid_in_wg = Axis("tid_in_wg", scope=Scope.WARPGROUP, subscope=Scope.THREAD)
warpid = Axis("warpid", scope=Scope.CTA, subscope=Scope.WARP)
wgid = Axis("wgid", scope=Scope.CTA, subscope=Scope.WARPGROUP)
tx = Axis("tx", scope=Scope.CTA, subscope=Scope.THREAD)
cbx = Axis("cbx", scope=Scope.CLUSTER, subscope=Scope.CTA)
cby = Axis("cby", scope=Scope.CLUSTER, subscope=Scope.CTA)
cbz = Axis("cbz", scope=Scope.CLUSTER, subscope=Scope.CTA)
bx = Axis("bx", scope=Scope.GRID, subscope=Scope.CTA)
by = Axis("by", scope=Scope.GRID, subscope=Scope.CTA)
bz = Axis("bz", scope=Scope.GRID, subscope=Scope.CTA)

AXES = (m, TLane, TCol, P, F, Bank, laneid, wid_in_wg, tid_in_wg, warpid, wgid, tx, cbx, cby, cbz, bx, by, bz)
"""The axes that are known to be memory or threads."""
