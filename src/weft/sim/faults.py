"""What can go wrong when a kernel runs: what the simulator lacks, and what the kernel does wrong.

A `KernelFault` names the instruction, its line, and the thread and address where it happened.
"""

from __future__ import annotations

from typing import Any, get_args

from weft.dataclass import dataclass
from weft.errors import Position, Severity, WeftError, nearest


class SimulationError(WeftError):
    """The kernel cannot be run: bad arguments, or a launch that does not fit the kernel."""


class Unlike(SimulationError):
    """Compiled code has found a fault: the NumPy tier says which."""


def choose(value: object, choices: Any, what: str) -> None:
    """Refuse an option that is not one of the strings of a `Literal`.  Raises SimulationError."""
    known: tuple[str, ...] = get_args(choices)
    if not isinstance(value, str) or value not in known:
        raise SimulationError(f"unknown {what} {value!r}", hint=nearest(str(value), known))


class UnsupportedInstruction(SimulationError):
    """The simulator has no semantics for an instruction that the kernel may reach; nothing was executed."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread by its place in the grid: indices `(x, y, z)` of the CTA and in the CTA, and its warp and lane."""

    cta: tuple[int, int, int]
    tid: tuple[int, int, int]
    warp: int
    lane: int

    def __str__(self) -> str:
        return f"CTA {self.cta}, thread {self.tid} (warp {self.warp}, lane {self.lane})"


class KernelFault(SimulationError):
    """The kernel did something that the ISA forbids or leaves undefined.

    `kind` is stable: `out-of-bounds`, `misaligned`, `read-only`, `uninitialised-register`, `uninitialised-memory`,
    `asynchronous-read`, `asynchronous-write`, `asynchronous-exit`, `proxy-fence`, `wgmma-fence`, `tensor-map`,
    `divergent-collective`, `membermask`, `inactive-lane`, `barrier`, `deadlock`, `limit`, `race`, `trap`, `stack`,
    `call`, `assert`, `metadata`, `descriptor`, `tensor-memory`, `tensor-fence`, `registers`, `cluster-launch`.
    `severity` is that of an error, which ends the run unless errors are kept, or of what is only told.
    `thread` and `address` say where, when one thread is to blame;
    `other` is the line of the other access of a race, `other_thread` whose it is where that is known; `seed` that of a
    random run which has found it, `changes` how few changes of its schedule that takes.  `place` is the function and
    the number of the instruction there, `other_place` that of the other access; `origin` and `other_origin` are what
    `.loc` says of them.  `value` is what a race's access stores or finds, `other_value` what is in memory, as numbers
    of the width of the access.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        position: Position | None = None,
        hint: str = "",
        *,
        instruction: str = "",
        thread: Thread | None = None,
        address: int | None = None,
    ) -> None:
        where = f", in {thread}" if thread else ""
        what = f"{instruction}: " if instruction else ""
        super().__init__(f"{what}{message}{where}", position, hint or _HINTS.get(kind, ""))
        self.kind = kind
        self.severity = Severity.ERROR
        self.instruction = instruction
        self.thread = thread
        self.address = address
        self.other: Position | None = None
        self.other_thread: Thread | None = None
        self.place: tuple[str, int] | None = None
        self.other_place: tuple[str, int] | None = None
        self.origin: Position | None = None
        self.other_origin: Position | None = None
        self.value: int | None = None
        self.other_value: int | None = None
        self.seed: int | None = None
        self.changes: int | None = None

    @property
    def facts(self) -> tuple[tuple[str, object], ...]:
        """Who, where and what: the thread, its address, the values of both sides, and what replays it, as far as known.

        Values are hexadecimal texts.
        """
        found: dict[str, object] = {}
        for side, who in (("", self.thread), ("other_", self.other_thread)):
            found |= {} if who is None else {f"{side}cta": [*who.cta], f"{side}thread": [*who.tid]}
        for name in ("address", "value", "other_value"):
            number: int | None = getattr(self, name)
            if number is not None:
                found[name] = hex(number)
        replay = {"seed": self.seed, "changes": self.changes}
        return *found.items(), *((name, number) for name, number in replay.items() if number is not None)

    def came_from(self, origin: Position | None, other: Position | None) -> None:
        """Where the accesses are in the source that the PTX was compiled from; it takes the place of no line."""
        self.origin, self.other_origin = origin, other
        if origin is not None and not self.position.line:
            self.position = origin
        said = [f"compiled from {origin}"] if origin is not None and origin != self.position else []
        said += [f"the other access is compiled from {other}"] if other is not None else []
        self.hint = "; ".join([*said, *([self.hint] if self.hint else [])])

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled whole: a fault may come from another process."""
        return _again, (self.message, self.__dict__)


def _again(message: str, state: dict[str, object]) -> KernelFault:
    fault = KernelFault(str(state["kind"]), message)
    fault.__dict__.update(state)
    return fault


def hint_of(kind: str) -> str:
    """What usually mends a fault of a kind; empty where that differs."""
    return _HINTS.get(kind, "")


FAULT_KINDS: dict[str, str] = {
    "out-of-bounds": "an access outside every allocation of its state space",
    "misaligned": "an address that is not a multiple of the access size",
    "read-only": "a store to memory that the kernel may not write",
    "uninitialised-register": "a read of a register that the thread has not written",
    "uninitialised-memory": "a read of shared or local memory that nothing has written",
    "asynchronous-read": "a read of memory while an asynchronous copy to it may still be in flight",
    "asynchronous-write": "a write to memory or registers that an asynchronous operation in flight may still use",
    "asynchronous-exit": "threads that exit while an asynchronous copy may still use their shared memory",
    "proxy-fence": "an access through the async proxy after a generic store, without a proxy fence in between",
    "wgmma-fence": "a wgmma that uses registers written since the last wgmma.fence",
    "tensor-fence": "accesses to tensor memory by warps that synchronize without a tcgen05.fence",
    "tensor-map": "a tensor map, or coordinates, that a tensor copy cannot use",
    "divergent-collective": "a collective instruction that not all threads of the warp execute together",
    "inactive-lane": "a shuffle that reads the value of a lane that does not execute it",
    "membermask": "a membermask that does not match the threads that execute the instruction",
    "barrier": "a barrier used in a way that the ISA forbids",
    "limit": "the run exceeds its limit of steps or time",
    "deadlock": "all remaining threads wait for something that cannot happen",
    "race": "two threads access the same bytes without synchronization, and at least one of them writes",
    "trap": "the kernel executes trap",
    "stack": "calls nest too deeply",
    "call": "an indirect call or branch to an address that is not a function or label",
    "assert": "a failed assertion in the kernel",
    "metadata": "sparse-matrix metadata that does not select elements",
    "descriptor": "a matrix or instruction descriptor that the ISA does not allow",
    "registers": "a setmaxnreg that asks for registers that the warp, or its CTA's pool, does not have",
    "cluster-launch": "a request for a cluster by a CTA that has seen that there is none left",
    "tensor-memory": "an access to tensor memory that is not allocated, or in a way that the ISA forbids",
}
"""The kinds of faults and what each means."""

_HINTS: dict[str, str] = {
    "uninitialised-register": "write the register on every path that leads here",
    "uninitialised-memory": "store to these bytes first; a barrier may be missing, or come too early",
    "asynchronous-write": "wait for it first: wgmma.wait_group, cp.async.bulk.wait_group.read, or its mbarrier",
    "wgmma-fence": "insert wgmma.fence.sync.aligned after the registers are written and before the wgmma",
    "tensor-fence": "insert tcgen05.fence::before_thread_sync before the barrier or arrival, ::after_thread_sync after",
    "tensor-map": "give coordinates innermost dimension first; weft.TensorMap checks a map when it creates it",
    "asynchronous-exit": "wait before the threads exit: cp.async.bulk.wait_group.read 0, or the copy's mbarrier",
    "proxy-fence": "insert fence.proxy.async after the stores and before the barrier that lets the copy start",
    "asynchronous-read": "wait first: cp.async.wait_group, cp.async.bulk.wait_group, tcgen05.wait, or its mbarrier",
    "divergent-collective": "make all threads of the warp reach the instruction, or use the form without .aligned",
    "inactive-lane": "make every lane whose value is read execute the shuffle; lanes that have exited have no value",
    "membermask": "set the membermask to exactly the threads that execute the instruction together",
    "deadlock": "look for a thread that skips the barrier, an arrival count that is too high, or a wrong phase parity",
    "limit": "look for a thread that waits for something that never comes, or raise `max_steps` or `timeout`",
    "race": "put a barrier between the two accesses, or use an atomic",
    "stack": "look for endless recursion, or recursion deeper than the simulator allows",
}
