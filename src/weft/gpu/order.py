"""Which work of a device is known to have ended before which, by clocks: of streams, of events, and of the host.

The time of a stream is how much work it has been given.  A clock says up to which time the work of each stream has
ended; waiting takes over what another clock knows.  The default stream waits for the streams that are not told
otherwise when they are made (`cudaStreamNonBlocking`), and they for it.  Source: CUDA C++ Programming Guide, "Default
Stream", "Explicit Synchronization".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakSet

import numpy as np

from weft.dataclass import dataclass
from weft.gpu.errors import DeviceError
from weft.sim.earlier import STREAMS, Touched
from weft.sim.lanes import Array

if TYPE_CHECKING:
    from weft.gpu.memory import DeviceMemory
    from weft.gpu.streams import Stream

Clock = dict[int, int]
MOST = 64
"""Works that are looked at; older ones are forgotten."""
_CELL = 2


def join(clock: Clock, other: Clock) -> None:
    """Know what another clock knows, too."""
    for stream, time in other.items():
        clock[stream] = max(clock.get(stream, 0), time)


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """What a stream was given at a time, and what it has done to memory."""

    stream: int
    time: int
    touched: Touched


class Order:
    """The order of a device's work; `default` is the default stream, `current` the one that work is given to now."""

    def __init__(self, memory: DeviceMemory, default: Stream) -> None:
        self.host: Clock = {}
        self.current: Stream | None = None
        self._memory = memory
        self._default = default
        self._streams: WeakSet[Stream] = WeakSet()
        self._works: deque[Work] = deque(maxlen=MOST)

    def add(self, stream: Stream) -> None:
        """Know a stream."""
        self._streams.add(stream)

    def start(self, stream: Stream) -> Clock:
        """The clock of a stream, with all that work knows that it is given now."""
        join(stream.clock, self.host)
        if stream is self._default:
            for other in self._streams:
                if other.blocking:
                    join(stream.clock, other.clock)
        elif stream.blocking:
            join(stream.clock, self._default.clock)
        return stream.clock

    def before(self, stream: Stream) -> list[Touched]:
        """What work of other streams may still use while a stream does what it is given now."""
        clock = self.start(stream)
        return [work.touched for work in self._works if clock.get(work.stream, 0) < work.time]

    def note(self, stream: Stream, touched: Touched) -> None:
        """Work has been given to a stream."""
        time = stream.clock[stream.number] = stream.clock.get(stream.number, 0) + 1
        self._works.append(Work(stream.number, time, touched))

    def hear(self, clock: Clock) -> None:
        """The host has waited for what a clock knows."""
        join(self.host, clock)
        known = [work for work in self._works if self.host.get(work.stream, 0) < work.time]
        self._works = deque(known, MOST)

    def everything(self) -> Clock:
        """The clock that knows all work."""
        found: Clock = {}
        for stream in (self._default, *self._streams):
            join(found, stream.clock)
        for work in self._works:
            join(found, {work.stream: work.time})
        return found

    @contextmanager
    def on(self, stream: Stream) -> Generator[None]:
        """What is done inside is work of a stream."""
        outer, self.current = self.current, stream
        try:
            yield
        finally:
            self.current = outer

    def access(self, address: int, size: int, what: str, *, write: bool) -> None:
        """The host's copies and fillings use memory: those outside of `on` wait for the default stream.

        Raises:
            DeviceError: work of another stream, which nothing has waited for, uses it too.
        """
        if not size or not self._memory.holds(address):
            return
        stream = self.current or self._default
        start = address - self._memory.base
        for touched in self.before(stream):
            written, read = touched.hits(np.arange(start, start + size, 1 << _CELL), 1 << _CELL, write=write)
            if (written | read).any():
                at = address + (int((written | read).argmax()) << _CELL)
                does = "writes" if written.any() else "reads"
                own = "writes" if write else "reads"
                message = f"{what}: {own} what {touched.name} in another stream {does} at {at:#x}"
                raise DeviceError("race", message, STREAMS)
        cells = np.zeros((start + size + (1 << _CELL) - 1) >> _CELL, np.bool_)
        cells[start >> _CELL :] = True
        none = np.zeros(0, np.bool_)
        self.note(stream, between(what, cells if write else none, none if write else cells, _CELL, self._memory))
        if self.current is None:
            self.hear(stream.clock)


def between(name: str, written: Array, read: Array, shift: int, memory: DeviceMemory) -> Touched:
    """What work has done to memory, for work of other streams; of one length."""
    size = max(len(written), len(read))
    both = [np.pad(cells != 0, (0, size - len(cells))) for cells in (written, read)]
    return Touched(name, both[0], both[1], shift, memory.lives(), apart=True)
